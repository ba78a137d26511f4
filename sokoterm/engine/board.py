"""What stands still (Board), what moves (State), and one push (Push)."""

from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, Square, flood, lowest


class Board(NamedTuple):
    """The part of a level that never moves.

    ``floor`` holds the squares the player could ever stand on if boxes were air; everything outside it,
    whether wall, void or decoration, blocks.  ``goals`` is a part of ``floor``.
    """

    width: int
    height: int
    stride: int
    walls: Bitboard
    floor: Bitboard
    goals: Bitboard

    @property
    def offsets(self) -> tuple[int, int, int, int]:
        """What a step in each Direction adds to a Square."""
        return (-self.stride, 1, self.stride, -1)

    def square(self, row: int, column: int) -> Square:
        """The Square at a row and column counted from 0."""
        return row * self.stride + column

    def row_column(self, square: Square) -> tuple[int, int]:
        """Row and column of a Square, counted from 0."""
        return divmod(square, self.stride)


class State(NamedTuple):
    """What moves: the boxes on the floor and the player's square."""

    boxes: Bitboard
    player: Square

    def normalized(self, board: Board) -> "State":
        """The same position with the player on the lowest square it can reach.

        Two states with equal normalized states allow exactly the same pushes.
        """
        return State(self.boxes, lowest(flood(1 << self.player, board.floor & ~self.boxes, board.stride)))


class Push(NamedTuple):
    """A push of the box on square ``box`` one square in ``direction``."""

    box: Square
    direction: Direction
