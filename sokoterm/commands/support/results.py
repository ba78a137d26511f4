"""Files written by verbs: packs, and results of work on many levels (``-o OUT``) with a journal.

Results are written as they arrive, only the levels being worked on are kept in memory, and equal levels share a result.
The file grows only by whole results, and however the program ends, running it again continues.
"""

import os
from abc import ABC, abstractmethod
from argparse import BooleanOptionalAction
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing
from functools import partial
from time import monotonic, time
from typing import TYPE_CHECKING, NamedTuple

from sokoterm.commands import SCHEDULER_LOST
from sokoterm.commands.support import output
from sokoterm.commands.support.levels import Chosen, Done, Job, LevelFlags, Levels, SchedulerLostError, Work, chosen_of
from sokoterm.commands.support.parser import Option, Parser
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.formats.grammar import REMARKS
from sokoterm.formats.registry import FORMATS, check_read_back, write
from sokoterm.formats.uniting import Order, in_letters, merged, remarks_of
from sokoterm.language import N_, _, levels_done, listed, ngettext, number, pgettext
from sokoterm.store.journal import Journal, JournalError, KeptResult, WrittenPart
from sokoterm.store.whole_files import lock, write_whole
from sokoterm.wording.figures import duration

if TYPE_CHECKING:
    from sokoterm.commands.support.workers import Cluster, LocalWorkers

# Most characters of texts above the boards of several collections: a few hundred lines.
_MOST_TEXTS = 1 << 15


def write_data(path: str | None, data: bytes) -> None:
    """Write text to a file, or to stdout for None and ``-``."""
    if path in (None, "-"):
        output.print_data(data)
    else:
        write_file(path, data)


def write_file(path: str, data: bytes, mode: int | None = None) -> None:
    """Write a whole file or nothing (see ``write_whole``); raises InputError if it cannot be written."""
    with output.writing(path):
        write_whole(path, data, mode)


def output_flag(parser: Parser) -> Option[str | None]:
    text = _("write to this file; default, or with -: to stdout")
    return parser.flag("-o", "--output", metavar="OUT", help=text)


def format_flag(parser: Parser) -> Option[str | None]:
    text = _("{formats}; default: suffix of OUT", formats=" ".join(FORMATS))
    return parser.flag("--to", choices=tuple(FORMATS), metavar="FORMAT", help=text)


def texts_flag(parser: Parser) -> Option[bool | None]:
    text = _("write all remarks and comments, or none; default: none if several packs have too many")
    return Option(parser, parser.add_argument("--texts", action=BooleanOptionalAction, help=text))


def write_pack(path: str | None, pack: Pack, name: str, *, is_whole: bool = True) -> None:
    """Write a pack with plain LURD to ``path`` (stdout: None or ``-``), and report on stderr what was written or lost.

    Without ``is_whole``, also that levels are missing. Raises InputError if the file cannot be written, and LevelError
    if it would not be read back unchanged.
    """
    pack = pack._replace(levels=tuple(map(in_letters, pack.levels)))
    written = write(pack, name)
    check_read_back(written, pack, name, path or "")
    is_older = path is not None and os.path.isfile(path) and os.path.getsize(path) > 0
    write_data(path, written.data)
    if written.lost:
        # Translators: the name of a format, and what is left out of the file.
        output.complain(_("{format} cannot hold: {lost}", format=name, lost=listed(written.lost)))
    if path not in (None, "-") and os.path.isfile(path):
        levels = ngettext("{path}: {n:,} level written", "{path}: {n:,} levels written", len(pack.levels), path=path)
        older = _("replacing an older pack") if is_older else ""
        lacking = "" if is_whole else _("incomplete: see above")
        output.complain(listed([levels, older, lacking]))


def level_in_sok(chosen: Chosen, record: Record | None, status: str = "") -> bytes:
    """Return a level as SOK to append to a file; ``record`` precedes others, and ``status`` becomes a comment."""
    level = chosen.level
    metadata = level.metadata
    if not any(key == "collection" for key, __ in metadata):
        metadata = (*metadata, ("collection", f"{chosen.title} {level.number}"))
    if status:
        metadata = (*metadata, ("status", status))
    records = (record, *level.records) if record else level.records
    return write(Pack("", (level.replace(metadata=metadata, records=records),)), "sok").data + b"\n"


def merged_in_file(packs: Sequence[Pack], *, keeps_texts: bool | None, order: Order = tuple) -> Pack:
    """Merge packs; without ``keeps_texts`` (None: if long) drop remarks and comments, which would bury the boards."""
    pack = merged(packs, order)
    if keeps_texts is False:
        return _without_texts(pack._replace(levels=tuple(map(_without_text, pack.levels))))
    length = len(remarks_of(pack)) + len(pack.comment)
    if len(packs) == 1 or keeps_texts or length <= _MOST_TEXTS:
        return pack
    output.complain(
        # Translators: kB is kilobytes.
        ngettext(
            "left out: {size:,} kB of texts about {n:,} pack; --texts writes them",
            "left out: {size:,} kB of texts about {n:,} packs; --texts writes them",
            len(packs),
            size=round(length / 1000),
        )
    )
    return _without_texts(pack)


def _without_text(level: Level) -> Level:
    return level.replace(comment="", metadata=tuple(pair for pair in level.metadata if pair[0] != "heading"))


def _without_texts(pack: Pack) -> Pack:
    return pack._replace(comment="", metadata=tuple(pair for pair in pack.metadata if pair[0] != REMARKS))


# Bytes at the end of the file by which the journal identifies it.
_TAIL = 64
# Seconds for workers of a killed command to end and unlock the file.
_PATIENCE = 2.0
# Seconds until a cluster without workers is reported.
_MOST_WORKERLESS = 5.0
# Most levels waiting for the result of an equal one before reading stops.
_MOST_WAITING = 2_000


class ResultFile:
    """The results, locked by this process, without any incomplete last one; every method may raise InputError."""

    def __init__(self, path: str, journal: str, whole: WrittenPart | None) -> None:
        """``whole`` is the part known to the ``journal``, None if the file was not begun."""
        self.path = path
        with output.writing(path):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            with output.writing(path):
                self.size = self._cut_to(whole, journal)
        except output.InputError:
            os.close(self._file)
            raise

    def _cut_to(self, whole: WrittenPart | None, journal: str) -> int:
        """Lock the file, remove the incomplete part, and return the bytes left."""
        if not lock(self._file, _PATIENCE):
            raise output.InputError(_("{path}: another sokoterm is writing it", path=self.path))
        found = os.fstat(self._file).st_size
        size = min(found, whole.size) if whole else 0
        if whole and 0 < found < whole.size:
            problem = N_("{path}: not replaced: it is shorter than after the last run; delete it to start over")
            raise output.InputError(_(problem, path=self.path))
        if found and not (whole and self._is_that_of(whole, size)):
            raise _foreign(self.path, journal)
        os.ftruncate(self._file, size)
        return size

    def _is_that_of(self, whole: WrittenPart, size: int) -> bool:
        if size:
            return self._tail(size) == whole.tail
        # The file may contain part of the first results, if the process ended while it wrote them.
        os.lseek(self._file, 0, os.SEEK_SET)
        return bytes.fromhex(whole.tail).startswith(os.read(self._file, _TAIL))

    def close(self) -> None:
        os.close(self._file)

    def clear(self) -> None:
        self.size = 0
        os.ftruncate(self._file, 0)

    def add(self, data: bytes) -> str:
        """Append results, and return the last bytes in hex; raises InputError if the file was removed or replaced."""
        if not _is_same_file(self.path, self._file):
            problem = N_("{path}: was removed meanwhile; run the same command again to write it")
            raise output.InputError(_(problem, path=self.path))
        with output.writing(self.path):
            try:
                os.lseek(self._file, self.size, os.SEEK_SET)
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(self._file, rest) :]
            except OSError:
                os.ftruncate(self._file, self.size)
                raise
        self.size += len(data)
        return self._tail(self.size)

    def _tail(self, size: int) -> str:
        length = min(_TAIL, size)
        os.lseek(self._file, size - length, os.SEEK_SET)
        return os.read(self._file, length).hex()


def _foreign(path: str, journal: str) -> output.InputError:
    problem = N_("{path}: not replaced: according to {journal}, no earlier run wrote it; choose another name")
    return output.InputError(_(problem, path=path, journal=journal))


class Result(NamedTuple):
    """A result as written, and its figures for the totals as text."""

    data: bytes
    figures: str


class RecordedJob(ABC):
    """A kind of work on levels; its ``str`` is the totals of the results counted.

    ``name`` identifies what a result depends on besides its key; when ``form`` changes, results are formatted again.
    """

    name: str
    form = ""

    @abstractmethod
    def key(self, level: Level) -> str:
        """Return a key; levels with equal keys share their results."""

    @abstractmethod
    def work(self, chosen: Chosen) -> Work | str:
        """Return the work to do on a level, or its result if there is nothing to do."""

    def lost(self) -> str:
        """Return the result of a level whose worker was lost each time."""
        return ""

    @abstractmethod
    def result(self, chosen: Chosen, text: str, is_copy: bool) -> Result:
        """Make a level's result from that of its key, found for another level if ``is_copy``; raises ValueError."""

    @abstractmethod
    def count(self, figures: str) -> None:
        """Add a result to the totals."""

    @property
    def status(self) -> int:
        return 0


class CountingJob(RecordedJob):
    """A job that writes JSON objects and counts levels."""

    def __init__(self) -> None:
        self._levels = 0
        self._copies = 0

    @abstractmethod
    def json_of(self, chosen: Chosen, text: str) -> str:
        """Make a level's object from the result of its key."""

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

    def __init__(self, parser: Parser, levels: LevelFlags, *formats: str) -> None:
        """``formats``: suffixes allowed for OUT besides that of JSON lines."""
        self._levels = levels
        self._formats = (*formats, ".jsonl")
        group = parser.add_argument_group(_("many levels"))
        text = _("work on a Dask cluster: the address of its scheduler, or local[:N] for N processes on this machine")
        self._cluster = parser.flag("--cluster", group=group, metavar="ADDRESS", help=text)
        text = _(
            "write results to this file ({formats}) as they come, on a cluster or this machine; after a break, "
            "repeat the command to continue",
            formats=" ".join(self._formats),
        )
        self._output = parser.flag("-o", dest="output", group=group, metavar="OUT", help=text)

    @property
    def has_cluster(self) -> bool:
        return self._cluster.value is not None

    @property
    def writes_sok(self) -> bool:
        return (self._output.value or "").lower().endswith(".sok")

    def are_given(self, **others: object) -> bool:
        """True if results go to a file; raises InputError for wrong combinations, also with ``others``."""
        out = self._output.value
        if out is None:
            if self.has_cluster:
                raise output.InputError(_("--cluster requires -o OUT"))
            return False
        if not out.lower().endswith(self._formats):
            endings = pgettext("between two endings of files", " or ").join(self._formats)
            problem = N_("-o {path}: the name must end in {endings}")
            raise output.InputError(_(problem, path=out, endings=endings))
        if flag := next((flag for flag, value in others.items() if value not in (None, False)), None):
            other = "--cluster" if self.has_cluster else "-o"
            flag = f"--{flag.replace('_', '-')}"
            raise output.InputError(_("{flag} and {other} cannot be combined", flag=flag, other=other))
        return True

    def run(self, job: RecordedJob, memory: int, jobs: int = 1) -> int:
        """Run the job, print the totals, and return the exit status; ``memory``: bytes that a level may need."""
        out = self._output.value or ""
        path = f"{out}.journal"
        output.check_folder(out)
        if os.path.exists(out) and os.path.getsize(out) and not os.path.exists(path):
            raise _foreign(out, path)
        try:
            with (
                self._workers(jobs, memory) as workers,
                closing(_journal(path, job)) as journal,
                closing(ResultFile(out, path, journal.written())) as file,
            ):
                status = _Run(job, journal, file, self._count(out)).by(workers, self._levels)
        except JournalError as error:
            raise output.InputError(str(error)) from None
        if status != SCHEDULER_LOST:
            print(job)
        return status or job.status

    def _workers(self, jobs: int, memory: int) -> "AbstractContextManager[Cluster | LocalWorkers]":
        from sokoterm.commands.support import workers  # loads multiprocessing, with -o only

        if self._cluster.value is not None:
            return workers.cluster_at(self._cluster.value, memory)
        return workers.LocalWorkers(jobs)

    def _count(self, out: str) -> int:
        """Count the levels for a bar on a terminal; 0 without one, or if a pack can be read only once."""
        if not output.StatusLine().is_terminal or any(each == "-" or "://" in each for each in self._levels.packs):
            return 0
        return sum(1 for __ in _each_once(self._levels.levels(lambda __: None), out))


def _journal(path: str, job: RecordedJob) -> Journal:
    journal = Journal(path, job.name, time, job.form)
    for notice in journal.notices:
        output.complain(notice)
    return journal


_Wrong = list[tuple[Exception, Sequence[Chosen]]]


class _Run:
    """One run of a job; ``status`` is 2 if a level is left out because of a wrong answer."""

    status = 0

    def __init__(self, job: RecordedJob, journal: Journal, file: ResultFile, total: int) -> None:
        """``total`` is the number of levels, or 0 if unknown."""
        self._job = job
        self._journal = journal
        self._file = file
        self._bar = output.ProgressBar(total, self._figures)
        # Levels awaiting a result, by key; the first of each key is in work.
        self._awaited: dict[str, list[Chosen]] = {}
        self._waiting = 0
        self._warnings = set[str]()
        # Levels with a result, those that got it in this run, and workers.
        self._done = self._added = self._workers = 0
        self._begin = monotonic()
        written = journal.written()
        if written is None or written.job != job.name + job.form or file.size < written.size:
            file.clear()
            journal.begin()

    def by(self, workers: "Cluster | LocalWorkers", flags: LevelFlags) -> int:
        """Run the work on a cluster or this machine; return the exit status."""
        levels = flags.levels(self._bar.complain)
        with self._bar:
            try:
                for results in workers.results(self._jobs(levels)):
                    self._workers = workers.workers
                    if not self._workers and monotonic() > self._begin + _MOST_WORKERLESS:
                        self._warn(_("the scheduler has no workers (or sokoterm is not installed there); waiting"))
                    if workers.has_threads:
                        self._warn(_("threads of one worker only take turns; start workers with --nthreads 1"))
                    self._take(results)
                    self._bar.show(self._done)
            except SchedulerLostError as error:
                text = _("the scheduler at {address} was lost: {state}", address=error, state=self._state)
                self._bar.complain(text)
                return SCHEDULER_LOST
            except KeyboardInterrupt:
                self._bar.complain(_("interrupted: {state}", state=self._state))
                raise
        return levels.status or self.status

    def _warn(self, problem: str) -> None:
        if problem not in self._warnings:
            self._warnings.add(problem)
            self._bar.complain(f"--cluster: {problem}")

    @property
    def _state(self) -> str:
        return ngettext(
            "{path} contains the result of {n:,} level; repeat the command to continue",
            "{path} contains the results of {n:,} levels; repeat the command to continue",
            self._done,
            path=self._file.path,
        )

    def _figures(self, done: int, total: int) -> str:
        """Return the figures beside the bar: rate, estimated time left, and number of workers."""
        rate = self._added / max(monotonic() - self._begin, 1e-3)
        # Translators: levels per second.
        parts = [levels_done(done, total), _("{rate}/s", rate=number(rate, 1 if rate < 10 else 0))]
        if rate and total:
            # Translators: the time that the rest of the work takes.
            parts.append(_("{duration} left", duration=duration(int(max(0, total - done) / rate))))
        return "  ".join([*parts, ngettext("{n:,} worker", "{n:,} workers", self._workers)])

    def _jobs(self, levels: Levels) -> Iterator[Job | None]:
        """Yield jobs, and write results already known; yields None while too many levels wait for a result."""
        for chosen in _each_once(levels, self._file.path):
            key = self._job.key(chosen.level)
            figures = self._journal.figures(*_place(chosen), key)
            if figures is not None:
                self._job.count(figures)
                self._done += 1
            elif (kept := self._journal.result(key)) is not None and not self._write([(key, kept, [chosen])]):
                continue
            elif key in self._awaited:
                self._awaited[key].append(chosen)
                self._waiting += 1
                while self._waiting > _MOST_WAITING:
                    yield None
            elif isinstance(work := self._job.work(chosen), str):
                self._leave_out(self._write([(key, KeptResult(work, *_place(chosen)), [chosen])]))
            else:
                self._awaited[key] = [chosen]
                yield Job(key, partial(work, chosen.level.replace(comment="", records=())))

    def _take(self, results: Sequence[Done]) -> None:
        """Write results of workers for all levels that await them; a wrong one affects only these levels."""
        wrong: _Wrong = []
        right: list[tuple[str, KeptResult, Sequence[Chosen]]] = []
        for each in results:
            key, text = str(each.key), each.result
            awaiting = self._awaited.pop(key)
            self._waiting -= len(awaiting) - 1
            if isinstance(text, Exception):
                wrong.append((text, awaiting))
            else:
                text = self._job.lost() if text is None else text
                right.append((key, KeptResult(text, *_place(awaiting[0])), awaiting))
        self._leave_out(wrong + self._write(right, keeps=True))

    def _leave_out(self, wrong: _Wrong) -> None:
        for error, levels in wrong:
            self.status = 2
            for chosen in levels:
                problem = N_("{pack}, level {number}: left out because a worker's answer is wrong: {error}")
                number, said = chosen.level.number, output.first_line(error)
                self._bar.complain(_(problem, pack=chosen.pack, number=number, error=said))

    def _write(self, results: Sequence[tuple[str, KeptResult, Sequence[Chosen]]], *, keeps: bool = False) -> _Wrong:
        """Write results to the file, then to the journal; return the levels with a wrong result, and the errors."""
        data, entries, kept = [], [], []
        wrong: _Wrong = []
        for key, result, levels in results:
            origin = result.pack, result.level
            try:
                found = [self._job.result(each, result.text, _place(each) != origin) for each in levels]
            except ValueError as error:
                wrong.append((error, levels))
                continue
            data += [each.data for each in found]
            entries += [(*_place(chosen), key, each.figures) for chosen, each in zip(levels, found)]
            kept += [(key, result)] if keeps else []
        if entries:
            whole = b"".join(data)
            if not self._file.size:
                self._journal.announce(whole[:_TAIL])
            tail = self._file.add(whole)
            self._journal.add(kept, entries, self._file.size, tail)
            for *__, figures in entries:
                self._job.count(figures)
            self._done += len(entries)
            self._added += len(entries)
        return wrong


def _each_once(levels: Levels, out: str) -> Iterator[Chosen]:
    """Yield each level once, skipping the file of results, which may be in a folder that is read."""
    met = set[str]()
    for name, pack in levels.packs():
        if name not in met and not _is_same_file(name, out):
            yield from chosen_of(name, pack)
        met.add(name)


def _is_same_file(one: str, other: str | int) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def _place(chosen: Chosen) -> tuple[str, int]:
    return chosen.pack.encode("utf-8", "backslashreplace").decode(), chosen.level.number
