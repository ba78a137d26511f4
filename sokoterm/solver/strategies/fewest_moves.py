"""Optimal solver for moves: a solution with fewest moves, then fewest pushes, with a proof.

A* over pushes: the cost of a state is moves first, pushes second; the bound is one move for each push that the matching
and the pair penalties require.  Since every step counts, a state is its boxes and the player's exact square, and
neither PI-corral pruning nor tunnels apply: both may change the order of pushes.
"""

from collections.abc import Generator

from sokoterm.engine.bits import Bitboard, Square, flood
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import is_dead_at_sight
from sokoterm.language import N_
from sokoterm.solver.common.distances import UNREACHABLE
from sokoterm.solver.common.lower_bound import LowerBound, Matching, QueueEntry, make_lower_bound
from sokoterm.solver.common.state_space import BucketQueue, Packing, solution
from sokoterm.solver.domain import Domain, Successor
from sokoterm.solver.meter import NONE_YET, LimitReached, Meter
from sokoterm.solver.protocol import Feature, Found, Limits, Outcome, Progress, Search
from sokoterm.solver.strategies import one_box

# A cost is ``moves << _PUSHES | pushes``, so that costs can be added and compared as ints.
_PUSHES = 24
_MOVE = 1 << _PUSHES
_PUSH = _MOVE | 1
_NO_COST = NONE_YET << _PUSHES


def search(board: Board, start: State, limits: Limits) -> Search:
    """Search for the solution with fewest moves (at least one push), then fewest pushes, or prove that there is none.

    A solution may be yielded before it is proven optimal; a better one may follow.
    """
    if one_box.can_solve(board, start):
        return (yield from one_box.search_moves(board, start, limits))
    meter = Meter("fewest moves", board, limits, bytes_per_state=300)
    found: _FewestMoves | None = None
    try:
        yield meter.progress()
        if is_dead_at_sight(board, start):
            return meter.unsolvable(start)
        lower_bound, matching = yield from make_lower_bound(board, start, meter)
        if matching is None:
            return meter.unsolvable(start)
        found = _FewestMoves(board, start, lower_bound, meter)
        yield from found.search(matching)
    except (LimitReached, MemoryError) as end:
        return _in_moves(meter.stopped(end), found is not None and found.is_proven)
    return _in_moves(meter.solved(), proven=True) if meter.best < NONE_YET else meter.unsolvable(start)


def _in_moves(outcome: Outcome, proven: bool) -> Outcome:
    return outcome._replace(optimal="moves" if proven else None)


class _FewestMoves:
    """One search: its tables, visited states and queue.

    ``_known`` has for each state the least cost, the player's square before the walk and the direction of the push,
    packed into one int; 0 for the start and for dead states, since nothing is less.
    """

    def __init__(self, board: Board, start: State, lower_bound: LowerBound, meter: Meter) -> None:
        self._board = board
        self._domain = domain = Domain(board)
        self._start = start
        self._lower_bound = lower_bound
        self._meter = meter
        self._packing = Packing(board)
        self._first = self._packing.pack(start)
        self._successors = domain.successors(lower_bound.distances.live)
        self._queue: BucketQueue[QueueEntry] = BucketQueue()
        self._known: dict[int, int] = {}
        self._dead: set[Bitboard] = set()
        self._best = _NO_COST
        self._least_total = 0
        self._nearest_bound = NONE_YET

    @property
    def is_proven(self) -> bool:
        """True if nothing in the queue can be better than the solution found."""
        return self._best < _NO_COST and self._best <= self._least_total

    def search(self, matching: Matching) -> Generator[Progress | Found, None, None]:
        """Expand states until the solution is proven optimal, or no state is left; ``matching`` is the start's."""
        meter, bits = self._meter, self._packing.bits + 2
        meter.watch(self._known)
        meter.watch(self._dead)
        self._known[self._first] = 0
        self._put(QueueEntry(self._first, 0, matching.cost, matching))
        while (entry := self._queue.pop()) is not None:
            if entry.depth > self._known[entry.key] >> bits:
                # Since then a shorter path was found, or the state proven dead.
                if meter.is_due():
                    yield meter.progress()
                continue
            self._least_total = max(self._least_total, entry.depth + entry.bound * _PUSH)
            if self.is_proven:
                return
            meter.stored = len(self._known) + len(self._dead)
            meter.depth = entry.depth & _MOVE - 1
            meter.check()
            yield from self._lower_bound.grow(meter)
            yield from self._visit(entry)

    def _visit(self, entry: QueueEntry) -> Generator[Progress | Found, None, None]:
        """Expand a state, requeue it if pair penalties raise its bound, or mark it dead."""
        key, cost, bound = entry[:3]
        matching = self._lower_bound.matching(entry)
        boxes = key >> self._packing.bits
        region = flood(1 << (key & self._packing.mask), self._board.floor & ~boxes, self._board.stride)
        if bound == matching.cost and (penalty := self._lower_bound.penalty(boxes, region)):
            if self._meter.is_due():
                yield self._meter.progress()
            if penalty == UNREACHABLE:
                self._known[key] = 0
            else:
                self._put(QueueEntry(key, cost, bound + penalty, matching))
            return
        if bound < self._nearest_bound:
            self._note_nearest(boxes, bound, entry)
        self._meter.nodes += 1
        yield from self._expand(key, region, cost, matching)

    def _expand(
        self, key: int, region: Bitboard, cost: int, matching: Matching
    ) -> Generator[Progress | Found, None, None]:
        """Generate the children of a state."""
        bits, known, dead, meter = self._packing.bits, self._known, self._dead, self._meter
        telling, goals, is_lost = self._domain.telling, self._board.goals, self._domain.is_lost
        player, boxes = key & self._packing.mask, key >> bits
        for steps, (direction, box, landing, base, after) in self._pushes(boxes, region, player, cost):
            if meter.is_due():
                yield meter.progress()
            child_cost = cost + steps * _MOVE + _PUSH
            if after & telling == goals:
                yield from self._finish(key, after, child_cost)
                continue
            square = box.bit_length() - 1
            child = after << bits | square
            before = known.get(child)
            if after in dead or before is not None and before >> bits + 2 <= child_cost:
                continue
            if before is None and is_lost(after):
                dead.add(after)
                continue
            to = base + landing.bit_length() - 1
            entry = self._lower_bound.entry(child, child_cost, matching, direction, base + square, to)
            if entry is None:
                known[child] = 0
            elif child_cost + entry.bound * _PUSH < self._best:
                known[child] = (child_cost << bits | player) << 2 | direction
                self._put(entry)

    def _pushes(self, boxes: Bitboard, region: Bitboard, player: Square, cost: int) -> list[tuple[int, Successor]]:
        """Return every push with the steps of the walk before it, by steps.

        Stops at a square where the player has been with the same boxes at no greater cost: anything further can be done
        from there as well.
        """
        known, bits, stride, offsets = self._known, self._packing.bits, self._board.stride, self._board.offsets
        by_stand: dict[Bitboard, list[Successor]] = {}
        found: list[tuple[int, Successor]] = []
        stands = 0
        for push in self._successors.pushes_from(boxes, region):
            # ``shift`` inlined: a call takes longer.
            offset, box = offsets[push[0]], push[1]
            stand = box >> offset if offset > 0 else box << -offset
            if stand & stands:
                by_stand[stand].append(push)
            else:
                by_stand[stand] = [push]
                stands |= stand
        free, layer, steps = self._board.floor & ~boxes, 1 << player, 0
        while stands:
            free ^= layer
            here = layer & stands
            stands ^= here
            while here:
                square = here.bit_length() - 1
                stand = 1 << square
                here ^= stand
                before = known.get(boxes << bits | square) if steps else None
                if before is not None and (before >> bits + 2) + steps * _MOVE <= cost:
                    return found
                for push in by_stand[stand]:
                    found.append((steps, push))
            layer = (layer << 1 | layer >> 1 | layer << stride | layer >> stride) & free
            steps += 1
        return found

    def _finish(self, key: int, after: Bitboard, cost: int) -> Generator[Found, None, None]:
        """Yield the solution along the path to a state and the last push, if ``cost``, an upper bound, is the best."""
        if cost < self._best:
            found = Found(solution(self._board, self._start, [*self._trail(key), after]))
            self._best = found.solution.moves << _PUSHES | found.solution.pushes
            self._meter.best = found.solution.pushes
            yield found

    def _trail(self, key: int) -> list[Bitboard]:
        """Return the boxes of every state on the path from the start."""
        bits, mask = self._packing.bits, self._packing.mask
        trail = [key >> bits]
        while key != self._first:
            last = self._known[key]
            boxes = self._domain.before(key >> bits, key & mask, last & 3)
            key = boxes << bits | last >> 2 & mask
            trail.append(boxes)
        trail.reverse()
        return trail

    def _put(self, entry: QueueEntry) -> None:
        total = entry.depth + entry.bound * _PUSH
        if total < self._best:
            self._queue.put(total << _PUSHES | entry.bound, entry)

    def _note_nearest(self, boxes: Bitboard, bound: int, entry: QueueEntry) -> None:
        """Report a position with the least bound so far."""
        self._nearest_bound = bound
        self._meter.nearest = boxes
        self._meter.features = (
            Feature("bound", bound),
            Feature(N_("moves"), entry.depth >> _PUSHES),
            Feature("home", self._domain.home(boxes), self._board.goals.bit_count()),
        )
