"""Searches in processes of their own, whose memory goes with them."""

import signal
import sys
from collections import deque
from collections.abc import Container, Generator, Sequence
from contextlib import nullcontext
from multiprocessing.connection import Connection, wait

from sokoterm.commands.support.local_workers import EndingSignals, WorkerProcess, send_error
from sokoterm.commands.support.output import StatusLine
from sokoterm.commands.support.search import Answer, Report, Request, search_level
from sokoterm.engine.level import Level
from sokoterm.language import _, ngettext, number
from sokoterm.solver.protocol import Outcome, Status, out_of_memory

# Longest wait for a message, and for a signal to be heeded.
_HEED_SECONDS = 0.1


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


class _Worker(WorkerProcess):
    """A search in a process of its own, which reports through the pipe."""

    def __init__(self, index: int, level: Level, request: Request) -> None:
        super().__init__(_work, level, request)
        self.index = index
        self._level = level
        self._latest = Report(request.not_begun())

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
        match self.receive():
            case Report() as report:
                self._latest = report
                return None
            case Answer() as answer:
                self.process.join()
                return answer
            case _:
                return self._lost()

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

    def _lost(self) -> Answer:
        if self.process.exitcode == -signal.SIGKILL:  # by the kernel: memory ran out
            return self._latest.answer(out_of_memory(self._latest.progress, self._latest.found is not None))
        raise RuntimeError(f"a search ended without an answer; its process exited with {self.process.exitcode}")


def _work(pipe: Connection, level: Level, request: Request) -> None:
    """Run one search: the work of a process."""
    peak_of_lanes = 0

    def report(message: Report) -> None:
        nonlocal peak_of_lanes
        peak_of_lanes = max(peak_of_lanes, message.progress.lanes_memory)
        pipe.send(message)

    try:
        answer = search_level(level, request, report)
        pipe.send(answer._replace(peak=peak_bytes() + peak_of_lanes))
    except Exception as error:  # noqa: BLE001 - raised again in the parent
        send_error(pipe, error)


def peak_bytes() -> int:
    """Return the peak memory of this process (Linux: VmHWM, proc(5)), 0 if that is not known."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        pass
    try:
        from resource import RUSAGE_SELF, getrusage  # POSIX
    except ImportError:
        return 0
    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10
