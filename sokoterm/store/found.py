"""Known solutions from no pack that is there, apart from those of the person: by level hash, best by each metric.

The program found them itself, or they came with levels that were left out of the library.
They are rows of the progress database (see ``generated.Store``), in canonical orientation with their start as in
``solutions``, so that they serve turned and mirrored copies.  Nothing here counts a level as solved.
"""

from collections.abc import Iterable

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import canonical, from_canonical_in_slices, to_canonical
from sokoterm.engine.lurd import Solution
from sokoterm.engine.slices import Slices, finish
from sokoterm.store.generated import Store
from sokoterm.store.known_levels import KnownSolution, distinct

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

# Metrics by which a best solution is kept; moves, then pushes, decide among equals.
_METRICS = ("moves", "pushes", "box_lines", "box_changes", "pushing_sessions")

_SAVE = """
    INSERT INTO found VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (hash, start_row, start_column, best_by) DO UPDATE SET
        lurd = excluded.lurd, count = excluded.count, moves = excluded.moves, pushes = excluded.pushes,
        credit = excluded.credit
    WHERE (excluded.count, excluded.moves, excluded.pushes) < (count, moves, pushes)"""
_LOAD = "SELECT start_row, start_column, lurd, credit FROM found WHERE hash = ? ORDER BY best_by"


def keep_found(store: Store, level: Level, solution: Solution, credit: str) -> None:
    """Queue a solution, replayed by the rules, for the next save; it replaces those that are worse by some metric.

    ``credit`` names what found it, or where it is from.
    """
    frame = canonical(level)
    start, lurd = to_canonical(level, solution.lurd, frame)
    for metric in _METRICS:
        key = (frame.hash, *start, metric, lurd)
        store.keep(_SAVE, key, (*key, getattr(solution, metric), solution.moves, solution.pushes, credit))


def is_better(solution: Solution, known: Iterable[Solution]) -> bool:
    """True if a solution is better by some metric than all that are known."""
    return any(all(_key(solution, metric) < _key(each, metric) for each in known) for metric in _METRICS)


def _key(solution: Solution, metric: str) -> tuple[int, int, int]:
    return getattr(solution, metric), solution.moves, solution.pushes


def found_solutions(store: Store, level: Level) -> list[KnownSolution]:
    """Return the solutions kept for a level or one of equal hash, transformed to fit and replayed.

    Fewest pushes first.  Raises PackError if they cannot be read now.
    """
    return finish(found_in_slices(store, level))


def found_in_slices(store: Store, level: Level) -> Slices[list[KnownSolution]]:
    """Do the same in slices."""
    frame = canonical(level)
    known = []
    for start, lurd, credit in dict.fromkeys(store.rows(_LOAD, (frame.hash,), _placed)):
        solution = yield from from_canonical_in_slices(level, start, lurd, frame)
        if solution is not None:
            known.append(KnownSolution(solution, credit))
    return distinct(known)


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
