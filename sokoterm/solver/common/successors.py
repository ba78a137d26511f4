"""Push generation with whole-board masks."""

from collections.abc import Iterator, Sequence

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, flood, shift
from sokoterm.engine.board import Board


class Successors:
    """Push generator for one board.

    ``live[direction]``: the allowed landing squares of pushes in that direction; all other pushes are left out.
    """

    def __init__(self, board: Board, live: Sequence[Bitboard]) -> None:
        self._floor = board.floor
        self._stride = board.stride
        self._axes = tuple(zip(DIRECTIONS, board.offsets, live))

    def pushes(self, boxes: Bitboard, player: Bitboard) -> Iterator[tuple[Direction, Bitboard, Bitboard]]:
        """Yield every push as (direction, box square, boxes afterwards), by direction, then by square.

        Squares are Bitboards.  ``player`` is any square of the player's area; afterwards the player is where the box
        was.
        """
        return self.pushes_from(boxes, flood(player, self._floor & ~boxes, self._stride))

    def pushes_from(
        self, boxes: Bitboard, region: Bitboard, among: Bitboard = -1
    ) -> Iterator[tuple[Direction, Bitboard, Bitboard]]:
        """Yield the same for a known player's area, and only for the boxes in ``among``."""
        free = self._floor & ~boxes
        for direction, offset, live in self._axes:
            pushable = boxes & among & shift(region, offset) & shift(free & live, -offset)
            while pushable:
                box = pushable & -pushable
                pushable ^= box
                yield direction, box, boxes ^ box ^ shift(box, offset)
