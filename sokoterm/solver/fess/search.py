"""The strategy ``fess``: a plan, then the search for a solution by it."""

from collections.abc import Generator
from itertools import cycle, pairwise
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, flood
from sokoterm.engine.board import Board, State
from sokoterm.solver.fess.battery import Battery
from sokoterm.solver.fess.forward import Forward, Manner
from sokoterm.solver.fess.ground import Ground, make_ground
from sokoterm.solver.fess.macro import Landing, macro_path
from sokoterm.solver.fess.packing import WayOut, search_packing
from sokoterm.solver.fess.plan import make_plan
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Node
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Found, Limits, Progress, Search
from sokoterm.solver.trail import solution


class Variant(NamedTuple):
    """How a search differs from others, and how many positions it may expand in each of its turns."""

    way_out: WayOut
    manner: Manner
    expansions: int


# The first solves most levels; what it cannot, some other may.  Tried on XSokoban: see the commit that chose them.
VARIANTS = (
    Variant(WayOut(6), Manner(prunes=True, spreads=True), 400),
    Variant(WayOut(6), Manner(prunes=False, spreads=False), 300),
    Variant(WayOut(2), Manner(prunes=True, spreads=False), 200),
    Variant(WayOut(6, anywhere=True), Manner(prunes=False, spreads=True), 200),
)

# The positions that the search for a plan may expand: those that lead to one at all mostly need fewer than 50.
_PLAN_EXPANSIONS = 150


def search(board: Board, start: State, limits: Limits) -> Search:
    """A solution of at least one push, not the shortest, or the proof that there is none."""
    meter = Meter("fess", board, limits, bytes_per_state=1_500)
    try:
        return (yield from _search(board, start, meter))
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _search(board: Board, start: State, meter: Meter) -> Search:
    yield meter.progress()
    ground = yield from make_ground(board, meter)
    battery = Battery(ground)
    region = flood(1 << start.player, board.floor & ~start.boxes, board.stride)
    if start.boxes & ~ground.live or battery.is_dead(start.boxes, region) and start.boxes != board.goals:
        return meter.unsolvable()
    trees: dict[Variant, FeatureSearch] = {}
    goal = None
    variants = cycle(VARIANTS)
    try:
        while goal is None:
            variant = next(variants)
            if variant not in trees:
                trees[variant] = yield from _begin(ground, battery, start.boxes, region, variant, meter)
            goal = yield from _turn(trees[variant], variant.expansions, meter)
    except ExhaustedError:
        return meter.unsolvable()
    answer = solution(board, start, _boxes(ground, goal))
    meter.best = answer.pushes
    yield Found(answer)
    return meter.solved()


def _begin(
    ground: Ground, battery: Battery, boxes: Bitboard, region: Bitboard, variant: Variant, meter: Meter
) -> Generator[Progress, None, FeatureSearch]:
    """The tree of a variant, its plan made and its root expanded."""
    found = yield from search_packing(ground, boxes, variant.way_out, meter, _PLAN_EXPANSIONS)
    plan = yield from make_plan(ground, found, meter)
    forward = Forward(ground, plan, battery, meter, variant.manner)
    tree = FeatureSearch(forward)
    yield from tree.add_root(forward.root(boxes, region))
    return tree


def _turn(tree: FeatureSearch, expansions: int, meter: Meter) -> Generator[Progress, None, Node | None]:
    """The goal, if it is met within so many expansions."""
    last = tree.expanded + expansions
    goal = None
    while goal is None and tree.expanded < last:
        goal = yield from tree.step()
        if tree.best is not None:
            meter.depth = tree.best.depth
    return goal


def _boxes(ground: Ground, goal: Node) -> list[Bitboard]:
    """The boxes after every single push on the line to a node."""
    line = goal.line()
    found = [line[0].boxes]
    for before, after in pairwise(line):
        origin = after.move.origin
        lifted = ground.floor & ~before.boxes | 1 << origin
        area = flood(1 << origin, lifted, ground.stride)
        landing = Landing(after.move.square, after.region, 0)
        path = macro_path(ground.board, area, before.region, origin, landing, lifted & ground.live, pulls=False)
        others = before.boxes ^ 1 << origin
        found += [others | 1 << square for square in path[1:]]
    return found
