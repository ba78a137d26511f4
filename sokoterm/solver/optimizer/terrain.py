"""Terrain: facts about a board that all searches for a better solution share."""

from collections.abc import Generator
from functools import cached_property, lru_cache
from itertools import chain

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Square, beside
from sokoterm.engine.board import Board
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.solver.common.dice import mixed
from sokoterm.solver.common.distances import UNREACHABLE, make_column
from sokoterm.solver.domain import Domain, LayeredSquare, LayeredSuccessors
from sokoterm.solver.meter import Meter
from sokoterm.solver.optimizer.objective import Costs
from sokoterm.solver.protocol import Progress

Passes = frozenset[tuple[Bitboard, Bitboard]]


class SquareKeys(dict[Bitboard, int]):
    """A key for each square (A. L. Zobrist, "A new hashing method with application for game playing", 1970).

    Positions are told apart by the keys of their boxes combined.  Were two of them ever mistaken for each other, one
    would be admitted or refused in error, which costs time or a chance, but never makes a solution wrong.
    """

    def __missing__(self, square: Bitboard) -> int:
        key = self[square] = mixed(square.bit_length())
        return key


class Terrain:
    """A board with its costs, live squares, pushes and distances.

    Squares of boxes are layered ones (see ``solver.domain``), which on ordinary boards are the squares themselves.
    ``size``: the squares of a layer.  ``barred``: those that no box may be pushed to but by ``passes``, the pushes that
    are allowed nevertheless, each as the square of the box before and after.  ``keys``: one for each square, as a
    Bitboard.
    """

    def __init__(self, board: Board, costs: Costs, barred: Bitboard = 0, passes: Passes = frozenset()) -> None:
        self.board = board
        self.costs = costs
        self.size = board.size
        self.layers = Domain(board)
        self.keys = SquareKeys()
        self.barred = barred
        self.passes = passes
        self.nearest = lru_cache(maxsize=None)(self._nearest)
        self._columns: dict[Square, list[int]] = {}

    @cached_property
    def check(self) -> FreezeCheck:
        """The two cheapest tests for a position to be dead."""
        return FreezeCheck(self.board)

    @cached_property
    def live(self) -> Bitboard:
        """The squares that are not dead."""
        return self.check.live

    @cached_property
    def pushes(self) -> LayeredSuccessors:
        """The pushes of a board with colours or ice."""
        return LayeredSuccessors(self.layers, [self.live] * len(DIRECTIONS))

    def column(self, square: LayeredSquare, meter: Meter, *, is_end: bool) -> Generator[Progress, None, list[int]]:
        """Return the fewest pushes of a lone box from each square to one, as ``make_column`` does.

        A box cannot come to another layer, but if ``is_end`` to each goal that takes it.
        """
        layer, plain = divmod(square, self.size)
        if plain not in self._columns:
            self._columns[plain] = yield from make_column(self.board, plain, meter)
        column, goals = self._columns[plain], self.board.goals_by_layer
        if len(goals) == 1:
            return column
        takes = [each >> plain & 1 for each in goals] if is_end else [each == layer for each in range(len(goals))]
        never = [UNREACHABLE] * self.size
        return [*chain.from_iterable(column if each else never for each in takes)]

    def _nearest(self, square: LayeredSquare, count: int) -> Bitboard:
        """Return the ``count`` squares nearest to one by the walk on the empty board, and those as near as the last."""
        base = square - square % self.size
        floor, stride = self.board.floor << base, self.board.stride
        found = layer = 1 << square
        while layer and found.bit_count() <= count:
            layer = beside(layer, stride) & floor & ~found
            found |= layer
        return found
