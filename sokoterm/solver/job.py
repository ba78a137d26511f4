"""Run a strategy to its end in the calling thread, or in a background thread while the game goes on.

``BackgroundTask`` is a background thread for other work that takes time.
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
    """The last solution that the search finds (the best one), if any, and how it ended.

    ``on_event`` is called with all that the search yields, which is often: some hundred times a second.
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
    """Keep the collector of cycles away: it would find none, and stop all for long to look at what a search keeps."""
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
    """A solution that a job found; a better one may follow."""

    job: int
    found: Found


class JobEnded(NamedTuple):
    """The end of a job that ran to its end."""

    job: int
    outcome: Outcome


class JobCancelled(NamedTuple):
    """The end of a job that was cancelled; nothing of that job comes after."""

    job: int


class JobCrashed(NamedTuple):
    """The end of a job whose search raised; ``traceback`` is the text to write to a log."""

    job: int
    error: str
    traceback: str


Message = JobSolved | JobEnded | JobCancelled | JobCrashed

_Result = TypeVar("_Result")


# How long a job that rests works at a time.
_SLICE_SECONDS = 0.005


class SolverJob:
    """Runs one search at a time in a daemon thread; a new one ends the older.

    All methods are for the one thread that owns the job (the game's).  ``notify`` is called from the background
    thread whenever a message lies ready, so that an event loop can wake: it must be quick and safe to call there.
    """

    def __init__(self, notify: Callable[[], None] | None = None, *, rests: bool = False) -> None:
        """A job that ``rests`` leaves half of the time to others."""
        self._notify = notify
        self._rests = rests
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._latest: Latest | None = None
        self._job = 0
        self._cancel = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether a search is under way (a cancelled one may be for the moment until it sees that)."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, strategy: Strategy, board: Board, start: State, limits: Limits) -> int:
        """Begin a search, ending the one that runs; returns at once, with the id that its messages bear.

        The new thread waits for the old one, so that never two search at a time.
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
        """Ask the search that runs to end; it does at its next yield.

        Its last message is JobCancelled, or JobEnded or JobCrashed where it came to its end before that yield.
        """
        self._cancel.set()

    def join(self, seconds: float | None = None) -> None:
        """Wait for the thread to end."""
        if self._thread is not None:
            self._thread.join(seconds)

    def latest(self) -> Latest | None:
        """The newest progress of the job started last, or None before the first."""
        latest = self._latest
        return latest if latest is not None and latest.job == self._job else None

    def messages(self) -> list[Message]:
        """The messages that have come since the last call, in their order; those of older jobs may be among them."""
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
            import traceback  # only now: it is slow to import, and the game is to show its first picture at once

            self._put(JobCrashed(job, f"{type(error).__name__}: {error}", traceback.format_exc()))
        else:
            self._put(end)

    def _drive(self, job: int, search: Search, cancel: threading.Event) -> JobEnded | JobCancelled:
        latest = Progress("", 0, 0, 0, 0, 0.0)
        solved = False
        rested_until = 0.0
        while not cancel.is_set():
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


class BackgroundTask(Generic[_Result]):
    """Work in steps, done in a daemon thread of its own from the first moment on.

    All methods are for the thread that owns the task.  It gives way to others while it is paused: it stands still
    from its next step on.
    """

    def __init__(self, steps: Generator[None, None, _Result], notify: Callable[[], None]) -> None:
        """``notify`` is called from the background thread at the end: it must be quick and safe to call there."""
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
        """Whether it has come to its end, with a result or the traceback of a ``crash``."""
        return bool(self._results or self.crash)

    @property
    def result(self) -> _Result | None:
        """What the work came to; None before its end."""
        return self._results[0] if self._results else None

    def pause(self) -> None:
        """Stand still."""
        self._may_run.clear()

    def go_on(self) -> None:
        """Stand still no longer."""
        self._may_run.set()

    def cancel(self) -> None:
        """Give the work up at its next step; nothing more is heard of it."""
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
