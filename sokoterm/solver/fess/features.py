"""What positions are judged by: how far the plan has come, what is cut off, and what stands in the way.

A position differs from the one before it by one box, so most of its figures are looked up: ``Features.lifting`` works
out what the other boxes make of them, once for all squares to which that box can go.
"""

from collections.abc import Callable

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.fess.plan import PackingPlan
from sokoterm.solver.fess.rooms import Rooms
from sokoterm.solver.fess.step_order import StepOrder
from sokoterm.solver.fess.tree import Score
from sokoterm.solver.protocol import Feature

# The places of the features in a score.
PACKED, REGIONS, OUT_OF_PLAN, ROOMS, HOTSPOTS, DISTANCE = range(6)


def shown(score: Score, steps: int, *, rooms: bool) -> tuple[Feature, ...]:
    """The features of a score by their names; ``steps`` is what can be packed at most."""
    links = (Feature("broken links", score[ROOMS]),) if rooms else ()
    return (
        Feature("packed", -score[PACKED], steps),
        Feature("regions", score[REGIONS]),
        Feature("out of plan", score[OUT_OF_PLAN]),
        *links,
        Feature("hotspots", score[HOTSPOTS]),
    )


class Features:
    """Scores: steps packed (negative), regions, boxes out of plan, links between rooms that are broken (0 where
    ``rooms`` are not looked at), hotspots (0 where nobody counts them), distance of the boxes.

    That is from where they are wanted: the goals, as a rule.
    The distance is negative where boxes that are not packed yet are best far from the goals, where they are in
    nobody's way (``spreads``).
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
        """``order``: of the plan's steps, which count in it rather than one after the other."""
        self._tables = tables
        self._plan = plan
        self._order = order
        self._rooms = Rooms(tables.board) if rooms else None
        self._distances = [-pushes for pushes in plan.distances] if spreads else plan.distances

    def score(self, boxes: Bitboard, parts: int, hotspots: int = 0) -> Score:
        """The score of a position with so many regions and hotspots."""
        step = self._plan.step(boxes)
        packed = self._order.count(boxes) if self._order else step
        out_of_plan = (boxes & self._plan.zones[step]).bit_count()
        distance = sum(self._distances[box] for box in scan(boxes))
        broken = self._rooms.broken(boxes) if self._rooms else 0
        return -packed, parts, out_of_plan, broken, hotspots, distance

    def lifting(self, others: Bitboard, distance: int, box: Square) -> Callable[[Square, int, int], Score]:
        """What gives the score of ``others`` with one more box, by its square and the regions and hotspots then.

        ``distance`` is that of the position in which the box stands on ``box``.
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
