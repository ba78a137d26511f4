"""Drive a strategy to its end in the calling thread."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
    with _no_collector():
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


@contextmanager
def _no_collector() -> Iterator[None]:
    """Keep the collector of cycles away: it would find none, and stop all for long to look at what a search keeps."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
