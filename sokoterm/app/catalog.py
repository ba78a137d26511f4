"""Catalog of packs: facts from the index, indexing in idle time, and difficulty grades.

A pack's grade comes from a sample of its levels. Every indexed pack starts with estimates, which are replaced by
grades, smallest boards first. A level that occurs in several packs is graded once.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby, islice
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from sokoterm.app.background import Call
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.steps import Steps
from sokoterm.engine.text import printable
from sokoterm.language import labelled
from sokoterm.solver.figures import FIGURES_VERSION, DifficultyFigures, difficulty, in_short, written
from sokoterm.store.known_levels import Grade, Par, estimated, grade_of
from sokoterm.store.packs import (
    PackError,
    PackFile,
    Stamp,
    added_packs,
    bundled_packs,
    open_pack,
    shown_text,
    stamp_of,
)
from sokoterm.store.paths import library_file
from sokoterm.store.progress import ProgressStore

if TYPE_CHECKING:
    from sokoterm.app.marked_levels import MarkedLevels
    from sokoterm.store.library import LevelKey, LevelRow, LibraryIndex, PackFigures, PackMatch, SampleRow
    from sokoterm.store.query import Query

# Longest slice of work, and so about the longest delay of a key.
_WORK_SECONDS = 0.02
# Reading a pack of this size takes some 80 ms; a larger one is read in a thread.
MOST_BYTES = 1 << 18
# Minimum time between two evaluations of queries while packs are being indexed: each takes some 50 ms.
_TOLD_SECONDS = 1.0
# Cached queries: enough for a word while it is typed.
_MOST_QUERIES = 32
# Packs waiting in memory to be indexed, such as one-level files played before a list is first opened.
_MOST_UNDER_WAY = 50


class Catalog:
    """Facts about packs from the index and the progress, without reading the packs.

    The index is opened on first use. ``lessons`` counts changes of the index in this session; each may add facts about
    any level.
    """

    def __init__(
        self,
        open_index: Callable[[], LibraryIndex],
        index_exists: Callable[[], bool],
        store: ProgressStore,
        read: Callable[[PackFile], Pack] = open_pack,
    ) -> None:
        """``read`` opens a pack, or raises PackError. A look at a single level creates no index."""
        self._open_index = open_index
        self._index_exists = index_exists
        self._opened: LibraryIndex | None = None
        self._read = read
        self.store = store
        self._entries: dict[str, PackFigures | None] = {}
        self._solved: dict[str, int] = {}
        self._matches: dict[Query, dict[str, PackMatch]] = {}
        self._marks: MarkedLevels | None = None
        self._played: dict[LevelKey, float] | None = None
        self._failed: dict[str, str] = {}
        self.lessons = 0
        self._grading: Grading | None = None
        self._told_at = 0.0
        # The packs being indexed, latest first.
        self._under_way: dict[str, Iterator[None]] = {}
        # Key and stamp of the pack being read in a thread.
        self._reading: tuple[str, Stamp | None, Call[Pack | PackError | LevelError]] | None = None

    def open(self) -> LibraryIndex:
        if self._opened is None:
            self._opened = self._open_index()
        return self._opened

    @property
    def is_open(self) -> bool:
        return self._opened is not None

    @property
    def has_index(self) -> bool:
        return self.is_open or self._index_exists()

    @property
    def notices(self) -> list[str]:
        """Messages for the player; the caller shows and clears them."""
        return self._opened.notices if self._opened is not None else []

    def close(self) -> None:
        if self._grading is not None:
            self._grading.show()
        if self._opened is not None:
            self._opened.close()

    @property
    def grading(self) -> Grading:
        if self._grading is None:
            self._grading = Grading(self.open(), self._read, self.is_small)
        return self._grading

    @property
    def marks(self) -> MarkedLevels:
        if self._marks is None:
            from sokoterm.app.marked_levels import MarkedLevels  # queries only

            self._marks = MarkedLevels(lambda: self.store, lambda: self.open() if self.has_index else None)
        return self._marks

    def refresh(self) -> None:
        """Drop cached counts and dates after a level has been played."""
        self._solved.clear()
        self._played = None
        self._marks = None
        self._matches.clear()

    # Packs

    def figures(self, files: Sequence[PackFile]) -> dict[str, PackFigures]:
        """The known figures of packs by key, in at most three database queries."""
        self._look_up(files)
        entries = {file.key: entry for file in files if (entry := self._entries[file.key]) is not None}
        if keys := [key for key in entries if key not in self._solved]:
            self._count_solved(keys)
        return {key: entry._replace(solved=self._solved[key]) for key, entry in entries.items() if key in self._solved}

    def _look_up(self, files: Sequence[PackFile]) -> None:
        asked = [file for file in files if file.key not in self._entries]
        if asked:
            entries = self.open().entries(asked)
            self._entries.update((file.key, entries.get(file.key)) for file in asked)

    def find_packs(self, query: Query, files: Sequence[PackFile] = ()) -> Mapping[str, PackMatch]:
        """The indexed packs with levels that match a query, by key; ``files`` limits a search for unique levels."""
        if query not in self._matches:
            keys = [file.key for file in files]
            found = self.open().find_packs(keys, self.marks.condition(query), FIGURES_VERSION)
            if len(self._matches) >= _MOST_QUERIES:
                self._matches.clear()
            self._matches[query] = {each.key: each for each in found}
        return self._matches[query]

    def find_levels(self, files: Sequence[PackFile], query: Query) -> list[LevelRow]:
        """The levels of indexed packs that match a query, in pack order."""
        keys = [file.key for file in files]
        rows = self.open().find_levels(keys, self.marks.condition(query), FIGURES_VERSION)
        solved, earned = self.marks.ids("solved"), self.marks.stars
        return [
            row._replace(is_solved=True, stars=earned.get(row.hash, 0)) if row.hash in solved else row for row in rows
        ]

    def find_numbers(self, key: str, query: Query) -> list[int] | None:
        """The numbers of a pack's levels that match a query (numbers match as words); None if it is not indexed."""
        if self._entries.get(key) is None:
            return None
        return self.open().find_numbers(key, self.marks.condition(query), FIGURES_VERSION)

    def pars(self, hashes: Collection[str]) -> dict[str, Par]:
        """The par by level hash, where known without a replay: see ``PackSession.par``."""
        from sokoterm.app.marked_levels import pars_of  # lists only

        return pars_of(self.store, self._opened, hashes)

    def is_found(self, file: PackFile, query: Query) -> bool:
        """True if a query matches the title or name of a pack, or if the pack is not indexed."""
        from sokoterm.store.query import is_name  # queries only

        self._look_up([file])
        entry = self._entries[file.key]
        return entry is None or is_name(query, f"{entry.title}\n{shown_text(entry.title)}\n{file.name}")

    def count_levels(self, files: Sequence[PackFile]) -> tuple[int, int] | None:
        """Return the numbers of solved levels and of all levels; None until all packs are indexed."""
        from sokoterm.store.query import EVERY, SOLVED  # queries only

        every, solved = self.find_packs(EVERY), self.find_packs(SOLVED)
        if any(file.key not in every for file in files):
            return None
        done = sum(solved[file.key].levels for file in files if file.key in solved)
        return done, sum(every[file.key].levels for file in files)

    def last_played(self) -> Mapping[LevelKey, float]:
        """The time when each level was last played, by pack key and number; indexed packs only."""
        if self._played is None:
            dates = self.store.last_played()
            self._played = {}
            for place, each in self.open().places_of(list(dates)):
                self._played[place] = max(dates[each], self._played.get(place, 0.0))
        return self._played

    def problem(self, file: PackFile) -> str:
        """The error on reading a pack; empty if there was none."""
        return self._failed.get(file.key, "")

    def note_problem(self, file: PackFile, problem: str) -> None:
        """Record an error on reading a pack, without its path, which may be too long for the line."""
        problem = problem.removeprefix(f"{printable(file.path)}: ")
        self._failed[file.key] = printable(labelled(file.name, problem))

    def forget(self, file: PackFile) -> None:
        """Forget a pasted pack that is no longer listed."""
        for known in (self._under_way, self._failed, self._solved, self._entries):
            known.pop(file.key, None)
        if self._opened is not None:
            self._opened.forget_passing(file.key)
        self._matches.clear()
        self.lessons += 1

    def forget_missing(self, folder: str, files: Sequence[PackFile] = ()) -> None:
        """Drop ``files``, and all packs of a folder whose files no longer exist."""
        for file in files:
            self.forget(file)
        if self.has_index:
            self.open().forget_missing(folder)
        self._matches.clear()
        self._played = None
        self.lessons += 1

    def hashes(self, key: str, numbers: range) -> dict[int, str]:
        """The level hashes of a pack by number; empty if it is not indexed."""
        return self.open().hashes([key], numbers)[key] if self._entries.get(key) is not None else {}

    def has_work(self, files: Sequence[PackFile]) -> bool:
        """True if indexing is unfinished."""
        return bool(self._under_way) or self._next(files) is not None

    def count_unknown(self, files: Sequence[PackFile]) -> int:
        """Return the number of packs not indexed yet, which queries miss; 0 before the index is opened."""
        if not self.is_open:
            return 0
        self._look_up(files)
        return sum(self._is_to_learn(file) for file in files if not file.is_pasted)

    def work(self, files: Sequence[PackFile]) -> None:
        """Continue indexing for about ``_WORK_SECONDS``."""
        self.open()  # may take longer, as does the first step of a pack in memory
        for lesson in [*self._under_way.values()][:1]:
            next(lesson, None)
        end = perf_counter() + _WORK_SECONDS
        has_work = True
        while has_work and perf_counter() <= end:
            if not self._under_way and (file := self._next(files)) is not None:
                self._under_way[file.key] = self._lesson(file)
            key, lesson = next(iter(self._under_way.items()), ("", iter(())))
            for __ in lesson:
                if perf_counter() > end:
                    break
            else:
                self._under_way.pop(key, None)
            has_work = self.has_work(files)
        if perf_counter() > self._told_at + _TOLD_SECONDS or not has_work:
            self._told_at = perf_counter()
            self._matches.clear()

    def begin(self, file: PackFile, pack: Pack, stamp: Stamp | None) -> None:
        """Queue a pack that was read for indexing; ``stamp`` was taken from its file before.

        It comes first. If the queue is full, the oldest packs are dropped, to be read again once they are listed.
        """
        self._failed.pop(file.key, None)
        self._under_way.pop(file.key, None)
        lessons = {file.key: self._lesson(file, pack, stamp), **self._under_way}
        self._under_way = dict(islice(lessons.items(), _MOST_UNDER_WAY))

    def _lesson(self, file: PackFile, pack: Pack | None = None, stamp: Stamp | None = None) -> Iterator[None]:
        """Read a pack if necessary and index it step by step; record an error on reading it."""
        if self.figures([file]):
            return
        try:
            if pack is None:
                stamp = stamp_of(file)
                pack = self._read(file) if self.is_small(file) else (yield from self._read_beside(file))
            entry = yield from self.open().learning(file, pack, stamp)
        except (PackError, LevelError) as error:
            self.note_problem(file, str(error))
            return
        self._entries[file.key] = entry
        self._played = None
        self.lessons += 1

    def _read_beside(self, file: PackFile) -> Steps[Pack]:
        """Read a large pack in a thread, yielding until it is there; raises PackError."""

        def read() -> Pack | PackError | LevelError:
            try:
                return self._read(file)
            except (PackError, LevelError) as error:
                return error

        reading = Call(read)
        self._reading = file.key, stamp_of(file), reading
        while not reading.is_over:
            yield
            reading.wait()
        self._reading = None
        return _pack_of(reading)

    def pack(self, file: PackFile) -> Pack:
        """Return a pack, sharing a read already in progress; raises PackError."""
        if self._reading is None or self._reading[:2] != (file.key, stamp_of(file)):
            return self._read(file)
        reading, self._reading = self._reading[2], None
        while not reading.is_over:
            reading.wait()
        return _pack_of(reading)

    def _next(self, files: Sequence[PackFile]) -> PackFile | None:
        self._look_up(files)
        unknown = [file for file in files if self._is_to_learn(file)]
        return next(filter(self.is_small, unknown), unknown[0] if unknown else None)

    def _is_to_learn(self, file: PackFile) -> bool:
        return self._entries.get(file.key) is None and file.key not in self._failed

    def is_small(self, file: PackFile) -> bool:
        stamp = stamp_of(file)
        return stamp is not None and 0 < stamp.size <= MOST_BYTES

    def _count_solved(self, keys: Sequence[str]) -> None:
        hashes = self.open().hashes(keys)
        for key in keys:
            # The index was deleted meanwhile, so index the pack again.
            if not hashes[key] and (entry := self._entries[key]) is not None and entry.levels:
                self._entries[key] = None
                del hashes[key]
        solved = self.store.summaries(each for levels in hashes.values() for each in levels.values())
        self._solved.update((key, sum(each in solved for each in levels.values())) for key, levels in hashes.items())

    # Levels

    def level_row(self, key: str, number: int) -> LevelRow | None:
        """Return the index row of a level with its figures and the date it was last played; None if not indexed."""
        row = self.open().level_row((key, number), FIGURES_VERSION)
        if row is None:
            return None
        figures = "".join(grade.figures for grade in self.open().graded([row.hash], FIGURES_VERSION).values())
        return row._replace(last_played=self.last_played().get((key, number)), figures=figures)


def _pack_of(reading: Call[Pack | PackError | LevelError]) -> Pack:
    if isinstance(reading.result, Pack):
        return reading.result
    raise PackError(reading.crash or str(reading.result))


# Minimum time between two publications of new grades, for slow lines.
_SHOWN_SECONDS = 0.25

# Larger boards keep their estimate: a single step of the search could delay a key by a second.
_MOST_SQUARES = 512
# Board sizes of the rounds; each round reads a pack at most once.
_ROUNDS = (64, 90, 120, 160, 220, 300, _MOST_SQUARES)


class Grading:
    """Difficulty grades of levels, and of packs by a sample of their levels."""

    def __init__(
        self, index: LibraryIndex, read: Callable[[PackFile], Pack], is_small: Callable[[PackFile], bool]
    ) -> None:
        """``read`` opens a pack, or raises PackError; only packs that are ``is_small`` are read."""
        self._index = index
        self._read = read
        self._is_small = is_small
        self._levels: dict[str, dict[int, Grade]] = {}
        self._samples: dict[str, list[SampleRow]] | None = None
        # Grades by level hash, of samples and of this session.
        self._graded: dict[str, Grade] = {}
        self._failed: set[str] = set()
        # Grades not published yet: by pack and number for the lists, by level hash for the index.
        self._new: dict[str, dict[int, Grade]] = {}
        self._to_keep: dict[str, Grade] = {}
        self._shown_at = 0.0

    def is_in_reach(self, level: Level) -> bool:
        """True if a level's board is small enough to be graded."""
        return _squares(level) <= _MOST_SQUARES

    def levels(self, key: str) -> Mapping[int, Grade]:
        """Return the known grades of a pack's levels by number, without estimates."""
        if key not in self._levels:
            self._levels[key] = self._index.grades(key, FIGURES_VERSION)
        return self._levels[key]

    def packs(self, keys: Sequence[str]) -> Mapping[str, Grade]:
        """Return the grades of packs by key; estimates for packs that are not fully graded."""
        samples, graded = self._sampled(), self._graded
        return {
            key: grade_of([graded.get(row.hash) or estimated(row.estimate) for row in samples[key]])
            for key in keys
            if key in samples
        }

    def progress(self, keys: Sequence[str]) -> tuple[int, int, int]:
        """Return the numbers of graded and of gradable sample levels, and of packs with a grade."""
        samples = self._sampled()
        rows = (row for key in keys for row in samples.get(key, ()))
        levels = {row.hash for row in rows if row.squares <= _MOST_SQUARES}
        return len(levels & self._graded.keys()), len(levels), len(samples.keys() & set(keys))

    def _sampled(self) -> Mapping[str, list[SampleRow]]:
        if self._samples is None:
            rows = self._index.samples(FIGURES_VERSION)
            self._samples = {key: list(some) for key, some in groupby(rows, key=lambda row: row.key)}
            for row in rows:
                if row.number is not None and row.shown is not None:
                    self._graded[row.hash] = Grade(row.number, row.shown)
        return self._samples

    def forget(self) -> None:
        """Drop the cached grades after the index has changed."""
        self.show()
        self._levels.clear()
        self._samples = None

    # Grading

    def grade_levels(self, key: str, levels: Sequence[Level]) -> Iterator[bool]:
        """Grade a pack's levels in small steps, smallest boards first; yields False."""
        self._levels[key] = {**self.levels(key), **self._index.grades(key, FIGURES_VERSION)}
        for level in sorted(levels, key=_squares):
            if level.number not in self.levels(key) and self.is_in_reach(level):
                yield from self._grade(key, level)
        self.show()

    def grade_packs(self, files: Sequence[PackFile]) -> Iterator[bool]:
        """Grade packs in small steps, smallest boards first; yields True after each round, else False."""
        rounds: list[dict[str, list[SampleRow]]] = [{} for _ in _ROUNDS]
        by_key = {file.key: file for file in files if file.key not in self._failed}
        for key in by_key:
            for row in self._sampled().get(key, ()):
                if row.squares <= _MOST_SQUARES and row.hash not in self._graded:
                    rounds[bisect_left(_ROUNDS, row.squares)].setdefault(key, []).append(row)
        for packs in filter(None, rounds):
            for key, rows in packs.items():
                if all(row.hash in self._graded for row in rows) or not self._is_small(by_key[key]):
                    continue
                try:
                    pack = self._read(by_key[key])
                except (PackError, LevelError):
                    self._failed.add(key)
                    continue
                yield False
                for row in rows:
                    level = pack.find_level(row.place)
                    if level is not None and row.hash not in self._graded:
                        yield from self._grade(key, level)
            self.show()
            yield True

    def _grade(self, key: str, level: Level) -> Iterator[bool]:
        puzzle = level_hash(level)
        grade = self._graded.get(puzzle) or self._to_keep.get(puzzle)
        if grade is None:
            from sokoterm.solver.difficulty import Rating  # only after the first frame

            rating = Rating(level)
            for _ in rating.search(inf, time.perf_counter):
                yield False
            assert rating.figures is not None
            grade = graded(rating.figures)
            self._to_keep[puzzle] = grade
        self._new.setdefault(key, {})[level.number] = grade
        if time.perf_counter() - self._shown_at >= _SHOWN_SECONDS:
            self.show()

    def show(self) -> None:
        """Publish new grades, here and to the index."""
        for key, grades in self._new.items():
            self._levels[key] = {**self.levels(key), **grades}
        if self._to_keep:
            self._index.keep_grades(self._to_keep, FIGURES_VERSION)
            self._graded |= self._to_keep
        self._new.clear()
        self._to_keep.clear()
        self._shown_at = time.perf_counter()


def graded(figures: DifficultyFigures) -> Grade:
    return Grade(difficulty(figures), in_short(figures), written(figures))


def _squares(level: Level) -> int:
    return level.board.stride * level.board.height


def catalog_of(folder: str, store: ProgressStore, read: Callable[[PackFile], Pack] = open_pack) -> Catalog:
    path = library_file(folder)

    def open_index() -> LibraryIndex:
        from sokoterm.store.library import LibraryIndex  # not needed to play a level

        return LibraryIndex.open(path, time.time)

    return Catalog(open_index, lambda: os.path.exists(path), store, read)


def own_packs(folder: str, catalog: Catalog) -> list[PackFile]:
    if not os.path.isdir(folder):
        return bundled_packs()
    return bundled_packs() + added_packs(folder, catalog.open().stamps())
