"""Work on any number of levels whose results go to a file as they come (``-o OUT``), with a journal beside it.

Levels are streamed: packs are read one after the other, and only the levels in work are held.  A level whose key has
been met is not done again, but takes the result of the other one.  Whatever ends the program, the same command goes on
where it ended, and each level has one result; the file only ever grows by whole results.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from errno import ENOENT
from time import monotonic, time
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from sokoterm.commands.support.levels import Chosen, LevelFlags, LevelResult, Levels, LevelTask, Work, chosen_of
from sokoterm.commands.support.output import InputError, ProgressBar, StatusLine, complain, first_line, not_written
from sokoterm.commands.support.parser import Parser
from sokoterm.engine.level import Level
from sokoterm.language import _, levels_done, ngettext, number, pgettext
from sokoterm.store.journal import Journal, JournalError, KeptResult, WrittenPart
from sokoterm.store.whole_files import lock
from sokoterm.wording.figures import duration

TAIL = 64
"""Bytes at the end of the file by which it is known to be the one that the journal speaks of."""
# Seconds in which the workers of a killed command end and leave the file.
_PATIENCE = 2.0


def check_result_file(path: str, journal: str) -> None:
    """Raise InputError if there is a file at ``path`` that holds something, and no ``journal`` that could know it.

    Also if it is to lie in a folder that is not there.
    """
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise not_written(path, os.strerror(ENOENT))
    if os.path.exists(path) and os.path.getsize(path) and not os.path.exists(journal):
        raise _foreign(path, journal)


class ResultFile:
    """The file at ``path``, open for one process alone, and made if it is missing; each call may raise InputError.

    What stands behind the part that a journal calls whole was cut off by the end of a process, and is removed.
    """

    def __init__(self, path: str, journal: str, whole: WrittenPart | None) -> None:
        """``whole`` is what the file at ``journal`` knows of it, None if it was not begun."""
        self.path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise self._unusable(error) from None
        try:
            self._lock()
            size = os.fstat(self._file).st_size
            self.size = min(size, whole.size) if whole else 0
            if whole and 0 < size < whole.size:
                raise InputError(
                    _(
                        "{path}: not replaced: shorter than an earlier run left it; without it, the same command "
                        "writes it again",
                        path=path,
                    )
                )
            if size and not (whole and self._is_that_of(whole)):
                raise _foreign(path, journal)
            os.ftruncate(self._file, self.size)
        except OSError as error:
            os.close(self._file)
            raise self._unusable(error) from None
        except InputError:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)

    def clear(self) -> None:
        """Remove all results."""
        self.size = 0
        os.ftruncate(self._file, 0)

    def add(self, data: bytes) -> str:
        """Add results; return the last bytes of the file in hex."""
        self._check_that_it_is_there()
        try:
            os.lseek(self._file, self.size, os.SEEK_SET)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            os.ftruncate(self._file, self.size)
            raise self._unusable(error) from None
        self.size += len(data)
        return self._tail()

    def _check_that_it_is_there(self) -> None:
        """Raise InputError if the file was removed or replaced: nobody would find what is written to it."""
        try:
            is_there = os.path.samestat(os.stat(self.path), os.fstat(self._file))
        except OSError:
            is_there = False
        if not is_there:
            raise InputError(_("{path}: was removed meanwhile; the same command writes it again", path=self.path))

    def _is_that_of(self, whole: WrittenPart) -> bool:
        if whole.size:
            return self._tail() == whole.tail
        # The process ended while it wrote the first results, if these are they.
        os.lseek(self._file, 0, os.SEEK_SET)
        return bytes.fromhex(whole.tail).startswith(os.read(self._file, TAIL))

    def _tail(self) -> str:
        length = min(TAIL, self.size)
        os.lseek(self._file, self.size - length, os.SEEK_SET)
        return os.read(self._file, length).hex()

    def _lock(self) -> None:
        """Keep other processes from the file until this one and its workers have ended."""
        if not lock(self._file, _PATIENCE):
            raise InputError(_("{path}: another sokoterm is writing it", path=self.path))

    def _unusable(self, error: OSError) -> InputError:
        return not_written(self.path, error.strerror or str(error))


def _foreign(path: str, journal: str) -> InputError:
    return InputError(
        _(
            "{path}: not replaced: no earlier run left it there, says {journal}; expected a new name",
            path=path,
            journal=journal,
        )
    )


JSON_LINES = ".jsonl"
"""The suffix of files of JSON objects, one a line."""

SOK_OR_JSON_LINES = f".sok {JSON_LINES}"
"""The suffixes of files of levels with solutions, or of JSON objects."""

LOST = 75
"""Exit status after the scheduler was lost: EX_TEMPFAIL of sysexits.h."""

_JOURNAL = ".journal"
# Seconds after which a cluster without workers is worth a word.
_MOST_WORKERLESS = 5.0
# Levels that wait for the result of an equal one; with more, no more are read until some have it.
_MOST_WAITING = 2_000


class SchedulerLostError(Exception):
    """The scheduler went away, with all work that was on its way."""


class Workers(Protocol):
    """Workers: a cluster, or processes on this machine."""

    @property
    def address(self) -> str:
        """The address of the scheduler."""

    @property
    def workers(self) -> int:
        """The number of workers; raises SchedulerLostError."""

    @property
    def has_threads(self) -> bool:
        """True if some worker does several searches in one process."""

    def results(self, tasks: Iterator[LevelTask | None]) -> Iterator[list[LevelResult]]:
        """Do tasks, taken as workers have room; yields their results as they come, and an empty list now and then.

        ``tasks`` may yield None while results that are on their way have to come first.  Raises SchedulerLostError.
        """


class Result(NamedTuple):
    """A result as it is written, with the figures that go into the totals, as text."""

    data: bytes
    figures: str


class RecordedJob(ABC):
    """A kind of work on levels; as text, the totals of the results counted.

    ``name`` names all that a result depends on besides the key of its level, ``form`` what else ``result`` does with
    it, or is empty.  With another form all results are gone through again.
    """

    name: str
    form = ""

    @abstractmethod
    def key(self, level: Level) -> str:
        """Return the key of a level, equal for levels that take each other's results."""

    @abstractmethod
    def work(self, chosen: Chosen) -> Work | str:
        """Return the work to do on a level, or the result if there is none to do."""

    def lost(self) -> str:
        """Return the result of a level whose worker was lost each time."""
        return ""

    @abstractmethod
    def result(self, chosen: Chosen, text: str, is_copy: bool) -> Result:
        """Return the result for a level made from that of its key; ``is_copy``: which was found for another level.

        Raises ValueError for a text that is no result of this level.
        """

    @abstractmethod
    def count(self, figures: str) -> None:
        """Count a result in the totals."""

    @property
    def status(self) -> int:
        """The exit status after the results counted."""
        return 0


class CountingJob(RecordedJob):
    """A job that writes JSON objects and counts levels."""

    def __init__(self) -> None:
        self._levels = 0
        self._copies = 0

    @abstractmethod
    def json_of(self, chosen: Chosen, text: str) -> str:
        """Return the object of a level, made from the result of its key."""

    def result(self, chosen: Chosen, text: str, is_copy: bool) -> Result:
        return Result(self.json_of(chosen, text).encode("ascii") + b"\n", "copy" if is_copy else "")

    def count(self, figures: str) -> None:
        self._levels += 1
        self._copies += figures == "copy"

    def __str__(self) -> str:
        return ngettext(
            "{n:,} level, {copies:,} of them equal to another",
            "{n:,} levels, {copies:,} of them equal to another",
            self._levels,
            copies=self._copies,
        )


class RecordedFlags:
    """The flags -o and --cluster, for work on many levels."""

    def __init__(self, parser: Parser, levels: LevelFlags, formats: str) -> None:
        """``formats``: the suffixes that OUT may have."""
        self._levels = levels
        self._formats = formats
        group = parser.add_argument_group(_("many levels"))
        text = _("work on a Dask cluster: the address of its scheduler, or local[:N] for N processes on this machine")
        self._cluster = parser.flag("--cluster", group=group, metavar="ADDRESS", help=text)
        text = _(
            "write results to this file ({formats}) as they come, on a cluster or on this machine; after a break, the "
            "same command goes on",
            formats=formats,
        )
        self._output = parser.flag("-o", dest="output", group=group, metavar="OUT", help=text)

    @property
    def has_cluster(self) -> bool:
        """True if --cluster is given."""
        return self._cluster.value is not None

    def are_given(self, **others: object) -> bool:
        """True if results go to a file.

        Raises InputError for a cluster without such a file, for a suffix of OUT that is not allowed, and if one of the
        ``others`` is given, flags that do not go with these.
        """
        output = self._output.value
        if output is None:
            if self.has_cluster:
                raise InputError(_("found --cluster without -o OUT, expected both"))
            return False
        formats = self._formats.split()
        if not output.lower().endswith((*formats,)):
            endings = pgettext("between two endings of files", " or ").join(formats)
            raise InputError(_("found -o {path}, expected a name that ends in {endings}", path=output, endings=endings))
        if flag := next((flag for flag, value in others.items() if value not in (None, False)), None):
            other = "--cluster" if self.has_cluster else "-o"
            flag = f"--{flag.replace('_', '-')}"
            raise InputError(_("found {flag} with {other}, expected one of them", flag=flag, other=other))
        return True

    @property
    def writes_sok(self) -> bool:
        """True if OUT is to hold SOK, False for JSON lines."""
        return (self._output.value or "").lower().endswith(".sok")

    def run(self, job: RecordedJob, memory: int, jobs: int = 1) -> int:
        """Do the job on the levels chosen, and print the totals; return the exit status.

        ``memory``: bytes that the work on a level may take.  Without a cluster, ``jobs`` levels are done at a time.
        """
        output = self._output.value
        if output is None:
            raise AssertionError("found no -o")
        path = output + _JOURNAL
        check_result_file(output, path)
        try:
            with (
                self._workers(jobs, memory) as workers,
                closing(_journal(path, job)) as journal,
                ResultFile(output, path, journal.written()) as file,
                _RecordBar(self._count(output)) as bar,
            ):
                levels = self._levels.levels(bar.complain)
                status = _Run(job, journal, file, bar).by(workers, levels)
            if status != LOST:
                print(job)
            return status or job.status
        except JournalError as error:
            raise InputError(str(error)) from None

    def _workers(self, jobs: int, memory: int) -> AbstractContextManager[Workers]:
        if self._cluster.value is not None:
            from sokoterm.commands.support.cluster import cluster_at  # loads pickle or multiprocessing, with -o only

            return cluster_at(self._cluster.value, memory)
        from sokoterm.commands.support.jobs import LocalWorkers  # loads pickle and multiprocessing, with -o only

        return LocalWorkers(jobs)

    def _count(self, output: str) -> int:
        """Count the levels to do for a bar on a terminal; 0 without one, and if there are packs to read only once."""
        if not StatusLine().is_terminal or any(each == "-" or "://" in each for each in self._levels.packs):
            return 0
        levels = self._levels.levels(lambda __: None)
        return sum(1 for __ in _each_once(levels, output))


def _journal(path: str, job: RecordedJob) -> Journal:
    """Open a journal, and say what had to be done for it."""
    journal = Journal(path, job.name, time, job.form)
    for notice in journal.notices:
        complain(notice)
    return journal


class _Run:
    """The work of one command.  ``status`` is 2 once a level is left out: a wrong answer costs that level alone."""

    status = 0

    def __init__(self, job: RecordedJob, journal: Journal, file: ResultFile, bar: "_RecordBar") -> None:
        self._job = job
        self._journal = journal
        self._file = file
        self._bar = bar
        # The levels that await a result, by key; the first of each key is in work.
        self._awaited: dict[str, list[Chosen]] = {}
        self._waiting = 0
        self._warnings = set[str]()
        written = journal.written()
        if written is None or written.job != job.name + job.form or file.size < written.size:
            file.clear()
            journal.begin()

    def by(self, cluster: Workers, levels: Levels) -> int:
        """Have the work done by a cluster, or on this machine; return the exit status."""
        begin = monotonic()
        try:
            for results in cluster.results(self._tasks(levels)):
                if not cluster.workers and monotonic() > begin + _MOST_WORKERLESS:
                    self._warn(_("it has no workers, or they end at once for want of sokoterm; waiting for some"))
                if cluster.has_threads:
                    self._warn(_("threads of a worker only take turns; expected workers with --nthreads 1"))
                self._take(results)
                self._bar.show_work(cluster.workers)
        except SchedulerLostError:
            text = _("the scheduler at {address} was lost: {state}", address=cluster.address, state=self._state)
            self._bar.complain(text)
            return LOST
        except KeyboardInterrupt:
            self._bar.complain(_("interrupted: {state}", state=self._state))
            raise
        return levels.status or self.status

    def _warn(self, problem: str) -> None:
        """Say what is wrong with the cluster, once."""
        if problem not in self._warnings:
            self._warnings.add(problem)
            self._bar.complain(f"--cluster: {problem}")

    @property
    def _state(self) -> str:
        return ngettext(
            "{path} has the results of {n:,} level; the same command goes on from there",
            "{path} has the results of {n:,} levels; the same command goes on from there",
            self._bar.done,
            path=self._file.path,
        )

    def _tasks(self, levels: Levels) -> Iterator[LevelTask | None]:
        """Yield what is to be done; write what is known; None while too many levels wait for a result."""
        for chosen in _each_once(levels, self._file.path):
            key = self._job.key(chosen.level)
            figures = self._journal.figures(_name(chosen), chosen.level.number, key)
            if figures is not None:
                self._job.count(figures)
                self._bar.done += 1
            elif (kept := self._journal.result(key)) is not None and not self._write([(key, kept, [chosen])]):
                continue
            elif key in self._awaited:
                self._awaited[key].append(chosen)
                self._waiting += 1
                while self._waiting > _MOST_WAITING:
                    yield None
            elif isinstance(work := self._job.work(chosen), str):
                self._leave_out(self._write([(key, KeptResult(work, _name(chosen), chosen.level.number), [chosen])]))
            else:
                self._awaited[key] = [chosen]
                yield LevelTask(key, chosen.level._replace(comment="", records=()), work)

    def _take(self, results: Sequence[LevelResult]) -> None:
        """Write results of the cluster, for all levels that await them; one that is wrong costs these levels alone."""
        writing: list[tuple[str, KeptResult, Sequence[Chosen]]] = []
        for key, text in results:
            awaiting = self._awaited.pop(key)
            first = awaiting[0]
            self._waiting -= len(awaiting) - 1
            if isinstance(text, Exception):
                self._leave_out([(text, awaiting)])
            else:
                result = KeptResult(self._job.lost() if text is None else text, _name(first), first.level.number)
                writing.append((key, result, awaiting))
        self._leave_out(self._write(writing, keeps=True))

    def _leave_out(self, wrong: Iterable[tuple[Exception, Sequence[Chosen]]]) -> None:
        """Tell which levels have no result, and why."""
        for error, levels in wrong:
            self.status = 2
            for chosen in levels:
                problem = _(
                    "{pack}, level {number}: left out, since a worker's answer is wrong: {error}",
                    pack=chosen.pack,
                    number=chosen.level.number,
                    error=first_line(error),
                )
                self._bar.complain(problem)

    def _write(
        self, writing: Sequence[tuple[str, KeptResult, Sequence[Chosen]]], *, keeps: bool = False
    ) -> list[tuple[Exception, Sequence[Chosen]]]:
        """Write the results of keys for levels to the file, and then to the journal, which may keep them for others.

        Return the levels that a result is wrong for, with the errors.
        """
        data, entries, kept = [], [], []
        wrong: list[tuple[Exception, Sequence[Chosen]]] = []
        for key, each, levels in writing:
            places = [(_name(chosen), chosen.level.number) for chosen in levels]
            try:
                found = [
                    self._job.result(chosen, each.text, place != (each.pack, each.level))
                    for chosen, place in zip(levels, places)
                ]
            except ValueError as error:
                wrong.append((error, levels))
                continue
            data += [result.data for result in found]
            entries += [(*place, key, result.figures) for place, result in zip(places, found)]
            kept += [(key, each)] if keeps else []
        if not entries:
            return wrong
        whole = b"".join(data)
        if not self._file.size:
            self._journal.announce(whole[:TAIL])
        tail = self._file.add(whole)
        self._journal.add(kept, entries, self._file.size, tail)
        for *__, figures in entries:
            self._job.count(figures)
        self._bar.add(len(entries))
        return wrong


def _each_once(levels: Levels, output: str) -> Iterator[Chosen]:
    """Yield the levels of each pack once, without those of the file of results, which may lie in a folder read."""
    met = set[str]()
    for name, pack in levels.packs():
        if name not in met and not _is_same_file(name, output):
            yield from chosen_of(name, pack)
        met.add(name)


def _is_same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def _name(chosen: Chosen) -> str:
    """Return the pack of a level as text that can be stored."""
    return chosen.pack.encode("utf-8", "backslashreplace").decode()


class _RecordBar(ProgressBar):
    """A progress bar with the rate, an estimate of the time left, and the number of workers.

    ``done`` counts all levels that have a result.
    """

    def __init__(self, total: int) -> None:
        super().__init__(total, levels_done)
        self.done = 0
        self._begin = monotonic()
        self._added = 0
        self._workers = 0

    def add(self, levels: int) -> None:
        """Count levels that got their result now."""
        self.done += levels
        self._added += levels

    def show_work(self, workers: int) -> None:
        """Show the state, ten times a second at most."""
        self._workers = workers
        self.show(self.done)

    def _text(self, done: int) -> str:
        rate = self._added / max(monotonic() - self._begin, 1e-3)
        # Translators: levels a second.
        parts = [super()._text(done), _("{rate}/s", rate=number(rate, 1 if rate < 10 else 0))]
        if rate and self._total:
            left = duration(int(max(0, self._total - done) / rate))
            # Translators: the time that the rest of the work takes.
            parts.append(_("{duration} left", duration=left))
        return "  ".join([*parts, ngettext("{n:,} worker", "{n:,} workers", self._workers)])
