"""The strategy ``fess``: forward searches by a packing plan, taking turns with a backward search that may meet them.

A forward search targets the goals of the level, or an *imagined board*: one that the backward search has met.  Reaching
a board half way from the start is a different level from reaching the goals, and often an easy one: no box needs to be
packed.  A search that reaches that board, or any other position known from the goals, has a solution.  The imagined
board comes from Festival (Shoham and Schaeffer, "The FESS algorithm", 2020, and its program), which imagines one; here
each search has a different one.
"""

from collections.abc import Generator, Sequence
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, flood, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import is_dead_at_sight
from sokoterm.solver.common.state_space import Perimeter, Side, solution
from sokoterm.solver.fess.assignment import make_assignment
from sokoterm.solver.fess.backward_search import BackwardSearch
from sokoterm.solver.fess.colored import Ends, make_colored_positions
from sokoterm.solver.fess.dead_end_check import DeadEndCheck, DeadEndWatch
from sokoterm.solver.fess.forward import Forward, SearchSettings
from sokoterm.solver.fess.macro import boxes_by_move
from sokoterm.solver.fess.packing import ExitRule, search_packing
from sokoterm.solver.fess.plan import PackingPlan, make_plan
from sokoterm.solver.fess.positions import Positions, make_positions
from sokoterm.solver.fess.step_order import make_step_order
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Node
from sokoterm.solver.fess.variants import ANYWHERE, KEPT, SHARED_EXIT_RULES, SearchVariant, turns
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Found, Limits, Progress, Search

# The effort of a search for a plan, by whether boxes may leave anywhere or only at the sink: "anywhere" finds a plan on
# nearly every board, but on some of them late.  If one search ended without a plan, the next of its kind mostly does
# too; and an imagined board is seldom worth much.
_PLAN_EFFORT = {False: 1_400, True: 4_000}
_DOUBTFUL_PLAN_EFFORT = 125


def search(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None, *, draw: int = 0) -> Search:
    """Search for a solution of at least one push, not the shortest, or prove that there is none.

    ``perimeter``: positions shared with searches from the goals.  Another ``draw`` has other random variants.
    """
    meter = Meter("fess", board, limits, bytes_per_state=1_400)
    try:
        return (yield from _search(board, start, meter, (perimeter or Perimeter()).from_goals, draw))
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _search(board: Board, start: State, meter: Meter, met: Side, draw: int) -> Search:
    yield meter.progress()
    if is_dead_at_sight(board, start):
        return meter.unsolvable(start)
    region = flood(1 << start.player, board.floor & ~start.boxes, board.stride)
    positions: Positions
    known: Ends | BackwardSearch
    backward = None
    if board.colors:
        colored = yield from make_colored_positions(board, start, region, meter)
        if colored is None:
            return meter.unsolvable(start)
        positions, known, solvable = colored, Ends(colored, met), Side()
    else:
        plain = yield from make_positions(board, start.boxes, region, meter)
        if plain is None:
            return meter.unsolvable(start)
        positions, solvable = plain, met
        known = backward = BackwardSearch(plain)
    with solvable.registered(known.met, known.trail):
        try:
            boxes = yield from Searches(positions, solvable, backward).run(draw)
        except ExhaustedError:
            return meter.unsolvable(start)
    answer = solution(board, start, boxes)
    meter.best = answer.pushes
    yield Found(answer)
    return meter.solved()


class Searches:
    """The searches of all variants and the backward search, if any, in turns; ``kept`` are those that continue."""

    def __init__(self, positions: Positions, solvable: Side, backward: BackwardSearch | None) -> None:
        self._positions = positions
        self._meter = positions.meter
        self._solvable = solvable
        self._backward = backward
        self._goals = Target(positions, solvable, is_imagined=False)
        self.kept: dict[SearchVariant, RunningSearch] = {}
        # Boards that have served as targets.
        self._imagined = {positions.tables.goals}

    def run(self, draw: int = 0) -> Generator[Progress, None, list[Bitboard]]:
        """Return the boxes of every state from the start to the goals; raise ExhaustedError if there is no solution."""
        for variant, expansions in turns(draw):
            if variant is not None and variant.imagined is None:
                boxes = yield from self._turn(variant, expansions)
            elif self._backward is None:
                continue
            elif variant is None:
                boxes = yield from self._backward.turn(expansions)
            else:
                boxes = yield from self._imagined_turn(self._backward, variant, expansions)
            if boxes is not None:
                return boxes
        raise AssertionError("a search without end came to its end")

    def _turn(self, variant: SearchVariant, expansions: int) -> Generator[Progress, None, list[Bitboard] | None]:
        """Return the boxes of every state, if the goals are reached within a number of expansions.

        Variants in KEPT are kept for another turn; others free what they stored.
        """
        started = self.kept.get(variant)
        if started is None:
            started = yield from self._goals.begin(variant)
            if started is None:
                return None
            if variant in KEPT:
                self.kept[variant] = started
                self._meter.watch(started.forward.entered)
        end = yield from self._goals.go_on(started, expansions)
        if variant not in KEPT:
            self._meter.stored -= started.tree.stored
        return None if end is None else (yield from self._solved(end))

    def _imagined_turn(
        self, backward: BackwardSearch, variant: SearchVariant, expansions: int
    ) -> Generator[Progress, None, list[Bitboard] | None]:
        """Return the boxes of every state through a new imagined board, which may turn out to be unreachable."""
        imagined = None if variant.imagined is None else backward.imagined(variant.imagined)
        if imagined is None or imagined in self._imagined:
            return None
        self._imagined.add(imagined)
        board = self._positions.tables.board._replace(goals=imagined)
        start = self._positions.start_boxes, self._positions.start_region
        positions = yield from make_positions(board, *start, self._meter)
        if positions is None:
            return None
        target = Target(positions, self._solvable, is_imagined=True)
        stored = self._meter.stored
        end = None
        try:
            started = yield from target.begin(variant)
            if started is not None:
                end = yield from target.go_on(started, expansions)
        except ExhaustedError:
            pass
        self._meter.stored = stored
        return None if end is None else (yield from self._solved(end))

    def _solved(self, end: Node) -> Generator[Progress, None, list[Bitboard]]:
        """Return the boxes of every state on the line to an end node, and on to the goals if it is a met position."""
        tables = self._positions.tables
        boxes: list[Bitboard] = []
        for move in boxes_by_move(tables, end, pulls=False):
            boxes += move
            yield self._meter.report()
        if end.boxes != tables.goals:
            # The first of these boxes are the last of those above, so no push leads from one to the other.
            boxes += self._solvable.trail(self._positions.key(end.boxes, lowest(end.region)))[::-1]
        return boxes


class RunningSearch(NamedTuple):
    """The running search of a variant."""

    forward: Forward
    tree: FeatureSearch
    watch: DeadEndWatch | None


class Target:
    """A target of searches, with the positions and plans they share.

    Variants that come to the same plan and settings are searched only once.
    """

    def __init__(self, positions: Positions, solvable: Side, *, is_imagined: bool) -> None:
        """``is_imagined``: filling the goals does not solve the level yet."""
        self._tables = positions.tables
        self._positions = positions
        self._meter = positions.meter
        self._solvable = solvable
        self._end = self._tables.goals if positions.is_plain and not is_imagined else None
        self._dead_ends = DeadEndCheck(positions.detector, positions.meter) if positions.is_plain else None
        self._plan_effort = dict.fromkeys(_PLAN_EFFORT, _DOUBTFUL_PLAN_EFFORT) if is_imagined else dict(_PLAN_EFFORT)
        self._plans: dict[ExitRule, PackingPlan] = {}
        # Settings and plan of each search begun: a second with the same would find little new.
        self._searched: set[tuple[SearchSettings, Sequence[Bitboard]]] = set()

    def begin(self, variant: SearchVariant) -> Generator[Progress, None, RunningSearch | None]:
        """Make the plan of a variant and expand its root; return its search, or None if the same one began before."""
        tables, meter, settings = self._tables, self._meter, variant.settings
        if not self._positions.is_plain:
            # The other settings ask for tables that do not know colours.
            settings = settings._replace(strict=True, counts_unmatched=False)
        plan = yield from self._plan(variant.exit_rule)
        if (settings, plan.masks) in self._searched:
            return None
        self._searched.add((settings, plan.masks))
        order = None
        if not settings.strict:
            order = yield from make_step_order(tables, plan.masks, self._positions.start_boxes, meter)
        assignment = (yield from make_assignment(tables, plan, meter)) if settings.counts_unmatched else None
        forward = Forward(self._positions, plan, order, assignment, settings, self._solvable, self._end)
        tree = FeatureSearch(forward)
        root = yield from forward.root()
        yield from tree.add_root(root)
        meter.stored += tree.stored
        return RunningSearch(forward, tree, DeadEndWatch(self._dead_ends, tree) if self._dead_ends else None)

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
            if end is None and watch is not None:
                yield from watch.look()
            self._meter.stored += tree.stored - stored
            if end is not None:
                return end
            if tree.best is not None and tree.best is not best:
                best = tree.best
                self._meter.nearest = self._tables.state(best.boxes)
                self._meter.features = forward.figures(best)
        return None

    def _plan(self, exit_rule: ExitRule) -> Generator[Progress, None, PackingPlan]:
        """Return the plan for an exit rule, made once if variants share it."""
        plan = self._plans.get(exit_rule) or (yield from self._make_plan(exit_rule))
        if exit_rule in SHARED_EXIT_RULES:
            self._plans[exit_rule] = plan
        return plan

    def _make_plan(self, exit_rule: ExitRule) -> Generator[Progress, None, PackingPlan]:
        found = yield from self._packing(exit_rule)
        if found.boxes != found.bases and not exit_rule.anywhere:
            other = yield from self._packing(ANYWHERE._replace(shuffle=exit_rule.shuffle))
            found = other if other.boxes == other.bases else found
        return (yield from make_plan(self._tables, found, self._meter))

    def _packing(self, exit_rule: ExitRule) -> Generator[Progress, None, Node]:
        """Run the packing search; after one without a complete plan, later ones of its kind get less effort."""
        effort = self._plan_effort[exit_rule.anywhere]
        found = yield from search_packing(self._tables, self._positions.start_boxes, exit_rule, self._meter, effort)
        if found.boxes != found.bases:
            self._plan_effort[exit_rule.anywhere] = _DOUBTFUL_PLAN_EFFORT
        return found
