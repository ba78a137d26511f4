"""The spine: the positions of a known solution, one after each push, with what it costs to come to each.

The word is that of S. Gouezel's vicinity search, which looks for better solutions near these positions.
"""

from itertools import pairwise

from sokoterm.engine.bits import Bitboard, Square, lowest, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.solver.optimizer.objective import Costs, Objective


class Spine:
    """A solution of *n* pushes as *n* + 1 positions.

    ``boxes[j]`` and ``players[j]``: the boxes and the player's square after *j* pushes; ``costs[j]``: what it took, and
    ``moves[j]`` the moves alone.  ``unit``: one more of the objective.  ``movers[j]``: the number of the box that the
    push from position *j* moves, counted by its square at the start.  ``is_cut[j]``: true if that push begins a box
    line, box change or session (whichever the objective counts) in any case, so that a better way to position *j* can
    be put before it; always true if the objective counts none of them.
    """

    def __init__(self, board: Board, start: State, solution: Solution, costs: Costs) -> None:
        self.solution = solution
        self.unit = costs.unit
        self.boxes: list[Bitboard] = [start.boxes]
        self.players: list[Square] = [start.player]
        self.costs: list[int] = [0]
        self.moves: list[int] = [0]
        self.movers: list[int] = []
        self.is_cut: list[bool] = []
        number = {square: index for index, square in enumerate(scan(start.boxes))}
        before, count, previous, pushed = start, 0, "", -1
        for moves, (after, letter) in enumerate(play(board, start, parse_lurd(solution.lurd)), start=1):
            if letter.isupper():
                box, landing = lowest(before.boxes & ~after.boxes), lowest(after.boxes & ~before.boxes)
                is_new = _begins(costs.objective, letter, previous, is_other_box=box != pushed)
                count += is_new
                number[landing] = number.pop(box)
                self.movers.append(number[landing])
                self.is_cut.append(is_new or not costs.extra)
                self.boxes.append(after.boxes)
                self.players.append(after.player)
                self.moves.append(moves)
                self.costs.append(costs.of(count, moves, len(self.movers)))
                pushed = landing
            before, previous = after, letter
        self.is_cut.append(True)
        self.last = len(self.movers)

    def places(self, first: int, last: int) -> list[list[tuple[Square, int]]]:
        """Return for each position from ``first`` to ``last`` the squares of its boxes, with their numbers."""
        number = {square: index for index, square in enumerate(scan(self.boxes[0]))}
        found = []
        for index, (before, after) in enumerate(pairwise(self.boxes[: last + 1])):
            if index >= first:
                found.append(list(number.items()))
            number[lowest(after & ~before)] = number.pop(lowest(before & ~after))
        found.append(list(number.items()))
        return found

    def pushes_of(self, boxes: frozenset[int]) -> list[Bitboard]:
        """Return what each push of some boxes changes, the squares before and after it."""
        return [
            before ^ after for mover, before, after in zip(self.movers, self.boxes, self.boxes[1:]) if mover in boxes
        ]


def _begins(objective: Objective, letter: str, previous: str, *, is_other_box: bool) -> bool:
    """True if a push begins a box line, box change or session, by the letters of it and of the step before."""
    if objective is Objective.LINES:
        return letter != previous
    if objective is Objective.SESSIONS:
        return not previous.isupper()
    return is_other_box if objective is Objective.CHANGES else False
