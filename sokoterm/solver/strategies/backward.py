"""Greedy backward search: pulls boxes from the goals to their starting squares.

It often solves small crowded levels that defeat every forward search, because pulls cannot cause most deadlocks.  The
position whose boxes are nearest to their starting squares is expanded first, the newest of several; nearness is the
minimum-cost matching of boxes to starting squares, as in ``lower_bound``.  Pairs or triples of boxes that pushes from
the start cannot produce are pruned; in some levels they occurred in nearly all positions visited.

With colours the boxes may end in several arrangements, and the search starts from all of them.  On ice, a box is pulled
any number of squares over which a push could have slid it to where it is.
"""

from collections.abc import Generator, Mapping, Sequence
from itertools import islice

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, lowest, regions
from sokoterm.engine.board import Board, State
from sokoterm.engine.reach import region_after
from sokoterm.solver.common.board_tables import is_too_large
from sokoterm.solver.common.lower_bound import NO_GOAL, UNREACHABLE, Matching, Matchings, Place
from sokoterm.solver.common.prunings import UnreachableSubsets, unreachable_from_start
from sokoterm.solver.common.state_space import BucketQueue, Packing, Perimeter, solution, within_limits
from sokoterm.solver.domain import Domain, LayeredSquare
from sokoterm.solver.search import NONE_YET, Feature, Found, LimitReached, Limits, Meter, Progress, Reason, Search

# Most arrangements of boxes on the goals to start from: with colours there may be many.
_MOST_ENDS = 1_000

# Position in the queue: its boxes and entry, a matching, and the cost of its own.  Unless the goal is NO_GOAL, the
# matching is that of the position before the last pull, which moved the box assigned to the goal to a place.
_Waiting = tuple[Bitboard, int, Matching, int, Place, int]


def search(
    board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None, *, few_boxes: bool = True
) -> Search:
    """Search for a solution of at least one push, not the shortest, or prove that there is none.

    ``perimeter``: positions shared with other searches of the level.  ``few_boxes``: use tables of unreachable pairs
    and triples; ratings count nodes without them.
    """
    meter = Meter("backward", board, limits, bytes_per_state=350)

    def search() -> Generator[Progress | Found, None, None]:
        if is_too_large(board):
            raise LimitReached(Reason.SIZE)
        domain = Domain(board)
        rows = yield from _rows(domain, start, meter)
        yield from _Backward(domain, start, rows, meter, perimeter or Perimeter()).run(few_boxes)

    return within_limits(board, start, meter, search())


def _rows(domain: Domain, start: State, meter: Meter) -> Generator[Progress, None, dict[LayeredSquare, list[int]]]:
    """Return for each square a lone box's pushes to it from every starting square of a box, or UNREACHABLE."""
    squares = domain.squares_of(start.boxes)
    rows: dict[LayeredSquare, list[int]] = {}
    for number, square in enumerate(squares):
        base = square - square % domain.size
        for landing, pushes in domain.pushes_of_one(square - base).items():
            rows.setdefault(base + landing, [UNREACHABLE] * len(squares))[number] = pushes
        yield meter.progress()
    return rows


class _VisitedPositions:
    """Visited positions by their boxes, recognized without a flood fill.

    An entry is one int: the free squares closed to the player, then the square and the direction of the last pull, both
    0 at the root.  Undoing that pull gives the position before.
    """

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self.packing = Packing(domain.board)
        self.by_boxes: dict[Bitboard, int] = {}
        self.count = 0
        self.pull_bits = self.packing.bits + 2
        self._pull_mask = (1 << self.pull_bits) - 1
        # Further positions with the same boxes.
        self._more: dict[Bitboard, list[int]] = {}

    def add(self, boxes: Bitboard, closed: Bitboard, landing: Square, side: int) -> int:
        self.count += 1
        entry = closed << self.pull_bits | landing << 2 | side
        if self.by_boxes.setdefault(boxes, entry) is not entry:
            self._more.setdefault(boxes, []).append(entry)
        return entry

    def find(self, boxes: Bitboard, player: Square) -> int | None:
        """Return the entry of a position, given any square of the player's region; None if it was not visited."""
        entry = self.by_boxes.get(boxes)
        if entry is None or not entry >> self.pull_bits + player & 1:
            return entry
        return next((each for each in self._more.get(boxes, ()) if not each >> self.pull_bits + player & 1), None)

    def before(self, boxes: Bitboard, entry: int) -> tuple[Square, Square, Bitboard] | None:
        """Return the squares before and after the last pull, and the boxes before it; None at the root."""
        pull = entry & self._pull_mask
        return self._domain.unpulled(boxes, landing, pull & 3) if (landing := pull >> 2) else None

    def __contains__(self, key: int) -> bool:
        return self.find(self.packing.boxes(key), key & self.packing.mask) is not None

    def trail(self, key: int) -> list[Bitboard]:
        """Return the boxes of every position from the root to the visited position with a key."""
        boxes, player = self.packing.boxes(key), key & self.packing.mask
        trail = [boxes]
        while (entry := self.find(boxes, player)) is not None and (pull := self.before(boxes, entry)) is not None:
            _, player, boxes = pull
            trail.append(boxes)
        trail.reverse()
        return trail


class _Backward:
    def __init__(
        self,
        domain: Domain,
        start: State,
        rows: Mapping[LayeredSquare, Sequence[int]],
        meter: Meter,
        perimeter: Perimeter,
    ) -> None:
        """``rows``: for each reachable square, the pushes to it from each starting square of a box."""
        self._domain = domain
        self._board = domain.board
        self._start = start
        self._meter = meter
        self._perimeter = perimeter
        self._positions = _VisitedPositions(domain)
        self._queue: BucketQueue[_Waiting] = BucketQueue()
        self._nearest = UNREACHABLE
        self._rows = rows
        self._matchings = Matchings(rows)
        # Squares that some box can reach from its start.
        self._landings = bitboard_of(rows)
        self._predecessors = domain.predecessors(self._landings)
        self._unreachable: UnreachableSubsets | None = None
        meter.watch(self._positions.by_boxes)

    def run(self, few_boxes: bool) -> Generator[Progress | Found, None, None]:
        """Pull until the start or a position of a forward search is met, or every position has been visited."""
        if few_boxes and self._domain.is_plain:
            self._unreachable = yield from unreachable_from_start(self._board, self._start, self._landings, self._meter)
        with self._perimeter.from_goals.registered(self._positions, self._positions.trail):
            has_all_ends = yield from self._begin()
            yield from self._pull()
        if self._meter.best == NONE_YET and not has_all_ends:
            raise LimitReached(Reason.STATES)

    def _begin(self) -> Generator[Progress, None, bool]:
        """Queue arrangements of boxes on the goals, with the player in each area; return whether these are all."""
        floor, meter = self._board.floor, self._meter
        ends = self._domain.ends(self._start.boxes)
        costs = []
        for boxes in islice(ends, _MOST_ENDS):
            squares = self._domain.squares_of(boxes)
            if not all(self._landings >> square & 1 for square in squares):
                continue
            matching = yield from self._matchings.match(squares, meter)
            if matching is None:
                continue
            costs.append(matching.cost)
            for region in regions(floor & ~boxes, self._board.stride):
                entry = self._positions.add(boxes, floor & ~(boxes | region), 0, 0)
                self._queue.put(matching.cost, (boxes, entry, matching, NO_GOAL, 0, matching.cost))
        has_all = next(ends, None) is None
        meter.lower_bound = min(costs, default=0) if has_all else 0
        return has_all

    def _pull(self) -> Generator[Progress | Found, None, None]:
        """Expand positions until the start or a position of a forward search is met, or none is left."""
        meter, positions, matchings, queue = self._meter, self._positions, self._matchings, self._queue
        by_boxes, pull_bits, bits = positions.by_boxes, positions.pull_bits, positions.packing.bits
        floor, stride, start = self._board.floor, self._board.stride, self._start
        predecessors, is_due, others = self._predecessors, meter.is_due, self._perimeter.from_start
        are_among = None if self._unreachable is None else self._unreachable.are_among
        while (waiting := queue.pop()) is not None:
            boxes, entry, matching, goal, place, cost = waiting
            if goal != NO_GOAL:
                matching = matchings.in_place(matching, goal, place, cost)
            meter.stored = positions.count
            meter.check()
            meter.nodes += 1
            if is_due():
                yield meter.progress()
            if cost < self._nearest:
                self._nearest = cost
                most = meter.features[0].of if meter.features else cost
                meter.features = (Feature("pulls left", cost, most, falls=True),)
            region = floor & ~(boxes | entry >> pull_bits)
            for side, box, landing, player, base, after in predecessors(boxes, region):
                same = by_boxes.get(after)
                if same is not None and same >> pull_bits + player & 1:
                    same = positions.find(after, player)
                if same is not None and after != start.boxes:
                    continue
                if are_among is not None and are_among(after, landing, side):
                    continue
                if is_due():
                    yield meter.progress()
                free = floor & ~after
                reached = region_after(region, 1 << player, box, landing, free, stride)
                if after == start.boxes and reached >> start.player & 1:
                    yield self._found([after], boxes, region)
                    return
                if same is not None:
                    continue
                child = after << bits | (reached & -reached).bit_length() - 1
                if child in others:
                    yield self._found(others.trail(child), boxes, region)
                    return
                goal, place = matching.places.index(base + box.bit_length() - 1), base + landing
                kept = matchings.cost_in_place(matching, goal, place)
                if kept is None:
                    moved = matchings.reassigned(matching, goal, place)
                    if moved is not None:
                        new = positions.add(after, free ^ reached, landing, side)
                        queue.put(moved.cost, (after, new, moved, NO_GOAL, 0, moved.cost))
                elif kept < UNREACHABLE:
                    new = positions.add(after, free ^ reached, landing, side)
                    queue.put(kept, (after, new, matching, goal, place, kept))

    def _found(self, begin: list[Bitboard], boxes: Bitboard, region: Bitboard) -> Found:
        """Return the solution from the start through ``begin``, then from a visited position back to the goals."""
        back = reversed(self._positions.trail(boxes << self._positions.packing.bits | lowest(region)))
        found = Found(solution(self._board, self._start, [*begin, *back]))
        self._meter.best = found.solution.pushes
        return found
