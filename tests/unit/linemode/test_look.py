"""Where things are, in words."""

import pytest

from sokoterm.engine.level import Level
from sokoterm.linemode.commands import Given
from sokoterm.linemode.look import BoxNames, look, status

LEVEL = Level.from_xsb("#########\n#@ $   .#\n#  $   .#\n#       #\n#########")


class Shown:
    """The start of the level, or of another one."""

    def __init__(self, level: Level = LEVEL) -> None:
        self.state = level.start
        self.names = BoxNames(level).now
        self._board = level.board

    def status(self) -> str:
        return status(self._board, self.state, 0, 0)


@pytest.mark.parametrize(
    ("name", "argument", "lines"),
    [
        (
            "where",
            "",
            ["you are at row 2 column 2; up a wall; right 1 free, then box a; down 2 free, then a wall; left a wall"],
        ),
        ("where", "b", ["box b at row 3 column 4; can be pushed right and left"]),
        ("where", "2,8", ["row 2 column 8: a goal; you can walk there"]),
        ("where", "1,1", ["row 1 column 1: a wall"]),
        ("where", "x", ["name a box, or a row and column of the board: where a, where 4,7"]),
        ("boxes", "", ["box a at row 2 column 4", "box b at row 3 column 4"]),
        ("goals", "", ["goal at row 2 column 8: empty", "goal at row 3 column 8: empty"]),
        ("status", "", ["0 moves, 0 pushes, 0 of 2 home, you are at row 2 column 2"]),
        ("map", "1", ["rows 1 to 3, columns 1 to 3:", "###", "#@", "#"]),
        ("board", "", ["#########", "#@ a   .#", "#  b   .#", "#       #", "#########"]),
    ],
)
def test_where_things_are(name: str, argument: str, lines: list[str]) -> None:
    assert look(Given(name, "", (argument,) if argument else ()), Shown(), LEVEL) == lines


def test_boxes_that_are_home_or_in_the_way_say_so() -> None:
    level = Level.from_xsb("######\n#+$* #\n#  # #\n######")
    shown = Shown(level)
    (around,) = look(Given("where", "", ()), shown, level)
    assert around.startswith("you are at row 2 column 2, on a goal; up a wall; right box a, blocked; ")
    assert look(Given("boxes", "", ()), shown, level)[1] == "box b at row 2 column 4, home"
    assert look(Given("goals", "", ()), shown, level)[1] == "goal at row 2 column 4: box b"
