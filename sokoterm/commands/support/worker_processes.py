"""Searches, a process for each: one that eats all memory takes no other with it, nor leaves any behind for the next."""

import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import TimeoutError, get_context, parent_process  # noqa: A004 - that of pools
from multiprocessing.connection import Connection, wait
from multiprocessing.pool import IMapIterator
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import NoReturn, TypeVar

from sokoterm.commands.support.search_request import Answer, Report, Request, search_level
from sokoterm.engine.level import Level
from sokoterm.solver.protocol import out_of_memory

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

# How long a pool is waited for before the bar moves on: its time is shown in seconds.
_LOOK_SECONDS = 0.25

# A signal that comes just before a wait does not end it: so long at most it goes unheeded.
_HEED_SECONDS = 0.1
_ENDING = (signal.SIGINT, signal.SIGTERM)


def search_levels(
    levels: Sequence[tuple[int, Level]], request: Request, jobs: int, report: Callable[[Report], None]
) -> Generator[tuple[int, Answer], None, None]:
    """Search each level, at most ``jobs`` of them at a time; each answer comes with its place, as soon as it is known.

    However this ends (Ctrl-C, SIGTERM, a closed generator), the processes end with it.
    """
    waiting = deque(levels)
    workers: list[_Worker] = []
    restored = signal.signal(signal.SIGTERM, _end_by_signal)
    try:
        while waiting or workers:
            while waiting and len(workers) < jobs:
                workers.append(_Worker(*waiting.popleft(), request))
            wait([worker.pipe for worker in workers], _HEED_SECONDS)
            for worker in [worker for worker in workers if worker.pipe.poll()]:
                answer = worker.listen(report)
                if answer is not None:
                    workers.remove(worker)
                    yield worker.place, answer
    finally:
        for worker in workers:
            worker.end()
        signal.signal(signal.SIGTERM, restored)


def in_pool(
    work: Callable[[_Item], _Result], items: Sequence[_Item], jobs: int, look: Callable[[], None] | None = None
) -> Generator[_Result, None, None]:
    """What comes of each item, in order, ``jobs`` of them at a time in processes; however this ends, they end with it.

    With one job all is done here.  With more ``look`` is called now and then while nothing has come.
    """
    jobs = min(jobs, len(items))
    if jobs <= 1:
        yield from map(work, items)
        return
    restored = signal.signal(signal.SIGTERM, _end_by_signal)
    try:
        with _signals_held():
            pool = get_context().Pool(jobs, _leave_signals_to_parent)
        with pool:
            results = pool.imap(work, items)
            for _ in items:
                yield _awaited(results, look)
    finally:
        signal.signal(signal.SIGTERM, restored)


def _awaited(results: "IMapIterator[_Result]", look: Callable[[], None] | None) -> _Result:
    """The next of the results."""
    while True:
        try:
            return results.next(_LOOK_SECONDS)
        except TimeoutError:
            if look is not None:
                look()


class _Worker:
    """A search in a process of its own, and the pipe on which it reports."""

    def __init__(self, place: int, level: Level, request: Request) -> None:
        context = get_context()
        self.place = place
        self.pipe, theirs = context.Pipe(duplex=False)
        self._latest = Report(place, request.not_begun(), None)
        job = (theirs, place, level, request)
        self._process: BaseProcess = context.Process(target=_work, args=job, daemon=True)
        with _signals_held():
            self._process.start()
        theirs.close()

    def listen(self, report: Callable[[Report], None]) -> Answer | None:
        """One message: a report is handed on, the answer is returned, and a failure of the search is raised."""
        try:
            message: Report | Answer | Exception = self.pipe.recv()
        except (EOFError, OSError):
            return self._lost()
        match message:
            case Report():
                self._latest = message
                report(message)
                return None
            case Answer():
                self._process.join()
                return message
            case error:
                raise error

    def end(self) -> None:
        self._process.terminate()
        self._process.join()

    def _lost(self) -> Answer:
        self._process.join()
        if self._process.exitcode == -signal.SIGKILL:  # what the kernel does to a process when memory runs out
            solution = self._latest.solution
            return Answer(out_of_memory(self._latest.progress, solution is not None), solution)
        if self._process.exitcode == -signal.SIGTERM:  # sent to all of us, and it was the first to hear
            _end_by_signal(signal.SIGTERM, None)
        raise RuntimeError(f"a search ended without an answer, its process with {self._process.exitcode}")


def _work(pipe: Connection, place: int, level: Level, request: Request) -> None:
    """The process of one search."""
    _leave_signals_to_parent()
    parent = parent_process()

    def report(message: Report) -> None:
        if parent is not None and not parent.is_alive():
            raise SystemExit
        pipe.send(message)

    try:
        answer = search_level(place, level, request, report)
        pipe.send(answer._replace(peak=peak_bytes()))
    except Exception as error:  # noqa: BLE001 - it is raised again where the searches are followed
        error.add_note(traceback.format_exc())
        pipe.send(error)


def _leave_signals_to_parent() -> None:
    """What a process of work does first of all: the parent hears Ctrl-C too, and ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait until the end of the block; in a process that is started in it, until it is ready."""
    if sys.platform == "win32":
        yield
        return
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


def _end_by_signal(signal_number: int, _frame: FrameType | None) -> NoReturn:
    """A handler that ends the program as a fault would, so that what it has started is ended too."""
    raise SystemExit(128 + signal_number)


def peak_bytes() -> int:
    """The most memory that this process has had at a time (Linux: VmHWM, proc(5)), 0 where that cannot be known."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        pass
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return 0
    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10
