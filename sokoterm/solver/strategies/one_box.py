"""Levels with one box, solved by the push planner: fewest pushes, fewest moves, or proof that there is no solution.

A node is a place of the box with the player beside it; every node examined is stored.
"""

from collections.abc import Generator
from contextlib import suppress
from typing import TypeVar

from sokoterm.engine.bits import lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import MOST_STEPS, letter, verify
from sokoterm.engine.planner.box_reach import BoxReach, Fewest
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import is_solved, legal_pushes, push
from sokoterm.solver.search import Found, LimitReached, Limits, Meter, Progress, Reason, Search

_Result = TypeVar("_Result")


def can_solve(board: Board, start: State) -> bool:
    """True for an ordinary board with just one box."""
    return board.is_ordinary and start.boxes.bit_count() == 1


def search(board: Board, start: State, limits: Limits) -> Search:
    """Find the solution with fewest pushes (at least one), then fewest moves, or prove that there is none."""
    return _search(board, start, limits, Fewest.PUSHES)


def search_moves(board: Board, start: State, limits: Limits) -> Search:
    """Find the solution with fewest moves (at least one push), then fewest pushes, or prove that there is none."""
    return _search(board, start, limits, Fewest.MOVES)


def _search(board: Board, start: State, limits: Limits, fewest: Fewest) -> Search:
    meter = Meter("one box", board, limits, bytes_per_state=0)
    try:
        lurd = yield from _best(board, start, limits, fewest, meter)
        if lurd is None:
            return meter.unsolvable(start)
        if len(lurd) > MOST_STEPS:  # no replay takes them
            raise LimitReached(Reason.SIZE)
        solution = verify(board, start, lurd)
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)
    meter.best = meter.depth = meter.lower_bound = solution.pushes
    with suppress(MemoryError):  # the proof holds all the same
        yield Found(solution)
    return meter.solved(proven=True)._replace(optimal=str(fewest))


def _best(
    board: Board, start: State, limits: Limits, fewest: Fewest, meter: Meter
) -> Generator[Progress | Found, None, str | None]:
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
    """Return the start or, if it is solved already and a push is still required, the states after each first push."""
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
    """Run the planner, metering its counts, and return its result; raise LimitReached at a limit."""
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
