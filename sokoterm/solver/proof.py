"""Proof that a position cannot be solved, on boards of every kind.

Ordinary boards: search subsets of the boxes.  Colours: the same ignoring colours, then search all boxes with colours.
Ice: search all boxes, since fewer boxes are not easier to solve there.
"""

from functools import partial

from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import Patterns
from sokoterm.engine.deadlock.detector import DeadlockDetector, game_bounds
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import Events
from sokoterm.solver.common.subset_proof import Proof
from sokoterm.solver.search import Found, LimitReached, Limits, Meter, Outcome, Search, Status, Strategy
from sokoterm.solver.strategies.best_first import greedy

# Divisor of the limits for the proof without colours.
_WITHOUT_COLORS = 4


def prover(patterns: Patterns) -> Strategy:
    """Return a strategy that ends UNSOLVABLE on a proof, after adding the deadlock to ``patterns``.

    If the position can be solved it ends SOLVED, without yielding a solution.
    """
    return partial(_search, patterns=patterns)


def _search(board: Board, start: State, limits: Limits, patterns: Patterns) -> Search:
    if not board.ice:
        part, plain = limits, State(start.boxes & board.floor, start.player)
        if board.colors:
            part = limits._replace(seconds=limits.seconds / _WITHOUT_COLORS, nodes=limits.nodes // _WITHOUT_COLORS)
        outcome = yield from _search_subsets(board.ordinary, plain, part, patterns)
        if not board.colors or outcome.status is Status.UNSOLVABLE:
            return outcome
        limits = limits._replace(seconds=limits.seconds - outcome.seconds, nodes=limits.nodes - outcome.nodes)
    search = Events(greedy(board, start, limits))
    for event in search:
        if isinstance(event, Found):
            return Outcome(Status.SOLVED, "proof")
        yield event
    if search.result.status is Status.UNSOLVABLE:
        patterns.add(start.boxes, reachable_area(board, start))
    return search.result if search.result.status is not Status.BEGINS_SOLVED else Outcome(Status.SOLVED, "proof")


def _search_subsets(board: Board, start: State, limits: Limits, patterns: Patterns) -> Search:
    meter = Meter("proof", board, limits, bytes_per_state=300)
    try:
        detector = DeadlockDetector(board, patterns, bounds=game_bounds(board))
        is_dead = yield from Proof(board, detector, meter, counts=True).is_dead(start)
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)
    status = Status.UNSOLVABLE if is_dead else Status.SOLVED
    return Outcome(status, "proof", None, None, meter.nodes, meter.stored, meter.seconds)
