"""Greedy search backwards: boxes are pulled off the goals to where they begin.

Small crowded levels that defy every search forwards are often solved so: most of what a wrong push can spoil cannot
happen to a pull.  The position whose boxes are nearest to the squares where they begin is always expanded first, of
equal ones the youngest; nearness is the cheapest matching of boxes and squares, as in ``lower_bound``.  Pulls to where
two or three boxes cannot have come by pushes are left out: in some levels nearly all positions that it met were such.
"""

from collections.abc import Generator, Mapping, Sequence

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Square, bitboard_of, lowest, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.player_region import region_after
from sokoterm.solver.common.board_tables import BoardTables, make_tables
from sokoterm.solver.common.bucket_queue import BucketQueue
from sokoterm.solver.common.distances import UNREACHABLE
from sokoterm.solver.common.lower_bound import LowerBound, Matching
from sokoterm.solver.common.perimeter import Perimeter
from sokoterm.solver.common.trail import Packing, solution
from sokoterm.solver.common.unreachable_subsets import UnreachableSubsets, unreachable_from_start
from sokoterm.solver.meter import NONE_YET, LimitReached, Meter
from sokoterm.solver.protocol import Feature, Found, Limits, Progress, Search


def search(
    board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None, *, few_boxes: bool = True
) -> Search:
    """A solution of at least one push, not the shortest, or the proof that there is none.

    ``perimeter``: where it may meet other searches of the level.  ``few_boxes``: whether it has tables of two and three
    boxes; levels are rated by the nodes of one that has none.
    """
    meter = Meter("backward", board, limits, bytes_per_state=450)
    try:
        yield meter.progress()
        tables = yield from make_tables(board, meter)
        rows = yield from _rows(tables, start, meter)
        backward = _Backward(tables, start, rows, meter, perimeter or Perimeter())
        if few_boxes:
            yield from backward.make_tables()
        yield from backward.run()
        return meter.solved() if meter.best < NONE_YET else meter.unsolvable()
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _rows(tables: BoardTables, start: State, meter: Meter) -> Generator[Progress, None, dict[Square, list[int]]]:
    """The pushes of a lone box to each square from every square where a box begins, UNREACHABLE where it cannot go."""
    boxes = start.boxes.bit_count()
    rows: dict[Square, list[int]] = {}
    for number, square in enumerate(scan(start.boxes)):
        yield meter.progress()
        for landing, pushes in tables.lone.pushes_from(square).items():
            rows.setdefault(landing, [UNREACHABLE] * boxes)[number] = pushes
    return rows


# As many positions may wait before it matters what they take.
_MOST_AT_HAND = 100_000


class _Met:
    """A position that has been met.

    ``before``: the position it was pulled from; ``same``: another one with the same boxes that had been met before.
    ``matching``: while it waits, its own or, where many wait and its boxes are farther from their start than those of
    the position before, that one's: it waits long then.
    """

    __slots__ = ("before", "boxes", "matching", "region", "same")

    def __init__(
        self, boxes: Bitboard, region: Bitboard, before: "_Met | None", same: "_Met | None", matching: Matching
    ) -> None:
        self.boxes = boxes
        self.region = region
        self.before = before
        self.same = same
        self.matching: Matching | None = matching


class _Positions:
    """The positions that have been met, by their boxes: to see that one is not new needs no flood then."""

    def __init__(self, board: Board) -> None:
        self.packing = Packing(board)
        self.by_boxes: dict[Bitboard, _Met] = {}
        self.count = 0

    def add(self, boxes: Bitboard, region: Bitboard, before: _Met | None, matching: Matching) -> _Met:
        """Note a new position that was pulled from another, or begins a search."""
        self.count += 1
        met = self.by_boxes[boxes] = _Met(boxes, region, before, self.by_boxes.get(boxes), matching)
        return met

    def __contains__(self, key: int) -> bool:
        """Whether the position of a key of ``Packing`` has been met."""
        return self._find(key) is not None

    def _find(self, key: int) -> _Met | None:
        met = self.by_boxes.get(key >> self.packing.bits)
        player = 1 << (key & self.packing.mask)
        while met is not None and not met.region & player:
            met = met.same
        return met

    def trail(self, key: int) -> list[Bitboard]:
        """The boxes of every position from the first one to that of a key, which has been met."""
        return _trail_to(self._find(key))


def _trail_to(met: _Met | None) -> list[Bitboard]:
    """The boxes of every position from the first one to this."""
    boxes = []
    while met is not None:
        boxes.append(met.boxes)
        met = met.before
    boxes.reverse()
    return boxes


class _Backward:
    """One search: the positions it has met and those that wait."""

    def __init__(
        self,
        tables: BoardTables,
        start: State,
        rows: Mapping[Square, Sequence[int]],
        meter: Meter,
        perimeter: Perimeter,
    ) -> None:
        """``rows``: the pushes to each square that can be reached from each square where a box begins."""
        self._tables = tables
        self._board = tables.board
        self._offsets = tables.board.offsets
        self._start = start
        self._meter = meter
        self._perimeter = perimeter
        self._positions = _Positions(tables.board)
        self._queue: BucketQueue[_Met] = BucketQueue()
        self._nearest = UNREACHABLE
        self._bound = LowerBound(rows)
        # The squares to which some box can have been pushed from its start.
        self._landings = bitboard_of(rows)
        self._unreachable = UnreachableSubsets(tables.board)
        meter.watch(self._positions.by_boxes)

    def make_tables(self) -> Generator[Progress, None, None]:
        """Find out which two or three boxes no pushes from the start bring together."""
        self._unreachable = yield from unreachable_from_start(self._board, self._start, self._landings, self._meter)

    def run(self) -> Generator[Progress | Found, None, None]:
        """Pull until the start is met, or a search that comes from there, or every position has been."""
        with self._perimeter.from_goals.registered(self._positions, self._positions.trail):
            yield from self._run()

    def _run(self) -> Generator[Progress | Found, None, None]:
        goals = self._tables.goals
        if goals & ~self._landings:
            return
        matching = yield from self._bound.match(list(scan(goals)), self._meter)
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

    def _expand(self, met: _Met, matching: Matching) -> Generator[Progress | Found, None, None]:
        """Make every pull of a position."""
        meter, bound, positions = self._meter, self._bound, self._positions
        by_boxes, bits, others = positions.by_boxes, positions.packing.bits, self._perimeter.from_start
        floor, stride, begin = self._tables.floor, self._tables.stride, self._start.boxes
        boxes, region = met.boxes, met.region
        unreachable = self._unreachable
        few_wait = positions.count - meter.nodes < _MOST_AT_HAND
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
                moved = bound.moved(matching, index, landing)
                if moved is None:
                    continue
                waits_long = moved.cost > matching.cost and not few_wait
                new = positions.add(after, reached, met, matching if waits_long else moved)
                self._queue.put(moved.cost, new)

    def _matching(self, met: _Met) -> Matching:
        """The matching of a position that has waited."""
        matching, met.matching, before = met.matching, None, met.before
        if matching is None:
            raise AssertionError("a position that does not wait")
        if before is None:
            return matching
        square = lowest(before.boxes & ~met.boxes)
        if square not in matching.places:
            return matching
        moved = self._bound.moved(matching, matching.places.index(square), lowest(met.boxes & ~before.boxes))
        if moved is None:
            raise AssertionError("a position whose boxes cannot all go where they begin")
        return moved

    def _pulled(self, boxes: Bitboard, region: Bitboard, offset: int) -> Bitboard:
        """The boxes that can be pulled by one square along ``offset``."""
        if offset > 0:
            return boxes & region >> offset & region >> 2 * offset & self._landings >> offset
        return boxes & region << -offset & region << -2 * offset & self._landings << -offset

    def _found(self, begin: list[Bitboard], met: _Met) -> Found:
        """The solution that goes through some states, from the start on, and then back from a state to the goals."""
        found = Found(solution(self._board, self._start, [*begin, *reversed(_trail_to(met))]))
        self._meter.best = found.solution.pushes
        return found
