"""Terrain: facts about a board that all searches for a better solution share."""

from collections.abc import Generator
from functools import lru_cache

from sokoterm.engine.bits import Bitboard, Square, beside
from sokoterm.engine.board import Board
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.solver.common.distances import make_column
from sokoterm.solver.meter import Meter
from sokoterm.solver.optimizer.objective import Costs
from sokoterm.solver.protocol import Progress

Passes = frozenset[tuple[Bitboard, Bitboard]]


class Terrain:
    """A board with its costs, dead squares and distances.

    ``size``: its squares.  ``live``: those that are not dead.  ``barred``: those that no box may be pushed to but by
    ``passes``, the pushes that are allowed nevertheless, each as the square of the box before and after.
    """

    def __init__(self, board: Board, costs: Costs, barred: Bitboard = 0, passes: Passes = frozenset()) -> None:
        self.board = board
        self.costs = costs
        self.check = FreezeCheck(board)
        self.size = board.stride * board.height
        self.live = board.floor & ~self.check.dead_squares
        self.barred = barred
        self.passes = passes
        self.nearest = lru_cache(maxsize=None)(self._nearest)
        self._columns: dict[Square, list[int]] = {}

    def column(self, square: Square, meter: Meter) -> Generator[Progress, None, list[int]]:
        """Return the fewest pushes of a lone box from each square to one, as ``make_column`` does; made once."""
        if square not in self._columns:
            self._columns[square] = yield from make_column(self.board, square, meter)
        return self._columns[square]

    def _nearest(self, square: Square, count: int) -> Bitboard:
        """Return the ``count`` squares nearest to one by the walk on the empty board, and those as near as the last."""
        floor, stride = self.board.floor, self.board.stride
        found = layer = 1 << square
        while layer and found.bit_count() <= count:
            layer = beside(layer, stride) & floor & ~found
            found |= layer
        return found
