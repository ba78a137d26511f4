"""Greedy search backwards: boxes are pulled off the goals to where they begin.

Small crowded levels that defy every search forwards are often solved so: most of what a wrong push can spoil cannot
happen to a pull.  The position whose boxes are nearest to the squares where they begin is always expanded first, of
equal ones the youngest; nearness is the cheapest matching of boxes and squares, as in ``lower_bound``.
"""

from collections.abc import Generator, Mapping, Sequence

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, flood, lowest, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.solver.bucket_queue import BucketQueue
from sokoterm.solver.distances import UNREACHABLE
from sokoterm.solver.fess.ground import Ground, make_ground
from sokoterm.solver.lower_bound import LowerBound, Matching
from sokoterm.solver.meter import NONE_YET, LimitReached, Meter
from sokoterm.solver.perimeter import Perimeter
from sokoterm.solver.protocol import Feature, Found, Limits, Progress, Search
from sokoterm.solver.trail import Packing, solution, trail


def search(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None) -> Search:
    """A solution of at least one push, not the shortest, or the proof that there is none.

    ``perimeter``: where it may meet other searches of the level.
    """
    meter = Meter("backward", board, limits, bytes_per_state=250)
    try:
        yield meter.progress()
        ground = yield from make_ground(board, meter)
        rows = yield from _rows(ground, start, meter)
        yield from _Backward(ground, start, rows, meter, perimeter or Perimeter()).run()
        return meter.solved() if meter.best < NONE_YET else meter.unsolvable()
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _rows(ground: Ground, start: State, meter: Meter) -> Generator[Progress, None, dict[Square, list[int]]]:
    """The pushes of a lone box to each square from every square where a box begins, UNREACHABLE where it cannot go."""
    boxes = start.boxes.bit_count()
    rows: dict[Square, list[int]] = {}
    for number, square in enumerate(scan(start.boxes)):
        yield meter.progress()
        for landing, pushes in ground.lone.pushes_from(square).items():
            rows.setdefault(landing, [UNREACHABLE] * boxes)[number] = pushes
    return rows


# As many positions may wait before it matters what they take.
_MOST_AT_HAND = 200_000

# A position that waits: its key, region and matching.  Where many wait, one that is farther than that before it, which
# waits long, has no region, the matching of that before it, and the change to its own: the box meant for the square of
# that number has come to another square.
_Waiting = tuple[int, Bitboard, Matching, int, Square]


class _Backward:
    """One search: the positions it has met, by their keys with those they were pulled from, and those that wait."""

    def __init__(
        self,
        ground: Ground,
        start: State,
        rows: Mapping[Square, Sequence[int]],
        meter: Meter,
        perimeter: Perimeter,
    ) -> None:
        """``rows``: the pushes to each square that can be reached from each square where a box begins."""
        self._ground = ground
        self._board = ground.board
        self._start = start
        self._meter = meter
        self._perimeter = perimeter
        self._packing = Packing(ground.board)
        self._parents: dict[int, int] = {}
        self._queue: BucketQueue[_Waiting] = BucketQueue()
        self._nearest = UNREACHABLE
        self._bound = LowerBound(rows)
        # The squares to which some box can have been pushed from its start.
        self._landings = bitboard_of(rows)
        meter.watch(self._parents)

    def run(self) -> Generator[Progress | Found, None, None]:
        """Pull until the start is met, or a search that comes from there, or every position has been."""
        with self._perimeter.from_goals.joined(self._parents, self._trail):
            yield from self._run()

    def _run(self) -> Generator[Progress | Found, None, None]:
        goals, bits = self._ground.goals, self._packing.bits
        if goals & ~self._landings:
            return
        matching = yield from self._bound.match(list(scan(goals)), self._meter)
        if matching is None:
            return
        meter = self._meter
        meter.lower_bound = matching.cost
        for region in regions(self._ground.floor & ~goals, self._ground.stride):
            key = goals << bits | lowest(region)
            self._parents[key] = key
            self._queue.put(matching.cost, (key, region, matching, 0, 0))
        while (entry := self._queue.pop()) is not None:
            key, region, now, index, landing = entry
            if not region:
                region = flood(
                    1 << (key & self._packing.mask), self._ground.floor & ~(key >> bits), self._ground.stride
                )
                now = self._moved(now, index, landing)
            meter.stored = len(self._parents)
            meter.check()
            meter.nodes += 1
            if now.cost < self._nearest:
                self._nearest = now.cost
                meter.nearest = key >> bits
                meter.features = (Feature("pulls left", now.cost),)
            yield from self._expand(key, region, now)
            if meter.best < NONE_YET:
                return

    def _expand(self, key: int, region: Bitboard, matching: Matching) -> Generator[Progress | Found, None, None]:
        """Make every pull of a position."""
        meter, bound, parents, bits = self._meter, self._bound, self._parents, self._packing.bits
        others = self._perimeter.from_start
        floor, stride, begin = self._ground.floor, self._ground.stride, self._start.boxes
        boxes = key >> bits
        few_wait = meter.stored - meter.nodes < _MOST_AT_HAND
        for offset in self._board.offsets:
            pulled = self._pulled(boxes, region, offset)
            while pulled:
                box = pulled & -pulled
                pulled ^= box
                if meter.is_due():
                    yield meter.progress()
                square = box.bit_length() - 1
                landing = square + offset
                after = boxes ^ box | 1 << landing
                reached = flood(1 << landing + offset, floor & ~after, stride)
                if after == begin and reached >> self._start.player & 1:
                    yield self._found([after], key)
                    return
                child = after << bits | lowest(reached)
                if child in parents:
                    continue
                if child in others:
                    yield self._found(others.trail(child), key)
                    return
                index = matching.places.index(square)
                moved = bound.moved(matching, index, landing)
                if moved is None:
                    continue
                parents[child] = key
                if moved.cost <= matching.cost or few_wait:
                    self._queue.put(moved.cost, (child, reached, moved, 0, 0))
                else:
                    self._queue.put(moved.cost, (child, 0, matching, index, landing))

    def _moved(self, matching: Matching, index: int, landing: Square) -> Matching:
        moved = self._bound.moved(matching, index, landing)
        if moved is None:
            raise AssertionError("a position whose boxes cannot all go where they begin")
        return moved

    def _pulled(self, boxes: Bitboard, region: Bitboard, offset: int) -> Bitboard:
        """The boxes that can be pulled by one square along ``offset``."""
        if offset > 0:
            return boxes & region >> offset & region >> 2 * offset & self._landings >> offset
        return boxes & region << -offset & region << -2 * offset & self._landings << -offset

    def _trail(self, key: int) -> list[Bitboard]:
        return trail(self._parents, key, self._packing)

    def _found(self, begin: list[Bitboard], key: int) -> Found:
        """The solution that goes through some states, from the start on, and then back from a state to the goals."""
        found = Found(solution(self._board, self._start, [*begin, *reversed(self._trail(key))]))
        self._meter.best = found.solution.pushes
        return found
