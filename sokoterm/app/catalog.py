"""Catalog: the packs of a list, read from the index and indexed bit by bit while no key is pressed; and their grades.

A pack is graded by a sample of its levels. Those that are not graded yet count by an estimate, so that all indexed
packs have a grade at once; the estimates give way to grades, levels on small boards first. A level is graded once, in
however many packs it stands. The solver is loaded with the first level that is graded.
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
from sokoterm.solver.figures import FIGURES_VERSION, DifficultyFigures, difficulty, in_short, written
from sokoterm.store.known_levels import Grade, Par, estimated, grade_of
from sokoterm.store.packs import PackError, PackFile, Stamp, added_packs, bundled_packs, open_pack, stamp_of
from sokoterm.store.paths import library_file
from sokoterm.store.progress import ProgressStore

if TYPE_CHECKING:
    from sokoterm.app.marked_levels import MarkedLevels
    from sokoterm.store.library import LevelKey, LevelRow, LibraryIndex, PackFigures, PackMatch, SampleRow
    from sokoterm.store.query import Query

# A key pressed meanwhile waits about this long at most.
_WORK_SECONDS = 0.02
# Reading a pack of this size takes some 80 ms; a larger one is read in a thread.
MOST_BYTES = 1 << 18
# What queries find is told anew at most this often while more packs are indexed: it takes some 50 ms.
_TOLD_SECONDS = 1.0
# Queries whose packs are kept: those of a word that is being typed.
_MOST_QUERIES = 32
# Packs kept in memory to be indexed: of a folder of files of one level many are played before a list is asked for.
_MOST_UNDER_WAY = 50


class Catalog:
    """Facts about packs that need no reading of them, from the index and the progress.

    The index is opened by the first question. ``lessons`` counts the packs indexed in this session; each may add facts
    about any level.
    """

    def __init__(
        self,
        open_index: Callable[[], LibraryIndex],
        index_exists: Callable[[], bool],
        store: ProgressStore,
        read: Callable[[PackFile], Pack] = open_pack,
    ) -> None:
        """``index_exists``: no index is made to look at one level. ``read`` opens a pack; it raises PackError."""
        self._open_index = open_index
        self._index_exists = index_exists
        self._opened: LibraryIndex | None = None
        self._read = read
        self.store = store
        self._entries: dict[str, PackFigures | None] = {}
        self._solved: dict[str, int] = {}
        # The packs that queries found, until more is known.
        self._matches: dict[Query, dict[str, PackMatch]] = {}
        self._marks: MarkedLevels | None = None
        self._played: dict[LevelKey, float] | None = None
        self._failed: dict[str, str] = {}
        self.lessons = 0
        self._grading: Grading | None = None
        self._told_at = 0.0
        # The packs being indexed, the one read last first.
        self._under_way: dict[str, Iterator[None]] = {}
        # The key and stamp of the pack that is being read in a thread.
        self._reading: tuple[str, Stamp | None, Call[Pack | PackError | LevelError]] | None = None

    def open(self) -> LibraryIndex:
        """Return the index, which is opened unless it is open."""
        if self._opened is None:
            self._opened = self._open_index()
        return self._opened

    @property
    def is_open(self) -> bool:
        """True once the index has been opened."""
        return self._opened is not None

    @property
    def has_index(self) -> bool:
        """True if there is an index to ask."""
        return self.is_open or self._index_exists()

    @property
    def notices(self) -> list[str]:
        """Lines for the player; the caller shows and clears them."""
        return self._opened.notices if self._opened is not None else []

    def close(self) -> None:
        """Publish the grades, and close the index if it is open."""
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
        """The levels that have been solved or begun."""
        if self._marks is None:
            from sokoterm.app.marked_levels import MarkedLevels  # queries only

            self._marks = MarkedLevels(lambda: self.store, lambda: self.open() if self.has_index else None)
        return self._marks

    def refresh(self) -> None:
        """Forget the counts of solved levels and the dates of play: a level has been played."""
        self._solved.clear()
        self._played = None
        self._marks = None
        self._matches.clear()

    # Packs

    def figures(self, files: Sequence[PackFile]) -> dict[str, PackFigures]:
        """The known figures of packs, by key, in two or three queries."""
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
        """The indexed packs that have levels which answer a query, by key; of ``files`` if it is for unique levels."""
        if query not in self._matches:
            keys = [file.key for file in files]
            found = self.open().find_packs(keys, self.marks.condition(query), FIGURES_VERSION)
            if len(self._matches) >= _MOST_QUERIES:
                self._matches.clear()
            self._matches[query] = {each.key: each for each in found}
        return self._matches[query]

    def find_levels(self, files: Sequence[PackFile], query: Query) -> list[LevelRow]:
        """The levels of indexed packs that answer a query, in the order of the packs; unique ones if it wants these."""
        keys = [file.key for file in files]
        rows = self.open().find_levels(keys, self.marks.condition(query), FIGURES_VERSION)
        solved, earned = self.marks.ids("solved"), self.marks.stars
        return [
            row._replace(is_solved=True, stars=earned.get(row.hash, 0)) if row.hash in solved else row for row in rows
        ]

    def find_numbers(self, key: str, query: Query) -> list[int] | None:
        """The numbers of the levels of a pack that answer a query, a number being a word; None unless it is indexed."""
        if self._entries.get(key) is None:
            return None
        return self.open().find_numbers(key, self.marks.condition(query), FIGURES_VERSION)

    def pars(self, hashes: Collection[str]) -> dict[str, Par]:
        """The par of levels by level hash, known without a replay or the level: see ``PackSession.par``."""
        from sokoterm.app.marked_levels import pars_of  # lists only

        return pars_of(self.store, self._opened, hashes)

    def is_found(self, file: PackFile, query: Query) -> bool:
        """True if a query finds a pack itself by its title or name, or if the pack is not indexed."""
        from sokoterm.store.query import is_name  # queries only

        self._look_up([file])
        entry = self._entries[file.key]
        return entry is None or is_name(query, f"{entry.title}\n{file.name}")

    def count_levels(self, files: Sequence[PackFile]) -> tuple[int, int] | None:
        """Return the numbers of solved and of all levels of some packs; None until all of them are indexed."""
        from sokoterm.store.query import EVERY, SOLVED  # queries only

        every, solved = self.find_packs(EVERY), self.find_packs(SOLVED)
        if any(file.key not in every for file in files):
            return None
        done = sum(solved[file.key].levels for file in files if file.key in solved)
        return done, sum(every[file.key].levels for file in files)

    def last_played(self) -> Mapping[LevelKey, float]:
        """When the levels of indexed packs that were played were played last."""
        if self._played is None:
            dates = self.store.last_played()
            self._played = {}
            for place, each in self.open().places_of(list(dates)):
                self._played[place] = max(dates[each], self._played.get(place, 0.0))
        return self._played

    def problem(self, file: PackFile) -> str:
        """The reason why a pack cannot be read; empty if it is not known."""
        return self._failed.get(file.key, "")

    def note_problem(self, file: PackFile, problem: str) -> None:
        """Note that a pack cannot be read."""
        # The line for it is short: no path, which may be long.
        problem = problem.removeprefix(f"{printable(file.path)}: ")
        self._failed[file.key] = printable(f"{file.name}: {problem}")

    def forget(self, file: PackFile) -> None:
        """Forget a pasted pack, which is listed no more."""
        for known in (self._under_way, self._failed, self._solved, self._entries):
            known.pop(file.key, None)
        if self._opened is not None:
            self._opened.forget_passing(file.key)
        self._matches.clear()
        self.lessons += 1

    def forget_missing(self, folder: str, files: Sequence[PackFile] = ()) -> None:
        """Drop the packs of a folder whose files are gone, and what is known of ``files``."""
        for file in files:
            self.forget(file)
        if self.has_index:
            self.open().forget_missing(folder)
        self._matches.clear()
        self._played = None
        self.lessons += 1

    def hashes(self, key: str) -> dict[int, str]:
        """The level hashes of an indexed pack, by number."""
        return self.open().hashes([key])[key] if self._entries.get(key) is not None else {}

    def has_work(self, files: Sequence[PackFile]) -> bool:
        """True if one of these packs is to be indexed."""
        return bool(self._under_way) or self._next(files) is not None

    def count_unknown(self, files: Sequence[PackFile]) -> int:
        """Return the number of packs that no query finds yet, as they are not indexed; 0 before the index is opened."""
        if not self.is_open:
            return 0
        self._look_up(files)
        return sum(self._is_to_learn(file) for file in files if not file.is_pasted)

    def work(self, files: Sequence[PackFile]) -> None:
        """Index for a moment: the pack under way, then those of these that are not known."""
        self.open()  # which may take longer, as does the first look whether a pack that was read is known
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
        """Note that a pack was read, to index it unless it is known; ``stamp`` is that of its file before.

        A pack under way goes on after it. Of many the first are dropped, and read again if they are listed.
        """
        self._failed.pop(file.key, None)
        self._under_way.pop(file.key, None)
        lessons = {file.key: self._lesson(file, pack, stamp), **self._under_way}
        self._under_way = dict(islice(lessons.items(), _MOST_UNDER_WAY))

    def _lesson(self, file: PackFile, pack: Pack | None = None, stamp: Stamp | None = None) -> Iterator[None]:
        """Read a pack, unless it has been read, and index it bit by bit; note why it cannot be read."""
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
        """Read a large pack in a thread, and wait for it a moment at a time; raises PackError."""

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
        """Return a pack; one that is being read, to be indexed, is not read a second time. Raises PackError."""
        if self._reading is None or self._reading[:2] != (file.key, stamp_of(file)):
            return self._read(file)
        reading, self._reading = self._reading[2], None
        while not reading.is_over:
            reading.wait()
        return _pack_of(reading)

    def _next(self, files: Sequence[PackFile]) -> PackFile | None:
        """Return the pack to index next: small ones first, since most of those that are asked for are."""
        self._look_up(files)
        unknown = [file for file in files if self._is_to_learn(file)]
        return next(filter(self.is_small, unknown), unknown[0] if unknown else None)

    def _is_to_learn(self, file: PackFile) -> bool:
        return self._entries.get(file.key) is None and file.key not in self._failed

    def is_small(self, file: PackFile) -> bool:
        """True if reading a pack takes no noticeable time."""
        stamp = stamp_of(file)
        return stamp is not None and 0 < stamp.size <= MOST_BYTES

    def _count_solved(self, keys: Sequence[str]) -> None:
        hashes = self.open().hashes(keys)
        for key in keys:
            # The index was deleted meanwhile: the pack is indexed again.
            if not hashes[key] and (entry := self._entries[key]) is not None and entry.levels:
                self._entries[key] = None
                del hashes[key]
        solved = self.store.summaries(each for levels in hashes.values() for each in levels.values())
        self._solved.update((key, sum(each in solved for each in levels.values())) for key, levels in hashes.items())

    # Levels

    def level_row(self, key: str, number: int) -> LevelRow | None:
        """Return the row of a level with the date when it was played last, if the index has it."""
        row = self.open().level_row((key, number), FIGURES_VERSION)
        return row._replace(last_played=self.last_played().get((key, number))) if row is not None else None


def _pack_of(reading: Call[Pack | PackError | LevelError]) -> Pack:
    if isinstance(reading.result, Pack):
        return reading.result
    raise PackError(reading.crash or str(reading.result))


# New grades are published at most this often, so that a slow line is not busy with them.
_SHOWN_SECONDS = 0.25

# Boards of more squares keep their estimate: a single step of the search could keep a key waiting for a second.
_MOST_SQUARES = 512
# Rounds of boards up to so many squares: each reads a pack once at most.
_ROUNDS = (64, 90, 120, 160, 220, 300, _MOST_SQUARES)


class Grading:
    """Grades of levels, and of packs by a sample of their levels."""

    def __init__(
        self, index: LibraryIndex, read: Callable[[PackFile], Pack], is_small: Callable[[PackFile], bool]
    ) -> None:
        """``read`` opens a pack if it ``is_small``; it raises PackError."""
        self._index = index
        self._read = read
        self._is_small = is_small
        self._levels: dict[str, dict[int, Grade]] = {}
        self._samples: dict[str, list[SampleRow]] | None = None
        # Grades by level hash, of samples and of this session.
        self._graded: dict[str, Grade] = {}
        # Packs that could not be read.
        self._failed: set[str] = set()
        # Grades not published yet: by pack and number for the lists, by level hash for the index.
        self._new: dict[str, dict[int, Grade]] = {}
        self._to_keep: dict[str, Grade] = {}
        self._shown_at = 0.0

    def is_in_reach(self, level: Level) -> bool:
        """True if a level is graded, and does not keep its estimate."""
        return _squares(level) <= _MOST_SQUARES

    def levels(self, key: str) -> Mapping[int, Grade]:
        """Return the known grades of the levels of a pack, by number, without estimates."""
        if key not in self._levels:
            self._levels[key] = self._index.grades(key, FIGURES_VERSION)
        return self._levels[key]

    def packs(self, keys: Sequence[str]) -> Mapping[str, Grade]:
        """Return the grades of packs, by key; those of packs that are not fully graded are estimates."""
        samples, graded = self._sampled(), self._graded
        return {
            key: grade_of([graded.get(row.hash) or estimated(row.estimate) for row in samples[key]])
            for key in keys
            if key in samples
        }

    def progress(self, keys: Sequence[str]) -> tuple[int, int, int]:
        """Return how many levels have been graded by which these packs are, how many can be, and the graded packs."""
        samples = self._sampled()
        rows = (row for key in keys for row in samples.get(key, ()))
        levels = {row.hash for row in rows if row.squares <= _MOST_SQUARES}
        return len(levels & self._graded.keys()), len(levels), len(samples.keys() & set(keys))

    def _sampled(self) -> Mapping[str, list[SampleRow]]:
        """Return the levels by which packs are graded, by the key of the pack."""
        if self._samples is None:
            rows = self._index.samples(FIGURES_VERSION)
            self._samples = {key: list(some) for key, some in groupby(rows, key=lambda row: row.key)}
            for row in rows:
                if row.number is not None and row.shown is not None:
                    self._graded[row.hash] = Grade(row.number, row.shown)
        return self._samples

    def forget(self) -> None:
        """Forget the grades: the index has more."""
        self.show()
        self._levels.clear()
        self._samples = None

    # Grading

    def grade_levels(self, key: str, levels: Sequence[Level]) -> Iterator[bool]:
        """Grade the levels of a pack in small steps, those on small boards first; yields False."""
        self._levels[key] = {**self.levels(key), **self._index.grades(key, FIGURES_VERSION)}
        for level in sorted(levels, key=_squares):
            if level.number not in self.levels(key) and self.is_in_reach(level):
                yield from self._grade(key, level)
        self.show()

    def grade_packs(self, files: Sequence[PackFile]) -> Iterator[bool]:
        """Grade packs in small steps, the levels on small boards first; yields True after each round of them."""
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
            from sokoterm.solver.difficulty import Rating  # searches, once the first picture is there

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
        """Publish new grades, here and in the index."""
        for key, grades in self._new.items():
            self._levels[key] = {**self.levels(key), **grades}
        if self._to_keep:
            self._index.keep_grades(self._to_keep, FIGURES_VERSION)
            self._graded |= self._to_keep
        self._new.clear()
        self._to_keep.clear()
        self._shown_at = time.perf_counter()


def graded(figures: DifficultyFigures) -> Grade:
    """Return the grade that figures make."""
    return Grade(difficulty(figures), in_short(figures), written(figures))


def _squares(level: Level) -> int:
    return level.board.stride * level.board.height


def catalog_of(folder: str, store: ProgressStore, read: Callable[[PackFile], Pack] = open_pack) -> Catalog:
    """Return the catalog of a data folder."""
    path = library_file(folder)

    def open_index() -> LibraryIndex:
        from sokoterm.store.library import LibraryIndex  # to play a level no index is opened

        return LibraryIndex.open(path, time.time)

    return Catalog(open_index, lambda: os.path.exists(path), store, read)


def own_packs(folder: str, catalog: Catalog) -> list[PackFile]:
    """Return the packs that ship, and then those that were added to the folder."""
    if not os.path.isdir(folder):
        return bundled_packs()
    return bundled_packs() + added_packs(folder, catalog.open().stamps())
