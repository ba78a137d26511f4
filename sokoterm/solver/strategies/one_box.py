"""A level of one box, which the push planner answers: a way with fewest pushes, or fewest moves, or that none is.

A node is a place of the box and the player beside it; all that are looked at are stored.
"""

from collections.abc import Generator
from contextlib import suppress
from typing import TypeVar

from sokoterm.engine.bits import Direction, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, direction_of, letter, measure, play
from sokoterm.engine.planner.box_reach import BoxReach, Fewest
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import is_solved, legal_pushes, push
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Found, Limits, Progress, Reason, Search

_Result = TypeVar("_Result")

# Moves replayed between two yields.
_MOVES = 1024


def can_solve(start: State) -> bool:
    """Whether a state has one box only."""
    return start.boxes.bit_count() == 1


def search(board: Board, start: State, limits: Limits) -> Search:
    """The solution with the fewest pushes (at least one), of these one with the fewest moves; or the proof of none."""
    return _search(board, start, limits, Fewest.PUSHES)


def search_moves(board: Board, start: State, limits: Limits) -> Search:
    """The solution with the fewest moves (at least one push), of these one with the fewest pushes."""
    return _search(board, start, limits, Fewest.MOVES)


def _search(board: Board, start: State, limits: Limits, fewest: Fewest) -> Search:
    meter = Meter("one box", board, limits, bytes_per_state=0)
    try:
        lurd = yield from _best(board, start, limits, fewest, meter)
        if lurd is None:
            return meter.unsolvable()
        solution = yield from _metered(_replayed(board, start, lurd), limits, meter)
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)
    meter.best = meter.depth = meter.lower_bound = solution.pushes
    with suppress(MemoryError):  # what is proven stays proven
        yield Found(solution)
    return meter.solved(proven=True)._replace(optimal=str(fewest))


def _best(
    board: Board, start: State, limits: Limits, fewest: Fewest, meter: Meter
) -> Generator[Progress | Found, None, str | None]:
    """The moves of the best solution, or None."""
    yield meter.progress()
    goal = lowest(board.goals)
    best: tuple[int, int, str] | None = None
    for before, state in _beginnings(board, start):
        reach = BoxReach(board, state, lowest(state.boxes), at_once=False)
        yield from _metered(reach.explore(), limits, meter)
        if goal in reach.pushes:
            plan = yield from _metered(reach.plan_in_steps(goal, fewest), limits, meter)
            moves = len(before) + plan.moves
            costs = (plan.pushes, moves) if fewest is Fewest.PUSHES else (moves, plan.pushes)
            best = min(best or (*costs, before + plan.lurd), (*costs, before + plan.lurd))
    return best[2] if best else None


def _beginnings(board: Board, start: State) -> list[tuple[str, State]]:
    """The start; or, where it is solved and a push must be made all the same, what each first push leads to."""
    if not is_solved(board, start):
        return [("", start)]
    beginnings = []
    for each in legal_pushes(board, start):
        walk, after = find_walk(board, start, each.box - board.offsets[each.direction]), push(board, start, each)
        assert walk is not None
        assert after is not None
        beginnings.append(("".join([letter(step, False) for step in walk]) + letter(each.direction, True), after))
    return beginnings


def _metered(
    steps: Generator[int, None, _Result], limits: Limits, meter: Meter
) -> Generator[Progress | Found, None, _Result]:
    """What the planner finds, with its counts metered; raises LimitReached."""
    while True:
        try:
            meter.nodes += next(steps)
        except StopIteration as end:
            result: _Result = end.value
            return result
        meter.stored = meter.nodes
        if meter.nodes > limits.nodes:
            raise LimitReached(Reason.NODES)
        if meter.stored > limits.states:
            raise LimitReached(Reason.STATES)
        yield meter.progress()


def _replayed(board: Board, start: State, lurd: str) -> Generator[int, None, Solution]:
    """The solution, replayed by the rules; the error it would raise is a mistake of the planner."""
    state = start
    steps: list[Direction] = [direction_of(each) for each in lurd]
    for number, (state, played) in enumerate(play(board, start, steps)):
        if played != lurd[number]:
            raise AssertionError(f"step {number + 1} of a plan is no {lurd[number]}")
        if number % _MOVES == 0:
            yield 0
    if not is_solved(board, state):
        raise AssertionError("a plan does not solve the level")
    return measure(lurd)
