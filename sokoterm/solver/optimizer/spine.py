"""The spine: the positions of a known solution, one after each push, with what it costs to come to each.

The word is that of S. Gouezel's vicinity search, which looks for better solutions near these positions.
"""

from itertools import pairwise

from sokoterm.engine.bits import Bitboard, Square, lowest, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.engine.variant import layered_squares
from sokoterm.solver.optimizer.objective import Costs, Objective


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
        self.squares = self.boxes if board.variant is None else [here]
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
                if board.variant is not None:
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
