"""The player's library for programs: what the game keeps in its data folder is read, and never written."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import groupby
from tempfile import TemporaryDirectory
from time import sleep, time
from typing import NamedTuple
from weakref import finalize

from sokoterm.app.marked_levels import KnownSolutions, MarkedLevels
from sokoterm.engine.value import UsageError
from sokoterm.position import Level, Solution
from sokoterm.solver.figures import FIGURES_VERSION
from sokoterm.store.library import LevelRow, LibraryIndex
from sokoterm.store.packs import PackError, added_packs, bundled_packs, open_pack
from sokoterm.store.paths import data_dir, library_file, packs_dir, progress_file
from sokoterm.store.progress import ProgressStore
from sokoterm.store.query import QueryError, parse_query
from sokoterm.wording.lists import query_problem

__all__ = ["LevelProgress", "Library", "LibraryLevel", "LibrarySolution"]

# The databases with their journals.
_FILES = {name + suffix for name in (progress_file(""), library_file("")) for suffix in ("", "-wal", "-journal")}
# The copy is repeated while a file changes; the game writes once per push.
_MOST_COPIES, _WAIT_SECONDS = 50, 0.02


class LibraryLevel(NamedTuple):
    """A level of the library, with the title and the path of its pack."""

    level: Level
    pack: str
    path: str


class LibrarySolution(NamedTuple):
    """A solution of a level, who or what found it, and its source: "own", "file" (came with the level) or "known"."""

    solution: Solution
    credit: str
    source: str


class LevelProgress(NamedTuple):
    """A player's record in a level, which includes its turned and mirrored copies.

    The best solutions, by moves and by pushes, fit the level; they are None if it was not solved. ``seconds`` is the
    time played, ``moves`` are those of an open play.
    """

    by_moves: Solution | None
    by_pushes: Solution | None
    stars: int
    first_solved: datetime | None
    last_solved: datetime | None
    seconds: float
    moves: str


class Library:
    """A player's library as it is now: bundled and added packs, with progress and solutions.

    ``folder`` is the data folder, by default that of the game, which may be running: nothing is written to it. Packs
    that the game has not indexed yet are read first. ``problems`` has a line for each pack or level that cannot be
    read. Raises UsageError if the folder is missing or its databases cannot be read.

    >>> library = Library("levels")  # no data folder, so without progress and added packs
    >>> [(found.pack, found.level) for found in library.find("boxes:1 size<=7x5 unsolved")]
    [('First Colours', Level('Its own colour', 7x5, 1 box))]
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = data_dir(None if folder is None else os.fspath(folder))
        if folder is not None and not os.path.isdir(folder):
            raise UsageError(f"{self.folder}: is not a folder; expected the data folder of the game")
        temporary = TemporaryDirectory()
        finalize(self, temporary.cleanup)
        try:
            copy = _copied(self.folder, temporary.name)
        except OSError as error:
            raise UsageError(f"{self.folder}: cannot be read: {error.strerror or error}") from None
        self._progress = ProgressStore.open(progress_file(copy), time)
        self._index = LibraryIndex.open(library_file(copy), time)
        for each in (self._progress, self._index):
            finalize(self, each.close)
        if self._progress.notices:
            raise UsageError(f"{self.folder}: cannot be read: {self._progress.notices[0]}")
        found = [*bundled_packs(), *added_packs(packs_dir(self.folder), self._index.stamps())]
        indexed = self._index.entries(found)
        unknown = [file for file in found if file.key not in indexed]
        self.problems = [str(problem) for file in unknown for problem in self._index.learn_file(file)]
        self._files = {file.key: file for file in found}
        self._known = KnownSolutions(self._progress, lambda: self._index)
        self._marks = MarkedLevels(lambda: self._progress, lambda: self._index)

    def find(self, query: str = "") -> Iterator[LibraryLevel]:
        """Yield the levels that match a query of the game, such as "boxes:4 unsolved", pack by pack as they are read.

        Raises UsageError immediately for an invalid query.
        """
        try:
            condition = self._marks.condition(parse_query(query))
        except QueryError as error:
            raise UsageError(query_problem(error)) from None
        return self._read(self._index.find_levels([*self._files], condition, FIGURES_VERSION))

    def known_solutions(self, level: Level) -> list[LibrarySolution]:
        """Return the solutions of a level that need no search: the player's, and those from files and past searches."""
        found = self._known.of(level, "")
        return [LibrarySolution(Solution.of(level, each.solution), each.credit, each.source.value) for each in found]

    def progress(self, level: Level) -> LevelProgress:
        """Return the player's record in a level."""
        best, level = self._progress.best(level), Level.of(level)
        first, last = (
            None if each is None else datetime.fromtimestamp(each).astimezone()
            for each in (best.dates.first_solved, best.dates.last_solved)
        )
        return LevelProgress(
            best.by_moves and Solution.of(level, best.by_moves),
            best.by_pushes and Solution.of(level, best.by_pushes),
            self._marks.stars.get(level.hash, 0),
            first,
            last,
            best.dates.seconds,
            self._progress.open_moves(level),
        )

    def _read(self, rows: Iterable[LevelRow]) -> Iterator[LibraryLevel]:
        for key, of_pack in groupby(rows, key=lambda row: row.key):
            file = self._files[key]
            try:
                pack = open_pack(file)
            except PackError as error:
                self.problems.append(str(error))
                continue
            for row in of_pack:
                if (level := pack.find_level(row.number)) is not None:
                    yield LibraryLevel(Level.of(level), row.pack, file.path)


def _copied(folder: str, target: str) -> str:
    """Copy the databases of a data folder, as of one moment, to a folder below ``target``; return that.

    Opening the originals, even for reading, would create or change the journals beside them.
    """
    for attempt in map(str, range(_MOST_COPIES)):
        copy = os.path.join(target, attempt)
        os.mkdir(copy)
        with suppress(FileNotFoundError):  # a journal that has just gone
            before = _state(folder)
            for name in before:
                shutil.copyfile(os.path.join(folder, name), os.path.join(copy, name))
            if _state(folder) == before:
                return copy
        sleep(_WAIT_SECONDS)
    raise OSError("the game keeps writing to it")


def _state(folder: str) -> dict[str, tuple[int, ...]]:
    entries = [entry for entry in os.scandir(folder) if entry.name in _FILES] if os.path.isdir(folder) else []
    stats = {entry.name: os.stat(entry.path) for entry in entries}
    return {name: (each.st_ino, each.st_size, each.st_mtime_ns) for name, each in stats.items()}
