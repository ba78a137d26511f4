"""Optimal solvers: fewest pushes, or fewest moves and then fewest pushes, with a proof.

The push planner solves levels with one box.  A node is then a square of the box with the player beside it, and every
node examined is stored.

Fewest moves: A* over pushes.  A state costs moves first, pushes second; the bound is one move per push that the
matching and the pair penalties require.  Since every step counts, a state is its boxes and the player's exact square,
and neither PI-corral pruning nor tunnels apply: both may change the order of pushes.
"""

from collections.abc import Generator
from typing import TypeVar

from sokoterm.engine.bits import Bitboard, Square, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import MOST_STEPS, verify
from sokoterm.engine.planner.box_reach import BoxReach, Fewest
from sokoterm.engine.rules import is_solved, legal_pushes, push
from sokoterm.engine.steps import Events
from sokoterm.language import N_
from sokoterm.solver.common.lower_bound import LowerBound, Matching, QueueEntry, make_lower_bound
from sokoterm.solver.common.state_space import moves_through, within_limits
from sokoterm.solver.domain import Successor
from sokoterm.solver.search import NONE_YET, Feature, Found, LimitReached, Limits, Meter, Progress, Reason, Search
from sokoterm.solver.strategies.best_first import BestFirst, astar

_Result = TypeVar("_Result")

# A cost is ``moves << _PUSHES | pushes``, so costs are added and compared as ints.
_PUSHES = 24
_MOVE = 1 << _PUSHES
_PUSH = _MOVE | 1
_NO_COST = NONE_YET << _PUSHES

# Memory per place of a lone box, an estimate for systems where it cannot be measured.
_BYTES_OF_PLACE = 200


def has_one_box(board: Board, start: State) -> bool:
    """True for an ordinary board with one box, which the push planner solves."""
    return board.is_ordinary and start.boxes.bit_count() == 1


def search_pushes(board: Board, start: State, limits: Limits) -> Search:
    """Search for fewest pushes (at least one), with one box also fewest moves, or prove that there is no solution."""
    if not has_one_box(board, start):
        return astar(board, start, limits)
    return _search_one_box(board, start, limits, Fewest.PUSHES)


def search_moves(board: Board, start: State, limits: Limits) -> Search:
    """Search for the fewest moves (at least one push), then fewest pushes, or prove that there is no solution.

    A solution may be yielded before it is proven optimal, and a better one may follow.
    """
    if has_one_box(board, start):
        return _search_one_box(board, start, limits, Fewest.MOVES)
    meter = Meter("fewest moves", board, limits, bytes_per_state=300)

    def search() -> Generator[Progress | Found, None, None]:
        lower_bound, matching = yield from make_lower_bound(board, start, meter)
        if matching is not None:
            yield from _FewestMoves(board, start, lower_bound, meter).run(matching)

    return within_limits(board, start, meter, search())


def _search_one_box(board: Board, start: State, limits: Limits, fewest: Fewest) -> Search:
    # Unlike a state, a place is stored without a bit for each square.
    meter = Meter("one box", board, limits, bytes_per_state=_BYTES_OF_PLACE - board.size // 7)
    return within_limits(board, start, meter, _plan(board, start, fewest, meter))


def _plan(board: Board, start: State, fewest: Fewest, meter: Meter) -> Generator[Progress | Found, None, None]:
    goal = lowest(board.goals)
    beginnings = [("", start)]
    if is_solved(board, start):  # a push is still required
        beginnings = []
        for each in legal_pushes(board, start):
            if after := push(board, start, each):
                beginnings.append((moves_through(board, start, [start.boxes, after.boxes]), after))
    found: list[tuple[int, int, str]] = []
    for before, state in beginnings:
        reach = BoxReach(board, state, lowest(state.boxes), at_once=False)
        yield from _metered(reach.explore(), meter)
        if goal in reach.pushes:
            plan = yield from _metered(reach.plan_in_steps(goal, fewest), meter)
            moves = len(before) + plan.moves
            costs = (plan.pushes, moves) if fewest is Fewest.PUSHES else (moves, plan.pushes)
            found.append((*costs, before + plan.lurd))
    if not found:
        return
    lurd = min(found)[2]
    if len(lurd) > MOST_STEPS:  # too long to replay
        raise LimitReached(Reason.SIZE)
    solution = verify(board, start, lurd)
    meter.best, meter.optimal = solution.pushes, str(fewest)
    yield Found(solution)


def _metered(steps: Generator[int, None, _Result], meter: Meter) -> Generator[Progress | Found, None, _Result]:
    """Run the planner on the meter and return its result; raise LimitReached at a limit."""
    work = Events(steps)
    for nodes in work:
        meter.nodes += nodes
        meter.stored = meter.nodes
        meter.check()
        yield meter.progress()
    return work.result


class _FewestMoves(BestFirst):
    """Search for fewest moves; with each state it stores the player's square before the walk to the last push."""

    def __init__(self, board: Board, start: State, lower_bound: LowerBound, meter: Meter) -> None:
        super().__init__(board, start, lower_bound, meter)
        self._best = _NO_COST
        self._least_total = 0

    def run(self, matching: Matching) -> Generator[Progress | Found, None, None]:
        yield from super().run(matching)
        self._meter.optimal = "moves"

    def _is_settled(self, entry: QueueEntry) -> bool:
        self._least_total = max(self._least_total, entry.depth + entry.bound * _PUSH)
        self._meter.depth = entry.depth & _MOVE - 1
        return self._best <= self._least_total

    def _figures(self, entry: QueueEntry) -> tuple[Feature, ...]:
        return (Feature(N_("moves"), entry.depth >> _PUSHES),)

    def _expand(
        self, key: int, region: Bitboard, depth: int, matching: Matching
    ) -> Generator[Progress | Found, None, None]:
        bits, cost_bits, known, dead, meter = self._packing.bits, self._cost_bits, self._known, self._dead, self._meter
        telling, goals, is_freeze_deadlock = self._domain.telling, self._board.goals, self._domain.is_freeze_deadlock
        player, boxes = key & self._packing.mask, key >> bits
        for steps, (direction, box, landing, base, after) in self._pushes(boxes, region, player, depth):
            if meter.is_due():
                yield meter.progress()
            child_cost = depth + steps * _MOVE + _PUSH
            if after & telling == goals:
                if child_cost < self._best:  # upper bound: the walks of the solution may be shorter
                    found = self._found(key, [after])
                    self._best = found.solution.moves << _PUSHES | found.solution.pushes
                    if self._best <= self._least_total:
                        meter.optimal = "moves"
                    yield found
                continue
            square = box.bit_length() - 1
            child = after << bits | square
            before = known.get(child)
            if after in dead or before is not None and before >> cost_bits <= child_cost:
                continue
            if before is None and is_freeze_deadlock(after):
                dead.add(after)
                continue
            to = base + landing.bit_length() - 1
            entry = self._lower_bound.entry(child, child_cost, matching, direction, base + square, to)
            if entry is None:
                known[child] = 0
            elif child_cost + entry.bound * _PUSH < self._best:
                self._store(child, child_cost, player, direction)
                self._put(entry)

    def _pushes(self, boxes: Bitboard, region: Bitboard, player: Square, cost: int) -> list[tuple[int, Successor]]:
        """Return every push with the steps of the walk before it, by steps.

        Stops at a square where the player has been with the same boxes at no greater cost: whatever is farther away was
        reachable from there too.
        """
        known, bits, stride, offsets = self._known, self._packing.bits, self._board.stride, self._board.offsets
        by_stand: dict[Bitboard, list[Successor]] = {}
        found: list[tuple[int, Successor]] = []
        stands = 0
        for each in self._successors.pushes_from(boxes, region):
            # ``shift`` inlined, since a call takes longer.
            offset, box = offsets[each[0]], each[1]
            stand = box >> offset if offset > 0 else box << -offset
            if stand & stands:
                by_stand[stand].append(each)
            else:
                by_stand[stand] = [each]
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
                found += [(steps, each) for each in by_stand[stand]]
            layer = (layer << 1 | layer >> 1 | layer << stride | layer >> stride) & free
            steps += 1
        return found

    def _before(self, key: int, square: Square, direction: int) -> int:
        bits = self._packing.bits
        return self._domain.before(key >> bits, key & self._packing.mask, direction) << bits | square

    def _put(self, entry: QueueEntry) -> None:
        total = entry.depth + entry.bound * _PUSH
        if total < self._best:
            self._queue.put(total << _PUSHES | entry.bound, entry)
