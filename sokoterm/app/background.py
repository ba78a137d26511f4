"""Work beside the game: a generator in a thread of its own, which reports to the thread of the program.

Searches, proofs and levels that are built are all run by this one class.
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
"""Most seconds of a pause: the thread that asked for it may have hung."""

# Working time between two rests of work that rests.
_SLICE_SECONDS = 0.005
# Beside a busy search this brings the median time from a key to the screen from 7 ms to 1 ms, and costs the search
# nothing that could be measured.
_SWITCH_SECONDS = 0.0005
# A picture, or the next key, waits so long for a call.
_WAIT_SECONDS = 0.02


class ThreadSwitching:
    """Frequent thread switches while any background thread works, the usual ones otherwise.

    The collector of cycles is off meanwhile: work keeps millions of objects, and each run of the collector would stop
    everything for half a second.
    """

    def __init__(self) -> None:
        self._working = set[object]()
        self._usual_seconds, self._collects_garbage = 0.0, False

    def hasten(self, who: object) -> None:
        """Note that a thread is at work; a second call makes no difference."""
        if not self._working:
            self._usual_seconds, self._collects_garbage = sys.getswitchinterval(), gc.isenabled()
            sys.setswitchinterval(_SWITCH_SECONDS)
            gc.disable()
        self._working.add(who)

    def rest(self, who: object) -> None:
        """Note that it rests; a second call makes no difference."""
        if self._working == {who}:
            sys.setswitchinterval(self._usual_seconds)
            if self._collects_garbage:
                gc.enable()
        self._working.discard(who)


class Background(Generic[_Result]):
    """One piece of work at a time in a daemon thread; it may yield Progress, Found, or nothing after a step.

    Call all methods from the thread that owns it.  Work is paused and cancelled at its next step.
    """

    def __init__(
        self, wake: Callable[[], None], switching: ThreadSwitching | None = None, *, rests: bool = False
    ) -> None:
        """``wake`` is called in the thread of the work when there are events; it must be quick and thread-safe.

        Work that ``rests`` sleeps half of the time that its Progress counts, to leave it to others.
        """
        self.is_busy = False
        self._wake = wake
        self._switching = switching
        self._rests = rests
        self._run: _Run[_Result] | None = None

    @property
    def latest(self) -> Progress | None:
        """The newest progress of the work begun last."""
        return self._run.latest if self._run is not None else None

    def begin(self, work: Generator[Progress | Found | None, None, _Result]) -> None:
        """Begin some work in place of any other: its thread waits for the one before, so that only one works."""
        self.cancel()
        self.is_busy = True
        if self._switching is not None:
            self._switching.hasten(self)
        self._run = _Run(partial(self._work, work, self._run))
        self._run.thread.start()

    def events(self) -> Iterator[Found | Crashed | _Result]:
        """Yield what was found since the last call, and the result or crash with which the work has ended."""
        run = self._run
        while run is not None and run is self._run and self.is_busy and run.events:
            event = run.events.popleft()
            if not isinstance(event, Found):
                self._rest()
            yield event

    def pause(self, seconds: float | None = LONGEST_PAUSE) -> None:
        """Pause until ``go_on``, or for some seconds before each step."""
        if self._run is not None:
            self._run.longest_pause = seconds
            self._run.may_go_on.clear()

    def go_on(self) -> None:
        """Continue after ``pause``."""
        if self._run is not None:
            self._run.may_go_on.set()

    def cancel(self) -> None:
        """End the work at its next step, without another event."""
        if self._run is not None:
            self._run.cancelled.set()
            self._run.may_go_on.set()
        self._rest()

    def join(self, seconds: float) -> None:
        """Wait for the thread to end."""
        if self._run is not None:
            self._run.thread.join(seconds)

    def close(self) -> None:
        """Cancel, and wait a moment for the thread to see it."""
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
        """Work in the thread of ``run``, once that of the one before has ended."""
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
    """State of one piece of work, shared by its thread and the thread that owns it."""

    def __init__(self, work: Callable[["_Run[_Result]"], None]) -> None:
        import threading  # takes time to load: the first picture does not wait for it

        self.latest: Progress | None = None
        self.events = deque[Found | Crashed | _Result]()
        self.longest_pause: float | None = LONGEST_PAUSE
        self.cancelled = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.thread = threading.Thread(target=work, args=(self,), daemon=True)


class Call(Generic[_Returned]):
    """A function called in a thread of its own; ``result`` is None until it returns, and if it crashes.

    ``crash`` is then the traceback. ``at_once``: it is called here and now, as it takes no time.
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
        """Wait a moment for the result."""
        self._background.join(_WAIT_SECONDS)


class BuildJob(Value):
    """A level to build: ``steps`` is the work, whose result takes the level up in the program's own thread.

    ``key`` tells the job from others.
    """

    key: tuple[object, ...]
    steps: Callable[[], Generator[None, None, Callable[[], None]]]


class LevelBuilder(Background[Callable[[], None]]):
    """Builder of one level at a time, while the game goes on."""

    _job: BuildJob | None = None
    # The keys of the jobs that are done, or have failed.
    _settled: frozenset[tuple[object, ...]] = frozenset()

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:
        """Build the first job that is not done, and hand on what is; return the traceback of a job that failed.

        A job that is not wanted any more is given up.  A builder that ``gives_way`` pauses for now.
        """
        crash = self._hand_on()
        wanted = {each.key for each in jobs}
        if self._job is not None and self._job.key not in wanted:
            self.cancel()
            self._job = None
        # A job that was dropped is done again when it is wanted again, even if it failed.
        self._settled &= wanted
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
        """Hand on a level that is done; return the traceback of one that failed."""
        for event in self.events():
            if self._job is not None:
                # It is not begun again while it is wanted: the jobs given now may be older than the level handed on.
                self._settled |= {self._job.key}
                self._job = None
            if isinstance(event, Crashed):
                return event.traceback
            if not isinstance(event, Found):
                event()
        return ""
