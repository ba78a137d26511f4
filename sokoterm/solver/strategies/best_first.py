"""A* and greedy search: best-first search guided by the matching lower bound.

A* expands the state with the least depth plus bound, so its solution has the fewest pushes.  The matching bound is
consistent: a push lowers it by at most one, since distances are exact for a lone box and the matching has minimum cost.
Pair penalties make it inconsistent, so a state found again on a shorter path is expanded again (Hart, Nilsson and
Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968).

Greedy search expands the state with the least bound, however long the path to it.  It solves many levels that A*
cannot, with a few pushes too many, and proves a level unsolvable as well as any search, since it ends only when every
state has been seen or proven dead.  Dead states that look close to the goals mislead it, so each state is tested for
deadlocks before it is expanded, which pays most on small crowded levels.
"""

from collections.abc import Generator, Sequence

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, flood, lowest, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.reach import region_after
from sokoterm.engine.rules import boxes_home
from sokoterm.solver.common.board_tables import is_too_large
from sokoterm.solver.common.lower_bound import UNREACHABLE, LowerBound, Matching, QueueEntry, make_lower_bound
from sokoterm.solver.common.prunings import PiCorrals, UnreachableSubsets, make_tunnels, unable_to_reach_goals
from sokoterm.solver.common.state_space import BucketQueue, Packing, Perimeter, solution, within_limits
from sokoterm.solver.domain import Domain
from sokoterm.solver.search import NONE_YET, Feature, Found, Limits, Meter, Progress, Search

# Nodes before the tables of unreachable pairs and triples are built: A* has then taken about as long as the tables
# will.  A node of the greedy search is more expensive, so it builds them after a third.
_NODES_BEFORE_SUBSETS = 3_000
_SLOWNESS = 3

_OPPOSITE = [direction.opposite for direction in DIRECTIONS]


def astar(
    board: Board,
    start: State,
    limits: Limits,
    perimeter: Perimeter | None = None,
    *,
    subsets_at: int | None = _NODES_BEFORE_SUBSETS,
) -> Search:
    """Search for a solution with fewest pushes (at least one) or prove that there is none.

    A solution may be yielded before it is proven optimal, and a better one may follow.  ``perimeter``: positions shared
    with other searches of the level.  ``subsets_at``: nodes after which tables of unreachable pairs and triples are
    used; None: never, for generating levels and for rating them by node counts.
    """
    return _search(board, start, limits, perimeter, optimal=True, subsets_at=subsets_at)


def greedy(
    board: Board,
    start: State,
    limits: Limits,
    perimeter: Perimeter | None = None,
    *,
    subsets_at: int | None = _NODES_BEFORE_SUBSETS // _SLOWNESS,
) -> Search:
    """Search for a solution of at least one push or prove that there is none; arguments as for ``astar``."""
    return _search(board, start, limits, perimeter, optimal=False, subsets_at=subsets_at)


def _search(
    board: Board, start: State, limits: Limits, perimeter: Perimeter | None, *, optimal: bool, subsets_at: int | None
) -> Search:
    meter = Meter("astar" if optimal else "greedy", board, limits, bytes_per_state=250)
    shared = perimeter or Perimeter()

    def search() -> Generator[Progress | Found, None, None]:
        lower_bound, matching = yield from make_lower_bound(board, start, meter)
        if matching is not None:
            best_first = _FewestPushes(board, start, lower_bound, meter, shared, optimal=optimal, subsets_at=subsets_at)
            yield from best_first.run(matching)

    return within_limits(board, start, meter, search())


class BestFirst:
    """Best-first search: its tables, visited states and queue.

    States of lowest priority are expanded first, the newest of several, and again if found at less cost.  A subclass
    defines the cost of states (``depth`` of an entry), generates children, and decides when the last solution is final.

    ``_known`` holds the cost and the last push of each state as one int, 0 for a dead state and for the start.  Since
    nothing costs less than 0, dead states are never queued again.
    """

    def __init__(self, board: Board, start: State, lower_bound: LowerBound, meter: Meter) -> None:
        self._domain = domain = Domain(board)
        self._board = board
        self._start = start
        self._lower_bound = lower_bound
        self._meter = meter
        self._detector: DeadlockDetector | None = None
        self._successors = domain.successors(lower_bound.distances.live)
        self._packing = Packing(board)
        self._cost_bits = self._packing.bits + 2
        self._first = self._packing.pack(start)
        self._queue: BucketQueue[QueueEntry] = BucketQueue()
        self._known: dict[int, int] = {}
        self._dead: set[Bitboard] = set()
        self._least = NONE_YET

    def run(self, matching: Matching) -> Generator[Progress | Found, None, None]:
        """Expand states until the last solution is final or no state is left; ``matching`` is that of the start."""
        meter, known = self._meter, self._known
        meter.watch(known, self._dead)
        known[self._first] = 0
        self._put(QueueEntry(self._first, 0, matching.cost, matching))
        while (entry := self._queue.pop()) is not None:
            if entry.depth > known[entry.key] >> self._cost_bits:
                # A shorter path was found since, or the state was proven dead.
                if meter.is_due():
                    yield meter.progress()
                continue
            if self._is_settled(entry):
                return
            meter.stored = len(known) + len(self._dead)
            meter.check()
            yield from self._grow()
            yield from self._visit(entry)

    def _is_settled(self, entry: QueueEntry) -> bool:
        """Record the progress shown by the next entry; return True if the last solution is final."""
        raise NotImplementedError

    def _expand(
        self, key: int, region: Bitboard, depth: int, matching: Matching
    ) -> Generator[Progress | Found, None, None]:
        raise NotImplementedError

    def _put(self, entry: QueueEntry) -> None:
        """Queue a state unless it cannot improve the last solution."""
        raise NotImplementedError

    def _grow(self) -> Generator[Progress, None, None]:
        yield from self._lower_bound.grow(self._meter)

    def _figures(self, _entry: QueueEntry) -> tuple[Feature, ...]:
        """Return further features of the position nearest to a solution so far."""
        return ()

    def _visit(self, entry: QueueEntry) -> Generator[Progress | Found, None, None]:
        """Expand a state, requeue it if pair penalties raise its bound, or mark it as dead."""
        key, depth, bound = entry[:3]
        meter, matching = self._meter, self._lower_bound.matching(entry)
        boxes = key >> self._packing.bits
        region = flood(1 << (key & self._packing.mask), self._board.floor & ~boxes, self._board.stride)
        if bound == matching.cost and (penalty := self._lower_bound.penalty(boxes, region)):
            if meter.is_due():
                yield meter.progress()
            if penalty == UNREACHABLE:
                self._known[key] = 0
            else:
                self._put(QueueEntry(key, depth, bound + penalty, matching))
            return
        if self._detector is not None:
            yield meter.progress()
            if self._detector.is_dead(boxes, region):
                self._known[key] = 0
                return
        if bound < self._least:
            self._least = bound
            meter.nearest = boxes
            home = boxes_home(self._board, State(boxes, 0)).bit_count()
            home_of = Feature("home", home, self._board.goals.bit_count())
            meter.features = (Feature("bound", bound), *self._figures(entry), home_of)
        meter.nodes += 1
        yield from self._expand(key, region, depth, matching)

    def _found(self, key: int, boxes: Sequence[Bitboard]) -> Found:
        """Return the solution along the path to a state and then through ``boxes``."""
        found = Found(solution(self._board, self._start, [*self._trail(key), *boxes]))
        self._meter.best = found.solution.pushes
        return found

    def _store(self, key: int, cost: int, square: Square, direction: Direction) -> None:
        """Store the last push to a state: its direction, and a square that lets ``_before`` reconstruct it."""
        self._known[key] = cost << self._cost_bits | square << 2 | direction

    def _before(self, key: int, square: Square, direction: int) -> int:
        raise NotImplementedError

    def _trail(self, key: int) -> list[Bitboard]:
        bits, mask = self._packing.bits, self._packing.mask
        trail = [key >> bits]
        while key != self._first:
            last = self._known[key]
            key = self._before(key, last >> 2 & mask, last & 3)
            trail.append(key >> bits)
        trail.reverse()
        return trail


class _FewestPushes(BestFirst):
    """Search behind ``astar`` and ``greedy``; a state costs its pushes.

    An ``optimal`` search continues until its last solution is proven to have the fewest pushes.  A greedy one expands
    each state at most once and ends at the first solution.
    """

    def __init__(
        self,
        board: Board,
        start: State,
        lower_bound: LowerBound,
        meter: Meter,
        perimeter: Perimeter,
        *,
        optimal: bool,
        subsets_at: int | None,
    ) -> None:
        super().__init__(board, start.normalized(board), lower_bound, meter)
        self._start = start
        self._optimal = optimal
        self._perimeter = perimeter
        # The full detector takes several times as long as everything else, but pays in a greedy search, which a dead
        # state can lead ever deeper.
        self._detector = None if optimal or is_too_large(board) else DeadlockDetector(board)
        self._unreachable: UnreachableSubsets | None = None
        self._subsets_at: int | None = None
        self._corrals: PiCorrals | None = None
        if self._domain.is_plain:
            self._subsets_at = subsets_at
            live, frozen = lower_bound.distances.live, self._domain.check.frozen
            self._corrals = PiCorrals(board, live, frozen, adds_boxes=True)
        self._tunnels: Sequence[Bitboard] = (0, 0, 0, 0)

    def run(self, matching: Matching) -> Generator[Progress | Found, None, None]:
        if self._domain.is_plain:
            self._tunnels = yield from make_tunnels(self._lower_bound.distances, self._meter)
        self._meter.lower_bound = matching.cost
        with self._perimeter.from_start.registered(self._known, self._trail):
            yield from super().run(matching)
        if self._optimal:
            self._meter.optimal = "pushes"

    def _is_settled(self, entry: QueueEntry) -> bool:
        meter, total = self._meter, entry.depth + entry.bound
        if meter.best <= total if self._optimal else meter.best < NONE_YET:
            return True
        meter.depth = entry.depth
        if self._optimal:
            meter.lower_bound = max(meter.lower_bound, total)
        return False

    def _grow(self) -> Generator[Progress, None, None]:
        yield from super()._grow()
        if self._subsets_at is not None and self._meter.nodes >= self._subsets_at:
            self._subsets_at = None
            squares = self._lower_bound.distances.squares
            self._unreachable = yield from unable_to_reach_goals(self._board, squares, self._meter)

    def _expand(
        self, key: int, region: Bitboard, depth: int, matching: Matching
    ) -> Generator[Progress | Found, None, None]:
        known, dead, unreachable, meter = self._known, self._dead, self._unreachable, self._meter
        goals, floor, stride, bits = self._board.goals, self._board.floor, self._board.stride, self._packing.bits
        telling, is_freeze_deadlock = self._domain.telling, self._domain.is_freeze_deadlock
        offsets, tunnels, cost_bits = self._board.offsets, self._tunnels, self._cost_bits
        fence = None if self._corrals is None else self._corrals.fence(key >> bits, region)
        pushes = self._successors.pushes_from(key >> bits, region, -1 if fence is None else fence)
        for direction, box, landing, base, after in pushes:
            if meter.is_due():
                yield meter.progress()
            player, child_depth = box, depth + 1
            while landing & tunnels[direction]:
                ahead = shift(landing, offsets[direction])
                if ahead & after:
                    break
                after ^= landing | ahead
                player, landing = landing, ahead
                child_depth += 1
            if after & telling == goals:
                if child_depth < meter.best:
                    yield self._found(key, [after])
                continue
            square, to = box.bit_length() - 1, landing.bit_length() - 1
            if after in dead or unreachable is not None and unreachable.are_among(after, to, _OPPOSITE[direction]):
                continue
            free = floor & ~after
            child = after << bits | lowest(region_after(region, player, box, to, free, stride))
            before = known.get(child)
            if before is not None and (before >> cost_bits <= child_depth or not self._optimal):
                continue
            if before is None and is_freeze_deadlock(after):
                dead.add(after)
                continue
            entry = self._lower_bound.entry(child, child_depth, matching, direction, base + square, base + to)
            if entry is None:
                known[child] = 0
            elif child_depth + entry.bound < meter.best:
                self._store(child, child_depth, square, direction)
                self._put(entry)
                if meter.best == NONE_YET and child in self._perimeter.from_goals:
                    yield self._found(key, self._perimeter.from_goals.trail(child)[::-1])

    def _before(self, key: int, square: Square, direction: int) -> int:
        board, bits = self._board, self._packing.bits
        boxes = self._domain.before(key >> bits, square, direction)
        return boxes << bits | lowest(flood(1 << square - board.offsets[direction], board.floor & ~boxes, board.stride))

    def _put(self, entry: QueueEntry) -> None:
        """Queue a state: the lowest total of pushes first, then the deepest; in a greedy search by the bound only."""
        total = entry.depth + entry.bound
        if total < self._meter.best:
            self._queue.put(total << 32 | entry.bound if self._optimal else entry.bound, entry)
