"""Running a strategy to its end in the calling thread."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.solver.protocol import Found, Limits, Outcome, Progress, Strategy, within_memory


def solve(
    board: Board,
    start: State,
    strategy: Strategy,
    limits: Limits,
    on_event: Callable[[Progress | Found], None] | None = None,
) -> tuple[Solution | None, Outcome]:
    """Run a strategy to its end; return its last and best solution, if any, and its outcome.

    ``on_event`` is called with everything the search yields, some hundred times a second.
    """
    found: Solution | None = None
    search = within_memory(strategy(board, start, limits))
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
    """Disable the cycle collector: a search makes no cycles, and traversing its tables would cause long pauses."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
