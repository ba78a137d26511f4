"""The single pushes, or pulls, that the macro moves on a line of nodes are made of."""

from itertools import pairwise

from sokoterm.engine.bits import Bitboard, flood
from sokoterm.solver.fess.ground import Ground
from sokoterm.solver.fess.macro import macro_path
from sokoterm.solver.fess.tree import Node


def boxes_on_line(ground: Ground, last: Node, *, pulls: bool) -> list[Bitboard]:
    """The boxes after every single push, or pull, on the line to a node, those of the root first."""
    line = last.line()
    found = [line[0].boxes]
    for before, after in pairwise(line):
        origin = after.move.origin
        lifted = ground.floor & ~before.boxes | 1 << origin
        area = flood(1 << origin, lifted, ground.stride)
        end = after.move.square, after.region
        path = macro_path(ground.board, area, before.region, origin, end, lifted & ground.live, pulls=pulls)
        others = before.boxes ^ 1 << origin
        found += [others | 1 << square for square in path[1:]]
    return found
