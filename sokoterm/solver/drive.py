"""Drive a strategy to its end in the calling thread."""

from collections.abc import Callable

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.solver.protocol import Found, Limits, Outcome, Progress, Strategy


def solve(
    board: Board,
    start: State,
    strategy: Strategy,
    limits: Limits,
    on_event: Callable[[Progress | Found], None] | None = None,
) -> tuple[Solution | None, Outcome]:
    """The last solution that the search finds (the best one), if any, and how it ended.

    ``on_event`` is called with all that the search yields, which is often: some hundred times a second.
    """
    found: Solution | None = None
    search = strategy(board, start, limits)
    while True:
        try:
            event = next(search)
        except StopIteration as end:
            outcome: Outcome = end.value
            return found, outcome
        if isinstance(event, Found):
            found = event.solution
        if on_event is not None:
            on_event(event)
