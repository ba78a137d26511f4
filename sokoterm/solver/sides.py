"""The sides of a box: which of its neighbour squares the player can walk between when no other box is there.

That is a matter of the blocks (biconnected components) of the floor: two neighbours of a square are connected without
the square itself if and only if the edges to them lie in one block.
"""

from collections.abc import Generator, Sequence

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, lowest
from sokoterm.engine.board import Board
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

NO_EDGE = -1


def edge_blocks(board: Board, meter: Meter) -> Generator[Progress, None, Sequence[Sequence[int]]]:
    """``blocks[direction][square]``: the block of the edge that leaves a square of the floor, NO_EDGE at a wall.

    Depth-first with a stack, in time linear in the floor (Hopcroft and Tarjan, "Efficient algorithms for graph
    manipulation", Communications of the ACM 16, 1973).
    """
    walk = _Walk(board)
    while walk.path:
        square = walk.path[-1]
        if walk.directions[square]:
            walk.follow(square, walk.directions[square].pop())
        else:
            walk.leave(square)
            if meter.is_due():
                yield meter.progress()
    return walk.blocks


class _Walk:
    """A depth-first walk over the floor.

    ``entered``: when a square was entered, from 1 (0: not yet).  ``back``: the earliest entry that an edge leads to
    from the squares entered since, this one included.  ``edges``: those walked that belong to no block yet.
    """

    def __init__(self, board: Board) -> None:
        size = board.stride * board.height
        is_floor = [digit == "1" for digit in reversed(f"{board.floor:0{size}b}")]
        self.offsets = board.offsets
        self.blocks = [[NO_EDGE] * size for _ in DIRECTIONS]
        # The directions not yet followed from each square of the floor; its border is wall, so no index leaves it.
        self.directions = [
            [each for each in DIRECTIONS if floor and is_floor[square + board.offsets[each]]]
            for square, floor in enumerate(is_floor)
        ]
        self.entered = [0] * size
        self.back = [0] * size
        self.edges: list[tuple[Square, Direction]] = []
        self.path: list[Square] = []
        self.clock = 0
        self.block_count = 0
        self._enter(lowest(board.floor))

    def follow(self, square: Square, direction: Direction) -> None:
        """Walk one edge: on to a new square, or back to one on the path."""
        neighbour = square + self.offsets[direction]
        if not self.entered[neighbour]:
            self.edges.append((square, direction))
            self._enter(neighbour)
        elif self.entered[neighbour] < self.entered[square] and neighbour != self.path[-2]:
            self.edges.append((square, direction))
            self.back[square] = min(self.back[square], self.entered[neighbour])

    def leave(self, square: Square) -> None:
        """Step back; if no edge leads from here to above the square before, the edges since then are a block."""
        self.path.pop()
        if not self.path:
            return
        before = self.path[-1]
        if self.back[square] < self.entered[before]:
            self.back[before] = min(self.back[before], self.back[square])
            return
        self.block_count += 1
        while True:
            end, direction = self.edges.pop()
            other_end = end + self.offsets[direction]
            self.blocks[direction][end] = self.blocks[direction.opposite][other_end] = self.block_count
            if (end, other_end) == (before, square):
                return

    def _enter(self, square: Square) -> None:
        self.clock += 1
        self.entered[square] = self.back[square] = self.clock
        self.path.append(square)
