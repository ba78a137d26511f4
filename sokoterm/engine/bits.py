"""Squares, whole-board bitboards, directions and the eight symmetries.

A Square is ``row * stride + column`` with ``stride = width + 1``; bit *i* of a Bitboard is Square *i*.
The extra column is never floor, so a shift by one never wraps into the next row.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import compress, count
from typing import NamedTuple

Square = int
Bitboard = int


class Direction(IntEnum):
    """One of the four steps, clockwise from up; the opposite direction is two further on."""

    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3

    @property
    def opposite(self) -> "Direction":
        return DIRECTIONS[self ^ 2]

    @property
    def letter(self) -> str:
        """Lower-case LURD letter."""
        return "urdl"[self]


DIRECTIONS: tuple[Direction, ...] = tuple(Direction)


def scan(bitboard: Bitboard) -> Iterator[Square]:
    """Yield the squares of a bitboard, lowest first.

    >>> list(scan(0b10110))
    [1, 2, 4]
    """
    while bitboard:
        lowest_bit = bitboard & -bitboard
        yield lowest_bit.bit_length() - 1
        bitboard ^= lowest_bit


def squares_of(bitboard: Bitboard) -> list[Square]:
    """Return the squares of ``scan`` as a list, in time linear in the board; ``scan`` takes that for each square.

    >>> squares_of(0b10110)
    [1, 2, 4]
    """
    if bitboard.bit_count() << _SPARSE < bitboard.bit_length():
        return [*scan(bitboard)]
    return [*compress(count(), bytes_of(bitboard, 1))]


# Of so many squares, as a power of 2, one at most is in a bitboard that ``scan`` reads faster.
_SPARSE = 7
# Squares that are added one by one in less time.
_MANY = 64


def bytes_of(bitboard: Bitboard, size: int, inside: int = 1, outside: int = 0) -> bytes:
    """Return a byte for each square of a board of ``size`` squares: one for those of a bitboard, one for the others.

    >>> bytes_of(0b10110, 6)
    b'\\x00\\x01\\x01\\x00\\x01\\x00'
    """
    digits = f"{bitboard:0{size}b}".encode("ascii")[::-1]
    return digits.translate(bytes.maketrans(b"01", bytes((outside, inside))))


def bitboard_of(squares: Iterable[Square]) -> Bitboard:
    """Return the Bitboard of some squares, in time linear in the board.

    >>> bitboard_of([1, 2, 4]) == 0b10110
    True
    """
    squares = [*squares]
    if len(squares) < _MANY:
        bitboard = 0
        for square in squares:
            bitboard |= 1 << square
        return bitboard
    data = bytearray((max(squares) >> 3) + 1)
    for square in squares:
        data[square >> 3] |= 1 << (square & 7)
    return int.from_bytes(data, "little")


def tester(bitboard: Bitboard, size: int) -> Callable[[Square], bool]:
    """Return a test for squares of a bitboard of ``size`` bits at most; a shift takes time for all above a square.

    >>> [*map(tester(0b10110, 5), range(5))]
    [False, True, True, False, True]
    """
    data = bitboard.to_bytes(size // 8 + 1, "little")
    return lambda square: bool(data[square >> 3] >> (square & 7) & 1)


def lowest(bitboard: Bitboard) -> Square:
    """Return the lowest square of a bitboard; -1 if it is empty."""
    return (bitboard & -bitboard).bit_length() - 1


def shift(bitboard: Bitboard, offset: int) -> Bitboard:
    """Move every square by ``offset``; squares that fall off the top vanish."""
    return bitboard << offset if offset >= 0 else bitboard >> -offset


def flood(seed: Bitboard, free: Bitboard, stride: int) -> Bitboard:
    """Flood fill: the squares of ``free`` connected to ``seed``, including the free squares of ``seed`` itself.

    Each round fills rows, then columns, until nothing changes.  Filling to the right takes one addition: its carry
    runs through the free squares of a row up to the next wall.  If a large board needs too many rounds, the fill goes
    on from square to square, which is linear in the board.
    """
    region = seed & free
    for _ in range(_ROUNDS + stride):
        grown = free & ~(free + region) | region
        grown |= grown >> 1 & free
        grown = (grown | grown << stride | grown >> stride) & free
        if grown == region:
            return region
        region = grown
    return flood_by_squares(region, free, (-stride, 1, stride, -1))


# Whole-board rounds, and as many as the board has columns, after which going from square to square is cheaper.
_ROUNDS = 64


def regions(free: Bitboard, stride: int) -> list[Bitboard]:
    """Return the connected components of the free squares."""
    found = []
    while free:
        region = flood(free & -free, free, stride)
        found.append(region)
        free ^= region
    return found


def beside(area: Bitboard, stride: int) -> Bitboard:
    """Return the squares one step from those of an area, which may lie in it."""
    return area << 1 | area >> 1 | area << stride | area >> stride


def around(area: Bitboard, stride: int) -> Bitboard:
    """Return the squares next to an area, diagonally too."""
    wide = area | area << 1 | area >> 1
    return (wide | wide << stride | wide >> stride) & ~area


def flood_by_squares(seed: Bitboard, free: Bitboard, offsets: Sequence[int]) -> Bitboard:
    """``flood`` from square to square, by steps of these offsets; all of the seed must be free."""
    # Squares beyond the first and the last are not free.
    is_new = bytearray(bytes_of(free ^ seed, free.bit_length() + max(offsets)))
    squares = squares_of(seed)
    for square in squares:
        for offset in offsets:
            if is_new[square + offset]:
                is_new[square + offset] = 0
                squares.append(square + offset)
    return bitboard_of(squares)


class Symmetry(NamedTuple):
    """A rotation or reflection of the rectangle: transpose, then flip rows, then flip columns."""

    transposed: bool
    rows_flipped: bool
    columns_flipped: bool

    def rows(self, rows: Sequence[str]) -> list[str]:
        """Apply the symmetry to a picture; rows shorter than the longest are filled up with blanks.

        >>> Symmetry(True, False, False).rows(["ab", "c"])
        ['ac', 'b ']
        """
        width = max(map(len, rows), default=0)
        turned = [row.ljust(width) for row in rows]
        if self.transposed:
            turned = ["".join(column) for column in zip(*turned)]
        if self.rows_flipped:
            turned.reverse()
        if self.columns_flipped:
            turned = [row[::-1] for row in turned]
        return turned

    def place(self, row: int, column: int, height: int, width: int) -> tuple[int, int]:
        """Map (row, column) of a height x width rectangle."""
        if self.transposed:
            row, column, height, width = column, row, width, height
        if self.rows_flipped:
            row = height - 1 - row
        if self.columns_flipped:
            column = width - 1 - column
        return row, column

    def direction(self, direction: Direction) -> Direction:
        """Map a direction."""
        code = 3 - direction if self.transposed else int(direction)
        if self.rows_flipped and not code & 1 or self.columns_flipped and code & 1:
            code ^= 2
        return DIRECTIONS[code]

    def moves(self, lurd: str) -> str:
        """Turn the letters of moves, keeping their case and everything else.

        >>> Symmetry(False, False, True).moves("3rRd")
        '3lLd'
        """
        letters = "".join(self.direction(direction).letter for direction in DIRECTIONS)
        return lurd.translate(str.maketrans("urdlURDL", letters + letters.upper()))

    def then(self, other: "Symmetry") -> "Symmetry":
        """Return the symmetry that does the same as this one and then another."""
        rows, columns = self.rows_flipped, self.columns_flipped
        if other.transposed:
            rows, columns = columns, rows
        transposed = self.transposed != other.transposed
        return Symmetry(transposed, rows != other.rows_flipped, columns != other.columns_flipped)

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
