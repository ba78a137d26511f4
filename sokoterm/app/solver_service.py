"""Solver service: one search at a time in the background, with progress at a bearable pace."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from sokoterm.app.improvement import Task
from sokoterm.app.outcome import GaveUp, Note
from sokoterm.app.search_monitor import SearchMonitor
from sokoterm.app.thread_switching import ThreadSwitching
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.engine.value import Value
from sokoterm.solver.protocol import Cores, Limits, Progress, Search, Status, Strategy, game_limits
from sokoterm.solver.protocol import Outcome as SearchOutcome

PROGRESS_SECONDS = 0.25
"""Least seconds between two reports of progress."""

SLOW_SECONDS = 3.0
"""Least seconds between two reports of progress on a slow line."""

ONE_CORE = Cores(1, ())
"""A search in the thread of its service."""

_STRATEGY, _OPTIMIZER = "auto", "optimizer"


class SearchEnd(Value):
    """A search has ended on its own; ``why`` is None if it found a solution.

    ``seconds``: the time it took.  ``optimal`` names the metric in which its last solution is proven the best.
    """

    why: Note | GaveUp | None
    seconds: float = 0.0
    optimal: str | None = None


class SearchCrash(Value):
    """A search has crashed; the traceback is for a log."""

    traceback: str


News = Progress | Solution | SearchEnd | SearchCrash
"""News of a search, in order; solutions get better."""


class SolverService(Protocol):
    """Solver of one search at a time; ``watched`` is the latest."""

    watched: SearchMonitor | None

    @property
    def is_busy(self) -> bool:
        """True while a search is under way."""

    def start(self, board: Board, state: State, task: Task | None = None) -> None:
        """Search from a position, or make a solution from there better; an older search ends."""

    def cancel(self) -> None:
        """End the search, without another word from it."""

    def pause(self) -> None:
        """Leave the processor to the caller, until ``go_on`` or for a moment."""

    def go_on(self) -> None:
        """Continue after ``pause``."""

    def close(self) -> None:
        """Cancel, and wait a moment for the thread to see it."""

    def news(self) -> Iterator[News]:
        """The news of the latest search since the last call."""

    def until_progress(self) -> float:
        """Seconds until the next progress may be told."""


class BackgroundSolver:
    """A SolverService on a thread; the strategies are imported when the first search begins."""

    def __init__(
        self,
        wake: Callable[[], None],
        clock: Callable[[], float],
        switching: ThreadSwitching,
        pace: float = PROGRESS_SECONDS,
        cores: Cores = ONE_CORE,
    ) -> None:
        """``pace`` is the seconds between two tellings of progress, ``cores`` those of a search for a solution."""
        from sokoterm.solver.job import SolverJob

        self._job = SolverJob(wake)
        self._clock = clock
        self._pace = pace
        self._cores = cores
        self._switching = switching
        self._id = 0
        self.watched: SearchMonitor | None = None
        self._told_at = 0.0

    @property
    def is_busy(self) -> bool:
        return self.watched is not None and not self.watched.is_over

    def start(self, board: Board, state: State, task: Task | None = None) -> None:
        self._switching.hasten(self, keeps_much=True)
        limits = game_limits(self._clock)
        name = _STRATEGY if task is None else _OPTIMIZER
        self.watched = SearchMonitor(name, board, state, limits)
        self._id = self._job.start(strategy_of(task, self._cores), board, state, limits)
        self._told_at = self._clock()

    def cancel(self) -> None:
        self._job.cancel()
        self._rest()

    def pause(self) -> None:
        self._job.pause()

    def go_on(self) -> None:
        self._job.go_on()

    def close(self) -> None:
        self.cancel()
        self._job.join(1.0)

    def news(self) -> Iterator[News]:
        from sokoterm.solver.job import JobCancelled, JobCrashed, JobEnded, JobSolved

        watched = self.watched
        if watched is None:
            return
        if self.is_busy and self.until_progress() <= 0:
            self._told_at = self._clock()
            if latest := self._look(watched):
                yield latest
        for message in self._job.messages():
            if message.job != self._id or watched.is_over:
                continue  # an older search, or one that was cancelled
            match message:
                case JobSolved(_, found):
                    watched.found(found.solution)
                    yield found.solution
                case JobEnded(_, outcome):
                    self._look(watched)
                    watched.ended(outcome)
                    self._rest()
                    yield SearchEnd(why_unsolved(outcome), outcome.seconds, outcome.optimal)
                case JobCrashed(_, _, traceback):
                    self._rest()
                    yield SearchCrash(traceback)
                case JobCancelled():
                    self._rest()

    def until_progress(self) -> float:
        return max(0.0, self._told_at + self._pace - self._clock())

    def _look(self, watched: SearchMonitor) -> Progress | None:
        latest = self._job.latest()
        progress = latest.progress if latest else None
        watched.look(progress)
        return progress

    def _rest(self) -> None:
        if self.watched is not None:
            self.watched.stopped()
        self._switching.rest(self)


def strategy_of(task: Task | None, cores: Cores = ONE_CORE) -> Strategy:
    """Return the search for a solution, or that for a better one, which takes one core."""
    if task is None:
        from sokoterm.solver import lanes

        return partial(lanes.search, cores=cores)
    from sokoterm.solver.optimizer.driver import Steering, optimize

    steering = Steering(task.first, task.last, task.kept, task.barred, task.others)

    def improve(board: Board, start: State, limits: Limits) -> Search:
        return optimize(board, start, task.known, task.objective, limits, steering)

    return improve


def why_unsolved(outcome: SearchOutcome) -> Note | GaveUp | None:
    """Return the reason why a search has no solution; None if it has one."""
    if outcome.status is Status.UNSOLVABLE:
        return Note.NO_SOLUTION_FROM_THERE
    if outcome.status is Status.BEGINS_SOLVED:
        return Note.CANNOT_BE_PLAYED
    return GaveUp(str(outcome.reason)) if outcome.status is Status.GAVE_UP else None
