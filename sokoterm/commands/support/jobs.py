"""Processes on this machine that do work side by side: they end with the process that began them, however that ends."""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from types import FrameType, TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from sokoterm.commands.support.levels import LevelResult, LevelTask, Work
from sokoterm.engine.level import Level

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Handler = Callable[[int, FrameType | None], object] | int | None

Tell = Callable[[object], None]
"""A function by which work reports to the process that began it."""

WAIT_SECONDS = 0.1
"""Longest wait for a message, before the caller gets a turn and a signal is heeded."""

_ENDING = (signal.SIGINT, signal.SIGTERM)


class Job(NamedTuple):
    """Work for a process, and the key of all that comes of it; pickled, so of functions of modules and partials."""

    key: int | str
    work: Callable[[Tell], object]


class Reported(NamedTuple):
    """A report of the work of a key."""

    key: int | str
    value: Any


class Done(NamedTuple):
    """The result of the work of a key."""

    key: int | str
    result: Any


class Lost(NamedTuple):
    """The end of a process without a result for a key; ``status`` as in ``exitcode``, -SIGTERM if it was stopped."""

    key: int | str
    status: int


class Processes:
    """A number of processes, each with one task at a time; one that is killed costs its task alone.

    Leaving the block ends them.  Ctrl-C and SIGTERM are noted in it, and raised before the next message is waited for.
    """

    def __init__(self, count: int, *, fresh: bool = False, keeps: bool = False) -> None:
        """``fresh``: each task gets a process of its own, whose memory goes with it.

        If it ``keeps`` what was found, a signal ends ``run``, which says then what is known of each task, and is raised
        after that.
        """
        self.count = count
        self._fresh = fresh
        self._keeps = keeps
        self._signals = EndingSignals()
        self._idle: list[_Process] = []
        self._busy: dict[Connection, _Process] = {}

    def __enter__(self) -> Self:
        self._signals.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in [*self._idle, *self._busy.values()]:
            process.end()
        self._signals.__exit__()

    def run(self, jobs: Iterator[Job | None]) -> Iterator[list[Reported | Done | Lost]]:
        """Do jobs, taken as processes are free; yields what comes of them as it comes, and an empty list now and then.

        ``jobs`` may yield None while results that are on their way have to come first.  Raises what the work raises.
        """
        is_over = False
        while not (self._keeps and self._signals.have_come):
            while not is_over and len(self._busy) < self.count:
                job = next(jobs, _END)
                is_over = job is _END
                if not isinstance(job, Job):
                    break
                process = self._idle.pop() if self._idle else _Process()
                process.begin(job)
                self._busy[process.pipe] = process
            if not self._busy:
                break
            ready = wait([*self._busy], WAIT_SECONDS)
            if not self._keeps:
                self._signals.heed()
            yield [self._heard(self._busy[each]) for each in ready if isinstance(each, Connection)]
        for pipe, process in [*self._busy.items()]:
            while pipe in self._busy and pipe.poll():
                yield [self._heard(process)]
            if pipe in self._busy:
                process.end()
                del self._busy[pipe]
                yield [Lost(process.key, -signal.SIGTERM)]
        self._signals.heed()

    def heeded(self) -> AbstractContextManager[None]:
        """Raise signals as they come, in a block that may take long; not if the pool ``keeps`` what was found."""
        return nullcontext() if self._keeps else self._signals.heeded()

    def _heard(self, process: "_Process") -> Reported | Done | Lost:
        """Take one message of a process that is busy; raises what its work has raised."""
        said = process.listen()
        if not isinstance(said, Reported):
            del self._busy[process.pipe]
            if isinstance(said, Done) and not self._fresh:
                self._idle.append(process)
            else:
                process.end()
        return said


_END = object()


class _Process:
    """A process that does jobs one after the other, at the other end of ``pipe``; ``key`` is that of the latest."""

    def __init__(self) -> None:
        context = get_context()
        self.key: int | str = 0
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        with signals_held():
            self._process.start()
        theirs.close()

    def begin(self, job: Job) -> None:
        self.key = job.key
        with suppress(OSError):  # it was killed, which is heard in place of the result
            self.pipe.send(job)

    def listen(self) -> Reported | Done | Lost:
        """Take one message; raises an exception of the work, and SystemExit after SIGTERM."""
        try:
            said: Reported | Done | Exception = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            status = self._process.exitcode or 0
            if status == -signal.SIGTERM:  # sent to the whole group, and here first
                raise SystemExit(128 + signal.SIGTERM) from None
            return Lost(self.key, status)
        if isinstance(said, Exception):
            raise said
        return said

    def end(self) -> None:
        self._process.terminate()
        self._process.join()


def _serve(pipe: Connection) -> None:
    """Do jobs until nobody is left to tell: the main function of a process."""
    _follow_parent()
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            job: Job = pipe.recv()
            try:
                pipe.send(Done(job.key, job.work(partial(_report, pipe, job.key))))
            except Exception as error:  # noqa: BLE001 - raised again in the parent
                error.add_note(traceback.format_exc())
                pipe.send(error)


def _report(pipe: Connection, key: int | str, value: object) -> None:
    pipe.send(Reported(key, value))


def _follow_parent() -> None:
    """Leave Ctrl-C to the parent, which gets it too, and end at once when the parent is gone, even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    parent = parent_process()
    if parent is None:
        raise AssertionError("a worker without a parent")

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class LocalWorkers(Processes):
    """Processes that do the work of a cluster; as long as they live it is wanted."""

    address = "this machine"
    has_threads = False

    @property
    def workers(self) -> int:
        """The number of processes."""
        return self.count

    def results(self, tasks: Iterator[LevelTask | None]) -> Iterator[list[LevelResult]]:
        """Do tasks, as ``run`` does; yields their results."""
        jobs = (Job(each.key, partial(_on_level, each.work, each.level)) if each else None for each in tasks)
        for said in self.run(jobs):
            yield [LevelResult(str(each.key), each.result if isinstance(each, Done) else None) for each in said]


def _on_level(work: Work, level: Level, _tell: Tell) -> str:
    return work(level, lambda: None)


def in_processes(
    work: Callable[..., _Result],
    items: Sequence[_Item],
    jobs: int,
    look: Callable[[], None] = lambda: None,
    hear: Tell | None = None,
) -> Generator[_Result, None, None]:
    """Do work on each item, ``jobs`` at a time, each in a process; yields the results in order.

    However this ends, the processes end with it.  One job needs none: the work is done here.  With more, ``look`` is
    called now and then while no result comes.  If there is somebody to ``hear`` it, the work takes a function beside
    the item that tells something on the way.
    """
    if min(jobs, len(items)) <= 1:
        yield from (work(item) if hear is None else work(item, hear) for item in items)
        return
    waiting: dict[int | str, _Result] = {}
    place = 0
    with Processes(min(jobs, len(items))) as processes:
        for said in processes.run(
            Job(place, partial(_on_item, work, item, hear is not None)) for place, item in enumerate(items)
        ):
            for each in said:
                if isinstance(each, Lost):
                    raise RuntimeError(f"a process ended without a result: it exited with {each.status}")
                if isinstance(each, Done):
                    waiting[each.key] = each.result
                elif hear is not None:
                    hear(each.value)
            with processes.heeded():
                look()
                while place in waiting:
                    yield waiting.pop(place)
                    place += 1


def _on_item(work: Callable[..., _Result], item: _Item, tells: bool, tell: Tell) -> _Result:
    return work(item, tell) if tells else work(item)


def peak_bytes() -> int:
    """Return the peak memory of this process (Linux: VmHWM, proc(5)), 0 if that is not known."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        pass
    try:
        from resource import RUSAGE_SELF, getrusage  # not on Windows
    except ImportError:
        return 0
    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10


class EndingSignals:
    """Ctrl-C and SIGTERM while processes are at work: noted, and raised where nothing is half done.

    Raised at once, they could come up while Python frees an object of multiprocessing, where exceptions are dropped.
    """

    def __init__(self) -> None:
        self._noted = 0
        self._are_raised = False
        self._usual: dict[int, _Handler] = {}

    def __enter__(self) -> Self:
        for signum in _ENDING:
            if signal.getsignal(signum) is not signal.SIG_IGN:
                self._usual[signum] = signal.signal(signum, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for signum, usual in self._usual.items():
            signal.signal(signum, usual)
        if self._noted:
            signal.raise_signal(self._noted)

    @property
    def have_come(self) -> bool:
        """True if a signal has been noted and not been raised."""
        return bool(self._noted)

    def heed(self) -> None:
        """Raise KeyboardInterrupt or SystemExit if a signal has come."""
        noted, self._noted = self._noted, 0
        if noted == signal.SIGINT:
            raise KeyboardInterrupt
        if noted:
            raise SystemExit(128 + noted)

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Raise signals as they come, in a block that frees no process and may take long."""
        self._are_raised = True
        try:
            self.heed()
            yield
        finally:
            self._are_raised = False

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._noted = number
        if self._are_raised:
            self.heed()


@contextmanager
def signals_held() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back until the end of the block, in a process started in it until that is ready."""
    if sys.platform == "win32":
        yield
        return
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
