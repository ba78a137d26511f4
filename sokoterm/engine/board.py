"""The static part of a level (Board), the dynamic part (State), and a push, for every kind of Sokoban.

A coloured box belongs on a goal of its colour or without one, and a box without a colour on any goal.  A box pushed
onto ice slides until it leaves the ice or a wall or box stops it, while the player takes one step.

The lowest bits of ``State.boxes`` are the squares of all boxes.  Above them is one Bitboard per colour, its
*layer*, so ``State.boxes & board.floor`` is the squares with boxes of any colour.  Layers count from 1; layer
0 is the boxes without a colour.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property, reduce
from itertools import zip_longest
from operator import or_
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, Square, flood, lowest, squares_of


class _BoardFields(NamedTuple):
    """The fields of a Board; a NamedTuple itself cannot cache properties."""

    width: int
    height: int
    stride: int
    walls: Bitboard
    floor: Bitboard
    goals: Bitboard
    colors: tuple[Bitboard, ...] = ()
    ice: Bitboard = 0


class Board(_BoardFields):
    """The static part of a level.

    ``floor`` is the squares the player could reach if there were no boxes; everything else blocks, whether wall, void
    or decoration.  ``goals`` and ``ice`` are subsets of ``floor``, and ``colors`` are the goals of each colour.
    """

    @cached_property
    def is_ordinary(self) -> bool:
        """True if the board has neither colours nor ice."""
        return not self.colors and not self.ice

    @property
    def kinds(self) -> tuple[str, ...]:
        """``colors``, ``sliding``, both or none."""
        return (*["colors"] * bool(self.colors), *["sliding"] * bool(self.ice))

    @cached_property
    def ordinary(self) -> "Board":
        return self if self.is_ordinary else self._replace(colors=(), ice=0)

    @cached_property
    def size(self) -> int:
        """Number of squares, including the extra column."""
        return self.stride * self.height

    @cached_property
    def goals_by_layer(self) -> tuple[Bitboard, ...]:
        """For each layer, the goals that accept its boxes."""
        without = self.goals & ~reduce(or_, self.colors, 0)
        return (self.goals, *[without | self.goals & own for own in self.colors])

    @cached_property
    def home(self) -> Bitboard:
        """``goals_by_layer`` in the layout of ``State.boxes``."""
        return layered(self.goals, self.goals_by_layer[1:], self.size) if self.colors else self.goals

    @cached_property
    def all_layers(self) -> int:
        """Factor that copies a Bitboard of squares into all layers."""
        return layered(1, [1] * len(self.colors), self.size)

    def boxes_by_layer(self, boxes: Bitboard) -> list[Bitboard]:
        """Return the squares of the boxes without a colour, then of each colour."""
        size, count = self.size, len(self.colors)
        board = (1 << size) - 1
        # Slices of bytes, because a shift would copy all the colours above.
        data = boxes.to_bytes((1 + count) * size // 8 + 1, "little")
        colored = [
            int.from_bytes(data[first >> 3 : (first + size >> 3) + 1], "little") >> (first & 7) & board
            for first in range(size, (1 + count) * size, size)
        ]
        return [boxes & board & ~reduce(or_, colored, 0), *colored]

    @cached_property
    def offsets(self) -> tuple[int, int, int, int]:
        """Square offset of a step in each Direction."""
        return (-self.stride, 1, self.stride, -1)

    def walled(self, walls: Bitboard) -> "Board":
        free = self.floor & ~walls
        return self._replace(walls=self.walls | walls, floor=free, goals=self.goals & free, ice=self.ice & free)

    def square(self, row: int, column: int) -> Square:
        """Return the Square at a row and column, both from 0."""
        return row * self.stride + column

    def row_column(self, square: Square) -> tuple[int, int]:
        """Return the row and column of a Square, both from 0."""
        return divmod(square, self.stride)

    def apart(self, square: Square, other: Square) -> int:
        """Return the Manhattan distance between two squares."""
        (row, column), (other_row, other_column) = self.row_column(square), self.row_column(other)
        return abs(row - other_row) + abs(column - other_column)


class State(NamedTuple):
    """A position: the boxes on the floor, with a layer for each colour, and the player's square."""

    boxes: Bitboard
    player: Square

    def normalized(self, board: Board) -> "State":
        """Return the state with the player on the lowest reachable square; it allows the same pushes."""
        return State(self.boxes, lowest(flood(1 << self.player, board.floor & ~self.boxes, board.stride)))


class Push(NamedTuple):
    """A push of the box on square ``box`` by one square in ``direction``."""

    box: Square
    direction: Direction


def layered(boxes: Bitboard, layers: Iterable[Bitboard], size: int) -> Bitboard:
    """Combine the squares of all boxes and the layers of their colours, on a board of ``size`` squares."""
    parts = [boxes, *layers]
    while len(parts) > 1:  # pairwise: adding them one by one would take quadratic time
        parts = [low | high << size for low, high in zip_longest(parts[::2], parts[1::2], fillvalue=0)]
        size *= 2
    return parts[0]


def flattened(layers: Bitboard, size: int) -> Bitboard:
    """Return the squares that are in any of the layers, on a board of ``size`` squares.

    >>> bin(flattened(0b100_010_010, 3))
    '0b110'
    """
    while layers >> size:  # halving: removing them one by one would take quadratic time
        half = (layers.bit_length() // size + 1) // 2 * size
        layers = layers >> half | layers & (1 << half) - 1
    return layers


def layered_squares(boxes: Bitboard, size: int) -> Bitboard:
    """Return one bit per box, on its square in its layer, on a board of ``size`` squares.

    >>> bin(layered_squares(layered(0b0110, [0b0100], 4), 4))
    '0b1000010'
    """
    colored = boxes >> size
    while colored:
        boxes ^= colored & (1 << size) - 1
        colored >>= size
    return boxes


def layers_of(colors: Mapping[Square, int], count: int) -> list[Bitboard]:
    """Return the squares of each of ``count`` colours; ``colors`` maps squares to colours, from 0."""
    layers = [0] * count
    for square, color in colors.items():
        layers[color] |= 1 << square
    return layers


def colors_of(layers: Iterable[Bitboard]) -> dict[Square, int]:
    """Return the colours of squares, from 0: the inverse of ``layers_of``."""
    return {square: color for color, squares in enumerate(layers) for square in squares_of(squares)}
