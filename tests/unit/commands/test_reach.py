"""``sokoterm reach``."""

from itertools import count

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import end_of
from tests.unit.commands.command import FEWER_MOVES, PLACE, STUCK, Command

# Two boxes, an inner wall, decoration, and a margin in the file.
ROOM = """\
   #######
   #@ $  #  #$#
   # #   #  ###
   #  $ .#
   #    .#
   #######"""


def test_the_squares_in_reach_with_their_pushes(command: Command) -> None:
    pack = command.pack("levels.txt", [STUCK, FEWER_MOVES])
    result = command.done("reach", pack, "-l", "2", "--box", "3,4", "--json")
    (found,) = result.objects
    assert list(found) == [*PLACE, "box", "squares"]
    assert (found["pack"], found["level"], found["box"]) == (str(pack), 2, [3, 4])
    squares = found["squares"]
    assert isinstance(squares, list)
    assert [3, 4, 0] in squares
    assert [2, 5, 2] in squares
    assert squares == sorted(squares)


def test_the_plan_has_fewest_pushes_or_fewest_moves(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    arguments = ("reach", pack, "-l", "1", "--box", "3,4", "--to", "2,5")
    for flags, pushes, moves in (((), 2, 10), (("--fewest", "pushes"), 2, 10), (("--fewest", "moves"), 4, 8)):
        result = command(*arguments, *flags, "--json")
        (found,) = result.objects
        assert list(found) == [*PLACE, "box", "squares", "lurd", "moves", "pushes"]
        assert (result.status, found["pushes"], found["moves"]) == (0, pushes, moves)
        level = Level.from_xsb(FEWER_MOVES)
        assert end_of(level.board, level.start, str(found["lurd"])).boxes == level.board.goals
    heading, lurd = command(*arguments).out.splitlines()
    assert heading == "box 3,4 to 2,5: 2 pushes, 10 moves"
    assert len(lurd) == 10


def test_the_board_is_shown_with_the_squares_in_reach(command: Command) -> None:
    result = command("reach", command.pack("levels.txt", [ROOM]), "-l", "1", "--box", "1,4")
    assert result.status == 2
    result = command.done("reach", command.pack("levels.txt", [ROOM]), "-l", "1", "--box", "2,4")
    lines = result.out.splitlines()
    assert lines[0].endswith("levels.txt:1  A")
    assert lines[1].startswith("box 2,4: 5 squares in reach, including its own; the farthest ")
    assert lines[3:11] == [
        "           1",
        "  123456789012",
        "1 #######",
        "2 #qx$xx#  #$#",
        "3 # #   #  ###",
        "4 #  $ .#",
        "5 #    .#",
        "6 #######",
    ]
    assert lines[-1].startswith("x in reach, but the box is lost there")


def test_one_push_and_a_box_that_stays_are_said_in_the_singular(command: Command) -> None:
    pack = command.pack("levels.txt", [STUCK, "#####\n#@$.#\n#####"])
    assert "box 2,2: 1 square in reach, including its own\n" in command("reach", pack, "-l", "1", "--box", "2,2").out
    assert command("reach", pack, "-l", "2", "--box", "2,3", "--to", "2,4").out == "box 2,3 to 2,4: 1 push, 1 move\nR\n"
    assert command("reach", pack, "-l", "2", "--box", "2,3", "--to", "2,3").out == "box 2,3 to 2,3: 0 pushes, 0 moves\n"


def test_moves_are_played_first(command: Command) -> None:
    pack = command.pack("levels.txt", ["########\n#@$   .#\n########"])
    result = command("reach", pack, "-l", "1", "--moves", "2R", "--box", "2,5", "--to", "2,7", "--json")
    (found,) = result.objects
    assert (result.status, found["lurd"], found["squares"]) == (0, "RR", [[2, 5, 0], [2, 6, 1], [2, 7, 2]])
    blocked = command("reach", pack, "-l", "1", "--moves", "u", "--box", "2,3")
    assert (blocked.status, blocked.err) == (2, "sokoterm: --moves: step 1 (u) is blocked\n")
    unread = command("reach", pack, "-l", "1", "--moves", "rx", "--box", "2,3")
    assert (unread.status, unread.err.count("\n"), "'x'" in unread.err) == (2, 1, True)


@pytest.mark.parametrize(
    ("square", "reason"),
    [("5,4", " while the other boxes stand still"), ("1,1", ": found a wall"), ("4,4", " another box")],
)
def test_a_square_out_of_reach_is_status_1(command: Command, square: str, reason: str) -> None:
    pack = command.pack("levels.txt", [ROOM.replace("@ $", "@$ ")])
    result = command("reach", pack, "-l", "1", "--box", "2,3", "--to", square)
    assert (result.status, result.err) == (1, "")
    assert result.out.startswith(f"box 2,3 to {square}: cannot be pushed there")
    assert result.out.endswith(f"{reason}\n")
    (found,) = command("reach", pack, "-l", "1", "--box", "2,3", "--to", square, "--json").objects
    assert (found["lurd"], found["moves"], found["pushes"]) == (None, None, None)


def test_a_board_that_takes_the_planner_too_long_is_told_in_one_line(command: Command) -> None:
    command.monkeypatch.setattr("sokoterm.commands.reach.monotonic", count(step=6).__next__)
    result = command("reach", command.pack("levels.txt", [ROOM]), "-l", "1", "--box", "2,4")
    assert (result.status, result.out) == (2, "")
    assert result.err.endswith("no answer within 10 s: the board is too large for this\n")
