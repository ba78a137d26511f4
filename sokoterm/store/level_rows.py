"""Levels of the whole library as rows with figures, and the SQL by which the index finds and sorts them."""

from enum import StrEnum
from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import exact_id
from sokoterm.engine.text import folded, printable
from sokoterm.store.database import RowValue
from sokoterm.store.known_levels import estimate
from sokoterm.store.query import NO_SOLUTION


class LevelSort(StrEnum):
    """Order of packs and levels; those that are equal in it stay as they stand."""

    PLACE = "place"
    TITLE = "title"
    SIZE = "size"
    BOXES = "boxes"
    DIFFICULTY = "difficulty"
    PLAYED = "played"
    UNSOLVED = "unsolved"


class LevelRow(NamedTuple):
    """A level with its figures.

    ``hard`` is its difficulty, NO_SOLUTION if it has none, and ``shown`` the display: ``71``, ``71+``, ``-`` or,
    estimated, ``~71``.
    ``kinds`` are the kinds of its variant, with blanks between them. ``added`` is the time of the file of its pack in
    nanoseconds since 1970, ``last_played`` in seconds since then, None for never.
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
    last_played: float | None = None


def level_row(
    key: str,
    pack: str,
    number: int,
    title: str,
    author: str,
    width: int,
    height: int,
    boxes: int,
    hard: int,
    shown: str,
    level_hash: str,
    exact_id: str,
    goals: int,
    floor: int,
    kinds: str,
    added: int,
) -> LevelRow:
    """Return the row of the columns of ``rows_query`` and ``levels_query``."""
    figures = (width, height, boxes, hard, shown, level_hash, exact_id, goals, floor, kinds, added)
    return LevelRow(key, pack, number, title, author, *figures)


class SampleRow(NamedTuple):
    """A level by which its pack is graded; ``number`` and ``shown`` are its grade, None if it has only an estimate.

    ``squares`` are those of its board, walls and all.
    """

    key: str
    place: int
    hash: str
    squares: int
    estimate: int
    number: int | None
    shown: str | None


LEVEL_COLUMNS = 16
"""The number of columns of the table of levels."""


def level_columns(
    level: Level, level_hash: str, author: str, *, is_sample: bool, has_more: bool
) -> tuple[RowValue, ...]:
    """Return the columns of a level in the index, after its pack.

    ``author`` is that of its pack, for a level that has none; it ``has_more`` records than were replayed.
    """
    title, author = printable(level.title), printable((level.author or author).strip())
    board, words = level.board, folded(f"{title}\n{author}")
    figures = (board.width, board.height, level.boxes, estimate(level.boxes, board.floor.bit_count()))
    more = (board.goals.bit_count(), board.floor.bit_count(), kinds_of(level))
    return (level.number, title, level_hash, exact_id(level), author, words, *figures, is_sample, *more, has_more)


def kinds_of(level: Level) -> str:
    """Return the kinds of a level's variant with blanks between them; empty for ordinary Sokoban."""
    return " ".join(level.board.variant.kinds) if level.board.variant is not None else ""


# A lookup for each row takes half as long as a join.
_LEVELS = f"""(SELECT *, coalesce((SELECT CASE grade.shown WHEN '-' THEN {NO_SOLUTION} ELSE grade.number END
    FROM grade WHERE grade.hash = level.hash AND grade.version = {{version:d}}), estimate) AS hard
    FROM level) AS level"""


class PackMatch(NamedTuple):
    """The levels of a pack that a filter lets through: their number, and the means of their squares and boxes."""

    key: str
    levels: int
    squares: float
    boxes: float


def matches_query(condition: str, version: int) -> str:
    """Return the query for the PackMatches of all packs read by the reader that is its last value."""
    return f"""SELECT key, levels_found, squares, boxes FROM {{pack}} JOIN (
        SELECT pack, count(*) AS levels_found, avg(width * height) AS squares, avg(boxes) AS boxes
        FROM {_LEVELS.format(version=version)} WHERE boxes > 0 AND ({condition}) GROUP BY pack
        ) AS found ON found.pack = pack.id WHERE reader = ?"""


def numbers_query(condition: str, version: int) -> str:
    """Return the query for the numbers of the levels of a pack; its values begin with the key of the pack."""
    return f"""SELECT number FROM {_LEVELS.format(version=version)}
        WHERE pack = (SELECT id FROM {{pack}} WHERE key = ?) AND boxes > 0 AND ({condition}) ORDER BY number"""


def rows_query(places: int, version: int) -> str:
    """Return the query for the rows of so many places; its values are the key and the number of each."""
    where = " OR ".join(["(pack.key = ? AND level.number = ?)"] * places)
    return f"{_rows(_LEVELS.format(version=version), version)} WHERE {where}"


def levels_query(condition: str, version: int) -> str:
    """Return the query for the rows of levels; its values end with the keys of their packs, as JSON, and a reader."""
    levels = f"(SELECT * FROM {_LEVELS.format(version=version)} WHERE boxes > 0 AND ({condition})) AS level"
    return f"{_rows(levels, version)} WHERE pack.key IN (SELECT value FROM json_each(?)) AND reader = ?"


def _rows(levels: str, version: int) -> str:
    return f"""SELECT pack.key, pack.title, level.number, level.title, level.author, width, height, boxes, hard,
        coalesce((SELECT shown FROM grade WHERE grade.hash = level.hash AND version = {version:d}), '~' || estimate),
        level.hash, exact_id, goals, floor, kinds, pack.time
        FROM {levels} JOIN {{pack}} ON pack.id = level.pack"""


def samples_query(version: int) -> str:
    """Return the query for the SampleRows of all packs."""
    return f"""SELECT pack.key, level.number, level.hash, (width + 1) * height, estimate, grade.number, grade.shown
        FROM level JOIN {{pack}} ON pack.id = level.pack
        LEFT JOIN grade ON grade.hash = level.hash AND grade.version = {version:d}
        WHERE level.is_sample ORDER BY level.pack, level.number"""
