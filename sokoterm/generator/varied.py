"""Levels with colours or ice: boxes at random in a room, and the position farthest from there as the goals.

The positions of a search by pushes from the start are few where boxes slide, and few enough where rooms are small.
Whatever position it comes to, its boxes are goals that can be filled.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, around, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.engine.rules import legal_pushes, push
from sokoterm.engine.slices import Steps
from sokoterm.engine.variant import Variant, layered, layers_of
from sokoterm.generator.puzzle import solve_by_nodes
from sokoterm.generator.refine import LEAST_FLOOR
from sokoterm.generator.rooms import draw_room
from sokoterm.solver.common.dice import Dice

_ROOMS = 40
_LOOKED_AT = 24
# Pushes below which a level is no puzzle: each box once, and some of them again.
_LEAST_PUSHES = 2


class VariedRoom(NamedTuple):
    """A level in the making: a board with its variant, the start, and a solution with fewest pushes."""

    board: Board
    start: State
    solution: Solution


def draw_varied(
    dice: Dice, size: tuple[int, int], boxes: int, nodes: int, *, has_colors: bool, slides: bool
) -> Steps[VariedRoom | None]:
    """Draw a room with boxes and search ``nodes`` positions for goals; None if no room drawn gives a puzzle."""
    best: tuple[int, VariedRoom] | None = None
    for _ in range(_ROOMS):
        yield
        room = draw_room(dice, *size)
        if room.floor.bit_count() < LEAST_FLOOR * boxes:
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
    assert board.variant is not None
    own = board.variant.boxes_by_layer(boxes, board.size)[1:]
    level = board._replace(goals=boxes & board.floor, variant=board.variant._replace(colors=tuple(own)))
    if start.boxes & level.goals:
        return None
    solved = yield from solve_by_nodes(level, start, nodes)
    if solved is None or solved.solution.pushes < _LEAST_PUSHES * level.goals.bit_count():
        return None
    solution = solved.solution
    return 2 * solution.box_changes + solution.pushes, VariedRoom(level, start, solution)
