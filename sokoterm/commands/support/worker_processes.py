"""Worker processes: one for each search, whose memory goes with it, and a pool for other work."""

import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable, Container, Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import TimeoutError, get_context, parent_process  # noqa: A004 - that of pools
from multiprocessing.connection import Connection, wait
from multiprocessing.pool import IMapIterator
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import NoReturn, Self, TypeVar

from sokoterm.commands.support.output import StatusLine
from sokoterm.commands.support.search import Answer, Report, Request, search_level
from sokoterm.engine.level import Level
from sokoterm.solver.protocol import Outcome, Status, out_of_memory

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

# Longest wait for a pool before the bar moves on: its time is shown in seconds.
LOOK_SECONDS = 0.25

# Longest wait for a message: a signal that comes just before a wait does not end it.
_HEED_SECONDS = 0.1
_ENDING = (signal.SIGINT, signal.SIGTERM)


def search_levels(
    searches: Sequence[tuple[Level, Request]],
    jobs: int,
    skipped: Container[int] = (),
    is_stopped: Callable[[], bool] = lambda: False,
) -> Generator[tuple[int, Answer], None, None]:
    """Make searches, ``jobs`` of them at a time; yields the index of one and its answer as soon as that is known.

    Indices in ``skipped`` are left out.  Meanwhile the status line shows how far the searches have come.  Once it
    ``is_stopped``, which is asked ten times a second, no search begins, and those under way end with the best that
    they have found.  However this ends (Ctrl-C, SIGTERM, a closed generator), the processes end with it.
    """
    waiting = deque(index for index in range(len(searches)) if index not in skipped)
    workers: list[_Worker] = []
    restored = signal.signal(signal.SIGTERM, _end_by_signal)
    with StatusLine() as line:
        try:
            while (waiting or workers) and not is_stopped():
                while waiting and len(workers) < jobs:
                    index = waiting.popleft()
                    workers.append(_Worker(index, *searches[index]))
                wait([worker.pipe for worker in workers], _HEED_SECONDS)
                for worker in [worker for worker in workers if worker.pipe.poll()]:
                    answer = worker.listen()
                    if answer is None:
                        line.write(worker.state(len(searches)))
                    else:
                        workers.remove(worker)
                        line.clear()
                        yield worker.index, answer
            while workers:
                worker = workers.pop()
                yield worker.index, worker.stop()
        finally:
            for worker in workers:
                worker.end()
            signal.signal(signal.SIGTERM, restored)


class Interrupt:
    """The first Ctrl-C during the ``with`` block, which then raises no exception; the second does.

    Where Ctrl-C is ignored, it stays ignored.
    """

    def __init__(self) -> None:
        self.has_come = False
        self._usual = signal.getsignal(signal.SIGINT)

    def __enter__(self) -> Self:
        if self._usual is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._usual)

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self.has_come = True
        signal.signal(signal.SIGINT, self._usual)


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
    """Wait for the next result."""
    while True:
        try:
            return results.next(LOOK_SECONDS)
        except TimeoutError:
            if look is not None:
                look()


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
        with _signals_held():
            self._process.start()
        theirs.close()

    def state(self, levels: int) -> str:
        """Return the state of the search as text."""
        search = self._latest.progress
        pushes = f"depth {search.depth}  bound {search.lower_bound}  " if search.depth else ""
        return (
            f"level {self._level.number} ({self.index + 1} of {levels})  {search.strategy}  "
            f"nodes {search.nodes:,}  stored {search.stored:,}  {pushes}{search.seconds:.1f} s"
        )

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
        """End the search; return its answer if it has come by now, else the best that it has reported."""
        while self.pipe.poll():
            answer = self.listen()
            if answer is not None:
                return answer
        self.end()
        progress, best = self._latest
        status = Status.GAVE_UP if best.solution is None else Status.SOLVED
        figures = (progress.nodes, progress.stored, progress.seconds)
        return Answer(Outcome(status, progress.strategy, None, None, *figures, repeatable=False), best)

    def end(self) -> None:
        self._process.terminate()
        self._process.join()

    def _lost(self) -> Answer:
        self._process.join()
        if self._process.exitcode == -signal.SIGKILL:  # by the kernel: memory ran out
            progress, best = self._latest
            return Answer(out_of_memory(progress, best.solution is not None), best)
        if self._process.exitcode == -signal.SIGTERM:  # sent to the whole group, and here first
            _end_by_signal(signal.SIGTERM, None)
        raise RuntimeError(f"a search ended without an answer; its process exited with {self._process.exitcode}")


def _work(pipe: Connection, level: Level, request: Request) -> None:
    """Run one search: the main function of its process."""
    _leave_signals_to_parent()
    parent = parent_process()

    def report(message: Report) -> None:
        if parent is not None and not parent.is_alive():
            raise SystemExit
        pipe.send(message)

    try:
        answer = search_level(level, request, report)
        pipe.send(answer._replace(peak=peak_bytes()))
    except Exception as error:  # noqa: BLE001 - raised again in the parent
        error.add_note(traceback.format_exc())
        pipe.send(error)


def _leave_signals_to_parent() -> None:
    """Ignore Ctrl-C in a worker: the parent gets it too, and ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back until the end of the block, in a process started in it until that is ready."""
    if sys.platform == "win32":
        yield
        return
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


def _end_by_signal(signal_number: int, _frame: FrameType | None) -> NoReturn:
    """Signal handler: ends the program by an exception, so that its workers are ended too."""
    raise SystemExit(128 + signal_number)


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
