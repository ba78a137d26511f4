"""Squares on the command line: a row and a column from 1, or two corners of a rectangle; boards that show them."""

import re
from argparse import ArgumentTypeError
from collections.abc import Mapping, Sequence

from sokoterm.commands.support.output import InputError
from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.language import _, ngettext, pgettext
from sokoterm.wording.kinds import lettered_picture

_PLACE = re.compile(r"([0-9]{1,6}),([0-9]{1,6})")
# Nearest boxes named if there is none on a square.
_NEAREST = 3

Place = tuple[int, int]
Rectangle = tuple[Place, Place]


def place(text: str) -> Place:
    """A type for argparse: a row and a column."""
    found = _find_place(text)
    if found is None:
        raise ArgumentTypeError(_("found {found!r}, expected a row and a column from 1, such as 4,5", found=text))
    return found


def rectangle(text: str) -> Rectangle:
    """A type for argparse: a square, or two opposite corners.

    >>> rectangle("4,5"), rectangle("4,5-2,7")
    (((4, 5), (4, 5)), ((2, 5), (4, 7)))
    """
    first, dash, last = text.partition("-")
    one, other = _find_place(first), _find_place(last if dash else first)
    if one is None or other is None:
        problem = _("found {found!r}, expected a row and a column such as 4,5, or two corners: 4,5-6,9", found=text)
        raise ArgumentTypeError(problem)
    rows, columns = sorted((one[0], other[0])), sorted((one[1], other[1]))
    return (rows[0], columns[0]), (rows[1], columns[1])


def _find_place(text: str) -> Place | None:
    match = _PLACE.fullmatch(text.replace(" ", ""))
    row, column = (int(match[1]), int(match[2])) if match else (0, 0)
    return (row, column) if row and column else None


def square_at(level: Level, place: Place, flag: str) -> Square:
    """Return the square of a row and a column; raises InputError if it is not on the board."""
    row, column = place
    board = level.board
    if row > board.height or column > board.width:
        raise InputError(
            _(
                "{flag} {square}: found a board of {rows} and {columns}, expected a square of it",
                flag=flag,
                square=_corners(place),
                rows=ngettext("{n} row", "{n} rows", board.height),
                columns=ngettext("{n} column", "{n} columns", board.width),
            )
        )
    return board.square(row - 1, column - 1)


def inner_square(level: Level, place: Place, flag: str) -> Square:
    """Return the square of a row and a column; raises InputError also if it is outside the walls."""
    square = square_at(level, place, flag)
    if not (level.board.floor | level.board.walls) >> square & 1 and not _has_idle_box(level, square):
        raise InputError(
            _(
                "{flag} {square}: found a square outside the walls, expected a square inside them",
                flag=flag,
                square=_corners(place),
            )
        )
    return square


def box_at(level: Level, state: State, place: Place, flag: str) -> Square:
    """Return the square of a box; raises InputError with the nearest boxes if there is none."""
    square = square_at(level, place, flag)
    if state.boxes >> square & 1:
        return square
    row, column = place

    def distance(box: Square) -> int:
        box_row, box_column = place_of(level, box)
        return abs(box_row - row) + abs(box_column - column)

    nearest = sorted(scan(state.boxes & level.board.floor), key=distance)[:_NEAREST]
    boxes = " ".join(written(level, box) for box in nearest)
    if level.boxes > 1:
        problem = _(
            "{flag} {square}: found {content}, expected a box; the boxes nearest to it are {boxes}",
            flag=flag,
            square=_corners(place),
            content=content(level, state, square),
            boxes=boxes,
        )
    else:
        problem = _(
            "{flag} {square}: found {content}, expected a box; the only one is {box}",
            flag=flag,
            square=_corners(place),
            content=content(level, state, square),
            box=boxes,
        )
    raise InputError(problem)


def boxes_in(level: Level, rectangles: Sequence[Rectangle], flag: str) -> Bitboard:
    """Return the boxes of the start in some rectangles; raises InputError for one without a box."""
    boxes: Bitboard = 0
    for first, last in rectangles:
        inside = _inside(level, first, last, flag) & level.start.boxes
        if not inside and first == last:
            box_at(level, level.start, first, flag)
        if not inside:
            raise InputError(
                _(
                    "{flag} {square}: found no box in it, expected one at the start",
                    flag=flag,
                    square=_corners(first, last),
                )
            )
        boxes |= inside
    return boxes


def floor_in(level: Level, rectangles: Sequence[Rectangle], flag: str) -> Bitboard:
    """Return the floor squares in some rectangles; raises InputError for one without."""
    squares: Bitboard = 0
    for first, last in rectangles:
        inside = _inside(level, first, last, flag) & level.board.floor
        if not inside:
            if first == last:
                problem = _(
                    "{flag} {square}: found {content}, expected a square of the floor",
                    flag=flag,
                    square=_corners(first),
                    content=_off_floor(level, square_at(level, first, flag)),
                )
            else:
                problem = _(
                    "{flag} {square}: found no floor in it, expected a square of the floor",
                    flag=flag,
                    square=_corners(first, last),
                )
            raise InputError(problem)
        squares |= inside
    return squares


def _inside(level: Level, first: Place, last: Place, flag: str) -> Bitboard:
    """Return the squares of a rectangle; raises InputError if a corner is not on the board."""
    (row, column), (last_row, last_column) = first, last
    square_at(level, last, flag)
    columns = ((1 << last_column - column + 1) - 1) << column - 1
    return sum(columns << level.board.square(each - 1, 0) for each in range(row, last_row + 1))


def _corners(*places: Place) -> str:
    return "-".join(f"{row},{column}" for row, column in dict.fromkeys(places))


def content(level: Level, state: State, square: Square) -> str:
    """Name what is on a square without a box."""
    board = level.board
    if not board.floor >> square & 1:
        return _off_floor(level, square)
    if square == state.player:
        return pgettext("found on a square", "the player")
    if board.goals >> square & 1:
        return pgettext("found on a square", "an empty goal")
    return pgettext("found on a square", "an empty square")


def _off_floor(level: Level, square: Square) -> str:
    """Name what is on a square that is no floor."""
    if _has_idle_box(level, square):
        return pgettext("found on a square", "a box that the player can never reach")
    if level.board.walls >> square & 1:
        return pgettext("found on a square", "a wall")
    return pgettext("found on a square", "a square outside the walls")


def _has_idle_box(level: Level, square: Square) -> bool:
    """True if there is a box on a square that is no floor, where the player can never reach it."""
    row, column = level.board.row_column(square)
    return level.rows[row][column : column + 1] in ("$", "*")


def written(level: Level, square: Square) -> str:
    """Return the row and column of a square as text: ``4,5``."""
    row, column = place_of(level, square)
    return f"{row},{column}"


def marked_board(level: Level, state: State, marks: Mapping[Square, Mapping[str, str]]) -> str:
    """Return the picture of a position, rows and columns numbered; ``marks`` replaces XSB characters on squares."""
    cells = level.picture(state)
    rows = [list(row.ljust(level.board.width)) for row in lettered_picture(level, state)]
    for square, replaced in marks.items():
        row, column = level.board.row_column(square)
        cell = cells[row].ljust(level.board.width)[column]
        rows[row][column] = replaced.get(cell, rows[row][column])
    return "\n".join(_numbered(["".join(row) for row in rows]))


def place_of(level: Level, square: Square) -> list[int]:
    """Return the row and column of a square, from 1."""
    return [each + 1 for each in level.board.row_column(square)]


def _numbered(rows: Sequence[str]) -> list[str]:
    """Return a board with row numbers at the left and column numbers on top, read downwards."""
    margin, width = len(str(len(rows))), len(rows[0])
    lines = []
    for power in reversed(range(len(str(width)))):
        ten = 10**power
        digits = (
            str(column // ten % 10) if column >= ten and not (power and column % ten) else " "
            for column in range(1, width + 1)
        )
        lines.append(f"{'':{margin}} {''.join(digits)}".rstrip())
    return lines + [f"{number:{margin}} {row}".rstrip() for number, row in enumerate(rows, start=1)]
