"""Greedy backward search: pulls boxes from the goals to their starting squares.

It often solves small crowded levels that defeat every forward search, because pulls cannot cause most deadlocks.  The
position whose boxes are nearest to their starting squares is expanded first, the newest first among equals; nearness is
the minimum-cost matching of boxes to starting squares, as in ``lower_bound``.  Positions with pairs or triples of boxes
that no pushes from the start bring together are pruned; in some levels those were nearly all positions visited.
"""

from collections.abc import Generator, Mapping, Sequence

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Square, bitboard_of, lowest, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.player_region import region_after
from sokoterm.solver.common.board_tables import BoardTables, make_tables
from sokoterm.solver.common.distances import UNREACHABLE
from sokoterm.solver.common.lower_bound import Matching, Matchings
from sokoterm.solver.common.perimeter import Perimeter
from sokoterm.solver.common.state_space import BucketQueue, Packing, solution
from sokoterm.solver.common.unreachable_subsets import UnreachableSubsets, unreachable_from_start
from sokoterm.solver.meter import NONE_YET, LimitReached, Meter
from sokoterm.solver.protocol import Feature, Found, Limits, Progress, Search

# Queue length above which positions that will wait long share their parent's matching, to save memory.
_MOST_AT_HAND = 100_000


def search(
    board: Board,
    start: State,
    limits: Limits,
    perimeter: Perimeter | None = None,
    *,
    few_boxes: bool = True,
    most_at_hand: int = _MOST_AT_HAND,
) -> Search:
    """Search for a solution of at least one push, not the shortest, or prove that there is none.

    ``perimeter``: positions shared with other searches of the level.  ``few_boxes``: use tables of unreachable pairs
    and triples; levels are rated by node counts without them.  ``most_at_hand``: the queue length up to which every
    position has a matching of its own.
    """
    meter = Meter("backward", board, limits, bytes_per_state=450)
    try:
        yield meter.progress()
        tables = yield from make_tables(board, meter)
        rows = yield from _rows(tables, start, meter)
        backward = _Backward(tables, start, rows, meter, perimeter or Perimeter(), most_at_hand)
        if few_boxes:
            yield from backward.make_tables()
        yield from backward.run()
        return meter.solved() if meter.best < NONE_YET else meter.unsolvable()
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _rows(tables: BoardTables, start: State, meter: Meter) -> Generator[Progress, None, dict[Square, list[int]]]:
    """For each square, the pushes of a lone box to it from each starting square of a box; UNREACHABLE if none lead."""
    boxes = start.boxes.bit_count()
    rows: dict[Square, list[int]] = {}
    for number, square in enumerate(scan(start.boxes)):
        yield meter.progress()
        for landing, pushes in tables.lone.pushes_from(square).items():
            rows.setdefault(landing, [UNREACHABLE] * boxes)[number] = pushes
    return rows


class _VisitedPosition:
    """A visited position.

    ``before``: the position it was pulled from.  ``same``: an earlier one with the same boxes.  ``matching``: while
    queued, its own matching or, if the queue is long and its boxes are farther from their starts than those of its
    parent, the parent's: such a position will wait long.
    """

    __slots__ = ("before", "boxes", "matching", "region", "same")

    def __init__(
        self,
        boxes: Bitboard,
        region: Bitboard,
        before: "_VisitedPosition | None",
        same: "_VisitedPosition | None",
        matching: Matching,
    ) -> None:
        self.boxes = boxes
        self.region = region
        self.before = before
        self.same = same
        self.matching: Matching | None = matching


class _VisitedPositions:
    """The visited positions by their boxes, so that recognizing one takes no flood fill."""

    def __init__(self, board: Board) -> None:
        self.packing = Packing(board)
        self.by_boxes: dict[Bitboard, _VisitedPosition] = {}
        self.count = 0

    def add(
        self, boxes: Bitboard, region: Bitboard, before: _VisitedPosition | None, matching: Matching
    ) -> _VisitedPosition:
        """Add a new position, pulled from ``before`` or at the root of the search."""
        self.count += 1
        met = self.by_boxes[boxes] = _VisitedPosition(boxes, region, before, self.by_boxes.get(boxes), matching)
        return met

    def __contains__(self, key: int) -> bool:
        """True if the position with a key of ``Packing`` was visited."""
        return self._find(key) is not None

    def _find(self, key: int) -> _VisitedPosition | None:
        met = self.by_boxes.get(key >> self.packing.bits)
        player = 1 << (key & self.packing.mask)
        while met is not None and not met.region & player:
            met = met.same
        return met

    def trail(self, key: int) -> list[Bitboard]:
        """Return the boxes of every position from the root to the visited position of a key."""
        return _trail_to(self._find(key))


def _trail_to(met: _VisitedPosition | None) -> list[Bitboard]:
    """Return the boxes of every position from the root to ``met``."""
    boxes = []
    while met is not None:
        boxes.append(met.boxes)
        met = met.before
    boxes.reverse()
    return boxes


class _Backward:
    """One search: its visited positions and queue."""

    def __init__(
        self,
        tables: BoardTables,
        start: State,
        rows: Mapping[Square, Sequence[int]],
        meter: Meter,
        perimeter: Perimeter,
        most_at_hand: int,
    ) -> None:
        """``rows``: for each reachable square, the pushes to it from each starting square of a box."""
        self._tables = tables
        self._board = tables.board
        self._offsets = tables.board.offsets
        self._start = start
        self._meter = meter
        self._perimeter = perimeter
        self._most_at_hand = most_at_hand
        self._positions = _VisitedPositions(tables.board)
        self._queue: BucketQueue[_VisitedPosition] = BucketQueue()
        self._nearest = UNREACHABLE
        self._matchings = Matchings(rows)
        # Squares that some box can reach from its start.
        self._landings = bitboard_of(rows)
        self._unreachable = UnreachableSubsets(tables.board)
        meter.watch(self._positions.by_boxes)

    def make_tables(self) -> Generator[Progress, None, None]:
        """Build the tables of pairs and triples of boxes that cannot be reached from the start."""
        self._unreachable = yield from unreachable_from_start(self._board, self._start, self._landings, self._meter)

    def run(self) -> Generator[Progress | Found, None, None]:
        """Pull until the start or a position of a forward search is met, or every position has been visited."""
        with self._perimeter.from_goals.registered(self._positions, self._positions.trail):
            yield from self._run()

    def _run(self) -> Generator[Progress | Found, None, None]:
        goals = self._tables.goals
        if goals & ~self._landings:
            return
        matching = yield from self._matchings.match(list(scan(goals)), self._meter)
        if matching is None:
            return
        meter = self._meter
        meter.lower_bound = matching.cost
        for region in regions(self._tables.floor & ~goals, self._tables.stride):
            self._queue.put(matching.cost, self._positions.add(goals, region, None, matching))
        while (met := self._queue.pop()) is not None:
            now = self._matching(met)
            meter.stored = self._positions.count
            meter.check()
            meter.nodes += 1
            if meter.is_due():
                yield meter.progress()
            if now.cost < self._nearest:
                self._nearest = now.cost
                meter.nearest = met.boxes
                meter.features = (Feature("pulls left", now.cost),)
            yield from self._expand(met, now)
            if meter.best < NONE_YET:
                return

    def _expand(self, met: _VisitedPosition, matching: Matching) -> Generator[Progress | Found, None, None]:
        """Generate every pull of a position."""
        meter, matchings, positions = self._meter, self._matchings, self._positions
        by_boxes, bits, others = positions.by_boxes, positions.packing.bits, self._perimeter.from_start
        floor, stride, begin = self._tables.floor, self._tables.stride, self._start.boxes
        boxes, region = met.boxes, met.region
        unreachable = self._unreachable
        few_wait = positions.count - meter.nodes < self._most_at_hand
        for side, offset in zip(DIRECTIONS, self._offsets):
            pulled = self._pulled(boxes, region, offset)
            while pulled:
                box = pulled & -pulled
                pulled ^= box
                square = box.bit_length() - 1
                landing = square + offset
                after = boxes ^ box | 1 << landing
                if unreachable.are_among(after, landing, side):
                    continue
                player = 1 << landing + offset
                same = by_boxes.get(after)
                while same is not None and not same.region & player:
                    same = same.same
                if same is None and meter.is_due():
                    yield meter.progress()
                reached = same.region if same else region_after(region, player, box, landing, floor & ~after, stride)
                if after == begin and reached >> self._start.player & 1:
                    yield self._found([after], met)
                    return
                if same is not None:
                    continue
                child = after << bits | (reached & -reached).bit_length() - 1
                if child in others:
                    yield self._found(others.trail(child), met)
                    return
                index = matching.places.index(square)
                moved = matchings.moved(matching, index, landing)
                if moved is None:
                    continue
                waits_long = moved.cost > matching.cost and not few_wait
                new = positions.add(after, reached, met, matching if waits_long else moved)
                self._queue.put(moved.cost, new)

    def _matching(self, met: _VisitedPosition) -> Matching:
        """Return the own matching of a position from the queue, and drop it from the position."""
        matching, met.matching, before = met.matching, None, met.before
        if matching is None:
            raise AssertionError("a position that does not wait")
        if before is None:
            return matching
        square = lowest(before.boxes & ~met.boxes)
        if square not in matching.places:
            return matching
        moved = self._matchings.moved(matching, matching.places.index(square), lowest(met.boxes & ~before.boxes))
        if moved is None:
            raise AssertionError("a position whose boxes cannot all go where they begin")
        return moved

    def _pulled(self, boxes: Bitboard, region: Bitboard, offset: int) -> Bitboard:
        """Return the boxes that can be pulled by one square along ``offset``."""
        if offset > 0:
            return boxes & region >> offset & region >> 2 * offset & self._landings >> offset
        return boxes & region << -offset & region << -2 * offset & self._landings << -offset

    def _found(self, begin: list[Bitboard], met: _VisitedPosition) -> Found:
        """Return the solution from the start through ``begin``, then from ``met`` back to the goals."""
        found = Found(solution(self._board, self._start, [*begin, *reversed(_trail_to(met))]))
        self._meter.best = found.solution.pushes
        return found
