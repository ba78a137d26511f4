"""Processes on this machine that do the work of a cluster, without Dask."""

import signal
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait

from sokoterm.commands.support.cluster import LevelResult, LevelTask, UnwantedError, Work
from sokoterm.commands.support.worker_processes import EndingSignals, leave_signals_to_parent, signals_held
from sokoterm.engine.level import Level

# Longest wait for a result, and for a signal to be heeded.
_WAIT_SECONDS = 0.1


class LocalWorkers:
    """A number of processes, each with one level at a time; one that is lost costs its level alone."""

    address = "this machine"
    has_threads = False

    def __init__(self, workers: int, signals: EndingSignals) -> None:
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
                worker = self._idle.pop() if self._idle else _Worker()
                self._busy[worker.begin(task)] = worker
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


class _Worker:
    """A process that does tasks one after the other."""

    def __init__(self) -> None:
        context = get_context()
        self._pipe, theirs = context.Pipe()
        self._key = ""
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        with signals_held():
            self._process.start()
        theirs.close()

    def begin(self, task: LevelTask) -> Connection:
        """Send a task; return what is ready to be read once ``result`` is there."""
        self._key = task.key
        self._pipe.send((task.level, task.work))
        return self._pipe

    def result(self) -> LevelResult:
        """Return the result, without a text if the process was killed; raises what the work has raised."""
        try:
            text: str | Exception = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            if self._process.exitcode == -signal.SIGTERM:  # sent to the whole group, and here first
                raise SystemExit(128 + signal.SIGTERM) from None
            return LevelResult(self._key, None)
        if isinstance(text, Exception):
            raise text
        return LevelResult(self._key, text)

    def end(self) -> None:
        self._process.terminate()
        self._process.join()


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
    """Do tasks until the parent is gone: the main function of a worker."""
    leave_signals_to_parent()
    parent = parent_process()

    def look() -> None:
        if parent is not None and not parent.is_alive():
            raise UnwantedError

    try:
        while True:
            level: Level
            work: Work
            level, work = pipe.recv()
            try:
                pipe.send(work(level, look))
            except UnwantedError:
                return
            except Exception as error:  # noqa: BLE001 - raised again in the parent
                error.add_note(traceback.format_exc())
                pipe.send(error)
    except (EOFError, OSError):
        return
