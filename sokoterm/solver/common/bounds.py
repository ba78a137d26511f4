"""The states that wait in a best-first search, and the lower bounds of the pushes that they still need."""

from collections.abc import Generator
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, Square, scan
from sokoterm.engine.board import Board, State
from sokoterm.solver.common.distances import UNREACHABLE, Distances, Place, make_distances
from sokoterm.solver.common.lower_bound import LowerBound, Matching
from sokoterm.solver.common.pairs import Pairs, make_pairs, work
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# The table of pairs is made after this many nodes, and one more for so many steps of its making: by then the search
# has taken some times as long as the table will.
_NODES_BEFORE_PAIRS = 200
_STEPS_PER_NODE = 100

NO_GOAL = -1


class Entry(NamedTuple):
    """A state that waits.  ``depth`` is what the way to it has cost, ``bound`` the least pushes that it still needs.

    ``matching`` is the state's own where ``goal`` is NO_GOAL.  Else it is that of the state before, whose box meant
    for ``goal`` has come to ``place``: most states are never expanded and need no matching of their own.
    """

    key: int
    depth: int
    bound: int
    matching: Matching
    goal: int = NO_GOAL
    place: Place = 0


class Bounds:
    """The lower bounds of one board: the matching at once, the penalties of pairs once the search has become long."""

    def __init__(self, distances: Distances) -> None:
        self.distances = distances
        self._matchings = LowerBound(distances.to_goals)
        self._pairs: Pairs | None = None
        steps = work(distances)
        self._pairs_at = None if steps is None else _NODES_BEFORE_PAIRS + steps // _STEPS_PER_NODE

    def match(self, state: State, meter: Meter) -> Generator[Progress, None, Matching | None]:
        """The cheapest matching of a state, None if there is none."""
        places = []
        for box in scan(state.boxes):
            places.append(self.distances.place(box, state.player))
            yield meter.progress()
        return (yield from self._matchings.match(places, meter))

    def grow(self, meter: Meter) -> Generator[Progress, None, None]:
        """Make the table of pairs where it is time to; to be called before each node."""
        if self._pairs_at is not None and meter.nodes >= self._pairs_at:
            self._pairs_at = None
            self._pairs = yield from make_pairs(self.distances, meter)

    def penalty(self, boxes: Bitboard, region: Bitboard) -> int:
        """What may be added to the matching, as far as is known; UNREACHABLE if the state is dead."""
        return self._pairs.penalty(boxes, region) if self._pairs is not None else 0

    def entry(
        self, key: int, depth: int, matching: Matching, direction: Direction, box: Square, landing: Square
    ) -> Entry | None:
        """The entry of a state that came about by pushes of one box in one direction; None if it has no matching.

        ``matching`` is that of the state before.
        """
        behind = self.distances.behind[direction]
        goal = matching.places.index(behind[box])
        place = behind[landing]
        cost = self._matchings.cost_in_place(matching, goal, place)
        if cost is not None:
            return Entry(key, depth, cost, matching, goal, place) if cost < UNREACHABLE else None
        moved = self._matchings.moved(matching, goal, place)
        return None if moved is None else Entry(key, depth, moved.cost, moved)

    def matching(self, entry: Entry) -> Matching:
        """The matching of the state of an entry."""
        if entry.goal == NO_GOAL:
            return entry.matching
        matching = self._matchings.moved(entry.matching, entry.goal, entry.place)
        if matching is None:
            raise AssertionError("an entry without a matching")
        return matching


def make_bounds(board: Board, meter: Meter) -> Generator[Progress, None, Bounds]:
    """The bounds of a board; raises LimitReached where their tables would be too large."""
    return Bounds((yield from make_distances(board, meter)))
