"""Background work: a generator runs in its own thread and reports to the main thread.

Searches, proofs and the building of levels all use it.
"""

import gc
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from typing import Generic, TypeVar

from sokoterm.engine.steps import Steps
from sokoterm.engine.value import Value
from sokoterm.solver.search import Crashed, Found, Progress

_Result = TypeVar("_Result")
_Returned = TypeVar("_Returned", covariant=True)

LONGEST_PAUSE = 0.1
"""Longest pause in seconds, in case the thread that requested it hangs."""

# Time that resting work runs between two rests.
_SLICE_SECONDS = 0.005
# During a busy search, this cuts the median time from key to screen from 7 ms to 1 ms, at no measurable cost.
_SWITCH_SECONDS = 0.0005
# Longest delay of a frame, or of the next key, by a call.
_WAIT_SECONDS = 0.02


class ThreadSwitching:
    """Frequent thread switches while any background thread works.

    The garbage collector is off meanwhile: with millions of live objects, each run would take half a second.
    """

    def __init__(self) -> None:
        self._working = set[object]()
        self._usual_seconds, self._collects_garbage = 0.0, False

    def hasten(self, who: object) -> None:
        """Mark a thread as working; idempotent."""
        if not self._working:
            self._usual_seconds, self._collects_garbage = sys.getswitchinterval(), gc.isenabled()
            sys.setswitchinterval(_SWITCH_SECONDS)
            gc.disable()
        self._working.add(who)

    def rest(self, who: object) -> None:
        """Mark a thread as resting; idempotent."""
        if self._working == {who}:
            sys.setswitchinterval(self._usual_seconds)
            if self._collects_garbage:
                gc.enable()
        self._working.discard(who)


class Background(Generic[_Result]):
    """One piece of work at a time in a daemon thread; each step yields Progress, Found or None.

    Only the owning thread may call the methods. Pauses and cancellation take effect at the next step.
    """

    def __init__(
        self, wake: Callable[[], None], switching: ThreadSwitching | None = None, *, rests: bool = False
    ) -> None:
        """``wake`` is called from the worker thread when there are events; it must be quick and thread-safe.

        With ``rests``, the work sleeps for half of the time, as measured by its Progress.
        """
        self.is_busy = False
        self._wake = wake
        self._switching = switching
        self._rests = rests
        self._run: _Run[_Result] | None = None

    @property
    def latest(self) -> Progress | None:
        """The latest progress of the current or last work."""
        return self._run.latest if self._run is not None else None

    def begin(self, work: Generator[Progress | Found | None, None, _Result]) -> None:
        """Cancel any current work and start another; its thread first waits for the previous one to end."""
        self.cancel()
        self.is_busy = True
        if self._switching is not None:
            self._switching.hasten(self)
        self._run = _Run(partial(self._work, work, self._run))
        self._run.thread.start()

    def events(self) -> Iterator[Found | Crashed | _Result]:
        """Yield the results found since the last call, and the final result or crash."""
        run = self._run
        while run is not None and run is self._run and self.is_busy and run.events:
            event = run.events.popleft()
            if not isinstance(event, Found):
                self._rest()
            yield event

    def pause(self, seconds: float | None = LONGEST_PAUSE) -> None:
        """Pause before each step for at most this many seconds, until ``go_on``."""
        if self._run is not None:
            self._run.longest_pause = seconds
            self._run.may_go_on.clear()

    def go_on(self) -> None:
        if self._run is not None:
            self._run.may_go_on.set()

    def cancel(self) -> None:
        """Stop the work at its next step; no more events follow."""
        if self._run is not None:
            self._run.cancelled.set()
            self._run.may_go_on.set()
        self._rest()

    def join(self, seconds: float) -> None:
        if self._run is not None:
            self._run.thread.join(seconds)

    def close(self) -> None:
        """Cancel, and wait up to a second for the thread to end."""
        self.cancel()
        self.join(1.0)

    def _rest(self) -> None:
        self.is_busy = False
        if self._switching is not None:
            self._switching.rest(self)

    def _work(
        self,
        work: Generator[Progress | Found | None, None, _Result],
        before: "_Run[_Result] | None",
        run: "_Run[_Result]",
    ) -> None:
        """Body of the thread of ``run``; waits first for the thread of ``before``."""
        if before is not None:
            before.thread.join()
        rested_until = 0.0
        end: _Result | Crashed
        try:
            while True:
                run.may_go_on.wait(run.longest_pause)
                if run.cancelled.is_set():
                    work.close()
                    return
                event = next(work)
                if isinstance(event, Progress):
                    if self._rests and (busy := event.seconds - rested_until) >= _SLICE_SECONDS:
                        run.cancelled.wait(busy)
                        rested_until = event.seconds + busy
                    run.latest = event
                elif event is not None:
                    run.events.append(event)
                    self._wake()
        except StopIteration as stop:
            end = stop.value
        except Exception:  # noqa: BLE001 - whatever the work raises must reach the player
            from traceback import format_exc  # takes time to load

            end = Crashed(format_exc())
        if not run.cancelled.is_set():
            run.events.append(end)
            self._wake()


class _Run(Generic[_Result]):
    """State of one piece of work, shared between its thread and the owner."""

    def __init__(self, work: Callable[["_Run[_Result]"], None]) -> None:
        import threading  # slow to load: only after the first frame

        self.latest: Progress | None = None
        self.events = deque[Found | Crashed | _Result]()
        self.longest_pause: float | None = LONGEST_PAUSE
        self.cancelled = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.thread = threading.Thread(target=work, args=(self,), daemon=True)


class Call(Generic[_Returned]):
    """A function call in its own thread; ``result`` is None until it returns.

    After a crash, ``crash`` is the traceback. With ``at_once``, the function runs synchronously.
    """

    def __init__(self, function: Callable[[], _Returned], *, at_once: bool = False) -> None:
        self.crash = ""
        self._results: list[_Returned] = []
        self._background = Background[_Returned](lambda: None)
        if at_once:
            self._results.append(function())
        else:

            def work() -> Steps[_Returned]:
                yield
                return function()

            self._background.begin(work())
            self.wait()

    @property
    def is_over(self) -> bool:
        for event in self._background.events():
            if isinstance(event, Crashed):
                self.crash = event.traceback
            elif not isinstance(event, Found):
                self._results.append(event)
        return bool(self._results or self.crash)

    @property
    def result(self) -> _Returned | None:
        return self._results[0] if self.is_over and self._results else None

    def wait(self) -> None:
        self._background.join(_WAIT_SECONDS)


class BuildJob(Value):
    """A level to build, identified by ``key``.

    ``steps`` does the work and returns a function that stores the level, to be called in the main thread.
    """

    key: tuple[object, ...]
    steps: Callable[[], Generator[None, None, Callable[[], None]]]


class LevelBuilder(Background[Callable[[], None]]):
    """Builder of levels in the background, one at a time."""

    _job: BuildJob | None = None
    _settled: frozenset[tuple[object, ...]] = frozenset()  # keys of the jobs that are done, or have failed

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:
        """Store a finished level and build the first unfinished job; return the traceback of a failed job.

        A job that is no longer listed is cancelled. With ``gives_way``, the builder pauses.
        """
        crash = self._hand_on()
        wanted = {each.key for each in jobs}
        if self._job is not None and self._job.key not in wanted:
            self.cancel()
            self._job = None
        self._settled &= wanted  # a dropped job may be requested again, even if it failed
        if self._job is not None:
            if gives_way:
                self.pause(None)
            else:
                self.go_on()
        elif not gives_way:
            self._job = next((each for each in jobs if each.key not in self._settled), None)
            if self._job is not None:
                self.begin(self._job.steps())
        return crash

    def _hand_on(self) -> str:
        for event in self.events():
            if self._job is not None:
                # Do not start it again: the list of jobs may be older than the stored level.
                self._settled |= {self._job.key}
                self._job = None
            if isinstance(event, Crashed):
                return event.traceback
            if not isinstance(event, Found):
                event()
        return ""
