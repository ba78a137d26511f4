"""Spine: the positions of a known solution, one after each push, with the cost of reaching each.

The term is S. Gouezel's, whose vicinity search looks for better solutions near these positions.  A terrain holds facts
about the board that all these searches share.
"""

from collections.abc import Generator
from functools import lru_cache
from itertools import chain, pairwise

from sokoterm.engine.bits import Bitboard, Square, beside, lowest, scan
from sokoterm.engine.board import Board, State, layered_squares
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.solver.common.dice import mixed
from sokoterm.solver.common.lower_bound import UNREACHABLE, make_column
from sokoterm.solver.domain import Domain, LayeredSquare, LayeredSuccessors
from sokoterm.solver.optimizer.objective import Costs, Objective
from sokoterm.solver.search import Meter, Progress


class Spine:
    """Solution of *n* pushes as *n* + 1 positions.

    ``boxes[j]`` and ``players[j]``: boxes and player after *j* pushes; ``costs[j]``: cost so far, ``moves[j]``: moves
    so far.  ``squares[j]``: boxes as layered squares (see ``solver.domain``), on ordinary boards the same as ``boxes``.
    ``unit``: cost of one unit of the objective.  ``movers[j]``: number of the box pushed from position *j*, counted by
    its layered square at the start.  ``is_cut[j]``: true if that push begins a box line, box change or session
    (whichever the objective counts) in any case, so that a better route to position *j* can be put before it; always
    true if the objective counts none of them.
    """

    def __init__(self, board: Board, start: State, solution: Solution, costs: Costs) -> None:
        self.solution = solution
        self.unit = costs.unit
        self.boxes: list[Bitboard] = [start.boxes]
        here = layered_squares(start.boxes, board.size)
        self.squares = self.boxes if board.is_ordinary else [here]
        self.players: list[Square] = [start.player]
        self.costs: list[int] = [0]
        self.moves: list[int] = [0]
        self.movers: list[int] = []
        self.is_cut: list[bool] = []
        number = {square: index for index, square in enumerate(scan(here))}
        count, previous, pushed = 0, "", -1
        for moves, (after, letter) in enumerate(play(board, start, parse_lurd(solution.lurd)), start=1):
            if letter.isupper():
                there = layered_squares(after.boxes, board.size)
                box, landing = lowest(here & ~there), lowest(there & ~here)
                here = there
                is_new = _begins(costs.objective, letter, previous, is_other_box=box != pushed)
                count += is_new
                number[landing] = number.pop(box)
                self.movers.append(number[landing])
                self.is_cut.append(is_new or not costs.extra)
                self.boxes.append(after.boxes)
                if not board.is_ordinary:
                    self.squares.append(there)
                self.players.append(after.player)
                self.moves.append(moves)
                self.costs.append(costs.of(count, moves, len(self.movers)))
                pushed = landing
            previous = letter
        self.is_cut.append(True)
        self.last = len(self.movers)

    def places(self, first: int, last: int) -> list[list[tuple[Square, int]]]:
        """Return the (layered square, box number) pairs of each position from ``first`` to ``last``."""
        number = {square: index for index, square in enumerate(scan(self.squares[0]))}
        found = []
        for index, (before, after) in enumerate(pairwise(self.squares[: last + 1])):
            if index >= first:
                found.append(list(number.items()))
            number[lowest(after & ~before)] = number.pop(lowest(before & ~after))
        found.append(list(number.items()))
        return found

    def pushes_of(self, boxes: frozenset[int]) -> list[Bitboard]:
        """Return the squares that each push of some boxes changes, before and after it."""
        pushes = zip(self.movers, self.squares, self.squares[1:])
        return [before ^ after for mover, before, after in pushes if mover in boxes]


def _begins(objective: Objective, letter: str, previous: str, *, is_other_box: bool) -> bool:
    """True if a push begins a box line, box change or session, given its letter and that of the step before."""
    if objective is Objective.LINES:
        return letter != previous
    if objective is Objective.SESSIONS:
        return not previous.isupper()
    return is_other_box if objective is Objective.CHANGES else False


Passes = frozenset[tuple[Bitboard, Bitboard]]


class SquareKeys(dict[Bitboard, int]):
    """Keys for squares (A. L. Zobrist, "A new hashing method with application for game playing", 1970).

    The combined keys of its boxes identify a position.  A collision would wrongly admit or refuse a position, which
    costs time or a chance but never makes a solution wrong.
    """

    def __missing__(self, square: Bitboard) -> int:
        key = self[square] = mixed(square.bit_length())
        return key


def _pushed(boxes: Bitboard, box: Bitboard, offset: int) -> tuple[Bitboard, int, Bitboard]:
    """Do what ``LayeredSuccessors.push`` does, on an ordinary board."""
    landing = box << offset if offset > 0 else box >> -offset
    return landing, 0, boxes ^ box ^ landing


class Terrain:
    """Board with its costs, pushes and distances.

    Squares of boxes are layered (see ``solver.domain``), which on ordinary boards makes no difference.  ``size``:
    squares of a layer.  ``barred``: squares that no box may be pushed to except by ``passes``, pushes given as the
    box's squares before and after.  ``keys``: a key for each square, as a Bitboard.
    """

    def __init__(self, board: Board, costs: Costs, barred: Bitboard = 0, passes: Passes = frozenset()) -> None:
        self.board = board
        self.costs = costs
        self.size = board.size
        self.domain = Domain(board)
        self.push = _pushed if self.domain.is_plain else LayeredSuccessors(self.domain, ()).push
        self.keys = SquareKeys()
        self.barred = barred
        self.passes = passes
        self.nearest = lru_cache(maxsize=None)(self._nearest)
        self._columns: dict[Square, list[int]] = {}

    def column(self, square: LayeredSquare, meter: Meter, *, is_end: bool) -> Generator[Progress, None, list[int]]:
        """Return a lone box's fewest pushes from each square to one, as ``make_column`` does.

        A box never changes its layer, but with ``is_end`` it may go to every goal that takes it.
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
        """Return the ``count`` squares nearest to one by walking on the empty board, and all that tie with the last."""
        base = square - square % self.size
        floor, stride = self.board.floor << base, self.board.stride
        found = layer = 1 << square
        while layer and found.bit_count() <= count:
            layer = beside(layer, stride) & floor & ~found
            found |= layer
        return found
