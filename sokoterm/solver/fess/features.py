"""Features of a position: progress in the plan, cut-off regions, boxes out of plan, broken room links, hotspots.

A position differs from its parent by one box, so most of the work is shared: ``Features.lifting`` computes the part of
the other boxes once for all squares that box can go to.
"""

from collections.abc import Callable

from sokoterm.engine.bits import Bitboard, Square, beside, flood, regions, scan
from sokoterm.engine.board import Board
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.fess.plan import PackingPlan
from sokoterm.solver.fess.step_order import StepOrder
from sokoterm.solver.fess.tree import Score
from sokoterm.solver.protocol import Feature

# Sets of boxes around a room whose counts are cached.
_MOST_KNOWN = 20_000

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


class _Room:
    """A room, its squares together with all corridors (``around``), and the later rooms linked to it."""

    def __init__(self, squares: Bitboard, around: Bitboard, linked: tuple[Bitboard, ...]) -> None:
        self.squares = squares
        self.around = around
        self.linked = linked
        # Only boxes here can break a link, so counts are cached by them.
        self.near = around
        for other in linked:
            self.near |= other
        self.known: dict[Bitboard, int] = {}


class Rooms:
    """The rooms of a board and the links between them, for the feature *room connectivity*.

    A room is a connected union of areas of 2 x 3 squares; squares of two rooms, or of none, are corridor.  Two rooms
    are linked if a path leads from one to the other through corridors only (Shoham and Schaeffer, "The FESS algorithm:
    a feature based approach to single-agent search", 2020).
    """

    def __init__(self, board: Board) -> None:
        self._stride = board.stride
        rooms = find_rooms(board)
        corridors = board.floor
        for room in rooms:
            corridors &= ~room
        self._rooms: list[_Room] = []
        for number, room in enumerate(rooms):
            area = self._area(room, room | corridors)
            linked = tuple(other for other in rooms[number + 1 :] if area & other)
            if linked:
                self._rooms.append(_Room(room, room | corridors, linked))

    def broken(self, boxes: Bitboard) -> int:
        """Count the links between rooms that the boxes break."""
        return sum(self._broken_from(room, boxes & room.near) for room in self._rooms)

    def with_one_more(self, others: Bitboard) -> Callable[[Square], int]:
        """Return a function from a square to the count for ``others`` and one more box there."""
        rooms = [(room, others & room.near, self._broken_from(room, others & room.near)) for room in self._rooms]

        def broken(square: Square) -> int:
            total = 0
            for room, near, without in rooms:
                total += self._broken_from(room, near | 1 << square) if room.near >> square & 1 else without
            return total

        return broken

    def _broken_from(self, room: _Room, near: Bitboard) -> int:
        """Count the links of a room broken by the boxes near it."""
        broken = room.known.get(near)
        if broken is None:
            if len(room.known) >= _MOST_KNOWN:
                room.known.clear()
            area = self._area(room.squares & ~near, room.around & ~near)
            broken = room.known[near] = sum(not area & other & ~near for other in room.linked)
        return broken

    def _area(self, seed: Bitboard, free: Bitboard) -> Bitboard:
        """Return the area connected to a seed, and the squares beside it."""
        found = flood(seed, free, self._stride)
        return found | beside(found, self._stride)


def find_rooms(board: Board) -> list[Bitboard]:
    """Return the squares of each room, without those that two rooms share."""
    floor, stride = board.floor, board.stride
    corners = floor & floor >> 1 & floor >> stride & floor >> stride + 1
    corners &= beside(corners, stride)
    rooms = [part | part << 1 | part << stride | part << stride + 1 for part in regions(corners, stride)]
    shared = seen = 0
    for room in rooms:
        shared |= room & seen
        seen |= room
    return [room & ~shared for room in rooms if room & ~shared]
