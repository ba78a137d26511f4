"""Workers: processes on this machine that do work side by side, and those of a Dask cluster.

Processes end with the one that began them, however that ends.  To a cluster (https://distributed.dask.org) levels go in
batches of about half a second, and only a few batches are on their way at a time, so that any number of levels can be
streamed through.
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
"""A function by which work reports to the process that began it."""

WAIT_SECONDS = 0.1
"""Longest wait for a message of a process, before the caller gets a turn and a signal is heeded."""

_ENDING = (signal.SIGINT, signal.SIGTERM)


class Reported(NamedTuple):
    """A report of the work of a key."""

    key: int | str
    value: Any


class Lost(NamedTuple):
    """The end of a process without a result for a key; ``status`` as in ``exitcode``, -SIGTERM if it was stopped."""

    key: int | str
    status: int


class Processes:
    """A number of processes, each with one job at a time; one that is killed costs its job alone.

    Leaving the block ends them.  Ctrl-C and SIGTERM are noted in it, and raised before the next message is waited for:
    raised at once, they could come up while Python frees an object of multiprocessing, where exceptions are dropped.
    """

    def __init__(self, count: int, *, fresh: bool = False, keeps: bool = False) -> None:
        """``fresh``: each job gets a process of its own, whose memory goes with it.

        If it ``keeps`` what was found, a signal ends ``run``, which says then what is known of each job, and is raised
        after that.
        """
        self.workers = count
        self._fresh = fresh
        self._keeps = keeps
        # By the pipe to each: all processes, and the keys of the jobs they are at.
        self._processes: dict[Connection, BaseProcess] = {}
        self._busy: dict[Connection, int | str] = {}
        self._noted = 0  # the signal that has come and was not raised
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
        """Do jobs, taken as processes are free; yields what comes of them as it comes, and an empty list now and then.

        ``jobs`` may yield None while results that are on their way have to come first.  Raises what the work raises.
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
        """Raise signals as they come, in a block that frees no process and may take long; not if the pool ``keeps``."""
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
        with suppress(OSError):  # it was killed, which is heard in place of the result
            pipe.send(job)

    def _heard(self, pipe: Connection) -> Reported | Done | Lost:
        """Take one message of a process that is busy; raises what its work has raised, and SystemExit after SIGTERM."""
        try:
            said: Reported | Done | Lost | Exception = pipe.recv()
        except (EOFError, OSError):
            process = self._processes[pipe]
            process.join()
            status = process.exitcode or 0
            if status == -signal.SIGTERM:  # sent to the whole group, and here first
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
        """Raise KeyboardInterrupt or SystemExit if a signal has come."""
        noted, self._noted = self._noted, 0
        if noted == signal.SIGINT:
            raise KeyboardInterrupt
        if noted:
            raise SystemExit(128 + noted)


_END = object()


def _serve(pipe: Connection) -> None:
    """Do jobs until nobody is left to tell: the main function of a process.

    Ctrl-C is left to the parent, which gets it too; the process ends at once when the parent is gone, even if that was
    killed.
    """
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
    """Hold signals back from this thread in the block, and from threads and processes begun in it for good.

    A process may let them through again.
    """
    if sys.platform == "win32":
        yield
        return
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


class LocalWorkers(Processes):
    """Processes that do the work of a cluster; as long as they live it is wanted."""

    has_threads = False

    def results(self, jobs: Iterator[Job | None]) -> Iterator[list[Done]]:
        """Do jobs, as ``run`` does; yields their results."""
        for said in self.run(each and Job(each.key, partial(each.work, _go_on)) for each in jobs):
            yield [each if isinstance(each, Done) else Done(each.key, None) for each in said]


def _go_on() -> None:
    """Look at whether work is still wanted."""


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


# Kinds of addresses of schedulers.
_SCHEMES = ("tcp", "tls", "ws", "wss")
# Levels of a batch take about so long together: far longer than sending them, and soon enough for a progress bar.
_BATCH_SECONDS = 0.5
# A worker returns what it has after so long, and hands back the levels that it has not begun.
_MOST_SECONDS = 2 * _BATCH_SECONDS
_MOST_LEVELS = 64
# Batches on their way for each worker: one in work, one that waits for it.
_BATCHES = 2
# Longest wait for a result of a cluster.
_RESULT_SECONDS = 0.25
# Time between two looks at the workers.
_LOOK_SECONDS = 1.0
CONNECT_SECONDS = 8
# Memory that a worker needs for Python and Dask themselves, in bytes.
_OVERHEAD = 512 << 20
_MOST_WORKERS = 512


class UnwantedError(Exception):
    """Nobody waits any more for what a worker is at."""


class Cluster:
    """Workers that the scheduler at an address knows, over a ``distributed.Client``."""

    def __init__(self, address: str, client: Any) -> None:
        # Dask is an extra.
        import distributed
        from distributed.client import CancelledError, ClosedClientError, FuturesCancelledError
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker

        self._address = address
        self._client = client
        self._wait = partial(distributed.wait, timeout=_RESULT_SECONDS, return_when="FIRST_COMPLETED")
        # Each worker that tried a batch was lost; the scheduler was.
        self._killed: type[Exception] = KilledWorker
        self._gone: tuple[type[Exception], ...] = (
            CancelledError, ClosedClientError, FuturesCancelledError, CommClosedError
        )  # fmt: skip
        self._running: dict[Any, list[Job]] = {}
        self._waiting: deque[list[Job]] = deque()
        # Levels whose workers were lost, to be tried once more when nothing else runs.
        self._suspects: deque[Job] = deque()
        self._is_alone = False
        self._seconds = _BATCH_SECONDS
        # True if some worker does several searches in one process.
        self.has_threads = False
        self._workers = 0
        self._next_look = 0.0

    @property
    def workers(self) -> int:
        """The number of workers, as of a second ago at most; raises SchedulerLostError."""
        if monotonic() >= self._next_look:
            workers = self._client.scheduler_info(n_workers=-1).get("workers")
            if workers is None:
                raise SchedulerLostError(self._address)
            self._workers = len(workers)
            self.has_threads = any(each["nthreads"] != 1 for each in workers.values())
            self._next_look = monotonic() + _LOOK_SECONDS
        return self._workers

    def results(self, jobs: Iterator[Job | None]) -> Iterator[list[Done]]:
        """Do jobs, taken as workers have room; yields their results as they come, and an empty list now and then.

        ``jobs`` may yield None while results that are on their way have to come first.  Raises SchedulerLostError.
        """
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
        """Send batches as far as workers have room; once there is nothing else, one suspect alone."""
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
        # Pickled here: Dask would look into the values for results of other tasks.
        data = pickle.dumps([each.work for each in batch])
        key = f"sokoterm-{os.urandom(16).hex()}"
        self._running[self._client.submit(work_on, data, key, _MOST_SECONDS, key=key)] = batch

    def _taken(self, future: Any) -> Iterator[Done]:
        batch = self._running.pop(future)
        was_alone, self._is_alone = self._is_alone, False
        try:
            seconds, texts = _checked(future.result(), len(batch))
        except UnwantedError:  # wanted again after all
            self._waiting.append(batch)
            return
        except ImportError as error:
            raise InputError(_("--cluster: a worker has not the same sokoterm: {error}", error=error)) from None
        except Exception as error:  # by the work, or by whatever a worker sends
            if isinstance(error, self._gone):
                raise
            if isinstance(error, RuntimeError) and "deserialization" in str(error):
                problem = _("--cluster: the scheduler has not the same sokoterm and Dask as this machine")
                raise InputError(problem) from None
            is_killed = isinstance(error, self._killed)
            if len(batch) > 1:
                self._waiting.extend([each] for each in batch)
            elif is_killed and not was_alone:
                # Whatever waited at a worker that died is under suspicion, so the last try is one alone.
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
    """Return the result of ``work_on`` for a batch of ``most`` levels; raises ValueError for any other value."""
    match found:
        case (float(seconds), [*results]) if 0 <= seconds < inf and 0 < len(results) <= most:
            texts = [each for each in results if isinstance(each, str) and each]
            if len(texts) == len(results):
                return seconds, texts
    raise ValueError(f"{found!r:.80}")


def work_on(data: bytes, key: str, seconds: float) -> tuple[float, list[str]]:
    """Do pickled work: what a worker runs.  Return the seconds it took and the results of the first levels.

    ``key`` is that under which Dask knows it.  No level is begun after ``seconds``.
    """
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
        except (KeyboardInterrupt, SystemExit) as end:  # for which Dask would neither end the worker nor return
            raise RuntimeError(repr(end)) from None
    return monotonic() - begin, texts


@contextmanager
def cluster_at(address: str, memory: int) -> Iterator[Cluster]:
    """Connect to the scheduler at an address, or start one with workers on this machine, until the end of the block.

    ``local`` starts workers, ``local:4`` four of them; ``memory``, the bytes for the search of a level, bounds these.
    Raises InputError without Dask, for an address that is none, and if no scheduler answers.
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

        ensure_running()  # at its start it lets Ctrl-C through to the thread that needs it

    def at_end(close: Callable[[], object]) -> None:
        with _held(signal.SIGINT):
            close()

    logging.disable()  # whatever Dask has to say is said here, in one line
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
    """Raise OSError, ValueError or TypeError unless a scheduler answers: a client that finds none cannot be closed."""
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
    """Return a line on what the scheduler and the workers have in other versions than this machine.

    Each has the versions of ``packages``, None for one that is not there; a worker that does not answer is None.
    """
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
    """Return a version as people write it: Python's own is ``3.11.7.final.0`` here."""
    return version.removesuffix(".final.0") if version is not None else _("none")
