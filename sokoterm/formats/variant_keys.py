"""Keys of levels with colours or ice, as text has them.

``Boxorder`` and ``Goalorder`` are those of Sokoban+: a whole number for each box and goal in reading order; boxes and
goals of equal number belong together, 0 and 99 mean any, and missing numbers at the end too.  ``Variant: sliding`` and
``Ice`` are of this program: all squares of the floor are ice, or those where the rows behind ``Ice:``, one a line from
the first row of the board on, have ``~``.  A program that does not know the keys reads an ordinary level.

Some files have orders that their own solutions do not keep, as Sokoban+ is a way to play there, not another level; in
others they do not fit the board, or are no numbers.  Such a level is an ordinary one, and keeps the keys among its
texts.
"""

from collections.abc import Iterator, Mapping

from sokoterm.engine.bits import Square, tester
from sokoterm.engine.board import colors_of
from sokoterm.engine.level import Level, LevelError, varied
from sokoterm.engine.lurd import replay
from sokoterm.formats.grammar import BOX_ORDER, GOAL_ORDER, ICE, VARIANT, VARIANT_KEYS

_SLIDING = "sliding"
_ICE_MARK, _NO_ICE = "~", "-"
_ANY = (0, 99)
_MOST_DIGITS = 6
_BOXES, _GOALS = "$*", ".*+"


def with_keys(level: Level, values: dict[str, str]) -> Level:
    """Return a level as its keys have it, and take those that it keeps to out of ``values``."""
    found = _varied(level, values)
    if found.board.is_ordinary or any(
        replay(level, each).solution and not replay(found, each).solution for each in level.records
    ):
        return level
    for key in (BOX_ORDER, GOAL_ORDER, ICE):
        values.pop(key, None)
    if _is_sliding(values):
        del values[VARIANT]
    return found


def pictured(level: Level) -> str:
    """Return the rows of a level, and below them its keys, for ``from_picture``."""
    keys = (f"{key}: {line}" for key, value in keys_of(level) for line in value.split("\n"))
    return "\n".join([*level.rows, *keys])


def from_picture(text: str) -> Level:
    """Return the level that ``pictured`` has written; raises LevelError for what is none."""
    values: dict[str, str] = {}
    rows = []
    for line in text.split("\n"):
        key, colon, value = line.partition(": ")
        if colon:
            values[key] = f"{values[key]}\n{value}" if key in values else value
        else:
            rows.append(line)
    level = Level.from_xsb("\n".join(rows))
    return with_keys(level, values) if values else level


def foreign_keys(level: Level) -> list[tuple[str, str]]:
    """Return the keys among the texts of a level that a reader leaves there, if they stand beside its own; else none.

    A level can have lost what made them foreign, such as the solution that does not keep them.
    """
    foreign = [pair for pair in level.metadata if pair[0] in VARIANT_KEYS]
    if not foreign:
        return []
    values: dict[str, str] = {}
    for key, value in [*keys_of(level), *foreign]:
        values[key] = f"{values[key]}\n{value}" if key in values else value
    is_same = with_keys(without_kinds(level), values).position == level.position
    return foreign if is_same and values == dict(foreign) else []


def without_kinds(level: Level, *, keeps_colors: bool = False) -> Level:
    """Return the ordinary level on the same board, or the one that only lacks ice."""
    board, start = level.board, level.start
    if keeps_colors and board.colors:
        return level._replace(board=board._replace(ice=0))
    return level._replace(board=board.ordinary, start=start._replace(boxes=start.boxes & board.floor))


def keys_of(level: Level) -> Iterator[tuple[str, str]]:
    """Yield the keys of a level with colours or ice, and their values."""
    board = level.board
    if board.is_ordinary:
        return
    boxes = colors_of(board.boxes_by_layer(level.start.boxes)[1:])
    for key, cells, colors in ((BOX_ORDER, _BOXES, boxes), (GOAL_ORDER, _GOALS, colors_of(board.colors))):
        if colors:
            # A number for each colour, but for the one that means any.
            numbers = {color: color + 1 + (color + 1 >= _ANY[1]) for color in {*colors.values()}}
            yield key, " ".join(str(numbers.get(colors.get(square, -1), _ANY[1])) for square in _squares(level, cells))
    if board.ice == board.floor and all(key != VARIANT for key, _ in level.metadata):
        yield VARIANT, _SLIDING
    elif board.ice:
        digits = f"{board.ice:b}"[::-1].translate({ord("0"): _NO_ICE, ord("1"): _ICE_MARK})
        rows = (digits[first : first + board.width].rstrip(_NO_ICE) for first in range(0, len(digits), board.stride))
        yield ICE, "\n".join(row or _NO_ICE for row in rows)


def _squares(level: Level, cells: str) -> Iterator[Square]:
    """Yield the squares of some cells of the picture in reading order, those off the floor too."""
    for row, line in enumerate(level.rows):
        for column, cell in enumerate(line):
            if cell in cells:
                yield level.board.square(row, column)


def _varied(level: Level, values: Mapping[str, str]) -> Level:
    """Return a level as its keys have it, unchanged if they do not fit."""
    board = level.board
    boxes = _numbers(level, _BOXES, values.get(BOX_ORDER, "").split())
    goals = _numbers(level, _GOALS, values.get(GOAL_ORDER, "").split())
    rows = values.get(ICE, "").split("\n")
    if boxes is None or goals is None or len(rows) > board.height:
        return level
    colors = {number: color for color, number in enumerate(sorted({*boxes.values(), *goals.values()}))}
    of_boxes, of_goals = ({square: colors[number] for square, number in each.items()} for each in (boxes, goals))
    digits = ("".join("01"[cell == _ICE_MARK] for cell in row[: board.width]).ljust(board.stride, "0") for row in rows)
    ice = int("".join(digits)[::-1], 2)
    if not ice and _is_sliding(values):
        ice = board.floor
    try:
        return varied(level, of_boxes, of_goals, ice)
    except LevelError:
        return level


def _numbers(level: Level, cells: str, words: list[str]) -> dict[Square, int] | None:
    """Return the numbers of floor squares in an order, without those that mean any; None for another order."""
    if not all(word.isascii() and word.isdecimal() and len(word) <= _MOST_DIGITS for word in words):
        return None
    numbers = [int(word) for word in words]
    squares = [*_squares(level, cells)] if words else []
    if any(number not in _ANY for number in numbers[len(squares) :]):
        return None
    on_floor = tester(level.board.floor, level.board.size)
    return {square: number for square, number in zip(squares, numbers) if number not in _ANY and on_floor(square)}


def _is_sliding(values: Mapping[str, str]) -> bool:
    return values.get(VARIANT, "").strip().lower() == _SLIDING
