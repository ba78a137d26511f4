"""Modules loaded before the first picture: each module is paid for at every start, also on a slow server."""

from pathlib import Path
from signal import SIGKILL

from tests.system.terminal.screen import PYTHON, Screen

LISTED = Path(__file__).parents[2] / "data" / "modules_of_first_picture.txt"
# The tests of lost positions, loaded once nobody has pressed a key for a moment.
LATER = {"sokoterm.engine.deadlock.detector", "sokoterm.engine.deadlock.subsets", "sokoterm.engine.lone_box"}


def test_modules_loaded_before_the_first_picture_are_those_listed(tmp_path: Path, pack: str) -> None:
    """One that is not listed: is it worth loading at every start?  If so, it goes on the list."""
    log = tmp_path / "imports.txt"
    command = ["sh", "-c", 'exec "$0" -X importtime -m sokoterm "$1" 2> "$2"', PYTHON, pack, str(log)]
    with Screen(command, tmp_path) as screen:
        screen.wait_for("moves 0")
        screen.end(SIGKILL)
    names = (line.rpartition("|")[2].strip() for line in log.read_text().splitlines())
    loaded = {name for name in names if name.startswith("sokoterm")}
    assert loaded - LATER == set(LISTED.read_text().split())
