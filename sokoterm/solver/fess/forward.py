"""Forward search for a solution, scored by progress in the plan."""

from collections.abc import Generator
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, lowest, regions
from sokoterm.solver.common.state_space import Side
from sokoterm.solver.fess.advisors import Advisors, PlanPaths
from sokoterm.solver.fess.assignment import Assignment
from sokoterm.solver.fess.features import DISTANCE, Features, shown
from sokoterm.solver.fess.plan import PackingPlan
from sokoterm.solver.fess.positions import Positions
from sokoterm.solver.fess.step_order import StepOrder
from sokoterm.solver.fess.tree import Move, Node, Score, weighed
from sokoterm.solver.protocol import Feature, Progress

# Moves between two yields; one comes only between the moves of two boxes.
_MANY_MOVES = 256


class SearchSettings(NamedTuple):
    """The settings of a forward search.

    ``prunes``: if there is a PI-corral, consider only its moves.  ``spreads``: boxes not packed yet are best far from
    the goals, out of the way; else near them.  ``clears``: the opener looks for the boxes in the way of a box to the
    next square of the plan, and their number is a feature; else only for the box nearest to that square.  ``features``:
    the number of score features that make a cell.  ``rooms``: room connectivity is one of them.  ``strict``: the plan's
    steps count in its own order; else in any feasible order.  ``counts_unmatched``: the number of plan steps without a
    box is a feature, is used by an advisor, and decides which boxes go to the next square.
    """

    prunes: bool = True
    spreads: bool = True
    clears: bool = True
    features: int = 3
    rooms: bool = False
    strict: bool = True
    counts_unmatched: bool = False


class Forward:
    """Domain of the forward search.

    Scores are those of Features; their first features, unmatched steps and boxes in the way make the cells.
    """

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
        """``order``: given unless the settings are ``strict``; ``assignment``: given if they have ``counts_unmatched``.

        ``solvable``: positions with a known solution; a position with the boxes ``end`` is solved too.
        """
        tables = self._tables = positions.tables
        self._steps = order.steps if order else plan.steps
        self._positions = positions
        self._meter = positions.meter
        self._settings = settings
        self._solvable = solvable
        self._end = end
        self._features = Features(tables, plan, order, spreads=settings.spreads, rooms=settings.rooms)
        self._assignment = assignment
        self._paths = PlanPaths(positions, plan, assignment)
        # Unmatched steps and boxes in the way are further features.
        self.cell_size = settings.features + settings.counts_unmatched + settings.clears
        self._advisors = Advisors(positions, self._paths, assignment, clears=settings.clears)
        # Keys of the positions entered.
        self.entered: set[int] = set()

    def root(self) -> Generator[Progress, None, Move]:
        """Return the root position: the start."""
        boxes, region = self._positions.start_boxes, self._positions.start_region
        hotspots = yield from self._positions.hotspots(boxes)
        self.entered.add(self._positions.key(boxes, lowest(region)))
        parts = len(regions(self._tables.free(boxes), self._tables.stride))
        return Move(0, self._features.score(boxes, parts, hotspots), boxes, 0, 0, 0, lowest(region))

    def progress(self) -> Progress:
        return self._meter.progress()

    def figures(self, node: Node) -> tuple[Feature, ...]:
        """Return the features of a position, for display."""
        more = []
        if self._assignment:
            more.append(Feature("unmatched", self._assignment.unmatched(node.boxes)))
        if self._settings.clears:
            more.append(Feature("in the way", self._paths.in_the_way(node.boxes, node.region)))
        return *shown(node.score, self._steps, rooms=self._settings.rooms), *more, Feature("box moves", node.depth)

    def standing(self, node: Node) -> Score:
        """Return the score, with unmatched steps after the steps packed and boxes in the way after the features."""
        features = self._settings.features
        packed, first, rest = node.score[:1], node.score[1:features], node.score[features:]
        unmatched = (self._assignment.unmatched(node.boxes),) if self._assignment else ()
        in_the_way = (self._paths.in_the_way(node.boxes, node.region),) if self._settings.clears else ()
        return *packed, *unmatched, *first, *in_the_way, *rest

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        return self._tables.region(boxes, player)

    def is_goal(self, move: Move) -> bool:
        return move.boxes == self._end or self._positions.key(move.boxes, move.player) in self._solvable

    def enter(self, move: Move) -> Bitboard:
        key = self._positions.key(move.boxes, move.player)
        if key in self.entered:
            return 0
        self.entered.add(key)
        return self._positions.region_unless_dead(move.boxes, move.player)

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        meter, entered, end, bits = self._meter, self.entered, self._end, self._positions.bits
        meter.nodes += 1
        meter.check()
        pushes = yield from self._positions.pushes(node.boxes, node.region, prunes=self._settings.prunes)
        solvable = self._solvable.tables
        moves: list[Move] = []
        latest, due = -1, _MANY_MOVES
        for number, (box, square, player, parts, hotspots, opens) in enumerate(pushes):
            if box != latest:
                if number >= due:
                    due += _MANY_MOVES
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
                # The same as calling Move, in half the time.
                move = 1, score(square, parts, hotspots), there, 0, box, square, player, bool(opens)
                moves.append(tuple.__new__(Move, move))
        if len(moves) <= 2:
            return weighed(moves, {0} if moves else ())
        return weighed(moves, (yield from self._advisors.advise(node, moves)))
