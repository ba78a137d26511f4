"""Solver of the game: one search at a time in the background, and the monitor of that search."""

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from sokoterm.app.background import Background, ThreadSwitching
from sokoterm.app.improvement import Task
from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, end_of
from sokoterm.engine.rules import boxes_home
from sokoterm.solver.search import Cores, Crashed, Found, Limits, News, Outcome, Progress, Strategy, within_memory

PROGRESS_SECONDS = 0.25
"""Least seconds between two reports of progress."""

SLOW_SECONDS = 3.0
"""Least seconds between two reports of progress on a slow line."""

ONE_CORE = Cores(1, ())
"""A search in the thread of the solver."""

_STRATEGY, _OPTIMIZER = "auto", "optimizer"
_PACE_SECONDS = 0.5  # time over which each pace of a strategy is measured
_PACES = 64
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


class StrategyMonitor:
    """One strategy of a search, in however many processes: its ``latest`` report and its ``nodes``.

    ``paces`` are its nodes per second over each recent half second, ``highest`` is the largest pace so far.
    """

    def __init__(self) -> None:
        self.latest = Progress("")
        self.nodes = self._nodes_before = 0
        self.paces: deque[float] = deque(maxlen=_PACES)
        self.highest = 0.0

    @property
    def is_at_work(self) -> bool:
        """True if it has searched nodes in the last half second."""
        return bool(self.paces and self.paces[-1])

    def look(self, reports: list[Progress]) -> None:
        """Take over the reports of all its processes; ``latest`` is the one with the most nodes."""
        self.latest = max(reports, key=lambda each: each.nodes)
        self.nodes = sum(each.nodes for each in reports)

    def measure(self, seconds: float) -> None:
        """Add the pace since the last call."""
        self.paces.append(max(0, self.nodes - self._nodes_before) / seconds)
        self.highest = max(self.highest, self.paces[-1])
        self._nodes_before = self.nodes


class SearchMonitor:
    """A search by the strategy ``name`` from a position; its driver reports to the monitor.

    ``memory`` is that of its processes in bytes, 0 if it cannot be known; ``outcome`` is None while the search runs and
    if it was stopped. ``strategies`` are those that share the work, by name, in the order of their turns. ``reached``
    is the report on the best position, the one with most boxes home, found after ``reached_after`` seconds: at
    first the start, and while the search runs a better one is taken up only once the one before has been shown for
    _SHOWN_SECONDS.
    """

    def __init__(self, name: str, board: Board, state: State, limits: Limits) -> None:
        self.limits = limits
        self.latest = Progress("")
        self.name = name
        self.reached = self._nearest = Progress("", best=state.boxes)
        self.reached_after = self.seconds = 0.0
        self.solutions: list[Solution] = []
        self.outcome: Outcome | None = None
        self.is_over = False
        self.memory = 0
        self.strategies: dict[str, StrategyMonitor] = {}
        self._board = board
        self._state = state
        self._solved: Bitboard = 0
        self._began = limits.clock()
        self._nearest_after = self._measured_at = 0.0
        self._shown_at = -_SHOWN_SECONDS

    @property
    def best(self) -> Bitboard:
        """The boxes of the best position so far, or of the solved one."""
        return self._solved or self.reached.best

    @property
    def home(self) -> int:
        """The boxes of the best position that are on goals."""
        return self._home(self.best)

    @property
    def strategy(self) -> str:
        """The strategy of ``reached``, after a solution the one at work or at the end, at first the one asked for."""
        ended = self.outcome.strategy if self.outcome else ""
        if self.solutions:
            return ended or self.latest.strategy or self.name
        return self.reached.strategy or self.latest.strategy or ended or self.name

    @property
    def winner(self) -> str:
        """The strategy that has solved the level, at the end of the search; else empty."""
        return self.outcome.strategy if self.outcome is not None and self.solutions else ""

    @property
    def others(self) -> list[str]:
        """The other strategies, by name; none after a solution."""
        return [] if self.solutions else sorted(self.strategies.keys() - {self.strategy})

    def look(self, latest: Progress | None) -> None:
        """Take in a report; None if there is none yet."""
        self.seconds = self.limits.clock() - self._began
        self.memory = self.limits.resident()
        if latest is None:
            return
        self.memory += latest.lanes_memory
        self.latest = latest
        shares = latest.shares or (latest,)
        for name in dict.fromkeys(each.strategy for each in shares):
            reports = [each for each in shares if each.strategy == name]
            self.strategies.setdefault(name, StrategyMonitor()).look(reports)
        if (passed := self.seconds - self._measured_at) >= _PACE_SECONDS:
            self._measured_at = self.seconds
            for each in self.strategies.values():
                each.measure(passed)
        for share in shares:
            if share.best and self._home(share.best) > self._home(self._nearest.best):
                self._nearest, self._nearest_after = share, self.seconds
        if self.seconds - self._shown_at >= _SHOWN_SECONDS:
            self._show()

    def found(self, solution: Solution) -> None:
        """Take in a solution, better than those before."""
        if not self.solutions:
            self.reached_after = self.limits.clock() - self._began
        self.solutions.append(solution)
        self._solved = end_of(self._board, self._state, solution.lurd).boxes

    def ended(self, outcome: Outcome | None = None) -> None:
        """Note the outcome of the search; None if it was stopped, or has crashed."""
        self.is_over = True
        if outcome is not None:
            self.outcome, self.seconds = outcome, outcome.seconds
            self.latest = self.latest._replace(nodes=outcome.nodes, stored=outcome.stored)
        self._show()

    def _home(self, boxes: Bitboard) -> int:
        return boxes_home(self._board, State(boxes, 0)).bit_count()

    def _show(self) -> None:
        """Show the best position, unless it is shown already."""
        if not self.solutions and self.reached is not self._nearest:
            self.reached, self.reached_after, self._shown_at = self._nearest, self._nearest_after, self.seconds
