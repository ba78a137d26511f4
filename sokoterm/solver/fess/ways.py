"""What stands in the way of the next step of a plan."""

from sokoterm.engine.bits import Bitboard, Square, lowest
from sokoterm.solver.fess.assignment import Assignment
from sokoterm.solver.fess.plan import PackingPlan
from sokoterm.solver.fess.positions import Positions
from sokoterm.solver.fess.way import BoxWay


class BoxWays:
    """The ways to what the plan wants filled next, for the positions of one search."""

    def __init__(self, positions: Positions, plan: PackingPlan, assignment: Assignment | None = None) -> None:
        """``assignment``: by which those boxes are led to a square first that the other steps can do without."""
        self._positions = positions
        self._plan = plan
        self._assignment = assignment
        self._latest: tuple[tuple[Bitboard, Bitboard], BoxWay | None] = ((0, 0), None)

    def target(self, boxes: Bitboard) -> Square | None:
        """The square that the plan wants filled next, None after the last step."""
        wanted = self._plan.next_squares(boxes)
        return lowest(wanted) if wanted else None

    def find(self, boxes: Bitboard, region: Bitboard, target: Square) -> BoxWay | None:
        """The way of a box to the target, the packed and frozen boxes being walls; None where there is none.

        What is found for a position, on which the target depends, is kept until the next one is asked for.
        """
        if self._latest[0] != (boxes, region):
            self._latest = (boxes, region), self._find(boxes, region, target)
        return self._latest[1]

    def in_the_way(self, boxes: Bitboard, region: Bitboard) -> int:
        """How many boxes stand in the way; all of them where there is no way."""
        target = self.target(boxes)
        if target is None:
            return 0
        way = self.find(boxes, region, target)
        return (boxes if way is None else way.blockers).bit_count()

    def _find(self, boxes: Bitboard, region: Bitboard, target: Square) -> BoxWay | None:
        positions = self._positions
        walls = boxes & self._plan.masks[self._plan.step(boxes)] | positions.tables.frozen(boxes)
        candidates = boxes & ~walls
        movers = self._assignment.movers(boxes, candidates, target) if self._assignment else candidates
        way = positions.find_way(boxes, region, walls, movers, 1 << target)
        if way is None and movers != candidates:
            way = positions.find_way(boxes, region, walls, candidates, 1 << target)
        return way
