"""Levels with colours and ice in the real program, on terminals with many colours, few, none, and without a cursor."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.slow import others_slow
from tests.system.terminal.screen import Screen, sokoterm
from tests.unit.tui.kinds import SHOWN

ROWS = ["#~+B Ab $   #", "#  CBc  ~~~~#", "#~D   $ d   #"]


def shown(folder: Path, environ: Mapping[str, str]) -> Screen:
    """The player with a level that has all there is."""
    path = folder / "pack.txt"
    path.write_text(SHOWN["both"])
    return sokoterm(folder, "--ascii", "--cell", "1", str(path), environ=environ)


@pytest.mark.parametrize(
    "environ",
    others_slow(
        [{}, {"TERM": "vt100"}, {"TERM": "linux"}, {"TERM": "xterm-256color", "NO_COLOR": "1"}, {"LC_ALL": "C"}]
    ),
    ids=str,
)
def test_letters_are_seen_and_boxes_at_home_marked(tmp_path: Path, environ: Mapping[str, str]) -> None:
    with shown(tmp_path, environ) as screen:
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
        screen.leave()


def test_signs_mark_boxes_at_home_where_pictures_are_printed(tmp_path: Path) -> None:
    with shown(tmp_path, {"TERM": "dumb"}) as screen:
        for row in (ROWS[0].replace("A", "*"), ROWS[1].replace("B", "*"), ROWS[2]):
            screen.wait_for_output(row.encode())
        screen.leave()
