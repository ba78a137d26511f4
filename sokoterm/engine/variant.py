"""The kinds of Sokoban: boxes with colours that belong on goals of their own colour, and boxes that slide on ice.

A box without a colour may stand on any goal, and a goal without one takes any box.  A box that is pushed onto ice goes
on until it stands on a square without ice, or the next square is a wall or a box; the player takes one step.

The squares of all boxes are one Bitboard in every kind.  Where there are colours, each of them has one more, its
*layer*: those of all colours follow above the squares of the board in the same int, so ``State.boxes`` tells which box
stands where, and ``State.boxes & board.floor`` where boxes stand.  Layers count from 1; layer 0 is the boxes without a
colour.
"""

from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import zip_longest
from operator import or_
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, squares_of

# Colours that are taken apart one by one in less time.
_FEW = 16


class Variant(NamedTuple):
    """Colours and ice of a board.

    ``colors``: the goals of each colour.  ``ice``: the squares of the floor on which boxes slide on.
    """

    colors: tuple[Bitboard, ...] = ()
    ice: Bitboard = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """``colors``, ``sliding`` or both."""
        return (*["colors"] * bool(self.colors), *["sliding"] * bool(self.ice))

    def goals_by_layer(self, goals: Bitboard) -> tuple[Bitboard, ...]:
        """Return those of ``goals`` that take a box without a colour, then those that take one of each colour."""
        without = goals & ~reduce(or_, self.colors, 0)
        return (goals, *[without | goals & own for own in self.colors])

    def boxes_by_layer(self, boxes: Bitboard, size: int) -> list[Bitboard]:
        """Return the squares of the boxes without a colour, then those of each colour, on a board of ``size``."""
        board = (1 << size) - 1
        firsts = range(size, (1 + len(self.colors)) * size, size)
        if len(self.colors) <= _FEW:
            colored = [boxes >> first & board for first in firsts]
        else:  # in slices of bytes: each shift takes time for all colours above
            data = boxes.to_bytes((1 + len(self.colors)) * size // 8 + 1, "little")
            colored = [
                int.from_bytes(data[first >> 3 : (first + size >> 3) + 1], "little") >> (first & 7) & board
                for first in firsts
            ]
        return [boxes & board & ~reduce(or_, colored, 0), *colored]


def layered(boxes: Bitboard, layers: Iterable[Bitboard], size: int) -> Bitboard:
    """Return boxes with the layers of their colours, on a board of ``size`` squares."""
    parts = [boxes, *layers]
    while len(parts) > 1:  # in pairs: one after the other, each would be added to all below it
        parts = [low | high << size for low, high in zip_longest(parts[::2], parts[1::2], fillvalue=0)]
        size *= 2
    return parts[0]


def flattened(layers: Bitboard, size: int) -> Bitboard:
    """Return the squares that are in any of the layers, on a board of ``size`` squares.

    >>> bin(flattened(0b100_010_010, 3))
    '0b110'
    """
    while layers >> size:  # in halves: one by one, each layer would be taken from all above it
        half = (layers.bit_length() // size + 1) // 2 * size
        layers = layers >> half | layers & (1 << half) - 1
    return layers


def layered_squares(boxes: Bitboard, size: int) -> Bitboard:
    """Return one bit for each box, on its square in its layer, on a board of ``size`` squares.

    >>> bin(layered_squares(layered(0b0110, [0b0100], 4), 4))
    '0b1000010'
    """
    colored = boxes >> size
    while colored:
        boxes ^= colored & (1 << size) - 1
        colored >>= size
    return boxes


def layers_of(colors: Mapping[Square, int], count: int) -> list[Bitboard]:
    """Return the squares of each of ``count`` colours; ``colors`` are those of squares, from 0."""
    layers = [0] * count
    for square, color in colors.items():
        layers[color] |= 1 << square
    return layers


def colors_of(layers: Iterable[Bitboard]) -> dict[Square, int]:
    """Return the colours of squares, from 0: the inverse of ``layers_of``."""
    return {square: color for color, squares in enumerate(layers) for square in squares_of(squares)}
