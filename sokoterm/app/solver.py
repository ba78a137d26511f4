"""Solver of the game: one search at a time in the background, and its monitor."""

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
"""Least time between two reports of progress."""

SLOW_SECONDS = 3.0
"""The same on a slow line."""

ONE_CORE = Cores(1, ())
"""Search in the thread of the solver."""

_STRATEGY, _OPTIMIZER = "auto", "optimizer"
_PACE_SECONDS = 0.5  # measuring period for the pace of a strategy
_PACES = 64
# Minimum time between two best positions: sending one costs as much as all counters in two seconds.
_SHOWN_SECONDS = 3.0


class Solver(Background[Outcome]):
    """Solver for one search at a time; ``watched`` is the latest. Strategies are imported on the first search."""

    def __init__(
        self,
        wake: Callable[[], None],
        limits: Limits,
        switching: ThreadSwitching | None = None,
        pace: float = PROGRESS_SECONDS,
        cores: Cores = ONE_CORE,
    ) -> None:
        """``pace``: the seconds between two reports of progress. ``cores`` are used to search for a solution."""
        super().__init__(wake, switching)
        self.cores = cores
        self.watched: SearchMonitor | None = None
        self._limits = limits
        self._pace = pace
        self._told_at = 0.0

    def start(self, board: Board, state: State, task: Task | None = None) -> None:
        """Start a search from a position, or for a better solution; any other search ends."""
        name = _STRATEGY if task is None else _OPTIMIZER
        search = self.strategy(task)(board, state, self._limits)
        self.begin(within_memory(search))
        self.watched = SearchMonitor(name, board, state, self._limits)
        self._told_at = self._limits.clock()

    def strategy(self, task: Task | None) -> Strategy:
        """Return the search for a solution or, given a task, the optimizer, which uses one core."""
        if task is None:
            from sokoterm.solver import lanes  # only after the first frame

            return partial(lanes.search, cores=self.cores)
        from sokoterm.solver.optimizer.driver import optimize  # only after the first frame

        known, objective, steering = task.known, task.objective, task.steering
        return lambda board, start, limits: optimize(board, start, known, objective, limits, steering)

    def cancel(self) -> None:
        super().cancel()
        if self.watched is not None and not self.watched.is_over:
            self.watched.ended()

    def news(self) -> Iterator[News]:
        """Yield the news of the search since the last call; progress at most once per ``pace``."""
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
        return max(0.0, self._told_at + self._pace - self._limits.clock())


class StrategyMonitor:
    """Latest report and total nodes of one strategy of a search, over all its processes.

    ``paces`` are its nodes per second in each recent half second, ``highest`` is the maximum so far.
    """

    def __init__(self) -> None:
        self.latest = Progress("")
        self.nodes = self._nodes_before = 0
        self.paces: deque[float] = deque(maxlen=_PACES)
        self.highest = 0.0

    @property
    def is_at_work(self) -> bool:
        return bool(self.paces and self.paces[-1])

    def look(self, reports: list[Progress]) -> None:
        """Process the reports of all processes; ``latest`` becomes the one with the most nodes."""
        self.latest = max(reports, key=lambda each: each.nodes)
        self.nodes = sum(each.nodes for each in reports)

    def measure(self, seconds: float) -> None:
        self.paces.append(max(0, self.nodes - self._nodes_before) / seconds)
        self.highest = max(self.highest, self.paces[-1])
        self._nodes_before = self.nodes


class SearchMonitor:
    """Monitor of a search by the strategy ``name``.

    ``memory`` is the size of its processes in bytes, 0 if unknown. ``outcome`` is None while the search runs, and if it
    was stopped. ``strategies`` share the work, in the order of their turns. ``reached`` is the report on the best
    position (most boxes home), initially the start, found after ``reached_after`` seconds. During the search, it
    changes at most every _SHOWN_SECONDS.
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
        """The boxes of the solved position, or of the best one so far."""
        return self._solved or self.reached.best

    @property
    def home(self) -> int:
        return self._home(self.best)

    @property
    def strategy(self) -> str:
        """The strategy of ``reached``, or after a solution, the last one at work."""
        ended = self.outcome.strategy if self.outcome else ""
        if self.solutions:
            return ended or self.latest.strategy or self.name
        return self.reached.strategy or self.latest.strategy or ended or self.name

    @property
    def winner(self) -> str:
        """The strategy that solved the level; empty until the search has ended."""
        return self.outcome.strategy if self.outcome is not None and self.solutions else ""

    @property
    def others(self) -> list[str]:
        """The names of the other strategies, sorted; none after a solution."""
        return [] if self.solutions else sorted(self.strategies.keys() - {self.strategy})

    def look(self, latest: Progress | None) -> None:
        """Process a report; None if there is none yet."""
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
        """Store a solution, which is better than any before."""
        if not self.solutions:
            self.reached_after = self.limits.clock() - self._began
        self.solutions.append(solution)
        self._solved = end_of(self._board, self._state, solution.lurd).boxes

    def ended(self, outcome: Outcome | None = None) -> None:
        """Store the outcome of the search; None if it was stopped or crashed."""
        self.is_over = True
        if outcome is not None:
            self.outcome, self.seconds = outcome, outcome.seconds
            self.latest = self.latest._replace(nodes=outcome.nodes, stored=outcome.stored)
        self._show()

    def _home(self, boxes: Bitboard) -> int:
        return boxes_home(self._board, State(boxes, 0)).bit_count()

    def _show(self) -> None:
        if not self.solutions and self.reached is not self._nearest:
            self.reached, self.reached_after, self._shown_at = self._nearest, self._nearest_after, self.seconds
