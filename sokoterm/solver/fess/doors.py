"""Door-opening moves: reversible moves after which the player can move a box in a way not possible before."""

from sokoterm.engine.bits import Bitboard, Square
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.fess.macro import pullable, pushable


class Doors:
    """Test for door-opening moves of one position."""

    def __init__(self, tables: BoardTables, boxes: Bitboard, region: Bitboard, *, pulls: bool) -> None:
        self._tables = tables
        self._boxes = boxes
        self._region = region
        self._pulls = pulls
        self._movable = self._movable_with(boxes, region)

    def opens(self, boxes: Bitboard, region: Bitboard, origin: Square, square: Square) -> bool:
        """True if moving a box from ``origin`` to ``square`` opens a door; ``boxes``, ``region``: those after it."""
        if not region & ~self._region & ~(1 << origin):
            return False
        first, last = (square, origin) if self._pulls else (origin, square)
        if not self._tables.reach[last] >> first & 1:
            return False
        after = self._movable_with(boxes, region)
        return any(now & ~then & self._boxes for now, then in zip(after, self._movable, strict=True))

    def _movable_with(self, boxes: Bitboard, region: Bitboard) -> tuple[Bitboard, ...]:
        """Return the boxes that the player can move up, right, down and left now."""
        stride = self._tables.stride
        if self._pulls:
            return pullable(boxes, region, stride)
        return pushable(boxes, region, self._tables.floor & ~boxes & self._tables.live, stride)
