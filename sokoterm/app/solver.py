"""Solver of the game: one search at a time in the background, and the monitor of that search."""

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from sokoterm.app.background import Background, ThreadSwitching
from sokoterm.app.improvement import Task
from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, end_of
from sokoterm.solver.search import Cores, Crashed, Found, Limits, News, Outcome, Progress, Strategy, within_memory

PROGRESS_SECONDS = 0.25
"""Least seconds between two reports of progress."""

SLOW_SECONDS = 3.0
"""Least seconds between two reports of progress on a slow line."""

ONE_CORE = Cores(1, ())
"""A search in the thread of the solver."""

_STRATEGY, _OPTIMIZER = "auto", "optimizer"
_PACE_LOOKS = 8  # nodes a second are measured over this many looks
# Another best position costs as much on the line as all counters in two seconds; one in three seconds is less.
_SHOWN_SECONDS = 3.0


class Solver(Background[Outcome]):
    """Solver of one search at a time; ``watched`` is the latest.

    The strategies are imported when the first search begins.
    """

    def __init__(
        self,
        wake: Callable[[], None],
        limits: Limits,
        switching: ThreadSwitching | None = None,
        pace: float = PROGRESS_SECONDS,
        cores: Cores = ONE_CORE,
    ) -> None:
        """``pace`` is the seconds between two tellings of progress, ``cores`` those of a search for a solution."""
        super().__init__(wake, switching)
        self.cores = cores
        self.watched: SearchMonitor | None = None
        self._limits = limits
        self._pace = pace
        self._told_at = 0.0

    def start(self, board: Board, state: State, task: Task | None = None) -> None:
        """Search from a position, or make a solution from there better; an older search ends."""
        name = _STRATEGY if task is None else _OPTIMIZER
        search = self.strategy(task)(board, state, self._limits)
        self.begin(within_memory(search))
        self.watched = SearchMonitor(name, board, state, self._limits)
        self._told_at = self._limits.clock()

    def strategy(self, task: Task | None) -> Strategy:
        """Return the search for a solution, or that for a better one, which takes one core."""
        if task is None:
            from sokoterm.solver import lanes  # searches, once the first picture is there

            return partial(lanes.search, cores=self.cores)
        from sokoterm.solver.optimizer.driver import optimize  # searches, once the first picture is there

        known, objective, steering = task.known, task.objective, task.steering
        return lambda board, start, limits: optimize(board, start, known, objective, limits, steering)

    def cancel(self) -> None:
        super().cancel()
        if self.watched is not None and not self.watched.is_over:
            self.watched.ended()

    def news(self) -> Iterator[News]:
        """Yield the news of the search since the last call; progress comes at the pace."""
        watched = self.watched
        if watched is None or not self.is_busy:
            return
        if self.until_progress() <= 0:
            self._told_at = self._limits.clock()
            watched.look(self.latest)
            if self.latest is not None:
                yield self.latest
        for event in self.events():
            match event:
                case Found(solution):
                    watched.found(solution)
                case Outcome():
                    watched.look(self.latest)
                    watched.ended(event)
                case Crashed():
                    watched.ended()
            yield event

    def until_progress(self) -> float:
        """Seconds until the next progress may be told."""
        return max(0.0, self._told_at + self._pace - self._limits.clock())


class SearchMonitor:
    """A search by the strategy ``name`` from a position; its driver reports to the monitor.

    ``memory`` is that of its processes in bytes, 0 if it cannot be known; ``outcome`` is None while the search runs and
    if it was stopped. ``reached`` is the report on the best position: the latest, but none without a best position
    replaces one with it, and while the search runs another strategy or position is taken up only once the one before
    has been shown for _SHOWN_SECONDS.
    """

    def __init__(self, name: str, board: Board, state: State, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        self.latest = self.reached = Progress("")
        self.solutions: list[Solution] = []
        self.outcome: Outcome | None = None
        self.is_over = False
        self.seconds = 0.0
        self.memory = 0
        self._board = board
        self._state = state
        self._solved: Bitboard = 0
        self._began = limits.clock()
        self._reached_at = 0.0
        self._strategies: set[str] = set()
        self._looks: deque[tuple[float, int]] = deque([(0.0, 0)], _PACE_LOOKS)

    @property
    def nodes_per_second(self) -> int:
        """The pace of late, or of the whole search once it is over; 0 before there is one."""
        (before, nodes_before), (now, nodes) = self._looks[0], self._looks[-1]
        return round((nodes - nodes_before) / (now - before)) if now > before and nodes > nodes_before else 0

    @property
    def best(self) -> Bitboard:
        """The boxes of the best position so far, or of the solved one; 0 if none was reported."""
        return self._solved or self.reached.best

    @property
    def strategy(self) -> str:
        """The strategy of ``reached``, after a solution the one at work or at the end, at first the one asked for."""
        ended = self.outcome.strategy if self.outcome else ""
        if self.solutions:
            return ended or self.latest.strategy or self.name
        return self.reached.strategy or ended or self.name

    @property
    def others(self) -> list[str]:
        """The other strategies that have reported, by name; none after a solution."""
        return [] if self.solutions else sorted(self._strategies - {self.strategy})

    def look(self, latest: Progress | None) -> None:
        """Take in a report; None if there is none yet."""
        self.seconds = self.limits.clock() - self._began
        self.memory = self.limits.resident()
        if latest is None:
            return
        self.memory += latest.lanes_memory
        self.latest = latest
        self._strategies.add(latest.strategy)
        self._looks.append((self.seconds, latest.nodes))
        shown, is_new = self.reached, self.seconds - self._reached_at < _SHOWN_SECONDS
        is_same = (latest.strategy, latest.best) == (shown.strategy, shown.best)
        is_first = not shown.strategy or (latest.best and not shown.best)
        if (is_same or is_first or not is_new) and self._show(latest) and not is_same:
            self._reached_at = self.seconds

    def found(self, solution: Solution) -> None:
        """Take in a solution, better than those before."""
        self.solutions.append(solution)
        self._solved = end_of(self._board, self._state, solution.lurd).boxes

    def ended(self, outcome: Outcome | None = None) -> None:
        """Note the outcome of the search; None if it was stopped, or has crashed."""
        self.is_over = True
        if outcome is not None:
            self.outcome, self.seconds = outcome, outcome.seconds
            self.latest = self.latest._replace(nodes=outcome.nodes, stored=outcome.stored)
            self._looks = deque([(0.0, 0), (outcome.seconds, outcome.nodes)])
        self._show(self.latest)

    def _show(self, latest: Progress) -> bool:
        """Show a report, unless it would hide a best position; return True if it is shown."""
        is_shown = bool(latest.best or not self.reached.best)
        if is_shown:
            self.reached = latest
        return is_shown
