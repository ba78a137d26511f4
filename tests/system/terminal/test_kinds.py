"""Levels with colours and ice in the real program, on terminals with many colours, few, none, and without a cursor."""

from pathlib import Path

import pytest

from tests.system.terminal.screen import sokoterm
from tests.unit.tui.kinds import SHOWN

ROWS = ["#~+B Ab $   #", "#  CBc  ~~~~#", "#~D   $ d   #"]


@pytest.mark.parametrize(
    "environ",
    [{}, {"TERM": "vt100"}, {"TERM": "linux"}, {"TERM": "xterm-256color", "NO_COLOR": "1"}, {"LC_ALL": "C"}],
    ids=str,
)
def test_letters_are_seen_and_boxes_at_home_marked(tmp_path: Path, environ: dict[str, str]) -> None:
    path = tmp_path / "pack.txt"
    path.write_text(SHOWN["both"])
    with sokoterm(tmp_path, "--ascii", "--cell", "1", str(path), environ=environ) as screen:
        screen.wait_for("moves 0")
        for row in ROWS:
            screen.wait_for(row)
        lines = screen.text.splitlines()
        top = next(number for number, line in enumerate(lines) if ROWS[0] in line)
        left = lines[top].index(ROWS[0])
        marked = {
            (row, column)
            for row in range(3)
            for column in range(len(ROWS[0]))
            if (cell := screen.emulated.buffer[top + row][left + column]).reverse and cell.underscore
        }
        assert marked == {(0, 5), (1, 4)}
        screen.type("q")
        assert screen.wait() == 0


def test_signs_mark_boxes_at_home_where_pictures_are_printed(tmp_path: Path) -> None:
    path = tmp_path / "pack.txt"
    path.write_text(SHOWN["both"])
    with sokoterm(tmp_path, "--ascii", "--cell", "1", str(path), environ={"TERM": "dumb"}) as screen:
        for row in (ROWS[0].replace("A", "*"), ROWS[1].replace("B", "*"), ROWS[2]):
            screen.wait_for_output(row.encode())
        screen.type("q")
        assert screen.wait() == 0
