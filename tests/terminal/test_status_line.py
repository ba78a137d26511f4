"""The line that tells how far a search is, on a real pseudo-terminal."""

import os
from pathlib import Path

import pytest

from tests.terminal.screen import PYTHON, Screen

# More positions than can be tried in a moment.
HALL = """\
####################
#                  #
#@ $ $ $ $ $ $ $ $ #
#                  #
#                  #
#  . . . . . . . . #
#                  #
####################
"""


@pytest.mark.parametrize("columns", [40, 140])
def test_ctrl_c_takes_the_line_away(tmp_path: Path, columns: int) -> None:
    path = tmp_path / "hall.txt"
    path.write_text(HALL)
    command = [PYTHON, "-m", "sokoterm", "solve", str(path), "--strategy", "bfs"]
    with Screen(command, tmp_path, size=(24, columns)) as screen:
        screen.wait_for("nodes")
        screen.type("\x03")
        assert os.waitstatus_to_exitcode(screen.wait()) == 130
        assert screen.text.strip() == ""
