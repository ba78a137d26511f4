"""Paths of boxes to the next square of a plan, and the boxes in their way."""

from sokoterm.engine.bits import Bitboard, Square, lowest
from sokoterm.solver.fess.assignment import Assignment
from sokoterm.solver.fess.plan import PackingPlan
from sokoterm.solver.fess.positions import Positions
from sokoterm.solver.fess.way import BoxWay


class BoxWays:
    """Paths to the square that the plan fills next, for the positions of one search."""

    def __init__(self, positions: Positions, plan: PackingPlan, assignment: Assignment | None = None) -> None:
        """``assignment``: prefers boxes that the other steps can do without."""
        self._positions = positions
        self._plan = plan
        self._assignment = assignment
        self._latest: tuple[tuple[Bitboard, Bitboard], BoxWay | None] = ((0, 0), None)

    def target(self, boxes: Bitboard) -> Square | None:
        """Return the square that the plan fills next, or None after the last step."""
        wanted = self._plan.next_squares(boxes)
        return lowest(wanted) if wanted else None

    def find(self, boxes: Bitboard, region: Bitboard, target: Square) -> BoxWay | None:
        """Return the path of a box to the target, with packed and frozen boxes as walls; None if there is none.

        The result for the last position is cached; the target depends on the position.
        """
        if self._latest[0] != (boxes, region):
            self._latest = (boxes, region), self._find(boxes, region, target)
        return self._latest[1]

    def in_the_way(self, boxes: Bitboard, region: Bitboard) -> int:
        """Count the boxes in the way; all boxes if there is no path."""
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
