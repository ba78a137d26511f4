"""The search of one level: what is asked for, what comes back, and how far it has come meanwhile."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from sokoterm.commands.support.progress_display import StatusLine
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.solver.job import solve
from sokoterm.solver.protocol import Found, Limits, Outcome, Progress, Strategy, out_of_memory

_REPORT_SECONDS = 0.25
_Item = TypeVar("_Item")


class Request(NamedTuple):
    """What to do with each level: by which strategy to search, and when to give up.

    ``search`` can be pickled, as functions of modules can: it goes to another process.
    """

    name: str
    search: Strategy
    limits: Limits

    def not_begun(self) -> Progress:
        """What a search has done before its first word."""
        return Progress(self.name, 0, 0, 0, 0, 0.0)


class Answer(NamedTuple):
    """The end of one search and its best solution, if any; ``peak``: the bytes its process took at most, 0: unknown."""

    outcome: Outcome
    solution: Solution | None
    peak: int = 0


class Report(NamedTuple):
    """How far the search of one level has come; ``place`` is its index in the sequence given.

    ``solution`` is the best so far.
    """

    place: int
    progress: Progress
    solution: Solution | None


def search_level(place: int, level: Level, request: Request, report: Callable[[Report], None]) -> Answer:
    """The answer for one level, in this process; reports come four times a second, and with each solution."""
    latest = request.not_begun()
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

    try:
        solution, outcome = solve(level.board, level.start, request.search, request.limits, on_event)
    except MemoryError:
        return Answer(out_of_memory(latest, best is not None), best)
    return Answer(outcome, solution)


def in_order(finished: Iterable[tuple[int, _Item]]) -> Iterator[_Item]:
    """What comes with its place in any order, by its place, each as soon as all before it are there.

    >>> list(in_order([(1, "b"), (0, "a"), (2, "c")]))
    ['a', 'b', 'c']
    """
    waiting: dict[int, _Item] = {}
    place = 0
    for each, item in finished:
        waiting[each] = item
        while place in waiting:
            yield waiting.pop(place)
            place += 1


class SearchLine(StatusLine):
    """Which level is searched, and what the search has seen so far."""

    def __init__(self, numbers: Sequence[int]) -> None:
        """``numbers`` are those of the levels that are searched, in their order."""
        super().__init__()
        self._numbers = numbers

    def show(self, report: Report) -> None:
        """Show how far the search of a level has come."""
        search = report.progress
        pushes = f"depth {search.depth}  bound {search.lower_bound}  " if search.depth else ""
        self.write(
            f"level {self._numbers[report.place]} ({report.place + 1} of {len(self._numbers)})  {search.strategy}  "
            f"nodes {search.nodes:,}  stored {search.stored:,}  {pushes}{search.seconds:.1f} s"
        )
