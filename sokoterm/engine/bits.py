"""Squares, whole-board bitboards, directions and the eight symmetries.

A Square is ``row * stride + column`` with ``stride = width + 1``; bit *i* of a Bitboard stands for
Square *i*.  The extra column is never floor, so a shift by one never wraps into the next row.
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum
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


def lowest(bitboard: Bitboard) -> Square:
    """The lowest square of a bitboard that is not empty; -1 for the empty one."""
    return (bitboard & -bitboard).bit_length() - 1


def shift(bitboard: Bitboard, offset: int) -> Bitboard:
    """Every square moved by ``offset``; squares that fall off the top vanish."""
    return bitboard << offset if offset >= 0 else bitboard >> -offset


def flood(seed: Bitboard, free: Bitboard, stride: int) -> Bitboard:
    """The squares of ``free`` that are connected to ``seed`` (itself included where it is free).

    Rows and columns are filled in turn until nothing changes: about half the rounds of the
    usual four-neighbour step.  Where that takes many rounds, on a large maze, squares are followed
    one by one: never more than linear in the board.
    """
    region = seed & free
    for _ in range(_ROUNDS + free.bit_length() // _ROUNDS):
        grown = (region | region << 1 | region >> 1) & free
        grown = (grown | grown << stride | grown >> stride) & free
        if grown == region:
            return region
        region = grown
    return _flood_by_squares(region, free, stride)


# Rounds of whole-board steps after which a maze costs less square by square.
_ROUNDS = 256


def _flood_by_squares(seed: Bitboard, free: Bitboard, stride: int) -> Bitboard:
    # Digits run from the last square to the first, which turns every offset round and leaves their set the same.
    is_free = bytearray(f"0{free:0{stride}b}{'0' * stride}", "ascii")
    last = free.bit_length() if free.bit_length() > stride else stride
    offsets = (1, -1, stride, -stride)
    reached = bytearray(b"0" * len(is_free))
    waiting = [last - square for square in scan(seed)]
    for place in waiting:
        reached[place] = 49
    for place in waiting:
        for offset in offsets:
            neighbour = place + offset
            if is_free[neighbour] == 49 and reached[neighbour] == 48:
                reached[neighbour] = 49
                waiting.append(neighbour)
    return int(reached[: last + 1], 2)


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
