"""Searches of many levels, one after the other or several at a time in processes of their own."""

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.solver import PROVERS, STRATEGIES
from sokoterm.solver.drive import solve
from sokoterm.solver.protocol import Found, Limits, Outcome, Progress, out_of_memory

_REPORT_SECONDS = 0.25


class Answer(NamedTuple):
    """The end of one search and its best solution, if any."""

    outcome: Outcome
    solution: Solution | None


class Report(NamedTuple):
    """How far the search of one level has come; ``place`` is its index in the sequence given.

    ``solution`` is the best so far.
    """

    place: int
    progress: Progress
    solution: Solution | None


def search_levels(
    levels: Sequence[Level], strategy: str, limits: Limits, jobs: int, report: Callable[[Report], None]
) -> Generator[Answer, None, None]:
    """The answer of the strategy (or prover) of that name for each level, in their order, as soon as it is known.

    Reports come four times a second from each search, and with each solution.  Closing the iterator ends
    the searches under way.
    """
    jobs = min(jobs, len(levels))
    if jobs > 1:
        from sokoterm.verbs.crew import search_in_processes

        yield from search_in_processes(levels, strategy, limits, jobs, report)
    else:
        for place, level in enumerate(levels):
            yield search_level(place, level, strategy, limits, report)


def search_level(place: int, level: Level, strategy: str, limits: Limits, report: Callable[[Report], None]) -> Answer:
    """The answer for one level."""
    latest = Progress(strategy, 0, 0, 0, 0, 0.0)
    best: Solution | None = None
    next_report = _REPORT_SECONDS

    def on_event(event: Progress | Found) -> None:
        nonlocal latest, best, next_report
        if isinstance(event, Found):
            best = event.solution
        else:
            latest = event
            if event.seconds < next_report:
                return
            next_report = event.seconds + _REPORT_SECONDS
        report(Report(place, latest, best))

    chosen = PROVERS[strategy] if strategy in PROVERS else STRATEGIES[strategy]
    try:
        solution, outcome = solve(level.board, level.start, chosen, limits, on_event)
    except MemoryError:
        return Answer(out_of_memory(latest, best is not None), best)
    return Answer(outcome, solution)
