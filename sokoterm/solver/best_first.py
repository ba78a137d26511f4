"""Best-first search led by the matching lower bound: what A* and the greedy search share."""

from collections.abc import Callable, Generator
from heapq import heappop, heappush
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, Square, flood, lowest, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock import DeadlockCheck
from sokoterm.solver.distances import UNREACHABLE, Distances, Place, make_distances
from sokoterm.solver.lower_bound import LowerBound, Matching
from sokoterm.solver.meter import NONE_YET, LimitReached, Meter
from sokoterm.solver.pairs import Pairs, make_pairs, work
from sokoterm.solver.pi_corral import PiCorrals
from sokoterm.solver.protocol import Feature, Found, Limits, Progress, Search
from sokoterm.solver.successors import Successors
from sokoterm.solver.trail import Packing, solution
from sokoterm.solver.tunnels import tunnels

Priority = Callable[[int, int], int]

# The table of pairs is made after this many nodes, and one more for so many steps of its making: by then the search
# has taken some times as long as the table will.
_NODES_BEFORE_PAIRS = 200
_STEPS_PER_NODE = 100


class Entry(NamedTuple):
    """A state that waits.  ``bound`` is in pushes; ``matching`` is the state's own where ``goal`` is NO_GOAL.

    Else it is that of the state before, whose box meant for ``goal`` has come to ``place``: most states are never
    expanded and need no matching of their own.
    """

    key: int
    depth: int
    bound: int
    matching: Matching
    goal: int
    place: Place


NO_GOAL = -1


def best_first(
    name: str,
    board: Board,
    start: State,
    limits: Limits,
    priority: Priority,
    *,
    optimal: bool,
    best_known: int = NONE_YET,
) -> Search:
    """A solution of at least one push, or the proof that there is none.

    The states of the least ``priority(depth, bound)`` are expanded first, of equal ones the youngest; depth and bound
    are in pushes.  ``optimal`` promises that the priority is led by ``depth + bound``: then a state found again on a
    shorter way waits again, and the search goes on until its last solution is proven to have the fewest pushes.
    Without it each state is expanded once, and the first solution ends the search.

    ``best_known``: the pushes of a solution that the caller has; only shorter ones are searched for, and an outcome
    without any is the outcome of that solution.
    """
    meter = Meter(name, board, limits, bytes_per_state=250)
    meter.best = best_known
    try:
        return (yield from _best_first(board, start, priority, optimal, meter))
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _best_first(board: Board, start: State, priority: Priority, optimal: bool, meter: Meter) -> Search:
    yield meter.progress()
    distances = yield from make_distances(board, meter)
    bound = LowerBound(distances.to_goals)
    places = []
    for box in scan(start.boxes):
        places.append(distances.place(box, start.player))
        yield meter.progress()
    matching = yield from bound.match(places, meter)
    if matching is None:
        return meter.unsolvable()
    return (yield from _BestFirst(board, start, distances, bound, priority, optimal, meter).search(matching))


class BucketQueue:
    """Entries by priority, the least first; of equal ones the youngest."""

    def __init__(self) -> None:
        self._buckets: dict[int, list[Entry]] = {}
        self._priorities: list[int] = []

    def put(self, priority: int, entry: Entry) -> None:
        bucket = self._buckets.get(priority)
        if bucket is None:
            bucket = self._buckets[priority] = []
            heappush(self._priorities, priority)
        bucket.append(entry)

    def pop(self) -> Entry | None:
        """The next entry, or None if there is none left."""
        if not self._priorities:
            return None
        bucket = self._buckets[self._priorities[0]]
        entry = bucket.pop()
        if not bucket:
            del self._buckets[heappop(self._priorities)]
        return entry


class _Known:
    """The states met: the fewest pushes known to each, and the last of them, as one int; 0 for a dead one.

    No number of pushes betters 0; it is the start's, too.
    """

    def __init__(self, board: Board, packing: Packing) -> None:
        self._board = board
        self._packing = packing
        self.bits = packing.bits + 2
        self.table: dict[int, int] = {}

    def put(self, key: int, depth: int, box: Square, direction: Direction) -> None:
        """Note the way to a state: a box was pushed in a direction, maybe more than once, from the square ``box``."""
        self.table[key] = depth << self.bits | box << 2 | direction

    def trail(self, first: int, key: int) -> list[Bitboard]:
        """The boxes of every state noted on the way from the first one."""
        board, bits, mask = self._board, self._packing.bits, self._packing.mask
        trail = [key >> bits]
        while key != first:
            last = self.table[key]
            boxes, box, offset = key >> bits, last >> 2 & mask, board.offsets[last & 3]
            landing = box + offset
            while not boxes >> landing & 1:
                landing += offset
            boxes ^= 1 << box | 1 << landing
            key = boxes << bits | lowest(flood(1 << box - offset, board.floor & ~boxes, board.stride))
            trail.append(boxes)
        trail.reverse()
        return trail


class _BestFirst:
    """One search: its tables, the states it has met and those that wait."""

    def __init__(
        self,
        board: Board,
        start: State,
        distances: Distances,
        bound: LowerBound,
        priority: Priority,
        optimal: bool,
        meter: Meter,
    ) -> None:
        self._board = board
        self._start = start
        self._distances = distances
        self._bound = bound
        self._priority = priority
        self._optimal = optimal
        self._meter = meter
        self._check = DeadlockCheck(board)
        self._successors = Successors(board, distances.live)
        self._corrals = PiCorrals(board, distances.live, self._check.frozen)
        self._tunnels = tunnels(distances)
        self._packing = Packing(board)
        self._first = self._packing.pack(start.normalized(board))
        self._queue = BucketQueue()
        self._known = _Known(board, self._packing)
        self._dead: set[Bitboard] = set()
        self._pairs: Pairs | None = None
        steps = work(distances) if board.goals.bit_count() > 1 else None
        self._pairs_at = NONE_YET if steps is None else _NODES_BEFORE_PAIRS + steps // _STEPS_PER_NODE
        self._least = NONE_YET

    def search(self, matching: Matching) -> Search:
        """Expand states until a solution, a limit or the end is reached; ``matching`` is that of the start."""
        meter = self._meter
        meter.lower_bound = matching.cost
        meter.watch(self._known.table)
        meter.watch(self._dead)
        if self._check.find(self._start.boxes) is None:
            self._known.table[self._first] = 0
            self._put(Entry(self._first, 0, matching.cost, matching, NO_GOAL, 0))
        yield from self._run()
        return meter.solved(proven=self._optimal) if meter.best < NONE_YET else meter.unsolvable()

    def _run(self) -> Generator[Progress | Found, None, None]:
        meter, known = self._meter, self._known
        while (entry := self._queue.pop()) is not None:
            if entry.depth > known.table[entry.key] >> known.bits:
                continue  # a shorter way has been found since, or that the state is dead
            if self._is_settled(entry.depth + entry.bound):
                return
            meter.stored = len(known.table) + len(self._dead)
            meter.depth = entry.depth
            if self._optimal:
                meter.lower_bound = max(meter.lower_bound, entry.depth + entry.bound)
            meter.check()
            if meter.nodes >= self._pairs_at:
                self._pairs_at = NONE_YET
                self._pairs = yield from make_pairs(self._distances, meter)
            yield from self._visit(entry)

    def _is_settled(self, total: int) -> bool:
        """Whether the last solution stands, as the least depth and bound of all that wait is ``total``."""
        return self._meter.best <= total if self._optimal else self._meter.best < NONE_YET

    def _visit(self, entry: Entry) -> Generator[Progress | Found, None, None]:
        """Expand a state; put it back where the pairs raise its bound; strike it out where it is dead."""
        key, depth, bound, matching, goal, place = entry
        if goal != NO_GOAL:
            completed = self._bound.moved(matching, goal, place)
            assert completed is not None
            matching = completed
        boxes = key >> self._packing.bits
        region = flood(1 << (key & self._packing.mask), self._board.floor & ~boxes, self._board.stride)
        if self._pairs is not None and bound == matching.cost:
            penalty = self._pairs.penalty(boxes, region)
            if penalty == UNREACHABLE:
                self._known.table[key] = 0
                return
            if penalty:
                self._put(Entry(key, depth, bound + penalty, matching, NO_GOAL, 0))
                return
        if bound < self._least:
            self._note_nearest(boxes, bound)
        self._meter.nodes += 1
        fence = self._corrals.fence(boxes, region)
        yield from self._expand(key, region, -1 if fence is None else fence, depth, matching)

    def _expand(
        self, key: int, region: Bitboard, among: Bitboard, depth: int, matching: Matching
    ) -> Generator[Progress | Found, None, None]:
        """Generate the children of a state by pushes of some of its boxes."""
        board, bits, known, dead, meter = self._board, self._packing.bits, self._known, self._dead, self._meter
        for direction, box, after in self._successors.pushes(key >> bits, region, among):
            if meter.is_due():
                yield meter.progress()
            player, landing = box, shift(box, board.offsets[direction])
            child_depth = depth + 1
            while landing & self._tunnels[direction]:
                ahead = shift(landing, board.offsets[direction])
                if ahead & after:
                    break
                after ^= landing | ahead
                player, landing = landing, ahead
                child_depth += 1
            if after == board.goals:
                yield from self._finish(key, after, child_depth)
                continue
            if after in dead:
                continue
            child = after << bits | lowest(flood(player, board.floor & ~after, board.stride))
            before = known.table.get(child)
            if before is not None and (before >> known.bits <= child_depth or not self._optimal):
                continue
            if before is None and self._check.frozen(after) & ~board.goals:
                dead.add(after)
                continue
            entry = self._entry(child, child_depth, matching, direction, box, landing)
            if entry is None:
                known.table[child] = 0
            elif child_depth + entry.bound < meter.best:
                known.put(child, child_depth, box.bit_length() - 1, direction)
                self._put(entry)

    def _finish(self, key: int, after: Bitboard, depth: int) -> Generator[Found, None, None]:
        """A solution, by the way to a state and the last pushes; ``depth`` is at least its pushes."""
        if depth < self._meter.best:
            found = Found(solution(self._board, self._start, [*self._known.trail(self._first, key), after]))
            self._meter.best = found.solution.pushes
            yield found

    def _entry(
        self, key: int, depth: int, matching: Matching, direction: Direction, box: Bitboard, landing: Bitboard
    ) -> Entry | None:
        """The entry of a state that came about by pushes of one box; None if not all boxes can come to goals."""
        behind = self._distances.behind[direction]
        goal = matching.places.index(behind[box.bit_length() - 1])
        place = behind[landing.bit_length() - 1]
        cost = self._bound.cost_in_place(matching, goal, place)
        if cost is not None:
            return Entry(key, depth, cost, matching, goal, place) if cost < UNREACHABLE else None
        moved = self._bound.moved(matching, goal, place)
        return None if moved is None else Entry(key, depth, moved.cost, moved, NO_GOAL, 0)

    def _put(self, entry: Entry) -> None:
        if entry.depth + entry.bound < self._meter.best:
            self._queue.put(self._priority(entry.depth, entry.bound), entry)

    def _note_nearest(self, boxes: Bitboard, bound: int) -> None:
        """Report a position that has the least bound so far."""
        goals = self._board.goals
        self._least = bound
        self._meter.nearest = boxes
        self._meter.features = (
            Feature("bound", bound),
            Feature("home", (boxes & goals).bit_count(), goals.bit_count()),
        )
