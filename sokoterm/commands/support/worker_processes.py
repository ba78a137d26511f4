"""Worker processes: one for each search, whose memory goes with it, and a pool for other work."""

import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable, Container, Generator, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from multiprocessing import TimeoutError, get_context, parent_process  # noqa: A004 - that of pools
from multiprocessing.connection import Connection, wait
from multiprocessing.pool import IMapIterator
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Self, TypeVar

from sokoterm.commands.support.output import StatusLine
from sokoterm.commands.support.search import Answer, Report, Request, search_level
from sokoterm.engine.level import Level
from sokoterm.language import _, ngettext, number
from sokoterm.solver.protocol import Outcome, Status, out_of_memory

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Handler = Callable[[int, FrameType | None], object] | int | None

# Longest wait for a pool before the bar moves on, whose time is shown in seconds, and for a signal to be heeded.
LOOK_SECONDS = 0.25

# Longest wait for a message, and for a signal to be heeded.
_HEED_SECONDS = 0.1
_ENDING = (signal.SIGINT, signal.SIGTERM)


def search_levels(
    searches: Sequence[tuple[Level, Request]], jobs: int, skipped: Container[int] = (), *, keeps: bool = False
) -> Generator[tuple[int, Answer], None, None]:
    """Make searches, ``jobs`` of them at a time; yields the index of one and its answer as soon as that is known.

    Indices in ``skipped`` are left out.  Meanwhile the status line shows how far the searches have come.  However this
    ends (Ctrl-C, SIGTERM, a closed generator), the processes end with it.  If it ``keeps`` what was found, a signal is
    raised only after each search that has begun was answered with its best so far.
    """
    waiting = deque(index for index in range(len(searches)) if index not in skipped)
    workers: list[_Worker] = []
    with EndingSignals() as signals, StatusLine() as line:
        try:
            while (waiting or workers) and not (keeps and signals.have_come):
                while waiting and len(workers) < jobs:
                    index = waiting.popleft()
                    workers.append(_Worker(index, *searches[index]))
                wait([worker.pipe for worker in workers], _HEED_SECONDS)
                if not keeps:
                    signals.heed()
                for worker in [worker for worker in workers if worker.pipe.poll()]:
                    answer = worker.listen()
                    if answer is not None:
                        workers.remove(worker)
                    with nullcontext() if keeps else signals.heeded():
                        if answer is None:
                            line.write(worker.state(len(searches)))
                        else:
                            line.clear()
                            yield worker.index, answer
            line.clear()
            while workers:
                worker = workers.pop(0)
                yield worker.index, worker.stop()
            signals.heed()
        finally:
            for worker in workers:
                worker.end()


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
            pool = get_context().Pool(jobs, leave_signals_to_parent)
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


class _Worker:
    """A search in a process of its own, which reports through a pipe."""

    def __init__(self, index: int, level: Level, request: Request) -> None:
        context = get_context()
        self.index = index
        self.pipe, theirs = context.Pipe(duplex=False)
        self._level = level
        self._latest = Report(request.not_begun())
        job = (theirs, level, request)
        self._process: BaseProcess = context.Process(target=_work, args=job, daemon=True)
        with signals_held():
            self._process.start()
        theirs.close()

    def state(self, levels: int) -> str:
        """Return the state of the search as text."""
        search = self._latest.progress
        parts = [
            _("level {number} ({index} of {all})", number=self._level.number, index=self.index + 1, all=levels),
            search.strategy,
            ngettext("{n} core", "{n} cores", search.cores) if search.cores > 1 else "",
            _("nodes {number:,}", number=search.nodes),
            _("stored {number:,}", number=search.stored),
            _("depth {number}", number=search.depth) if search.depth else "",
            _("bound {number}", number=search.lower_bound) if search.depth else "",
            _("{seconds} s", seconds=number(search.seconds, 1)),
        ]
        return "  ".join(filter(None, parts))

    def listen(self) -> Answer | None:
        """Take one message: the answer, or None for a report; raises what the search has raised."""
        try:
            message: Report | Answer | Exception = self.pipe.recv()
        except (EOFError, OSError):
            return self._lost()
        match message:
            case Report():
                self._latest = message
                return None
            case Answer():
                self._process.join()
                return message
            case error:
                raise error

    def stop(self) -> Answer:
        """End the search; return its answer if that has come by now, else the best that it has reported."""
        while self.pipe.poll():
            answer = self.listen()
            if answer is not None:
                return answer
        self.end()
        progress, found, __ = self._latest
        status = Status.SOLVED if found else Status.GAVE_UP
        figures = (progress.nodes, progress.stored, progress.seconds)
        return self._latest.answer(Outcome(status, progress.strategy, None, None, *figures, repeatable=False))

    def end(self) -> None:
        self._process.terminate()
        self._process.join()

    def _lost(self) -> Answer:
        self._process.join()
        if self._process.exitcode == -signal.SIGKILL:  # by the kernel: memory ran out
            return self._latest.answer(out_of_memory(self._latest.progress, self._latest.found is not None))
        if self._process.exitcode == -signal.SIGTERM:  # sent to the whole group, and here first
            raise SystemExit(128 + signal.SIGTERM)
        raise RuntimeError(f"a search ended without an answer; its process exited with {self._process.exitcode}")


def _work(pipe: Connection, level: Level, request: Request) -> None:
    """Run one search: the main function of its process."""
    leave_signals_to_parent()
    parent = parent_process()
    peak_of_lanes = 0

    def report(message: Report) -> None:
        nonlocal peak_of_lanes
        peak_of_lanes = max(peak_of_lanes, message.progress.lanes_memory)
        if parent is not None and not parent.is_alive():
            raise SystemExit
        pipe.send(message)

    try:
        answer = search_level(level, request, report)
        pipe.send(answer._replace(peak=peak_bytes() + peak_of_lanes))
    except Exception as error:  # noqa: BLE001 - raised again in the parent
        error.add_note(traceback.format_exc())
        pipe.send(error)


def leave_signals_to_parent() -> None:
    """Ignore Ctrl-C in a worker: the parent gets it too, and ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


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


def peak_bytes() -> int:
    """Return the peak memory of this process (Linux: VmHWM, proc(5)), 0 if that is not known."""
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
