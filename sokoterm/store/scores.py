"""What the people of one machine have done, in one sqlite3 file that all of them write to.

Of every person and level (by level hash) it has a solution of the fewest moves and one of the fewest pushes.  They are
replayed by the rules before they are written and again before they are shown, once in a session, for whoever may write
to the file may write anything.  Nothing in it takes long: replays go on in slices, of few rows and of no more letters
than a solution may have, and the work of sqlite has a bound, too, whatever schema it meets.

The file has the usual journal, not WAL: that needs two more files, which stay behind after a kill, belong to the
account that made them and must be writable for all others at every moment.  A connection lasts for one look or one
write, so that nobody holds a lock while he thinks, and a file that was replaced is noticed.
"""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Canonical, canonical, from_canonical_slowly, to_canonical
from sokoterm.engine.lurd import Solution, verify
from sokoterm.engine.printable import printable
from sokoterm.engine.slices import Later, Slices, finish
from sokoterm.store.database import FAULTS, code_of, connect, reason_of
from sokoterm.store.rows import is_date
from sokoterm.store.run_score import RunScore

_TABLE = """CREATE TABLE score (
    hash TEXT NOT NULL,
    best_by TEXT NOT NULL,
    name TEXT NOT NULL,
    moves INTEGER NOT NULL,
    pushes INTEGER NOT NULL,
    start_row INTEGER NOT NULL,
    start_column INTEGER NOT NULL,
    lurd TEXT NOT NULL,
    date REAL NOT NULL,
    PRIMARY KEY (hash, best_by, name)
) WITHOUT ROWID"""
# Beside it, since descents are kept; a program that knows none leaves it alone.
_RUN_TABLE = """CREATE TABLE IF NOT EXISTS run (
    name TEXT NOT NULL,
    seed INTEGER NOT NULL,
    begun REAL NOT NULL,
    is_over INTEGER NOT NULL,
    floors INTEGER NOT NULL,
    over INTEGER NOT NULL,
    undos INTEGER NOT NULL,
    hints INTEGER NOT NULL,
    shown INTEGER NOT NULL,
    pushes INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (name, seed, begun)
) WITHOUT ROWID"""
_VERSION = 1
_APPLICATION = 0x534F4B4F  # "SOKO": tells the file from other databases

# Servers have old builds of sqlite: 3.24 has ON CONFLICT, with its columns named.
_SAVE = """
    INSERT INTO score VALUES (:hash, :best_by, :name, :moves, :pushes, :row, :column, :lurd, :date)
    ON CONFLICT (hash, best_by, name) DO UPDATE SET
        moves = excluded.moves, pushes = excluded.pushes, start_row = excluded.start_row,
        start_column = excluded.start_column, lurd = excluded.lurd, date = excluded.date
    WHERE CASE best_by
        WHEN 'moves' THEN (excluded.moves, excluded.pushes) < (moves, pushes)
        ELSE (excluded.pushes, excluded.moves) < (pushes, moves)
    END"""
# Page by page, for each row is read from its begin to its end.
_FIND = """
    SELECT name, start_row, start_column, moves, pushes,
        CASE typeof(lurd) WHEN 'text' THEN length(CAST(lurd AS BLOB)) END, date
    FROM score WHERE hash = ? AND best_by = ? AND name > ? ORDER BY name LIMIT 10"""
_FIND_MOVES = """
    SELECT lurd FROM score WHERE hash = ? AND best_by = ? AND name = ? AND moves = ?
    AND typeof(lurd) = 'text' AND length(lurd) = moves LIMIT 1"""

# Triggers, views and virtual tables do things of their own; only tables and their indexes have a page.
_FIND_ODD = """
    SELECT CASE type WHEN 'table' THEN 'virtual table' ELSE type END FROM sqlite_master
    WHERE type NOT IN ('table', 'index') OR coalesce(rootpage, 0) = 0 LIMIT 1"""

_SAVE_RUN = f"INSERT OR REPLACE INTO run VALUES ({', '.join('?' * 12)})"
_FIND_RUNS = """
    SELECT name, seed, begun, is_over, floors, over, undos, hints, shown, pushes, moves, seconds FROM run
    ORDER BY floors DESC, shown, hints, over, undos, moves LIMIT 200"""

_READ_SECONDS = 0.1
_WRITE_SECONDS = 0.5
_LAST_WRITE_SECONDS = 3.0  # nobody looks at the screen any more
_LONGEST_NAME = 32
# The longest known solution has 612,529 moves.
_MOST_MOVES = 1_000_000
_MOST_COUNTED = 10**9
# Steps replayed to find the best of a level: two solutions of the longest kind.
_STEPS_A_LOOK = 2 * _MOST_MOVES
# Rows that are replayed for it, and pages of rows that are read: those of 10,000 people.
_CLAIMS_A_LOOK = 20
_MOST_PAGES = 1000

# What sqlite does at most, for each connection, in thousands of its instructions: some 50 ms, for 20,000 rows.
_MOST_WORK = 3_000
_INSTRUCTIONS = 1_000
# What one instruction may do: values of a few MB, and no pattern or expression of others that multiplies it.
_LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, 4 * _MOST_MOVES),
    (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 20),
)


class Score(NamedTuple):
    """What one person has done, as replayed on the level that was asked for; the date is in seconds since 1970."""

    name: str
    moves: int
    pushes: int
    date: float


class Standing(NamedTuple):
    """The best of all by moves and by pushes; None where nobody has solved the level."""

    by_moves: Score | None = None
    by_pushes: Score | None = None


class _Claim(NamedTuple):
    """A row of the table, with the size of its letters in place of them."""

    name: str
    row: int
    column: int
    moves: int
    pushes: int
    size: int
    date: float

    def rank(self, best_by: str) -> tuple[int, int, float]:
        """The lower, the better; of equal ones the first is."""
        return self.moves if best_by == "moves" else self.pushes, self.moves + self.pushes, self.date


_RunRow = tuple[str | int | float, ...]


class _UnusableError(Exception):
    """The file cannot be used; the text is why."""


class Scores:
    """The score table in the file at ``path``, which is made where there is none, for the person ``name``.

    Nothing here ever raises for a file that is missing, locked, read-only, damaged or of a later version: the first
    problem is told in one line, and play goes on.  What is locked is written with the next solution, or at the end.
    """

    def __init__(self, path: str, name: str, clock: Callable[[], float], tell: Callable[[str], None]) -> None:
        self._path = path
        self._name = printable(name)[:_LONGEST_NAME]
        self._clock = clock
        self._tell = tell
        self._has_told = False
        self._is_given_up = False
        # What claims have come to on a level, by its rows: figures that were reached once are true whoever claims them.
        self._confirmed: dict[tuple[tuple[str, ...], int, int, int, int], tuple[int, int]] = {}
        self._refused: set[tuple[tuple[str, ...], _Claim]] = set()
        self._waiting: list[dict[str, str | int | float]] = []
        self._waiting_runs: dict[tuple[int, float], _RunRow] = {}

    @property
    def name(self) -> str:
        """Under which solutions are entered."""
        return self._name

    def standing(self, level: Level) -> Standing:
        """The best of a level and of all that have its level hash; nobody, where they cannot be read."""
        return finish(self.standing_slowly(level))

    def standing_slowly(self, level: Level) -> Slices[Standing]:
        """The same in slices."""
        if self._is_given_up or not os.path.exists(self._path):
            return Standing()
        frame = canonical(level)
        try:
            by_moves = yield from self._best(level, frame, "moves")
            by_pushes = yield from self._best(level, frame, "pushes")
            return Standing(by_moves, by_pushes)
        except (OSError, *FAULTS, _UnusableError) as error:
            self._complain(error)
            return Standing()

    def _best(self, level: Level, frame: Canonical, best_by: str) -> Slices[Score | None]:
        """The best of those that the rules confirm."""
        claims = yield from self._claims(frame, best_by)
        claims = [each for each in claims if (level.rows, each) not in self._refused]
        claims.sort(key=lambda each: each.rank(best_by))
        budget = _STEPS_A_LOOK
        for claim in claims[:_CLAIMS_A_LOOK]:
            figures = self._confirmed.get((level.rows, *claim[1:5]))
            if figures is None and claim.moves <= budget:
                lurd = self._ask(frame, best_by, claim)
                yield _cost_of(claim.size)
                replay = Later(self._replay(level, frame, claim, lurd))
                while not replay.is_done:
                    budget -= (taken := replay.go_on())
                    yield taken
                figures = replay.result
            if figures is not None:
                return Score(printable(claim.name)[:_LONGEST_NAME], *figures, claim.date)
        return None

    def _claims(self, frame: Canonical, best_by: str) -> Slices[list[_Claim]]:
        """The rows of a level that may be true: a solution has as many letters as moves."""
        claims: list[_Claim] = []
        last: object = ""
        for _ in range(_MOST_PAGES):
            with self._connected(_READ_SECONDS) as connection:
                has_table = _has_table(connection)
                found = connection.execute(_FIND, (frame.hash, best_by, last)).fetchall() if has_table else []
            if not found:
                break
            rows = [_Claim(*row) for row in found if _is_claim(row)]
            yield _cost_of(sum(claim.size for claim in rows))
            claims += [claim for claim in rows if claim.size == claim.moves]
            last = found[-1][0]
        return claims

    def _ask(self, frame: Canonical, best_by: str, claim: _Claim) -> str:
        """The moves of a claim, none where it has not so many."""
        with self._connected(_READ_SECONDS) as connection:
            key = frame.hash, best_by, claim.name, claim.moves
            found = connection.execute(_FIND_MOVES, key).fetchone() if _has_table(connection) else None
        return str(found[0]) if found is not None else ""

    def _replay(self, level: Level, frame: Canonical, claim: _Claim, lurd: str) -> Slices[tuple[int, int] | None]:
        """The moves and pushes that a claim comes to, None where it is not true."""
        if lurd.isalpha() and sum(map(lurd.count, "LURD")) == claim.pushes:
            solution = yield from from_canonical_slowly(level, (claim.row, claim.column), lurd, frame)
            if solution is not None and solution.pushes == claim.pushes:
                return self._confirm(level, claim[1:5], solution)
        self._refused.add((level.rows, claim))
        return None

    def _confirm(self, level: Level, claimed: tuple[int, int, int, int], solution: Solution) -> tuple[int, int]:
        self._confirmed[(level.rows, *claimed)] = solution.moves, solution.pushes
        return solution.moves, solution.pushes

    def record(self, level: Level, lurd: str) -> None:
        """Enter a solution where it is better than this person's before; raises LurdError where it is none."""
        self.enter(level, verify(level.board, level.start, lurd))

    def enter(self, level: Level, solution: Solution) -> None:
        """The same with a solution of the level that has been replayed."""
        if self._is_given_up or solution.moves > _MOST_MOVES:
            return
        frame = canonical(level)
        (row, column), turned = to_canonical(level, solution.lurd, frame)
        self._confirm(level, (row, column, solution.moves, solution.pushes), solution)
        what: dict[str, str | int | float] = {
            "hash": frame.hash,
            "name": self._name,
            "moves": solution.moves,
            "pushes": solution.pushes,
        }
        self._waiting.append(what | {"row": row, "column": column, "lurd": turned, "date": self._clock()})
        self._flush(is_last=False)

    def record_run(self, run: RunScore) -> None:
        """Enter what a run has come to so far, in place of what it had before; nobody replays its floors."""
        self._waiting_runs[run.seed, run.begun] = run.row(self._name)
        self._flush(is_last=False)

    def runs(self) -> list[RunScore]:
        """The best runs of everybody; none, where they cannot be read."""
        if self._is_given_up or not os.path.exists(self._path):
            return []
        try:
            with self._connected(_READ_SECONDS) as connection:
                rows = connection.execute(_FIND_RUNS).fetchall() if _has_table(connection, "run") else []
        except (OSError, *FAULTS, _UnusableError) as error:
            self._complain(error)
            return []
        return [_run_score(row) for row in rows if _is_run(row)]

    def close(self) -> None:
        """Write what waits for a lock; what still cannot be written is lost, and that is told."""
        self._flush(is_last=True)

    def _flush(self, *, is_last: bool) -> None:
        if self._is_given_up or not (self._waiting or self._waiting_runs):
            return
        try:
            self._create_file()
            with self._connected(_LAST_WRITE_SECONDS if is_last else _WRITE_SECONDS) as connection:
                _write(connection, self._waiting, list(self._waiting_runs.values()))
            self._waiting.clear()
            self._waiting_runs.clear()
        except (OSError, *FAULTS, _UnusableError) as error:
            if is_last or not _is_locked(error):
                self._complain(error)

    def _complain(self, error: Exception) -> None:
        takes_too_long = isinstance(error, sqlite3.Error) and code_of(error) == sqlite3.SQLITE_INTERRUPT
        self._is_given_up |= takes_too_long
        if self._has_told:
            return
        self._has_told = True
        reason = reason_of(error) if isinstance(error, FAULTS) else _text_of(error)
        if takes_too_long:
            reason = "it takes too long"
        self._tell(f"{printable(self._path)}: {printable(reason)}: the score table is not kept")

    def _create_file(self) -> None:
        """Make the file where there is none, to be written by all who may write to its folder."""
        if os.path.exists(self._path):
            return
        mode = os.stat(os.path.dirname(self._path) or ".").st_mode
        # In a folder like /tmp nobody could remove the journal that another account has left.
        shared = 0 if mode & stat.S_ISVTX else (mode & 0o022) * 3
        with suppress(FileExistsError):
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            os.chmod(self._path, 0o600 | shared)

    @contextmanager
    def _connected(self, patience: float) -> Iterator[sqlite3.Connection]:
        """A connection to a file of ours, or to an empty one."""
        with closing(connect(self._path, "mode=rw", patience)) as connection:
            _bound(connection)
            connection.text_factory = _text
            connection.execute("PRAGMA synchronous = NORMAL")
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if application != _APPLICATION and (application or version or _has_tables(connection)):
                raise _UnusableError("found another kind of database")
            if version > _VERSION:
                raise _UnusableError("it was written by a newer sokoterm")
            if odd := connection.execute(_FIND_ODD).fetchone():
                raise _UnusableError(f"found a {odd[0]} in it, expected tables alone")
            yield connection


def _write(connection: sqlite3.Connection, rows: list[dict[str, str | int | float]], runs: list[_RunRow]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _has_table(connection):
            connection.execute(_TABLE)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        connection.executemany(_SAVE, [row | {"best_by": by} for row in rows for by in ("moves", "pushes")])
        if runs:
            connection.execute(_RUN_TABLE)
            connection.executemany(_SAVE_RUN, runs)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _bound(connection: sqlite3.Connection) -> None:
    """Have nothing that stands in the file take long."""
    connection.execute("PRAGMA trusted_schema = OFF")
    for category, limit in _LIMITS:
        connection.setlimit(category, limit)
    work = count(1)
    connection.set_progress_handler(lambda: next(work) > _MOST_WORK, _INSTRUCTIONS)


def _is_claim(row: tuple[object, ...]) -> bool:
    """Whether a row is one that this program may have written, whatever else stands in the table."""
    name, *figures, size, date = row
    return (
        isinstance(name, str)
        and isinstance(date, float)
        and is_date(date)
        and all(isinstance(each, int) and 0 <= each <= _MOST_MOVES for each in figures)
        and isinstance(size, int)
    )


def _cost_of(size: int) -> int:
    """As many steps as it takes as long to read so many letters, and to open the file for them."""
    return 100 + size // 1000


def _has_table(connection: sqlite3.Connection, name: str = "score") -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'table'"
    return connection.execute(query, (name,)).fetchone() is not None


def _is_run(row: tuple[object, ...]) -> bool:
    """Whether a row is one that this program may have written, whatever else stands in the table."""
    name, seed, begun, *figures, seconds = row
    is_dated = isinstance(begun, float) and is_date(begun)
    is_timed = isinstance(seconds, float) and is_date(seconds)
    counts = [seed, *figures]
    return (
        isinstance(name, str)
        # An empty name is the player's own.
        and printable(name).strip() != ""
        and is_dated
        and is_timed
        and all(isinstance(each, int) and 0 <= each < _MOST_COUNTED for each in counts)
    )


def _run_score(row: tuple[str, int, float, int, int, int, int, int, int, int, int, float]) -> RunScore:
    name, seed, begun, is_over = row[:4]
    return RunScore(printable(name)[:_LONGEST_NAME], seed, begun, bool(is_over), *row[4:])


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None


def _is_locked(error: Exception) -> bool:
    return isinstance(error, sqlite3.Error) and code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _text_of(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
