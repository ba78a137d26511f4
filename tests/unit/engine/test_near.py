"""Near levels, against a comparison square by square in all orientations and places."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.near import NearLevels, without_dead_ends
from sokoterm.formats.registry import parse

BASES = [
    "#######\n#@$ . #\n#  #  #\n# $ . #\n#######",
    "########\n#@  #  #\n# $ .  #\n##  #  #\n#.$    #\n########",
    "######\n#@$.##\n#  $.#\n##   #\n######",
    "#####\n#@$.#\n#####",
]
Cells = frozenset[tuple[int, int, str]]


def near_pairs(levels: Sequence[Level], most: int) -> dict[tuple[int, int], int]:
    near = NearLevels()
    for level in levels:
        near.add(level)
    pairs: dict[tuple[int, int], int] = {}
    for _, pairs in near.pairs(most):
        pass
    return dict(pairs)


def cells_of(level: Level, floor: int) -> dict[tuple[int, int], str]:
    """What stands on each square of a floor."""
    board, boxes = level.board, level.start.boxes
    squares = [square for square in range(board.size) if floor >> square & 1]
    return {board.row_column(each): " .$*"[(board.goals >> each & 1) + 2 * (boxes >> each & 1)] for each in squares}


def plain_difference(one: Level, other: Level) -> int:
    """The least number of squares that differ, of each floor with or without dead ends."""
    least = 1000
    first_forms, second_forms = (
        [cells_of(level, floor) for floor in (level.board.floor, without_dead_ends(level))] for level in (one, other)
    )
    for first, second in product(first_forms, second_forms):
        for symmetry in SYMMETRIES:
            turned = {symmetry.place(*place, 20, 20): cell for place, cell in first.items()}
            shifts = {(row - r, column - c) for (row, column), (r, c) in product(second, turned)}
            for down, right in shifts:
                moved = {(row + down, column + right): cell for (row, column), cell in turned.items()}
                differing = sum(moved.get(place) != second.get(place) for place in moved.keys() | second.keys())
                least = min(least, differing)
    return least


@st.composite
def edited(draw: st.DrawFn) -> Level:
    """A level with some squares changed, and turned."""
    rows = [[*row] for row in draw(st.sampled_from(BASES)).split("\n")]
    for _ in range(draw(st.integers(0, 4))):
        row, column = draw(st.integers(0, len(rows) - 1)), draw(st.integers(0, len(rows[0]) - 1))
        rows[row][column] = draw(st.sampled_from("#  .$*@"))
    walled = ["#" * (len(rows[0]) + 2), *("#" + "".join(row) + "#" for row in rows), "#" * (len(rows[0]) + 2)]
    try:
        return Level.from_xsb("\n".join(draw(st.sampled_from(SYMMETRIES)).rows(walled)))
    except LevelError:
        return Level.from_xsb(draw(st.sampled_from(BASES)))


@given(st.lists(edited(), min_size=2, max_size=6), st.integers(0, 4))
@settings(max_examples=25)
def test_exactly_the_levels_that_differ_in_so_few_squares_are_near(levels: list[Level], most: int) -> None:
    expected = {
        (one, other): squares
        for one, other in combinations(range(len(levels)), 2)
        if (squares := plain_difference(levels[one], levels[other])) <= most
    }
    assert near_pairs(levels, most) == expected
    last = len(levels) - 1  # near is symmetric
    assert near_pairs(levels[::-1], most) == {(last - b, last - a): squares for (a, b), squares in expected.items()}


@pytest.mark.slow
def test_a_level_is_near_its_own_edits_among_many() -> None:
    walls = [(row, column) for row in range(1, 4) for column in range(1, 10)]
    levels = []
    for some in combinations(walls[9:18], 2):
        rows = [[*row] for row in ("###########", "#   #     #", "#@ $  #  .#", "#  # $  . #", "###########")]
        for row, column in some:
            if rows[row][column] in " #":
                rows[row][column] = "#" if rows[row][column] == " " else " "
        with suppress(LevelError):
            levels.append(Level.from_xsb("\n".join(map("".join, rows))))
    assert len(levels) > 20
    pairs = near_pairs(levels, 2)
    for one, other in combinations(range(len(levels)), 2):
        assert ((one, other) in pairs) == (plain_difference(levels[one], levels[other]) <= 2)


def test_dead_ends_and_the_place_of_the_player_do_not_count() -> None:
    one = Level.from_xsb("########\n#@ $ .##\n#  #  ##\n########")
    blind = Level.from_xsb("##########\n#  $ .####\n#@ #     #\n######## #\n       ###")
    assert near_pairs([one, blind], 0) == {(0, 1): 0}
    assert near_pairs([one, one._replace(start=one.start._replace(player=one.board.square(2, 2)))], 0) == {(0, 1): 0}


def test_levels_with_colours_are_near_no_other() -> None:
    text = "######\n#@$.##\n# $.##\n######\n"
    levels = [*parse(text.encode(), "a").levels] * 2 + [
        *parse(f"{text}Boxorder: 1 2\nGoalorder: 1 2".encode(), "b").levels
    ] * 2
    assert [level.board.is_ordinary for level in levels] == [True, True, False, False]
    assert near_pairs(levels, 1) == {(0, 1): 0}
