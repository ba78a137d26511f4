"""The pushes that can be made in a state, as whole-board masks."""

from sokoterm.engine.bits import Bitboard, flood, shift
from sokoterm.engine.board import Board


class Successors:
    """What can be pushed where; a landing on a dead square is no push."""

    def __init__(self, board: Board, dead_squares: Bitboard) -> None:
        self._floor = board.floor
        self._stride = board.stride
        self._offsets = board.offsets
        self._live = board.floor & ~dead_squares

    def pushes(self, boxes: Bitboard, player: Bitboard) -> list[tuple[Bitboard, Bitboard]]:
        """Every push as (the box's square, the boxes afterwards), in the order of Direction, then of squares.

        ``player`` is any square of the player's area, as a Bitboard; afterwards the player stands where the box was.
        """
        region = flood(player, self._floor & ~boxes, self._stride)
        landings = self._live & ~boxes
        found = []
        for offset in self._offsets:
            pushable = boxes & shift(region, offset) & shift(landings, -offset)
            while pushable:
                box = pushable & -pushable
                pushable ^= box
                found.append((box, boxes ^ box ^ shift(box, offset)))
        return found
