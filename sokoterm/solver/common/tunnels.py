"""Tunnels: squares where a box that has come there can only be pushed on, and may as well be pushed at once.

Where a lone box on a square parts the player from the square before it, and no push to the side is possible either,
the box will be pushed straight on some time, the square being no goal.  What is done before that is done on the
player's side of the box, and nothing there hinders or is hindered by a box one square further on: it is on the other
side.  So no shortest solution is lost (of pushes; the player may walk more).
"""

from collections.abc import Generator, Sequence

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, squares_of
from sokoterm.solver.common.distances import Distances
from sokoterm.solver.common.sides import STEPS
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress


def make_tunnels(distances: Distances, meter: Meter) -> Generator[Progress, None, Sequence[Bitboard]]:
    """For each direction the squares from which a box pushed in that direction must go on in it."""
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
