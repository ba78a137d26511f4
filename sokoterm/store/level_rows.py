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
    """Order of rows of levels; within it they stay as they stand in their packs."""

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
_ORDERS = {
    LevelSort.TITLE: "words, ",
    LevelSort.SIZE: "width * height, ",
    LevelSort.BOXES: "boxes, width * height, ",
    LevelSort.DIFFICULTY: "hard, ",
}


def places_query(condition: str, sort: LevelSort, version: int) -> str:
    """Return the query for packs, by id, and numbers of levels; a sort by progress is left to the caller."""
    levels, order = _LEVELS.format(version=version), _ORDERS.get(sort, "")
    return f"SELECT pack, number FROM {levels} WHERE boxes > 0 AND ({condition}) ORDER BY {order} pack, number"


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


def place_row(pack: int, number: int) -> tuple[int, int]:
    """Return a row of ``places_query``."""
    return pack, number
