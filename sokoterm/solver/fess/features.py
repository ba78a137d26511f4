"""What positions are judged by: how far the plan has come, what is cut off, and what stands in the way.

A position differs from the one before it by one box, so most of its figures are looked up: ``Features.lifting`` works
out what the other boxes make of them, once for all squares to which that box can go.
"""

from collections.abc import Callable, Generator

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.solver.fess.ground import Ground
from sokoterm.solver.fess.order import Order
from sokoterm.solver.fess.plan import Plan
from sokoterm.solver.fess.rooms import Rooms
from sokoterm.solver.fess.tree import Score
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Feature, Progress

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
    """Scores: steps packed (negative), regions, boxes out of plan, links between rooms
    that are broken (0 where ``rooms`` are not looked at), hotspots (so, too), distance of the boxes.

    That is from where they are wanted: the goals, as a rule.
    The distance is negative where boxes that are not packed yet are best far from the goals, where they are in
    nobody's way (``spreads``).
    """

    def __init__(
        self,
        ground: Ground,
        plan: Plan,
        order: Order | None = None,
        *,
        spreads: bool,
        rooms: bool = False,
        hotspots: bool = True,
    ) -> None:
        """``order``: of the plan's steps, which count in it rather than one after the other."""
        self._ground = ground
        self._plan = plan
        self._order = order
        self._rooms = Rooms(ground.board) if rooms else None
        self._hotspots = ground.hotspots if hotspots else None
        self._distances = [-pushes for pushes in plan.distances] if spreads else plan.distances

    @property
    def unknown(self) -> Bitboard:
        """The squares that ``look_at`` has not been asked about."""
        return self._hotspots.unknown if self._hotspots else 0

    def look_at(self, squares: Bitboard, meter: Meter) -> Generator[Progress, None, None]:
        """Work out what boxes on some squares stand in the way of; before scores of them are asked for."""
        for square in scan(squares & self.unknown):
            yield meter.progress()
            if self._hotspots:
                self._hotspots.look_at(square)

    def score(self, boxes: Bitboard, parts: int) -> Score:
        """The score of a position with so many regions."""
        step = self._plan.step(boxes)
        packed = self._order.count(boxes) if self._order else step
        out_of_plan = (boxes & self._plan.zones[step]).bit_count()
        distance = sum(self._distances[box] for box in scan(boxes))
        broken = self._rooms.broken(boxes) if self._rooms else 0
        spots = self._hotspots.count(boxes) if self._hotspots else 0
        return -packed, parts, out_of_plan, broken, spots, distance

    def lifting(self, others: Bitboard, distance: int, box: Square) -> Callable[[Square, int], Score]:
        """What gives the score of ``others`` with one more box, by its square and the regions that there are then.

        ``distance`` is that of the position in which the box stands on ``box``.
        """
        zones, distances = self._plan.zones, self._distances
        step_without, step_by = self._plan.step_by_one_more(others)
        count = self._order.with_one_more(others) if self._order else None
        hotspots = self._hotspots.with_one_more(others) if self._hotspots else None
        links = self._rooms.with_one_more(others) if self._rooms else None
        rest = distance - distances[box]

        def score(square: Square, parts: int) -> Score:
            step = step_by.get(square, step_without)
            packed = count(square) if count else step
            zone = zones[step]
            out_of_plan = (others & zone).bit_count() + (zone >> square & 1)
            broken = links(square) if links else 0
            spots = hotspots(square) if hotspots else 0
            return -packed, parts, out_of_plan, broken, spots, rest + distances[square]

        return score
