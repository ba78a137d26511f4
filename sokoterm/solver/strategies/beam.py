"""Beam search: breadth-first search that keeps only the best states of each layer.

A layer holds the distinct states one push from the previous layer, cut to the ``width`` best.  All states that tie with
the first one cut are cut too, so the result does not depend on their order; only if more than ``width`` states tie for
the best, the first ``width`` of them stay.  A beam that runs out of states or makes no progress starts again with twice
the width.  Running out of states without a cut proves that there is no solution.

The value of a position is a weighted sum of terms, each counting something that a good position has little of; the user
sets the weights.  A weight says how many pushes one of the things counted is worth, so the value is in pushes and the
lowest is best.  Terms of weight 0 cost nothing: the packing plan and the board tables are built only if needed.
"""

from collections.abc import Callable, Generator, Sequence
from itertools import count, pairwise
from math import inf, log
from operator import itemgetter
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, flood, lowest, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.language import N_
from sokoterm.solver.common.board_tables import BoardTables, make_tables
from sokoterm.solver.common.dice import draws
from sokoterm.solver.common.lower_bound import LowerBound, Matching, make_lower_bound
from sokoterm.solver.common.state_space import Packing, pushes_between, solution, trail, within_limits
from sokoterm.solver.domain import Successors
from sokoterm.solver.fess.plan import ExitRule, PackingPlan, make_plan, search_packing
from sokoterm.solver.search import NONE_YET, Feature, Found, Limits, Meter, Progress, Search

_Term = Callable[[Bitboard, Bitboard], int]

Evaluation = Callable[[int, Bitboard, Bitboard], float]
"""Value of a position from its lower bound, boxes and player's area: the lowest is best, then the most boxes home."""


class Weights(NamedTuple):
    """Weights of the terms: how many pushes one unit of each is worth.

    ``distance``: pushes still needed at least.  ``home``: boxes off the goals.  ``regions``: areas of the floor that
    boxes cut off from the player.  ``enclosed``: squares in them.  ``mobility``: boxes off the goals that the player
    cannot push now.  ``hotspots``: boxes that keep another box from some goal.  ``packed``: steps of the packing plan
    still to do.  ``out_of_plan``: boxes that can reach no square that the plan still has to fill.
    """

    distance: float = 1.0
    home: float = 0.0
    regions: float = 0.0
    enclosed: float = 0.0
    mobility: float = 0.0
    hotspots: float = 0.0
    packed: float = 0.0
    out_of_plan: float = 0.0

    def __str__(self) -> str:
        """Return the weights that differ from the default, as on the command line."""
        changed = {name: weight for name, weight in self._asdict().items() if weight != Weights._field_defaults[name]}
        return ",".join(f"{name}={weight:g}" for name, weight in changed.items())


DEFAULT_WEIGHTS = Weights()


def make_evaluation(
    board: Board, start: State, weights: Weights, successors: Successors, meter: Meter
) -> Generator[Progress, None, Evaluation]:
    """Build the tables that the weights require; raise LimitReached if the board is too large for them."""
    terms: dict[str, _Term] = {
        "regions": lambda boxes, region: len(regions(board.floor & ~boxes & ~region, board.stride)),
        "enclosed": lambda boxes, region: (board.floor & ~boxes & ~region).bit_count(),
        "mobility": lambda boxes, region: (boxes & ~board.goals & ~successors.pushable(boxes, region)).bit_count(),
    }
    if weights.hotspots or weights.packed or weights.out_of_plan:
        tables = yield from make_tables(board, meter)
        if weights.hotspots:
            hotspots = tables.hotspots
            for square in scan(hotspots.unknown & (tables.live | start.boxes)):
                yield meter.progress()
                hotspots.look_at(square)
            terms["hotspots"] = lambda boxes, _region: hotspots.count(boxes)
        if weights.packed or weights.out_of_plan:
            plan = yield from _plan(tables, start, meter)
            terms["packed"] = lambda boxes, _region: plan.steps - plan.step(boxes)
            terms["out_of_plan"] = lambda boxes, _region: (boxes & plan.zones[plan.step(boxes)]).bit_count()
    weighed = [(weight, terms[name]) for name, weight in weights._asdict().items() if weight and name in terms]
    loose, tie = ~board.goals, board.goals.bit_count() + 1

    def value(bound: int, boxes: Bitboard, region: Bitboard) -> float:
        off = (boxes & loose).bit_count()
        value = weights.distance * bound + weights.home * off + off / tie
        for weight, term in weighed:
            value += weight * term(boxes, region)
        return value

    return value


def _plan(tables: BoardTables, start: State, meter: Meter) -> Generator[Progress, None, PackingPlan]:
    """Return a packing plan: boxes leave at the sink, or anywhere if only that gives a complete plan; as in FESS."""
    found = yield from search_packing(tables, start.boxes, ExitRule(), meter, 1_400)
    if found.boxes != found.bases:
        other = yield from search_packing(tables, start.boxes, ExitRule(anywhere=True), meter, 4_000)
        if other.boxes == other.bases:
            found = other
    return (yield from make_plan(tables, found, meter))


class Anneal(NamedTuple):
    """The ``c`` of an annealed cut at the start and the end of a pass; 1 / c is the temperature in pushes."""

    first: float
    last: float

    def __str__(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}:{self.last}"

    def between(self, done: float) -> float:
        """Return c at the fraction ``done`` (0 to 1) of the way, in equal steps of its logarithm."""
        return self.first if self.first == self.last else self.first ** (1 - done) * self.last**done


class Cut(NamedTuple):
    """Rule that cuts a layer.

    States are ranked by f, their value by ``weights``: by default the lower bound on pushes, then the number of boxes
    off the goals.  (On packs of all kinds nothing else was worth its cost: the number of areas, the size of the
    player's area, searching corrals for deadlocks.)

    Without ``anneal`` the states with the least f stay.  With it those with the greatest ``random * exp(-c * f)`` stay,
    one draw per state from a generator seeded by ``seed``.  c grows as the bound of the best position falls; a lower c
    is hotter, a higher c is closer to the plain cut.
    """

    width: int = 300
    anneal: Anneal | None = None
    seed: int = 1
    weights: Weights = DEFAULT_WEIGHTS


DEFAULT_CUT = Cut()

# Layers without progress, beyond the start's lower bound, before a beam that has cut something gives up: it could
# continue forever through new but useless states.
_PATIENCE = 30


def search(board: Board, start: State, limits: Limits, cut: Cut = DEFAULT_CUT, line: Sequence[State] = ()) -> Search:
    """Search for a solution of at least one push or prove that there is none.

    The solution has the fewest pushes if nothing was cut before it or it equals the lower bound.

    ``line``: the start and positions after it, each one push after the previous.  The first layer contains all of them
    up to the first proven dead; a pass that fails drops later ones (``starts_on``) to give earlier ones a chance.
    """
    meter = Meter("beam", board, limits, bytes_per_state=160)
    return within_limits(board, start, meter, _search(board, start, cut, line or (start,), meter))


def _search(
    board: Board, start: State, cut: Cut, line: Sequence[State], meter: Meter
) -> Generator[Progress | Found, None, None]:
    lower_bound, matching = yield from make_lower_bound(board, start, meter)
    if matching is None:
        return
    successors = Successors(board, lower_bound.distances.live)
    evaluation = yield from make_evaluation(board, start, cut.weights, successors, meter)
    beam = _Beam(board, start, lower_bound, successors, evaluation, cut, meter)
    seeds = yield from beam.seeds(matching, line)
    starts = starts_on(len(seeds) - 1)
    for doublings in count():
        last = starts[doublings % len(starts)]
        has_cut = yield from beam.run(seeds[: last + 1], cut.width << doublings)
        if meter.best < NONE_YET or not has_cut:
            return


def starts_on(pushes: int) -> list[int]:
    """Return after how many pushes of a line searches start: at its end, then at up to four points further back.

    Most mistakes are near the end of a line, so the points are dense there; the last one is the start.

    >>> starts_on(80), starts_on(3), starts_on(0)
    ([80, 70, 60, 40, 0], [3, 2, 0], [0])
    """
    return list(dict.fromkeys(pushes - pushes // part for part in (pushes + 1, 8, 4, 2, 1)))


class Candidate(NamedTuple):
    key: int
    parent: int
    matching: Matching


class BestStates:
    """The ``width`` candidates of lowest rank; a tie at the cut removes all of equal rank, unless all are tied."""

    def __init__(self, width: int) -> None:
        self.has_cut = False
        self._width = width
        self._ranked: list[tuple[float, Candidate]] = []
        self._too_great = inf

    def put(self, rank: float, candidate: Candidate) -> None:
        if self.has_cut and rank >= self._too_great:
            return
        self._ranked.append((rank, candidate))
        if len(self._ranked) > 2 * self._width:
            self._cut()

    def kept(self) -> list[Candidate]:
        """Return the candidates that stay, by rank and then in order of arrival."""
        self._cut()
        return [candidate for _, candidate in self._ranked]

    def _cut(self) -> None:
        self._ranked.sort(key=itemgetter(0))
        if len(self._ranked) > self._width:
            self.has_cut = True
            self._too_great = self._ranked[self._width][0]
            least = [each for each in self._ranked if each[0] < self._too_great]
            self._ranked = least or self._ranked[: self._width]


class _Beam:
    def __init__(
        self,
        board: Board,
        start: State,
        lower_bound: LowerBound,
        successors: Successors,
        evaluation: Evaluation,
        cut: Cut,
        meter: Meter,
    ) -> None:
        self._check = FreezeCheck(board)
        self._board = board
        self._start = start
        self._lower_bound = lower_bound
        self._evaluation = evaluation
        self._anneal = cut.anneal
        self._coldness: float | None = None
        self._meter = meter
        self._draws = draws(cut.seed)
        self._successors = successors
        self._packing = Packing(board)
        # Number of pushes of the line after which each of its positions occurs, the latest if it recurs.
        self._pushes_of_line: dict[int, int] = {}
        # The parent of every state kept, and the states seen in the next layer.
        self._parents: dict[int, int] = {}
        self._met: set[int] = set()
        meter.watch(self._parents, self._met)

    def seeds(self, matching: Matching, line: Sequence[State]) -> Generator[Progress, None, list[Candidate]]:
        """Return the start and the positions of the line before the first one proven dead."""
        keys = [self._packing.pack(state.normalized(self._board)) for state in line]
        seeds = [Candidate(keys[0], keys[0], matching)]
        for before, after in pairwise(keys):
            yield self._meter.progress()
            ((box, direction),) = pushes_between(self._board, self._packing.boxes(before), self._packing.boxes(after))
            moved = self._moved(seeds[-1].matching, direction, box)
            if moved is None or self._check.find(self._packing.boxes(after)):
                break
            seeds.append(Candidate(after, before, moved))
        self._pushes_of_line = {each.key: pushes for pushes, each in enumerate(seeds)}
        return seeds

    def run(self, seeds: Sequence[Candidate], width: int) -> Generator[Progress | Found, None, bool]:
        """Search with one width until a solution or no state or progress is left; return whether any state was cut.

        ``seeds``: the first layer; each follows its parent, except the start.
        """
        meter = self._meter
        layer = list({each.key: each for each in reversed(seeds)}.values())[::-1]
        has_cut = False
        self._parents.clear()
        first = min(each.matching.cost for each in layer)
        meter.depth, meter.lower_bound = 0, max(meter.lower_bound, seeds[0].matching.cost)
        nearest = first
        patient_until = patience = _PATIENCE + first
        while layer and (meter.depth <= patient_until or not has_cut):
            for each in layer:
                self._parents[each.key] = each.parent
                if meter.is_due():
                    yield meter.progress()
            bound = self._show(layer, width)
            if bound < nearest:
                nearest, patient_until = bound, meter.depth + patience
            if self._anneal is not None:
                self._coldness = self._anneal.between(1 - nearest / max(first, 1))
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
        board, bits, met, meter = self._board, self._packing.bits, self._met, self._meter
        boxes = state.key >> bits
        here = flood(1 << (state.key & self._packing.mask), board.floor & ~boxes, board.stride)
        for direction, box, _, _, after in self._successors.pushes_from(boxes, here):
            if meter.is_due():
                yield meter.progress()
            if after == board.goals:
                before = trail(self._parents.__getitem__, state.key, self._packing)
                found = solution(board, self._start, [*before, after])
                meter.best = found.pushes
                key = state.key
                while key not in self._pushes_of_line:
                    key = self._parents[key]
                yield Found(found, left_after=self._pushes_of_line[key])
                return
            region = flood(box, board.floor & ~after, board.stride)
            child = after << bits | lowest(region)
            if child in met or child in self._parents:
                continue
            met.add(child)
            if self._check.frozen(after) & ~board.goals:
                continue
            moved = self._moved(state.matching, direction, box.bit_length() - 1)
            if moved is not None:
                best.put(self._rank(moved.cost, after, region), Candidate(child, state.key, moved))

    def _moved(self, matching: Matching, direction: Direction, box: int) -> Matching | None:
        behind = self._lower_bound.distances.behind[direction]
        goal = matching.places.index(behind[box])
        return self._lower_bound.matchings.moved(matching, goal, behind[box + self._board.offsets[direction]])

    def _rank(self, bound: int, boxes: Bitboard, region: Bitboard) -> float:
        """Return the rank of a state: f or, annealed, -log(random * exp(-anneal * f)) / anneal; the lowest is best."""
        f = self._evaluation(bound, boxes, region)
        return f if self._coldness is None else f - log(next(self._draws)) / self._coldness

    def _show(self, layer: list[Candidate], width: int) -> int:
        """Report the best state of a layer and return its lower bound."""
        nearest = min(layer, key=lambda each: each.matching.cost)
        bound = nearest.matching.cost
        self._meter.nearest = self._packing.boxes(nearest.key)
        self._meter.features = (
            Feature(N_("width"), len(layer), width),
            Feature(N_("pushes to the end, at least"), bound),
        )
        return bound
