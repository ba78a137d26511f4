"""Difficulty: the same for all copies of a level, growing with each figure, and cheap."""

from itertools import count, pairwise
from typing import Any

import pytest

from sokoterm.engine.bits import SYMMETRIES, flood, squares_of
from sokoterm.engine.level import Level
from sokoterm.solver.common.lower_bound import LowerBound, QueueEntry
from sokoterm.solver.difficulty import Rating, figures_in_time, figures_of
from sokoterm.solver.figures import DifficultyFigures, difficulty, explained, in_short, in_words, who_give_up
from sokoterm.solver.search import Status
from sokoterm.store.packs import bundled_packs, open_pack
from tests.unit.commands.command import STUCK
from tests.unit.solver.cases import SEED_CASE, SEED_PUSHES
from tests.unit.solver.exhaustive import random_levels

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


def test_a_level_of_one_push_takes_no_luck() -> None:
    figures = figures_of(ONE_PUSH)
    assert figures == DifficultyFigures(Status.SOLVED, 1, 3, 1, 1, 1, 2, 0)
    assert (difficulty(figures), in_words(figures)) == (5, "5 (for beginners, 1 in 10 gives up)")


def test_either_order_is_a_way_and_each_other_push_takes_luck() -> None:
    figures = figures_of(Level.from_xsb("#######\n#.$@$.#\n#######"))
    assert (figures.pushes, figures.ways, figures.luck) == (2, 4, 0)
    figures = figures_of(Level.from_xsb("#######\n#     #\n#     #\n# @$. #\n#     #\n#     #\n#######"))
    assert (figures.pushes, figures.ways, figures.luck) == (1, 2, 2)


def test_hardly_anybody_gives_up_at_0_and_most_at_120() -> None:
    told = [who_give_up(number) for number in range(121)]
    assert list(dict.fromkeys(told)) == [
        "1 in 10 gives up", "1 in 6 gives up", "1 in 5 gives up", "1 in 4 gives up", "1 in 3 gives up",
        "1 in 2 gives up", "2 in 3 give up", "3 in 4 give up",
    ]  # fmt: skip


def test_the_figures_are_those_of_a_solution_with_the_fewest_pushes() -> None:
    figures = figures_of(SEED_CASE)
    assert (figures.status, figures.boxes, figures.pushes) == (Status.SOLVED, 4, SEED_PUSHES)
    assert figures.gap == figures.pushes - figures.lower_bound >= 0
    assert figures.ways > figures.pushes < figures.luck


def test_the_number_of_an_unsolved_level_is_a_lower_bound() -> None:
    figures = figures_of(CROWDED)
    assert figures.status is Status.GAVE_UP
    assert figures.nodes > 10_000
    assert figures.pushes >= figures.lower_bound > figures.boxes
    assert in_words(figures) == f"at least {difficulty(figures)} (fiendish, 2 in 3 give up)"


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


@pytest.mark.parametrize("name", ["nodes", "luck"])
def test_the_number_grows_with_each_figure(name: str) -> None:
    figures = DifficultyFigures(Status.SOLVED, 4, 40, 20, 300, 24, 40, 30)
    value = int(figures[DifficultyFigures._fields.index(name)])
    numbers = [difficulty(DifficultyFigures(**{**figures._asdict(), name: each})) for each in range(value, 10 * value)]
    assert numbers == sorted(numbers)
    assert numbers[0] < numbers[-1]


def test_the_shipped_levels_have_their_stored_numbers() -> None:
    """A change here changes every number that players know, and requires a new ``FIGURES_VERSION``."""
    levels = open_pack(bundled_packs()[0]).levels
    assert [difficulty(figures_of(level)) for level in levels] == [
        0, 23, 23, 26, 23, 23, 22, 37, 22, 30, 27, 23, 30, 38, 41, 41, 23, 29, 35, 43, 53, 19, 23, 41, 29, 18,
        17, 77, 62, 44, 72, 59,
    ]  # fmt: skip


def test_a_rating_yields_often_and_can_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    looked, entry = count(), LowerBound.entry

    def counted(*given: Any) -> QueueEntry | None:
        next(looked)
        return entry(*given)

    monkeypatch.setattr(LowerBound, "entry", counted)
    between = [next(looked) for _ in Rating(CROWDED).search(1.0, lambda: 0.0)]
    assert between[-1] > 1_000
    assert max(after - before for before, after in pairwise(between)) <= 70
    rated = Rating(CROWDED)
    search = rated.search(1.0, lambda: 0.0)
    for _ in range(5):
        next(search)
    search.close()
    assert rated.figures is None
