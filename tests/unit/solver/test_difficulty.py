"""Difficulty: the same for all copies of a level, growing with each figure, and cheap; the bound on box lines."""

from itertools import count

import pytest

from sokoterm.engine.bits import SYMMETRIES, flood, squares_of
from sokoterm.engine.level import Level
from sokoterm.engine.rules import is_solved
from sokoterm.engine.steps import finish
from sokoterm.solver.common.lower_bound import make_distances
from sokoterm.solver.difficulty import Rating, figures_in_time, figures_of, least_lines
from sokoterm.solver.figures import DifficultyFigures, difficulty, explained, in_short, in_words
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.search import Status
from sokoterm.store.packs import bundled_packs, open_pack
from tests.unit.commands.command import STUCK, TWO_PUSHES
from tests.unit.solver.cases import SEED_CASE, SEED_PUSHES, meter_of, run
from tests.unit.solver.exhaustive import least, random_levels

ONE_PUSH = Level.from_xsb("#####\n#@$.#\n#####")

# Not solved by any short search.
CROWDED = Level.from_xsb(
    """
############
##  $ . # ##
#    $$    #
#  #. $#$ ##
#    $  .$ #
##   $# # ##
#  ... #  ##
#   #. $.. #
#    #@ $. #
############
"""
)


def test_a_level_that_takes_too_long_is_not_rated() -> None:
    figures = figures_in_time(CROWDED, count().__next__)  # a second passes at each look at the clock
    assert figures is None
    assert (in_words(figures), in_short(figures), explained(figures)) == ("not rated within 10 s", "?", [])


def test_a_level_of_one_push_has_difficulty_0() -> None:
    figures = figures_of(ONE_PUSH)
    assert figures == DifficultyFigures(Status.SOLVED, 1, 3, 1, 1, 1, 1, 1, 1, 1, 0)
    assert (difficulty(figures), in_words(figures)) == (0, "0 (for beginners)")


def test_the_figures_are_those_of_a_solution_with_the_fewest_pushes() -> None:
    figures = figures_of(SEED_CASE)
    assert (figures.status, figures.boxes, figures.pushes) == (Status.SOLVED, 4, SEED_PUSHES)
    assert figures.gap == figures.pushes - figures.lower_bound >= 0
    assert figures.box_lines >= figures.box_changes >= figures.boxes
    assert 0 < figures.lost < figures.tried


def test_the_number_of_an_unsolved_level_is_a_lower_bound() -> None:
    figures = figures_of(CROWDED)
    assert figures.status is Status.GAVE_UP
    assert figures.nodes > 10_000
    assert figures.pushes >= figures.lower_bound > figures.box_lines > figures.boxes
    assert in_words(figures) == f"at least {difficulty(figures)} (fiendish)"
    solved = figures._replace(status=Status.SOLVED, box_lines=40, box_changes=30, pushing_sessions=35, pushes=60)
    assert difficulty(figures) < difficulty(solved)


def test_a_level_without_a_solution_says_so() -> None:
    figures = figures_of(Level.from_xsb(STUCK))
    assert figures.status is Status.UNSOLVABLE
    assert in_words(figures) == "no solution"


def test_a_level_that_is_dead_at_sight_says_so_on_a_board_too_large_for_tables() -> None:
    side = 180
    wall, pairs = "#" * side, "#" + " $." * 59 + "#".rjust(side - 178)
    rows = ["#$@" + " " * (side - 5) + ".#", *["#" + " " * (side - 2) + "#", pairs] * 85]
    figures = figures_of(Level.from_xsb("\n".join([wall, *rows, wall])))
    assert figures.status is Status.UNSOLVABLE


@pytest.mark.parametrize("level", [SEED_CASE, *random_levels(5, 6, boxes=2)])
def test_turned_and_mirrored_copies_have_the_same_figures(level: Level) -> None:
    width = max(map(len, level.rows))
    figures = figures_of(level)
    for symmetry in SYMMETRIES:
        turned = Level.from_xsb("\n".join(symmetry.rows([row.ljust(width) for row in level.rows])))
        assert figures_of(turned) == figures
    area = flood(1 << level.start.player, level.board.floor & ~level.start.boxes, level.board.stride)
    for player in squares_of(area)[:5]:
        assert figures_of(level.replace(start=level.start._replace(player=player))) == figures


@pytest.mark.parametrize("name", ["boxes", "nodes", "pushes", "box_lines", "box_changes", "pushing_sessions", "lost"])
def test_the_number_grows_with_each_figure(name: str) -> None:
    figures = DifficultyFigures(Status.SOLVED, 4, 40, 20, 300, 24, 15, 10, 14, 50, 5)
    place = DifficultyFigures._fields.index(name)
    value = int(figures[place])
    grown = [(*figures[:place], each, *figures[place + 1 :]) for each in range(value, 10 * value)]
    numbers = [difficulty(DifficultyFigures._make(each)) for each in grown]
    assert numbers == sorted(numbers)
    assert numbers[0] < numbers[-1]


def test_the_shipped_levels_have_their_stored_numbers() -> None:
    """A change here changes every number that players know, and requires a new ``FIGURES_VERSION``."""
    levels = open_pack(bundled_packs()[0]).levels
    assert [difficulty(figures_of(level)) for level in levels] == [
        0, 4, 12, 14, 9, 16, 9, 24, 20, 27, 21, 28, 23, 31, 36, 38, 34, 32, 41, 48, 51, 41, 40, 44, 43, 36, 39, 75, 75,
        62, 73, 78,
    ]  # fmt: skip


def test_a_rating_yields_often_and_can_be_closed() -> None:
    rated = Rating(CROWDED)
    search = rated.search(1.0, lambda: 0.0)
    for _ in range(5):
        next(search)
    search.close()
    assert rated.figures is None


def _least(level: Level) -> int:
    meter = meter_of(level.board)
    return finish(least_lines(finish(make_distances(level.board, meter)), level.start, meter))


def test_the_bound_of_a_lone_box() -> None:
    assert _least(ONE_PUSH) == _least(Level.from_xsb(TWO_PUSHES)) == 1
    checked = 0
    for level in random_levels(11, 60, boxes=1):
        fewest = None if is_solved(level.board, level.start) else least(level, Objective.LINES)
        assert _least(level) == (fewest or (0,))[0]
        checked += fewest is not None
    assert checked > 10


def test_no_solution_has_fewer() -> None:
    for level in (SEED_CASE, *random_levels(12, 60, boxes=3)):
        solution, _ = run("astar", level)
        if solution is not None:
            assert _least(level) <= solution.box_lines
