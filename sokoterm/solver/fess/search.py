"""The strategy ``fess``: forward searches by a packing plan, taking turns with a backward search that may meet them.

A forward search targets the goals of the level or an *imagined board*, one that the backward search has met.  Reaching
a board half way from the start is a different and often easy level, since no box needs to be packed.  A search that
reaches its board, or any other position known from the goals, has a solution.  Festival (Shoham and Schaeffer, "The
FESS algorithm", 2020, and its program) imagines one board; here each search has a different one.

A *variant* is the settings of a search.  Most levels that the first variants do not solve require the right plan and
the right settings, and nothing predicts which, not even progress in the plan: it mostly stalls until the solution is
found.  Many variants are therefore drawn at random and tried for a short time.  Since on some levels even the right one
needs thousands of positions, a few variants are never given up.
"""

from collections.abc import Generator, Iterator, Sequence
from itertools import chain, count
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, flood, lowest, regions
from sokoterm.engine.board import Board, State
from sokoterm.solver.common.dice import draws
from sokoterm.solver.common.state_space import Perimeter, Side, solution, within_limits
from sokoterm.solver.fess.backward_search import BackwardSearch
from sokoterm.solver.fess.colored import Ends, make_colored_positions
from sokoterm.solver.fess.dead_end_check import DeadEndCheck, DeadEndWatch
from sokoterm.solver.fess.features import DISTANCE, Advisors, Features, PlanPaths, shown
from sokoterm.solver.fess.macro import MANY_LANDINGS, boxes_by_move
from sokoterm.solver.fess.plan import (
    Assignment,
    ExitRule,
    PackingPlan,
    StepOrder,
    make_assignment,
    make_plan,
    make_step_order,
    search_packing,
)
from sokoterm.solver.fess.positions import Positions, make_positions
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Move, Node, Problem, Score, weighed
from sokoterm.solver.search import Feature, Found, Limits, Meter, Progress, Search


class SearchSettings(NamedTuple):
    """Settings of a forward search.

    ``prunes``: if there is a PI-corral, consider only its moves.  ``spreads``: keep unpacked boxes far from the goals,
    out of the way, else near them.  ``clears``: the opener looks for the boxes between a box and the next square of the
    plan, and their number is a feature; else it looks only for the box nearest to that square.  ``features``: number of
    score features that make a cell.  ``strict``: count the plan's steps in its order, else in any feasible order.
    ``counts_unmatched``: the number of plan steps without a box is a feature, drives an advisor, and decides which
    boxes go to the next square.
    """

    prunes: bool = True
    spreads: bool = True
    clears: bool = True
    features: int = 3
    strict: bool = True
    counts_unmatched: bool = False


class Forward(Problem):
    """Forward search by scores of Features; cells also count unmatched steps and boxes in the way."""

    def __init__(
        self,
        positions: Positions,
        plan: PackingPlan,
        order: StepOrder | None,
        assignment: Assignment | None,
        settings: SearchSettings,
        solvable: Side,
        end: Bitboard | None,
    ) -> None:
        """``order``: given unless ``strict``.  ``assignment``: given if ``counts_unmatched``.

        ``solvable``: positions with a known solution.  A position whose boxes are ``end`` is solved too.
        """
        super().__init__(positions.tables, positions.meter)
        self._steps = order.steps if order else plan.steps
        self._positions = positions
        self._settings = settings
        self._solvable = solvable
        self._end = end
        self._features = Features(plan, order, spreads=settings.spreads)
        self._assignment = assignment
        self._paths = PlanPaths(positions, plan, assignment)
        self.cell_size = settings.features + settings.counts_unmatched + settings.clears
        self._advisors = Advisors(positions, self._paths, assignment, clears=settings.clears)

    def roots(self) -> Generator[Progress, None, list[Move]]:
        boxes, region = self._positions.start_boxes, self._positions.start_region
        hotspots = yield from self._positions.hotspots(boxes)
        self.entered.add(self._positions.key(boxes, lowest(region)))
        parts = len(regions(self.tables.free(boxes), self.tables.stride))
        return [Move(0, self._features.score(boxes, parts, hotspots), boxes, 0, 0, 0, lowest(region))]

    def figures(self, node: Node) -> tuple[Feature, ...]:
        more = []
        if self._assignment:
            more.append(Feature("unmatched", self._assignment.unmatched(node.boxes)))
        if self._settings.clears:
            more.append(Feature("in the way", self._paths.in_the_way(node.boxes, node.region)))
        return *shown(node.score, self._steps), *more, Feature("box moves", node.depth)

    def standing(self, node: Node) -> Score:
        """Return the score, with unmatched steps after the steps packed and boxes in the way after the features."""
        features = self._settings.features
        packed, first, rest = node.score[:1], node.score[1:features], node.score[features:]
        unmatched = (self._assignment.unmatched(node.boxes),) if self._assignment else ()
        in_the_way = (self._paths.in_the_way(node.boxes, node.region),) if self._settings.clears else ()
        return *packed, *unmatched, *first, *in_the_way, *rest

    def region_unless_dead(self, boxes: Bitboard, player: Square) -> Bitboard:
        return self._positions.region_unless_dead(boxes, player)

    def is_goal(self, move: Move) -> bool:
        return move.boxes == self._end or self.key(move) in self._solvable

    def key(self, move: Move) -> int:
        return self._positions.key(move.boxes, move.player)

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        meter, entered, end, bits = self.meter, self.entered, self._end, self._positions.bits
        meter.nodes += 1
        meter.check()
        pushes = yield from self._positions.pushes(node.boxes, node.region, prunes=self._settings.prunes)
        solvable = self._solvable.tables
        moves: list[Move] = []
        latest, due = -1, MANY_LANDINGS
        for number, (box, square, player, parts, hotspots, opens) in enumerate(pushes):
            if box != latest:
                if number >= due:
                    due += MANY_LANDINGS
                    yield meter.progress()
                    solvable = self._solvable.tables
                latest = box
                others = node.boxes ^ 1 << box
                score = self._features.lifting(others, node.score[DISTANCE], box)
            there = others | 1 << square
            key = there << bits | player
            is_end = there == end
            for met in solvable:
                is_end |= key in met
            if is_end:
                return [Move(0, score(square, parts, hotspots), there, 0, box, square, player)]
            if key not in entered:
                # Equivalent to calling Move, in half the time.
                move = 1, score(square, parts, hotspots), there, 0, box, square, player, bool(opens)
                moves.append(tuple.__new__(Move, move))
        if len(moves) <= 2:
            return weighed(moves, {0} if moves else ())
        return weighed(moves, (yield from self._advisors.advise(node, moves)))


class SearchVariant(NamedTuple):
    """Exit rule of the plan, settings of the search, and its target.

    ``imagined``: None for the goals, 0 for the best board met backwards; other numbers each select one at random.
    """

    exit_rule: ExitRule = ExitRule()
    settings: SearchSettings = SearchSettings()
    imagined: int | None = None


class Turn(NamedTuple):
    """Turn of a variant, or of the backward search (None), and the number of positions it may expand."""

    variant: SearchVariant | None
    expansions: int


# With this exit rule nearly every board has a complete plan, usually without parking any box.
ANYWHERE = ExitRule(1, anywhere=True)

# The first solves most levels, the second most of those that the first does not solve soon, and the third some that
# take it thousands of positions.  These are kept and continue where they stopped.
FIRST = SearchVariant(ExitRule(2), SearchSettings())
SECOND = SearchVariant(ExitRule(6, shuffle=1), SearchSettings(counts_unmatched=True, spreads=False))
THIRD = SearchVariant(ExitRule(2), SearchSettings(prunes=False, spreads=False))
KEPT = (FIRST, SECOND, THIRD)

# Each of these solves some levels in one turn that none of the others solves.
OTHERS = (
    SearchVariant(ANYWHERE, SearchSettings(spreads=False, clears=False)),
    SearchVariant(ExitRule(2), SearchSettings(counts_unmatched=True, clears=False, strict=False)),
    SearchVariant(ExitRule(2), SearchSettings(counts_unmatched=True, clears=False)),
    SearchVariant(ExitRule(6, shuffle=1), SearchSettings(spreads=False, clears=False)),
    SearchVariant(ExitRule(2), SearchSettings(counts_unmatched=True, strict=False)),
)

# Each random variant has a different exit rule, so storing its plan is useless.
SHARED_EXIT_RULES = frozenset(variant.exit_rule for variant in (*KEPT, *OTHERS))

# Shuffle of the first random plan, not used by any variant above.
_NEXT_SHUFFLE = 2

_BACKWARD = None

_BEST_IMAGINED = FIRST._replace(imagined=0)

# Positions for each of OTHERS.
_TABLED_TURN = 600

# Turns before any variant is drawn at random.
OPENING = (
    Turn(FIRST, 200),
    Turn(_BACKWARD, 400),
    Turn(FIRST, 500),
    Turn(_BEST_IMAGINED, 300),
    Turn(SECOND, 300),
    *(Turn(variant, _TABLED_TURN) for variant in OTHERS),
    Turn(_BACKWARD, 1_100),
    Turn(_BEST_IMAGINED, 300),
    Turn(SECOND, 1_200),
)

# Turns before the opening if three of four boxes begin at home.  The plans that let boxes leave anywhere move the
# fewest of them, and a search by such a plan succeeds soon or not at all.
_NEARLY_SOLVED = (
    Turn(FIRST, 100),
    *(
        Turn(SearchVariant(ANYWHERE._replace(shuffle=shuffle), SearchSettings(spreads=False, clears=clears)), 250)
        for shuffle in range(3)
        for clears in (True, False)
    ),
)

# First turns of each round after the opening.
_ROUND_BEGINS = (Turn(_BACKWARD, 300), Turn(FIRST, 200), Turn(SECOND, 200))

# Positions per round for the search of an imagined board: if it gets there at all, it usually does so soon.
_IMAGINED_TURN = 200

# Random variants in a round, and positions for each.
_DRAWS = 3
_DRAWN_TURN = 800

# Positions for the third variant at the end of the first round, and of each later one.  Hard levels that it is known to
# solve take 5,000 to 13,000.
_THIRD_TURNS = (14_000, 2_000)

# Fixed seed, for the same draws on every run.  It was picked for a few hard levels; on others it is no better or worse.
_SEED = 7

# Shuffles per draw: more than any search uses.
_SHUFFLES = 10_000


def turns(draw: int = 0) -> Iterator[Turn]:
    """Yield the turns of the opening and of all rounds, endlessly; ``draw`` as in ``rounds``."""
    yield from OPENING
    for each in rounds(draw):
        yield from each


def early_turns(boxes: Bitboard, goals: Bitboard) -> Sequence[Turn]:
    """Return the turns before the opening of a level whose boxes begin on these squares."""
    return _NEARLY_SOLVED if 4 * (boxes & goals).bit_count() >= 3 * boxes.bit_count() else ()


def rounds(draw: int = 0) -> Iterator[tuple[Turn, ...]]:
    """Yield the turns of each round after the opening, endlessly; ``draw`` selects the random variants.

    Every round includes the kept variants, each of which eventually finds a solution or proves that there is none, the
    backward search, since reaching one of its positions solves the level, and one search that targets such a position.
    """
    first_of_third, later_of_third = _THIRD_TURNS
    numbers = draws(_SEED + draw)
    for shuffle in count(_NEXT_SHUFFLE + draw * _SHUFFLES, _DRAWS):
        yield (
            *_ROUND_BEGINS,
            Turn(FIRST._replace(imagined=shuffle), _IMAGINED_TURN),
            *(Turn(_drawn(numbers, shuffle + number), _DRAWN_TURN) for number in range(_DRAWS)),
            Turn(THIRD, first_of_third if shuffle == _NEXT_SHUFFLE else later_of_third),
        )


def _drawn(numbers: Iterator[float], shuffle: int) -> SearchVariant:
    """Draw a variant at random; settings that solved fewer of the hard levels are rarer."""

    def comes_up(chance: float) -> bool:
        return next(numbers) <= chance

    exit_rule = ANYWHERE if comes_up(0.1) else ExitRule(2 if comes_up(0.5) else 6)
    counts_hotspots = comes_up(0.15)
    return SearchVariant(
        exit_rule._replace(shuffle=shuffle),
        SearchSettings(
            prunes=comes_up(0.95),
            spreads=comes_up(0.7),
            clears=comes_up(0.5),
            # The fourth is hotspots.  Decided in two steps: fewer random numbers would change all later variants.
            features=4 if counts_hotspots or not comes_up(0.7) else 3,
            strict=comes_up(0.6),
            counts_unmatched=comes_up(0.7),
        ),
    )


# Effort of a search for a plan, by whether boxes may leave anywhere or only at the sink: "anywhere" finds a plan on
# nearly every board, but sometimes late.  After one search without a plan, the next of its kind mostly fails too; and
# an imagined board is seldom worth much.
_PLAN_EFFORT = {False: 1_400, True: 4_000}
_DOUBTFUL_PLAN_EFFORT = 125


def search(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None, *, draw: int = 0) -> Search:
    """Search for a solution of at least one push, not the shortest, or prove that there is none.

    ``perimeter``: positions shared with searches from the goals.  ``draw`` selects the random variants.
    """
    meter = Meter("fess", board, limits, bytes_per_state=1_400)
    met = (perimeter or Perimeter()).from_goals
    return within_limits(board, start, meter, _search(board, start, meter, met, draw))


def _search(board: Board, start: State, meter: Meter, met: Side, draw: int) -> Generator[Progress | Found, None, None]:
    region = flood(1 << start.player, board.floor & ~start.boxes, board.stride)
    positions: Positions
    known: Ends | BackwardSearch
    backward = None
    if board.colors:
        colored = yield from make_colored_positions(board, start, region, meter)
        if colored is None:
            return
        positions, known, solvable = colored, Ends(colored, met), Side()
    else:
        plain = yield from make_positions(board, start.boxes, region, meter)
        if plain is None:
            return
        positions, solvable = plain, met
        known = backward = BackwardSearch(plain)
    with solvable.registered(known.met, known.trail):
        try:
            boxes = yield from Searches(positions, solvable, backward).run(draw)
        except ExhaustedError:
            return
    answer = solution(board, start, boxes)
    meter.best = answer.pushes
    yield Found(answer)


class Searches:
    """Searches of all variants and the backward search, if any, in turns; ``kept`` are those that continue."""

    def __init__(self, positions: Positions, solvable: Side, backward: BackwardSearch | None) -> None:
        self._positions = positions
        self._meter = positions.meter
        self._solvable = solvable
        self._backward = backward
        self._goals = Target(positions, solvable, is_imagined=False)
        self.kept: dict[SearchVariant, RunningSearch] = {}
        self._imagined = {positions.tables.goals}

    def run(self, draw: int = 0) -> Generator[Progress, None, list[Bitboard]]:
        """Return the boxes of every state from the start to the goals; raise ExhaustedError if there is no solution."""
        first = early_turns(self._positions.start_boxes, self._positions.tables.goals)
        for variant, expansions in chain(first, turns(draw)):
            if variant is not None:
                boxes = yield from self._turn(variant, expansions)
            else:
                boxes = (yield from self._backward.turn(expansions)) if self._backward else None
            if boxes is not None:
                return boxes
        raise AssertionError("a search without end came to its end")

    def _turn(self, variant: SearchVariant, expansions: int) -> Generator[Progress, None, list[Bitboard] | None]:
        """Return the boxes of every state if the target is reached in time; variants not in KEPT free their memory."""
        imagined = variant.imagined
        target = self._goals if imagined is None else (yield from self._imagined_target(imagined))
        if target is None:
            return None
        stored = self._meter.stored
        started = self.kept.get(variant) or (yield from target.begin(variant))
        if started is None:
            return None
        if variant in KEPT and variant not in self.kept:
            self.kept[variant] = started
            self._meter.watch(started.forward.entered)
        end = None
        try:
            end = yield from target.go_on(started, expansions)
        except ExhaustedError:
            # An imagined board may turn out to be unreachable.
            if target is self._goals:
                raise
        if variant not in KEPT:
            self._meter.stored = stored
        return None if end is None else (yield from self._solved(end))

    def _imagined_target(self, number: int) -> Generator[Progress, None, "Target | None"]:
        """Return an imagined board as a target; None if there is none, it was used before, or it is unreachable."""
        imagined = self._backward.imagined(number) if self._backward else None
        if imagined is None or imagined in self._imagined:
            return None
        self._imagined.add(imagined)
        board = self._positions.tables.board._replace(goals=imagined)
        start = self._positions.start_boxes, self._positions.start_region
        positions = yield from make_positions(board, *start, self._meter)
        return Target(positions, self._solvable, is_imagined=True) if positions else None

    def _solved(self, end: Node) -> Generator[Progress, None, list[Bitboard]]:
        """Return the boxes of every state up to an end node, and on to the goals if it is a met position."""
        tables = self._positions.tables
        boxes: list[Bitboard] = []
        for move in boxes_by_move(tables, end, pulls=False):
            boxes += move
            yield self._meter.report()
        if end.boxes != tables.goals:
            # The first of these boxes repeat the last of those above.
            boxes += self._solvable.trail(self._positions.key(end.boxes, lowest(end.region)))[::-1]
        return boxes


class RunningSearch(NamedTuple):
    forward: Forward
    tree: FeatureSearch
    watch: DeadEndWatch | None


class Target:
    """Target of searches, with the positions and plans they share; each plan with settings is searched only once."""

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
        # Settings and plan of each search started: a second one like it would find little new.
        self._searched: set[tuple[SearchSettings, Sequence[Bitboard]]] = set()

    def begin(self, variant: SearchVariant) -> Generator[Progress, None, RunningSearch | None]:
        """Make the plan of a variant and expand its root; return its search, or None if the same one ran before."""
        tables, meter, settings = self._tables, self._meter, variant.settings
        if not self._positions.is_plain:
            # The other settings require tables that do not support colours.
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
        yield from tree.begin()
        meter.stored += tree.stored
        return RunningSearch(forward, tree, DeadEndWatch(self._dead_ends, tree) if self._dead_ends else None)

    def go_on(self, running: RunningSearch, expansions: int) -> Generator[Progress, None, Node | None]:
        """Continue a search for a number of expansions; return the end node, or None if it is not reached.

        Raises ExhaustedError if the target is unreachable; for an imagined board, this proves nothing about the level.
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
        if exit_rule in self._plans:
            return self._plans[exit_rule]
        found = yield from self._packing(exit_rule)
        if found.boxes != found.bases and not exit_rule.anywhere:
            other = yield from self._packing(ANYWHERE._replace(shuffle=exit_rule.shuffle))
            found = other if other.boxes == other.bases else found
        plan = yield from make_plan(self._tables, found, self._meter)
        if exit_rule in SHARED_EXIT_RULES:
            self._plans[exit_rule] = plan
        return plan

    def _packing(self, exit_rule: ExitRule) -> Generator[Progress, None, Node]:
        """Run the packing search; after one without a complete plan, later ones of its kind get less effort."""
        effort = self._plan_effort[exit_rule.anywhere]
        found = yield from search_packing(self._tables, self._positions.start_boxes, exit_rule, self._meter, effort)
        if found.boxes != found.bases:
            self._plan_effort[exit_rule.anywhere] = _DOUBTFUL_PLAN_EFFORT
        return found
