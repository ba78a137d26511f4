"""The strategy ``fess``: a plan, then the search for a solution by it, and one that comes to meet it from the goals."""

from collections.abc import Container, Generator, Iterator, Sequence
from itertools import chain, count
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
from sokoterm.solver.fess.order import Order, make_order
from sokoterm.solver.fess.packing import WayOut, search_packing
from sokoterm.solver.fess.plan import Plan, make_plan, make_plan_through
from sokoterm.solver.fess.positions import Positions
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Node
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.perimeter import Perimeter, Side
from sokoterm.solver.protocol import Found, Limits, Progress, Search
from sokoterm.solver.trail import solution


class Variant(NamedTuple):
    """How a search differs from others; without a way out, its plan goes through what the search backwards has met."""

    way_out: WayOut | None = WayOut()
    manner: Manner = Manner()


# By this way out nearly every board has a whole plan, and mostly one that parks no box.
_ANYWHERE = WayOut(1, anywhere=True)

# The first solves most levels; each of the others, of those that are left, the most that no other before it does.
_FIRST = Variant(WayOut(2), Manner())
_OTHERS = (
    (
        Variant(None, Manner(foresees=True, spreads=False, strict=False)),
        Variant(_ANYWHERE, Manner(foresees=True, spreads=False, clears=False, features=5)),
        Variant(WayOut(6, shuffle=2), Manner(foresees=True, spreads=False, strict=False)),
        Variant(_ANYWHERE, Manner(foresees=True, strict=False)),
        Variant(WayOut(6, shuffle=2), Manner(foresees=True, clears=False)),
        Variant(WayOut(6, shuffle=1), Manner(foresees=True, spreads=False)),
    ),
    (
        Variant(WayOut(2), Manner(foresees=True, clears=False)),
        Variant(WayOut(2), Manner(foresees=True, prunes=False, spreads=False, features=4, rooms=True)),
        Variant(_ANYWHERE, Manner(foresees=True, spreads=False, clears=False, features=5, strict=False)),
        Variant(WayOut(6, shuffle=1), Manner(foresees=True, clears=False)),
    ),
)

# The positions that the first may expand before the search backwards, before all others, then once three of them have
# had a turn, and later before each round of them.  ``auto`` goes by these, too, in how long it lets the whole search
# have its first turn.
_FIRST_TURNS = (200, 500, 1_000, 350)

# The positions that the search backwards may expand in its first turn, in the second one in the first round, and in
# that of each later round.
_HOME_TURNS = (400, 1_100, 400)

# The positions that the others may expand in their turns; what has not led to the goal by then is forgotten.
_TURNS = (600, 600, 900)

# As many of a generation, those that have come farthest, have a turn after the first one.
_MOST_KEPT = 2

# Added to the shuffle of a plan each time that the variants come again.
_SHUFFLES = 5

# The effort of the search for a plan, where boxes may leave at the sink alone and where they may anywhere: it leads to
# a plan nearly everywhere then, but on some boards late.  Where one search ended without a plan, the next of its kind
# mostly does, too.
_PLAN_EFFORT = {False: 1_400, True: 4_000}
_DOUBTFUL_PLAN_EFFORT = 125


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
    turns = _Turns(positions, start.boxes, region, meter, solvable, way_home)
    with solvable.joined(way_home.met, way_home.trail):
        try:
            boxes = yield from turns.run()
        except ExhaustedError:
            return meter.unsolvable()
    answer = solution(board, start, boxes)
    meter.best = answer.pushes
    yield Found(answer)
    return meter.solved()


def _generation(number: int) -> tuple[Variant, ...]:
    """The variants of a generation: those above, then the same with their plans shuffled, the first one among them."""
    shuffles, half = divmod(number, len(_OTHERS))
    if not shuffles:
        return _OTHERS[half]
    variants = [_FIRST, *_OTHERS[half]] if half == 0 else _OTHERS[half]
    return tuple(
        Variant(way_out._replace(shuffle=way_out.shuffle + _SHUFFLES * shuffles), manner)
        for way_out, manner in variants
        if way_out is not None
    )


class _Started(NamedTuple):
    """The search of a variant that has had a turn."""

    forward: Forward
    tree: FeatureSearch
    doubter: Doubter


class _Turns:
    """The variants' searches for a solution in turns.

    The first of all has nearly a third of the time at first and a part of every round later, and is never forgotten:
    it meets every position in the end.  So is the search backwards: to come to one of its positions ends all others.
    Every round a new generation joins them: other variants, or the same with plans that are shuffled in another way.
    Only those of a generation that have packed the most have more turns than one, each as long as that before or
    longer.  No search begins a second time under the name of another variant.
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
        self._plans: dict[WayOut | None, Plan] = {}
        self._orders: dict[WayOut | None, Order] = {}
        self._started: dict[Variant, _Started] = {}
        # Manners with the masks of plans, one for each search begun: the same again would find little else.
        self._searched: set[tuple[Manner, Sequence[Bitboard]]] = set()

    def run(self) -> Generator[Progress, None, list[Bitboard]]:
        """The boxes of every state from the start to the goals; raises ExhaustedError where there is no way."""
        for variant, expansions in self._in_turn():
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

    def _in_turn(self) -> Iterator[tuple[Variant | None, int]]:
        """Who searches next, None for the way home, and how many positions it may expand."""
        early, alone, soon, later = _FIRST_TURNS
        yield _FIRST, early
        yield None, _HOME_TURNS[0]
        yield _FIRST, alone
        # By their age, the variants of generations before that are to have another turn.
        older: list[Sequence[Variant]] = []
        for number in count():
            if number:
                yield None, _HOME_TURNS[2]
                yield _FIRST, later
            for age in reversed(range(len(older))):
                for variant in older[age]:
                    yield variant, _TURNS[age + 1]
            newest = _generation(number)
            for turn, variant in enumerate(newest):
                yield variant, _TURNS[0]
                if number == 0 and turn == 2:
                    yield None, _HOME_TURNS[1]
                    yield _FIRST, soon
            older = [self._farthest(newest), *older][: len(_TURNS) - 1]
            self._forget_all_but({_FIRST, *chain(*older)})

    def _farthest(self, variants: Sequence[Variant]) -> Sequence[Variant]:
        """Those of a generation that have packed the largest parts of their plans."""
        own = [variant for variant in variants if self._has_own_search(variant)]
        return sorted(own, key=self._packed, reverse=True)[:_MOST_KEPT]

    def _has_own_search(self, variant: Variant) -> bool:
        """Whether a variant has a search, and none that it shares with one that began before."""
        started = self._started.get(variant)
        return started is not None and variant == next(each for each in self._started if self._started[each] is started)

    def _packed(self, variant: Variant) -> float:
        """How much of its plan the best position of a variant has packed, from 0 to 1."""
        forward, tree, _ = self._started[variant]
        return 0.0 if tree.best is None else forward.packed(tree.best)

    def _forget_all_but(self, kept: Container[Variant]) -> None:
        """Give back the memory of all other variants."""
        for variant in [each for each in self._started if each not in kept]:
            started = self._started.pop(variant)
            if started not in self._started.values():
                self._meter.stored -= started.tree.stored
        way_outs = {variant.way_out for variant in self._started}
        self._plans = {way_out: plan for way_out, plan in self._plans.items() if way_out in way_outs}
        self._orders = {way_out: order for way_out, order in self._orders.items() if way_out in way_outs}

    def _turn(self, variant: Variant, expansions: int) -> Generator[Progress, None, Node | None]:
        """The goal, if it is met within so many expansions; a search that has been forgotten is not begun again."""
        started = self._started.get(variant) or (yield from self._begin(variant))
        if started is None:
            return None
        self._started[variant] = started
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

    def _plan(self, way_out: WayOut | None) -> Generator[Progress, None, Plan]:
        ground, meter = self._ground, self._meter
        if way_out is None:
            return (yield from make_plan_through(ground, self._way_home.best, meter))
        found = yield from self._packing(way_out)
        if found.boxes != found.bases and not way_out.anywhere:
            other = yield from self._packing(_ANYWHERE._replace(shuffle=way_out.shuffle))
            found = other if other.boxes == other.bases else found
        return (yield from make_plan(ground, found, meter))

    def _packing(self, way_out: WayOut) -> Generator[Progress, None, Node]:
        """The packing search; after one without a whole plan there is less effort in those of its kind."""
        effort = self._plan_effort[way_out.anywhere]
        found = yield from search_packing(self._ground, self._boxes, way_out, self._meter, effort)
        if found.boxes != found.bases:
            self._plan_effort[way_out.anywhere] = _DOUBTFUL_PLAN_EFFORT
        return found

    def _order(self, way_out: WayOut | None) -> Generator[Progress, None, Order]:
        if way_out not in self._orders:
            masks = self._plans[way_out].masks
            self._orders[way_out] = yield from make_order(self._ground, masks, self._boxes, self._meter)
        return self._orders[way_out]

    def _begin(self, variant: Variant) -> Generator[Progress, None, _Started | None]:
        """The search of a variant, its plan made and its root expanded; that of another one if they do not differ.

        None if that one is forgotten.
        """
        if variant.way_out not in self._plans:
            self._plans[variant.way_out] = yield from self._plan(variant.way_out)
        plan = self._plans[variant.way_out]
        for other, started in self._started.items():
            if other.manner == variant.manner and self._plans[other.way_out].masks == plan.masks:
                return started
        if (variant.manner, plan.masks) in self._searched:
            return None
        self._searched.add((variant.manner, plan.masks))
        order = None if variant.manner.strict else (yield from self._order(variant.way_out))
        assignment = (yield from make_assignment(self._ground, plan, self._meter)) if variant.manner.foresees else None
        forward = Forward(self._positions, plan, order, assignment, self._meter, variant.manner, self._solvable)
        tree = FeatureSearch(forward)
        root = yield from forward.root(self._boxes, self._region)
        yield from tree.add_root(root)
        self._meter.stored += tree.stored
        return _Started(forward, tree, Doubter(self._doubts, tree))
