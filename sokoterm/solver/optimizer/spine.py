"""The spine: the positions of a known solution, one after each push, with what it costs to come to each.

The word is that of S. Gouezel's vicinity search, which looks for better solutions near these positions.  The terrain
below it are facts about the board that all these searches share.
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
    """A solution of *n* pushes as *n* + 1 positions.

    ``boxes[j]`` and ``players[j]``: the boxes and the player's square after *j* pushes; ``costs[j]``: what it took, and
    ``moves[j]`` the moves alone.  ``squares[j]``: the boxes as layered squares (see ``solver.domain``), on ordinary
    boards the same as ``boxes``.  ``unit``: one more of the objective.  ``movers[j]``: the number of the box that the
    push from position *j* moves, counted by its layered square at the start.  ``is_cut[j]``: true if that push begins a
    box line, box change or session (whichever the objective counts) in any case, so that a better route to position *j*
    can be put before it; always true if the objective counts none of them.
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
        """Return for each position from ``first`` to ``last`` the layered squares of its boxes, with their numbers."""
        number = {square: index for index, square in enumerate(scan(self.squares[0]))}
        found = []
        for index, (before, after) in enumerate(pairwise(self.squares[: last + 1])):
            if index >= first:
                found.append(list(number.items()))
            number[lowest(after & ~before)] = number.pop(lowest(before & ~after))
        found.append(list(number.items()))
        return found

    def pushes_of(self, boxes: frozenset[int]) -> list[Bitboard]:
        """Return what each push of some boxes changes, the squares before and after it."""
        pushes = zip(self.movers, self.squares, self.squares[1:])
        return [before ^ after for mover, before, after in pushes if mover in boxes]


def _begins(objective: Objective, letter: str, previous: str, *, is_other_box: bool) -> bool:
    """True if a push begins a box line, box change or session, by the letters of it and of the step before."""
    if objective is Objective.LINES:
        return letter != previous
    if objective is Objective.SESSIONS:
        return not previous.isupper()
    return is_other_box if objective is Objective.CHANGES else False


Passes = frozenset[tuple[Bitboard, Bitboard]]


class SquareKeys(dict[Bitboard, int]):
    """A key for each square (A. L. Zobrist, "A new hashing method with application for game playing", 1970).

    Positions are told apart by the keys of their boxes combined.  Were two of them ever mistaken for each other, one
    would be admitted or refused in error, which costs time or a chance, but never makes a solution wrong.
    """

    def __missing__(self, square: Bitboard) -> int:
        key = self[square] = mixed(square.bit_length())
        return key


def _pushed(boxes: Bitboard, box: Bitboard, offset: int) -> tuple[Bitboard, int, Bitboard]:
    """Return the same as ``LayeredSuccessors.push`` on an ordinary board."""
    landing = box << offset if offset > 0 else box >> -offset
    return landing, 0, boxes ^ box ^ landing


class Terrain:
    """A board with its costs, pushes and distances.

    Squares of boxes are layered ones (see ``solver.domain``), which on ordinary boards are the squares themselves.
    ``size``: the squares of a layer.  ``barred``: those that no box may be pushed to but by ``passes``, the pushes that
    are allowed nevertheless, each as the square of the box before and after.  ``keys``: one for each square, as a
    Bitboard.
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
