"""Facts of a board that no position changes."""

from collections.abc import Generator
from functools import cached_property, lru_cache, partial

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, flood, scan
from sokoterm.engine.board import Board
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.walled import Walled
from sokoterm.solver.fess.hotspots import Hotspots
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Progress, Reason

# More pushes than any box needs.
FAR = 1 << 20

# Floor squares above which no tables are made, and floor squares times goals: a board of 40 x 40 with 125 goals.
_LARGEST_FLOOR = 4_000
_MOST_DISTANCES = 200_000

# As many sets of walls have their tables at a time.
_MOST_LONE_BOXES = 1_000


class Ground:
    """What lone boxes can do on a board: made by ``make_ground``."""

    def __init__(self, walled: Walled, reach: dict[Square, Bitboard]) -> None:
        """``walled``: the tables of the board without any walls but its own."""
        board = walled.board
        self.open = walled
        self.board = board
        self.stride = board.stride
        self.floor = board.floor
        self.goals = board.goals
        self.lone = walled.lone
        # What a lone box can do beside boxes that are not to be moved, by their squares.
        self.lone_beside = lru_cache(_MOST_LONE_BOXES)(partial(LoneBox, walled.board))
        # The squares from which a box can be pushed to some goal, and for each of them those it can be pushed to.
        self.live = board.floor & ~walled.check.dead_squares
        self.reach = reach
        self.to_goal = [FAR] * (board.stride * board.height)
        self.frozen = walled.check.frozen
        self.stuck_beside = walled.check.stuck_beside

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        """Where the player can walk from a square."""
        return flood(1 << player, self.floor & ~boxes, self.stride)

    @cached_property
    def hotspots(self) -> Hotspots:
        """What is found out about a square when a box first comes there, for all searches on this board."""
        return Hotspots(self.board, self.lone)


def is_too_large(board: Board) -> bool:
    """Whether the tables of a board, and tests that make such tables again and again, would take too long."""
    size = board.floor.bit_count()
    return size > _LARGEST_FLOOR or size * board.goals.bit_count() > _MOST_DISTANCES


def make_ground(board: Board, meter: Meter) -> Generator[Progress, None, Ground]:
    """The ground of a board; raises LimitReached for one too large to have tables."""
    if is_too_large(board):
        raise LimitReached(Reason.MEMORY)
    walled = Walled(board)
    lone = walled.lone
    reach = {}
    to_goal = [FAR] * (board.stride * board.height)
    for square in scan(board.floor & ~walled.check.dead_squares):
        pushes = lone.pushes_from(square)
        reach[square] = bitboard_of(pushes)
        to_goal[square] = min(pushes.get(goal, FAR) for goal in scan(board.goals))
        yield meter.progress()
    ground = Ground(walled, reach)
    ground.to_goal = to_goal
    return ground
