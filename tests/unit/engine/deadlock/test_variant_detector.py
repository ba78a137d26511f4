"""Deadlock tests of boards with colours or ice; ``tests/unit/solver`` compares them with all positions."""

from pathlib import Path

import pytest

from sokoterm.engine.bits import bitboard_of, scan
from sokoterm.engine.deadlock import detector
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind, cannot_be_played, dead_squares
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.level import Level, varied
from sokoterm.engine.lurd import LurdError, verify
from sokoterm.engine.reach import reachable_area
from tests.unit.solver.exhaustive import fewest_pushes, random_levels

SOLVER_PAGE = Path(__file__).parents[4] / "docs" / "solver.md"


def level_of(text: str, *, has_ice: bool = False) -> Level:
    """Read a board where ``A`` and ``B`` are boxes of two colours, ``a`` and ``b`` their goals."""
    plain = Level.from_xsb(text.translate(str.maketrans("ABab", "$$..")))
    rows = text.splitlines()
    squares = {(row, column): cell for row, line in enumerate(rows) for column, cell in enumerate(line)}
    boxes, goals = (
        {plain.board.square(*place): cells.index(cell) for place, cell in squares.items() if cell in cells}
        for cells in ("AB", "ab")
    )
    return varied(plain, boxes, goals, plain.board.floor if has_ice else 0)


def found(level: Level) -> Deadlock | None:
    return DeadlockDetector(level.board).find(level.start.boxes, reachable_area(level.board, level.start))


def test_the_table_of_tests_is_that_of_the_page() -> None:
    text = detector.__doc__ or ""
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 7
    assert "\n".join(table) in SOLVER_PAGE.read_text(encoding="utf-8")


def test_a_box_that_can_reach_no_goal_of_its_colour() -> None:
    text = "#######\n#     #\n#A    #\n#a B  #\n#   @b#\n#     #\n#######"
    assert found(level_of(text)) is None
    swapped = level_of(text.translate(str.maketrans("ab", "ba")))
    assert found(swapped) == Deadlock(DeadlockKind.DEAD_SQUARE, 1 << swapped.board.square(2, 1))


def test_boxes_that_freeze_on_goals_of_other_colours() -> None:
    plain = Level.from_xsb("#######\n#     #\n# **  #\n# **@ #\n#     #\n#######")
    first, second, third, fourth = scan(plain.start.boxes)
    own = varied(plain, {first: 0, second: 1}, {first: 0, second: 1})
    assert found(own) is None
    swapped = varied(plain, {first: 0, second: 1}, {first: 1, second: 0})
    assert found(swapped) == Deadlock(DeadlockKind.FREEZE, bitboard_of([first, second, third, fourth]))


ON_THE_LEFT = "#######\n#a    #\n#A    #\n#  B@ #\n#A   a#\n#b    #\n#######"


@pytest.mark.parametrize("has_ice", [False, True])
def test_too_few_goals_of_a_colour(has_ice: bool) -> None:
    level = level_of(ON_THE_LEFT, has_ice=has_ice)
    guilty = 1 << level.board.square(2, 1) | 1 << level.board.square(4, 1)
    assert found(level) == Deadlock(DeadlockKind.BIPARTITE, guilty)
    assert found(Level.from_xsb(level.xsb())) is None


def test_a_box_that_only_another_box_stops_on_its_goal() -> None:
    level = level_of("########\n#      #\n#@$  .*#\n#      #\n########", has_ice=True)
    assert found(level) is None
    assert verify(level.board, level.start, "R").pushes == 1


def test_a_corral_holds_with_colours_and_not_on_ice() -> None:
    corral = Level.from_xsb("######\n#.$  #\n#@*  #\n#  *##\n######")
    colored = varied(corral, dict.fromkeys(scan(corral.start.boxes), 0), dict.fromkeys(scan(corral.board.goals), 0))
    for level in (corral, colored):
        deadlock = found(level)
        assert deadlock is not None
        assert deadlock.kind is DeadlockKind.CORRAL
    assert found(varied(corral, {}, {}, corral.board.floor)) is None


def test_dead_squares_by_colour() -> None:
    board = level_of(ON_THE_LEFT).board
    squares = [board.square(row, column) for row, column in ((4, 5), (5, 1))]
    dead = [[dead_squares(board, color) >> square & 1 for square in squares] for color in (None, 0, 1)]
    assert dead == [[0, 0], [0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("text", "can_be_played"),
    [
        ("#####\n#@* #\n#####", False),
        ("#######\n#@ ** #\n#  ** #\n#######", False),
        ("#######\n#     #\n# @*  #\n#     #\n#######", True),
        ("#####\n#@$.#\n#####", True),
    ],
)
def test_a_level_that_begins_solved_is_played_by_leaving_the_goals_and_coming_back(
    text: str, *, can_be_played: bool
) -> None:
    level = Level.from_xsb(text)
    assert cannot_be_played(level.board, level.start) is not can_be_played
    if not can_be_played:
        with pytest.raises(LurdError, match="the level begins solved and cannot be played"):
            verify(level.board, level.start, "")


@pytest.mark.parametrize("seed", range(4))
def test_levels_that_begin_solved_can_be_played_if_an_exhaustive_search_finds_a_solution(seed: int) -> None:
    answers = set()
    for level in random_levels(seed, 400, size=6, boxes=2):
        board, start = level.board, level.start._replace(boxes=level.board.goals)
        if not start.boxes >> start.player & 1:
            expected = fewest_pushes(board, start) is not None
            assert cannot_be_played(board, start) is not expected, level.xsb(start)
            answers.add(expected)
    assert answers == {False, True}
