"""Prunings and pair penalties lose no optimal solution, checked on all states of small boards."""

from collections.abc import Generator, Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoterm.engine.bits import Bitboard, flood, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.level import Level
from sokoterm.engine.steps import finish
from sokoterm.solver.common.lower_bound import Distances, LowerBound, Matchings
from sokoterm.solver.common.prunings import PiCorrals, make_tunnels
from sokoterm.solver.domain import Successors
from sokoterm.solver.search import Meter, Progress, Status
from tests.unit.solver.cases import SEED_CASE, run
from tests.unit.solver.common.test_lower_bound import a_meter, distances_of, pairs_of, places_of
from tests.unit.solver.exhaustive import (
    fewest_pushes,
    pushes_to_solve,
    random_levels,
    reachable,
    status_without_solution,
)

SEEDS = st.integers(0, 1_000_000)
CORRIDOR = Level.from_xsb(
    """
###########
#   ##    #
# $ ##  . #
#@$    .  #
#   ##    #
###########
"""
)


class Solved(NamedTuple):
    """A level with all its states, and the fewest pushes for those with a solution."""

    board: Board
    distances: Distances
    states: list[State]
    pushes: dict[State, int]

    def region(self, state: State) -> Bitboard:
        return flood(1 << state.player, self.board.floor & ~state.boxes, self.board.stride)

    def after(self, box: Bitboard, boxes: Bitboard) -> int | None:
        """Return the fewest pushes left after a box is pushed off the square ``box``; None if there is no solution."""
        return self.pushes.get(State(boxes, box.bit_length() - 1).normalized(self.board))


def solved(level: Level) -> Solved:
    successors = reachable(level.board, level.start)
    pushes = pushes_to_solve(level.board, successors)
    return Solved(level.board, distances_of(level.board), list(successors), pushes)


def small_levels(seed: int) -> Iterator[Solved]:
    for level in random_levels(seed, 4, size=7, boxes=4):
        yield solved(level)


def assert_corrals_lose_nothing(level: Solved, *, adds_boxes: bool) -> int:
    """Check the PI-corrals of all states; return the number of states with one."""
    live = level.distances.live
    corrals = PiCorrals(level.board, live, FreezeCheck(level.board).frozen, adds_boxes=adds_boxes)
    successors = Successors(level.board, live)
    found = 0
    for state in level.states:
        region = level.region(state)
        fence = corrals.fence(state.boxes, region)
        if fence is None:
            continue
        found += 1
        left = [level.after(box, boxes) for _, box, _, _, boxes in successors.pushes_from(state.boxes, region, fence)]
        best = min((1 + each for each in left if each is not None), default=None)
        assert best == level.pushes.get(state), state
    return found


def assert_pairs_are_a_lower_bound(level: Solved) -> int:
    """Check the pair penalties of all states; return the number of states with one."""
    meter = a_meter(level.board)
    pairs = pairs_of(level.distances)
    bound = Matchings(level.distances.to_goals)
    raised = 0
    for state in level.states:
        penalty = pairs.penalty(state.boxes, level.region(state))
        raised += bool(penalty)
        if state in level.pushes:
            matching = finish(bound.match(places_of(level.distances, state), meter))
            assert matching is not None
            assert matching.cost + penalty <= level.pushes[state], state
    return raised


def assert_tunnels_lose_nothing(level: Solved) -> int:
    """Check the tunnels of all states; return the number of pushes in a tunnel."""
    forced = finish(make_tunnels(level.distances, a_meter(level.board)))
    successors = Successors(level.board, level.distances.live)
    found = 0
    for state in level.states:
        for direction, box, _, _, boxes in successors.pushes_from(state.boxes, level.region(state)):
            offset = level.board.offsets[direction]
            landing = shift(box, offset)
            ahead = shift(landing, offset)
            if landing & forced[direction] and not ahead & boxes:
                found += 1
                left = level.after(landing, boxes ^ landing ^ ahead)
                assert level.after(box, boxes) == (None if left is None else left + 1), state
    return found


@given(seed=SEEDS)
@settings(max_examples=40)
def test_pi_corrals_tunnels_and_pairs_lose_no_optimal_solution(seed: int) -> None:
    for level in small_levels(seed):
        for adds_boxes in (False, True):
            assert_corrals_lose_nothing(level, adds_boxes=adds_boxes)
        assert_tunnels_lose_nothing(level)
        assert_pairs_are_a_lower_bound(level)


def test_the_prunings_apply_to_many_states() -> None:
    seed_case, corridor = solved(SEED_CASE), solved(CORRIDOR)
    for adds_boxes in (False, True):
        assert assert_corrals_lose_nothing(seed_case, adds_boxes=adds_boxes) > 500
        assert assert_corrals_lose_nothing(corridor, adds_boxes=adds_boxes) > 10
    assert assert_pairs_are_a_lower_bound(seed_case) > 500
    assert assert_tunnels_lose_nothing(corridor) > 10
    assert assert_pairs_are_a_lower_bound(corridor) > 10


grow = LowerBound.grow


def grown_at_once(bounds: LowerBound, meter: Meter) -> Generator[Progress, None, None]:
    """Build the table of pairs at the first node."""
    if bounds.pairs_at is not None:
        bounds.pairs_at = 0
    yield from grow(bounds, meter)


@given(seed=SEEDS)
@settings(max_examples=10)
def test_the_search_with_all_prunings_from_the_first_node_finds_the_optimum(seed: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(LowerBound, "grow", grown_at_once)
        for level in random_levels(seed, 4, size=8, boxes=4):
            solution, outcome = run("astar", level)
            expected = fewest_pushes(level.board, level.start)
            assert (solution and solution.pushes) == expected, level.xsb()
            assert outcome.status is (status_without_solution(level) if expected is None else Status.SOLVED)


def test_a_linear_conflict_costs_two_pushes() -> None:
    level = Level.from_xsb("########\n#      #\n#      #\n# $$.. #\n# @    #\n#      #\n########")
    all_known = solved(level)
    start = level.start.normalized(level.board)
    pairs = pairs_of(all_known.distances)
    bound = Matchings(all_known.distances.to_goals)
    matching = finish(bound.match(places_of(all_known.distances, start), a_meter(level.board)))
    assert matching is not None
    assert (matching.cost, pairs.penalty(start.boxes, all_known.region(start)), all_known.pushes[start]) == (4, 2, 6)


def test_no_table_of_pairs_is_built_on_a_large_board() -> None:
    rows = ["#" * 24, *["#" + " " * 22 + "#"] * 14, "#" * 24]
    rows[3], rows[5] = "#  @ $ $" + " " * 15 + "#", "#  . .  " + " " * 15 + "#"
    board = Level.from_xsb("\n".join(rows)).board
    assert LowerBound(distances_of(board)).pairs_at is None
    assert LowerBound(distances_of(SEED_CASE.board)).pairs_at is not None
