"""Evaluation of positions: each term counts what its name says, and any weights leave the beam sound."""

from functools import cache

import pytest

from sokoterm.engine.bits import flood
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import end_of
from sokoterm.engine.steps import finish
from sokoterm.solver.common.lower_bound import make_distances
from sokoterm.solver.domain import Successors
from sokoterm.solver.search import Meter
from sokoterm.solver.strategies.beam import Cut, Evaluation, Weights, make_evaluation
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, run
from tests.unit.solver.exhaustive import random_levels
from tests.unit.solver.strategies.test_beam import sound

# The box in the doorway cuts off twelve squares and keeps the other two from the goals; the one in the corner is stuck.
ROOMS = Level.from_xsb(
    """
#########
#   #   #
# @ $ . #
#   #   #
#$$ # ..#
#   #####
#########
"""
)
NOTHING = Weights(distance=0.0)
BOUND = 7


@cache
def evaluation_of(level: Level, weights: Weights) -> Evaluation:
    board, meter = level.board, Meter("test", level.board, NO_LIMITS, 100)
    successors = Successors(board, finish(make_distances(board, meter)).live)
    return finish(make_evaluation(board, level.start, weights, successors, meter))


def value(level: Level, state: State, weights: Weights) -> float:
    """The value of a position with a bound of BOUND, less the part that breaks ties."""
    board, evaluation = level.board, evaluation_of(level, weights)
    region = flood(1 << state.player, board.floor & ~state.boxes, board.stride)
    off = (state.boxes & ~board.goals).bit_count()
    return evaluation(BOUND, state.boxes, region) - off / (level.boxes + 1)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (NOTHING, 0),
        (Weights(), BOUND),
        (NOTHING._replace(distance=0.5), BOUND / 2),
        (NOTHING._replace(home=1.0), 3),
        (NOTHING._replace(home=-2.0), -6),
        (NOTHING._replace(regions=1.0), 1),
        (NOTHING._replace(enclosed=1.0), 12),
        (NOTHING._replace(mobility=1.0), 1),
        (NOTHING._replace(hotspots=1.0), 1),
        (Weights(home=1.0, enclosed=0.25), BOUND + 3 + 3),
    ],
    ids=str,
)
def test_a_weight_counts_what_its_name_says(weights: Weights, expected: float) -> None:
    assert value(ROOMS, ROOMS.start, weights) == pytest.approx(expected)


@pytest.mark.parametrize("name", [name for name in Weights._fields if name != "distance"])
def test_nothing_is_left_to_count_when_all_boxes_are_home(name: str) -> None:
    solution, _ = run("astar", SEED_CASE)
    assert solution is not None
    end = end_of(SEED_CASE.board, SEED_CASE.start, solution.lurd)
    assert value(SEED_CASE, end, NOTHING._replace(**{name: 1.0})) == pytest.approx(0) or name in ("regions", "enclosed")


def test_the_steps_of_the_plan_are_counted_down() -> None:
    weights = NOTHING._replace(packed=1.0)
    solution, _ = run("astar", SEED_CASE)
    assert solution is not None
    ends = [end_of(SEED_CASE.board, SEED_CASE.start, solution.lurd[:moves]) for moves in range(solution.moves + 1)]
    left = [round(value(SEED_CASE, each, weights)) for each in ends]
    assert left[0] > 0
    assert left[-1] == 0
    assert min(left) == 0


def test_the_names_of_the_weights_that_are_set() -> None:
    assert str(Weights()) == ""
    assert str(Weights(distance=0.5, out_of_plan=3.0)) == "distance=0.5,out_of_plan=3"


@pytest.mark.parametrize(
    "weights",
    [
        Weights(0.0),
        Weights(-1.0, home=5.0),
        Weights(regions=3.0, enclosed=0.1, mobility=2.0),
        Weights(hotspots=4.0, packed=10.0, out_of_plan=10.0),
    ],
    ids=str,
)
def test_any_weights_leave_the_beam_sound(weights: Weights) -> None:
    for level in random_levels(31, 30):
        sound(level, Cut(7, weights=weights))
