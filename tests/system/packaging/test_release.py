"""What the release says of itself agrees with itself."""

import re
import tomllib
from pathlib import Path

from sokoterm import __version__

PROJECT = Path(__file__).parents[3]


def test_changelog_begins_with_the_version_of_the_tree() -> None:
    headings = re.findall(r"^## (\S+)", (PROJECT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == __version__


def test_nothing_is_needed_but_python() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert all("sys_platform == 'win32'" in dependency for dependency in project["dependencies"])
    assert project["requires-python"] == ">=3.11"
