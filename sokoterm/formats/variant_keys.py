"""Keys of levels with colours or ice, as text has them.

``Boxorder`` and ``Goalorder`` are those of Sokoban+: a whole number for each box and goal in reading order; boxes and
goals of equal number belong together, 0 and 99 mean any, and missing numbers at the end too.  ``Variant: sliding`` and
``Ice`` are of this program: all squares of the floor are ice, or those where the rows behind ``Ice:``, one a line from
the first row of the board on, have ``~``.  A program that does not know the keys reads an ordinary level.

Some files have orders that their own solutions do not keep, as Sokoban+ is a way to play there, not another level.
Such a level is an ordinary one, and keeps the keys among its texts.
"""

import re
from collections.abc import Iterator

from sokoterm.engine.bits import Bitboard, Square
from sokoterm.engine.level import Level, LevelError, varied
from sokoterm.engine.record import replay
from sokoterm.formats.lexer import BOX_ORDER, GOAL_ORDER, ICE, VARIANT

_SLIDING = "sliding"
_ICE_MARK, _NO_ICE = "~", "-"
_ANY = (0, 99)
_BOXES, _GOALS = "$*", ".*+"


def with_keys(level: Level, values: dict[str, str]) -> Level:
    """Return a level as its keys have it, and take those out of ``values``; raises LevelError for what does not fit."""
    kept = dict(values)
    boxes, goals = (
        _numbers(level, key, values.pop(key, ""), cells) for key, cells in ((BOX_ORDER, _BOXES), (GOAL_ORDER, _GOALS))
    )
    colors = {number: color for color, number in enumerate(sorted({*boxes.values(), *goals.values()}))}
    ice = _ice(level, values)
    of_boxes, of_goals = ({square: colors[number] for square, number in some.items()} for some in (boxes, goals))
    found = varied(level, of_boxes, of_goals, ice)
    if any(replay(level, each).solution and not replay(found, each).solution for each in level.records):
        values.update(kept)
        return level
    return found


def keys_of(level: Level) -> Iterator[tuple[str, str]]:
    """Yield the keys of a level with colours or ice, and their values."""
    board, variant = level.board, level.board.variant
    if variant is None:
        return
    layers = [level.start.boxes >> (color + 1) * board.size for color in range(len(variant.colors))]
    for key, cells, colors in ((BOX_ORDER, _BOXES, layers), (GOAL_ORDER, _GOALS, variant.colors)):
        numbers = [_number(colors, square) for square in _squares(level, cells)]
        if set(numbers) != {_ANY[1]}:
            yield key, " ".join(map(str, numbers))
    if variant.ice == board.floor:
        yield VARIANT, _SLIDING
    elif variant.ice:
        rows = [variant.ice >> row * board.stride for row in range(board.height)]
        last = max(row for row, bits in enumerate(rows) if bits & (1 << board.width) - 1)
        yield ICE, "\n".join(_ice_row(bits, board.width) for bits in rows[: last + 1])


def _number(colors: tuple[Bitboard, ...] | list[Bitboard], square: Square) -> int:
    color = next((color for color, squares in enumerate(colors) if squares >> square & 1), None)
    if color is None:
        return _ANY[1]
    return color + 1 if color + 1 < _ANY[1] else color + 2


def _squares(level: Level, cells: str) -> Iterator[Square]:
    """Yield the squares of some cells of the picture in reading order, those off the floor too."""
    for row, line in enumerate(level.rows):
        for column, cell in enumerate(line):
            if cell in cells:
                yield level.board.square(row, column)


def _numbers(level: Level, key: str, value: str, cells: str) -> dict[Square, int]:
    """Return the numbers of the squares of some cells within reach, without those that mean any."""
    words = value.split()
    wrong = next((word for word in words if not re.fullmatch("[0-9]{1,6}", word)), None)
    if wrong is not None:
        raise LevelError(f"found {wrong!r} behind {key.capitalize()}, expected whole numbers", line=level.line)
    numbers = [int(word) for word in words]
    squares = list(_squares(level, cells))
    if any(number not in _ANY for number in numbers[len(squares) :]):
        what = f"found {len(numbers)} numbers behind {key.capitalize()}, expected no more than {len(squares)}"
        raise LevelError(what, line=level.line)
    return {
        square: number
        for square, number in zip(squares, numbers)
        if number not in _ANY and level.board.floor >> square & 1
    }


def _ice(level: Level, values: dict[str, str]) -> Bitboard:
    """Return the ice of a level."""
    board = level.board
    rows = values.pop(ICE, "").split("\n")
    ice = 0
    if len(rows) > board.height:
        raise LevelError(f"found {len(rows)} rows behind Ice, expected no more than {board.height}", line=level.line)
    for row, line in enumerate(rows):
        for column, cell in enumerate(line[: board.width]):
            ice |= (cell == _ICE_MARK) << board.square(row, column)
    if not ice and values.get(VARIANT, "").strip().lower() == _SLIDING:
        ice = board.floor
    if ice:
        values.pop(VARIANT, None)
    return ice & board.floor


def _ice_row(bits: Bitboard, width: int) -> str:
    row = "".join(_ICE_MARK if bits >> column & 1 else _NO_ICE for column in range(width))
    return row.rstrip(_NO_ICE) or _NO_ICE
