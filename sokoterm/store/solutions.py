"""Best solutions of a person, dates and time played, by level hash; and the boards of levels with progress.

Solutions are kept in canonical orientation with their start: for each start the best by moves and the best by pushes,
compared moves first and pushes first. A board is kept under the level hash for solutions and under the Exact-Id for the
open play, as the level looked when it was first met, so that progress can be exported.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.engine.value import Value
from sokoterm.store.database import Database, fitting
from sokoterm.store.generated import is_date

TABLES = (
    """CREATE TABLE solution (
        hash TEXT NOT NULL,
        start_row INTEGER NOT NULL,
        start_column INTEGER NOT NULL,
        best_by TEXT NOT NULL,
        lurd TEXT NOT NULL,
        moves INTEGER NOT NULL,
        pushes INTEGER NOT NULL,
        PRIMARY KEY (hash, start_row, start_column, best_by)
    ) WITHOUT ROWID""",
    """CREATE TABLE puzzle (
        hash TEXT PRIMARY KEY,
        first_solved REAL,
        last_solved REAL,
        seconds REAL NOT NULL DEFAULT 0
    ) WITHOUT ROWID""",
)

BOARDS = ("CREATE TABLE board (id TEXT PRIMARY KEY, xsb TEXT NOT NULL, title TEXT NOT NULL) WITHOUT ROWID",)

SAVE_BOARD = "INSERT OR IGNORE INTO board VALUES (?, ?, ?)"
"""Writes a board unless it is there."""

# The most hashes that every build of sqlite takes in one statement.
_HASHES_AT_ONCE = 900

# The puzzles that were never solved without help.
HELPED_TABLE = "CREATE TABLE helped (hash TEXT PRIMARY KEY) WITHOUT ROWID"

# The seconds played on each local day.
DAY_TABLE = "CREATE TABLE day_played (day TEXT PRIMARY KEY, seconds REAL NOT NULL) WITHOUT ROWID"

EACH_ONCE = (
    "ALTER TABLE solution RENAME TO solution_by_metric",
    """CREATE TABLE solution (
        id INTEGER PRIMARY KEY,
        hash TEXT NOT NULL,
        start_row INTEGER NOT NULL,
        start_column INTEGER NOT NULL,
        lurd TEXT NOT NULL,
        moves INTEGER NOT NULL,
        pushes INTEGER NOT NULL
    )""",
    """INSERT INTO solution SELECT NULL, hash, start_row, start_column, lurd, min(moves), min(pushes)
        FROM solution_by_metric GROUP BY hash, start_row, start_column, lurd""",
    "DROP TABLE solution_by_metric",
    "CREATE INDEX solution_of_level ON solution (hash)",
)
"""Keeps a solution that is the best by moves and by pushes in one row."""

_OF_START = "FROM solution WHERE hash = :hash AND start_row = :row AND start_column = :column"
_SAVE_SOLUTION = f"""
    INSERT INTO solution SELECT NULL, :hash, :row, :column, :lurd, :moves, :pushes
    WHERE NOT EXISTS (SELECT 1 {_OF_START} AND (moves, pushes) <= (:moves, :pushes))
    OR NOT EXISTS (SELECT 1 {_OF_START} AND (pushes, moves) <= (:pushes, :moves))"""
_DROP_WORSE = f"""
    DELETE {_OF_START} AND id NOT IN (
        SELECT * FROM (SELECT id {_OF_START} ORDER BY moves, pushes, id LIMIT 1)
        UNION SELECT * FROM (SELECT id {_OF_START} ORDER BY pushes, moves, id LIMIT 1)
    )"""
# Servers have old builds of sqlite: before 3.35 an upsert must name the columns of its conflict.
_SAVE_DATES = """
    INSERT INTO puzzle (hash, first_solved, last_solved) VALUES (:hash, :date, :date)
    ON CONFLICT (hash) DO UPDATE SET
        first_solved = min(coalesce(first_solved, :date), :date),
        last_solved = max(coalesce(last_solved, :date), :date)"""
_SAVE_HELP = """
    INSERT OR IGNORE INTO helped
    SELECT :hash WHERE NOT EXISTS (SELECT 1 FROM solution WHERE hash = :hash)"""
_PUZZLE = "first_solved, last_solved, seconds, hash IN (SELECT hash FROM helped)"
_ADD_SECONDS = """
    INSERT INTO puzzle (hash, seconds) VALUES (?, ?)
    ON CONFLICT (hash) DO UPDATE SET seconds = coalesce(seconds, 0) + excluded.seconds"""

_ADD_TO_DAY = """
    INSERT INTO day_played (day, seconds) VALUES (?, ?)
    ON CONFLICT (day) DO UPDATE SET seconds = coalesce(seconds, 0) + excluded.seconds"""


class Dates(Value):
    """Dates of a level, in seconds since 1970, None if it was never solved.

    ``seconds`` is the time played; ``is_helped`` is true if the level was never solved without help.
    """

    first_solved: float | None = None
    last_solved: float | None = None
    seconds: float = 0.0
    is_helped: bool = False


class Best(Value):
    """The best solutions of a level, transformed to fit it and replayed by the rules, and its ``Dates``."""

    by_moves: Solution | None = None
    by_pushes: Solution | None = None
    first_solved: float | None = None
    last_solved: float | None = None
    seconds: float = 0.0
    is_helped: bool = False


class Summary(Value):
    """The fewest moves and the fewest pushes of a solved level, possibly of two solutions, for a list.

    ``is_helped`` is true if the level was never solved without help.
    """

    moves: int
    pushes: int
    is_helped: bool = False


class Recorded(Value):
    """A recorded solution, the best before it, and one line if it could not be written yet."""

    solution: Solution
    before: Best
    problem: str | None


class Solved(Value):
    """A solution to be written, in canonical orientation; ``start`` is the row and column of its player."""

    hash: str
    start: tuple[int, int]
    lurd: str
    moves: int
    pushes: int
    date: float
    is_helped: bool = False


class Puzzle(NamedTuple):
    """The dates of a puzzle, in seconds since 1970 or None if it was never solved, and the seconds it was played.

    ``is_helped`` is true if it was never solved without help.
    """

    first_solved: float | None = None
    last_solved: float | None = None
    seconds: float = 0.0
    is_helped: bool = False


class SolutionRow(Value):
    """A row of the table of solutions, without its figures."""

    hash: str
    start: tuple[int, int]
    lurd: str


class StoredBoard(NamedTuple):
    """A row of the table: a level hash or Exact-Id, and the picture and title of a level that has it.

    ``xsb`` is as ``pictured`` writes it.
    """

    id: str
    xsb: str
    title: str

    @classmethod
    def of(cls, key: str, level: Level) -> "StoredBoard":
        """Return the row of a level; its title is put on one line."""
        picture = "\n".join(level.rows)
        if level.board.variant is not None:
            from sokoterm.formats.variant_keys import pictured

            picture = pictured(level)
        return cls(key, picture, " ".join(level.title.split()))

    def level(self) -> Level:
        """Return the level of the row; raises LevelError if the row is damaged."""
        from sokoterm.formats.variant_keys import from_picture

        return from_picture(self.xsb)._replace(title=self.title)


def solutions_of(database: Database, puzzle: str) -> list[tuple[tuple[int, int], str]]:
    """Return the start and the moves of every solution of a puzzle."""
    return database.read("SELECT start_row, start_column, lurd FROM solution WHERE hash = ?", (puzzle,), _placed)


def summaries_of(database: Database, hashes: Sequence[str]) -> Iterator[tuple[str, Summary]]:
    """Yield the figures of the solved puzzles among these."""
    for first in range(0, len(hashes), _HASHES_AT_ONCE):
        some = hashes[first : first + _HASHES_AT_ONCE]
        query = (
            "SELECT hash, min(moves), min(pushes), hash IN (SELECT hash FROM helped) FROM solution "
            f"WHERE hash IN ({', '.join('?' * len(some))}) GROUP BY hash"
        )
        yield from database.read(query, some, _summary)


def puzzle_of(database: Database, puzzle: str) -> Puzzle:
    """Return the dates and time of a puzzle."""
    query = f"SELECT {_PUZZLE} FROM puzzle WHERE hash = ?"
    return next(iter(database.read(query, (puzzle,), _puzzle)), Puzzle())


def all_solutions(database: Database) -> list[SolutionRow]:
    """Return every solution, grouped by puzzle and start, the oldest first."""
    query = "SELECT hash, start_row, start_column, lurd FROM solution ORDER BY hash, start_row, start_column, id"
    return database.read(query, (), _solution_row)


def all_puzzles(database: Database) -> dict[str, Puzzle]:
    """Return the dates and time of every puzzle, by level hash."""
    return dict(database.read(f"SELECT hash, {_PUZZLE} FROM puzzle", (), _puzzle_row))


def save_solution(connection: sqlite3.Connection, solved: Solved) -> None:
    """Write a solution if it is better than the stored one, its date, and if it had help."""
    save_help(connection, solved.hash, is_helped=solved.is_helped)
    keep_better(connection, solved)
    connection.execute(_SAVE_DATES, {"hash": solved.hash, "date": solved.date})


def keep_better(connection: sqlite3.Connection, solved: Solved) -> bool:
    """Write a solution if it is better by moves or by pushes than the stored one; True if it was."""
    values = {"hash": solved.hash, "row": solved.start[0], "column": solved.start[1], "lurd": solved.lurd}
    values |= {"moves": solved.moves, "pushes": solved.pushes}
    is_better = connection.execute(_SAVE_SOLUTION, values).rowcount > 0
    connection.execute(_DROP_WORSE, values)
    return is_better


def save_help(connection: sqlite3.Connection, puzzle: str, *, is_helped: bool) -> None:
    """Save if a puzzle was ever solved without help; call it before the solution is written."""
    connection.execute(_SAVE_HELP if is_helped else "DELETE FROM helped WHERE hash = :hash", {"hash": puzzle})


def add_seconds(connection: sqlite3.Connection, seconds: Sequence[tuple[str, float]]) -> None:
    """Add to the time played, by level hash."""
    connection.executemany(_ADD_SECONDS, seconds)


def add_to_day(connection: sqlite3.Connection, day: str, seconds: float) -> None:
    """Add to the time played on a day, which is an ISO date."""
    connection.execute(_ADD_TO_DAY, (day, seconds))


def merge_puzzle(connection: sqlite3.Connection, puzzle: str, theirs: Puzzle, now: float | None) -> None:
    """Merge imported dates and time: the earlier first, the later last date and the longer time win.

    So merging twice is harmless. Imported dates are whole seconds: the second in which a level was solved here is not
    earlier. If neither side has a date, it is ``now``.
    """
    query = f"SELECT {_PUZZLE} FROM puzzle WHERE hash = ?"
    ours = next(fitting(connection.execute(query, (puzzle,)), _puzzle), Puzzle())
    first, last = ours.first_solved, ours.last_solved
    if theirs.first_solved is not None and (first is None or theirs.first_solved < first // 1):
        first = theirs.first_solved
    if theirs.last_solved is not None and (last is None or theirs.last_solved > last):
        last = theirs.last_solved
    if first is None and last is None:
        first = last = now
    merged = (first, last, max(ours.seconds, theirs.seconds))
    if merged != ours[:3]:
        connection.execute("INSERT OR REPLACE INTO puzzle VALUES (?, ?, ?, ?)", (puzzle, *merged))


def all_boards(database: Database) -> dict[str, StoredBoard]:
    """Return every board by its id."""
    return {board.id: board for board in database.read("SELECT id, xsb, title FROM board", (), StoredBoard)}


def has_board(database: Database, key: str) -> bool:
    """True if a board has this id."""
    return bool(database.read("SELECT 1 FROM board WHERE id = ?", (key,), int))


def save_boards(connection: sqlite3.Connection, boards: Iterable[StoredBoard]) -> None:
    """Write the boards that are not there yet."""
    connection.executemany(SAVE_BOARD, boards)


def _placed(row: int, column: int, lurd: str) -> tuple[tuple[int, int], str]:
    return (row, column), lurd


def _summary(puzzle: str, moves: int, pushes: int, is_helped: int) -> tuple[str, Summary]:
    return puzzle, Summary(moves, pushes, bool(is_helped))


def _solution_row(puzzle: str, row: int, column: int, lurd: str) -> SolutionRow:
    return SolutionRow(puzzle, (row, column), lurd)


def _puzzle(first: float | None, last: float | None, seconds: float, is_helped: int) -> Puzzle:
    if not all(each is None or is_date(each) for each in (first, last, seconds)):
        raise ValueError("no moment that a calendar has")
    return Puzzle(first, last, seconds, bool(is_helped))


def _puzzle_row(
    puzzle: str, first: float | None, last: float | None, seconds: float, is_helped: int
) -> tuple[str, Puzzle]:
    return puzzle, _puzzle(first, last, seconds, is_helped)
