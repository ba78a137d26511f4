from string import ascii_lowercase

import pytest

from sokoterm.engine.bits import Direction, squares_of
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import end_of, measure
from sokoterm.linemode.commands import Given
from sokoterm.linemode.speech import BoxNames, Situation, name_of, solved, with_and
from sokoterm.store.solutions import Best, Recorded

LEVEL = Level.from_xsb(
    """
#########
#..  $ ##
#  $@$ .#
#   *   #
#########
"""
)

DIRECT, DETOUR = measure("R"), measure("lrR")


def at(lurd: str, level: Level = LEVEL) -> Situation:
    return BoxNames(level).situation(lurd)


def told(lurd: str, before: str = "") -> str:
    return at(before + lurd).since(at(before))


def test_boxes_are_named_from_the_top_left_and_keep_their_names() -> None:
    names = BoxNames(LEVEL)
    start = names.situation("").names
    assert [*start.values()] == ["a", "b", "c", "d"]
    for lurd in ("L", "LrR", "LrRl", "", "R", "LL", "L"):
        here = names.situation(lurd)
        assert here.state == end_of(LEVEL.board, LEVEL.start, lurd)
        assert set(here.names) == {*squares_of(here.state.boxes)}
    assert at("L").find_box("B") == LEVEL.start.player - 2
    assert names.situation("").names == start


def test_names_go_on_after_z() -> None:
    names = [name_of(index, ascii_lowercase) for index in (0, 25, 26, 27, 701, 702)]
    assert names == ["a", "z", "aa", "ab", "zz", "aaa"]


@pytest.mark.parametrize(
    ("before", "lurd", "words"),
    [
        ("", "u", "walked up to row 2 column 5"),
        ("u", "ll", "walked 2 left to row 2 column 3"),
        ("u", "lld", None),
        ("", "L", "box b pushed left to row 3 column 3, 1 of 4 home"),
        ("", "RR", "box c pushed 2 right to row 3 column 8, home, 2 of 4 home"),
        ("", "ul", "walked 2 to row 2 column 4"),
        ("", "D", None),
        ("L", "rR", "walked 1, then box c pushed right to row 3 column 7, 1 of 4 home"),
    ],
)
def test_moves_are_told_in_one_sentence(before: str, lurd: str, words: str | None) -> None:
    if words is not None:
        assert told(lurd, before) == words


def test_several_boxes_are_told_each() -> None:
    said = told("LrR")
    assert said == ("box b pushed to row 3 column 3; box c pushed to row 3 column 7; 2 pushes, 3 moves, 1 of 4 home")


def test_many_boxes_are_told_together() -> None:
    assert told("LrRdL") == "boxes b, c and d pushed in 3 pushes, 5 moves, 0 of 4 home"
    assert at("").since(at("LrRdL")) == "boxes b, c and d back where they were, 1 of 4 home"


def test_a_box_that_leaves_its_goal_is_told_to() -> None:
    level = Level.from_xsb("#######\n#@*. .#\n#  $$ #\n#######")
    after = at("R", level)
    assert after.since(at("", level)) == "box a pushed right to row 2 column 4, home, 1 of 3 home"
    assert at("RR", level).since(after).endswith("row 2 column 5, off its goal, 0 of 3 home")


def test_what_was_taken_back_is_told() -> None:
    assert at("").since(at("L")) == "box b back to row 3 column 4, 1 of 4 home"
    assert at("").since(at("u")) == "you are back at row 3 column 5"


def test_what_is_in_the_way_is_told() -> None:
    level = Level.from_xsb("######\n#@$$.#\n#$  .#\n##  .#\n######")
    said = {direction: at("", level).blocked(direction) for direction in Direction}
    assert said[Direction.UP] == "a wall is above you"
    assert said[Direction.LEFT] == "a wall is left of you"
    assert said[Direction.RIGHT] == "box a cannot be pushed right: box b behind it"
    assert said[Direction.DOWN] == "box c cannot be pushed down: a wall behind it"


def test_a_lost_position_names_the_guilty_boxes() -> None:
    start = at("")
    boxes = sum(1 << square for square, name in start.names.items() if name in "bc")
    said = start.lost(Deadlock(DeadlockKind.FREEZE, boxes), "U")
    assert said == "box b and box c are frozen: this position is lost; U goes back"
    for kind in DeadlockKind:
        assert start.lost(Deadlock(kind, LEVEL.start.boxes), "").endswith(": this position is lost")
    assert start.lost(Deadlock(DeadlockKind.LEARNED, 0), "") == "proven: this position is lost"


def test_squares_are_told_by_rows() -> None:
    board = LEVEL.board
    squares = [board.square(1, column) for column in (1, 2, 3, 6, 7)] + [board.square(3, 4)]
    assert at("").places(squares) == "row 2 columns 2 to 4, 7 and 8, row 4 column 5"
    assert with_and(["a"]) == "a"
    assert with_and(["a", "b", "c"]) == "a, b and c"


@pytest.mark.parametrize(
    ("before", "line"),
    [
        (Best(), "your first solution"),
        (Best(DETOUR, DETOUR), "a new best (it was 1 push and 3 moves)"),
        (Best(DIRECT, DIRECT), "your best is 1 push and 1 move"),
    ],
)
def test_a_level_that_is_solved_is_told_with_the_best_before_it(before: Best, line: str) -> None:
    said = solved(Recorded(DIRECT, before, None), "next: Enter")
    assert said == f"solved in 1 push, 1 move, {line}; next: Enter"


ROOM = Level.from_xsb("#########\n#@ $   .#\n#  $   .#\n#       #\n#########")


def looked(name: str, argument: str = "", level: Level = ROOM) -> list[str]:
    return at("", level).look(Given(name, "", (argument,) if argument else ()))


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
    assert looked(name, argument) == lines


def test_boxes_that_are_home_or_in_the_way_say_so() -> None:
    level = Level.from_xsb("######\n#+$* #\n#  # #\n######")
    (around,) = looked("where", level=level)
    assert around.startswith("you are at row 2 column 2, on a goal; up a wall; right box a, blocked; ")
    assert looked("boxes", level=level)[1] == "box b at row 2 column 4, home"
    assert looked("goals", level=level)[1] == "goal at row 2 column 4: box b"
