"""Expansion of the macro moves on a line of nodes into single pushes or pulls."""

from collections.abc import Iterator
from itertools import chain, pairwise

from sokoterm.engine.bits import Bitboard, flood
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.fess.macro import macro_path
from sokoterm.solver.fess.tree import Node


def boxes_on_line(tables: BoardTables, last: Node, *, pulls: bool) -> list[Bitboard]:
    """Return the boxes after every single push, or pull, on the line to a node, those of the root first."""
    return list(chain.from_iterable(boxes_by_move(tables, last, pulls=pulls)))


def boxes_by_move(tables: BoardTables, last: Node, *, pulls: bool) -> Iterator[list[Bitboard]]:
    """Yield the same move by move: a long line on a large board takes longer than a search may go without a yield."""
    line = last.line()
    yield [line[0].boxes]
    for before, after in pairwise(line):
        origin = after.move.origin
        lifted = tables.floor & ~before.boxes | 1 << origin
        area = flood(1 << origin, lifted, tables.stride)
        end = after.move.square, after.region
        path = macro_path(tables.board, area, before.region, origin, end, lifted & tables.live, pulls=pulls)
        others = before.boxes ^ 1 << origin
        yield [others | 1 << square for square in path[1:]]
