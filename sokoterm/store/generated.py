"""Generated levels in the database: their tables and rows, written together with the progress."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from sokoterm.engine.lurd import measure
from sokoterm.store.database import RowValue

_Result = TypeVar("_Result")

_LAST_DATE = 1e11  # seconds since 1970; a calendar ends somewhere
_MOVES = frozenset("lurdLURD")

_MADE = "recipe INTEGER NOT NULL, xsb TEXT NOT NULL, lurd TEXT NOT NULL"
_EFFORT = """seconds REAL NOT NULL, undos INTEGER NOT NULL, hints INTEGER NOT NULL, shown INTEGER NOT NULL,
        solved REAL, pushes INTEGER NOT NULL, moves INTEGER NOT NULL"""

TABLES = (
    f"CREATE TABLE day (date TEXT PRIMARY KEY, {_MADE}, {_EFFORT}) WITHOUT ROWID",
    """CREATE TABLE run (
        seed INTEGER NOT NULL, begun REAL NOT NULL, played REAL NOT NULL, ended REAL,
        PRIMARY KEY (seed, begun)
    ) WITHOUT ROWID""",
    f"""CREATE TABLE floor (
        seed INTEGER NOT NULL, begun REAL NOT NULL, number INTEGER NOT NULL, {_MADE}, entered REAL, {_EFFORT},
        PRIMARY KEY (seed, begun, number)
    ) WITHOUT ROWID""",
)


class Store(Protocol):
    """Keeper of rows: the progress of a person."""

    def rows(self, query: str, parameters: Sequence[RowValue], make: Callable[..., _Result]) -> list[_Result]:
        """Return ``make(*row)`` for every row on disk; raises PackError if they cannot be read now."""

    def keep(self, statement: str, key: Sequence[RowValue], values: Sequence[RowValue]) -> None:
        """Queue a row for the next save, in the same transaction."""


class MadeLevel(NamedTuple):
    """A generated level as stored: its picture and a solution of the fewest pushes.

    ``recipe`` is the version of the generator that made it.
    """

    recipe: int
    xsb: str
    lurd: str

    @property
    def par(self) -> int:
        """The fewest pushes."""
        return measure(self.lurd).pushes


def made_level(recipe: int, xsb: str, lurd: object) -> MadeLevel | None:
    """Return the level of a row, None if the solution is damaged."""
    return MadeLevel(recipe, xsb, lurd) if isinstance(lurd, str) and _MOVES.issuperset(lurd) else None


class Effort(NamedTuple):
    """The effort put into a level until it was solved; ``solved`` is the date in seconds since 1970.

    ``undos`` counts steps back, ``hints`` requested hints, ``shown`` solutions viewed. Once the level is solved nothing
    changes any more.
    """

    seconds: float = 0.0
    undos: int = 0
    hints: int = 0
    shown: int = 0
    solved: float | None = None
    pushes: int = 0
    moves: int = 0

    @property
    def is_helped(self) -> bool:
        return bool(self.hints or self.shown)


def is_date(seconds: object) -> bool:
    """True if this is a time, in seconds since 1970, within the calendar."""
    return isinstance(seconds, float | int) and 0 <= seconds < _LAST_DATE


def upsert(table: str, key: Sequence[str], others: Sequence[str]) -> str:
    """Return the statement that writes a row of a table with an Effort; a solved row is never overwritten.

    A row solved at an impossible date counts as open. The effort of an open row never shrinks, even if the writer has
    not read it, and its level is never replaced by one of an older recipe.
    """
    places = ", ".join("?" * (len(key) + len(others)))
    changes = ", ".join(_change(table, name) for name in others)
    return (
        f"INSERT INTO {table} ({', '.join([*key, *others])}) VALUES ({places}) "
        f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes} "
        f"WHERE ({table}.solved IS NULL OR {table}.solved >= {_LAST_DATE}) "
        f"AND (excluded.solved IS NOT NULL OR excluded.recipe >= {number_in(f'{table}.recipe')})"
    )


def number_in(column: str) -> str:
    """An expression for a column of numbers that is a number for a damaged value too: NULL would have a row refused."""
    return f"coalesce({column} + 0, 0)"


def _change(table: str, name: str) -> str:
    if name == "entered":
        return f"entered = coalesce({table}.entered, excluded.entered)"
    if name not in ("seconds", "undos", "hints", "shown"):
        return f"{name} = excluded.{name}"
    grown = f"max({number_in(f'{table}.{name}')}, excluded.{name})"
    return f"{name} = CASE {table}.recipe WHEN excluded.recipe THEN {grown} ELSE excluded.{name} END"
