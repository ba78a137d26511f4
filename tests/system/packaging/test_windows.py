"""What can be told here of a Windows that is not here: nothing that it lacks is needed to import, or to play."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_module_is_imported_and_a_level_played_without_what_windows_lacks(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.system.packaging.without_posix", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    count, _, picture = done.stdout.partition(" modules\n")
    assert int(count) > 100
    assert "level solved" in picture
    assert "Solved in 2 pushes, 3 moves, your first solution" in picture


def test_curses_for_windows_is_asked_for_on_windows_alone() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["dependencies"] == ["windows-curses; sys_platform == 'win32'"]
