"""Index ``library.db`` of all packs ever read.

It contains the title of each pack, its levels with hashes and figures, and the solutions in its file. All of this is
derived from the packs, so the file may be deleted at any time. An entry is valid while the size and time of the pack's
file and the version of the reader stay the same.

All accounts of a data folder share the file, so it contains only bundled packs and packs on disk. Packs that were
pasted, piped or downloaded are stored in memory until the session ends.
"""

import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain, groupby
from typing import NamedTuple, TypeVar

from sokoterm import __version__
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import Canonical, canonical, identified, solution_from_canonical, to_canonical
from sokoterm.engine.steps import Steps, finish
from sokoterm.engine.text import folded, printable
from sokoterm.formats.grammar import recipe_of
from sokoterm.language import _
from sokoterm.store.database import OF_LIBRARY, Database, NotWrittenError, RowValue, fitting
from sokoterm.store.known_levels import (
    MOST_SPELLED_OUT,
    NO_SOLUTION,
    Grade,
    KnownSolution,
    LevelPlace,
    estimate_of,
    replay_records,
    sample_of,
)
from sokoterm.store.packs import PackError, PackFile, Stamp, key_of, open_pack, reading, stamp_of, title_of
from sokoterm.store.paths import accounts_dir
from sokoterm.store.query import AMONG, Condition, as_json

_Made = TypeVar("_Made")

LevelKey = tuple[str, int]
"""Key of a level: the key of its pack, and its number."""

# Version of the reader of packs: increment the number whenever the reader finds something different in a pack.
_READER = f"{__version__}-8"

# Seconds that a key may wait for another session that is writing.
_BLINK = 0.1


class LevelRow(NamedTuple):
    """A level with its figures.

    ``hard`` is its difficulty, or NO_SOLUTION, and ``shown`` the display: ``71``, ``71+``, ``-`` or, estimated,
    ``~71``. ``kinds`` of variants are separated by blanks. ``added`` is the time of the pack's file, in nanoseconds
    since 1970, ``last_played`` in seconds, None for never. ``figures`` are the parts of the difficulty as text.
    """

    key: str
    pack: str
    number: int
    title: str
    author: str
    width: int
    height: int
    boxes: int
    hard: int
    shown: str
    hash: str
    exact_id: str
    goals: int
    floor: int
    kinds: str
    added: int
    is_solved: bool = False
    stars: int = 0
    last_played: float | None = None
    figures: str = ""


class SampleRow(NamedTuple):
    """A level that grades its pack; ``number`` and ``shown`` are its grade, None if there is only an estimate.

    ``squares`` counts all squares of the board, including walls.
    """

    key: str
    place: int
    hash: str
    squares: int
    estimate: int
    number: int | None
    shown: str | None


class PackMatch(NamedTuple):
    """The levels of a pack that match a filter: their number, the first one, and their mean squares and boxes."""

    key: str
    levels: int
    first: int
    squares: float
    boxes: float


class PackFigures(NamedTuple):
    """Title (or name) of a pack, and the numbers of its readable, unreadable and solved levels."""

    title: str
    levels: int
    unreadable: int
    solved: int = 0

    @property
    def is_done(self) -> bool:
        return 0 < self.levels <= self.solved


class KnownRow(NamedTuple):
    """Row of the table of known solutions, without its pack."""

    number: int
    place: int
    hash: str
    start_row: int
    start_column: int
    lurd: str
    moves: int
    pushes: int
    credit: str


def _in_memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in chain.from_iterable(MIGRATIONS):
        if not statement.startswith("CREATE INDEX"):  # half the time of a large pack
            connection.execute(statement)
    return connection


class LibraryIndex:
    """The index. ``notices`` collects lines for the user, to be shown and cleared."""

    def __init__(self, database: Database, accounts: str) -> None:
        """Packs in the folder ``accounts`` are private and stored in memory only."""
        self.notices = database.notices
        self._database = database
        self._private = _key_of_inside(accounts)
        # Temporary packs, once there is one.
        self._memory: sqlite3.Connection | None = None

    @classmethod
    def open(cls, path: str, clock: Callable[[], float], patience: float = _BLINK) -> "LibraryIndex":
        """Open or create the index; never raises. ``patience``: the seconds to wait for a session that is writing."""
        return cls(Database(path, MIGRATIONS, clock, OF_LIBRARY, patience), accounts_dir(os.path.dirname(path)))

    def close(self) -> None:
        self._database.close()
        if self._memory is not None:
            self._memory.close()

    # Packs

    def entry(self, file: PackFile) -> PackFigures | None:
        """Return the entry of a pack, None if it is missing or the file has changed."""
        return self.entries([file]).get(file.key)

    def entries(self, files: Iterable[PackFile]) -> dict[str, PackFigures]:
        """Return the valid entries of these packs, by key, without the numbers of solved levels."""
        stamps = {file.key: stamp_of(file) for file in files}
        query = f"SELECT key, size, time, title, levels, unreadable FROM pack WHERE reader = ? AND key {AMONG}"
        rows = self._read(query, (_READER, as_json(stamps)), tuple[str, int, int, str, int, int])
        return {
            key: PackFigures(title, levels, unreadable)
            for key, size, time, title, levels, unreadable in rows
            if stamps.get(key) == (size, time)
        }

    def stamps(self) -> dict[str, Stamp]:
        """Return the stamp of each pack at the time it was indexed, by key."""
        rows = self._read("SELECT key, size, time FROM pack WHERE reader = ?", (_READER,), tuple[str, int, int])
        return {key: Stamp(size, time) for key, size, time in rows}

    def titles(self) -> dict[str, str]:
        """Return the title of each pack, by key."""
        return dict(self._read("SELECT key, title FROM pack", (), tuple[str, str]))

    def find_packs(self, keys: Sequence[str], condition: Condition, version: int) -> list[PackMatch]:
        """Return the packs with levels that meet a condition; takes some 50 ms for 43,000 levels.

        Unique levels are the first of their hash in the packs of ``keys``.
        """
        if condition.is_unique:
            rows = groupby(self.find_levels(keys, condition, version), key=lambda row: row.key)
            return [_match(key, [*some]) for key, some in rows]
        query = f"""SELECT key, levels_found, first, squares, boxes FROM pack JOIN (
            SELECT pack, count(*) AS levels_found, min(number) AS first, avg(width * height) AS squares,
                avg(boxes) AS boxes
            FROM {_levels(version)} WHERE boxes > 0 AND ({condition.text}) GROUP BY pack
            ) AS found ON found.pack = pack.id WHERE reader = ?"""
        return self._read(query, [*condition.values, _READER], PackMatch)

    # Levels

    def hashes(self, keys: Sequence[str], numbers: range = range(1 << 62)) -> dict[str, dict[int, str]]:
        """Return the level hashes of the readable levels with ``numbers``, by the key of the pack and the number."""
        found: dict[str, dict[int, str]] = {key: {} for key in keys}
        query = f"""SELECT key, number, hash FROM level JOIN pack ON pack.id = level.pack
            WHERE key {AMONG} AND number BETWEEN ? AND ?"""
        rows = self._read(query, (as_json(keys), numbers[0], numbers[-1]), tuple[str, int, str])
        for key, number, level_hash in rows:
            if key in found:  # a damaged file may give others
                found[key][number] = level_hash
        return found

    def find_levels(self, keys: Sequence[str], condition: Condition, version: int) -> list[LevelRow]:
        """Return the levels of packs that meet a condition, in the order of the keys and by number."""
        places = {key: place for place, key in enumerate(keys)}
        levels = f"(SELECT * FROM {_levels(version)} WHERE boxes > 0 AND ({condition.text})) AS level"
        source = f"{levels} JOIN pack ON pack.id = level.pack WHERE pack.key {AMONG} AND reader = ?"
        found = self._read(_rows(source, version), [*condition.values, as_json(keys), _READER], LevelRow)
        there = [row for row in found if row.key in places]  # a damaged file may give others
        there.sort(key=lambda row: (places[row.key], row.number))
        return first_of_each(there) if condition.is_unique else there

    def find_numbers(self, key: str, condition: Condition, version: int) -> list[int]:
        """Return the numbers of the levels of a pack that meet a condition; words match a number too."""
        return self._read(*_of_pack(key, condition, version, is_numbered=True), int)

    def level_row(self, place: LevelKey, version: int) -> LevelRow | None:
        source = f"pack JOIN {_levels(version)} ON level.pack = pack.id WHERE pack.key = ? AND level.number = ?"
        return next(iter(self._read(_rows(source, version), place, LevelRow)), None)

    def places_of(self, ids: Sequence[str]) -> list[tuple[LevelKey, str]]:
        """Return the places of levels with one of these level hashes or Exact-Ids, each with the id."""
        query = f"SELECT key, number, {{0}} FROM level JOIN pack ON pack.id = level.pack WHERE {{0}} {AMONG}"
        return [
            ((key, number), each)
            for column in ("hash", "exact_id")
            for key, number, each in self._read(query.format(column), (as_json(ids),), tuple[str, int, str])
        ]

    def names_of(self, level_hash: str) -> list[LevelPlace]:
        """Return every place of a level in packs that still exist, in the order of indexing."""
        query = """SELECT key, pack.title, number FROM level JOIN pack ON pack.id = level.pack
            WHERE hash = ? ORDER BY pack.id, number"""
        return [place for place in self._read(query, (level_hash,), LevelPlace) if _is_there(place.key)]

    def copies(self) -> dict[str, int]:
        """Return the number of places of each repeated level, by level hash, in packs that still exist."""
        query = f"""SELECT hash, count(*) FROM level JOIN pack ON pack.id = level.pack WHERE key {AMONG}
            GROUP BY hash HAVING count(*) > 1"""
        there = as_json([*filter(_is_there, self.titles())])
        return dict(self._database.read(query, (there,), tuple[str, int]))

    def count_new(self, key: str, folder: str) -> int:
        """Return the number of puzzles of a pack that no other pack of the library contains.

        The library consists of the bundled packs and those in ``folder``.
        """
        query = """SELECT count(DISTINCT hash) FROM level JOIN pack ON pack.id = level.pack WHERE key = ?
            AND NOT EXISTS (SELECT 1 FROM level AS other JOIN pack AS owner ON owner.id = other.pack
                WHERE other.hash = level.hash AND other.pack <> level.pack
                AND (owner.key LIKE 'bundled:%' OR substr(owner.key, 1, length(?)) = ?))"""
        inside = _key_of_inside(folder)
        return sum(self._database.read(query, (key, inside, inside), int))

    # Grades

    def grades(self, key: str, version: int) -> dict[int, Grade]:
        """Return the known grades of the levels of a pack for a version of the figures, by number."""
        query = """SELECT level.number, grade.number, shown FROM level JOIN pack ON pack.id = level.pack
            JOIN grade ON grade.hash = level.hash WHERE version = ? AND key = ?"""
        rows = self._read(query, (version, key), tuple[int, int, str])
        return {place: Grade(number, shown) for place, number, shown in rows}

    def graded(self, hashes: Collection[str], version: int) -> dict[str, Grade]:
        """Return the known grades of levels for a version of the figures, by level hash."""
        query = f"SELECT hash, number, shown, figures FROM grade WHERE version = ? AND hash {AMONG}"
        rows = self._read(query, (version, as_json(hashes)), tuple[str, int, str, str])
        return {level_hash: Grade(number, shown, figures) for level_hash, number, shown, figures in rows}

    def samples(self, version: int) -> list[SampleRow]:
        """Return the levels that grade packs, with their grades for a version of the figures."""
        query = """SELECT pack.key, level.number, level.hash, (width + 1) * height, estimate, grade.number, grade.shown
            FROM level JOIN pack ON pack.id = level.pack
            LEFT JOIN grade ON grade.hash = level.hash AND grade.version = ?
            WHERE level.is_sample ORDER BY level.pack, level.number"""
        return self._read(query, (version,), SampleRow)

    def keep_grades(self, grades: Mapping[str, Grade], version: int) -> None:
        """Store the grades of levels, by level hash; those of temporary packs are lost with them."""
        rows = [(level_hash, version, *grade) for level_hash, grade in grades.items()]
        passing = set[str]()
        if self._memory is not None:
            passing.update(level_hash for (level_hash,) in self._memory.execute("SELECT hash FROM level"))
            _insert(self._memory, "grade", rows)
        lasting = [row for row in rows if row[0] not in passing]
        if lasting:
            self._write(lambda connection: _insert(connection, "grade", lasting))

    # Known solutions

    def fewest(self, metric: str, hashes: Collection[str], *, has_recipes: bool = False) -> dict[str, int]:
        """Return the fewest ``pushes`` or ``moves`` of a known solution, ``has_recipes``: or recipe, by level hash."""
        query, values = f"SELECT hash, min({metric}) FROM known WHERE hash {AMONG} GROUP BY hash", [as_json(hashes)]
        if has_recipes:
            query += f" UNION ALL SELECT hash, recipe_pushes FROM level WHERE recipe_pushes AND hash {AMONG}"
            values *= 2
        found: dict[str, int] = {}
        for level_hash, least in self._read(query, values, tuple[str, int]):
            found[level_hash] = min(least, found.get(level_hash, least))
        return found

    def known(self, level: Level, folder: str | None = None) -> list[KnownSolution]:
        """Return the best solutions in files for a level or one of equal hash, transformed to fit and replayed.

        The one with the fewest pushes comes first, then the one with the fewest moves if that differs. With a
        ``folder``, only packs in it and bundled packs count.
        """
        return self.replay_best(level, self.known_rows(level, folder=folder))

    @staticmethod
    def replay_best(level: Level, rows: Sequence[KnownRow]) -> list[KnownSolution]:
        """Return the solution with the fewest pushes, then the one with the fewest moves if that differs."""
        frame = canonical(level)
        by_pushes = _first_fitting(level, frame, sorted(rows, key=lambda row: (row.pushes, row.moves)))
        by_moves = _first_fitting(level, frame, sorted(rows, key=lambda row: (row.moves, row.pushes)))
        if by_pushes is None or by_moves is None:
            return []
        return [by_pushes, by_moves] if by_moves.solution.moves < by_pushes.solution.moves else [by_pushes]

    def known_rows(self, level: Level, key: str = "", folder: str | None = None) -> list[KnownRow]:
        """Return the rows for ``known``, unreplayed, those of the pack with this key first."""
        inside = _key_of_inside(folder) if folder is not None else ""  # every key begins with that
        query = """SELECT number, place, hash, start_row, start_column, lurd, moves, pushes, credit
            FROM known JOIN pack ON pack.id = known.pack WHERE hash = ?
            AND (key LIKE 'bundled:%' OR substr(key, 1, length(?)) = ?)
            ORDER BY key <> ?, number <> ?, pack.id, number, place"""
        return self._read(query, (canonical(level).hash, inside, inside, key, level.number), KnownRow)

    # Writing

    def learn(self, file: PackFile, pack: Pack, stamp: Stamp | None) -> PackFigures:
        """Index a pack; ``stamp`` is that of the file before reading. Raises PackError."""
        return finish(self.learning(file, pack, stamp))

    def learn_file(self, file: PackFile, read: Callable[[PackFile], Pack] = open_pack) -> Sequence[Exception]:
        """Read and index a pack; return the errors."""
        try:
            stamp = stamp_of(file)
            pack = read(file)
            self.learn(file, pack, stamp)
        except (PackError, LevelError) as error:
            return [error]
        return pack.errors

    def learning(self, file: PackFile, pack: Pack, stamp: Stamp | None) -> Steps[PackFigures]:
        """Index a pack level by level."""
        title = title_of(pack, file.name)
        levels: list[tuple[RowValue, ...]] = []
        sample = set(sample_of([level.number for level in pack.levels]))
        solutions: list[KnownRow] = []
        left = MOST_SPELLED_OUT
        with reading(file.source):
            for level in pack.levels:
                frame, exact = identified(level)
                found, spelled_out, has_more = replay_records(level, title, left)
                left -= spelled_out
                for place, known in found.items():
                    moves, pushes = known.solution.moves, known.solution.pushes
                    start, lurd = to_canonical(level, known.solution.lurd, frame)
                    row = KnownRow(level.number, place, frame.hash, *start, lurd, moves, pushes, known.credit)
                    solutions.append(row)
                is_sample = level.number in sample
                columns = _level_columns(level, pack.author, frame.hash, exact, is_sample=is_sample, has_more=has_more)
                levels.append(columns)
                yield

        def write(connection: sqlite3.Connection) -> None:
            _delete(connection, file.key)
            if stamp is not None:
                _put(connection, file.key, file.name, pack, stamp, levels, solutions)

        is_private = file.key.startswith(self._private)
        if os.path.isabs(file.key) and not is_private or file.key.startswith("bundled:"):
            self._write(write)
        else:
            self._memory = self._memory or _in_memory()
            write(self._memory)
        return PackFigures(title, len(pack.levels), len(pack.errors))

    def forget_passing(self, key: str) -> None:
        """Drop a temporary pack."""
        if self._memory is not None:
            _delete(self._memory, key)

    def move(self, packs: Iterable[tuple[PackFile, PackFile]]) -> None:
        """Update the entries of packs, given before and after their files were moved; base names stay the same."""
        titles = self.titles()
        rows = [(new.key, _words(titles[old.key], new.name), old.key) for old, new in packs if old.key in titles]

        def write(connection: sqlite3.Connection) -> None:
            _delete(connection, *(row[0] for row in rows))
            connection.executemany("UPDATE pack SET key = ?, words = ? WHERE key = ?", rows)

        self._write(write)

    def forget_missing(self, folder: str) -> None:
        """Drop the packs of a folder whose files are gone."""
        inside = _key_of_inside(folder)
        gone = [key for key in self.titles() if key.startswith(inside) and not _is_there(key)]
        if gone:
            self._write(lambda connection: _delete(connection, *gone))

    def _write(self, job: Callable[[sqlite3.Connection], None]) -> None:
        """Run a job on the file; if writing fails, the packs are indexed again another time."""
        try:
            self._database.write(job)
        except NotWrittenError as error:
            notice = _("the library was not saved: {reason}", reason=error)
            if notice not in self.notices:
                self.notices.append(notice)

    def _read(self, query: str, values: Sequence[RowValue], make: Callable[..., _Made]) -> list[_Made]:
        rows = self._database.read(query, values, make)
        return rows + fitting(self._memory.execute(query, values), make) if self._memory else rows


class LooseLevels:
    """Levels of one pack, indexed or not, in tables like those of the index, for the same SQL."""

    def __init__(self) -> None:
        self._memory = _in_memory()

    def take(
        self,
        pack: Pack,
        name: str,
        stamp: Stamp | None,
        ids: Callable[[Level], tuple[str, str]],
        graded: Mapping[str, Grade],
        *,
        has_figures: bool = True,
    ) -> None:
        """Replace the levels by those of a pack.

        ``ids`` returns the level hash and the Exact-Id of a level, empty if no condition needs them; ``graded``
        contains the known grades, by level hash. Without ``has_figures``, no board of a large pack is read: only texts,
        ids, size and boxes are right.
        """
        _delete(self._memory, "")
        self._memory.execute("DELETE FROM grade")
        _insert(self._memory, "grade", [(level_hash, 0, *grade) for level_hash, grade in graded.items()])
        rows = [_level_columns(level, pack.author, *ids(level), has_figures=has_figures) for level in pack.levels]
        _put(self._memory, "", name, pack, stamp or Stamp(0, 0), rows)

    def find_numbers(self, condition: Condition, *, is_numbered: bool) -> list[int]:
        """Return the numbers of the levels that meet a condition; ``is_numbered``: words match a number too."""
        query, values = _of_pack("", condition, 0, is_numbered=is_numbered)
        return [number for (number,) in self._memory.execute(query, values)]


def first_of_each(rows: Iterable[LevelRow]) -> list[LevelRow]:
    """Return the first row of each level hash."""
    found: dict[str, LevelRow] = {}
    for row in rows:
        found.setdefault(row.hash, row)
    return [*found.values()]


def _match(key: str, rows: Sequence[LevelRow]) -> PackMatch:
    squares, boxes = sum(row.width * row.height for row in rows), sum(row.boxes for row in rows)
    return PackMatch(key, len(rows), rows[0].number, squares / len(rows), boxes / len(rows))


def _first_fitting(level: Level, frame: Canonical, rows: Sequence[KnownRow]) -> KnownSolution | None:
    for row in rows:
        solution = solution_from_canonical(level, (row.start_row, row.start_column), row.lurd, frame)
        if solution is not None:
            return KnownSolution(solution, row.credit)
    return None


# Rows


def _put(
    connection: sqlite3.Connection,
    key: str,
    name: str,
    pack: Pack,
    stamp: Stamp,
    levels: Iterable[tuple[RowValue, ...]],
    known: Iterable[KnownRow] = (),
) -> None:
    title = title_of(pack, name)
    author, words = printable(pack.author.strip()), _words(title, name)
    row = (None, key, *stamp, _READER, title, len(pack.levels), len(pack.errors), author, words)
    # Not asked for by its key: a trigger of someone else may have deleted the row again.
    number = connection.execute(f"INSERT OR REPLACE INTO pack VALUES ({', '.join('?' * len(row))})", row).lastrowid
    _insert(connection, "level", [(number, *each) for each in levels])
    _insert(connection, "known", [(number, *each) for each in known])


def _insert(connection: sqlite3.Connection, table: str, rows: Sequence[tuple[RowValue, ...]]) -> None:
    if rows:
        connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _delete(connection: sqlite3.Connection, *keys: str) -> None:
    packs = [(key,) for key in keys]
    for table in ("level", "known"):
        connection.executemany(f"DELETE FROM {table} WHERE pack = (SELECT id FROM pack WHERE key = ?)", packs)
    connection.executemany("DELETE FROM pack WHERE key = ?", packs)


def _level_columns(
    level: Level,
    author: str,
    level_hash: str,
    exact: str,
    *,
    is_sample: bool = False,
    has_more: bool = False,
    has_figures: bool = True,
) -> tuple[RowValue, ...]:
    """Return a level's columns after its pack, whose ``author`` is the default; it ``has_more``, unreplayed records."""
    title, author = printable(level.title), printable((level.author or author).strip())
    texts = (level.number, title, level_hash, exact, author, folded(f"{title}\n{author}"))
    if not has_figures:
        return (*texts, *level.size, level.boxes, 0, is_sample, 1, 1, "", has_more, 0)
    board, floor = level.board, level.board.floor.bit_count()
    figures = (board.width, board.height, level.boxes, estimate_of(level))
    kinds = " ".join(board.kinds)
    return (*texts, *figures, is_sample, board.goals.bit_count(), floor, kinds, has_more, recipe_of(level).pushes)


def _words(title: str, name: str) -> str:
    return folded(f"{title}\n{printable(name)}")


def _key_of_inside(folder: str) -> str:
    """Return the common prefix of the keys of all packs in a folder."""
    return os.path.join(key_of(folder), "")


def _is_there(key: str) -> bool:
    """True if the file of a pack, or its archive, still exists, and for keys that are not paths."""
    if not os.path.isabs(key):
        return True
    while not os.path.exists(key):
        key = os.path.dirname(key)
    return os.path.isfile(key)


# SQL by which levels are found and sorted


def _levels(version: int, columns: str = "*") -> str:
    """Return the table of all levels with their difficulty ``hard``; looking each up takes half as long as a join."""
    return f"""(SELECT {columns}, coalesce((SELECT CASE grade.shown WHEN '-' THEN {NO_SOLUTION} ELSE grade.number END
        FROM grade WHERE grade.hash = level.hash AND grade.version = {version:d}), estimate) AS hard
        FROM level) AS level"""


def _of_pack(key: str, condition: Condition, version: int, *, is_numbered: bool) -> tuple[str, list[RowValue]]:
    words = "number || ' ' || words AS words" if is_numbered else "words"
    levels = _levels(version, f"pack, number, title, author, {words}, hash, exact_id, width, height, boxes, kinds")
    number, end = ("min(number)", "GROUP BY hash") if condition.is_unique else ("number", "")
    query = f"""SELECT {number} FROM {levels} WHERE pack = (SELECT id FROM pack WHERE key = ?) AND boxes > 0
        AND ({condition.text}) {end} ORDER BY 1"""
    return query, [key, *condition.values]


def _rows(source: str, version: int) -> str:
    return f"""SELECT pack.key, pack.title, level.number, level.title, level.author, width, height, boxes, hard,
        coalesce((SELECT shown FROM grade WHERE grade.hash = level.hash AND version = {version:d}),
            CASE estimate WHEN {NO_SOLUTION} THEN '-' ELSE '~' || estimate END),
        level.hash, exact_id, goals, floor, kinds, pack.time FROM {source}"""


# Tables


# Migrations drop the entries of packs, to be indexed again, but keep grades, which take long.
_GRADES = (
    """CREATE TABLE grade (
        hash TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        number INTEGER NOT NULL,
        shown TEXT NOT NULL
    ) WITHOUT ROWID""",
)
_FIGURES_OF_GRADES = ("ALTER TABLE grade ADD COLUMN figures TEXT NOT NULL DEFAULT ''",)
# ``words`` are ``folded``: the title and author of a level, a line each, and the title and name of a pack.
_PACKS = (
    *(f"DROP TABLE IF EXISTS {table}" for table in ("pack", "level", "known")),
    """CREATE TABLE pack (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        time INTEGER NOT NULL,
        reader TEXT NOT NULL,
        title TEXT NOT NULL,
        levels INTEGER NOT NULL,
        unreadable INTEGER NOT NULL,
        author TEXT NOT NULL,
        words TEXT NOT NULL
    )""",
    """CREATE TABLE level (
        pack INTEGER NOT NULL,
        number INTEGER NOT NULL,
        title TEXT NOT NULL,
        hash TEXT NOT NULL,
        exact_id TEXT NOT NULL,
        author TEXT NOT NULL,
        words TEXT NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        boxes INTEGER NOT NULL,
        estimate INTEGER NOT NULL,
        is_sample INTEGER NOT NULL,
        goals INTEGER NOT NULL,
        floor INTEGER NOT NULL,
        kinds TEXT NOT NULL,
        has_more INTEGER NOT NULL,
        recipe_pushes INTEGER NOT NULL,
        PRIMARY KEY (pack, number)
    ) WITHOUT ROWID""",
    "CREATE INDEX level_by_hash ON level (hash)",
    "CREATE INDEX level_by_exact_id ON level (exact_id)",
    "CREATE INDEX level_of_sample ON level (pack) WHERE is_sample",
    "CREATE INDEX level_with_more ON level (hash) WHERE has_more",
    """CREATE TABLE known (
        pack INTEGER NOT NULL,
        number INTEGER NOT NULL,
        place INTEGER NOT NULL,
        hash TEXT NOT NULL,
        start_row INTEGER NOT NULL,
        start_column INTEGER NOT NULL,
        lurd TEXT NOT NULL,
        moves INTEGER NOT NULL,
        pushes INTEGER NOT NULL,
        credit TEXT NOT NULL,
        PRIMARY KEY (pack, number, place)
    ) WITHOUT ROWID""",
    "CREATE INDEX known_by_hash ON known (hash)",
)
MIGRATIONS = ((), (), _GRADES, (), (), (), _FIGURES_OF_GRADES, (), (), _PACKS)
"""Statements that migrate the index from each version to the next."""
