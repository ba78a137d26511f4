"""Solution of a board with colours or ice with fewest moves, then fewest pushes.

A* over the boxes and the square of the player after each push.  What is left costs no less than the pushes of the lower
bound.
"""

from collections.abc import Generator

from sokoterm.engine.bits import Bitboard, beside
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.deadlock.detector import is_dead_at_sight
from sokoterm.solver.common.lower_bound import QueueEntry
from sokoterm.solver.common.state_space import BucketQueue, Packing, solution, trail
from sokoterm.solver.meter import NONE_YET, LimitReached, Meter
from sokoterm.solver.protocol import Found, Limits, Progress, Search
from sokoterm.solver.variants.layers import Layers, VariantPushes, make_bound

# The cost of a step without and with a push; no solution has more pushes than the first.
_WALK = 1 << 24
_PUSH = _WALK + 1


def search(board: Board, start: State, limits: Limits) -> Search:
    """Search for a solution with fewest moves, at least one of them a push, and the fewest pushes among those."""
    meter = Meter("fewest moves", board, limits, bytes_per_state=500)
    try:
        yield meter.progress()
        if is_dead_at_sight(board, start):
            return meter.unsolvable(start)
        yield from _FewestMoves(board, start, meter).run()
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)
    return meter.solved()._replace(optimal="moves") if meter.best < NONE_YET else meter.unsolvable(start)


class _FewestMoves:
    """Search for the solution of the least cost, of at least one push."""

    def __init__(self, board: Board, start: State, meter: Meter) -> None:
        self._board = board
        self._start = start
        self._meter = meter
        self._best = 1 << 99
        self._layers = Layers(board)
        self._check = FreezeCheck(board)
        self._packing = Packing(board)
        self._queue: BucketQueue[QueueEntry] = BucketQueue()
        self._first = self._packing.pack(start)
        # For each state the least cost known, and the state before.
        self._known: dict[int, tuple[int, int]] = {self._first: (0, self._first)}
        self._dead: set[Bitboard] = set()

    def run(self) -> Generator[Progress | Found, None, None]:
        """Yield better and better solutions; the last is the best, and if there is none, nothing solves the level."""
        meter, known, mask, bits = self._meter, self._known, self._packing.mask, self._packing.bits
        self._bound = yield from make_bound(self._layers, meter)
        self._pushes = VariantPushes(self._layers, self._bound.live)
        matching = yield from self._bound.match(self._start, meter)
        if matching is None:
            return
        with meter.watching(known, self._dead):
            self._put(QueueEntry(self._first, 0, matching.cost, matching))
            while (entry := self._queue.pop()) is not None:
                if entry.depth + entry.bound * _PUSH >= self._best:
                    return
                if entry.depth > known[entry.key][0]:
                    continue
                meter.stored = len(known) + len(self._dead)
                meter.check()
                meter.nodes += 1
                yield meter.progress()
                yield from self._expand(entry, State(entry.key >> bits, entry.key & mask))

    def _expand(self, entry: QueueEntry, state: State) -> Generator[Progress | Found, None, None]:
        """Walk in layers of equal cost, and push from each of them."""
        stride, free = self._board.stride, self._board.floor & ~state.boxes
        next_to_boxes = beside(state.boxes & self._layers.squares, stride)
        here, cost = 1 << state.player, entry.depth + _PUSH
        while here:
            if here & next_to_boxes:
                yield from self._push_from(here, cost, entry, state.boxes)
            free &= ~here
            here = beside(here, stride) & free
            cost += _WALK

    def _push_from(
        self, here: Bitboard, cost: int, entry: QueueEntry, boxes: Bitboard
    ) -> Generator[Progress | Found, None, None]:
        """Generate the pushes from some squares, at the same cost."""
        known, bits = self._known, self._packing.bits
        for direction, square, landing, player, after in self._pushes.pushes(boxes, here):
            if self._meter.is_due():
                yield self._meter.progress()
            if self._layers.is_solved(after):
                if cost < self._best:
                    self._best = cost
                    found = Found(solution(self._board, self._start, [*self._trail(entry.key), after]))
                    self._meter.best = min(self._meter.best, found.solution.pushes)
                    yield found
                continue
            child = after << bits | player.bit_length() - 1
            before = known.get(child)
            if after in self._dead or before is not None and before[0] <= cost:
                continue
            if before is None and self._check.find(after) is not None:
                self._dead.add(after)
                continue
            new = self._bound.entry(child, cost, self._bound.matching(entry), direction, square, landing)
            if new is None:
                # Of this state alone: on another side of a box the player may have a way.
                known[child] = (0, child)
            elif cost + new.bound * _PUSH < self._best:
                known[child] = (cost, entry.key)
                self._put(new)

    def _put(self, entry: QueueEntry) -> None:
        self._queue.put(entry.depth + entry.bound * _PUSH, entry)

    def _trail(self, key: int) -> list[Bitboard]:
        """Return the boxes of every state on the path to one."""
        return trail(lambda each: self._known[each][1], key, self._packing)
