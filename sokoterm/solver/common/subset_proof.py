"""Proof that a position is dead, by exhaustive search of subsets of its boxes.

It runs in the background while a player thinks, and inside FESS when a branch looks hopeless.  Since most deadlocks
involve only a few nearby boxes, the proof tries to push groups of two or three boxes to goals, then larger groups and
finally all boxes.  A group without a solution proves the position dead, and is learned as a pattern.
"""

from collections.abc import Generator, Iterator
from heapq import heappop, heappush

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.reach import PositionsMet, region_after, region_beside
from sokoterm.engine.slides import live_slides
from sokoterm.solver.common.prunings import PiCorrals
from sokoterm.solver.search import Meter, Progress

# Rounds of the proof: boxes in a group, and the most positions searched for each group.
_ROUNDS = ((2, 300), (3, 600), (4, 1_000), (6, 2_000), (8, 4_000), (12, 8_000))

# The most positions searched per box when a dead set is reduced.
_LEAST_POSITIONS = 2_000


def learn_deadlock(detector: DeadlockDetector, boxes: Bitboard, region: Bitboard) -> Bitboard:
    """Find the boxes that make a position dead, learn them as a pattern and return them; 0 if nothing is proven."""
    deadlock = detector.find(boxes, region)
    if deadlock is None:
        return 0
    guilty, beside = deadlock.boxes, region_beside(detector.board, deadlock.boxes, region)
    # Some deadlocks, such as a blocked goal, need all boxes.
    if not detector.is_dead(guilty, beside):
        guilty, beside = boxes, region
    detector.patterns.add(guilty, beside)
    return guilty


class Proof:
    """Prover for one board; ``positions`` counts the positions searched, the meter too if ``counts``."""

    def __init__(self, board: Board, detector: DeadlockDetector, meter: Meter, *, counts: bool) -> None:
        """``detector``: prunes most positions, and learns each proof."""
        self._board = board
        self._detector = detector
        self._meter = meter
        self._counts = counts
        # Pushes from each square to the nearest goal.
        self._distances = [0] * board.size
        for pushes, layer in enumerate(live_slides(board).layers_to(board.goals)):
            for square in scan(layer):
                self._distances[square] = pushes
        check = detector.open.check
        live = board.floor & ~check.dead_squares
        self._corrals = PiCorrals(board, [live] * 4, check.frozen, adds_boxes=False)
        self.positions = 0

    def is_dead(self, start: State) -> Generator[Progress, None, bool]:
        """Return whether a position cannot be solved: try subsets of its boxes, then all."""
        board, boxes = self._board, start.boxes
        yield self._meter.progress()
        region = region_beside(board, boxes, 1 << start.player)
        if learn_deadlock(self._detector, boxes, region):
            return True
        alive: list[Bitboard] = []
        for group, positions in _groups(board, boxes):
            yield self._meter.progress()
            if any(group & ~each == 0 for each in alive):
                continue
            beside = region_beside(board, group, region)
            verdict = yield from self.has_no_solution(group, beside, positions)
            if verdict:
                yield from self.learn(group, beside, _LEAST_POSITIONS)
                return True
            if verdict is False:
                alive.append(group)
        return False

    def learn(self, boxes: Bitboard, region: Bitboard, positions: int) -> Generator[Progress, None, Bitboard]:
        """Reduce a dead set of boxes to those that matter, learn them as a pattern and return them.

        ``positions``: the most positions searched to show that a box does not matter.
        """
        for box in list(scan(boxes)):
            rest = boxes ^ 1 << box
            beside = region_beside(self._board, rest, region)
            if rest and (yield from self.has_no_solution(rest, beside, positions)):
                boxes, region = rest, beside
        self._detector.patterns.add(boxes, region)
        return boxes

    def has_no_solution(
        self, boxes: Bitboard, region: Bitboard, most: int | None
    ) -> Generator[Progress, None, bool | None]:
        """Return whether these boxes, without others, cannot all reach goals; None if undecided after ``most``."""
        goals, detector, meter = self._board.goals, self._detector, self._meter
        floor, stride = self._board.floor, self._board.stride
        is_whole = boxes.bit_count() == goals.bit_count()
        met = PositionsMet()
        met.add(boxes, region)
        waiting = [(0, 0, boxes, region)]
        while waiting:
            yield meter.progress()
            meter.check()
            _, _, boxes, region = heappop(waiting)
            if not boxes & ~goals:
                return False
            if detector.is_dead(boxes, region):
                continue
            if most is not None and len(met) > most:
                return None
            self.positions += 1
            meter.nodes += self._counts
            for after, player in self._pushes(boxes, region, is_whole):
                if met.hold(after, player):
                    continue
                landing = (after & ~boxes).bit_length() - 1
                reached = region_after(region, player, player, landing, floor & ~after, stride)
                met.add(after, reached)
                if self._counts:
                    meter.stored = len(met)
                distance = sum(map(self._distances.__getitem__, scan(after)))
                heappush(waiting, (distance, -len(met), after, reached))
        return True

    def _pushes(self, boxes: Bitboard, region: Bitboard, is_whole: bool) -> Iterator[tuple[Bitboard, Bitboard]]:
        frozen_board = self._detector.open
        frozen = frozen_board.check.frozen(boxes)
        movable = boxes & ~frozen
        # PI-corral pruning requires all boxes: a subset need not fill the goals of a corral.
        if is_whole:
            fence = self._corrals.fence(boxes, region)
            movable = movable if fence is None else movable & fence
        return frozen_board.pushes(boxes, movable, region)


def _groups(board: Board, boxes: Bitboard) -> Iterator[tuple[Bitboard, int | None]]:
    """Yield groups of nearby boxes, each with a limit of positions to search, and finally all boxes without a limit."""
    count = boxes.bit_count()
    for size, positions in _ROUNDS:
        if size < count:
            for group in groups_of(board, boxes, size):
                yield group, positions
    yield boxes, None


def groups_of(board: Board, boxes: Bitboard, size: int) -> Iterator[Bitboard]:
    """Yield for each box the ``size`` boxes nearest to it, including itself, without repeats or groups all on goals."""
    squares = list(scan(boxes))
    met: set[Bitboard] = set()

    def distance(box: Square, other: Square) -> int:
        (row, column), (other_row, other_column) = board.row_column(box), board.row_column(other)
        return max(abs(row - other_row), abs(column - other_column))

    for box in squares:
        nearest = sorted(squares, key=lambda other: distance(box, other))[:size]
        group = sum(1 << each for each in nearest)
        if group not in met and group & ~board.goals:
            met.add(group)
            yield group
