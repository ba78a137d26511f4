"""The proof that a position cannot be solved, sought while a player thinks, and in doubt by the search by features.

A deadlock is mostly the work of a few boxes that stand together.  So some boxes are left on the board alone, and
everything is tried to bring these home: first two or three that are near to each other, then more, in the end all.
Where no way is left, the position is dead, whatever the others do; these boxes are learned as a pattern.
"""

from collections.abc import Generator, Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.player_region import PositionsMet, region_after, region_beside
from sokoterm.solver.common.pi_corral import find_pi_corral
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress


class _Round(NamedTuple):
    """How many boxes are taken together, and how many positions of theirs are tried."""

    boxes: int
    positions: int


_ROUNDS = (_Round(2, 300), _Round(3, 600), _Round(4, 1_000), _Round(6, 2_000), _Round(8, 4_000), _Round(12, 8_000))

# Boxes are left out of a dead set one by one as long as that takes no more positions than this for each.
_LEAST_POSITIONS = 2_000


def learn_deadlock(detector: DeadlockDetector, boxes: Bitboard, region: Bitboard) -> Bitboard:
    """The boxes by which a position is dead, learned as a pattern; none if no test of the detector proves it so."""
    deadlock = detector.find(boxes, region)
    if deadlock is None:
        return 0
    guilty, beside = deadlock.boxes, region_beside(detector.board, deadlock.boxes, region)
    # A goal that is closed off, for one, is no matter of some boxes alone.
    if not detector.is_dead(guilty, beside):
        guilty, beside = boxes, region
    detector.patterns.add(guilty, beside)
    return guilty


class Proof:
    """Proofs on one board.

    Each position that they look into is counted in ``positions``, and as a node of the meter if it ``counts``.
    """

    def __init__(self, board: Board, detector: DeadlockDetector, meter: Meter, *, counts: bool) -> None:
        """``detector``: by which most positions are left out, and which learns what is proven."""
        self._board = board
        self._detector = detector
        self._meter = meter
        self._counts = counts
        self._distances = _distances(board)
        self.positions = 0

    def is_dead(self, start: State) -> Generator[Progress, None, bool]:
        """Whether a position cannot be solved: by some of its boxes if that can be shown, else by all."""
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
            verdict = yield from self.cannot_come_home(group, beside, positions)
            if verdict:
                yield from self.learn(group, beside, _LEAST_POSITIONS)
                return True
            if verdict is False:
                alive.append(group)
        return False

    def learn(self, boxes: Bitboard, region: Bitboard, positions: int) -> Generator[Progress, None, Bitboard]:
        """Keep a dead set of boxes as a pattern, without those that it does not need; those that it has then.

        ``positions``: as many are tried to show that one is not needed.
        """
        for box in list(scan(boxes)):
            rest = boxes ^ 1 << box
            beside = region_beside(self._board, rest, region)
            if rest and (yield from self.cannot_come_home(rest, beside, positions)):
                boxes, region = rest, beside
        self._detector.patterns.add(boxes, region)
        return boxes

    def cannot_come_home(
        self, boxes: Bitboard, region: Bitboard, most: int | None
    ) -> Generator[Progress, None, bool | None]:
        """Whether these boxes alone cannot all come to goals; None where ``most`` positions do not tell."""
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
        """The boxes after each push that may be worth making, and where the player is then."""
        board, frozen_board = self._board, self._detector.open
        frozen = frozen_board.check.frozen(boxes)
        movable = boxes & ~frozen
        # Fewer boxes than goals need not fill the goals of a corral.
        if is_whole:
            fence = find_pi_corral(board, board.floor & ~frozen_board.check.dead_squares, boxes, region, frozen)
            movable = movable if fence is None else movable & fence
        free = board.floor & ~boxes
        stuck = frozen_board.check.stuck_beside(boxes)
        for offset, lands in zip(board.offsets, frozen_board.live_landings):
            pushable = movable & shift(region, -offset) & shift(free & lands, offset)
            while pushable:
                box = pushable & -pushable
                pushable ^= box
                landing = shift(box, -offset)
                after = boxes ^ box | landing
                if not landing & stuck or not frozen_board.check.frozen(after) & ~board.goals:
                    yield after, box


def _groups(board: Board, boxes: Bitboard) -> Iterator[tuple[Bitboard, int | None]]:
    """Boxes near to each other, and how many of their positions to try; in the end all, and all."""
    count = boxes.bit_count()
    for size, positions in _ROUNDS:
        if size < count:
            for group in groups_of(board, boxes, size):
                yield group, positions
    yield boxes, None


def groups_of(board: Board, boxes: Bitboard, size: int) -> Iterator[Bitboard]:
    """For each box so many that are near to it, itself among them: each set once, none of boxes on goals alone."""
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


def _distances(board: Board) -> list[int]:
    """For each square the pushes from there to the nearest goal, the player taken to be everywhere."""
    distances = [0] * (board.stride * board.height)
    reached, layer = board.goals, board.goals
    pushes = 0
    while layer:
        pushes += 1
        grown = 0
        for offset in board.offsets:
            grown |= shift(layer, -offset) & shift(board.floor, offset)
        layer = grown & board.floor & ~reached
        reached |= layer
        for square in scan(layer):
            distances[square] = pushes
    return distances
