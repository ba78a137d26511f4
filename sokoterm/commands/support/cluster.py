"""Workers of a Dask cluster (https://distributed.dask.org): the one module that talks to it.

Levels go to the workers in batches of about half a second, and only a few batches are on their way at a time, so that
any number of levels can be streamed through.
"""

import os
import pickle
import signal
import sys
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from errno import EPROTO, ETIMEDOUT
from math import inf
from time import monotonic
from typing import NamedTuple, Protocol, TypedDict

from sokoterm.commands.support.levels import LevelResult, LevelTask, Work
from sokoterm.commands.support.output import InputError, complain, first_line
from sokoterm.commands.support.recorded import SchedulerLostError
from sokoterm.engine.level import Level
from sokoterm.engine.text import whole_number
from sokoterm.language import _, in_clauses, listed, ngettext
from sokoterm.process import usable_cores

LOCAL = "local"
"""The address that stands for workers of its own on this machine; ``local:4`` for four of them."""

# Kinds of addresses of schedulers.
_SCHEMES = ("tcp", "tls", "ws", "wss")
# Levels of a batch take about so long together: far longer than sending them, and soon enough for a progress bar.
_BATCH_SECONDS = 0.5
# A worker returns what it has after so long, and hands back the levels that it has not begun.
_MOST_SECONDS = 2 * _BATCH_SECONDS
_MOST_LEVELS = 64
# Batches on their way for each worker: one in work, one that waits for it.
_BATCHES = 2
# Longest wait for a result.
_WAIT_SECONDS = 0.25
# Time between two looks at the workers.
_LOOK_SECONDS = 1.0
CONNECT_SECONDS = 8
# Memory that a worker needs for Python and Dask themselves, in bytes.
_OVERHEAD = 512 << 20
_MOST_WORKERS = 512


class UnwantedError(Exception):
    """Nobody waits any more for what a worker is at."""


class _Future(Protocol):
    """A batch on its way, as far as it is used here."""

    status: str

    def result(self) -> object: ...

    def release(self) -> None: ...


class _Client(Protocol):
    """A connection to a scheduler, as far as it is used here."""

    def submit(self, function: object, *arguments: object, key: str) -> _Future: ...

    def scheduler_info(self, n_workers: int) -> dict[str, dict[str, dict[str, object]]]: ...

    def get_versions(self) -> "_Versions": ...


class _Packages(TypedDict):
    """The versions of Python and of packages at one place, None for one that is not there."""

    packages: Mapping[str, str | None]


class _Versions(TypedDict):
    """The versions at all places; those of a worker that does not answer are None."""

    client: _Packages
    scheduler: _Packages
    workers: Mapping[str, _Packages | None]


class _Closing(Protocol):
    """A client or a cluster, as far as it is used here."""

    def close(self) -> None: ...


class _Done(Protocol):
    """Result of a wait for batches."""

    done: set[_Future]


class _Wait(Protocol):
    """A wait for batches."""

    def __call__(self, futures: Sequence[_Future], timeout: float, return_when: str) -> _Done: ...


class _State(Protocol):
    """The state of a task or of the tasks of a worker."""

    state: str
    tasks: "dict[str, _State]"


class _Worker(Protocol):
    """The worker that runs a task, as far as it is used here."""

    state: _State


class _Dask(NamedTuple):
    """The functions and exceptions of Dask that are used here.

    ``killed``: each worker that tried a batch was lost; ``gone``: the scheduler was.
    """

    wait: _Wait
    killed: type[Exception]
    gone: tuple[type[Exception], ...]


class Cluster:
    """Workers that a scheduler knows."""

    def __init__(self, address: str, client: _Client, dask: _Dask) -> None:
        self.address = address
        self._client = client
        self._dask = dask
        self._running: dict[_Future, list[LevelTask]] = {}
        self._waiting: deque[list[LevelTask]] = deque()
        # Levels whose workers were lost, to be tried once more when nothing else runs.
        self._suspects: deque[LevelTask] = deque()
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
                raise SchedulerLostError(self.address)
            self._workers = len(workers)
            self.has_threads = any(each["nthreads"] != 1 for each in workers.values())
            self._next_look = monotonic() + _LOOK_SECONDS
        return self._workers

    def results(self, tasks: Iterator[LevelTask | None]) -> Iterator[list[LevelResult]]:
        while True:
            try:
                self._send(tasks)
                if not self._running:
                    return
                results = [result for future in self._done() for result in self._taken(future)]
            except self._dask.gone:
                raise SchedulerLostError(self.address) from None
            yield results

    def _send(self, tasks: Iterator[LevelTask | None]) -> None:
        """Send batches as far as workers have room; once there is nothing else, one suspect alone."""
        while not self._is_alone and len(self._running) < _BATCHES * (self.workers + 1):
            batch = self._waiting.popleft() if self._waiting else self._batch(tasks)
            if not batch:
                break
            self._running[self._submit(batch)] = batch
        if not self._running and self._suspects:
            suspect = [self._suspects.popleft()]
            self._running[self._submit(suspect)] = suspect
            self._is_alone = True

    def _batch(self, tasks: Iterator[LevelTask | None]) -> list[LevelTask]:
        """Take as many tasks as should fill the time of a batch."""
        batch: list[LevelTask] = []
        most = max(1, min(_MOST_LEVELS, int(_BATCH_SECONDS / self._seconds)))
        while len(batch) < most and (task := next(tasks, None)) is not None:
            batch.append(task)
        return batch

    def _submit(self, batch: Sequence[LevelTask]) -> _Future:
        # Pickled here: Dask would look into the values for results of other tasks.
        data = pickle.dumps([(each.level, each.work) for each in batch])
        key = f"sokoterm-{os.urandom(16).hex()}"
        return self._client.submit(work_on, data, key, _MOST_SECONDS, key=key)

    def _done(self) -> list[_Future]:
        """Wait a moment for batches that are done."""
        try:
            return [*self._dask.wait([*self._running], timeout=_WAIT_SECONDS, return_when="FIRST_COMPLETED").done]
        except TimeoutError:
            return []

    def _taken(self, future: _Future) -> Iterator[LevelResult]:
        """Yield the results of a batch; what it has not done waits to be done."""
        batch = self._running.pop(future)
        was_alone, self._is_alone = self._is_alone, False
        try:
            seconds, texts = _checked(future.result(), len(batch))
        except self._dask.gone:
            raise
        except self._dask.killed:
            # Whatever waited at a worker that died is under suspicion, so the last try is one alone.
            if was_alone:
                yield LevelResult(batch[0].key, None)
            elif len(batch) == 1:
                self._suspects += batch
            else:
                self._waiting.extend([each] for each in batch)
            return
        except UnwantedError:  # wanted again after all
            self._waiting.append(batch)
            return
        except ImportError as error:
            raise InputError(_("--cluster: a worker has not the same sokoterm: {error}", error=error)) from None
        except Exception as error:  # noqa: BLE001 - by the work, or by whatever a worker sends
            if isinstance(error, RuntimeError) and "deserialization" in str(error):
                problem = _("--cluster: the scheduler has not the same sokoterm and Dask as this machine")
                raise InputError(problem) from None
            if len(batch) == 1:
                yield LevelResult(batch[0].key, error)
            else:
                self._waiting.extend([each] for each in batch)
            return
        finally:
            future.release()
        self._seconds = max(1e-6, (self._seconds + seconds / len(texts)) / 2)
        yield from (LevelResult(task.key, text) for task, text in zip(batch, texts))
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

    running: _Worker = get_worker()

    def look() -> None:
        task = running.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise UnwantedError

    begin = monotonic()
    texts: list[str] = []
    batch: list[tuple[Level, Work]] = pickle.loads(data)
    for level, work in batch:
        if texts and monotonic() - begin > seconds:
            break
        look()
        try:
            texts.append(work(level, look))
        except (KeyboardInterrupt, SystemExit) as end:  # for which Dask would neither end the worker nor return
            raise RuntimeError(repr(end)) from None
    return monotonic() - begin, texts


@contextmanager
def cluster_at(address: str, memory: int) -> Iterator[Cluster]:
    """Connect to the scheduler at an address, or start one with workers on this machine, until the end of the block.

    ``memory``: bytes for the search of a level, which bound the workers that are started.  Raises InputError without
    Dask, for an address that is none, and if no scheduler answers.
    """
    count = _local_workers(address)
    scheme, mark, __ = address.partition("://")
    if mark and scheme not in _SCHEMES:
        raise InputError(
            _(
                "--cluster {address}: found {scheme}://, expected one of {names}",
                address=address,
                scheme=scheme,
                names=", ".join(_SCHEMES),
            )
        )
    # These load much, and few commands come here.
    import asyncio
    import logging
    import warnings

    try:
        # Dask is an extra.
        import distributed
        from distributed.client import CancelledError, ClosedClientError, FuturesCancelledError
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker
        from distributed.versions import VersionMismatchWarning
    except ImportError:
        command = "pip install 'sokoterm[cluster]'"
        raise InputError(_("--cluster needs Dask, which is not installed: {command}", command=command)) from None
    gone = (CancelledError, ClosedClientError, FuturesCancelledError, CommClosedError)
    dask = _Dask(distributed.wait, KilledWorker, gone)
    logging.disable()  # whatever Dask has to say is said here, in one line
    try:
        with ExitStack() as stack:
            with _interrupts_held():
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
                    stack.callback(_close, local)
                try:
                    if not local:
                        asyncio.run(_find_scheduler(address))
                    with warnings.catch_warnings(record=True) as caught:
                        warnings.simplefilter("always", VersionMismatchWarning)
                        client = distributed.Client(local or address, timeout=CONNECT_SECONDS, set_as_default=False)
                    stack.callback(_close, client)
                    for each in caught:
                        is_mismatch = issubclass(each.category, VersionMismatchWarning)
                        complain(f"--cluster: {_differences(client) if is_mismatch else first_line(each.message)}")
                except (OSError, ValueError, TypeError) as error:
                    problem = _(
                        "--cluster {address}: no scheduler answers there: {error}",
                        address=address,
                        error=first_line(error),
                    )
                    raise InputError(problem) from None
            with client.as_current():
                yield Cluster(address, client, dask)
    finally:
        logging.disable(logging.NOTSET)


async def _find_scheduler(address: str) -> None:
    """Raise OSError, ValueError or TypeError unless a scheduler answers: a client that finds none cannot be closed."""
    import asyncio  # Dask has it loaded

    import distributed  # Dask is an extra

    arguments = distributed.Security().get_connection_args("client")
    try:
        async with asyncio.timeout(CONNECT_SECONDS), distributed.rpc(address, connection_args=arguments) as there:
            kind = (await there.identity())["type"]
    except TimeoutError:
        raise OSError(os.strerror(ETIMEDOUT)) from None
    except (OSError, ValueError, TypeError):
        raise
    except Exception:  # noqa: BLE001 - Dask raises anything for what another program says
        raise OSError(os.strerror(EPROTO)) from None
    if kind != "Scheduler":
        raise ValueError(f"{kind!r:.80}")


def _local_workers(address: str) -> int:
    """Return the number of workers to start on this machine, 0 for a scheduler elsewhere; raises InputError."""
    name, colon, number = address.partition(":")
    if name != LOCAL:
        return 0
    if not colon:
        return usable_cores()
    count = whole_number(number)
    if not count or count > _MOST_WORKERS:
        raise InputError(
            _(
                "--cluster {address}: found {found!r}, expected local:N with a whole number from 1 to {most}",
                address=address,
                found=number,
                most=_MOST_WORKERS,
            )
        )
    return count


def _differences(client: _Client) -> str:
    """Return a line on the versions that the scheduler and the workers have otherwise than this machine."""
    versions = client.get_versions()
    workers = [each["packages"] for each in versions["workers"].values() if each is not None]
    differences: list[str] = []
    for name, version in versions["client"]["packages"].items():
        here = _shown(version)
        there = _shown(versions["scheduler"]["packages"].get(name))
        parts = [_("{version} on the scheduler", version=there)] if there != here else []
        for other, count in Counter(_shown(each.get(name)) for each in workers).items():
            if other != here:
                parts.append(
                    ngettext(
                        "{version} on {count:,} of {n:,} worker",
                        "{version} on {count:,} of {n:,} workers",
                        len(workers),
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


def _close(dask: _Closing) -> None:
    with _interrupts_held():
        dask.close()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back from this thread in the block, and for good from all threads and processes begun in it."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing.resource_tracker import ensure_running  # POSIX; loads much

    ensure_running()  # at its start it lets Ctrl-C through to the thread that needs it
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
