"""The target of a search: the goals of the level, or an *imagined board* met by the backward search.

Reaching a board half way from the start is a different level from reaching the goals, and often an easy one: no box
needs to be packed.  A search that reaches that board, or any other position known from the goals, has a solution.  The
imagined board comes from Festival (Shoham and Schaeffer, "The FESS algorithm", 2020, and its program), which imagines
one; here each search has a different one.
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

# The effort of a search for a plan, by whether boxes may leave anywhere or only at the sink: "anywhere" finds a plan on
# nearly every board, but on some of them late.  If one search ended without a plan, the next of its kind mostly does
# too; and an imagined board is seldom worth much.
_PLAN_EFFORT = {False: 1_400, True: 4_000}
_DOUBTFUL_PLAN_EFFORT = 125


class RunningSearch(NamedTuple):
    """The search of a variant, under way."""

    forward: Forward
    tree: FeatureSearch
    watch: DeadEndWatch


class Aim:
    """A target of searches, with the positions and plans they share.

    Variants that come to the same plan and manner are searched only once.
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
        """``boxes`` and ``region``: the start.  ``is_imagined``: filling the goals does not solve the level yet."""
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
        # Manner and plan of each search begun: a second with the same would find little new.
        self._searched: set[tuple[Manner, Sequence[Bitboard]]] = set()

    def begin(self, variant: Variant) -> Generator[Progress, None, RunningSearch | None]:
        """Make the plan of a variant and expand its root; return its search, or None if the same one began before."""
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
        return RunningSearch(forward, tree, DeadEndWatch(self._dead_ends, tree))

    def go_on(self, running: RunningSearch, expansions: int) -> Generator[Progress, None, Node | None]:
        """Continue a search for a number of expansions; return the end node, or None if it is not reached.

        Raises ExhaustedError if the goals cannot be reached, which says nothing about the level if they are imagined.
        """
        forward, tree, watch = running
        last = tree.expanded + expansions
        best = None
        while tree.expanded < last:
            stored = tree.stored
            end = yield from tree.step()
            if end is None:
                yield from watch.look()
            self._meter.stored += tree.stored - stored
            if end is not None:
                return end
            if tree.best is not None and tree.best is not best:
                best = tree.best
                self._meter.nearest = best.boxes
                self._meter.features = forward.figures(best)
        return None

    def _plan(self, way_out: WayOut) -> Generator[Progress, None, PackingPlan]:
        """Return the plan for a way out, made once if variants share it."""
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
        """Run the packing search; after one without a complete plan, later ones of its kind get less effort."""
        effort = self._plan_effort[way_out.anywhere]
        found = yield from search_packing(self._tables, self._boxes, way_out, self._meter, effort)
        if found.boxes != found.bases:
            self._plan_effort[way_out.anywhere] = _DOUBTFUL_PLAN_EFFORT
        return found
