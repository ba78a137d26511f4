"""The search for a solution: pushes forward, scored by how far the plan has come."""

from collections.abc import Generator
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, lowest, regions
from sokoterm.solver.common.perimeter import Side
from sokoterm.solver.fess.advisors import Advisors
from sokoterm.solver.fess.assignment import Assignment
from sokoterm.solver.fess.features import DISTANCE, Features, shown
from sokoterm.solver.fess.plan import PackingPlan
from sokoterm.solver.fess.positions import Positions
from sokoterm.solver.fess.step_order import StepOrder
from sokoterm.solver.fess.tree import Move, Node, Score, weighed
from sokoterm.solver.fess.ways import BoxWays
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Feature, Progress

# After so many moves, and those of one box more, there is a yield.
_MANY_MOVES = 256


class Manner(NamedTuple):
    """How a search differs from others.

    ``prunes``: where there is a PI-corral, only its moves are looked at.  ``spreads``: boxes that are not packed yet
    are best far from the goals, where they are in nobody's way; else near to them.  ``clears``: the opener looks for
    what is in the way of a box to the next square of the plan, and how many boxes that are is a feature; else only for
    the box that is nearest to that square.  ``features``: how many of the score make a cell.  ``rooms``: whether the
    links between rooms are one.  ``strict``: the plan's steps count one after the other; else in any order in which
    they can be done.  ``foresees``: how many of the plan's steps lack a box is a feature, goes into advice, and decides
    which boxes are led to the next square.
    """

    prunes: bool = True
    spreads: bool = True
    clears: bool = True
    features: int = 3
    rooms: bool = False
    strict: bool = True
    foresees: bool = False


class Forward:
    """The scores are those of Features; their first figures, unmatched steps and boxes in the way make the cells."""

    def __init__(
        self,
        positions: Positions,
        plan: PackingPlan,
        order: StepOrder | None,
        assignment: Assignment | None,
        meter: Meter,
        manner: Manner,
        solvable: Side,
        end: Bitboard | None,
    ) -> None:
        """``order``: of the plan's steps where it is not strict; ``assignment``: if it is to be foreseen.

        ``solvable``: positions from which a way is known; the boxes of the ``end`` solve the level, too.
        """
        tables = self._tables = positions.tables
        self._steps = order.steps if order else plan.steps
        self._positions = positions
        self._meter = meter
        self._manner = manner
        self._solvable = solvable
        self._end = end
        self._features = Features(tables, plan, order, spreads=manner.spreads, rooms=manner.rooms)
        self._assignment = assignment
        self._ways = BoxWays(positions, plan, assignment)
        # The steps that lack a box, and what stands in the way, are features more.
        self.cell_size = manner.features + manner.foresees + manner.clears
        self._advisors = Advisors(tables, self._ways, meter, assignment, clears=manner.clears)
        # By their keys, the positions that have been entered.
        self.entered: set[int] = set()

    def root(self, boxes: Bitboard, region: Bitboard) -> Generator[Progress, None, Move]:
        """The position to begin with."""
        hotspots = yield from self._positions.hotspots(boxes)
        self.entered.add(self._positions.key(boxes, lowest(region)))
        parts = len(regions(self._tables.floor & ~boxes, self._tables.stride))
        return Move(0, self._features.score(boxes, parts, hotspots), boxes, 0, 0, 0, lowest(region))

    def progress(self) -> Progress:
        return self._meter.progress()

    def figures(self, node: Node) -> tuple[Feature, ...]:
        """What a position is judged by, for people to watch."""
        more = []
        if self._assignment:
            more.append(Feature("unmatched", self._assignment.unmatched(node.boxes)))
        if self._manner.clears:
            more.append(Feature("in the way", self._ways.in_the_way(node.boxes, node.region)))
        return *shown(node.score, self._steps, rooms=self._manner.rooms), *more, Feature("box moves", node.depth)

    def standing(self, node: Node) -> Score:
        """The score, with unmatched steps after what is packed, and after its first features the boxes in the way."""
        features = self._manner.features
        packed, first, rest = node.score[:1], node.score[1:features], node.score[features:]
        unmatched = (self._assignment.unmatched(node.boxes),) if self._assignment else ()
        in_the_way = (self._ways.in_the_way(node.boxes, node.region),) if self._manner.clears else ()
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
        pushes = yield from self._positions.pushes(node.boxes, node.region, prunes=self._manner.prunes)
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
                # What ``Move`` makes, in half the time.
                move = 1, score(square, parts, hotspots), there, 0, box, square, player, bool(opens)
                moves.append(tuple.__new__(Move, move))
        if len(moves) <= 2:
            return weighed(moves, {0} if moves else ())
        return weighed(moves, (yield from self._advisors.advise(node, moves)))
