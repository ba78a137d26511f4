"""The pushes that can be made in a state, as whole-board masks."""

from collections.abc import Iterator, Sequence

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, flood, shift
from sokoterm.engine.board import Board


class Successors:
    """What can be pushed where.

    ``live[direction]`` holds the squares on which a box pushed in that direction is worth having: a push that lands
    anywhere else is left out.
    """

    def __init__(self, board: Board, live: Sequence[Bitboard]) -> None:
        self._floor = board.floor
        self._stride = board.stride
        self._axes = tuple(zip(DIRECTIONS, board.offsets, live))

    def pushes(self, boxes: Bitboard, player: Bitboard) -> Iterator[tuple[Direction, Bitboard, Bitboard]]:
        """Every push as (direction, the box's square, the boxes afterwards), by direction, then by square.

        ``player`` is any square of the player's area, as a Bitboard; afterwards the player stands where the box was.
        """
        return self.pushes_from(boxes, flood(player, self._floor & ~boxes, self._stride))

    def pushes_from(
        self, boxes: Bitboard, region: Bitboard, among: Bitboard = -1
    ) -> Iterator[tuple[Direction, Bitboard, Bitboard]]:
        """The same for a player whose area is known, and for some of the boxes only."""
        free = self._floor & ~boxes
        for direction, offset, live in self._axes:
            pushable = boxes & among & shift(region, offset) & shift(free & live, -offset)
            while pushable:
                box = pushable & -pushable
                pushable ^= box
                yield direction, box, boxes ^ box ^ shift(box, offset)
