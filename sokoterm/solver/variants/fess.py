"""FESS for boards with colours and no ice: forward searches by a packing plan that says which box goes where.

A box pulled off its goal leaves the packing search at a base of its own colour, so the plan fills each goal with a box
of a given colour.  The rest is ``fess`` as it is, with layered squares for squares (see ``colored_positions``).  The
search from the goals is left to ``backward``, whose positions it may meet.
"""

from collections.abc import Generator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, bitboard_of, flood, lowest, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import is_dead_at_sight
from sokoterm.solver.common.board_tables import is_too_large
from sokoterm.solver.common.perimeter import Perimeter, Side
from sokoterm.solver.common.state_space import solution
from sokoterm.solver.fess.forward import Forward, SearchSettings
from sokoterm.solver.fess.macro import Pieces, lifted, macro_moves, macro_path, touching
from sokoterm.solver.fess.packing import ExitRule, LiftedBox, Unpacking
from sokoterm.solver.fess.plan import PackingPlan, make_plan
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Node, search_farthest
from sokoterm.solver.fess.variants import ANYWHERE, KEPT, SearchVariant, turns
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Found, Limits, Progress, Reason, Search
from sokoterm.solver.variants.colored_positions import ColoredPositions, ColoredTables, make_colored_positions
from sokoterm.solver.variants.layers import Layers, make_bound

# The effort of a search for a plan, by whether boxes may leave anywhere.
_PLAN_EFFORT = {False: 700, True: 2_000}


def search(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None) -> Search:
    """Search for a solution of at least one push, not the shortest, or prove that there is none.

    ``perimeter``: positions shared with searches from the goals.
    """
    meter = Meter("fess", board, limits, bytes_per_state=1_400)
    try:
        return (yield from _search(board, start, meter, (perimeter or Perimeter()).from_goals))
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _search(board: Board, start: State, meter: Meter, solvable: Side) -> Search:
    yield meter.progress()
    if is_dead_at_sight(board, start):
        return meter.unsolvable(start)
    if is_too_large(board):
        raise LimitReached(Reason.SIZE)
    bound = yield from make_bound(Layers(board), meter)
    matching = yield from bound.match(start, meter)
    if matching is None:
        return meter.unsolvable(start)
    region = flood(1 << start.player, board.floor & ~start.boxes, board.stride)
    positions = yield from make_colored_positions(board, start, region, bitboard_of(bound.end(matching)), meter)
    if positions is None:
        return meter.unsolvable(start)
    try:
        boxes = yield from _Searches(positions, solvable).run()
    except ExhaustedError:
        return meter.unsolvable(start)
    answer = solution(board, start, boxes)
    meter.best = answer.pushes
    yield Found(answer)
    return meter.solved()


class _Ends:
    """Positions that are solved or have been met from the goals, by the keys of ``ColoredPositions``."""

    def __init__(self, positions: ColoredPositions, met: Side) -> None:
        self._tables = positions.tables
        self._bits = positions.bits
        self._mask = (1 << positions.bits) - 1
        self._met = met

    def __contains__(self, key: int) -> bool:
        boxes = key >> self._bits
        return not boxes & ~self._tables.home or bool(self._met.tables) and self._key(key) in self._met

    def trail(self, key: int) -> list[Bitboard]:
        """Return the boxes, as in ``State``, of every state from the goals to a position in ``self``."""
        boxes = key >> self._bits
        return [self._tables.state(boxes)] if not boxes & ~self._tables.home else self._met.trail(self._key(key))

    def _key(self, key: int) -> int:
        return self._tables.state(key >> self._bits) << self._bits | key & self._mask


class _Running(NamedTuple):
    forward: Forward
    tree: FeatureSearch


class _Searches:
    """The searches of all variants for the goals, in turns."""

    def __init__(self, positions: ColoredPositions, met: Side) -> None:
        self._positions = positions
        self._tables = positions.tables
        self._meter = positions.meter
        self._ends = _Ends(positions, met)
        self._solvable = Side()
        self._plans: dict[ExitRule, PackingPlan] = {}
        self._kept: dict[SearchVariant, _Running] = {}
        self._searched: set[tuple[SearchSettings, Sequence[Bitboard]]] = set()

    def run(self) -> Generator[Progress, None, list[Bitboard]]:
        """Return the boxes of every state from the start to the goals; raise ExhaustedError if there is no solution."""
        with self._solvable.registered(self._ends, self._ends.trail):
            for variant, expansions in turns():
                if variant is None or variant.imagined is not None:
                    continue
                # The other settings ask for tables that do not know colours.
                settings = variant.settings._replace(strict=True, counts_unmatched=False)
                end = yield from self._turn(variant._replace(settings=settings), variant in KEPT, expansions)
                if end is not None:
                    line = yield from self._line(end)
                    return [*line, *self._ends.trail(self._key(end))[-2::-1]]
        raise AssertionError("a search without end came to its end")

    def _turn(self, variant: SearchVariant, is_kept: bool, expansions: int) -> Generator[Progress, None, Node | None]:
        """Return the end node, if it is reached within a number of expansions."""
        running = self._kept.get(variant)
        if running is None:
            running = yield from self._begin(variant)
            if running is None:
                return None
            if is_kept:
                self._kept[variant] = running
                self._meter.watch(running.forward.entered)
        forward, tree = running
        last, best = tree.expanded + expansions, None
        while tree.expanded < last:
            stored = tree.stored
            end = yield from tree.step()
            self._meter.stored += tree.stored - stored
            if end is not None:
                return end
            if tree.best is not None and tree.best is not best:
                best = tree.best
                self._meter.nearest = self._tables.state(best.boxes)
                self._meter.features = forward.figures(best)
        if not is_kept:
            self._meter.stored -= tree.stored
        return None

    def _begin(self, variant: SearchVariant) -> Generator[Progress, None, _Running | None]:
        """Make the plan of a variant and expand its root; return None if the same search began before."""
        plan = self._plans.get(variant.exit_rule)
        if plan is None:
            plan = self._plans[variant.exit_rule] = yield from self._plan(variant.exit_rule)
        if (variant.settings, plan.masks) in self._searched:
            return None
        self._searched.add((variant.settings, plan.masks))
        forward = Forward(self._positions, plan, None, None, variant.settings, self._solvable, None)
        tree = FeatureSearch(forward)
        yield from tree.add_root((yield from forward.root()))
        self._meter.stored += tree.stored
        return _Running(forward, tree)

    def _plan(self, exit_rule: ExitRule) -> Generator[Progress, None, PackingPlan]:
        found = yield from self._packing(exit_rule)
        if found.boxes != found.bases and not exit_rule.anywhere:
            other = yield from self._packing(ANYWHERE._replace(shuffle=exit_rule.shuffle))
            found = other if other.boxes == other.bases else found
        return (yield from make_plan(self._tables, found, self._meter))

    def _packing(self, exit_rule: ExitRule) -> Generator[Progress, None, Node]:
        unpacking = ColoredUnpacking(self._tables, self._positions.start_boxes, exit_rule, self._meter)
        return (yield from search_farthest(unpacking, _PLAN_EFFORT[exit_rule.anywhere]))

    def _key(self, node: Node) -> int:
        return self._positions.key(node.boxes, lowest(node.region))

    def _line(self, last: Node) -> Generator[Progress, None, list[Bitboard]]:
        """Return the boxes, as in ``State``, after every push on the line to a node, those of the root first."""
        tables, line = self._tables, last.line()
        found = [tables.state(line[0].boxes)]
        for before, after in pairwise(line):
            base = after.move.origin - after.move.origin % tables.size
            origin, square = after.move.origin - base, after.move.square - base
            others = before.boxes ^ 1 << after.move.origin
            around = tables.free(others)
            area = flood(1 << origin, around, tables.stride)
            end = square, after.region
            path = macro_path(tables.board, area, before.region, origin, end, around & tables.plain.live, pulls=False)
            found += [tables.state(others | 1 << base + each) for each in path[1:]]
            yield self._meter.report()
        return found


class ColoredUnpacking(Unpacking):
    """Packing search in which a box leaves at a base of its own colour."""

    def __init__(self, tables: ColoredTables, bases: Bitboard, exit_rule: ExitRule, meter: Meter) -> None:
        super().__init__(tables, bases, exit_rule, meter)
        self._colored = tables
        self._steps = meter

    def lifts(self, node: Node) -> Generator[Progress, None, list[LiftedBox]]:
        tables, stride, region = self._colored, self._colored.stride, node.region
        free = tables.free(node.boxes)
        closed = regions(free & ~region, stride)
        pieces_around: Pieces = {}
        bases = {box % tables.size: box - box % tables.size for box in scan(node.boxes)}
        found = []
        for box in touching(tables.squares(node.boxes), region, stride):
            yield self._steps.progress()
            base = bases[box]
            area, others = lifted(region, closed, box, stride)
            allowed = (free | 1 << box) & self.allowed >> base
            landings = macro_moves(area, region, box, allowed, stride, pieces_around, pulls=True)
            colored = [(base + square, after, pieces) for square, after, pieces in landings]
            found.append(LiftedBox(base + box, area, others, colored))
        return found

    def sinks(self, boxes: Bitboard, bases: Bitboard) -> Sequence[Bitboard]:
        squares = self._colored.squares
        return [each * self._colored.in_all_layers for each in super().sinks(squares(boxes), squares(bases))]
