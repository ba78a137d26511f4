"""Board tables: facts about a board that hold in every position, and hotspots, computed for a square when needed."""

from collections.abc import Callable, Generator
from functools import cached_property, lru_cache, partial

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, flood, scan
from sokoterm.engine.board import Board
from sokoterm.engine.deadlock.subsets import FrozenBoard
from sokoterm.engine.lone_box import LoneBox
from sokoterm.solver.search import LimitReached, Meter, Progress, Reason

# More pushes than a box ever needs.
FAR = 1 << 20

# Largest floor, and largest product of floor squares and goals, that get tables: a board of 40 x 40 with 125 goals.
_LARGEST_FLOOR = 4_000
_MOST_DISTANCES = 200_000

# Sets of walls with cached tables.
_MOST_LONE_BOXES = 1_000


class Hotspots:
    """Hotspots: boxes that keep other boxes from goals.  Call ``look_at`` for a square before a box is there."""

    def __init__(self, board: Board, lone: LoneBox) -> None:
        """``lone``: push reachability without other boxes."""
        self._board = board
        # Squares not examined yet; boxes on goals never count as hotspots.
        self.unknown = board.floor & ~board.goals
        self._blocked: dict[Square, Bitboard] = {}
        self._towards = [(1 << goal, lone.squares_towards(1 << goal)) for goal in scan(board.goals)]

    def count(self, boxes: Bitboard) -> int:
        """Count the boxes off the goals that block another box off the goals."""
        loose = boxes & ~self._board.goals
        return sum(bool(self._blocked[box] & loose) for box in scan(loose))

    def lifting(self, boxes: Bitboard) -> Callable[[Square], Callable[[Square], int]]:
        """Return a function: box square -> (its new square -> count), which updates the count instead of recounting."""
        goals, blocked = self._board.goals, self._blocked
        loose = boxes & ~goals
        blocking = 0
        # Boxes and the squares they block: those that block no other box and, by blocked box, those that block only it.
        harmless: list[tuple[Square, Bitboard]] = []
        blocking_one: dict[Square, list[tuple[Square, Bitboard]]] = {}
        for box in scan(loose):
            from_here = blocked[box]
            met = from_here & loose
            if met:
                blocking |= 1 << box
                if not met & met - 1:
                    blocking_one.setdefault(met.bit_length() - 1, []).append((box, from_here))
            elif from_here:
                harmless.append((box, from_here))

        def without(origin: Square) -> Callable[[Square], int]:
            others = loose & ~(1 << origin)
            freed = blocking_one.get(origin, [])
            steady = (blocking & others).bit_count() - len(freed)
            fields = [from_here for box, from_here in harmless + freed if box != origin]

            def count(square: Square) -> int:
                if goals >> square & 1:
                    return steady
                total = steady + 1 if blocked[square] & others else steady
                for each in fields:
                    total += each >> square & 1
                return total

            return count

        return without

    def look_at(self, square: Square) -> None:
        """Find the squares from which a box on ``square`` keeps others from a goal they could otherwise reach."""
        lone = LoneBox(self._board, 1 << square)
        blocked = 0
        for goal, towards in self._towards:
            blocked |= towards & ~lone.squares_towards(goal)
        self._blocked[square] = blocked & ~(1 << square)
        self.unknown &= ~(1 << square)


class BoardTables:
    """Tables of the squares a lone box can reach; built by ``make_tables``.

    ``plain``: tables of the same board without colours.  On boards with colours, boxes and their squares are layered.
    """

    all_layers = 1

    def __init__(self, frozen_board: FrozenBoard) -> None:
        """``frozen_board``: the tables of the board without fixed boxes."""
        board = frozen_board.board
        self.open = frozen_board
        self.plain = self
        self.board = board
        self.stride = board.stride
        self.floor = board.floor
        self.goals = board.goals
        self.lone = frozen_board.lone
        # Push reachability of a lone box around fixed boxes.
        self.lone_beside = lru_cache(_MOST_LONE_BOXES)(partial(LoneBox, frozen_board.board))
        # Squares from which a box can reach some goal, and for each of them the squares it can reach.
        self.live = board.floor & ~frozen_board.check.dead_squares
        self.reach: dict[Square, Bitboard] = {}
        self.to_goal = [FAR] * board.size
        self.frozen = frozen_board.check.frozen
        self.stuck_beside = frozen_board.check.stuck_beside

    def squares(self, boxes: Bitboard) -> Bitboard:
        """Return the squares of boxes, ignoring layers."""
        return boxes

    def state(self, boxes: Bitboard) -> Bitboard:
        """Return boxes in the encoding of ``State``."""
        return boxes

    def base(self, boxes: Bitboard, square: Square) -> int:  # noqa: ARG002 - of one layer
        """Return the first square of the layer of the box on a square."""
        return 0

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        """Return the squares the player can walk to from a square."""
        return flood(1 << player, self.floor & ~boxes, self.stride)

    def free(self, boxes: Bitboard) -> Bitboard:
        return self.floor & ~boxes

    def pushes_from(self, square: Square) -> dict[Square, int]:
        return self.lone.pushes_from(square)

    def squares_towards(self, walls: Bitboard, squares: Bitboard) -> Bitboard:
        """Return the squares from which a lone box can be pushed to ``squares`` despite additional ``walls``."""
        return LoneBox(self.board, walls).squares_towards(squares)

    def apart(self, square: Square, other: Square) -> int:
        return self.board.apart(square, other)

    @cached_property
    def hotspots(self) -> Hotspots:
        return Hotspots(self.board, self.lone)


def is_too_large(board: Board) -> bool:
    """True if the tables of a board, or tests that often rebuild such tables, would take too long."""
    size = board.floor.bit_count()
    return size > _LARGEST_FLOOR or size * board.goals.bit_count() > _MOST_DISTANCES


def make_tables(board: Board, meter: Meter) -> Generator[Progress, None, BoardTables]:
    """Build the tables of a board; raise LimitReached if it is too large."""
    if is_too_large(board):
        raise LimitReached(Reason.SIZE)
    tables = BoardTables(FrozenBoard(board))
    for square in scan(tables.live):
        pushes = tables.lone.pushes_from(square)
        tables.reach[square] = bitboard_of(pushes)
        tables.to_goal[square] = min(pushes.get(goal, FAR) for goal in scan(board.goals))
        yield meter.progress()
    return tables
