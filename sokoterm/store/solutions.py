"""Solutions in the database: the player's own with dates and time played, known ones, proofs, and boards.

All are stored by level hash, in canonical orientation with their start, so that they serve turned and mirrored copies.
For each start the best by each metric is kept, by moves and pushes for the player's own. Known solutions were found by
the program or came with levels left out of the library; they count no level as solved.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Canonical, canonical, solution_from_canonical, to_canonical
from sokoterm.engine.lurd import Solution
from sokoterm.engine.value import Value
from sokoterm.formats.text import from_picture, pictured
from sokoterm.store.database import RowValue, fitting
from sokoterm.store.known_levels import KnownSolution, distinct

_LAST_DATE = 1e11  # seconds since 1970; a calendar ends somewhere

SAVE_BOARD = "INSERT OR IGNORE INTO board VALUES (?, ?, ?)"
"""Stores a board unless there is one."""

_REPLACE_DATES = "INSERT OR REPLACE INTO puzzle (hash, first_solved, last_solved, seconds) VALUES (?, ?, ?, ?)"
_SAVE_HELP = """
    INSERT OR IGNORE INTO helped (hash)
    SELECT :hash WHERE NOT EXISTS (SELECT 1 FROM solution WHERE hash = :hash)"""
# Rows of ``dates_row``.
ALL_DATES = "SELECT hash, first_solved, last_solved, seconds, hash IN (SELECT hash FROM helped) FROM puzzle"
# Servers have old builds of sqlite: before 3.35 an upsert must name the columns of its conflict.
ADD_SECONDS = """
    INSERT INTO puzzle (hash, seconds) VALUES (?, ?)
    ON CONFLICT (hash) DO UPDATE SET seconds = coalesce(seconds, 0) + excluded.seconds"""
ADD_TO_DAY = """
    INSERT INTO day_played (day, seconds) VALUES (?, ?)
    ON CONFLICT (day) DO UPDATE SET seconds = coalesce(seconds, 0) + excluded.seconds"""

_METRICS = ("moves", "pushes", "box_lines", "box_changes", "pushing_sessions")


def _keeping(table: str, others: Sequence[str], metrics: Sequence[str]) -> tuple[str, str, str]:
    """Return statements that add a solution, drop those from its start that are best by no metric, and look for it."""
    of_start = f"FROM {table} WHERE hash = ?1 AND start_row = ?2 AND start_column = ?3"
    is_there = f"SELECT 1 {of_start} AND lurd = ?4"
    columns = ("hash", "start_row", "start_column", "lurd", *others, *metrics)
    places = ", ".join(f"?{number}" for number in range(1, len(columns) + 1))
    add = f"INSERT INTO {table} ({', '.join(columns)}) SELECT {places} WHERE NOT EXISTS ({is_there})"
    best = [f"SELECT id {of_start} AND {by} IS NOT NULL ORDER BY {by}, moves, pushes, id LIMIT 1" for by in metrics]
    drop = f"DELETE {of_start} AND id NOT IN ({' UNION '.join(f'SELECT * FROM ({each})' for each in best)})"
    return add, drop, is_there


_OWN = _keeping("solution", (), ("moves", "pushes"))
_FOUND = _keeping("found", ("credit",), _METRICS)


class Dates(NamedTuple):
    """Dates of a level, in seconds since 1970, None if it was never solved.

    ``seconds`` is the time played; ``is_helped`` is true if the level was never solved without help.
    """

    first_solved: float | None = None
    last_solved: float | None = None
    seconds: float = 0.0
    is_helped: bool = False


class Best(Value):
    """The best solutions of a level, transformed to fit it and replayed by the rules, and its dates.

    ``online`` is the fewest moves and pushes at letslogic.com, 0 where unknown; None unless it has the level.
    """

    by_moves: Solution | None = None
    by_pushes: Solution | None = None
    dates: Dates = Dates()
    online: "Summary | None" = None


class Summary(Value):
    """The fewest moves and the fewest pushes of a solved level; ``is_helped``: never solved without help."""

    moves: int
    pushes: int
    is_helped: bool = False


class Recorded(Value):
    """A recorded solution, the best before it, and one line if it could not be written yet."""

    solution: Solution
    before: Best
    problem: str | None


class SolutionRow(NamedTuple):
    """A solution in canonical orientation, with the row and column of its start; a known one has a ``credit``."""

    hash: str
    row: int
    column: int
    lurd: str
    credit: str = ""

    def fitted(self, level: Level, frame: Canonical) -> Solution | None:
        """Return the solution transformed to fit a level of this hash, None if the rules reject it."""
        return solution_from_canonical(level, (self.row, self.column), self.lurd, frame)


class Solved(Value):
    """A solution of the player's own to be written."""

    row: SolutionRow
    solution: Solution
    date: float
    is_helped: bool = False


class StoredBoard(NamedTuple):
    """A row by level hash or Exact-Id: the picture of a level that has it, as ``pictured`` writes it, and its title."""

    id: str
    xsb: str
    title: str

    @classmethod
    def of(cls, key: str, level: Level) -> "StoredBoard":
        """Return the row of a level; its title is put on one line."""
        picture = "\n".join(level.rows)
        if not level.board.is_ordinary:
            picture = pictured(level)
        return cls(key, picture, " ".join(level.title.split()))

    def level(self) -> Level:
        """Return the level of the row; raises LevelError if the row is damaged."""
        return from_picture(self.xsb).replace(title=self.title)


def is_date(seconds: object) -> bool:
    """True if this is a time, in seconds since 1970, within the calendar."""
    return isinstance(seconds, float | int) and 0 <= seconds < _LAST_DATE


def keep_better(connection: sqlite3.Connection, solved: Solved) -> bool:
    """Write a solution if it is better by moves or by pushes than the stored ones; True if it was."""
    return _keep(connection, _OWN, (*solved.row[:4], solved.solution.moves, solved.solution.pushes))


def _keep(connection: sqlite3.Connection, statements: tuple[str, str, str], values: Sequence[RowValue]) -> bool:
    add, drop, is_there = statements
    is_new = connection.execute(add, values).rowcount > 0
    connection.execute(drop, values[:3])
    return is_new and connection.execute(is_there, values[:4]).fetchone() is not None


def save_help(connection: sqlite3.Connection, level_hash: str, *, is_helped: bool) -> None:
    """Note whether a puzzle was ever solved without help; call it before the solution is written."""
    statement = _SAVE_HELP if is_helped else "DELETE FROM helped WHERE hash = :hash"
    connection.execute(statement, {"hash": level_hash})


def merge_dates(connection: sqlite3.Connection, level_hash: str, theirs: Dates, now: float | None) -> None:
    """Merge dates and time: the earlier first date, the later last one and the longer time win.

    If neither side has a date, it is ``now``. Imported dates are whole seconds, so one in the second of our first date
    is not earlier: merging twice is harmless.
    """
    rows = connection.execute(f"{ALL_DATES} WHERE hash = ?", (level_hash,))
    ours = dict(fitting(rows, dates_row)).get(level_hash, Dates())
    first, last = ours.first_solved, ours.last_solved
    if theirs.first_solved is not None and (first is None or theirs.first_solved < first // 1):
        first = theirs.first_solved
    if theirs.last_solved is not None and (last is None or theirs.last_solved > last):
        last = theirs.last_solved
    if first is None and last is None:
        first = last = now
    merged = (first, last, max(ours.seconds, theirs.seconds))
    if merged != ours[:3]:
        connection.execute(_REPLACE_DATES, (level_hash, *merged))


def found_of(rows: Iterable[SolutionRow], level: Level) -> list[KnownSolution]:
    """Return the solutions in rows, transformed to fit a level and replayed, fewest pushes first."""
    frame = canonical(level)
    fitted = ((row.fitted(level, frame), row.credit) for row in rows)
    return distinct(KnownSolution(solution, credit) for solution, credit in fitted if solution is not None)


def found_statements(level: Level, solution: Solution, credit: str) -> list[tuple[str, tuple[RowValue, ...]]]:
    """Return, in order, the statements that store a known solution and drop those worse by every metric."""
    frame = canonical(level)
    start, lurd = to_canonical(level, solution.lurd, frame)
    figures = (getattr(solution, metric) for metric in _METRICS)
    return [
        (SAVE_BOARD, StoredBoard.of(frame.hash, level)),
        (_FOUND[0], (frame.hash, *start, lurd, credit, *figures)),
        (_FOUND[1], (frame.hash, *start)),
    ]


def save_found(connection: sqlite3.Connection, level: Level, solution: Solution, credit: str) -> bool:
    """Write a known solution; True if it was better by some metric."""
    board, keep, *__ = found_statements(level, solution, credit)
    connection.execute(*board)
    return _keep(connection, _FOUND, keep[1])


def is_better(solution: Solution, known: Iterable[Solution]) -> bool:
    """True if a solution is better by some metric than all that are known."""
    return any(all(_key(solution, metric) < _key(each, metric) for each in known) for metric in _METRICS)


def _key(solution: Solution, metric: str) -> tuple[int, int, int]:
    return getattr(solution, metric), solution.moves, solution.pushes


def dates_row(
    level_hash: str, first: float | None, last: float | None, seconds: float, is_helped: int
) -> tuple[str, Dates]:
    """Return the dates of a row of ``ALL_DATES`` by level hash; raises ValueError for impossible ones."""
    if not all(each is None or is_date(each) for each in (first, last, seconds)):
        raise ValueError("no moment that a calendar has")
    return level_hash, Dates(first, last, seconds, bool(is_helped))
