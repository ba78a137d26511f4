"""Worker processes on this machine: they end with the process that began them, however that ends."""

import os
import signal
import sys
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import TimeoutError, get_context, parent_process  # noqa: A004 - that of pools
from multiprocessing.connection import Connection, wait
from multiprocessing.pool import IMapIterator
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Self, TypeVar

from sokoterm.commands.support.levels import LevelResult, LevelTask, Work
from sokoterm.engine.level import Level

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Handler = Callable[[int, FrameType | None], object] | int | None

# Longest wait for a pool before the bar moves on, whose time is shown in seconds, and for a signal to be heeded.
LOOK_SECONDS = 0.25

# Longest wait for a result, and for a signal to be heeded.
_WAIT_SECONDS = 0.1
_ENDING = (signal.SIGINT, signal.SIGTERM)


class WorkerProcess:
    """A process at the other end of ``pipe``."""

    def __init__(self, serve: Callable[..., None], *arguments: object) -> None:
        """``serve`` is the work of the process, called with its end of the pipe and the arguments."""
        context = get_context()
        self.pipe, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=_begin, args=(serve, theirs, *arguments), daemon=True)
        with signals_held():
            self.process.start()
        theirs.close()

    def receive(self) -> object | None:
        """Take one message, None once the process has ended; raises an exception sent, and SystemExit after SIGTERM."""
        try:
            message: object = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            if self.process.exitcode == -signal.SIGTERM:  # sent to the whole group, and here first
                raise SystemExit(128 + signal.SIGTERM) from None
            return None
        if isinstance(message, Exception):
            raise message
        return message

    def end(self) -> None:
        self.process.terminate()
        self.process.join()


def send_error(pipe: Connection, error: Exception) -> None:
    """Send an exception of the work, with its traceback, to be raised by ``receive``."""
    error.add_note(traceback.format_exc())
    pipe.send(error)


def _begin(serve: Callable[..., None], pipe: Connection, *arguments: object) -> None:
    """Begin a worker: the main function of its process."""
    _follow_parent()
    with suppress(EOFError, OSError):  # the parent is gone
        serve(pipe, *arguments)


def _follow_parent() -> None:
    """Leave Ctrl-C to the parent, which gets it too, and end at once when the parent is gone, even if it was killed."""
    from sokoterm.solver.job import start_thread  # in the worker

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

    start_thread(watch, "watch")


class LocalWorkers:
    """A number of processes, each with one level at a time; one that is lost costs its level alone."""

    address = "this machine"
    has_threads = False

    def __init__(self, workers: int, signals: "EndingSignals") -> None:
        self.workers = workers
        self._signals = signals
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, _Worker] = {}

    def results(self, tasks: Iterator[LevelTask | None]) -> Iterator[list[LevelResult]]:
        """Do tasks, taken as workers are free; yields their results as they come, and an empty list now and then.

        ``tasks`` may yield None while results that are on their way have to come first.
        """
        is_over = False
        while True:
            while not is_over and len(self._busy) < self.workers:
                task = next(tasks, _END)
                is_over = task is _END
                if not isinstance(task, LevelTask):
                    break
                worker = self._idle.pop() if self._idle else _Worker(_serve)
                worker.begin(task)
                self._busy[worker.pipe] = worker
            if not self._busy:
                return
            ready = [each for each in wait([*self._busy], _WAIT_SECONDS) if isinstance(each, Connection)]
            self._signals.heed()
            yield [self._taken(self._busy.pop(each)) for each in ready]

    def _taken(self, worker: "_Worker") -> LevelResult:
        result = worker.result()
        if result.text is not None:
            self._idle.append(worker)
        return result

    def close(self) -> None:
        """End all processes."""
        for worker in [*self._idle, *self._busy.values()]:
            worker.end()


_END = object()


class _Worker(WorkerProcess):
    """A process that does tasks one after the other."""

    def begin(self, task: LevelTask) -> None:
        self._key = task.key
        self.pipe.send((task.level, task.work))

    def result(self) -> LevelResult:
        """Return the result, without a text if the process was killed; raises what the work has raised."""
        text = self.receive()
        return LevelResult(self._key, None if text is None else str(text))


@contextmanager
def local_workers(workers: int) -> Iterator[LocalWorkers]:
    """Make workers that end with the block, however it ends; Ctrl-C and SIGTERM are raised between two results."""
    with EndingSignals() as signals:
        pool = LocalWorkers(workers, signals)
        try:
            yield pool
        finally:
            pool.close()


def _serve(pipe: Connection) -> None:
    """Do tasks: the work of a process."""
    level: Level
    work: Work
    while True:
        level, work = pipe.recv()
        try:
            pipe.send(work(level, _is_wanted))
        except Exception as error:  # noqa: BLE001 - raised again in the parent
            send_error(pipe, error)


def _is_wanted() -> None:
    """All work is wanted as long as the process lives."""


def in_pool(
    work: Callable[[_Item], _Result], items: Sequence[_Item], jobs: int, look: Callable[[], None] | None = None
) -> Generator[_Result, None, None]:
    """Do work on each item, ``jobs`` at a time, each in a process; yields the results in order.

    However this ends, the processes end with it.  One job needs none: the work is done here.  With more, ``look`` is
    called now and then while no result comes.
    """
    jobs = min(jobs, len(items))
    if jobs <= 1:
        yield from map(work, items)
        return
    with EndingSignals() as signals:
        with signals_held():
            pool = get_context().Pool(jobs, _follow_parent)
        with pool:
            results = pool.imap(work, items)
            for __ in items:
                result = _awaited(results, signals, look)
                with signals.heeded():
                    yield result


def _awaited(results: "IMapIterator[_Result]", signals: "EndingSignals", look: Callable[[], None] | None) -> _Result:
    """Wait for the next result."""
    while True:
        try:
            return results.next(LOOK_SECONDS)
        except TimeoutError:
            with signals.heeded():
                if look is not None:
                    look()


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
