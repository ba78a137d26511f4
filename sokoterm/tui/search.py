"""The solver at work for the app: one search at a time in the background, its progress in small doses."""

from collections.abc import Callable

from sokoterm.engine.board import Board, State
from sokoterm.solver.job import JobCancelled, JobCrashed, JobEnded, JobSolved, SolverJob
from sokoterm.solver.protocol import Outcome, Progress, Status, game_limits
from sokoterm.solver.registry import STRATEGIES
from sokoterm.tui.desk import SearchListener
from sokoterm.tui.outcome import GaveUp, Note
from sokoterm.tui.reactions import Screen
from sokoterm.tui.screens.play_view import Playing
from sokoterm.tui.thread_switching import ThreadSwitching
from sokoterm.tui.watched import WatchedSearch

PROGRESS_SECONDS = 0.25
"""While solving, the picture changes at most this often by itself."""

SLOW_SECONDS = 3.0
"""The same on a slow line."""

_STRATEGY = "auto"


class BackgroundSearch:
    """A SearchDesk on a SolverJob."""

    def __init__(
        self,
        wake: Callable[[], None],
        clock: Callable[[], float],
        switching: ThreadSwitching,
        pace: float = PROGRESS_SECONDS,
    ) -> None:
        """``pace``: the seconds from one telling of progress to the next."""
        self._job = SolverJob(wake)
        self._clock = clock
        self._pace = pace
        self._switching = switching
        self._id = 0
        self._watched: WatchedSearch | None = None
        self._told_at = 0.0

    @property
    def is_busy(self) -> bool:
        return self._watched is not None and not self._watched.is_over

    def start(self, board: Board, state: State) -> None:
        self._switching.hasten(self, keeps_much=True)
        limits = game_limits(self._clock)
        self._watched = WatchedSearch(_STRATEGY, board, state, limits)
        self._id = self._job.start(STRATEGIES[_STRATEGY], board, state, limits)
        self._told_at = self._clock()

    def watch(self, play: Playing, before: str) -> Screen | None:
        if self._watched is None:
            return None
        from sokoterm.tui.screens.solver import SolverScreen

        return SolverScreen(play, before, self._watched)

    def cancel(self) -> None:
        self._job.cancel()
        self._rest()

    def close(self) -> None:
        self.cancel()
        self._job.join(1.0)

    def tell(self, listener: SearchListener) -> None:
        watched = self._watched
        if watched is None:
            return
        if self.is_busy and self.until_progress() <= 0:
            self._told_at = self._clock()
            if latest := self._look(watched):
                listener.search_progressed(latest)
        for message in self._job.messages():
            if message.job != self._id or watched.is_over:
                continue  # an older search, or one that was cancelled
            match message:
                case JobSolved(_, found):
                    watched.found(found.solution)
                    listener.search_found(found.solution)
                case JobEnded(_, outcome):
                    self._look(watched)
                    watched.ended(outcome)
                    self._rest()
                    listener.search_ended(end_of_search(outcome))
                case JobCrashed(_, _, traceback):
                    self._rest()
                    listener.search_crashed(traceback)
                case JobCancelled():
                    self._rest()

    def until_progress(self) -> float:
        return max(0.0, self._told_at + self._pace - self._clock())

    def _look(self, watched: WatchedSearch) -> Progress | None:
        latest = self._job.latest()
        progress = latest.progress if latest else None
        watched.look(progress)
        return progress

    def _rest(self) -> None:
        if self._watched is not None:
            self._watched.stopped()
        self._switching.rest(self)


def end_of_search(outcome: Outcome) -> Note | GaveUp | None:
    """Why there is no solution; None where there is one."""
    if outcome.status is Status.UNSOLVABLE:
        return Note.NO_SOLUTION_FROM_THERE
    return GaveUp(str(outcome.reason)) if outcome.status is Status.GAVE_UP else None
