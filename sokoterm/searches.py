"""Searches for programs, blocking or with their news while they run; and generated levels."""

from collections.abc import Callable, Generator, Iterable
from functools import partial
from inspect import signature
from threading import Lock
from time import monotonic
from typing import Generic, NamedTuple, ParamSpec, Self, TypeVar, get_args

import sokoterm.engine.lurd as lurds
import sokoterm.solver.search as search
from sokoterm.engine.board import Board, State
from sokoterm.engine.steps import Events, uncollected
from sokoterm.engine.value import UsageError
from sokoterm.formats.limits import DEFAULT_LIMITS
from sokoterm.generator.make import MOST_NODES, VARIANTS, PackRequest, band_of, levels_of
from sokoterm.library import Pack
from sokoterm.position import Level, Position, Solution, text_of
from sokoterm.process import lane_command
from sokoterm.solver.common.state_space import within_limits
from sokoterm.solver.lanes import MOST_CORES
from sokoterm.solver.lanes import search as search_on_cores
from sokoterm.solver.optimizer.driver import optimize as improve
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Cores, Limits, MemoryGrowth, Outcome, Progress
from sokoterm.store.packs import bundled_hashes

__all__ = [
    "STRATEGIES",
    "OwnStrategy",
    "Running",
    "SearchResult",
    "generate",
    "generating",
    "optimize",
    "optimizing",
    "solve",
    "solving",
]
# Seconds between two reports of progress.
_PACE_SECONDS = 0.1
_Given = ParamSpec("_Given")
_News = TypeVar("_News")
_Result = TypeVar("_Result")


class Running(Generic[_News, _Result]):
    """Work in progress: iterate over its news, and ask for its ``result``.

    News comes immediately, Progress ten times per second. The work is done by the thread that iterates or waits for the
    result. ``cancel``, from any thread, and the end of a ``with`` block stop it within a fifth of a second.

    >>> with solving(Level.from_xsb("######\\n#@$ .#\\n######")) as running:
    ...     print([str(news) for news in running if isinstance(news, Solution)], running.result().outcome.status.value)
    ['RR'] solved
    """

    def __init__(
        self, steps: Generator[_News | None, bool, _Result], progress: Callable[[_News], object] | None = None
    ) -> None:
        """``steps`` yields once before it starts, is sent True when it should stop, and returns its result."""
        self._steps = steps
        self._progress = progress
        self._lock = Lock()
        self._results: list[_Result] = []
        self._is_cancelled = False
        next(steps)

    def __iter__(self) -> Self:
        return self

    __enter__ = __iter__

    def __exit__(self, *_: object) -> None:
        self.cancel()
        self.result()

    def __next__(self) -> _News:
        due = monotonic() + _PACE_SECONDS
        with self._lock, uncollected():
            while not self._results:
                try:
                    news = self._steps.send(self._is_cancelled)
                except StopIteration as end:
                    self._results.append(end.value)
                    break
                if news is not None and (not isinstance(news, Progress) or monotonic() >= due):
                    if self._progress is not None:
                        self._progress(news)
                    return news
        raise StopIteration

    def cancel(self) -> None:
        """Stop the work at its next step; ``result`` is then what it has found so far."""
        self._is_cancelled = True

    def result(self) -> _Result:
        """Run to the end and return the result."""
        for _ in self:
            pass
        return self._results[0]


def _to_the_end(name: str, begin: Callable[_Given, Running[_News, _Result]]) -> Callable[_Given, _Result]:
    """Return a function with another name and the same arguments that returns the result."""

    def run(*args: _Given.args, **named: _Given.kwargs) -> _Result:
        return begin(*args, **named).result()

    shape = signature(begin)
    vars(run)["__signature__"] = shape.replace(return_annotation=get_args(shape.return_annotation)[1])
    run.__doc__, run.__name__, run.__qualname__ = begin.__doc__, name, name
    return run


class SearchResult(NamedTuple):
    """The last and best solution, None if there is none, and how the search ended.

    >>> solution, outcome = solve(Level.from_xsb("######\\n#@$ .#\\n######"), seconds=5)
    >>> solution, outcome.status.value
    (Solution('RR', 2 moves, 2 pushes), 'solved')
    """

    solution: Solution | None
    outcome: Outcome


Searching = Running[Progress | Solution, SearchResult]
"""A search: its news is its Progress, and Solutions, each better than the one before."""
OwnStrategy = Callable[[Position], Iterable[Solution | str | None]]
"""A strategy of your own: given the start, it yields None for each position examined, or a solution."""


def solving(
    level: Level | Position,
    seconds: float = 600.0,
    *,
    strategy: str | OwnStrategy = "auto",
    cores: int = 1,
    limits: Limits | None = None,
    progress: Callable[[Progress | Solution], object] | None = None,
) -> Searching:
    """Search for a solution of a level, or from a position; ``limits`` replace ``seconds``.

    ``solve`` returns the result; ``solving`` returns immediately, with the search as a Running. ``strategy`` is a name
    in STRATEGIES, or a function: see OwnStrategy. With several ``cores``, up to four searches run in parallel.
    ``progress`` is called with the news. Raises UsageError for an unknown strategy, or one that does not support the
    colours or ice of the level, and LurdError if your own strategy yields wrong moves.

    >>> solve(Level.from_xsb("######\\n#@$ .#\\n######"), seconds=5).solution.lurd
    'RR'
    """
    level, limits = Level.of(level), limits or Limits(seconds)
    if not 1 <= cores <= MOST_CORES or cores > 1 and strategy != "auto":
        expected = f"1 to {MOST_CORES}, or 1 with a strategy other than auto"
        raise UsageError(f"found {cores} cores, expected {expected}")
    if not isinstance(strategy, str):
        return Running(_steps_of(level, partial(_search_own, level, strategy), limits), progress)
    if strategy not in STRATEGIES:
        raise UsageError(f"found the strategy {strategy!r}, expected one of {', '.join(STRATEGIES)}")
    if not STRATEGIES[strategy].applies(level.board):
        raise UsageError(STRATEGIES[strategy].why_not)
    chosen = partial(search_on_cores, cores=Cores(cores, lane_command())) if cores > 1 else STRATEGIES[strategy].search
    return Running(_steps_of(level, chosen, limits), progress)


solve = _to_the_end("solve", solving)


def optimizing(
    level: Level,
    lurd: str | Solution,
    objective: str = "moves",
    seconds: float = 60.0,
    *,
    limits: Limits | None = None,
    progress: Callable[[Progress | Solution], object] | None = None,
) -> Searching:
    """Improve a solution by an Objective: ``optimize`` returns the result, ``optimizing`` the work as a Running.

    The solution is unchanged if nothing better is found. Raises LurdError if the moves do not solve the level,
    UsageError for an unknown objective.

    >>> optimize(Level.from_xsb("#######\\n#@ $ .#\\n#######"), "rlrRR", seconds=5).solution.lurd
    'rRR'
    """
    if objective not in [*Objective]:
        raise UsageError(f"found the objective {objective!r}, expected one of {', '.join(Objective)}")
    known = Level.of(level).verify(lurd)

    def strategy(board: Board, start: State, limits: Limits) -> search.Search:
        return improve(board, start, known, Objective(objective), limits)

    return Running(_steps_of(level, strategy, limits or Limits(seconds), known), progress)


optimize = _to_the_end("optimize", optimizing)


def _steps_of(
    level: Level, strategy: search.Strategy, limits: Limits, known: Solution | None = None
) -> Generator[Progress | Solution | None, bool, SearchResult]:
    """Yield the news of a search, whose time and memory count from now."""
    yield None
    if limits.clock is search.timeless:
        limits = limits.replace(clock=monotonic, resident=MemoryGrowth())
    latest, best, is_solved = Progress(""), known, False
    events = Events(search.within_memory(strategy(level.board, level.start, limits)))
    for event in events:
        if isinstance(event, search.Found):
            best, is_solved = Solution.of(level, event.solution), True
        else:
            latest = event
        if (yield latest if event is latest else best):
            return SearchResult(best, search.cut_short(latest, is_solved, None))
    return SearchResult(best, events.result)


def _search_own(level: Level, strategy: OwnStrategy, board: Board, start: State, limits: Limits) -> search.Search:
    """Search with a user's own strategy, within limits: each of its steps is a node."""
    meter = search.Meter(getattr(strategy, "__name__", "own"), board, limits, bytes_per_state=1000)

    def steps() -> Generator[Progress | search.Found, None, None]:
        for lurd in strategy(Position(level)):
            meter.check()
            meter.nodes += 1
            if lurd:
                solution = lurds.verify(board, start, text_of(lurd))
                meter.best = min(meter.best, solution.pushes)
                yield search.Found(solution)
            yield meter.progress()

    return within_limits(board, start, meter, steps())


def generating(
    seed: int = 1,
    *,
    count: int = 1,
    size: tuple[int, int] | None = None,
    boxes: int | None = None,
    nodes: int | None = None,
    difficulty: str | int | None = None,
    variant: str | None = None,
    progress: Callable[[Progress | Level], object] | None = None,
) -> Running[Progress | Level, Pack]:
    """Generate levels, the same as ``sokoterm generate`` with these flags; ``size`` is width and height.

    ``generate`` returns them as a Pack, ``generating`` the work as a Running. Raises UsageError for arguments that the
    command rejects, and if a level is not found within its limit.

    >>> generate(seed=3, size=(6, 6), boxes=2, nodes=500)
    Pack('Generated 3', 1 level)
    """
    counts = {"seed": seed, "count": count, "size": size and min(size), "boxes": boxes, "nodes": nodes}
    most = {"count": DEFAULT_LIMITS.levels, "nodes": MOST_NODES}
    for name, value in counts.items():
        if value is not None and not 0 < value <= most.get(name, value):
            raise UsageError(f"{name}: found {value}, expected 1 {f'to {most[name]}' if name in most else 'or more'}")
    if variant is not None and variant not in VARIANTS:
        raise UsageError(f"variant: found {variant!r}, expected one of {', '.join(VARIANTS)}")
    try:
        band = None if difficulty is None else band_of(str(difficulty))
    except ValueError as error:
        raise UsageError(f"difficulty: {error}") from None
    request = PackRequest(seed, count, size, boxes, nodes, band, variant)

    def steps() -> Generator[Progress | Level | None, bool, Pack]:
        levels: list[Level] = []
        yield None
        began = monotonic()
        try:
            for step, made in enumerate(levels_of(request, bundled_hashes()), start=1):
                if made is not None:
                    levels.append(Level.of(made))
                if (yield levels[-1] if made else Progress("generate", step, len(levels), seconds=monotonic() - began)):
                    break
        except ValueError as error:
            raise UsageError(str(error)) from None
        return Pack(request.title, levels)

    return Running(steps(), progress)


generate = _to_the_end("generate", generating)
