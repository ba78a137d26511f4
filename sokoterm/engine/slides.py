"""Pushes of a lone box over ice, for whole sets of squares, wherever the player is.

On ice a box stops before a wall or another box.  Here it may stop before every square where another box might be, so a
square that these pushes cannot reach is unreachable in every position, and their number is a lower bound.
"""

from collections.abc import Callable, Iterator
from functools import reduce
from operator import or_

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, bitboard_of, bytes_of, shift, squares_of
from sokoterm.engine.board import Board

# On a larger floor with ice, every square counts as leading to a goal; this one takes a tenth of a second.
_LARGEST_FLOOR = 20_000


class Slides:
    """Pushes of a lone box on any board; ``ends[direction]``: the squares where a push in that direction may end."""

    def __init__(self, board: Board, others: Bitboard = 0) -> None:
        self.floor = floor = board.floor
        self.ice = board.ice
        self.ends = [
            floor & ~(self.ice & shift(floor, -offset)) | floor & shift(others, -offset) for offset in board.offsets
        ]
        self._board = board
        self._offsets = board.offsets
        self._pushable = [floor & shift(floor, offset) & shift(floor, -offset) for offset in board.offsets]

    def pulled(self, squares: Bitboard, direction: Direction) -> Bitboard:
        """Return the squares from which a push in a direction may bring a box to one of ``squares``."""
        return self._passed(squares & self.ends[direction], -self._offsets[direction], self._pushable[direction])

    def pushed(self, squares: Bitboard, direction: Direction) -> Bitboard:
        """Return the squares to which a push in a direction may bring a box from one of ``squares``."""
        return self._passed(squares & self._pushable[direction], self._offsets[direction], self.ends[direction])

    def _passed(self, squares: Bitboard, offset: int, among: Bitboard) -> Bitboard:
        """Return the squares ``among`` those that a box passes in a straight line, sliding on over ice."""
        found = 0
        while squares:
            squares = shift(squares, offset) & self.floor
            found |= squares & among
            squares &= self.ice
        return found

    def layers_from(self, squares: Bitboard) -> Iterator[Bitboard]:
        """Yield the squares to which 0, 1, 2 ... pushes, but no fewer, may bring a box from any of ``squares``."""
        return self._layers(squares, self.pushed)

    def layers_to(self, squares: Bitboard) -> Iterator[Bitboard]:
        """Yield the squares from which 0, 1, 2 ... pushes, but no fewer, may bring a box to any of ``squares``."""
        return self._layers(squares, self.pulled)

    def _layers(self, layer: Bitboard, beyond: Callable[[Bitboard, Direction], Bitboard]) -> Iterator[Bitboard]:
        unseen = self.floor
        while layer := layer & unseen:
            yield layer
            unseen ^= layer
            layer = reduce(or_, [beyond(layer, direction) for direction in DIRECTIONS])

    def leading_to(self, goals: Bitboard) -> Bitboard:
        """Return the squares from which a box may reach one of ``goals``; all of a very large floor with ice."""
        if not self.ice:
            return leading_to(goals & self.floor, self.floor, self._board)
        if self.floor.bit_count() > _LARGEST_FLOOR:
            return self.floor
        return reduce(or_, self.layers_to(goals), 0)


def live_slides(board: Board) -> Slides:
    """Return the pushes in solvable positions, where every box can reach a goal."""
    goals = board.goals
    others = board.floor if board.ice and goals & goals - 1 else 0
    while True:
        slides = Slides(board, others)
        if not others or not others & ~(live := slides.leading_to(goals)):
            return slides
        others &= live


def leading_to(goals: Bitboard, floor: Bitboard, board: Board) -> Bitboard:
    """Return the squares of a floor without ice from which a lone box can be pushed to one of ``goals``.

    Assumes that the player can reach either side of the box.  Pulls boxes from all goals in whole-board rounds; on
    large boards with long ways the rest is found square by square, so the time is linear in the board.
    """
    live, new = 0, goals
    for _ in range(board.stride + board.height):
        live |= new
        grown = live
        for offset in board.offsets:
            grown |= shift(grown, -offset) & shift(floor, offset) & floor
        new = grown & ~live
        if not new:
            return live
    is_floor, is_found = bytes_of(floor, board.size), bytearray(bytes_of(live | new, board.size))
    squares = squares_of(new)
    for square in squares:
        for offset in board.offsets:
            pulled = square - offset
            if is_floor[pulled] and not is_found[pulled] and is_floor[pulled - offset]:
                is_found[pulled] = 1
                squares.append(pulled)
    return live | bitboard_of(squares)
