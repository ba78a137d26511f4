"""What positions are judged by: how far the plan has come, what is cut off, and what stands in the way.

A position differs from the one before it by one box, so most of its figures are looked up: ``Features.lifting`` works
out what the other boxes make of them, once for all squares to which that box can go.
"""

from collections.abc import Callable, Generator

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.engine.lone_box import LoneBox
from sokoterm.solver.fess.ground import Ground
from sokoterm.solver.fess.plan import Plan
from sokoterm.solver.fess.rooms import Rooms
from sokoterm.solver.fess.tree import Score
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Feature, Progress

# The places of the features in a score.
PACKED, REGIONS, OUT_OF_PLAN, ROOMS, HOTSPOTS, DISTANCE = range(6)


def shown(score: Score, plan: Plan, *, rooms: bool) -> tuple[Feature, ...]:
    """The features of a score by their names."""
    links = (Feature("broken links", score[ROOMS]),) if rooms else ()
    return (
        Feature("packed", -score[PACKED], plan.steps),
        Feature("regions", score[REGIONS]),
        Feature("out of plan", score[OUT_OF_PLAN]),
        *links,
        Feature("hotspots", score[HOTSPOTS]),
    )


class Features:
    """Scores: steps packed (negative), regions, boxes out of plan, links between rooms
    that are broken (0 where ``rooms`` are not looked at), hotspots, distance of the boxes.

    That is from where they are wanted: the goals, as a rule.
    The distance is negative where boxes that are not packed yet are best far from the goals, where they are in
    nobody's way (``spreads``).
    """

    def __init__(self, ground: Ground, plan: Plan, *, spreads: bool, rooms: bool) -> None:
        self._ground = ground
        self._plan = plan
        self._rooms = Rooms(ground.board) if rooms else None
        self._hotspots = Hotspots(ground)
        self._distances = [-pushes for pushes in plan.distances] if spreads else plan.distances

    def look_at(self, squares: Bitboard, meter: Meter) -> Generator[Progress, None, None]:
        """Work out what boxes on some squares stand in the way of; before scores of them are asked for."""
        for square in scan(squares & self._hotspots.unknown):
            yield meter.progress()
            self._hotspots.look_at(square)

    def score(self, boxes: Bitboard, parts: int) -> Score:
        """The score of a position with so many regions."""
        packed = self._plan.packed(boxes)
        out_of_plan = (boxes & self._plan.zones[packed]).bit_count()
        distance = sum(self._distances[box] for box in scan(boxes))
        broken = self._rooms.broken(boxes) if self._rooms else 0
        return -packed, parts, out_of_plan, broken, self._hotspots.count(boxes), distance

    def lifting(self, others: Bitboard, distance: int, box: Square) -> Callable[[Square, int], Score]:
        """What gives the score of ``others`` with one more box, by its square and the regions that there are then.

        ``distance`` is that of the position in which the box stands on ``box``.
        """
        zones, distances = self._plan.zones, self._distances
        packed_without, packed_by = self._plan.packed_by_one_more(others)
        hotspots = self._hotspots.with_one_more(others)
        links = self._rooms.with_one_more(others) if self._rooms else None
        rest = distance - distances[box]

        def score(square: Square, parts: int) -> Score:
            packed = packed_by.get(square, packed_without)
            zone = zones[packed]
            out_of_plan = (others & zone).bit_count() + (zone >> square & 1)
            broken = links(square) if links else 0
            return -packed, parts, out_of_plan, broken, hotspots(square), rest + distances[square]

        return score


class Hotspots:
    """Which boxes keep others from goals: ``look_at`` a square before a box stands there."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        # The squares that have not been looked at; boxes on goals keep no other from anything.
        self.unknown = ground.floor & ~ground.goals
        self._blocked: dict[Square, Bitboard] = {}
        self._towards = [ground.lone.squares_towards(1 << goal) for goal in ground.goal_squares]

    def count(self, boxes: Bitboard) -> int:
        """How many boxes off the goals block some other box off the goals."""
        loose = boxes & ~self._ground.goals
        return sum(bool(self._blocked[box] & loose) for box in scan(loose))

    def with_one_more(self, others: Bitboard) -> Callable[[Square], int]:
        """What gives the count for some boxes and one more on a square."""
        goals, blocked = self._ground.goals, self._blocked
        loose = others & ~goals
        blocking = 0
        free: list[Bitboard] = []
        for box in scan(loose):
            from_here = blocked[box]
            if from_here & loose:
                blocking += 1
            elif from_here:
                free.append(from_here)

        def count(square: Square) -> int:
            if goals >> square & 1:
                return blocking
            total = blocking + 1 if blocked[square] & loose else blocking
            for each in free:
                total += each >> square & 1
            return total

        return count

    def look_at(self, square: Square) -> None:
        """Find the squares from which a box here keeps others from a goal that they could reach without it."""
        lone = LoneBox(self._ground.board, 1 << square)
        blocked = 0
        for goal, towards in zip(self._ground.goal_squares, self._towards):
            blocked |= towards & ~lone.squares_towards(1 << goal)
        self._blocked[square] = blocked & ~(1 << square)
        self.unknown &= ~(1 << square)
