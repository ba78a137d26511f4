"""Best-first search led by the matching lower bound: what A* and the greedy search share."""

from collections.abc import Callable, Generator
from heapq import heappop, heappush

from sokoterm.engine.bits import Bitboard, Direction, Square, flood, lowest, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock import DeadlockCheck
from sokoterm.solver.distances import Distances, make_distances
from sokoterm.solver.lower_bound import LowerBound, Matching
from sokoterm.solver.meter import NONE_YET, LimitReached, Meter
from sokoterm.solver.protocol import Found, Limits, Progress, Search
from sokoterm.solver.successors import Successors
from sokoterm.solver.trail import Packing, solution, trail

Priority = Callable[[int, int], int]
Entry = tuple[int, int, Matching]


def best_first(name: str, board: Board, start: State, limits: Limits, priority: Priority, *, optimal: bool) -> Search:
    """A solution of at least one push, or the proof that there is none.

    The states of the least ``priority(depth, bound)`` are expanded first, of equal ones the youngest; depth and bound
    are in pushes.  ``optimal`` promises that the priority is led by ``depth + bound``: then a state found again on a
    shorter way waits again, and the search goes on until its last solution is proven to have the fewest pushes.
    Without it each state is expanded once, and the first solution ends the search.
    """
    meter = Meter(name, board, limits, bytes_per_state=350 + 16 * board.goals.bit_count())
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
        self._packing = Packing(board)
        self._queue = BucketQueue()
        # The fewest pushes known to each state (to a dead one 0, which nothing betters), and the state before it.
        self._depths: dict[int, int] = {}
        self._parents: dict[int, int] = {}
        self._dead: set[Bitboard] = set()

    def search(self, matching: Matching) -> Search:
        """Expand states until a solution, a limit or the end is reached; ``matching`` is that of the start."""
        meter = self._meter
        meter.lower_bound = matching.cost
        if self._check.find(self._start.boxes) is None:
            key = self._packing.pack(self._start.normalized(self._board))
            self._put(key, key, 0, matching)
        yield from self._run()
        return meter.solved(proven=self._optimal) if meter.best < NONE_YET else meter.unsolvable()

    def _run(self) -> Generator[Progress | Found, None, None]:
        meter = self._meter
        while (entry := self._queue.pop()) is not None:
            key, depth, matching = entry
            if depth > self._depths[key]:
                continue  # a shorter way has been found since
            if self._is_settled(depth + matching.cost):
                return
            meter.stored = len(self._depths) + len(self._dead)
            meter.depth = depth
            if self._optimal:
                meter.lower_bound = depth + matching.cost
            meter.check()
            meter.nodes += 1
            yield from self._expand(key, depth + 1, matching)

    def _is_settled(self, total: int) -> bool:
        """Whether the last solution stands, as the least depth and bound of all that wait is ``total``."""
        return self._meter.best <= total if self._optimal else self._meter.best < NONE_YET

    def _expand(self, key: int, depth: int, matching: Matching) -> Generator[Progress | Found, None, None]:
        """Generate the children of a state; ``depth`` is theirs."""
        board, bits, depths, dead, meter = self._board, self._packing.bits, self._depths, self._dead, self._meter
        for direction, box, after in self._successors.pushes(key >> bits, 1 << (key & self._packing.mask)):
            if meter.is_due():
                yield meter.progress()
            if after == board.goals:
                if depth < meter.best:
                    found = Found(solution(board, self._start, [*trail(self._parents, key, self._packing), after]))
                    meter.best = depth
                    yield found
                continue
            if after in dead:
                continue
            child = after << bits | lowest(flood(box, board.floor & ~after, board.stride))
            known = depths.get(child)
            if known is not None and (known <= depth or not self._optimal):
                continue
            if known is None and self._check.frozen(after) & ~board.goals:
                dead.add(after)
                continue
            moved = self._moved(matching, direction, box.bit_length() - 1)
            if moved is None:
                depths[child] = 0
            elif depth + moved.cost < meter.best:
                self._put(child, key, depth, moved)

    def _moved(self, matching: Matching, direction: Direction, box: Square) -> Matching | None:
        """The matching after a push of the box on the square ``box``."""
        behind = self._distances.behind[direction]
        goal = matching.places.index(behind[box])
        return self._bound.moved(matching, goal, behind[box + self._board.offsets[direction]])

    def _put(self, key: int, parent: int, depth: int, matching: Matching) -> None:
        self._depths[key] = depth
        self._parents[key] = parent
        self._queue.put(self._priority(depth, matching.cost), (key, depth, matching))
