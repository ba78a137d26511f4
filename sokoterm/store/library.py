"""Index ``library.db`` of all packs ever read.

For each pack the index has the title, the number of levels and their hashes, and the solutions that came with the file.
All of it is derived from the packs, so the file may be deleted at any time. An entry is valid as long as the size and
time of the pack's file and the version of the reader are unchanged.

Accounts of one data folder share the file, so it has only bundled packs and packs on disk. Packs that one person
pasted, or that came through a pipe or from an address, are kept in memory until the session ends.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import NamedTuple, TypeVar

from sokoterm import __version__
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import Canonical, canonical, solution_from_canonical, to_canonical
from sokoterm.engine.text import folded, printable
from sokoterm.language import _
from sokoterm.store.database import OF_LIBRARY, Database, NotWrittenError, RowValue
from sokoterm.store.known_levels import (
    MOST_SPELLED_OUT,
    Grade,
    KnownSolution,
    LevelPlace,
    best_known,
    replay_records,
    sample_of,
)
from sokoterm.store.level_rows import (
    LEVEL_COLUMNS,
    LevelRow,
    PackMatch,
    SampleRow,
    level_columns,
    level_row,
    levels_query,
    matches_query,
    numbers_query,
    rows_query,
    samples_query,
)
from sokoterm.store.library_tables import MIGRATIONS
from sokoterm.store.packs import PackFile, Stamp, reading, stamp_of
from sokoterm.store.query import NO_SOLUTION, Condition

_Made = TypeVar("_Made")

Place = tuple[str, int]
"""Place of a level: the key of its pack, and its number."""

# Version of the reader of packs: the number grows when it finds something else in a pack, even within a version.
_READER = f"{__version__}-5"

# An expression of more places would be too deep for sqlite.
_PLACES_AT_ONCE = 100

# The most values that every build of sqlite takes in one statement.
_VALUES_AT_ONCE = 900

# Keys of temporary packs; earlier versions stored them in the file.
_PASSING = "(key LIKE 'content:%' OR key LIKE 'http%://%')"
_LASTING_PACKS = f"(SELECT * FROM pack WHERE NOT {_PASSING}) AS pack"


class PackEntry(NamedTuple):
    """A pack without its levels: its title (or name), and the numbers of readable and unreadable levels."""

    title: str
    levels: int
    unreadable: int


class _PackRow(NamedTuple):
    """A row of the table of packs, without its id."""

    key: str
    size: int
    time: int
    reader: str
    title: str
    levels: int
    unreadable: int


class _HashRow(NamedTuple):
    """A level hash with the place of its level."""

    key: str
    number: int
    hash: str


class _GradeRow(NamedTuple):
    """A grade with the place of its level."""

    key: str
    place: int
    number: int
    shown: str


_Keyed = TypeVar("_Keyed", _PackRow, _HashRow, _GradeRow)


class KnownRow(NamedTuple):
    """A row of the table of known solutions, without its pack."""

    number: int
    place: int
    hash: str
    start_row: int
    start_column: int
    lurd: str
    moves: int
    pushes: int
    credit: str


class _Memory:
    """The same tables in memory, for temporary packs."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        for statement in chain.from_iterable(MIGRATIONS):
            self._connection.execute(statement)

    def read(self, query: str, values: Sequence[RowValue], make: Callable[..., _Made]) -> list[_Made]:
        return [make(*row) for row in self._connection.execute(query, values)]

    def write(self, job: Callable[[sqlite3.Connection], None]) -> None:
        job(self._connection)

    def close(self) -> None:
        self._connection.close()


class LibraryIndex:
    """The index. ``notices`` collects lines for the user: show and clear them."""

    def __init__(self, database: Database) -> None:
        self.notices = database.notices
        self._database = database
        self._memory: _Memory | None = None
        if database.read(f"SELECT 1 FROM pack WHERE {_PASSING} LIMIT 1", (), int):
            self._write(database, _delete_passing)

    @classmethod
    def open(cls, path: str, clock: Callable[[], float], patience: float | None = None) -> "LibraryIndex":
        """Open or create the index at ``path``; never raises, problems become notices.

        ``patience`` is how many seconds to wait for another session that is writing; by default a blink.
        """
        if patience is None:
            return cls(Database(path, MIGRATIONS, clock, OF_LIBRARY))
        return cls(Database(path, MIGRATIONS, clock, OF_LIBRARY, patience))

    def close(self) -> None:
        self._database.close()
        if self._memory is not None:
            self._memory.close()

    def entry(self, file: PackFile) -> PackEntry | None:
        """Return the entry of a pack, None if there is none or the file has changed."""
        return self.entries([file]).get(file.key)

    def entries(self, files: Iterable[PackFile]) -> dict[str, PackEntry]:
        """Return the valid entries of these packs, by key."""
        stamps = {file.key: stamp_of(file) for file in files}
        query = "SELECT key, size, time, reader, title, levels, unreadable FROM {pack} WHERE key IN ({})"
        rows = self._read_many(query, list(stamps), _PackRow)
        return {
            row.key: PackEntry(row.title, row.levels, row.unreadable)
            for row in rows
            if row.reader == _READER and stamps[row.key] == Stamp(row.size, row.time)
        }

    def stamps(self) -> dict[str, Stamp]:
        """Return the stamp of each pack when it was learned, by key."""
        query = "SELECT key, size, time FROM pack WHERE reader = ?"
        return dict(self._database.read(query, (_READER,), _stamped))

    def titles(self) -> dict[str, str]:
        """Return the title of each pack, by key."""
        return dict(self._database.read("SELECT key, title FROM pack", (), _pair))

    def hashes(self, keys: Sequence[str]) -> dict[str, dict[int, str]]:
        """Return the level hash of each readable level, by the key of its pack and its number."""
        found: dict[str, dict[int, str]] = {key: {} for key in keys}
        query = "SELECT key, number, hash FROM level JOIN {pack} ON pack.id = level.pack WHERE key IN ({})"
        for row in self._read_many(query, keys, _HashRow):
            found[row.key][row.number] = row.hash
        return found

    def grades(self, keys: Sequence[str], version: int) -> dict[str, dict[int, Grade]]:
        """Return the known grades of levels under this version of the figures, by pack and number."""
        found: dict[str, dict[int, Grade]] = {key: {} for key in keys}
        query = f"""SELECT key, level.number, grade.number, shown FROM level JOIN {{pack}} ON pack.id = level.pack
            JOIN grade ON grade.hash = level.hash WHERE version = {version:d} AND key IN ({{}})"""
        for row in self._read_many(query, keys, _GradeRow):
            found[row.key][row.place] = Grade(row.number, row.shown)
        return found

    def figures(self, hashes: Sequence[str], version: int) -> dict[str, str]:
        """Return the figures of grades that are known under this version of them, by level hash."""
        found: dict[str, str] = {}
        query = f"SELECT hash, figures FROM grade WHERE version = {version:d} AND figures <> '' AND hash IN ({{}})"
        for first in range(0, len(hashes), _VALUES_AT_ONCE):
            some = hashes[first : first + _VALUES_AT_ONCE]
            found.update(self._read(query, some, _pair, _marks(len(some))))
        return found

    def samples(self, version: int) -> list[SampleRow]:
        """Return the levels by which packs are graded, with their grades under this version of the figures."""
        return self._read(samples_query(version), (), SampleRow)

    def hard(self, level_hash: str, version: int) -> int | None:
        """Return the difficulty of a level under this version of the figures, None if it is not known."""
        query = "SELECT number, shown, figures FROM grade WHERE hash = ? AND version = ?"
        values = (level_hash, version)
        grades = self._database.read(query, values, Grade)
        grades = grades or (self._memory.read(query, values, Grade) if self._memory is not None else [])
        return next((NO_SOLUTION if each.shown == "-" else each.number for each in grades), None)

    def find_packs(self, condition: Condition, version: int) -> list[PackMatch]:
        """Return the packs that have levels for which a condition holds; of 43,000 levels in some 50 ms."""
        return self._read(matches_query(condition.text, version), [*condition.values, _READER], PackMatch)

    def find_levels(self, keys: Sequence[str], condition: Condition, version: int) -> list[LevelRow]:
        """Return the levels of packs for which a condition holds, in the order of the keys and by number."""
        from json import dumps

        places = {key: place for place, key in enumerate(keys)}
        values = [*condition.values, dumps(keys), _READER]
        found = self._read(levels_query(condition.text, version), values, level_row)
        return sorted(found, key=lambda row: (places[row.key], row.number))

    def find_numbers(self, key: str, condition: Condition, version: int) -> list[int]:
        """Return the numbers of the levels of a pack for which a condition holds."""
        return self._read(numbers_query(condition.text, version), [key, *condition.values], int)

    def places_of(self, ids: Sequence[str]) -> list[tuple[Place, str]]:
        """Return the places of levels with one of these level hashes or Exact-Ids, each with the id."""
        query = "SELECT key, number, {0} FROM level JOIN {{pack}} ON pack.id = level.pack WHERE {0} IN ({{}})"
        found: list[tuple[Place, str]] = []
        for column, first in product(("hash", "exact_id"), range(0, len(ids), _VALUES_AT_ONCE)):
            some = ids[first : first + _VALUES_AT_ONCE]
            rows = self._read(query.format(column), some, _HashRow, _marks(len(some)))
            found += [((row.key, row.number), row.hash) for row in rows]
        return found

    def fewest_pushes(self, hashes: Sequence[str]) -> dict[str, int]:
        """Return the fewest pushes of a known solution, by level hash."""
        query = (
            "SELECT hash, min(pushes) FROM known JOIN {pack} ON pack.id = known.pack WHERE hash IN ({}) GROUP BY hash"
        )
        found: dict[str, int] = {}
        for first in range(0, len(hashes), _VALUES_AT_ONCE):
            some = hashes[first : first + _VALUES_AT_ONCE]
            for level_hash, pushes in self._read(query, some, _fewest, _marks(len(some))):
                found[level_hash] = min(pushes, found.get(level_hash, pushes))
        return found

    def level_rows(self, places: Sequence[Place], version: int) -> dict[Place, LevelRow]:
        """Return the rows of levels, by the key of the pack and the number: those of a page or two."""
        found: dict[Place, LevelRow] = {}
        for first in range(0, len(places), _PLACES_AT_ONCE):
            some = places[first : first + _PLACES_AT_ONCE]
            values = [value for place in some for value in place]
            rows = self._read(rows_query(len(some), version), values, level_row)
            found |= {(row.key, row.number): row for row in rows}
        return found

    def keep_grades(self, grades: Mapping[str, Grade], version: int) -> None:
        """Store the grades of levels, by level hash."""
        passing = set[str]()
        if self._memory is not None:
            passing.update(self._memory.read("SELECT hash FROM level", (), str))
            self._keep_grades(self._memory, grades, version)
        self._keep_grades(
            self._database, {each: grade for each, grade in grades.items() if each not in passing}, version
        )

    def _keep_grades(self, database: "Database | _Memory", grades: Mapping[str, Grade], version: int) -> None:
        rows = [(level_hash, version, *grade) for level_hash, grade in grades.items()]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO grade VALUES (?, ?, ?, ?, ?)", rows)

        if rows:
            self._write(database, write)

    def names_of(self, level_hash: str) -> list[LevelPlace]:
        """Return every place of a level in packs that still exist, in the order they were learned."""
        query = """SELECT key, pack.title, number FROM level JOIN {pack} ON pack.id = level.pack
            WHERE hash = ? ORDER BY pack.id, number"""
        return [place for place in self._read(query, (level_hash,), LevelPlace) if _is_there(place.key)]

    def count_new(self, key: str, folder: str) -> int:
        """Return the number of puzzles of a pack that no other pack of the library has.

        The library is what ships and what is in ``folder``; packs elsewhere were only looked at.
        """
        query = """SELECT count(DISTINCT hash) FROM level JOIN pack ON pack.id = level.pack WHERE key = ?
            AND NOT EXISTS (SELECT 1 FROM level AS other JOIN pack AS owner ON owner.id = other.pack
                WHERE other.hash = level.hash AND other.pack <> level.pack
                AND (owner.key LIKE 'bundled:%' OR substr(owner.key, 1, length(?)) = ?))"""
        inside = _key_of_inside(folder)
        return sum(self._database.read(query, (key, inside, inside), int))

    def known(self, level: Level, key: str = "", folder: str | None = None) -> list[KnownSolution]:
        """Return the solutions that files brought for a level or one of equal hash, transformed to fit and replayed.

        The one of the fewest pushes comes first, then the one of the fewest moves if that is another; among equals
        those of the pack with this key are preferred.  With a ``folder`` only packs in it and those that ship count.
        """
        return replay_best(level, self.known_rows(level, key, folder))

    def known_rows(self, level: Level, key: str = "", folder: str | None = None) -> list[KnownRow]:
        """Return what ``known`` looks at, in its order of preference; nothing is replayed."""
        inside = _key_of_inside(folder) if folder is not None else ""  # every key begins with that
        query = """SELECT number, place, hash, start_row, start_column, lurd, moves, pushes, credit
            FROM known JOIN {pack} ON pack.id = known.pack WHERE hash = ?
            AND (key LIKE 'bundled:%' OR substr(key, 1, length(?)) = ?)
            ORDER BY key <> ?, number <> ?, pack.id, number, place"""
        return self._read(query, (canonical(level).hash, inside, inside, key, level.number), KnownRow)

    def learn(self, file: PackFile, pack: Pack, stamp: Stamp | None) -> PackEntry:
        """Store the entry of a pack that was read; ``stamp`` is that of the file before reading. Raises PackError."""
        *__, entry = self.learning(file, pack, stamp)
        assert entry is not None
        return entry

    def learning(self, file: PackFile, pack: Pack, stamp: Stamp | None) -> Iterator[PackEntry | None]:
        """Learn a pack level by level: yield None after each, and the entry once it is stored."""
        title = printable(pack.title.strip()) or printable(file.name)
        entry = PackEntry(title, len(pack.levels), len(pack.errors))
        levels: list[tuple[RowValue, ...]] = []
        sample = set(sample_of([level.number for level in pack.levels]))
        known: list[KnownRow] = []
        left = MOST_SPELLED_OUT
        for level in pack.levels:
            with reading(file.source):
                frame = canonical(level)
                replayed = replay_records(level, title, left)
                left -= replayed.spelled_out
                known += _rows(level, frame, replayed.found)
                is_sample, has_more = level.number in sample, replayed.has_more
                levels.append(level_columns(level, frame.hash, pack.author, is_sample=is_sample, has_more=has_more))
            yield None

        def write(connection: sqlite3.Connection) -> None:
            _delete(connection, file.key)
            if stamp is None:
                return
            words = _words(title, file)
            row = (file.key, *stamp, _READER, *entry, printable(pack.author.strip()), words)
            number = connection.execute(f"INSERT INTO pack VALUES (NULL, {_marks(len(row))})", row).lastrowid
            statement = f"INSERT INTO level VALUES ({_marks(LEVEL_COLUMNS)})"
            connection.executemany(statement, ((number, *each) for each in levels))
            _insert_known(connection, number, known)

        self._write(self._database_of(file.key), write)
        yield entry

    def forget_passing(self, key: str) -> None:
        """Drop a pack that does not last."""
        if self._memory is not None:
            self._memory.write(lambda connection: _delete(connection, key))

    def move(self, packs: Iterable[tuple[PackFile, PackFile]]) -> None:
        """Keep the entries of packs whose files were moved, as they were and as they are; base names stay."""
        titles = self.titles()
        rows = [(new.key, _words(titles[old.key], new), old.key) for old, new in packs if old.key in titles]

        def write(connection: sqlite3.Connection) -> None:
            for row in rows:
                _delete(connection, row[0])
            connection.executemany("UPDATE pack SET key = ?, words = ? WHERE key = ?", rows)

        self._write(self._database, write)

    def forget_missing(self, folder: str) -> None:
        """Drop the packs of a folder whose files are gone."""
        inside = _key_of_inside(folder)
        gone = [key for key in self.titles() if key.startswith(inside) and not _is_there(key)]

        def write(connection: sqlite3.Connection) -> None:
            for key in gone:
                _delete(connection, key)

        if gone:
            self._write(self._database, write)

    def _database_of(self, key: str) -> "Database | _Memory":
        """Return the database for the pack with this key."""
        if os.path.isabs(key) or key.startswith("bundled:"):
            return self._database
        if self._memory is None:
            self._memory = _Memory()
        return self._memory

    def _write(self, database: "Database | _Memory", job: Callable[[sqlite3.Connection], None]) -> None:
        """Run a job; if it cannot be written, the packs are learned again another time."""
        try:
            database.write(job)
        except NotWrittenError as error:
            notice = _("the library was not saved: {reason}", reason=error)
            if notice not in self.notices:
                self.notices.append(notice)

    def _read(
        self, query: str, values: Sequence[RowValue], make: Callable[..., _Made], places: str = ""
    ) -> list[_Made]:
        """Return the rows of a query on ``{pack}``: those in the file, then those in memory."""
        rows = self._database.read(query.format(places, pack=_LASTING_PACKS), values, make)
        return rows + self._memory.read(query.format(places, pack="pack"), values, make) if self._memory else rows

    def _read_many(self, query: str, keys: Sequence[str], make: Callable[..., _Keyed]) -> Iterator[_Keyed]:
        """The rows of a query with ``key IN ({})``, asked with some of the keys at a time.

        A damaged file gives rows of other keys too: they are left out.
        """
        wanted = frozenset(keys)
        for first in range(0, len(keys), _VALUES_AT_ONCE):
            some = keys[first : first + _VALUES_AT_ONCE]
            rows = self._read(query, some, make, _marks(len(some)))
            yield from (row for row in rows if row.key in wanted)


def replay_best(level: Level, rows: Sequence[KnownRow]) -> list[KnownSolution]:
    """Return the solution of the fewest pushes among some rows, then that of the fewest moves if it is another."""
    frame = canonical(level)
    by_pushes = _first_fitting(level, frame, sorted(rows, key=lambda row: (row.pushes, row.moves)))
    by_moves = _first_fitting(level, frame, sorted(rows, key=lambda row: (row.moves, row.pushes)))
    return best_known([known for known in (by_pushes, by_moves) if known is not None])


def _first_fitting(level: Level, frame: Canonical, rows: Sequence[KnownRow]) -> KnownSolution | None:
    for row in rows:
        solution = solution_from_canonical(level, (row.start_row, row.start_column), row.lurd, frame)
        if solution is not None:
            return KnownSolution(solution, row.credit)
    return None


def _rows(level: Level, frame: Canonical, found: Mapping[int, KnownSolution]) -> list[KnownRow]:
    """Return the rows for the solutions among the records, given by place."""
    rows = []
    for place, known in found.items():
        start, lurd = to_canonical(level, known.solution.lurd, frame)
        figures = (known.solution.moves, known.solution.pushes)
        rows.append(KnownRow(level.number, place, frame.hash, *start, lurd, *figures, known.credit))
    return rows


def _words(title: str, file: PackFile) -> str:
    """Return what queries find a pack by."""
    return folded(f"{title}\n{printable(file.name)}")


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _insert_known(connection: sqlite3.Connection, pack: int | None, rows: Iterable[KnownRow]) -> None:
    statement = f"INSERT OR REPLACE INTO known VALUES ({_marks(len(KnownRow._fields) + 1)})"
    connection.executemany(statement, ((pack, *row) for row in rows))


def _delete(connection: sqlite3.Connection, key: str) -> None:
    for table in ("level", "known"):
        connection.execute(f"DELETE FROM {table} WHERE pack = (SELECT id FROM pack WHERE key = ?)", (key,))
    connection.execute("DELETE FROM pack WHERE key = ?", (key,))


def _delete_passing(connection: sqlite3.Connection) -> None:
    for (key,) in connection.execute(f"SELECT key FROM pack WHERE {_PASSING}").fetchall():
        _delete(connection, key)


def _key_of_inside(folder: str) -> str:
    """Return the beginning of the keys of all packs in a folder."""
    return os.fsencode(os.path.join(os.path.realpath(folder), "")).decode("utf-8", "backslashreplace")


def _is_there(key: str) -> bool:
    """True if the file of a pack, or its archive, still exists; keys that are not paths always do."""
    if not os.path.isabs(key):
        return True
    while not os.path.exists(key):
        key = os.path.dirname(key)
    return os.path.isfile(key)


def _stamped(key: str, size: int, time: int) -> tuple[str, Stamp]:
    return key, Stamp(size, time)


def _fewest(level_hash: str, pushes: int) -> tuple[str, int]:
    return level_hash, pushes


def _pair(key: str, value: str) -> tuple[str, str]:
    return key, value
