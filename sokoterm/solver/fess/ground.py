"""Facts of a board that no position changes."""

from collections.abc import Generator, Iterable, Sequence

from sokoterm.engine.bits import Bitboard, Square, lowest, scan
from sokoterm.engine.blocks import JOINED_SIDES, Blocks, Sides
from sokoterm.engine.board import Board
from sokoterm.engine.deadlock import DeadlockCheck
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Progress, Reason

# More pushes than any box needs.
FAR = 1 << 20

# Floor squares above which no tables are made, and floor squares times goals: a board of 40 x 40 with 125 goals.
_LARGEST_FLOOR = 4_000
_MOST_DISTANCES = 200_000


class LoneBox:
    """Where a box can be pushed when nothing stands in its way but ``walls``: the frozen boxes, or none at all."""

    def __init__(self, board: Board, walls: Bitboard = 0) -> None:
        self.free = board.floor & ~walls
        self._offsets = board.offsets
        self._size = board.stride * board.height
        # Any free square stands for that of the box.
        self.pairs = Blocks(board, walls).joined_pairs(lowest(self.free)) if self.free else bytes(self._size)

    def free_sides(self, square: Square) -> Sides:
        """The sides of a square that are free."""
        return sum(1 << side for side, offset in enumerate(self._offsets) if self.free >> square + offset & 1)

    def joined(self, square: Square, side: int) -> Sides:
        """The sides to which the player can walk from one side of a box on a square."""
        return JOINED_SIDES[side][self.pairs[square]]

    def pushes_from(self, square: Square) -> dict[Square, int]:
        """The fewest pushes from a square to others, the player beginning on any side."""
        free, offsets, pairs = self.free, self._offsets, self.pairs
        pushes = {square: 0}
        first = self.free_sides(square)
        seen = {square: first}
        layer = [(square, first)]
        count = 0
        while layer:
            count += 1
            reached = []
            for box, sides in layer:
                for side in range(4):
                    landing = box - offsets[side]
                    if sides >> side & 1 and free >> landing & 1 and not seen.get(landing, 0) >> side & 1:
                        new = JOINED_SIDES[side][pairs[landing]]
                        seen[landing] = seen.get(landing, 0) | new
                        pushes.setdefault(landing, count)
                        reached.append((landing, new))
            layer = reached
        return pushes

    def sides_towards(self, targets: Bitboard) -> list[Sides]:
        """For each square the sides of the player from which a box there can be pushed to one of the targets."""
        free, offsets, pairs = self.free, self._offsets, self.pairs
        found = [0] * self._size
        waiting = []
        for target in scan(targets & free):
            found[target] = self.free_sides(target)
            waiting.append((target, found[target]))
        while waiting:
            landing, sides = waiting.pop()
            for side in range(4):
                if sides >> side & 1:
                    box = landing + offsets[side]
                    player = box + offsets[side]
                    if free >> box & 1 and free >> player & 1 and not found[box] >> side & 1:
                        new = JOINED_SIDES[side][pairs[box]]
                        found[box] |= new
                        waiting.append((box, new))
        return found

    def squares_towards(self, targets: Bitboard) -> Bitboard:
        """The squares from which a box can be pushed to one of the targets, from some side."""
        return squares(square for square, sides in enumerate(self.sides_towards(targets)) if sides)


class Ground:
    """What lone boxes can do on a board: made by ``make_ground``."""

    def __init__(self, board: Board, lone: LoneBox, live: Bitboard, reach: dict[Square, Bitboard]) -> None:
        self.board = board
        self.stride = board.stride
        self.floor = board.floor
        self.goals = board.goals
        self.lone = lone
        self.check = DeadlockCheck(board)
        # The squares from which a box can be pushed to some goal, and for each of them those it can be pushed to.
        self.live = live
        self.reach = reach
        self.goal_squares = list(scan(board.goals))
        self.to_goal = [FAR] * (board.stride * board.height)

    def frozen(self, boxes: Bitboard) -> Bitboard:
        return self.check.frozen(boxes)


def make_ground(board: Board, meter: Meter) -> Generator[Progress, None, Ground]:
    """The ground of a board; raises LimitReached for one too large to have tables."""
    size = board.floor.bit_count()
    if size > _LARGEST_FLOOR or size * board.goals.bit_count() > _MOST_DISTANCES:
        raise LimitReached(Reason.MEMORY)
    lone = LoneBox(board)
    live = lone.squares_towards(board.goals)
    reach = {}
    to_goal = [FAR] * (board.stride * board.height)
    for square in scan(live):
        pushes = lone.pushes_from(square)
        reach[square] = squares(pushes)
        to_goal[square] = min(pushes.get(goal, FAR) for goal in scan(board.goals))
        yield meter.progress()
    ground = Ground(board, lone, live, reach)
    ground.to_goal = to_goal
    return ground


def squares(found: Iterable[Square]) -> Bitboard:
    """The Bitboard of some squares."""
    bits = 0
    for square in found:
        bits |= 1 << square
    return bits


def can_match(rows: Sequence[int]) -> bool:
    """Whether every row can have a column of its own among those whose bits it has (Kuhn's algorithm)."""
    owner: dict[int, int] = {}

    def place(row: int, tried: list[int]) -> bool:
        while columns := rows[row] & ~tried[0]:
            column = columns & -columns
            tried[0] |= column
            if column not in owner or place(owner[column], tried):
                owner[column] = row
                return True
        return False

    return all(place(row, [0]) for row in range(len(rows)))
