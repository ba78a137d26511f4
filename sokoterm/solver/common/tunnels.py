"""Tunnels: squares where a pushed box can only be pushed on, and may as well be pushed on at once.

If a lone box on a square separates the player from the square ahead of it, no sideways push is possible either, and the
square is no goal, then the box must be pushed straight on at some point.  Anything done before that happens on the
player's side of the box, and cannot interfere with a box one square further on the other side.  So a solution with
fewest pushes survives, though maybe not one with fewest moves.
"""

from collections.abc import Generator, Sequence

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, squares_of
from sokoterm.solver.common.distances import Distances
from sokoterm.solver.common.sides import STEPS
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress


def make_tunnels(distances: Distances, meter: Meter) -> Generator[Progress, None, Sequence[Bitboard]]:
    """Return for each direction the squares from which a box pushed in that direction must be pushed on."""
    goals = distances.board.goals
    found = []
    for direction in DIRECTIONS:
        squares = 0
        for count, square in enumerate(squares_of(distances.live[direction] & ~goals)):
            if count % STEPS == 0 and meter.is_due():
                yield meter.progress()
            if _must_go_on(distances, direction, square):
                squares |= 1 << square
        found.append(squares)
    return found


def _must_go_on(distances: Distances, direction: Direction, square: Square) -> bool:
    offsets, behind = distances.board.offsets, distances.behind
    place = behind[direction][square]
    if behind[direction.opposite][square] == place:
        return False
    return not any(
        behind[each][square] == place and distances.live[each] >> square + offsets[each] & 1
        for each in DIRECTIONS
        if each not in (direction, direction.opposite)
    )
