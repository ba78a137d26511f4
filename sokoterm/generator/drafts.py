"""Drafts of levels: rooms with goals and a start, made better bit by bit.

Ordinary ones by local search: a wall or a goal is moved, and the change is undone if the level gets worse. In the end a
pruned room is widened by a few squares: with only one way through, a level takes walking, not thinking.

With colours or ice, boxes stand at random in a room, and the position farthest from there gives the goals. The
positions of a search by pushes are few where boxes slide, and few enough where rooms are small. Whatever position it
comes to, its boxes are goals that can be filled.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, around, scan, shift
from sokoterm.engine.board import Board, State, layered, layers_of
from sokoterm.engine.lurd import Solution
from sokoterm.engine.rules import legal_pushes, push
from sokoterm.engine.steps import Steps
from sokoterm.generator.puzzle import Farthest, FarthestStart, SolvedRoom, solve_by_nodes, squares_used
from sokoterm.generator.recipes import LEAST_FLOOR, Wish
from sokoterm.generator.rooms import (
    draw_goals,
    draw_room,
    find_halls,
    is_connected,
    room_of,
    squares_beside,
    without_blind_ends,
)
from sokoterm.solver.common.dice import Dice
from sokoterm.solver.common.state_space import solution

# Searches that the nodes should suffice for, and most rooms and changes tried.
_SEARCHES = 30
_ROOMS = 400
_CHANGES = 2_000
# Floor squares per box, above which they only add walking.
_MOST_FLOOR = 8
_MOST_INSIDE = 11
# Most squares tried to widen a room, and most squares added.
_TRIED = 14
_GIVEN = 3
# A square is worth it if the search for fewest pushes needs at least a quarter more positions.
_MORE = 4
_ENOUGH_MORE = 5
# One level out of ``_IDLE_LEVELS`` may have idle squares, one in ``_IDLE``.
_IDLE = 12
_IDLE_LEVELS = 3


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


def widened(board: Board, start: State, solved: SolvedRoom, dice: Dice) -> Steps[tuple[Board, SolvedRoom]]:
    """Return the board with a few more squares that make the solution harder to find, but no shorter."""
    idle_allowed = board.floor.bit_count() // _IDLE if dice.below(_IDLE_LEVELS) == 0 else 0
    given = 0
    for square in dice.shuffled(squares_beside(board.floor, board.width, board.height))[:_TRIED]:
        floor = board.floor | 1 << square
        if find_halls(floor, board.stride):
            continue
        wider = room_of(floor, board.width, board.height, board.goals)
        tried = yield from solve_by_nodes(wider, start, 10 * solved.nodes + 1_000)
        if tried is None or not _is_better(tried, solved):
            continue
        if (floor & ~squares_used(wider, start, tried.solution.lurd)).bit_count() > idle_allowed:
            continue
        board, solved = wider, tried
        given += 1
        if given == _GIVEN:
            break
    return board, solved


def _is_better(tried: SolvedRoom, solved: SolvedRoom) -> bool:
    """True if pushes, box lines and box changes are no fewer, and the search needs enough more positions."""
    longer = tried.solution.pushes >= solved.solution.pushes and tried.solution.box_lines >= solved.solution.box_lines
    changes = tried.solution.box_changes >= solved.solution.box_changes
    return longer and changes and _MORE * tried.nodes >= _ENOUGH_MORE * solved.nodes


# Levels with colours or ice


_VARIED_ROOMS = 40
_LOOKED_AT = 24
# Pushes below which a level is no puzzle: each box once, and some of them again.
_LEAST_PUSHES = 2


class VariedRoom(NamedTuple):
    """A level in the making: a board with colours or ice, the start, and a solution with fewest pushes."""

    board: Board
    start: State
    solution: Solution


def draw_varied(dice: Dice, wish: Wish) -> Steps[VariedRoom | None]:
    """Draw a room with boxes and search for goals; None if no room drawn gives a puzzle."""
    boxes, has_colors = wish.boxes, "colors" in wish.kinds
    best: tuple[int, VariedRoom] | None = None
    for _ in range(_VARIED_ROOMS):
        yield
        room = draw_room(dice, wish.width, wish.height)
        if room.floor.bit_count() < LEAST_FLOOR * boxes:
            continue
        ice = _draw_ice(dice, room) if "sliding" in wish.kinds else 0
        board = room._replace(colors=(0,) * boxes if has_colors else (), ice=ice)
        start = _draw_start(dice, board, boxes, has_colors=has_colors)
        if start is None:
            continue
        found = yield from _farthest(board, start, wish.nodes)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best[1] if best is not None else None


def _draw_ice(dice: Dice, room: Board) -> Bitboard:
    """Draw where ice is: everywhere, or on about half of the floor, in one piece or several."""
    if dice.below(3):
        return room.floor
    seeds = [1 << dice.choice([*scan(room.floor)]) for _ in range(2)]
    ice = seeds[0] | seeds[1]
    while 2 * ice.bit_count() < room.floor.bit_count():
        ice |= 1 << dice.choice([*scan(around(ice, room.stride) & room.floor & ~ice)])
    return ice


def _draw_start(dice: Dice, board: Board, boxes: int, *, has_colors: bool) -> State | None:
    """Draw boxes that can be pushed, with their colours, and the player; None if there is no room."""
    floor = board.floor
    movable = 0
    for offset in board.offsets:
        movable |= floor & shift(floor, offset) & shift(floor, -offset)
    squares = dice.shuffled([*scan(movable)])[:boxes]
    if len(squares) < boxes:
        return None
    placed = sum(1 << square for square in squares)
    colors = _draw_colors(dice, squares) if has_colors else {}
    free = [*scan(floor & ~placed)]
    return State(layered(placed, layers_of(colors, boxes), board.size), dice.choice(free)).normalized(board)


def _draw_colors(dice: Dice, squares: Sequence[Square]) -> dict[Square, int]:
    """Draw a colour for each box; some share one, and one may have none."""
    colors: dict[Square, int] = {}
    for square in squares:
        used = len({*colors.values()})
        if len(squares) > 2 and colors and not dice.below(6):
            continue
        colors[square] = dice.below(used) if used > 1 and not dice.below(4) else used
    return colors


def _farthest(board: Board, start: State, nodes: int) -> Steps[tuple[int, VariedRoom] | None]:
    """Search from a start; return the puzzle whose goals are worth most, with its worth."""
    seen = {start}
    order = [start]
    for number, state in enumerate(order):
        if len(order) >= nodes:
            break
        if number % 100 == 0:
            yield
        for each in legal_pushes(board, state):
            after = push(board, state, each)
            if after is not None and (key := after.normalized(board)) not in seen:
                seen.add(key)
                order.append(key)
    best = None
    for state in order[: -_LOOKED_AT - 1 : -1]:
        yield
        found = yield from _puzzle(board, start, state.boxes, nodes)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best


def _puzzle(board: Board, start: State, boxes: Bitboard, nodes: int) -> Steps[tuple[int, VariedRoom] | None]:
    """Return the level with goals where these boxes are, and its worth; None if it is no puzzle.

    No box begins on a goal, so each of them has to move.
    """
    level = board._replace(goals=boxes & board.floor, colors=tuple(board.boxes_by_layer(boxes)[1:]))
    if start.boxes & level.goals:
        return None
    solved = yield from solve_by_nodes(level, start, nodes)
    if solved is None or solved.solution.pushes < _LEAST_PUSHES * level.goals.bit_count():
        return None
    solution = solved.solution
    return 2 * solution.box_changes + solution.pushes, VariedRoom(level, start, solution)
