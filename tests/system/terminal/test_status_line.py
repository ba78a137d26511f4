"""The line that tells how far a search is, on a real pseudo-terminal."""

import io
import sys
from pathlib import Path

import pytest

from sokoterm.commands.support.output import StatusLine
from tests.system.terminal.screen import PYTHON, Screen

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
        assert screen.exit_status() == 130
        assert screen.text.strip() == ""


def test_ctrl_c_while_the_line_is_written_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(io.StringIO):
        presses = 1

        def isatty(self) -> bool:
            return True

        def flush(self) -> None:
            if self.presses:
                self.presses -= 1
                raise KeyboardInterrupt

        def fileno(self) -> int:
            raise OSError

    stderr = Interrupted()
    monkeypatch.setattr(sys, "stderr", stderr)
    with pytest.raises(KeyboardInterrupt), StatusLine() as line:
        line.write("nodes 12")
    assert stderr.getvalue().endswith(f"\r{' ' * len('nodes 12^C')}\r")
