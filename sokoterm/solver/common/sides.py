"""Blocks (biconnected components) of the floor, which tell between which sides of a lone box the player can walk.

Two neighbours of a square are connected without the square itself if and only if the edges to them are in one block.
"""

from collections.abc import Generator, Iterator, Sequence

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, lowest
from sokoterm.engine.board import Board
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

NO_EDGE = -1

# Squares or edges of the floor that cost as much as a child.
STEPS = 256


def edge_blocks(board: Board, meter: Meter) -> Generator[Progress, None, Sequence[Sequence[int]]]:
    """Return ``blocks[direction][square]``: the block of the edge leaving a floor square, NO_EDGE at a wall.

    Depth-first search with a stack, in time linear in the floor (Hopcroft and Tarjan, "Efficient algorithms for graph
    manipulation", Communications of the ACM 16, 1973).
    """
    walk = _Walk(board)
    for count, _ in enumerate(walk.steps()):
        if count % STEPS == 0 and meter.is_due():
            yield meter.progress()
    return walk.blocks


class _Walk:
    """Depth-first search over the floor.

    ``entered``: discovery time of each square, from 1 (0: not yet).  ``back``: its low point, the earliest discovery
    time an edge leads to from it or a square below it.  ``edges``: edges walked that are not in a block yet.
    """

    def __init__(self, board: Board) -> None:
        size = board.stride * board.height
        self.is_floor = f"{board.floor:0{size}b}"[::-1]
        self.offsets = board.offsets
        self.blocks = [[NO_EDGE] * size for _ in DIRECTIONS]
        # Directions still to follow from each square entered.
        self.directions: dict[Square, list[Direction]] = {}
        self.entered = [0] * size
        self.back = [0] * size
        self.edges: list[tuple[Square, Direction]] = []
        self.path: list[Square] = []
        self.clock = 0
        self.block_count = 0
        self._enter(lowest(board.floor))

    def steps(self) -> Iterator[None]:
        """Run the search in steps of a few operations each."""
        while self.path:
            square = self.path[-1]
            if self.directions[square]:
                self._follow(square, self.directions[square].pop())
            else:
                yield from self._leave(square)
            yield

    def _follow(self, square: Square, direction: Direction) -> None:
        """Follow one edge: to a new square, or back to one on the path."""
        neighbour = square + self.offsets[direction]
        if not self.entered[neighbour]:
            self.edges.append((square, direction))
            self._enter(neighbour)
        elif self.entered[neighbour] < self.entered[square] and neighbour != self.path[-2]:
            self.edges.append((square, direction))
            self.back[square] = min(self.back[square], self.entered[neighbour])

    def _leave(self, square: Square) -> Iterator[None]:
        """Backtrack; if no edge leads from here to above the square before, the edges since then form a block."""
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
            yield

    def _enter(self, square: Square) -> None:
        self.clock += 1
        self.entered[square] = self.back[square] = self.clock
        self.path.append(square)
        # The board is closed, so no index is out of range.
        self.directions[square] = [each for each in DIRECTIONS if self.is_floor[square + self.offsets[each]] == "1"]
