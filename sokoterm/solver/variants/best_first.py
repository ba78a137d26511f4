"""Best-first searches of boards with colours or ice: breadth-first, A* and greedy.

A* and greedy search have the bound of ``layers``, breadth-first search only knows that an unsolved position needs a
push.  States are normalized, as on ordinary boards.
"""

from collections.abc import Generator, Sequence

from sokoterm.engine.bits import Bitboard, Direction, flood, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.deadlock.detector import DeadlockDetector, is_dead_at_sight
from sokoterm.solver.common.board_tables import is_too_large
from sokoterm.solver.common.lower_bound import Matching, QueueEntry
from sokoterm.solver.common.perimeter import Perimeter
from sokoterm.solver.common.state_space import BucketQueue, Packing, solution, trail
from sokoterm.solver.meter import NONE_YET, LimitReached, Meter
from sokoterm.solver.protocol import Feature, Found, Limits, Progress, Search
from sokoterm.solver.variants.layers import LayeredSquare, Layers, VariantBound, VariantPushes, make_bound

_NO_MATCHING = Matching(0, (), ())


def bfs(board: Board, start: State, limits: Limits) -> Search:
    """Search for a solution with fewest pushes (at least one), or prove that there is none."""
    return _search("bfs", board, start, limits, None)


def astar(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None) -> Search:
    """Do the same with the lower bound; a solution may be yielded before it is proven optimal.

    ``perimeter``: positions shared with other searches of the level.
    """
    return _search("astar", board, start, limits, perimeter)


def greedy(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None) -> Search:
    """Search for a solution of at least one push, or prove that there is none.

    ``perimeter``: positions shared with other searches of the level.
    """
    return _search("greedy", board, start, limits, perimeter)


def _search(name: str, board: Board, start: State, limits: Limits, perimeter: Perimeter | None) -> Search:
    meter = Meter(name, board, limits, bytes_per_state=400)
    try:
        yield meter.progress()
        if is_dead_at_sight(board, start):
            return meter.unsolvable(start)
        layers = Layers(board)
        bound = yield from make_bound(layers, meter)
        matching = yield from bound.match(start, meter)
        if matching is None:
            return meter.unsolvable(start)
        search = _BestFirst(layers, start, bound, meter, perimeter or Perimeter())
        return (yield from search.run(matching if name != "bfs" else _NO_MATCHING))
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


class _BestFirst:
    """One search; see the one for ordinary boards in ``strategies``, of which this has the essentials."""

    def __init__(self, layers: Layers, start: State, bound: VariantBound, meter: Meter, perimeter: Perimeter) -> None:
        board = layers.board
        self._layers = layers
        self._board = board
        self._start = start
        self._bound = bound
        self._meter = meter
        self._perimeter = perimeter
        self._optimal = meter.strategy != "greedy"
        self._check = FreezeCheck(board)
        # As on ordinary boards, the full detector pays in a greedy search alone.
        self._detector = None if self._optimal or is_too_large(board) else DeadlockDetector(board)
        self._pushes = VariantPushes(layers, bound.live)
        self._packing = Packing(board)
        self._first = self._packing.pack(start.normalized(board))
        self._queue: BucketQueue[QueueEntry] = BucketQueue()
        # For each state the fewest pushes known, and the state before; 0 pushes for a dead state, so that it is never
        # queued again.
        self._known: dict[int, tuple[int, int]] = {self._first: (0, self._first)}
        self._dead: set[Bitboard] = set()
        self._least = NONE_YET

    def run(self, matching: Matching) -> Search:
        """Expand states until a solution, a limit or the end; ``matching`` is that of the start."""
        meter = self._meter
        meter.lower_bound = matching.cost
        meter.watch(self._known)
        meter.watch(self._dead)
        self._put(QueueEntry(self._first, 0, matching.cost, matching))
        with self._perimeter.from_start.registered(self._known, self._trail):
            yield from self._expand_all()
        return meter.solved(proven=self._optimal) if meter.best < NONE_YET else meter.unsolvable(self._start)

    def _expand_all(self) -> Generator[Progress | Found, None, None]:
        meter, known = self._meter, self._known
        while (entry := self._queue.pop()) is not None:
            if entry.depth > known[entry.key][0]:
                if meter.is_due():
                    yield meter.progress()
                continue
            total = entry.depth + entry.bound
            if meter.best <= total if self._optimal else meter.best < NONE_YET:
                return
            meter.stored = len(known) + len(self._dead)
            meter.depth = entry.depth
            if self._optimal:
                meter.lower_bound = max(meter.lower_bound, total)
            meter.check()
            yield from self._visit(entry)

    def _visit(self, entry: QueueEntry) -> Generator[Progress | Found, None, None]:
        """Expand a state unless it is dead."""
        key, depth, bound = entry[:3]
        boxes = self._packing.boxes(key)
        region = flood(1 << (key & self._packing.mask), self._board.floor & ~boxes, self._board.stride)
        if self._detector is not None:
            yield self._meter.progress()
            if self._detector.is_dead(boxes, region):
                self._known[key] = (0, key)
                return
        if bound < self._least:
            self._note_nearest(boxes, bound)
        self._meter.nodes += 1
        yield from self._expand(key, region, depth, self._bound.matching(entry))

    def _expand(
        self, key: int, region: Bitboard, depth: int, matching: Matching
    ) -> Generator[Progress | Found, None, None]:
        """Generate the children of a state."""
        bits, known, dead, meter = self._packing.bits, self._known, self._dead, self._meter
        floor, stride = self._board.floor, self._board.stride
        depth += 1
        for direction, square, landing, player, after in self._pushes.pushes(key >> bits, region):
            if meter.is_due():
                yield meter.progress()
            if self._layers.is_solved(after):
                if depth < meter.best:
                    yield self._found(key, [after])
                continue
            if after in dead:
                continue
            child = after << bits | lowest(flood(player, floor & ~after, stride))
            before = known.get(child)
            if before is not None and (before[0] <= depth or not self._optimal):
                continue
            if before is None and self._check.find(after) is not None:
                dead.add(after)
                continue
            entry = self._entry(child, depth, matching, direction, square, landing)
            if entry is None:
                known[child] = (0, child)
            elif depth + entry.bound < meter.best:
                known[child] = (depth, key)
                self._put(entry)
                if meter.best == NONE_YET and child in self._perimeter.from_goals:
                    yield self._found(key, self._perimeter.from_goals.trail(child)[::-1])

    def _entry(
        self,
        key: int,
        depth: int,
        matching: Matching,
        direction: Direction,
        square: LayeredSquare,
        landing: LayeredSquare,
    ) -> QueueEntry | None:
        """Return the entry of a child; None if its boxes cannot all come to goals."""
        if matching is _NO_MATCHING:
            return QueueEntry(key, depth, 1, matching)
        return self._bound.entry(key, depth, matching, direction, square, landing)

    def _found(self, key: int, boxes: Sequence[Bitboard]) -> Found:
        """Return the solution along the path to a state and then through ``boxes``."""
        found = Found(solution(self._board, self._start, [*self._trail(key), *boxes]))
        self._meter.best = found.solution.pushes
        return found

    def _trail(self, key: int) -> list[Bitboard]:
        """Return the boxes of every state on the path to one."""
        return trail(lambda each: self._known[each][1], key, self._packing)

    def _put(self, entry: QueueEntry) -> None:
        """Queue a state by its total pushes, then the deepest first; a greedy search by the bound alone."""
        total = entry.depth + entry.bound
        if total < self._meter.best:
            self._queue.put(total << 32 | entry.bound if self._optimal else entry.bound, entry)

    def _note_nearest(self, boxes: Bitboard, bound: int) -> None:
        """Report a position with the least bound so far."""
        self._least = bound
        self._meter.nearest = boxes
        home = Feature("home", self._layers.home(boxes), self._board.goals.bit_count())
        self._meter.features = (Feature("bound", bound), home)
