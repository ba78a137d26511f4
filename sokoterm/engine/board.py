"""The static part of a level (Board), the dynamic part (State), and a push."""

from functools import cached_property
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, Square, flood, lowest
from sokoterm.engine.variant import Variant


class _BoardFields(NamedTuple):
    """The fields of a Board: a NamedTuple itself has no room for what is worked out once."""

    width: int
    height: int
    stride: int
    walls: Bitboard
    floor: Bitboard
    goals: Bitboard
    variant: Variant | None = None


class Board(_BoardFields):
    """The static part of a level.

    ``floor`` holds the squares the player could reach if there were no boxes; everything else blocks, whether wall,
    void or decoration.  ``goals`` is a subset of ``floor``.  ``variant`` is None for ordinary Sokoban.
    """

    @cached_property
    def size(self) -> int:
        """Number of squares, those beside the board included."""
        return self.stride * self.height

    @cached_property
    def offsets(self) -> tuple[int, int, int, int]:
        """Square offset of a step in each Direction."""
        return (-self.stride, 1, self.stride, -1)

    def square(self, row: int, column: int) -> Square:
        """Return the Square at a row and column, both from 0."""
        return row * self.stride + column

    def row_column(self, square: Square) -> tuple[int, int]:
        """Return the row and column of a Square, both from 0."""
        return divmod(square, self.stride)


class State(NamedTuple):
    """A position: the boxes on the floor, with layers for colours (see ``variant``), and the player's square."""

    boxes: Bitboard
    player: Square

    def normalized(self, board: Board) -> "State":
        """Return the state with the player on the lowest square within reach.

        States with equal normalized states allow exactly the same pushes.
        """
        return State(self.boxes, lowest(flood(1 << self.player, board.floor & ~self.boxes, board.stride)))


class Push(NamedTuple):
    """A push of the box on square ``box`` by one square in ``direction``."""

    box: Square
    direction: Direction
