"""Shortened solutions: never worse, never below the optimum, within the nodes given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, verify
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.optimizer.shorten import shorten
from sokoterm.solver.search import Found, LimitReached, Limits, Meter, Reason
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, SEED_PUSHES, run_through, ticking
from tests.unit.solver.exhaustive import least
from tests.unit.solver.optimizer.known import long_solution, small_levels

NODES = 5_000

HALL = Level.from_xsb("#######\n#@ $ .#\n#     #\n#######")


def meter_of(level: Level, limits: Limits = NO_LIMITS) -> Meter:
    return Meter("shorten", level.board, limits, bytes_per_state=250)


def shortened(level: Level, known: Solution, nodes: int = NODES) -> Solution:
    """Shorten a solution; check that each one yielded is valid and better than the one before."""
    meter = meter_of(level)
    events, best = run_through(shorten(level.board, level.start, known, meter, nodes))
    found = [event.solution for event in events if isinstance(event, Found)]
    costs = [(each.pushes, each.moves) for each in [known, *found]]
    assert costs == sorted(set(costs), reverse=True)
    assert best == [known, *found][-1]
    assert all(verify(level.board, level.start, each.lurd) == each for each in found)
    assert meter.nodes <= nodes
    return best


def test_a_detour_of_a_box_is_removed() -> None:
    detour = verify(HALL.board, HALL.start, "rRdrruLdlluRR")
    assert detour.pushes == 4
    assert shortened(HALL, detour).lurd == "rRR"


def test_two_boxes_swap_goals_if_each_is_nearer_to_the_others() -> None:
    rows = ["##########", *2 * ["#        #"], "# .$ @ $.#", *2 * ["#        #"], "##########"]
    level = Level.from_xsb("\n".join(rows))
    crossed = verify(level.board, level.start, "drrUdllllluRRRRRluurrdLLLLLulD")
    assert crossed.pushes == 12
    assert shortened(level, crossed).pushes == 2


def test_the_fewest_moves_among_fewest_pushes_are_found() -> None:
    level = Level.from_xsb("###########\n#.$ @   $.#\n#         #\n#.$     $.#\n###########")
    to_and_fro = verify(level.board, level.start, "lLrrrrrRdllllldLrrrrrR")
    assert to_and_fro.pushes == 4
    assert Objective.PUSHES.key(shortened(level, to_and_fro)) == least(level, Objective.PUSHES)


def test_a_greedy_solution_is_shortened_to_fewest_pushes() -> None:
    assert shortened(SEED_CASE, long_solution()).pushes == SEED_PUSHES


@given(st.data())
def test_small_levels_with_needless_pushes_get_no_worse_and_never_below_the_optimum(data: st.DataObject) -> None:
    small = data.draw(st.sampled_from(small_levels()))
    known = small.solution(data.draw(st.lists(st.integers(0, 50), max_size=12)))
    best = shortened(small.level, known, data.draw(st.sampled_from((100, 2_000))))
    assert (small.fewest or 0) <= best.pushes <= known.pushes


def test_most_small_levels_get_to_fewest_pushes() -> None:
    at_best = 0
    for index, small in enumerate(small_levels()):
        known = small.solution([index * step for step in range(7)])
        at_best += shortened(small.level, known).pushes == small.fewest
    assert at_best >= 0.9 * len(small_levels())


def test_the_best_solution_is_yielded_at_a_limit() -> None:
    known = long_solution()
    meter = meter_of(SEED_CASE, NO_LIMITS._replace(nodes=400))
    found = []
    steps = shorten(SEED_CASE.board, SEED_CASE.start, known, meter, 10**6)
    with pytest.raises(LimitReached) as end:
        found += [each.solution for each in steps if isinstance(each, Found)]
    assert end.value.reason is Reason.NODES
    assert meter.nodes == 400


def test_the_limit_of_seconds_ends_it() -> None:
    steps = shorten(SEED_CASE.board, SEED_CASE.start, long_solution(), meter_of(SEED_CASE, ticking(500.0)), 10**6)
    with pytest.raises(LimitReached) as end:
        list(steps)
    assert end.value.reason is Reason.TIME
