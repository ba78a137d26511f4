"""Parallel processes on this machine, and the workers of a Dask cluster (https://distributed.dask.org).

Processes end with the one that started them, however that ends. A cluster gets a few batches of half a second at a
time.
"""

import os
import pickle
import signal
import sys
import threading
import traceback
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from errno import EPROTO, ETIMEDOUT
from functools import partial
from itertools import islice
from math import inf
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic
from types import FrameType
from typing import Any, NamedTuple, Self, TypeVar

from sokoterm.commands.support.levels import Done, Job, Look, SchedulerLostError
from sokoterm.commands.support.output import InputError, complain, first_line
from sokoterm.engine.text import whole_number
from sokoterm.language import N_, _, in_clauses, listed, ngettext
from sokoterm.process import usable_cores

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

Tell = Callable[[object], None]
"""Function with which work reports to the process that started it."""

WAIT_SECONDS = 0.1
"""Longest wait for a message from a process before the caller gets a turn and signals are handled."""

_ENDING = (signal.SIGINT, signal.SIGTERM)


class Reported(NamedTuple):
    """A report from the work of a key."""

    key: int | str
    value: Any


class Lost(NamedTuple):
    """A process that ended without a result; ``status`` as in ``exitcode``, -SIGTERM if it was stopped."""

    key: int | str
    status: int


class Processes:
    """Processes with one job each, ended with the ``with`` block; if one is killed, only its job is lost.

    Signals are raised before waiting for the next message: raised immediately, they might arrive while Python frees a
    multiprocessing object, where exceptions are dropped.
    """

    def __init__(self, count: int, *, fresh: bool = False, keeps: bool = False) -> None:
        """``fresh``: a new process per job; ``keeps``: on a signal, ``run`` first yields what is known."""
        self.workers = count
        self._fresh = fresh
        self._keeps = keeps
        # By pipe: all processes, and the keys of running jobs.
        self._processes: dict[Connection, BaseProcess] = {}
        self._busy: dict[Connection, int | str] = {}
        self._noted = 0  # a signal that was not raised yet
        self._is_heeded = False
        self._usual: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}

    def __enter__(self) -> Self:
        for signum in _ENDING:
            if signal.getsignal(signum) is not signal.SIG_IGN:
                self._usual[signum] = signal.signal(signum, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in [*self._processes]:
            self._end(pipe)
        for signum, usual in self._usual.items():
            signal.signal(signum, usual)
        if self._noted:
            signal.raise_signal(self._noted)

    def run(self, jobs: Iterator[Job | None]) -> Iterator[list[Reported | Done | Lost]]:
        """Run jobs, yielding messages as they arrive, or an empty list; raises what a job raises.

        ``jobs`` may yield None to wait for results.
        """
        is_over = False
        while not (self._keeps and self._noted):
            while not is_over and len(self._busy) < self.workers:
                job = next(jobs, _END)
                is_over = job is _END
                if not isinstance(job, Job):
                    break
                self._begin(job)
            if not self._busy:
                break
            ready = wait([*self._busy], WAIT_SECONDS)
            if not self._keeps:
                self._heed()
            yield [self._heard(each) for each in ready if isinstance(each, Connection)]
        for pipe, key in [*self._busy.items()]:
            while pipe in self._busy and pipe.poll():
                yield [self._heard(pipe)]
            if pipe in self._busy:
                self._end(pipe)
                yield [Lost(key, -signal.SIGTERM)]
        self._heed()

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Raise signals immediately in a block that may take long and frees no process; not if the pool ``keeps``."""
        self._is_heeded = not self._keeps
        try:
            if self._is_heeded:
                self._heed()
            yield
        finally:
            self._is_heeded = False

    def _begin(self, job: Job) -> None:
        pipe = next((each for each in self._processes if each not in self._busy), None)
        if pipe is None:
            context = get_context()
            pipe, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs,), daemon=True)
            with _held(*_ENDING):
                process.start()
            theirs.close()
            self._processes[pipe] = process
        self._busy[pipe] = job.key
        with suppress(OSError):  # it was killed, which ``_heard`` reports
            pipe.send(job)

    def _heard(self, pipe: Connection) -> Reported | Done | Lost:
        """Take one message from a busy process; raises what its work raised, and SystemExit after SIGTERM."""
        try:
            said: Reported | Done | Lost | Exception = pipe.recv()
        except (EOFError, OSError):
            process = self._processes[pipe]
            process.join()
            status = process.exitcode or 0
            if status == -signal.SIGTERM:  # sent to the whole group, and arrived there first
                raise SystemExit(128 + signal.SIGTERM) from None
            said = Lost(self._busy[pipe], status)
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Done) and not self._fresh:
            del self._busy[pipe]
        elif not isinstance(said, Reported):
            self._end(pipe)
        return said

    def _end(self, pipe: Connection) -> None:
        self._busy.pop(pipe, None)
        process = self._processes.pop(pipe)
        process.terminate()
        process.join()

    def _note(self, signum: int, _frame: FrameType | None) -> None:
        self._noted = signum
        if self._is_heeded:
            self._heed()

    def _heed(self) -> None:
        """Raise KeyboardInterrupt or SystemExit if a signal was noted."""
        noted, self._noted = self._noted, 0
        if noted == signal.SIGINT:
            raise KeyboardInterrupt
        if noted:
            raise SystemExit(128 + noted)


_END = object()


def _serve(pipe: Connection) -> None:
    """Run jobs: the main function of a process. Ctrl-C is left to the parent; without a parent, the process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            job: Job = pipe.recv()
            try:
                tell = [partial(_report, pipe, job.key)] if job.tells else []
                pipe.send(Done(job.key, job.work(*tell)))
            except Exception as error:  # noqa: BLE001 - raised again in the parent
                error.add_note(traceback.format_exc())
                pipe.send(error)


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(1)


def _report(pipe: Connection, key: int | str, value: object) -> None:
    pipe.send(Reported(key, value))


@contextmanager
def _held(*signals: signal.Signals) -> Iterator[None]:
    """Block signals in this thread, and for good (unless unblocked) in threads and processes started in the block."""
    if sys.platform == "win32":
        yield
        return
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


class LocalWorkers(Processes):
    """Processes with the interface of ``Cluster``."""

    has_threads = False

    def results(self, jobs: Iterator[Job | None]) -> Iterator[list[Done]]:
        """Run jobs as ``run`` does, yielding only their results."""
        for said in self.run(each and Job(each.key, partial(each.work, _go_on)) for each in jobs):
            yield [each if isinstance(each, Done) else Done(each.key, None) for each in said]


def _go_on() -> None:
    """A ``Look`` for work that is always wanted."""


def in_processes(
    work: Callable[..., _Result],
    items: Sequence[_Item],
    jobs: int,
    look: Callable[[], None] = lambda: None,
    hear: Tell | None = None,
) -> Generator[_Result, None, None]:
    """Do work on each item, ``jobs`` at a time; yields the results in order. One job runs in this process.

    ``look`` is called while no result arrives. With ``hear``, the work gets a second argument, a function to report
    with.
    """
    if min(jobs, len(items)) <= 1:
        yield from (work(item) if hear is None else work(item, hear) for item in items)
        return
    waiting: dict[int | str, _Result] = {}
    place = 0
    every = (Job(index, partial(work, item), hear is not None) for index, item in enumerate(items))
    with Processes(min(jobs, len(items))) as processes:
        for said in processes.run(every):
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


def peak_bytes() -> int:
    """Return the peak memory of this process (Linux: VmHWM, proc(5)), 0 if unknown."""
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


_SCHEMES = ("tcp", "tls", "ws", "wss")
# Duration of a batch: far longer than sending it takes, and short enough for a progress bar.
_BATCH_SECONDS = 0.5
# Time after which a worker returns its results, and the levels it has not begun.
_MOST_SECONDS = 2 * _BATCH_SECONDS
_MOST_LEVELS = 64
# Batches per worker: one in work, one waiting.
_BATCHES = 2
# Longest wait for a result of a cluster.
_RESULT_SECONDS = 0.25
# Time between two looks at the workers.
_LOOK_SECONDS = 1.0
CONNECT_SECONDS = 8
# Bytes that Python and Dask need in a worker.
_OVERHEAD = 512 << 20
_MOST_WORKERS = 512


class UnwantedError(Exception):
    """Nobody waits for the result of this work any longer."""


class Cluster:
    """The workers known to the scheduler at an address, through a ``distributed.Client``."""

    def __init__(self, address: str, client: Any) -> None:
        # Dask is an extra.
        import distributed
        from distributed.client import CancelledError, ClosedClientError, FuturesCancelledError
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker

        self._address = address
        self._client = client
        self._wait = partial(distributed.wait, timeout=_RESULT_SECONDS, return_when="FIRST_COMPLETED")
        self._killed: type[Exception] = KilledWorker
        self._gone: tuple[type[Exception], ...] = (
            CancelledError, ClosedClientError, FuturesCancelledError, CommClosedError
        )  # fmt: skip
        self._running: dict[Any, list[Job]] = {}
        self._waiting: deque[list[Job]] = deque()
        # Levels whose workers were lost, retried once when nothing else runs.
        self._suspects: deque[Job] = deque()
        self._is_alone = False
        self._seconds = _BATCH_SECONDS
        # True if a worker runs several searches in one process.
        self.has_threads = False
        self._workers = 0
        self._next_look = 0.0

    @property
    def workers(self) -> int:
        """The number of workers, at most a second old; raises SchedulerLostError."""
        if monotonic() >= self._next_look:
            workers = self._client.scheduler_info(n_workers=-1).get("workers")
            if workers is None:
                raise SchedulerLostError(self._address)
            self._workers = len(workers)
            self.has_threads = any(each["nthreads"] != 1 for each in workers.values())
            self._next_look = monotonic() + _LOOK_SECONDS
        return self._workers

    def results(self, jobs: Iterator[Job | None]) -> Iterator[list[Done]]:
        """Run jobs, yielding results as they arrive, or an empty list; raises SchedulerLostError."""
        while True:
            try:
                self._send(jobs)
                if not self._running:
                    return
                try:
                    done: set[Any] = self._wait([*self._running]).done
                except TimeoutError:
                    done = set()
                results = [result for future in done for result in self._taken(future)]
            except self._gone:
                raise SchedulerLostError(self._address) from None
            yield results

    def _send(self, jobs: Iterator[Job | None]) -> None:
        """Send batches while workers have room; when nothing else is left, one suspect by itself."""
        while not self._is_alone and len(self._running) < _BATCHES * (self.workers + 1):
            batch = self._waiting.popleft() if self._waiting else self._batch(jobs)
            if not batch:
                break
            self._submit(batch)
        if not self._running and self._suspects:
            self._submit([self._suspects.popleft()])
            self._is_alone = True

    def _batch(self, jobs: Iterator[Job | None]) -> list[Job]:
        most = max(1, min(_MOST_LEVELS, int(_BATCH_SECONDS / self._seconds)))
        return [*islice(iter(partial(next, jobs, None), None), most)]

    def _submit(self, batch: list[Job]) -> None:
        # Pickled here, or Dask would search the values for results of other tasks.
        data = pickle.dumps([each.work for each in batch])
        key = f"sokoterm-{os.urandom(16).hex()}"
        self._running[self._client.submit(work_on, data, key, _MOST_SECONDS, key=key)] = batch

    def _taken(self, future: Any) -> Iterator[Done]:
        batch = self._running.pop(future)
        was_alone, self._is_alone = self._is_alone, False
        try:
            seconds, texts = _checked(future.result(), len(batch))
        except UnwantedError:  # the result is wanted after all
            self._waiting.append(batch)
            return
        except ImportError as error:
            raise InputError(
                _("--cluster: a worker runs a different version of sokoterm: {error}", error=error)
            ) from None
        except Exception as error:  # from the work, or from unpickling an answer
            if isinstance(error, self._gone):
                raise
            if isinstance(error, RuntimeError) and "deserialization" in str(error):
                problem = _("--cluster: the scheduler runs a different version of sokoterm or Dask than this machine")
                raise InputError(problem) from None
            is_killed = isinstance(error, self._killed)
            if len(batch) > 1:
                self._waiting.extend([each] for each in batch)
            elif is_killed and not was_alone:
                # Every job of a worker that died is suspect, so the last try runs each by itself.
                self._suspects += batch
            else:
                yield Done(batch[0].key, None if is_killed else error)
            return
        finally:
            future.release()
        self._seconds = max(1e-6, (self._seconds + seconds / len(texts)) / 2)
        yield from (Done(job.key, text) for job, text in zip(batch, texts))
        if rest := batch[len(texts) :]:
            self._waiting.append(rest)


def _checked(found: object, most: int) -> tuple[float, list[str]]:
    """Check the result of ``work_on`` for a batch of ``most`` levels; raises ValueError for any other value."""
    match found:
        case (float(seconds), [*results]) if 0 <= seconds < inf and 0 < len(results) <= most:
            texts = [each for each in results if isinstance(each, str) and each]
            if len(texts) == len(results):
                return seconds, texts
    raise ValueError(f"{found!r:.80}")


def work_on(data: bytes, key: str, seconds: float) -> tuple[float, list[str]]:
    """Run pickled work on a worker, beginning no level after ``seconds``; return the time taken and the results."""
    from distributed import get_worker  # Dask is an extra

    worker = get_worker()

    def look() -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise UnwantedError

    begin = monotonic()
    texts: list[str] = []
    batch: list[Callable[[Look], str]] = pickle.loads(data)
    for work in batch:
        if texts and monotonic() - begin > seconds:
            break
        look()
        try:
            texts.append(work(look))
        except (KeyboardInterrupt, SystemExit) as end:  # with these, Dask would neither end the worker nor return
            raise RuntimeError(repr(end)) from None
    return monotonic() - begin, texts


@contextmanager
def cluster_at(address: str, memory: int) -> Iterator[Cluster]:
    """Connect to a scheduler, or for ``local:4`` start four workers, each limited to ``memory`` bytes per level.

    Raises InputError without Dask, for an invalid address, and if no scheduler answers.
    """
    count = _local_workers(address)
    # These load much.
    import logging
    import warnings

    try:
        import distributed  # Dask is an extra
        from distributed.versions import VersionMismatchWarning
    except ImportError:
        command = "pip install 'sokoterm[cluster]'"
        raise InputError(_("--cluster needs Dask, which is not installed: {command}", command=command)) from None
    if sys.platform != "win32":
        from multiprocessing.resource_tracker import ensure_running  # POSIX; loads much

        ensure_running()  # starting it later would unblock Ctrl-C where it is blocked

    def at_end(close: Callable[[], object]) -> None:
        with _held(signal.SIGINT):
            close()

    logging.disable()  # problems are reported here, in one line
    try:
        with ExitStack() as stack:
            with _held(signal.SIGINT):
                local = count and distributed.LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address=None,
                    memory_limit=memory + _OVERHEAD,
                    # Its HTTP server takes any free port: Dask warns if the usual one is taken.
                    scheduler_kwargs={"allowed_failures": 0, "dashboard_address": "127.0.0.1:0"},
                    silence_logs=logging.CRITICAL,
                )
                if local:
                    stack.callback(at_end, local.close)
                try:
                    if not local:
                        _check_scheduler(address)
                    with warnings.catch_warnings(record=True) as caught:
                        warnings.simplefilter("always", VersionMismatchWarning)
                        client = distributed.Client(local or address, timeout=CONNECT_SECONDS, set_as_default=False)
                    stack.callback(at_end, client.close)
                    for each in caught:
                        is_mismatch = issubclass(each.category, VersionMismatchWarning)
                        problem = _differences(**client.get_versions()) if is_mismatch else first_line(each.message)
                        complain(f"--cluster: {problem}")
                except (OSError, ValueError, TypeError) as error:
                    problem = N_("--cluster {address}: no scheduler answers there: {error}")
                    raise InputError(_(problem, address=address, error=first_line(error))) from None
            with client.as_current():
                yield Cluster(address, client)
    finally:
        logging.disable(logging.NOTSET)


def _check_scheduler(address: str) -> None:
    """Raise OSError, ValueError or TypeError unless a scheduler answers: a client without one cannot be closed."""
    import asyncio  # Dask has it loaded

    import distributed  # Dask is an extra

    async def answering() -> object:
        arguments = distributed.Security().get_connection_args("client")
        async with asyncio.timeout(CONNECT_SECONDS), distributed.rpc(address, connection_args=arguments) as there:
            return (await there.identity())["type"]

    try:
        kind = asyncio.run(answering())
    except TimeoutError:
        raise OSError(os.strerror(ETIMEDOUT)) from None
    except (OSError, ValueError, TypeError):
        raise
    except Exception:  # noqa: BLE001 - Dask raises anything for what another program says
        raise OSError(os.strerror(EPROTO)) from None
    if kind != "Scheduler":
        raise ValueError(f"{kind!r:.80}")


def _local_workers(address: str) -> int:
    scheme, mark, __ = address.partition("://")
    if mark and scheme not in _SCHEMES:
        problem = N_("--cluster {address}: found {scheme}://, expected one of {names}")
        raise InputError(_(problem, address=address, scheme=scheme, names=", ".join(_SCHEMES)))
    name, colon, number = address.partition(":")
    if name != "local":
        return 0
    if not colon:
        return usable_cores()
    count = whole_number(number)
    if not count or count > _MOST_WORKERS:
        problem = N_("--cluster {address}: found {found!r}, expected local:N with a whole number from 1 to {most}")
        raise InputError(_(problem, address=address, found=number, most=_MOST_WORKERS))
    return count


_Versions = Mapping[str, Mapping[str, str | None]]


def _differences(client: _Versions, scheduler: _Versions, workers: Mapping[str, _Versions | None]) -> str:
    """Return a line on packages whose versions differ (None: missing); a worker that does not answer is None."""
    answering = [each["packages"] for each in workers.values() if each is not None]
    differences: list[str] = []
    for name, version in client["packages"].items():
        here, there = _shown(version), _shown(scheduler["packages"].get(name))
        parts = [_("{version} on the scheduler", version=there)] if there != here else []
        for other, count in Counter(_shown(each.get(name)) for each in answering).items():
            if other != here:
                parts.append(
                    ngettext(
                        "{version} on {count:,} of {n:,} worker",
                        "{version} on {count:,} of {n:,} workers",
                        len(answering),
                        version=other,
                        count=count,
                    )
                )
        if parts:
            # Translators: versions of a package, as in "dask 2026.8 here, 2026.7 on the scheduler".
            differences.append(listed([_("{name} {version} here", name=name, version=here), *parts]))
    return _("versions differ, so work may fail: {differences}", differences=in_clauses(differences))


def _shown(version: str | None) -> str:
    return version.removesuffix(".final.0") if version is not None else _("none")
