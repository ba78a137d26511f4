"""The sides of a box: which of its neighbour squares the player can walk between when no other box is there.

That is a matter of the blocks (biconnected components) of the floor: two neighbours of a square are connected without
the square itself if and only if the edges to them lie in one block.
"""

from collections.abc import Generator, Iterator, Sequence

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, lowest
from sokoterm.engine.board import Board
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

NO_EDGE = -1

# How many squares or edges of the floor are as much work as a child.
STEPS = 256


def edge_blocks(board: Board, meter: Meter) -> Generator[Progress, None, Sequence[Sequence[int]]]:
    """``blocks[direction][square]``: the block of the edge that leaves a square of the floor, NO_EDGE at a wall.

    Depth-first with a stack, in time linear in the floor (Hopcroft and Tarjan, "Efficient algorithms for graph
    manipulation", Communications of the ACM 16, 1973).
    """
    walk = _Walk(board)
    for count, _ in enumerate(walk.steps()):
        if count % STEPS == 0 and meter.is_due():
            yield meter.progress()
    return walk.blocks


class _Walk:
    """A depth-first walk over the floor.

    ``entered``: when a square was entered, from 1 (0: not yet).  ``back``: the earliest entry that an edge leads to
    from the squares entered since, this one included.  ``edges``: those walked that belong to no block yet.
    """

    def __init__(self, board: Board) -> None:
        size = board.stride * board.height
        self.is_floor = f"{board.floor:0{size}b}"[::-1]
        self.offsets = board.offsets
        self.blocks = [[NO_EDGE] * size for _ in DIRECTIONS]
        # The directions not yet followed from each square that was entered.
        self.directions: dict[Square, list[Direction]] = {}
        self.entered = [0] * size
        self.back = [0] * size
        self.edges: list[tuple[Square, Direction]] = []
        self.path: list[Square] = []
        self.clock = 0
        self.block_count = 0
        self._enter(lowest(board.floor))

    def steps(self) -> Iterator[None]:
        """The whole walk, in steps of a few operations each."""
        while self.path:
            square = self.path[-1]
            if self.directions[square]:
                self._follow(square, self.directions[square].pop())
            else:
                yield from self._leave(square)
            yield

    def _follow(self, square: Square, direction: Direction) -> None:
        """Walk one edge: on to a new square, or back to one on the path."""
        neighbour = square + self.offsets[direction]
        if not self.entered[neighbour]:
            self.edges.append((square, direction))
            self._enter(neighbour)
        elif self.entered[neighbour] < self.entered[square] and neighbour != self.path[-2]:
            self.edges.append((square, direction))
            self.back[square] = min(self.back[square], self.entered[neighbour])

    def _leave(self, square: Square) -> Iterator[None]:
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
            yield

    def _enter(self, square: Square) -> None:
        self.clock += 1
        self.entered[square] = self.back[square] = self.clock
        self.path.append(square)
        # The border of the floor is wall, so no index leaves it.
        self.directions[square] = [each for each in DIRECTIONS if self.is_floor[square + self.offsets[each]] == "1"]
