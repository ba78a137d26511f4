"""Local search on rooms: a wall or a goal is moved, and the change is undone if the level gets worse."""

from typing import NamedTuple

from sokoterm.engine.bits import scan
from sokoterm.engine.board import Board
from sokoterm.generator.dice import Dice
from sokoterm.generator.farthest import Farthest, FarthestStart
from sokoterm.generator.rooms import (
    draw_goals,
    draw_room,
    find_halls,
    is_connected,
    room_of,
    squares_beside,
    without_blind_ends,
)
from sokoterm.generator.steps import Steps
from sokoterm.generator.widen import squares_used
from sokoterm.solver.common.trail import solution


class Draft(NamedTuple):
    """A room with goals, and the best start found in it."""

    board: Board
    start: FarthestStart


class Drafts:
    """Drafts with a given size and number of boxes; ``nodes`` is the remaining budget."""

    def __init__(self, dice: Dice, width: int, height: int, boxes: int, nodes: int) -> None:
        self.nodes = nodes
        self._dice = dice
        self._width, self._height = _fitting(width, height, boxes)
        self._boxes = boxes
        self._nodes_each = max(1, nodes // _SEARCHES)

    def best_room(self) -> Steps[Draft | None]:
        """Draw rooms from templates with a quarter of the nodes; return the best, or None."""
        best: Draft | None = None
        reserve = self.nodes * 3 // 4
        for _ in range(_ROOMS):
            if self.nodes <= reserve:
                break
            yield
            room = draw_room(self._dice, self._width, self._height)
            if not LEAST_FLOOR * self._boxes <= room.floor.bit_count() <= _MOST_FLOOR * self._boxes + _MOST_FLOOR:
                continue
            goals = draw_goals(self._dice, room, self._boxes)
            best = yield from self._better(best, room._replace(goals=goals))
        return best

    def refined(self, draft: Draft) -> Steps[Draft]:
        """Return the draft after all changes that did not make it worse, until the nodes are used up."""
        for _ in range(_CHANGES):
            if self.nodes <= 0:
                break
            yield
            board = self._changed(draft.board)
            if board is not None:
                draft = (yield from self._better(draft, board)) or draft
        return draft

    def pruned(self, draft: Draft) -> Steps[Draft]:
        """Return the draft with walls on the squares that its solution does not use, unless that makes it worse."""
        board, start = draft
        used = squares_used(board, start.state, solution(board, start.state, start.trail).lurd)
        if used == board.floor:
            return draft
        better = yield from self._better(draft, room_of(used, self._width, self._height, board.goals))
        return better or draft

    def _better(self, best: Draft | None, board: Board) -> Steps[Draft | None]:
        """Return the better of a draft and another board; the board if the scores are equal."""
        if board.goals.bit_count() < self._boxes:
            return best
        search = Farthest(board)
        start = yield from search.run(self._nodes_each)
        self.nodes -= search.nodes + 1
        if start is None or best is not None and start.score < best.start.score:
            return best
        return Draft(board, start)

    def _changed(self, board: Board) -> Board | None:
        """Return the board after one or two random changes; None if it is no valid room any more."""
        floor, goals = board.floor, board.goals
        for _ in range(1 + self._dice.below(2)):
            kind = self._dice.below(3)
            if kind == 0:
                floor |= 1 << self._dice.choice(squares_beside(floor, self._width, self._height) or [*scan(floor)])
            elif kind == 1:
                floor &= ~(1 << self._dice.choice([*scan(floor & ~goals)]))
            else:
                goals &= ~(1 << self._dice.choice([*scan(goals)]))
                goals |= 1 << self._dice.choice([*scan(floor & ~goals)])
        floor = without_blind_ends(floor, board.stride, goals)
        if not is_connected(floor, board.stride) or find_halls(floor, board.stride):
            return None
        return room_of(floor, self._width, self._height, goals)


def _fitting(width: int, height: int, boxes: int) -> tuple[int, int]:
    """Reduce the longer side until the room is no larger than ``boxes`` can fill."""
    most = _MOST_INSIDE * (boxes + 1)
    width, height = min(width, most + 2), min(height, most + 2)  # in one step: a size may have many digits
    while (width - 2) * (height - 2) > most:
        width, height = (width - 1, height) if width >= height else (width, height - 1)
    return width, height


# Searches that the nodes should be enough for, and most rooms and changes tried.
_SEARCHES = 30
_ROOMS = 400
_CHANGES = 2_000
# Floor squares per box: fewer leave no way past, more only add walking.
LEAST_FLOOR = 4
_MOST_FLOOR = 8
_MOST_INSIDE = 11
