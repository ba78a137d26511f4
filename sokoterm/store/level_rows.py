"""Levels of the whole library as rows with figures, and the SQL by which the index finds and sorts them."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import exact_id
from sokoterm.engine.text import printable
from sokoterm.store.database import RowValue
from sokoterm.store.known_levels import estimate


class LevelSort(StrEnum):
    """Order of packs and levels; those that are equal in it stay as they stand."""

    PLACE = "place"
    TITLE = "title"
    SIZE = "size"
    BOXES = "boxes"
    DIFFICULTY = "difficulty"
    PLAYED = "played"
    UNSOLVED = "unsolved"


NO_SOLUTION = 1 << 30
"""Sorted behind every difficulty."""


class LevelRow(NamedTuple):
    """A level with its figures.

    ``hard`` is its difficulty, NO_SOLUTION if it has none, and ``shown`` the display: ``71``, ``71+``, ``-`` or,
    estimated, ``~71``.
    ``words`` are its title and author in lower case, a line each, ``pack_words`` the title and name of its pack.
    ``last_played`` is in seconds since 1970, None for never.
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
    words: str
    pack_words: str
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
    words: str,
    pack_words: str,
) -> LevelRow:
    """Return the row of the columns of ``rows_query``."""
    return LevelRow(
        key, pack, number, title, author, width, height, boxes, hard, shown, level_hash, exact_id, words, pack_words
    )


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


LEVEL_COLUMNS = 12
"""The number of columns of the table of levels."""


def level_columns(level: Level, level_hash: str, author: str, *, is_sample: bool) -> tuple[RowValue, ...]:
    """Return the columns of a level in the index, after its pack.

    ``author`` is that of its pack, for a level that has none.
    """
    title, author = printable(level.title), printable((level.author or author).strip())
    board, words = level.board, f"{title}\n{author}".casefold()
    figures = (board.width, board.height, level.boxes, estimate(level.boxes, board.floor.bit_count()))
    return (level.number, title, level_hash, exact_id(level), author, words, *figures, is_sample)


class Condition(NamedTuple):
    """An SQL condition on the columns of levels, and its values."""

    text: str
    values: list[RowValue]


_WORD, _PACK_WORD = "instr(words, ?)", "pack IN (SELECT id FROM pack WHERE instr(words, ?))"
_AUTHOR_WORD = "instr(substr(words, instr(words, char(10))), ?)"
_COMPARED = {"boxes": ("boxes",), "hard": ("hard",), "size": ("max(width, height)", "min(width, height)")}


def make_condition(
    words: Sequence[str],
    authors: Sequence[str] = (),
    packs: Sequence[str] = (),
    comparisons: Sequence[tuple[str, str, Sequence[int]]] = (),
) -> Condition:
    """Return the condition that levels have all words, in lower case, and pass all comparisons.

    A comparison is of ``boxes``, ``hard`` or ``size`` by ``=``, ``<``, ``<=``, ``>`` or ``>=`` with a number, or for a
    size with two: the longer side and the shorter one.
    """
    parts, values = ["1"], list[RowValue]()
    for word in words:
        parts.append(f"({_WORD} OR {_PACK_WORD})")
        values += [word, word]
    for part, some in ((_AUTHOR_WORD, authors), (_PACK_WORD, packs)):
        parts += [part] * len(some)
        values += some
    for name, sign, numbers in comparisons:
        parts += [f"{column} {sign} ?" for column in _COMPARED[name]]
        parts += [f"hard < {NO_SOLUTION}"] if name == "hard" else []
        values += numbers
    return Condition(" AND ".join(parts), values)


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


def solved_query(condition: str, version: int, hashes: int) -> str:
    """Return the query for the number of levels of each pack with one of so many hashes, its last values."""
    marks = ", ".join("?" * hashes)
    return f"""SELECT key, levels_found FROM {{pack}} JOIN (
        SELECT pack, count(*) AS levels_found FROM {_LEVELS.format(version=version)}
        WHERE boxes > 0 AND ({condition}) AND hash IN ({marks}) GROUP BY pack
        ) AS found ON found.pack = pack.id"""


def rows_query(places: int, version: int) -> str:
    """Return the query for the rows of so many places; its values are the key and the number of each."""
    return f"""SELECT pack.key, pack.title, level.number, level.title, level.author, width, height, boxes, hard,
        coalesce((SELECT shown FROM grade WHERE grade.hash = level.hash AND version = {version:d}), '~' || estimate),
        level.hash, exact_id, level.words, pack.words
        FROM {_LEVELS.format(version=version)} JOIN {{pack}} ON pack.id = level.pack
        WHERE {" OR ".join(["(pack.key = ? AND level.number = ?)"] * places)}"""


def samples_query(version: int) -> str:
    """Return the query for the SampleRows of all packs."""
    return f"""SELECT pack.key, level.number, level.hash, (width + 1) * height, estimate, grade.number, grade.shown
        FROM level JOIN {{pack}} ON pack.id = level.pack
        LEFT JOIN grade ON grade.hash = level.hash AND grade.version = {version:d}
        WHERE level.is_sample ORDER BY level.pack, level.number"""


def key_count(key: str, count: int) -> tuple[str, int]:
    """Return a row of ``solved_query``."""
    return key, count
