"""The static part of a level (Board), the dynamic part (State), and a push."""

from functools import cached_property
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, Square, flood, lowest
from sokoterm.engine.variant import Variant, layered


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
    def colors(self) -> tuple[Bitboard, ...]:
        """The goals of each colour; none on a board without colours."""
        return self.variant.colors if self.variant is not None else ()

    @cached_property
    def ice(self) -> Bitboard:
        """The squares of the floor on which boxes slide on; none on a board without ice."""
        return self.variant.ice & self.floor if self.variant is not None else 0

    @cached_property
    def ordinary(self) -> "Board":
        """The board without its colours and its ice."""
        return self if self.variant is None else self._replace(variant=None)

    @cached_property
    def goals_by_layer(self) -> tuple[Bitboard, ...]:
        """The goals that take a box without a colour, then those that take one of each colour."""
        return self.variant.goals_by_layer(self.goals) if self.variant is not None else (self.goals,)

    def boxes_by_layer(self, boxes: Bitboard) -> list[Bitboard]:
        """Return the squares of the boxes of a ``State`` without a colour, then those of each colour."""
        return self.variant.boxes_by_layer(boxes, self.size) if self.variant is not None else [boxes]

    @cached_property
    def home(self) -> Bitboard:
        """The goals that take the boxes of each layer, in that layer."""
        return layered(self.goals, self.goals_by_layer[1:], self.size)

    @cached_property
    def all_layers(self) -> int:
        """Times this, a Bitboard of squares is the same squares in all layers."""
        return layered(1, [1] * len(self.colors), self.size)

    @cached_property
    def offsets(self) -> tuple[int, int, int, int]:
        """Square offset of a step in each Direction."""
        return (-self.stride, 1, self.stride, -1)

    def walled(self, walls: Bitboard) -> "Board":
        """Return the board with walls on some squares, of which none is a goal any more."""
        return self._replace(walls=self.walls | walls, floor=self.floor & ~walls, goals=self.goals & ~walls)

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
