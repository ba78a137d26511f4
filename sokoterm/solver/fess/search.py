"""The strategy ``fess``: a plan, then the search for a solution by it, and one that comes to meet it from the goals."""

from collections.abc import Generator, Sequence
from typing import NamedTuple

from sokoterm.engine.battery import Battery
from sokoterm.engine.bits import Bitboard, flood, lowest
from sokoterm.engine.board import Board, State
from sokoterm.solver.fess.assignment import make_assignment
from sokoterm.solver.fess.doubt import Doubter, Doubts
from sokoterm.solver.fess.forward import Forward, Manner
from sokoterm.solver.fess.ground import make_ground
from sokoterm.solver.fess.homeward import WayHome
from sokoterm.solver.fess.line import boxes_on_line
from sokoterm.solver.fess.order import make_order
from sokoterm.solver.fess.packing import WayOut, search_packing
from sokoterm.solver.fess.plan import Plan, make_plan
from sokoterm.solver.fess.positions import Positions
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Node
from sokoterm.solver.fess.variants import ANYWHERE, FIRST, Variant, turns
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.perimeter import Perimeter, Side
from sokoterm.solver.protocol import Found, Limits, Progress, Search
from sokoterm.solver.trail import solution

# The effort of the search for a plan, where boxes may leave at the sink alone and where they may anywhere: it leads to
# a plan nearly everywhere then, but on some boards late.  Where one search ended without a plan, the next of its kind
# mostly does, too.
_PLAN_EFFORT = {False: 1_400, True: 4_000}
_DOUBTFUL_PLAN_EFFORT = 125

# As many plans are kept, those asked for last: the first variants share some of theirs.
_MOST_PLANS = 3


def search(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None) -> Search:
    """A solution of at least one push, not the shortest, or the proof that there is none.

    ``perimeter``: where it may meet searches from the goals.
    """
    meter = Meter("fess", board, limits, bytes_per_state=1_400)
    try:
        return (yield from _search(board, start, meter, (perimeter or Perimeter()).from_goals))
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _search(board: Board, start: State, meter: Meter, solvable: Side) -> Search:
    yield meter.progress()
    ground = yield from make_ground(board, meter)
    battery = Battery(board, open_board=ground.open)
    region = flood(1 << start.player, board.floor & ~start.boxes, board.stride)
    if start.boxes & ~ground.live or battery.is_dead(start.boxes, region) and start.boxes != board.goals:
        return meter.unsolvable()
    positions = Positions(ground, battery, meter)
    way_home = WayHome(positions, start.boxes, region, meter)
    searches = _Searches(positions, start.boxes, region, meter, solvable, way_home)
    with solvable.joined(way_home.met, way_home.trail):
        try:
            boxes = yield from searches.run()
        except ExhaustedError:
            return meter.unsolvable()
    answer = solution(board, start, boxes)
    meter.best = answer.pushes
    yield Found(answer)
    return meter.solved()


class _Started(NamedTuple):
    """The search of a variant that has begun."""

    forward: Forward
    tree: FeatureSearch
    doubter: Doubter


class _Searches:
    """The variants' searches for a solution, and the way home, in turns.

    No search begins a second time under the name of another variant.
    """

    def __init__(
        self,
        positions: Positions,
        boxes: Bitboard,
        region: Bitboard,
        meter: Meter,
        solvable: Side,
        way_home: WayHome,
    ) -> None:
        self._ground = positions.ground
        self._positions = positions
        self._boxes = boxes
        self._region = region
        self._meter = meter
        self._solvable = solvable
        self._way_home = way_home
        self._doubts = Doubts(positions.battery, meter)
        self._plan_effort = dict(_PLAN_EFFORT)
        self._plans: dict[WayOut, Plan] = {}
        self._first: _Started | None = None
        # Manners with the masks of plans, one for each search begun: the same again would find little else.
        self._searched: set[tuple[Manner, Sequence[Bitboard]]] = set()

    def run(self) -> Generator[Progress, None, list[Bitboard]]:
        """The boxes of every state from the start to the goals; raises ExhaustedError where there is no way."""
        for variant, expansions in turns():
            if variant is None:
                boxes = yield from self._way_home.turn(expansions)
                if boxes is not None:
                    return boxes
                continue
            goal = yield from self._turn(variant, expansions)
            if goal is not None:
                return self._solved(goal)
        raise AssertionError("a search without end came to its end")

    def _solved(self, goal: Node) -> list[Bitboard]:
        """The boxes of every state on the line to a goal, and from there on where that is a position met backwards."""
        boxes = boxes_on_line(self._ground, goal, pulls=False)
        if goal.boxes != self._ground.goals:
            boxes += self._solvable.trail(self._positions.key(goal.boxes, lowest(goal.region)))[::-1]
        return boxes

    def _turn(self, variant: Variant, expansions: int) -> Generator[Progress, None, Node | None]:
        """The goal, if it is met within so many expansions; only the first search is kept for another turn."""
        is_first = variant == FIRST
        started = self._first if is_first and self._first else (yield from self._begin(variant))
        if started is None:
            return None
        if is_first:
            self._first = started
        goal = yield from self._go_on(started, expansions)
        if not is_first:
            self._meter.stored -= started.tree.stored
        return goal

    def _go_on(self, started: _Started, expansions: int) -> Generator[Progress, None, Node | None]:
        forward, tree, doubter = started
        last = tree.expanded + expansions
        best = None
        while tree.expanded < last:
            stored = tree.stored
            goal = yield from tree.step()
            if goal is None:
                yield from doubter.look()
            self._meter.stored += tree.stored - stored
            if goal is not None:
                return goal
            if tree.best is not None and tree.best is not best:
                best = tree.best
                self._meter.nearest = best.boxes
                self._meter.features = forward.figures(best)
        return None

    def _plan(self, way_out: WayOut) -> Generator[Progress, None, Plan]:
        plan = self._plans.pop(way_out, None) or (yield from self._make_plan(way_out))
        self._plans[way_out] = plan
        if len(self._plans) > _MOST_PLANS:
            del self._plans[next(iter(self._plans))]
        return plan

    def _make_plan(self, way_out: WayOut) -> Generator[Progress, None, Plan]:
        found = yield from self._packing(way_out)
        if found.boxes != found.bases and not way_out.anywhere:
            other = yield from self._packing(ANYWHERE._replace(shuffle=way_out.shuffle))
            found = other if other.boxes == other.bases else found
        return (yield from make_plan(self._ground, found, self._meter))

    def _packing(self, way_out: WayOut) -> Generator[Progress, None, Node]:
        """The packing search; after one without a whole plan there is less effort in those of its kind."""
        effort = self._plan_effort[way_out.anywhere]
        found = yield from search_packing(self._ground, self._boxes, way_out, self._meter, effort)
        if found.boxes != found.bases:
            self._plan_effort[way_out.anywhere] = _DOUBTFUL_PLAN_EFFORT
        return found

    def _begin(self, variant: Variant) -> Generator[Progress, None, _Started | None]:
        """The search of a variant, its plan made and its root expanded; None where the same has begun before."""
        ground, meter, manner = self._ground, self._meter, variant.manner
        plan = yield from self._plan(variant.way_out)
        if (manner, plan.masks) in self._searched:
            return None
        self._searched.add((manner, plan.masks))
        order = None if manner.strict else (yield from make_order(ground, plan.masks, self._boxes, meter))
        assignment = (yield from make_assignment(ground, plan, meter)) if manner.foresees else None
        forward = Forward(self._positions, plan, order, assignment, meter, manner, self._solvable)
        tree = FeatureSearch(forward)
        root = yield from forward.root(self._boxes, self._region)
        yield from tree.add_root(root)
        meter.stored += tree.stored
        return _Started(forward, tree, Doubter(self._doubts, tree))
