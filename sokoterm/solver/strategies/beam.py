"""Beam search: breadth-first, but of each layer of states only the best are kept.

A layer holds the states that one push leads to from the layer before; equal ones are one.  Of these the ``width`` best
stay.  All that tie with the first one that does not fit go with it, so that nothing hangs on the order in which they
came; only where more than ``width`` tie for the first place do the first ``width`` of these stay.  A beam that runs out
of states, or has lost the way, begins again with twice the width.  Once nothing had to be cut, to run out is the proof
that there is no solution.
"""

from collections.abc import Generator
from heapq import heappop, heappush
from itertools import count
from math import log
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, flood, lowest, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import DeadlockCheck
from sokoterm.solver.common.distances import Distances, make_distances
from sokoterm.solver.common.draws import draws
from sokoterm.solver.common.lower_bound import LowerBound, Matching
from sokoterm.solver.common.successors import Successors
from sokoterm.solver.common.trail import Packing, solution, trail
from sokoterm.solver.meter import NONE_YET, LimitReached, Meter
from sokoterm.solver.protocol import Feature, Found, Limits, Progress, Search


class Cut(NamedTuple):
    """How many states of a layer stay, and which.

    They are judged by f: the lower bound of the pushes to the end, and of equal ones the boxes that stand on no goal.
    (On packs of all kinds nothing else that was tried beside the bound solved more than it cost: the number of areas,
    the size of the player's, searches for deadlocks in corrals.)

    Without ``anneal`` those of the least f stay; with it those of the greatest ``random * exp(-anneal * f)``, one draw
    a state from a generator seeded by ``seed``.  As ``anneal`` grows this becomes the plain cut.
    """

    width: int = 300
    anneal: float | None = None
    seed: int = 1


DEFAULT_CUT = Cut()

# How many layers may come no nearer to the end, beside as many as the start has pushes to it at least, before a beam
# that has cut something has lost the way: it could go on for ever among states that are new and no use.
_PATIENCE = 30


def search(board: Board, start: State, limits: Limits, cut: Cut = DEFAULT_CUT) -> Search:
    """A solution of at least one push, or the proof that there is none.

    The solution has the fewest pushes where nothing was cut before it, or where it has no more than the lower bound.
    """
    meter = Meter("beam", board, limits, bytes_per_state=160)
    try:
        return (yield from _search(board, start, cut, meter))
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _search(board: Board, start: State, cut: Cut, meter: Meter) -> Search:
    yield meter.progress()
    distances = yield from make_distances(board, meter)
    bound = LowerBound(distances.to_goals)
    places = []
    for box in scan(start.boxes):
        places.append(distances.place(box, start.player))
        yield meter.progress()
    matching = yield from bound.match(places, meter)
    beam = _Beam(board, start, distances, bound, cut, meter)
    if matching is None or beam.check.find(start.boxes):
        return meter.unsolvable()
    for doublings in count():
        has_cut = yield from beam.run(matching, cut.width << doublings)
        if meter.best < NONE_YET:
            return meter.solved()
        if not has_cut:
            return meter.unsolvable()
    raise AssertionError("the doublings go on without end")


class Candidate(NamedTuple):
    """A state of the layer to come, the one before it, and its matching."""

    key: int
    parent: int
    matching: Matching


class BestStates:
    """The ``width`` candidates of the least rank; of equal rank all stay or none, unless too many have the least."""

    def __init__(self, width: int) -> None:
        self.has_cut = False
        self._width = width
        self._count = 0
        self._by_rank: dict[float, list[Candidate]] = {}
        self._ranks: list[float] = []  # a heap of all ranks, the greatest first: negated
        self._too_great = float("inf")

    def put(self, rank: float, candidate: Candidate) -> None:
        """Take one more, and drop those of the greatest rank once there are enough without them."""
        if self.has_cut and rank >= self._too_great:
            return
        equals = self._by_rank.get(rank)
        if equals is None:
            equals = self._by_rank[rank] = []
            heappush(self._ranks, -rank)
        equals.append(candidate)
        self._count += 1
        while self._count - len(self._by_rank[-self._ranks[0]]) >= self._width:
            self._drop()

    def kept(self) -> list[Candidate]:
        """Those that stay, by rank; of equal rank in the order they came."""
        while self._count > self._width and len(self._ranks) > 1:
            self._drop()
        kept = [candidate for rank in sorted(self._by_rank) for candidate in self._by_rank[rank]]
        self.has_cut |= len(kept) > self._width
        return kept[: self._width]

    def _drop(self) -> None:
        self._too_great = -heappop(self._ranks)
        self._count -= len(self._by_rank.pop(self._too_great))
        self.has_cut = True


class _Beam:
    """The tables of one search."""

    def __init__(
        self, board: Board, start: State, distances: Distances, bound: LowerBound, cut: Cut, meter: Meter
    ) -> None:
        self.check = DeadlockCheck(board)
        self._board = board
        self._start = start
        self._distances = distances
        self._bound = bound
        self._cut = cut
        self._meter = meter
        self._draws = draws(cut.seed)
        self._successors = Successors(board, distances.live)
        self._packing = Packing(board)
        # Every state that was kept with the one before it, and those that were met in the layer to come.
        self._parents: dict[int, int] = {}
        self._met: set[int] = set()
        meter.watch(self._parents)
        meter.watch(self._met)

    def run(self, matching: Matching, width: int) -> Generator[Progress | Found, None, bool]:
        """Search with one width, to a solution, or till no state is left or the way is lost; whether any was cut."""
        meter = self._meter
        first = self._packing.pack(self._start.normalized(self._board))
        layer = [Candidate(first, first, matching)]
        has_cut = False
        self._parents.clear()
        meter.depth, meter.lower_bound = 0, max(meter.lower_bound, matching.cost)
        nearest = matching.cost
        patient_until = patience = _PATIENCE + matching.cost
        while layer and (meter.depth <= patient_until or not has_cut):
            for each in layer:
                self._parents[each.key] = each.parent
                if meter.is_due():
                    yield meter.progress()
            bound = self._show(layer, width)
            if bound < nearest:
                nearest, patient_until = bound, meter.depth + patience
            best = BestStates(width)
            for each in layer:
                meter.stored = len(self._parents) + len(self._met)
                meter.check()
                meter.nodes += 1
                yield from self._expand(each, best)
                if meter.best < NONE_YET:
                    return has_cut
            yield meter.progress()
            layer = best.kept()
            yield meter.progress()
            self._met.clear()
            has_cut |= best.has_cut
            meter.depth += 1
            if not has_cut:
                meter.lower_bound = max(meter.lower_bound, meter.depth + 1)
        return has_cut

    def _expand(self, state: Candidate, best: BestStates) -> Generator[Progress | Found, None, None]:
        """Put the children of a state to the layer to come; a solution ends the search."""
        board, bits, met, meter = self._board, self._packing.bits, self._met, self._meter
        for direction, box, after in self._successors.pushes(state.key >> bits, 1 << (state.key & self._packing.mask)):
            if meter.is_due():
                yield meter.progress()
            if after == board.goals:
                found = Found(solution(board, self._start, [*trail(self._parents, state.key, self._packing), after]))
                meter.best = meter.depth + 1
                yield found
                return
            child = after << bits | lowest(flood(box, board.floor & ~after, board.stride))
            if child in met or child in self._parents:
                continue
            met.add(child)
            if self.check.frozen(after) & ~board.goals:
                continue
            moved = self._moved(state.matching, direction, box.bit_length() - 1)
            if moved is not None:
                best.put(self._rank(moved.cost, after), Candidate(child, state.key, moved))

    def _moved(self, matching: Matching, direction: Direction, box: int) -> Matching | None:
        """The matching after a push of the box on the square ``box``."""
        behind = self._distances.behind[direction]
        goal = matching.places.index(behind[box])
        return self._bound.moved(matching, goal, behind[box + self._board.offsets[direction]])

    def _rank(self, bound: int, boxes: Bitboard) -> float:
        """What the cut goes by, the least first: f, or -log(random * exp(-anneal * f)) / anneal, which orders alike."""
        goals, anneal = self._board.goals, self._cut.anneal
        f = bound + (boxes & ~goals).bit_count() / (goals.bit_count() + 1)
        return f if anneal is None else f - log(next(self._draws)) / anneal

    def _show(self, layer: list[Candidate], width: int) -> int:
        """Report a layer by its best state; returns the lower bound of that."""
        nearest = min(layer, key=lambda each: each.matching.cost)
        bound = nearest.matching.cost
        self._meter.nearest = self._packing.boxes(nearest.key)
        self._meter.features = Feature("width", len(layer), width), Feature("pushes to the end, at least", bound)
        return bound
