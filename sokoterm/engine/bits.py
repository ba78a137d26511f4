"""Squares, whole-board bitboards, directions and the eight symmetries.

A Square is ``row * stride + column`` with ``stride = width + 1``; bit *i* of a Bitboard stands for
Square *i*.  The extra column is never floor, so a shift by one never wraps into the next row.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import compress, count
from re import finditer
from typing import NamedTuple

Square = int
Bitboard = int


class Direction(IntEnum):
    """One of the four steps; ``opposite`` is two further on."""

    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3

    @property
    def opposite(self) -> "Direction":
        return DIRECTIONS[self ^ 2]

    @property
    def letter(self) -> str:
        """The lower-case LURD letter."""
        return "urdl"[self]


DIRECTIONS: tuple[Direction, ...] = tuple(Direction)


def scan(bitboard: Bitboard) -> Iterator[Square]:
    """The squares of a bitboard, lowest first.

    >>> list(scan(0b10110))
    [1, 2, 4]
    """
    while bitboard:
        lowest_bit = bitboard & -bitboard
        yield lowest_bit.bit_length() - 1
        bitboard ^= lowest_bit


def squares_of(bitboard: Bitboard) -> list[Square]:
    """The same squares at once, in time linear in the board, where ``scan`` takes that for each of them.

    >>> squares_of(0b10110)
    [1, 2, 4]
    """
    digits = f"{bitboard:b}".encode("ascii")[::-1]
    return [*compress(count(), digits.translate(_DIGITS))]


_DIGITS = bytes.maketrans(b"01", b"\0\1")


def bitboard_of(squares: Iterable[Square]) -> Bitboard:
    """The Bitboard of a few squares.

    >>> bitboard_of([1, 2, 4]) == 0b10110
    True
    """
    bitboard = 0
    for square in squares:
        bitboard |= 1 << square
    return bitboard


def lowest(bitboard: Bitboard) -> Square:
    """The lowest square of a bitboard that is not empty; -1 for the empty one."""
    return (bitboard & -bitboard).bit_length() - 1


def shift(bitboard: Bitboard, offset: int) -> Bitboard:
    """Every square moved by ``offset``; squares that fall off the top vanish."""
    return bitboard << offset if offset >= 0 else bitboard >> -offset


def flood(seed: Bitboard, free: Bitboard, stride: int) -> Bitboard:
    """The squares of ``free`` that are connected to ``seed`` (itself included where it is free).

    Rows and columns are filled in turn until nothing changes, to the right at once: the carry of an addition
    runs through the free squares of a row up to the next wall.  Where that takes many rounds, on a large board,
    whole runs of squares are followed one by one: never more than linear in the board.
    """
    region = seed & free
    for _ in range(_ROUNDS):
        grown = free & ~(free + region) | region
        grown |= grown >> 1 & free
        grown = (grown | grown << stride | grown >> stride) & free
        if grown == region:
            return region
        region = grown
    if (free & ~(free << 1)).bit_count() < 2 * (free & ~(free << stride)).bit_count():
        return flood_by_runs(region, free, stride)
    # Corridors run up and down: fewer runs in columns than in rows.
    height = -(-free.bit_length() // stride)
    found = flood_by_runs(_columns(region, stride, height), _columns(free, stride, height), height + 1)
    digits = f"{found:0{stride * (height + 1) - 1}b}"
    return int("".join([digits[row :: height + 1] for row in range(height)]), 2)


# Rounds of whole-board steps after which a board costs less run by run.
_ROUNDS = 64


def regions(free: Bitboard, stride: int) -> list[Bitboard]:
    """The connected parts of the free squares."""
    found = []
    while free:
        region = flood(free & -free, free, stride)
        found.append(region)
        free ^= region
    return found


def around(area: Bitboard, stride: int) -> Bitboard:
    """The squares beside an area, corners included."""
    wide = area | area << 1 | area >> 1
    return (wide | wide << stride | wide >> stride) & ~area


def flood_by_runs(seed: Bitboard, free: Bitboard, stride: int, corner: int = 0) -> Bitboard:
    """``flood``, from each run of free squares in a row to those it touches in the rows above and below.

    With ``corner`` 1 they touch by their corners too.  The seed is free.
    """
    # Digits run from the last square to the first, which turns the board round and leaves its neighbours the same.
    digits = f"{free:b}"
    runs = [run.span() for run in finditer("1+", digits)]
    starts = [start for start, _ in runs]
    ends = [end for _, end in runs]
    found = [bisect_right(starts, part.start()) - 1 for part in finditer("1+", f"{seed:0{len(digits)}b}")]
    found = list(dict.fromkeys(found))
    is_found = bytearray(len(runs))
    for index in found:
        is_found[index] = True
    reached = bytearray(b"0" * len(digits))
    for index in found:
        start, end = runs[index]
        reached[start:end] = b"1" * (end - start)
        for offset in (-stride, stride):
            neighbour = bisect_right(ends, start + offset - corner)
            while neighbour < len(runs) and starts[neighbour] < end + offset + corner:
                if not is_found[neighbour]:
                    is_found[neighbour] = True
                    found.append(neighbour)
                neighbour += 1
    return int(reached, 2)


def _columns(bitboard: Bitboard, stride: int, height: int) -> Bitboard:
    """The columns as rows, with an empty square between each two."""
    digits = f"{bitboard:0{stride * height}b}"
    return int("0".join([digits[column::stride] for column in range(stride)]), 2)


class Symmetry(NamedTuple):
    """A turn or mirror of the rectangle: transpose first, then flip rows, then flip columns."""

    transposed: bool
    rows_flipped: bool
    columns_flipped: bool

    def rows(self, rows: Sequence[str]) -> list[str]:
        """The picture after the symmetry; the rows must be of equal length."""
        turned = ["".join(column) for column in zip(*rows)] if self.transposed else list(rows)
        if self.rows_flipped:
            turned.reverse()
        if self.columns_flipped:
            turned = [row[::-1] for row in turned]
        return turned

    def place(self, row: int, column: int, height: int, width: int) -> tuple[int, int]:
        """Where (row, column) of a height x width rectangle goes."""
        if self.transposed:
            row, column, height, width = column, row, width, height
        if self.rows_flipped:
            row = height - 1 - row
        if self.columns_flipped:
            column = width - 1 - column
        return row, column

    def direction(self, direction: Direction) -> Direction:
        """Where a step in ``direction`` leads afterwards."""
        code = 3 - direction if self.transposed else int(direction)
        if self.rows_flipped and not code & 1 or self.columns_flipped and code & 1:
            code ^= 2
        return DIRECTIONS[code]

    @property
    def inverse(self) -> "Symmetry":
        if self.transposed:
            return Symmetry(True, self.columns_flipped, self.rows_flipped)
        return self


SYMMETRIES: tuple[Symmetry, ...] = tuple(
    Symmetry(transposed, rows_flipped, columns_flipped)
    for transposed in (False, True)
    for rows_flipped in (False, True)
    for columns_flipped in (False, True)
)
