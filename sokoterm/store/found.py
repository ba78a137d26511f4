"""Known solutions from no pack that is there, apart from those of the person: by level hash, best by each metric.

The program found them itself, or they came with levels that were left out of the library.
They are rows of the progress database (see ``generated.Store``), in canonical orientation with their start as in
``solutions``, so that they serve turned and mirrored copies.  Nothing here counts a level as solved.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import canonical, solution_from_canonical, to_canonical
from sokoterm.engine.lurd import Solution
from sokoterm.store.database import Database, RowValue
from sokoterm.store.generated import Store
from sokoterm.store.known_levels import KnownSolution, distinct
from sokoterm.store.solutions import SAVE_BOARD, StoredBoard

TABLES = (
    """CREATE TABLE found (
        hash TEXT NOT NULL,
        start_row INTEGER NOT NULL,
        start_column INTEGER NOT NULL,
        best_by TEXT NOT NULL,
        lurd TEXT NOT NULL,
        count INTEGER NOT NULL,
        moves INTEGER NOT NULL,
        pushes INTEGER NOT NULL,
        credit TEXT NOT NULL,
        PRIMARY KEY (hash, start_row, start_column, best_by)
    ) WITHOUT ROWID""",
)

# The fewest moves or pushes that solve a level from a start.
PROVEN_TABLE = """CREATE TABLE proven (
    hash TEXT NOT NULL,
    start_row INTEGER NOT NULL,
    start_column INTEGER NOT NULL,
    metric TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (hash, start_row, start_column, metric)
) WITHOUT ROWID"""

# Metrics by which a best solution is kept; moves, then pushes, then age decide among equals.
_METRICS = ("moves", "pushes", "box_lines", "box_changes", "pushing_sessions")

EACH_ONCE = (
    "ALTER TABLE found RENAME TO found_by_metric",
    """CREATE TABLE found (
        id INTEGER PRIMARY KEY,
        hash TEXT NOT NULL,
        start_row INTEGER NOT NULL,
        start_column INTEGER NOT NULL,
        lurd TEXT NOT NULL,
        credit TEXT NOT NULL,
        moves INTEGER,
        pushes INTEGER,
        box_lines INTEGER,
        box_changes INTEGER,
        pushing_sessions INTEGER
    )""",
    f"""INSERT INTO found
        SELECT NULL, hash, start_row, start_column, lurd, min(credit), min(moves), min(pushes),
            {", ".join(f"min(CASE best_by WHEN '{metric}' THEN count END)" for metric in _METRICS[2:])}
        FROM found_by_metric GROUP BY hash, start_row, start_column, lurd""",
    "DROP TABLE found_by_metric",
    "CREATE INDEX found_of_level ON found (hash)",
)
"""Keeps a solution in one row, however many metrics it is the best by; its figure is NULL where another one was."""

_OF_START = "FROM found WHERE hash = ?1 AND start_row = ?2 AND start_column = ?3"
_SAVE = f"""
    INSERT INTO found SELECT NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
    WHERE NOT EXISTS (SELECT 1 {_OF_START} AND lurd = ?4)"""
_BEST = [f"SELECT id {_OF_START} AND {by} IS NOT NULL ORDER BY {by}, moves, pushes, id LIMIT 1" for by in _METRICS]
_DROP_WORSE = f"DELETE {_OF_START} AND id NOT IN ({' UNION '.join(f'SELECT * FROM ({best})' for best in _BEST)})"
_LOAD = "SELECT start_row, start_column, lurd, credit FROM found WHERE hash = ? ORDER BY id"


class FoundRow(NamedTuple):
    """A solution kept for a puzzle, in canonical orientation with the row and column of its start."""

    hash: str
    start_row: int
    start_column: int
    lurd: str
    credit: str


FoundMoves = tuple[tuple[int, int], str, str]
"""A start and moves in canonical orientation, and the credit for them."""


def keep_found(store: Store, level: Level, solution: Solution, credit: str) -> None:
    """Queue a solution, replayed by the rules, for the next save; it replaces those that are worse by every metric.

    ``credit`` names what found it, or where it is from.
    """
    board, row = _rows(level, solution, credit)
    store.keep(SAVE_BOARD, board[:1], board)
    store.keep(_SAVE, row[:4], row)
    store.keep(_DROP_WORSE, row[:4], row[:3])  # after each one, whichever comes next


def save_found(connection: sqlite3.Connection, level: Level, solution: Solution, credit: str) -> bool:
    """Write a solution as ``keep_found`` does; True if it was better by some metric."""
    board, row = _rows(level, solution, credit)
    connection.execute(SAVE_BOARD, board)
    is_new = connection.execute(_SAVE, row).rowcount > 0
    connection.execute(_DROP_WORSE, row[:3])
    return is_new and connection.execute(f"SELECT 1 {_OF_START} AND lurd = ?4", row[:4]).fetchone() is not None


def _rows(level: Level, solution: Solution, credit: str) -> tuple[StoredBoard, Sequence[RowValue]]:
    """Return the rows of the board and of the solution."""
    frame = canonical(level)
    start, lurd = to_canonical(level, solution.lurd, frame)
    figures = (getattr(solution, metric) for metric in _METRICS)
    return StoredBoard.of(frame.hash, level), (frame.hash, *start, lurd, credit, *figures)


def all_found(database: Database) -> list[FoundRow]:
    """Return every solution, grouped by puzzle, the oldest first."""
    return database.read(f"SELECT {', '.join(FoundRow._fields)} FROM found ORDER BY hash, id", (), FoundRow)


def is_better(solution: Solution, known: Iterable[Solution]) -> bool:
    """True if a solution is better by some metric than all that are known."""
    return any(all(_key(solution, metric) < _key(each, metric) for each in known) for metric in _METRICS)


def _key(solution: Solution, metric: str) -> tuple[int, int, int]:
    return getattr(solution, metric), solution.moves, solution.pushes


def found_solutions(store: Store, level: Level) -> list[KnownSolution]:
    """Return the solutions kept for a level or one of equal hash, transformed to fit and replayed.

    Fewest pushes first.  Raises PackError if they cannot be read now.
    """
    return replay_found(level, found_moves(store, level))


def found_moves(store: Store, level: Level) -> list[FoundMoves]:
    """Return the moves kept for a level or one of equal hash; raises PackError if they cannot be read now."""
    return list(dict.fromkeys(store.rows(_LOAD, (canonical(level).hash,), _placed)))


def replay_found(level: Level, found: Iterable[FoundMoves]) -> list[KnownSolution]:
    """Return the solutions among some moves, transformed to fit the level, fewest pushes first."""
    frame = canonical(level)
    solutions = ((solution_from_canonical(level, start, lurd, frame), credit) for start, lurd, credit in found)
    return distinct(KnownSolution(solution, credit) for solution, credit in solutions if solution is not None)


def keep_proven(store: Store, level: Level, metric: str, count: int) -> None:
    """Queue the proof that no solution has less of a metric for the next save."""
    frame = canonical(level)
    key = (frame.hash, *to_canonical(level, "", frame)[0], metric)
    store.keep("INSERT OR REPLACE INTO proven VALUES (?, ?, ?, ?, ?)", key, (*key, count))


def proven_of(store: Store, level: Level) -> dict[str, int]:
    """Return the proven least moves and pushes of a level by metric; raises PackError if they cannot be read now."""
    frame = canonical(level)
    query = "SELECT metric, count FROM proven WHERE hash = ? AND start_row = ? AND start_column = ?"
    return dict(store.rows(query, (frame.hash, *to_canonical(level, "", frame)[0]), _counted))


def _placed(row: int, column: int, lurd: str, credit: str) -> tuple[tuple[int, int], str, str]:
    return (row, column), lurd, credit


def _counted(metric: str, count: int) -> tuple[str, int]:
    return metric, count
