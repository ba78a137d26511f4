"""The solver at work for the app: one search at a time in the background, its progress in small doses."""

import sys
from collections.abc import Callable

from sokoterm.engine.board import Board, State
from sokoterm.solver import STRATEGIES
from sokoterm.solver.job import Cancelled, Crashed, Ended, Solved, SolverJob
from sokoterm.solver.protocol import Outcome, Progress, Status, game_limits
from sokoterm.tui.desk import NO_SOLUTION, SearchListener

PROGRESS_SECONDS = 0.25
"""While solving, the status line changes at most this often."""

# While a job runs, threads are switched this often: beside a busy search it brings the median time from a key to the
# screen from 7 ms to 1 ms, and costs the search nothing that could be measured.
_SWITCH_SECONDS = 0.0005


class BackgroundSearch:
    """A SearchDesk on a SolverJob."""

    def __init__(self, wake: Callable[[], None], clock: Callable[[], float]) -> None:
        self._job = SolverJob(wake)
        self._clock = clock
        self._id = 0
        self._is_busy = False
        self._told_at = 0.0
        self._usual_switch_seconds = sys.getswitchinterval()

    @property
    def is_busy(self) -> bool:
        return self._is_busy

    def start(self, board: Board, state: State) -> None:
        sys.setswitchinterval(_SWITCH_SECONDS)
        self._id = self._job.start(STRATEGIES["auto"], board, state, game_limits(self._clock))
        self._is_busy = True
        self._told_at = self._clock()

    def cancel(self) -> None:
        self._job.cancel()
        self._rest()

    def close(self) -> None:
        self.cancel()
        self._job.join(1.0)

    def tell(self, listener: SearchListener) -> None:
        if self._is_busy and self.until_progress() <= 0:
            self._told_at = self._clock()
            if latest := self._job.latest():
                listener.search_progressed(progress_text(latest.progress))
        for message in self._job.messages():
            if message.job != self._id or not self._is_busy:
                continue  # an older search, or one that was cancelled
            match message:
                case Solved(_, found):
                    listener.search_found(found.solution)
                case Ended(_, outcome):
                    self._rest()
                    listener.search_ended(outcome_text(outcome))
                case Crashed(_, _, traceback):
                    self._rest()
                    listener.search_crashed(traceback)
                case Cancelled():
                    self._rest()

    def until_progress(self) -> float:
        return max(0.0, self._told_at + PROGRESS_SECONDS - self._clock())

    def _rest(self) -> None:
        self._is_busy = False
        sys.setswitchinterval(self._usual_switch_seconds)


def progress_text(progress: Progress) -> str:
    """``nodes 1200 depth 31 bound 43 2.5 s``: depth and lower bound in pushes."""
    return f"nodes {progress.nodes} depth {progress.depth} bound {progress.lower_bound} {progress.seconds:.1f} s"


def outcome_text(outcome: Outcome) -> str:
    """Why there is no solution, or nothing where there is one."""
    if outcome.status is Status.UNSOLVABLE:
        return NO_SOLUTION
    if outcome.status is Status.GAVE_UP:
        return f"no solution found: limit of {outcome.reason} reached"
    return ""
