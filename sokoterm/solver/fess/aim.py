"""What a search goes for: the goals of the level, or a board on its way back from them that is taken for the goals.

To come from the start to a board half way, chosen among those that the search backwards has met, is another level than
to come to the goals, and often one that is easy: no box need be packed.  Whoever comes there, or to any other position
that is known from the goals, has a solution.  That is the *imagined board* of Festival (Shoham and Schaeffer, "The FESS
algorithm", 2020, and its program), of which it imagines one; here each search has another.
"""

from collections.abc import Generator, Sequence
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard
from sokoterm.solver.common.perimeter import Side
from sokoterm.solver.fess.assignment import make_assignment
from sokoterm.solver.fess.dead_end_check import DeadEndCheck, DeadEndWatch
from sokoterm.solver.fess.forward import Forward, Manner
from sokoterm.solver.fess.packing import WayOut, search_packing
from sokoterm.solver.fess.plan import PackingPlan, make_plan
from sokoterm.solver.fess.positions import Positions
from sokoterm.solver.fess.step_order import make_step_order
from sokoterm.solver.fess.tree import FeatureSearch, Node
from sokoterm.solver.fess.variants import ANYWHERE, SHARED_WAYS_OUT, Variant
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# The effort of the search for a plan, where boxes may leave at the sink alone and where they may anywhere: it leads to
# a plan nearly everywhere then, but on some boards late.  Where one search ended without a plan, the next of its kind
# mostly does, too; and an imagined board is seldom worth much.
_PLAN_EFFORT = {False: 1_400, True: 4_000}
_DOUBTFUL_PLAN_EFFORT = 125


class Started(NamedTuple):
    """The search of a variant that has begun."""

    forward: Forward
    tree: FeatureSearch
    doubter: DeadEndWatch


class Aim:
    """The goals, what is found out on the way to them, and the plans by which they are filled.

    No search begins a second time under the name of another variant.
    """

    def __init__(
        self,
        positions: Positions,
        boxes: Bitboard,
        region: Bitboard,
        meter: Meter,
        solvable: Side,
        *,
        is_imagined: bool,
    ) -> None:
        """``boxes`` and ``region``: the start; ``is_imagined``: to fill the goals is not yet to solve the level."""
        self._tables = positions.tables
        self._positions = positions
        self._boxes = boxes
        self._region = region
        self._meter = meter
        self._solvable = solvable
        self._end = None if is_imagined else self._tables.goals
        self._dead_ends = DeadEndCheck(positions.detector, meter)
        self._plan_effort = dict.fromkeys(_PLAN_EFFORT, _DOUBTFUL_PLAN_EFFORT) if is_imagined else dict(_PLAN_EFFORT)
        self._plans: dict[WayOut, PackingPlan] = {}
        # Manners with the masks of plans, one for each search begun: the same again would find little else.
        self._searched: set[tuple[Manner, Sequence[Bitboard]]] = set()

    def begin(self, variant: Variant) -> Generator[Progress, None, Started | None]:
        """The search of a variant, its plan made and its root expanded; None where the same has begun before."""
        tables, meter, manner = self._tables, self._meter, variant.manner
        plan = yield from self._plan(variant.way_out)
        if (manner, plan.masks) in self._searched:
            return None
        self._searched.add((manner, plan.masks))
        order = None if manner.strict else (yield from make_step_order(tables, plan.masks, self._boxes, meter))
        assignment = (yield from make_assignment(tables, plan, meter)) if manner.foresees else None
        forward = Forward(self._positions, plan, order, assignment, meter, manner, self._solvable, self._end)
        tree = FeatureSearch(forward)
        root = yield from forward.root(self._boxes, self._region)
        yield from tree.add_root(root)
        meter.stored += tree.stored
        return Started(forward, tree, DeadEndWatch(self._dead_ends, tree))

    def go_on(self, started: Started, expansions: int) -> Generator[Progress, None, Node | None]:
        """The end, if a search comes to it within so many expansions.

        Raises ExhaustedError where there is no way to the goals: if they are imagined, that says nothing of the level.
        """
        forward, tree, doubter = started
        last = tree.expanded + expansions
        best = None
        while tree.expanded < last:
            stored = tree.stored
            end = yield from tree.step()
            if end is None:
                yield from doubter.look()
            self._meter.stored += tree.stored - stored
            if end is not None:
                return end
            if tree.best is not None and tree.best is not best:
                best = tree.best
                self._meter.nearest = best.boxes
                self._meter.features = forward.figures(best)
        return None

    def _plan(self, way_out: WayOut) -> Generator[Progress, None, PackingPlan]:
        """The plan by a way out, made once where variants share it."""
        plan = self._plans.get(way_out) or (yield from self._make_plan(way_out))
        if way_out in SHARED_WAYS_OUT:
            self._plans[way_out] = plan
        return plan

    def _make_plan(self, way_out: WayOut) -> Generator[Progress, None, PackingPlan]:
        found = yield from self._packing(way_out)
        if found.boxes != found.bases and not way_out.anywhere:
            other = yield from self._packing(ANYWHERE._replace(shuffle=way_out.shuffle))
            found = other if other.boxes == other.bases else found
        return (yield from make_plan(self._tables, found, self._meter))

    def _packing(self, way_out: WayOut) -> Generator[Progress, None, Node]:
        """The packing search; after one without a whole plan there is less effort in those of its kind."""
        effort = self._plan_effort[way_out.anywhere]
        found = yield from search_packing(self._tables, self._boxes, way_out, self._meter, effort)
        if found.boxes != found.bases:
            self._plan_effort[way_out.anywhere] = _DOUBTFUL_PLAN_EFFORT
        return found
