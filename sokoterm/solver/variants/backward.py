"""Greedy backward search of boards with colours or ice: pulls boxes from the goals to their starting squares.

The boxes of a level may end in several arrangements; the search begins with all of them.  Over ice a box is pulled any
number of squares that it could have slid over to stop where it stands.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import islice

from sokoterm.engine.bits import Bitboard, bitboard_of, flood, lowest, regions, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import is_dead_at_sight
from sokoterm.engine.slides import live_slides
from sokoterm.solver.common.board_tables import is_too_large
from sokoterm.solver.common.distances import UNREACHABLE
from sokoterm.solver.common.lower_bound import Matching, Matchings
from sokoterm.solver.common.perimeter import Perimeter
from sokoterm.solver.common.state_space import BucketQueue, Packing, solution, trail
from sokoterm.solver.meter import NONE_YET, LimitReached, Meter
from sokoterm.solver.protocol import Feature, Found, Limits, Progress, Reason, Search
from sokoterm.solver.variants.layers import LayeredSquare, Layers

# Most arrangements of the boxes on the goals that a search begins with.
_MOST_ENDS = 1_000


def search(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None) -> Search:
    """Search for a solution of at least one push, not the shortest, or prove that there is none.

    ``perimeter``: positions shared with other searches of the level.
    """
    meter = Meter("backward", board, limits, bytes_per_state=500)
    try:
        yield meter.progress()
        if is_dead_at_sight(board, start):
            return meter.unsolvable(start)
        if is_too_large(board):
            raise LimitReached(Reason.SIZE)
        layers = Layers(board)
        rows = yield from _rows(layers, start, meter)
        backward = _Backward(layers, start, rows, meter, perimeter or Perimeter())
        yield from backward.run()
        if meter.best == NONE_YET and backward.left_out:
            raise LimitReached(Reason.STATES)
        return meter.solved() if meter.best < NONE_YET else meter.unsolvable(start)
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _rows(layers: Layers, start: State, meter: Meter) -> Generator[Progress, None, dict[LayeredSquare, list[int]]]:
    """For each layered square, the least pushes to it from each starting square; UNREACHABLE if none lead there."""
    slides = live_slides(layers.board)
    squares = layers.squares_of(start.boxes)
    rows: dict[LayeredSquare, list[int]] = {}
    for number, square in enumerate(squares):
        layer, box = divmod(square, layers.size)
        for pushes, reached in enumerate(slides.layers_from(1 << box)):
            for landing in scan(reached):
                rows.setdefault(layer * layers.size + landing, [UNREACHABLE] * len(squares))[number] = pushes
            yield meter.progress()
    return rows


class _Backward:
    """One search: its visited positions and queue.  ``left_out``: it began with some of the ends alone."""

    def __init__(
        self,
        layers: Layers,
        start: State,
        rows: Mapping[LayeredSquare, Sequence[int]],
        meter: Meter,
        perimeter: Perimeter,
    ) -> None:
        """``rows``: for each layered square that a box can come to, the pushes to it from each starting square."""
        self._layers = layers
        self._board = layers.board
        self._start = start
        self._meter = meter
        self._perimeter = perimeter
        self._matchings = Matchings(rows)
        self._landings = bitboard_of(rows)
        self._packing = Packing(layers.board)
        self._queue: BucketQueue[tuple[int, Matching]] = BucketQueue()
        self._known: dict[int, int] = {}
        self._least = UNREACHABLE
        self.left_out = False
        meter.watch(self._known)

    def run(self) -> Generator[Progress | Found, None, None]:
        """Pull until the start or a position of a forward search is met, or every position has been visited."""
        with self._perimeter.from_goals.registered(self._known, self._trail):
            yield from self._begin()
            while (entry := self._queue.pop()) is not None:
                key, matching = entry
                self._meter.stored = len(self._known)
                self._meter.check()
                self._meter.nodes += 1
                if matching.cost < self._least:
                    self._least = matching.cost
                    self._meter.nearest = self._packing.boxes(key)
                    self._meter.features = (Feature("pulls left", matching.cost),)
                yield from self._expand(key, matching)
                if self._meter.best < NONE_YET:
                    return

    def _begin(self) -> Generator[Progress, None, None]:
        """Queue every arrangement of the boxes on the goals, with the player in each area."""
        board, meter = self._board, self._meter
        ends = self._layers.ends(self._start.boxes)
        costs = []
        for boxes in islice(ends, _MOST_ENDS):
            squares = self._layers.squares_of(boxes)
            if not all(self._landings >> square & 1 for square in squares):
                continue
            matching = yield from self._matchings.match(squares, meter)
            if matching is None:
                continue
            costs.append(matching.cost)
            for region in regions(board.floor & ~boxes, board.stride):
                key = boxes << self._packing.bits | lowest(region)
                self._known[key] = key
                self._queue.put(matching.cost, (key, matching))
        self.left_out = next(ends, None) is not None
        meter.lower_bound = min(costs, default=0) if not self.left_out else 0

    def _expand(self, key: int, matching: Matching) -> Generator[Progress | Found, None, None]:
        """Generate every pull of a position."""
        meter, known, others, bits = self._meter, self._known, self._perimeter.from_start, self._packing.bits
        floor, stride, begin = self._board.floor, self._board.stride, self._start
        boxes = key >> bits
        region = flood(1 << (key & self._packing.mask), floor & ~boxes, stride)
        for square, to, player, after in self._pulls(boxes, region):
            if meter.is_due():
                yield meter.progress()
            reached = flood(player, floor & ~after, stride)
            child = after << bits | lowest(reached)
            if after == begin.boxes and reached >> begin.player & 1:
                yield self._found([after], key)
                return
            if child in known:
                continue
            if child in others:
                yield self._found(others.trail(child), key)
                return
            moved = self._matchings.moved(matching, matching.places.index(square), to)
            if moved is not None:
                known[child] = key
                self._queue.put(moved.cost, (child, moved))

    def _pulls(
        self, boxes: Bitboard, region: Bitboard
    ) -> Iterator[tuple[LayeredSquare, LayeredSquare, Bitboard, Bitboard]]:
        """Yield the layered squares of a box before and after each pull, the player's square and the boxes after."""
        layers, ice = self._layers, self._layers.variant.ice
        free = self._board.floor & ~boxes
        for layer, those in enumerate(layers.split(boxes)):
            base, spread = layer * layers.size, layers.spread[layer]
            allowed = self._landings >> base & layers.squares
            for offset in self._board.offsets:
                # A push along the offset has ended here: on ground without ice, or before a wall or a box.
                pulled = those & shift(region, offset) & ~(ice & shift(free, -offset))
                while pulled:
                    box = pulled & -pulled
                    pulled ^= box
                    to = shift(box, -offset)
                    while (player := shift(to, -offset)) & free:
                        if to & allowed:
                            yield base + lowest(box), base + lowest(to), player, boxes ^ (box | to) * spread
                        if not to & ice:
                            break
                        to = player

    def _trail(self, key: int) -> list[Bitboard]:
        return trail(self._known.__getitem__, key, self._packing)

    def _found(self, begin: list[Bitboard], key: int) -> Found:
        """Return the solution from the start through ``begin``, then from a position back to the goals."""
        found = Found(solution(self._board, self._start, [*begin, *reversed(self._trail(key))]))
        self._meter.best = found.solution.pushes
        return found
