"""Strategy that only tries to prove a position unsolvable, by subsets of its boxes (``solver.common.subset_proof``)."""

from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import DeadlockDetector, game_bounds
from sokoterm.engine.deadlock.patterns import Patterns
from sokoterm.solver.common.subset_proof import Proof
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Limits, Outcome, Search, Status, Strategy


def prover(patterns: Patterns) -> Strategy:
    """Return a strategy that ends UNSOLVABLE on a proof, with the deadlock added to ``patterns``.

    It ends SOLVED, without yielding a solution, if the position can be solved.
    """

    def search(board: Board, start: State, limits: Limits) -> Search:
        meter = Meter("proof", board, limits, bytes_per_state=300)
        try:
            detector = DeadlockDetector(board, patterns, bounds=game_bounds(board))
            is_dead = yield from Proof(board, detector, meter, counts=True).is_dead(start)
        except (LimitReached, MemoryError) as end:
            return meter.stopped(end)
        status = Status.UNSOLVABLE if is_dead else Status.SOLVED
        return Outcome(status, "proof", None, None, meter.nodes, meter.stored, meter.seconds)

    return search
