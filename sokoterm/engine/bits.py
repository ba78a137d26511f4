"""Squares, whole-board bitboards, directions and the eight symmetries.

A Square is ``row * stride + column`` with ``stride = width + 1``, and bit *i* of a Bitboard is Square *i*.  The extra
column is never floor, so a shift by one never wraps into the next row.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import compress, count
from re import finditer
from typing import NamedTuple

Square = int
Bitboard = int


class Direction(IntEnum):
    """Direction of a step, clockwise from up."""

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
    """Return the squares of ``scan`` as a list, in time linear in the board, which ``scan`` takes for every square."""
    if bitboard.bit_count() << _SPARSE < bitboard.bit_length():
        return [*scan(bitboard)]
    return [*compress(count(), bytes_of(bitboard, 1))]


# ``scan`` is faster if at most one square in 2**7 is set.
_SPARSE = 7
# Fewer squares are faster to add one by one.
_MANY = 64


def bytes_of(bitboard: Bitboard, size: int, inside: int = 1, outside: int = 0) -> bytes:
    """Return one byte per square of a board of ``size`` squares: ``inside`` for those of a bitboard, else ``outside``.

    >>> bytes_of(0b10110, 6)
    b'\\x00\\x01\\x01\\x00\\x01\\x00'
    """
    digits = f"{bitboard:0{size}b}".encode("ascii")[::-1]
    return digits.translate(bytes.maketrans(b"01", bytes((outside, inside))))


def bitboard_of(squares: Iterable[Square]) -> Bitboard:
    """Return the Bitboard of some squares, in time linear in the board."""
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
    """Return a constant-time membership test for a bitboard of at most ``size`` bits; a shift takes linear time.

    >>> [*map(tester(0b10110, 5), range(5))]
    [False, True, True, False, True]
    """
    data = bitboard.to_bytes(size // 8 + 1, "little")
    return lambda square: bool(data[square >> 3] >> (square & 7) & 1)


def lowest(bitboard: Bitboard) -> Square:
    """Return the lowest square of a bitboard; -1 if it is empty."""
    return (bitboard & -bitboard).bit_length() - 1


def shift(bitboard: Bitboard, offset: int) -> Bitboard:
    """Move every square by ``offset``, dropping those that leave the board at the top."""
    return bitboard << offset if offset >= 0 else bitboard >> -offset


# After this many whole-board rounds, following runs is cheaper.
_ROUNDS = 64


def flood(seed: Bitboard, free: Bitboard, stride: int, rounds: int = _ROUNDS) -> Bitboard:
    """Flood fill: the squares of ``free`` connected to ``seed``, including the free squares of ``seed`` itself.

    Each round fills rows, then columns, until nothing changes.  A single addition fills to the right: its carry runs
    through the free squares of a row up to the next wall.  After ``rounds`` the fill follows whole runs of squares
    instead, which is linear in the board.
    """
    region = seed & free
    for _ in range(rounds):
        grown = free & ~(free + region) | region
        grown |= grown >> 1 & free
        grown = (grown | grown << stride | grown >> stride) & free
        if grown == region:
            return region
        region = grown
    if (free & ~(free << 1)).bit_count() < 2 * (free & ~(free << stride)).bit_count():
        return flood_by_runs(region, free, stride)
    # Vertical corridors make fewer runs in columns than in rows.
    height = -(-free.bit_length() // stride)
    found = flood_by_runs(_columns(region, stride, height), _columns(free, stride, height), height + 1)
    digits = f"{found:0{stride * (height + 1) - 1}b}"
    return int("".join([digits[row :: height + 1] for row in range(height)]), 2)


def regions(free: Bitboard, stride: int) -> list[Bitboard]:
    """Return the connected components of the free squares."""
    found = []
    while free:
        region = flood(free & -free, free, stride)
        found.append(region)
        free ^= region
    return found


def beside(area: Bitboard, stride: int) -> Bitboard:
    """Return the squares one step from any square of an area; some may be in the area."""
    return area << 1 | area >> 1 | area << stride | area >> stride


def around(area: Bitboard, stride: int) -> Bitboard:
    """Return the squares next to an area, including diagonally."""
    wide = area | area << 1 | area >> 1
    return (wide | wide << stride | wide >> stride) & ~area


def flood_by_runs(seed: Bitboard, free: Bitboard, stride: int, corner: int = 0) -> Bitboard:
    """``flood`` that follows horizontal runs of free squares to the runs they touch in the rows above and below.

    ``corner`` is 1 if runs also touch diagonally, else 0.  All of the seed must be free.
    """
    # Binary digits run from the last square to the first; rotating the board by 180 degrees keeps adjacency.
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
    digits = f"{bitboard:0{stride * height}b}"
    return int("0".join([digits[column::stride] for column in range(stride)]), 2)


class Symmetry(NamedTuple):
    """A rotation or reflection of the rectangle: transpose, then flip rows, then flip columns."""

    transposed: bool
    rows_flipped: bool
    columns_flipped: bool

    def rows(self, rows: Sequence[str]) -> list[str]:
        """Apply the symmetry to a picture, padding short rows with blanks.

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
        """Return the composition of this symmetry and then another."""
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
