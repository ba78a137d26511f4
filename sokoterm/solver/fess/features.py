"""Features of a position: progress in the plan, cut-off regions, boxes out of plan, broken room links, hotspots.

A position differs from its parent by one box, so most of the work is shared: ``Features.lifting`` computes the part of
the other boxes once for all squares that box can go to.
"""

from collections.abc import Callable

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.fess.plan import PackingPlan
from sokoterm.solver.fess.rooms import Rooms
from sokoterm.solver.fess.step_order import StepOrder
from sokoterm.solver.fess.tree import Score
from sokoterm.solver.protocol import Feature

# Indices of the features in a score.
PACKED, REGIONS, OUT_OF_PLAN, ROOMS, HOTSPOTS, DISTANCE = range(6)


def shown(score: Score, steps: int, *, rooms: bool) -> tuple[Feature, ...]:
    """Return the features of a score by name; ``steps`` is the most that can be packed."""
    links = (Feature("broken links", score[ROOMS]),) if rooms else ()
    return (
        Feature("packed", -score[PACKED], steps),
        Feature("regions", score[REGIONS]),
        Feature("out of plan", score[OUT_OF_PLAN]),
        *links,
        Feature("hotspots", score[HOTSPOTS]),
    )


class Features:
    """Scores of positions, each less the better.

    A score has steps packed (negated), regions, boxes out of plan, broken links between rooms (0 without ``rooms``),
    hotspots (0 if the caller does not count them), and the distance of the boxes to where the plan wants them, as a
    rule the goals.  With ``spreads`` the distance is negated: boxes not packed yet are best far away, out of the way.
    """

    def __init__(
        self,
        tables: BoardTables,
        plan: PackingPlan,
        order: StepOrder | None = None,
        *,
        spreads: bool,
        rooms: bool = False,
    ) -> None:
        """``order``: counts the plan's steps in any feasible order, instead of the plan's own."""
        self._tables = tables
        self._plan = plan
        self._order = order
        self._rooms = Rooms(tables.board) if rooms else None
        self._distances = [-pushes for pushes in plan.distances] if spreads else plan.distances

    def score(self, boxes: Bitboard, parts: int, hotspots: int = 0) -> Score:
        """Return the score of a position, given its numbers of regions and hotspots."""
        step = self._plan.step(boxes)
        packed = self._order.count(boxes) if self._order else step
        out_of_plan = (boxes & self._plan.zones[step]).bit_count()
        distance = sum(self._distances[box] for box in scan(boxes))
        broken = self._rooms.broken(boxes) if self._rooms else 0
        return -packed, parts, out_of_plan, broken, hotspots, distance

    def lifting(self, others: Bitboard, distance: int, box: Square) -> Callable[[Square, int, int], Score]:
        """Return a function from (square, regions, hotspots) to the score of ``others`` and one more box there.

        ``distance`` is that of the position with the box on ``box``.
        """
        zones, distances = self._plan.zones, self._distances
        step_without, step_by = self._plan.step_by_one_more(others)
        count = self._order.with_one_more(others) if self._order else None
        links = self._rooms.with_one_more(others) if self._rooms else None
        rest = distance - distances[box]
        zone_without = zones[step_without]
        out_without = (others & zone_without).bit_count()

        def score(square: Square, parts: int, hotspots: int) -> Score:
            step = step_by.get(square, step_without)
            packed = count(square) if count else step
            if step == step_without:
                out_of_plan = out_without + (zone_without >> square & 1)
            else:
                out_of_plan = ((others | 1 << square) & zones[step]).bit_count()
            broken = links(square) if links else 0
            return -packed, parts, out_of_plan, broken, hotspots, rest + distances[square]

        return score
