"""Unreachable pairs and triples, against all positions of small boards and the known solutions."""

from collections.abc import Iterator
from functools import partial, reduce
from operator import or_
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from sokoterm.engine.bits import DIRECTIONS, Bitboard, bitboard_of, flood, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.steps import finish
from sokoterm.solver.common.prunings import UnreachableSubsets, unable_to_reach_goals, unreachable_from_start
from sokoterm.solver.search import Status, solve
from sokoterm.solver.strategies import backward
from sokoterm.solver.strategies.best_first import astar, greedy
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE
from tests.unit.solver.common.test_lower_bound import a_meter, distances_of
from tests.unit.solver.exhaustive import (
    fewest_pushes,
    pushes_to_solve,
    random_levels,
    reachable,
    status_without_solution,
)


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
        region = flood(1 << state.player, self.board.floor & ~state.boxes, self.board.stride)
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
    meter = a_meter(board)
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
    region = flood(1 << start.player, board.floor & ~start.boxes, board.stride)
    for square in scan(board.floor & ~start.boxes & ~region):
        yield from reachable(board, State(start.boxes, square))


@given(seed=st.integers(0, 1_000_000))
@settings(max_examples=25)
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


def test_two_boxes_that_freeze_each_other_at_a_wall_are_excluded() -> None:
    two = Level.from_xsb("########\n#     .#\n# $$@ .#\n#      #\n########")
    found = tables(two)
    side_by_side = State(1 << two.board.square(1, 2) | 1 << two.board.square(1, 3), two.board.square(2, 2))
    apart = State(1 << two.board.square(2, 2) | 1 << two.board.square(2, 4), two.board.square(2, 3))
    assert found.by_goals(side_by_side)
    assert not found.by_goals(apart)


@given(seed=st.integers(0, 1_000_000))
@settings(max_examples=12)
def test_a_search_with_tables_from_the_first_node_finds_the_optimum(seed: int) -> None:
    for level in random_levels(seed, 4, size=8, boxes=4):
        expected = fewest_pushes(level.board, level.start)
        for strategy in (partial(astar, subsets_at=0), partial(greedy, subsets_at=0), backward.search):
            solution, outcome = solve(level.board, level.start, strategy, NO_LIMITS)
            assert outcome.status is (status_without_solution(level) if expected is None else Status.SOLVED)
            assert (solution is None) == (expected is None)
            if outcome.strategy == "astar" and solution is not None:
                assert solution.pushes == expected, level.xsb()


def test_the_tables_shorten_a_search() -> None:
    with_tables, without = (
        solve(SEED_CASE.board, SEED_CASE.start, partial(astar, subsets_at=nodes), NO_LIMITS)[1].nodes
        for nodes in (0, None)
    )
    assert with_tables < without
