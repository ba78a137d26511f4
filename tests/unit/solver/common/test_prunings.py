"""Prunings, pair penalties and unreachable subsets lose no solution, checked on all states of small boards."""

from collections.abc import Generator, Iterator
from functools import partial, reduce
from operator import or_
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoterm.engine.bits import DIRECTIONS, Bitboard, bitboard_of, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.level import Level
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.solver.common.lower_bound import Distances, LowerBound, Matchings
from sokoterm.solver.common.prunings import (
    PiCorrals,
    UnreachableSubsets,
    make_tunnels,
    unable_to_reach_goals,
    unreachable_from_start,
)
from sokoterm.solver.domain import Successors
from sokoterm.solver.search import Meter, Progress, solve
from sokoterm.solver.strategies import backward
from sokoterm.solver.strategies.best_first import astar, greedy
from tests.present import present
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, meter_of
from tests.unit.solver.common.test_lower_bound import distances_of, pairs_of, places_of
from tests.unit.solver.exhaustive import check_answer, fewest_pushes, pushes_to_solve, random_levels, reachable

SEEDS = st.integers(0, 1_000_000)
CORRIDOR = Level.from_xsb("###########\n#   ##    #\n# $ ##  . #\n#@$    .  #\n#   ##    #\n###########")


class Solved(NamedTuple):
    """A level with all its states, and the fewest pushes for those with a solution."""

    board: Board
    distances: Distances
    states: list[State]
    pushes: dict[State, int]

    def region(self, state: State) -> Bitboard:
        return reachable_area(self.board, state)

    def after(self, box: Bitboard, boxes: Bitboard) -> int | None:
        """Return the fewest pushes left after a box is pushed off the square ``box``; None if there is no solution."""
        return self.pushes.get(State(boxes, box.bit_length() - 1).normalized(self.board))


def solved(level: Level) -> Solved:
    successors = reachable(level.board, level.start)
    pushes = pushes_to_solve(level.board, successors)
    return Solved(level.board, distances_of(level.board), list(successors), pushes)


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
    meter = meter_of(level.board)
    pairs = pairs_of(level.distances)
    bound = Matchings(level.distances.to_goals)
    raised = 0
    for state in level.states:
        penalty = pairs.penalty(state.boxes, level.region(state))
        raised += bool(penalty)
        if state in level.pushes:
            matching = present(finish(bound.match(places_of(level.distances, state), meter)))
            assert matching.cost + penalty <= level.pushes[state], state
    return raised


def assert_tunnels_lose_nothing(level: Solved) -> int:
    """Check the tunnels of all states; return the number of pushes in a tunnel."""
    forced = finish(make_tunnels(level.distances, meter_of(level.board)))
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
@settings(max_examples=20)
def test_pi_corrals_tunnels_and_pairs_lose_no_optimal_solution(seed: int) -> None:
    for level in map(solved, random_levels(seed, 4, size=7, boxes=4)):
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


def test_no_table_of_pairs_is_built_on_a_large_board() -> None:
    rows = ["#" * 24, *["#" + " " * 22 + "#"] * 14, "#" * 24]
    rows[3], rows[5] = "#  @ $ $" + " " * 15 + "#", "#  . .  " + " " * 15 + "#"
    board = Level.from_xsb("\n".join(rows)).board
    assert LowerBound(distances_of(board)).pairs_at is None
    assert LowerBound(distances_of(SEED_CASE.board)).pairs_at is not None


# Unreachable pairs and triples


class Tables(NamedTuple):
    """The tables of a level from either end."""

    board: Board
    to_start: UnreachableSubsets
    to_goals: UnreachableSubsets

    def by_start(self, state: State) -> bool:
        return self._excludes(self.to_start, state)

    def by_goals(self, state: State) -> bool:
        return self._excludes(self.to_goals, state)

    def _excludes(self, unreachable: UnreachableSubsets, state: State) -> bool:
        """Return whether the tables exclude a position, by any box that the player could have moved last."""
        region = reachable_area(self.board, state)
        return any(
            unreachable.are_among(state.boxes, box, side)
            for box in scan(state.boxes)
            for side in DIRECTIONS
            if region >> box + self.board.offsets[side] & 1
        )


def tables(level: Level) -> Tables:
    board, lone = level.board, LoneBox(level.board)
    landings = bitboard_of(square for box in scan(level.start.boxes) for square in lone.pushes_from(box))
    live: Bitboard = reduce(or_, distances_of(board).live, board.goals)
    meter = meter_of(board)
    to_start = finish(unreachable_from_start(board, level.start, landings, meter))
    return Tables(board, to_start, finish(unable_to_reach_goals(board, live, meter)))


def count_excluded(level: Level) -> tuple[int, int]:
    """Count the positions excluded from the goals' side and from the start's side; assert that no other is."""
    found = tables(level)
    reached = reachable(level.board, level.start)
    pushes = pushes_to_solve(level.board, reached)
    lost = sum(found.by_goals(state) for state in reached)
    assert not any(found.by_start(state) for state in reached), level.xsb()
    assert not any(found.by_goals(state) for state in pushes), level.xsb()
    strange = 0
    for state in other_positions(level.board, level.start):
        if found.by_start(state):
            assert state not in reached, level.xsb(state)
            strange += 1
    return lost, strange


def other_positions(board: Board, start: State) -> Iterator[State]:
    """Yield the positions reachable from the boxes of the start with the player in any other region."""
    for square in scan(board.floor & ~start.boxes & ~reachable_area(board, start)):
        yield from reachable(board, State(start.boxes, square))


@given(seed=st.integers(0, 1_000_000))
@settings(max_examples=15)
def test_no_position_on_a_solution_is_excluded(seed: int) -> None:
    for level in random_levels(seed, 4, size=7, boxes=4):
        count_excluded(level)


def test_many_positions_on_no_solution_are_excluded() -> None:
    lost = strange = 0
    for level in random_levels(3, 60, size=7, boxes=4):
        more = count_excluded(level)
        lost, strange = lost + more[0], strange + more[1]
    assert lost > 200
    assert strange > 20


@given(seed=SEEDS)
@settings(max_examples=8)
def test_searches_with_all_prunings_from_the_first_node_find_the_optimum(seed: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(LowerBound, "grow", grown_at_once)
        for level in random_levels(seed, 4, size=8, boxes=4):
            expected = fewest_pushes(level.board, level.start)
            for strategy in (astar, partial(astar, subsets_at=0), partial(greedy, subsets_at=0), backward.search):
                solution, outcome = solve(level.board, level.start, strategy, NO_LIMITS)
                check_answer(level, solution, outcome, expected)
                assert solution is None or outcome.strategy != "astar" or outcome.optimal == "pushes"


def test_the_tables_shorten_a_search() -> None:
    with_tables, without = (
        solve(SEED_CASE.board, SEED_CASE.start, partial(astar, subsets_at=nodes), NO_LIMITS)[1].nodes
        for nodes in (0, None)
    )
    assert with_tables < without
