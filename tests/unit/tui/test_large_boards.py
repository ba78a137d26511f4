"""Keys on boards as large as a file may have them: their work follows what is shown and what changes."""

from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest

from sokoterm.app.request import Note
from sokoterm.engine.level import Pack, level_from_rows, varied
from sokoterm.formats.registry import write
from sokoterm.tui.widgets.frame import Frame
from tests.unit.tui.fake_terminal import line_for, play

LONGEST_SECONDS = 2.0  # each takes a tenth of that on a machine that does nothing else
PLANNED = ["tab", "a", "left", "esc", "esc", "G", "esc"]
DRAWN = [
    "e",
    "l",
    "#",
    "$",
    ".",
    "@",
    "u",
    "C-r",
    "m",
    "J",
    "#",
    "o",
    "x",
    "t",
    "B",
    "esc",
    "r",
    "c",
    "i",
    "esc",
    "b",
    "y",
]


def room(size: int, colors: int = 0, *, ice: bool = False) -> str:
    """Return a pack with one room of boxes, goals and pillars, two of each for a colour."""
    rows = [["#", *" " * (size - 2), "#"] for _ in range(size)]
    rows[0] = rows[-1] = ["#"] * size
    rows[1][1] = "@"
    spots = [(row, column) for row in range(3, size - 3, 4) for column in range(3, size - 3, 4)]
    count = 2 * max(1, colors)
    boxes, goals, pillars = spots[:count], spots[count : 2 * count], spots[2 * count : 3 * count]
    for sign, squares in (("$", boxes), (".", goals), ("#", pillars)):
        for row, column in squares:
            rows[row][column] = sign
    level = level_from_rows(["".join(row) for row in rows])
    if colors:
        square = level.board.square
        box_colors, goal_colors = (
            {square(*spot): index % colors for index, spot in enumerate(some)} for some in (boxes, goals)
        )
        icy = spots[3 * count :] if ice else []
        level = varied(level, box_colors, goal_colors, sum(1 << square(*spot) for spot in icy))
    return write(Pack("large", (level,)), "xsb").data.decode()


@pytest.mark.parametrize(
    ("pack", "keys"),
    [
        (room(256, 250), ["l", "j", "u", "C-r", "J", "L", "t", "x", "+", "-", *PLANNED]),
        (room(256, 250, ice=True), ["l", "j", "u", "C-r", "J", "L", "t", "x", "+", "-", *PLANNED]),
        (room(256, 250), DRAWN),
        (room(500), ["l", "t", "t", *PLANNED]),
        (room(500), DRAWN),
        (room(990), ["l", "t", "J", *PLANNED]),
    ],
    ids=["colours", "ice", "colours drawn", "500", "500 drawn", "990"],
)
def test_no_key_takes_long(tmp_path: Path, pack: str, keys: list[str]) -> None:
    times = [process_time()]

    def painted(_: Frame) -> None:
        times.append(process_time())

    play(tmp_path, pack, keys, painted=painted)
    assert len(times) > len(keys)
    assert max(after - before for before, after in pairwise(times)) < LONGEST_SECONDS


@pytest.mark.parametrize("pack", [room(400), room(100, 4, ice=True)], ids=["large", "ice"])
def test_the_planner_says_that_a_board_is_too_large_for_it(tmp_path: Path, pack: str) -> None:
    assert play(tmp_path, pack, ["tab"]).shows(line_for(Note.BOARD_TOO_LARGE))
