"""Drive a strategy to its end in the calling thread."""

from collections.abc import Callable

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.solver.protocol import Limits, Outcome, Progress, Strategy


def solve(
    board: Board,
    start: State,
    strategy: Strategy,
    limits: Limits,
    on_progress: Callable[[Progress], None] | None = None,
) -> tuple[Solution | None, Outcome]:
    """The last solution that the search finds (the best one), if any, and how it ended.

    ``on_progress`` is called at each yield of the search, which is often: some hundred times a second.
    """
    found: Solution | None = None
    search = strategy(board, start, limits)
    while True:
        try:
            event = next(search)
        except StopIteration as end:
            outcome: Outcome = end.value
            return found, outcome
        if isinstance(event, Progress):
            if on_progress is not None:
                on_progress(event)
        else:
            found = event.solution
