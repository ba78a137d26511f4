"""Running a strategy: in the calling thread (``solve``) or in a background thread (``SolverJob``).

``BackgroundTask`` runs other long work in a background thread, ``start_thread`` what only waits.
"""

import gc
import queue
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Generic, NamedTuple, TypeVar

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.solver.protocol import Found, Limits, Outcome, Progress, Search, Strategy, out_of_memory


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
    search = strategy(board, start, limits)
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


class Latest(NamedTuple):
    """The newest progress of a job."""

    job: int
    progress: Progress


class JobSolved(NamedTuple):
    """A solution found by a job; a better one may follow."""

    job: int
    found: Found


class JobEnded(NamedTuple):
    """The end of a job that ran to completion."""

    job: int
    outcome: Outcome


class JobCancelled(NamedTuple):
    """The end of a cancelled job; no message of that job follows."""

    job: int


class JobCrashed(NamedTuple):
    """The end of a job whose search raised an exception; ``traceback`` is for the log."""

    job: int
    error: str
    traceback: str


Message = JobSolved | JobEnded | JobCancelled | JobCrashed

_Result = TypeVar("_Result")


# Working time between two rests of a job that rests.
_SLICE_SECONDS = 0.005

LONGEST_PAUSE = 0.1
"""Most seconds of a pause: who paused a job may have hung."""


class SolverJob:
    """Background solver: runs one search at a time in a daemon thread; starting a new one cancels the old one.

    Call all methods from the thread that owns the job (the game's).  ``notify`` is called in the background thread
    whenever a message is ready, to wake an event loop; it must be quick and thread-safe.
    """

    def __init__(self, notify: Callable[[], None] | None = None, *, rests: bool = False) -> None:
        """``rests``: sleep half of the time, to leave it to others."""
        self._notify = notify
        self._rests = rests
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._latest: Latest | None = None
        self._job = 0
        self._cancel = threading.Event()
        self._may_run = threading.Event()
        self._may_run.set()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """True while a search runs, including a cancelled one until its next yield."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, strategy: Strategy, board: Board, start: State, limits: Limits) -> int:
        """Start a search, cancelling a running one; return at once with the id that its messages carry.

        The new thread waits for the old one, so two searches never run at a time.
        """
        self.cancel()
        self._job += 1
        self._cancel = threading.Event()
        search = strategy(board, start, limits)
        self._thread = threading.Thread(
            target=self._run,
            args=(self._job, search, self._cancel, self._thread),
            name=f"solver-{self._job}",
            daemon=True,
        )
        self._thread.start()
        return self._job

    def cancel(self) -> None:
        """Ask the running search to stop at its next yield.

        Its last message is JobCancelled, or JobEnded or JobCrashed if it ended before that yield.
        """
        self._cancel.set()
        self._may_run.set()

    def pause(self) -> None:
        """Have the search stop at its next yield until ``go_on``, or for a moment."""
        self._may_run.clear()

    def go_on(self) -> None:
        """Continue after ``pause``."""
        self._may_run.set()

    def join(self, seconds: float | None = None) -> None:
        """Wait for the thread to end."""
        if self._thread is not None:
            self._thread.join(seconds)

    def latest(self) -> Latest | None:
        """Return the newest progress of the last job started, or None if there is none yet."""
        latest = self._latest
        return latest if latest is not None and latest.job == self._job else None

    def messages(self) -> list[Message]:
        """Return the messages since the last call, in order, maybe including some of older jobs."""
        ready: list[Message] = []
        while True:
            try:
                ready.append(self._messages.get_nowait())
            except queue.Empty:
                return ready

    def _run(self, job: int, search: Search, cancel: threading.Event, older: threading.Thread | None) -> None:
        if older is not None:
            older.join()
        try:
            end = self._drive(job, search, cancel)
        except Exception as error:  # noqa: BLE001 - whatever a search raises must reach the player as a message
            import traceback  # imported late: it is slow, and the first paint would wait for it

            self._put(JobCrashed(job, f"{type(error).__name__}: {error}", traceback.format_exc()))
        else:
            self._put(end)

    def _drive(self, job: int, search: Search, cancel: threading.Event) -> JobEnded | JobCancelled:
        latest = Progress("", 0, 0, 0, 0, 0.0)
        solved = False
        rested_until = 0.0
        while not cancel.is_set():
            self._may_run.wait(LONGEST_PAUSE)
            try:
                event = next(search)
            except StopIteration as end:
                return JobEnded(job, end.value)
            except MemoryError:
                return JobEnded(job, out_of_memory(latest, solved))
            if isinstance(event, Progress):
                if self._rests and (busy := event.seconds - rested_until) >= _SLICE_SECONDS:
                    cancel.wait(busy)
                    rested_until = event.seconds + busy
                latest = event
                self._latest = Latest(job, event)
            else:
                solved = True
                self._put(JobSolved(job, event))
        search.close()
        return JobCancelled(job)

    def _put(self, message: Message) -> None:
        self._messages.put(message)
        if self._notify is not None:
            self._notify()


def start_thread(work: Callable[[], None], name: str) -> None:
    """Do work in a daemon thread of its own, which must not raise; nothing waits for its end."""
    threading.Thread(target=work, name=name, daemon=True).start()


class BackgroundTask(Generic[_Result]):
    """Work in steps, run in a daemon thread of its own that starts at once.

    Call all methods from the thread that owns the task.  ``pause`` takes effect at the next step.
    """

    def __init__(self, steps: Generator[None, None, _Result], notify: Callable[[], None]) -> None:
        """``notify`` is called in the background thread at the end; it must be quick and thread-safe."""
        self.crash = ""
        self._notify = notify
        self._results: list[_Result] = []
        self._is_cancelled = False
        self._may_run = threading.Event()
        self._may_run.set()
        self._thread = threading.Thread(target=self._run, args=(steps,), name="task", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """True if the work has ended, with a ``result`` or the traceback of a ``crash``."""
        return bool(self._results or self.crash)

    @property
    def result(self) -> _Result | None:
        """Result of the work; None before its end."""
        return self._results[0] if self._results else None

    def pause(self) -> None:
        """Stop at the next step until ``go_on``."""
        self._may_run.clear()

    def go_on(self) -> None:
        """Continue after ``pause``."""
        self._may_run.set()

    def cancel(self) -> None:
        """Abandon the work at its next step, without a notification."""
        self._is_cancelled = True
        self._may_run.set()

    def join(self, seconds: float | None = None) -> None:
        """Wait for the thread to end."""
        self._thread.join(seconds)

    def _run(self, steps: Generator[None, None, _Result]) -> None:
        try:
            while True:
                self._may_run.wait()
                if self._is_cancelled:
                    steps.close()
                    return
                next(steps)
        except StopIteration as end:
            self._results.append(end.value)
        except Exception:  # noqa: BLE001 - whatever it raises must reach the player
            import traceback

            self.crash = traceback.format_exc()
        if not self._is_cancelled:
            self._notify()
