"""Optimal solver for moves: a solution with fewest moves, then fewest pushes, with a proof.

A* over pushes: the cost of a state is moves first, pushes second; the bound is one move for each push that the matching
and the pair penalties require.  Since every step counts, a state is its boxes and the player's exact square, and
neither PI-corral pruning nor tunnels apply: both may change the order of pushes.
"""

from collections.abc import Generator

from sokoterm.engine.bits import Bitboard, Square
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import is_dead_at_sight
from sokoterm.language import N_
from sokoterm.solver.common.lower_bound import LowerBound, Matching, QueueEntry, make_lower_bound
from sokoterm.solver.domain import Domain, Successor
from sokoterm.solver.search import NONE_YET, Feature, Found, LimitReached, Limits, Meter, Outcome, Progress, Search
from sokoterm.solver.strategies import one_box
from sokoterm.solver.strategies.best_first import BestFirst

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
        found = _FewestMoves(Domain(board), start, lower_bound, meter)
        yield from found.run(matching)
    except (LimitReached, MemoryError) as end:
        return _in_moves(meter.stopped(end), found is not None and found.is_proven)
    return _in_moves(meter.solved(), proven=True) if meter.best < NONE_YET else meter.unsolvable(start)


def _in_moves(outcome: Outcome, proven: bool) -> Outcome:
    return outcome._replace(optimal="moves" if proven else None)


class _FewestMoves(BestFirst):
    """One search; with a state is stored the player's square before the walk to the last push."""

    def __init__(self, domain: Domain, start: State, lower_bound: LowerBound, meter: Meter) -> None:
        super().__init__(domain, start, lower_bound, meter)
        self._best = _NO_COST
        self._least_total = 0

    @property
    def is_proven(self) -> bool:
        """True if nothing in the queue can be better than the solution found."""
        return self._best < _NO_COST and self._best <= self._least_total

    def _is_settled(self, entry: QueueEntry) -> bool:
        self._least_total = max(self._least_total, entry.depth + entry.bound * _PUSH)
        self._meter.depth = entry.depth & _MOVE - 1
        return self.is_proven

    def _figures(self, entry: QueueEntry) -> tuple[Feature, ...]:
        return (Feature(N_("moves"), entry.depth >> _PUSHES),)

    def _expand(
        self, key: int, region: Bitboard, depth: int, matching: Matching
    ) -> Generator[Progress | Found, None, None]:
        bits, known, dead, meter = self._packing.bits, self._known, self._dead, self._meter
        telling, goals, is_freeze_deadlock = self._domain.telling, self._board.goals, self._domain.is_freeze_deadlock
        player, boxes = key & self._packing.mask, key >> bits
        for steps, (direction, box, landing, base, after) in self._pushes(boxes, region, player, depth):
            if meter.is_due():
                yield meter.progress()
            child_cost = depth + steps * _MOVE + _PUSH
            if after & telling == goals:
                yield from self._finish(key, after, child_cost)
                continue
            square = box.bit_length() - 1
            child = after << bits | square
            before = known.table.get(child)
            if after in dead or before is not None and before >> known.bits <= child_cost:
                continue
            if before is None and is_freeze_deadlock(after):
                dead.add(after)
                continue
            to = base + landing.bit_length() - 1
            entry = self._lower_bound.entry(child, child_cost, matching, direction, base + square, to)
            if entry is None:
                known.table[child] = 0
            elif child_cost + entry.bound * _PUSH < self._best:
                known.put(child, child_cost, player, direction)
                self._put(entry)

    def _pushes(self, boxes: Bitboard, region: Bitboard, player: Square, cost: int) -> list[tuple[int, Successor]]:
        """Return every push with the steps of the walk before it, by steps.

        Stops at a square where the player has been with the same boxes at no greater cost: anything further can be done
        from there as well.
        """
        known, bits, stride, offsets = self._known.table, self._packing.bits, self._board.stride, self._board.offsets
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
            found = self._found(key, [after])
            self._best = found.solution.moves << _PUSHES | found.solution.pushes
            yield found

    def _trail(self, key: int) -> list[Bitboard]:
        bits, mask = self._packing.bits, self._packing.mask
        trail = [key >> bits]
        while key != self._first:
            last = self._known.table[key]
            boxes = self._domain.before(key >> bits, key & mask, last & 3)
            key = boxes << bits | last >> 2 & mask
            trail.append(boxes)
        trail.reverse()
        return trail

    def _put(self, entry: QueueEntry) -> None:
        total = entry.depth + entry.bound * _PUSH
        if total < self._best:
            self._queue.put(total << _PUSHES | entry.bound, entry)
