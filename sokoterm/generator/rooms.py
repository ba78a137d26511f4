"""Rooms: floor laid out from small templates, then repaired until no square is useless.

After Taylor and Parberry, "Procedural generation of Sokoban levels" (2011), with different templates.
"""

from collections.abc import Sequence

from sokoterm.engine.bits import SYMMETRIES, Bitboard, Square, around, beside, flood, regions, scan, shift
from sokoterm.engine.board import Board
from sokoterm.solver.common.dice import Dice

# Three squares wide and high, rotated and mirrored at random: open floor, a pillar, a corner, two corners, a wall along
# a side, a spur, a corridor, a bend, an alcove, a narrow door, steps.
_TEMPLATES: tuple[tuple[str, ...], ...] = (
    ("   ", "   ", "   "),
    ("   ", " # ", "   "),
    ("#  ", "   ", "   "),
    ("#  ", "   ", "  #"),
    ("###", "   ", "   "),
    (" # ", "   ", "   "),
    ("###", "   ", "###"),
    ("###", "#  ", "#  "),
    ("# #", "   ", "   "),
    (" # ", "   ", " # "),
    ("## ", "#  ", "   "),
    ("## ", "   ", " ##"),
)
_SIDE = 3

# A rectangle of floor this large is a hall, where boxes never block each other.
_HALLS = ((3, 4), (4, 3), (2, 6), (6, 2))


def draw_room(dice: Dice, width: int, height: int) -> Board:
    """Draw a connected room without goals, halls or blind corridors, no larger than this with walls, maybe empty."""
    stride = width + 1
    floor = 0
    for top in range(1, height - 1, _SIDE):
        for left in range(1, width - 1, _SIDE):
            for row, cells in enumerate(dice.choice(SYMMETRIES).rows(dice.choice(_TEMPLATES))):
                for column, cell in enumerate(cells):
                    if cell == " " and top + row < height - 1 and left + column < width - 1:
                        floor |= 1 << (top + row) * stride + left + column
    while halls := find_halls(floor, stride):
        floor &= ~(1 << dice.choice([*scan(halls[0])]))
    parts = regions(floor, stride)
    floor = max(parts, key=int.bit_count) if parts else 0
    return room_of(without_blind_ends(floor, stride), width, height)


def room_of(floor: Bitboard, width: int, height: int, goals: Bitboard = 0) -> Board:
    """Return the board with this floor and walls around it."""
    stride = width + 1
    return Board(width, height, stride, around(floor, stride), floor, goals)


def find_halls(floor: Bitboard, stride: int) -> list[Bitboard]:
    """Return the rectangles of floor that are too large, by size and then by position."""
    halls = []
    for height, width in _HALLS:
        hall = sum(1 << row * stride + column for row in range(height) for column in range(width))
        corners = floor
        for square in scan(hall):
            corners &= floor >> square
        halls += [hall << corner for corner in scan(corners)]
    return halls


def without_blind_ends(floor: Bitboard, stride: int, kept: Bitboard = 0) -> Bitboard:
    """Return the floor without blind corridors; alcoves of one square and the squares ``kept`` stay."""
    while True:
        blind = 0
        for square in scan(floor & ~kept):
            near = beside(1 << square, stride) & floor
            # Its only neighbour leads to at most one other square.
            next_to = beside(1 << near.bit_length() - 1, stride) & floor if near else 0
            if near.bit_count() < 2 and next_to.bit_count() <= 2:
                blind |= 1 << square
        if not blind:
            return floor
        floor ^= blind


def is_connected(floor: Bitboard, stride: int) -> bool:
    return flood(floor & -floor, floor, stride) == floor


def draw_goals(dice: Dice, room: Board, count: int) -> Bitboard:
    """Draw ``count`` goals from which a box can be pulled, clustered or spread out; fewer if the room has too few."""
    floor, stride = room.floor, room.stride
    useful = 0
    for offset in room.offsets:
        useful |= floor & shift(floor, -offset) & shift(floor, -2 * offset)
    clustered = dice.choice((0, count // 2, count, count))
    goals = 0
    for number in range(count):
        near = useful & ~goals
        if 0 < number < clustered:
            near &= around(goals, stride)
        squares = [*scan(near or useful & ~goals)]
        if not squares:
            break
        goals |= 1 << dice.choice(squares)
    return goals


def squares_beside(floor: Bitboard, width: int, height: int) -> Sequence[Square]:
    """Return the walls inside the outer frame that share a side with the floor."""
    stride = width + 1
    row = (1 << width - 2) - 1 << 1
    inside = sum(row << stride * each for each in range(1, height - 1))
    return [*scan(beside(floor, stride) & inside & ~floor)]
