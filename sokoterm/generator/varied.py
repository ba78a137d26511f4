"""Levels with colours or ice: boxes at random in a room, and the position farthest from there as the goals.

The positions of a search by pushes from the start are few where boxes slide, and few enough where rooms are small.
Whatever position it comes to, its boxes are goals that can be filled.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, around, scan, shift
from sokoterm.engine.board import Board, Push, State
from sokoterm.engine.lurd import letter
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import is_solved, legal_pushes, push
from sokoterm.engine.slices import Steps
from sokoterm.engine.variant import Variant, layered, layers_of
from sokoterm.generator.rooms import draw_room
from sokoterm.solver.common.dice import Dice

_ROOMS = 40
_LEAST_FLOOR = 4
_LOOKED_AT = 24
# Pushes below which a level is no puzzle: each box once, and some of them again.
_LEAST_PUSHES = 2


class VariedRoom(NamedTuple):
    """A level in the making: a board with its variant, the start, and a solution with fewest pushes."""

    board: Board
    start: State
    lurd: str


def draw_varied(
    dice: Dice, size: tuple[int, int], boxes: int, nodes: int, *, has_colors: bool, slides: bool
) -> Steps[VariedRoom | None]:
    """Draw a room with boxes and search ``nodes`` positions for goals; None if no room drawn gives a puzzle."""
    best: tuple[int, VariedRoom] | None = None
    for _ in range(_ROOMS):
        yield
        room = draw_room(dice, *size)
        if room.floor.bit_count() < _LEAST_FLOOR * boxes:
            continue
        variant = Variant((0,) * boxes if has_colors else (), _draw_ice(dice, room) if slides else 0)
        board = room._replace(variant=variant)
        start = _draw_start(dice, board, boxes, has_colors=has_colors)
        if start is None:
            continue
        found = yield from _farthest(board, start, nodes)
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
    came_from: dict[State, tuple[State, Push] | None] = {start: None}
    order = [start]
    for number, state in enumerate(order):
        if len(order) >= nodes:
            break
        if number % 100 == 0:
            yield
        for each in legal_pushes(board, state):
            after = push(board, state, each)
            if after is not None and (key := after.normalized(board)) not in came_from:
                came_from[key] = state, each
                order.append(key)
    best = None
    for state in order[: -_LOOKED_AT - 1 : -1]:
        yield
        found = yield from _puzzle(board, start, state.boxes, nodes)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best


def _puzzle(board: Board, start: State, boxes: Bitboard, nodes: int) -> Steps[tuple[int, VariedRoom] | None]:
    """Return the level with goals where these boxes are, solved in fewest pushes, and its worth; None if it is none."""
    assert board.variant is not None
    floor, size = board.floor, board.size
    layers = tuple(boxes >> (color + 1) * size & floor for color in range(len(board.variant.colors)))
    level = board._replace(goals=boxes & floor, variant=board.variant._replace(colors=layers))
    if start.boxes & level.goals:
        return None
    pushes = yield from _fewest(level, start, nodes)
    if pushes is None:
        return None
    moved = {each.box for each in pushes}
    count = level.goals.bit_count()
    if not {*scan(start.boxes & floor)} <= moved or len(pushes) < _LEAST_PUSHES * count:
        return None
    changes = 1 + sum(before.box + board.offsets[before.direction] != after.box for before, after in pairwise(pushes))
    return 2 * changes + len(pushes), VariedRoom(level, start, _lurd(level, start, pushes))


def _lurd(board: Board, start: State, pushes: Sequence[Push]) -> str:
    """Return LURD letters of pushes with the shortest walks before them."""
    letters = []
    state = start
    for each in pushes:
        walk, after = find_walk(board, state, each.box - board.offsets[each.direction]), push(board, state, each)
        if walk is None or after is None:
            raise AssertionError("a push that the rules do not allow")
        letters += [letter(direction, False) for direction in walk] + [letter(each.direction, True)]
        state = after
    return "".join(letters)


def _fewest(board: Board, start: State, nodes: int) -> Steps[list[Push] | None]:
    """Return a solution with fewest pushes, None if none is found within so many positions."""
    came_from: dict[State, tuple[State, Push] | None] = {start: None}
    order = [start]
    for number, state in enumerate(order):
        if number % 100 == 0:
            yield
        if len(order) >= 2 * nodes:
            break
        for each in legal_pushes(board, state):
            after = push(board, state, each)
            if after is None or (key := after.normalized(board)) in came_from:
                continue
            came_from[key] = state, each
            if is_solved(board, after):
                pushes: list[Push] = []
                while (step := came_from[key]) is not None:
                    key = step[0]
                    pushes.append(step[1])
                return pushes[::-1]
            order.append(key)
    return None
