"""Score table of everyone on one machine, in one sqlite3 file that they all write to.

For each person and level (by level hash) it has a solution with the fewest moves and one with the fewest pushes. Anyone
who may write to the file may write anything, so solutions are replayed by the rules before they are shown, and nothing
in the file can take long: replays are limited to a few rows and the length of two solutions, and so is the work of
sqlite, whatever the schema.

The file has a rollback journal, not WAL: WAL needs two more files, which stay behind after a kill, belong to the
account that made them and must always be writable for everyone. A connection lasts for one read or one write, so that
nobody holds a lock for long, and a replaced file is noticed.
"""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from typing import NamedTuple, TypeVar

from sokoterm.engine.game import MOST_MOVES
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Canonical, canonical, solution_from_canonical, to_canonical
from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.language import _
from sokoterm.store.database import FAULTS, code_of, connect, fitting, reason_of, repaired
from sokoterm.store.series import RunScore
from sokoterm.store.solutions import is_date

_Row = TypeVar("_Row")

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
# Added later, for descents; earlier versions ignore it. Its columns are the fields of a RunScore.
_TYPES = {str: "TEXT", float: "REAL", int: "INTEGER", bool: "INTEGER"}
_RUN_COLUMNS = ", ".join(f"{name} {_TYPES[kind]} NOT NULL" for name, kind in RunScore.__annotations__.items())
_RUN_TABLE = f"CREATE TABLE IF NOT EXISTS run ({_RUN_COLUMNS}, PRIMARY KEY (name, seed, begun)) WITHOUT ROWID"
_VERSION = 1
_APPLICATION = 0x534F4B4F  # "SOKO": tells the file from other databases

# Servers have old builds of sqlite: 3.24 has ON CONFLICT, with its columns named.
_SAVE = """
    INSERT INTO score (hash, name, moves, pushes, start_row, start_column, lurd, date, best_by)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (hash, best_by, name) DO UPDATE SET
        moves = excluded.moves, pushes = excluded.pushes, start_row = excluded.start_row,
        start_column = excluded.start_column, lurd = excluded.lurd, date = excluded.date
    WHERE CASE best_by
        WHEN 'moves' THEN (excluded.moves, excluded.pushes) < (moves, pushes)
        ELSE (excluded.pushes, excluded.moves) < (pushes, moves)
    END"""
_FIND = """
    SELECT name, start_row, start_column, moves, pushes, lurd, date FROM score
    WHERE hash = ? AND best_by = ? AND typeof(lurd) = 'text' AND length(lurd) = moves AND moves <= ?
    ORDER BY CASE best_by WHEN 'moves' THEN moves ELSE pushes END, moves + pushes, date LIMIT ?"""
_SAVE_RUN = f"INSERT OR REPLACE INTO run VALUES ({', '.join('?' * len(RunScore._fields))})"
_FIND_RUNS = f"""
    SELECT {", ".join(RunScore._fields)} FROM run
    ORDER BY floors DESC, shown, hints, over, undos, moves LIMIT 200"""

_READ_SECONDS = 0.1
_WRITE_SECONDS = 0.5
_LAST_WRITE_SECONDS = 3.0  # nobody is looking at the screen any more
_LONGEST_NAME = 32
_MOST_COUNTED = 10**9
# Steps replayed to find the best of a level: two solutions of the longest kind.
_STEPS_A_LOOK = 2 * MOST_MOVES
# Rows replayed for it.
_CLAIMS_A_LOOK = 20

# The most work of a connection, in thousands of sqlite instructions: some 50 ms, for 20,000 rows.
_MOST_WORK = 3_000
_INSTRUCTIONS = 1_000
# The most work of one instruction: values of a few MB, and no foreign pattern or expression that multiplies it.
_LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, 4 * MOST_MOVES),
    (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 20),
)


class Score(Value):
    """A person's result, replayed on the level asked for; the date is in seconds since 1970."""

    name: str
    moves: int
    pushes: int
    date: float


class Standing(Value):
    """The best by moves and by pushes; None if nobody has solved the level."""

    by_moves: Score | None = None
    by_pushes: Score | None = None


class TooLongError(Exception):
    """More steps would have to be replayed than allowed."""


class _Claim(NamedTuple):
    """A row of the table, which anyone may have written."""

    name: str
    row: int
    column: int
    moves: int
    pushes: int
    lurd: str
    date: float


class _UnusableError(Exception):
    """The file cannot be used; the error's text is the reason."""


class ScoreTable:
    """The score table in the file at ``path``, created if missing, as used by the person ``name``.

    Never raises for a missing, locked, read-only, damaged or newer file: the first problem is reported in one line, and
    play continues. Scores blocked by a lock are written with the next solution, or at the end.
    """

    def __init__(self, path: str, name: str, clock: Callable[[], float], tell: Callable[[str], None]) -> None:
        self._path = path
        self.name = printable(name)[:_LONGEST_NAME]
        self._clock = clock
        self._tell = tell
        self._has_told = False
        self._is_given_up = False
        self._waiting: list[tuple[str | float, ...]] = []
        self._waiting_runs: dict[tuple[int, float], RunScore] = {}

    def standing(self, level: Level, most: int | None = None) -> Standing:
        """Return the best results of a level; raises TooLongError instead of replaying more than ``most`` steps."""
        frame = canonical(level)

        def claims_by(metric: str) -> list[_Claim]:
            key = frame.hash, metric, MOST_MOVES, _CLAIMS_A_LOOK
            return self._read("score", lambda connection: fitting(connection.execute(_FIND, key), _Claim))

        return Standing(*(_best(claims_by(metric), level, frame, most) for metric in ("moves", "pushes")))

    def enter(self, level: Level, solution: Solution) -> None:
        """Enter a solution, replayed by the rules, if it beats this person's earlier one."""
        if self._is_given_up or solution.moves > MOST_MOVES:
            return
        frame = canonical(level)
        start, turned = to_canonical(level, solution.lurd, frame)
        row = (frame.hash, self.name, solution.moves, solution.pushes, *start, turned, self._clock())
        self._waiting += [(*row, metric) for metric in ("moves", "pushes")]
        self._flush(is_last=False)

    def record_run(self, run: RunScore) -> None:
        """Enter the score of a run so far, replacing its earlier one; its floors are not replayed."""
        self._waiting_runs[run.seed, run.begun] = run._replace(name=self.name)
        self._flush(is_last=False)

    def runs(self) -> list[RunScore]:
        """Return the best runs of everybody; none if they cannot be read."""
        return [
            run._replace(name=printable(run.name)[:_LONGEST_NAME], is_over=bool(run.is_over))
            for run in self._read("run", lambda connection: fitting(connection.execute(_FIND_RUNS), RunScore))
            if _is_run(run)
        ]

    def close(self) -> None:
        """Write scores that wait for a lock; if they still cannot be written, they are lost, and that is reported."""
        self._flush(is_last=True)

    def _read(self, table: str, look: Callable[[sqlite3.Connection], list[_Row]]) -> list[_Row]:
        """Return the rows of a table; none if it is missing or unreadable."""
        if self._is_given_up or not os.path.exists(self._path):
            return []
        try:
            with self._connected("BEGIN", _READ_SECONDS) as connection:
                return look(connection) if _has_table(connection, table) else []
        except (OSError, *FAULTS, _UnusableError) as error:
            self._report(error)
            return []

    def _flush(self, *, is_last: bool) -> None:
        if self._is_given_up or not (self._waiting or self._waiting_runs):
            return
        try:
            self._create_file()
            patience = _LAST_WRITE_SECONDS if is_last else _WRITE_SECONDS
            with self._connected("BEGIN IMMEDIATE", patience) as connection:
                if not _has_table(connection, "score"):
                    connection.execute(_TABLE)
                    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {_VERSION}")
                connection.executemany(_SAVE, self._waiting)
                if self._waiting_runs:
                    connection.execute(_RUN_TABLE)
                    connection.executemany(_SAVE_RUN, self._waiting_runs.values())
            self._waiting.clear()
            self._waiting_runs.clear()
        except (OSError, *FAULTS, _UnusableError) as error:
            if is_last or code_of(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                self._report(error)

    def _report(self, error: Exception) -> None:
        takes_too_long = code_of(error) == sqlite3.SQLITE_INTERRUPT
        self._is_given_up |= takes_too_long
        if self._has_told:
            return
        self._has_told = True
        reason = _("it takes too long") if takes_too_long else getattr(error, "strerror", None) or reason_of(error)
        path = printable(self._path)
        self._tell(_("{path}: {reason}: the score table is off", path=path, reason=printable(reason)))

    def _create_file(self) -> None:
        """Create the file if missing, writable by everyone who may write to its folder."""
        if os.path.exists(self._path):
            return
        mode = os.stat(os.path.dirname(self._path) or ".").st_mode
        # In a sticky folder like /tmp nobody could remove a journal left by another account.
        shared = 0 if mode & stat.S_ISVTX else (mode & 0o022) * 3
        with suppress(FileExistsError):
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            os.chmod(self._path, 0o600 | shared)

    @contextmanager
    def _connected(self, begin: str, patience: float) -> Iterator[sqlite3.Connection]:
        """Connect to a score table or an empty file, in a transaction; an error leaves no trace."""
        with closing(connect(self._path, "mode=rw", patience)) as connection:
            # Nothing in the file may take long.
            for category, limit in _LIMITS:
                connection.setlimit(category, limit)
            work = count(1)
            connection.set_progress_handler(lambda: next(work) > _MOST_WORK, _INSTRUCTIONS)
            connection.text_factory = repaired
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(begin)
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            has_tables = connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None
            if application != _APPLICATION and (application or version or has_tables):
                raise _UnusableError(_("found another kind of database"))
            if version > _VERSION:
                raise _UnusableError(_("it was written by a newer sokoterm"))
            yield connection
            connection.execute("COMMIT")


def _best(claims: Iterable[_Claim], level: Level, frame: Canonical, most: int | None) -> Score | None:
    """Return the first claim that the rules confirm; see ``ScoreTable.standing``."""
    replayed = 0
    for claim in claims:
        is_likely = is_date(claim.date) and sum(map(claim.lurd.count, "LURD")) == claim.pushes
        if not is_likely or replayed + claim.moves > _STEPS_A_LOOK:
            continue
        replayed += claim.moves
        if most is not None and replayed > most:
            raise TooLongError
        solution = solution_from_canonical(level, (claim.row, claim.column), claim.lurd, frame)
        if solution is not None and solution.pushes == claim.pushes:
            return Score(printable(claim.name)[:_LONGEST_NAME], solution.moves, solution.pushes, claim.date)
    return None


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'table'"
    return connection.execute(query, (name,)).fetchone() is not None


def _is_run(run: RunScore) -> bool:
    """True if this program may have written the row; an empty name is reserved for the player's own runs."""
    counts = (run.seed, run.is_over, run.floors, run.over, run.undos, run.hints, run.shown, run.pushes, run.moves)
    is_timed = is_date(run.begun) and is_date(run.seconds)
    return printable(run.name).strip() != "" and is_timed and all(0 <= each < _MOST_COUNTED for each in counts)
