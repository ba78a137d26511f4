"""Queue entries of a best-first search, and their lower bounds on the pushes still needed."""

from collections.abc import Generator
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, Square, scan
from sokoterm.engine.board import Board, State
from sokoterm.solver.common.distances import UNREACHABLE, Distances, Place, make_distances
from sokoterm.solver.common.lower_bound import LowerBound, Matching
from sokoterm.solver.common.pairs import Pairs, make_pairs, work
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# The table of pairs is built after ``_NODES_BEFORE_PAIRS`` nodes, plus one per ``_STEPS_PER_NODE`` steps of its making:
# by then the search has taken several times as long as the table will.
_NODES_BEFORE_PAIRS = 200
_STEPS_PER_NODE = 100

NO_GOAL = -1


class QueueEntry(NamedTuple):
    """A state in the queue.  ``depth`` is the cost to reach it, ``bound`` the lower bound on the pushes still needed.

    If ``goal`` is NO_GOAL, ``matching`` is the state's own.  Else it is the parent's, whose box assigned to ``goal``
    has moved to ``place``: most states are never expanded and need no matching of their own.
    """

    key: int
    depth: int
    bound: int
    matching: Matching
    goal: int = NO_GOAL
    place: Place = 0


class Bounds:
    """Lower bounds for one board: the matching from the start, pair penalties once a search has become long.

    ``pairs_at``: the nodes after which the table of pairs is built; None once it is, or if it would be too large.
    """

    def __init__(self, distances: Distances) -> None:
        self.distances = distances
        self._matchings = LowerBound(distances.to_goals)
        self._pairs: Pairs | None = None
        steps = work(distances)
        self.pairs_at: int | None = None if steps is None else _NODES_BEFORE_PAIRS + steps // _STEPS_PER_NODE

    def match(self, state: State, meter: Meter) -> Generator[Progress, None, Matching | None]:
        """Return the minimum-cost matching of a state, or None if there is none."""
        places = []
        for box in scan(state.boxes):
            places.append(self.distances.place(box, state.player))
            yield meter.progress()
        return (yield from self._matchings.match(places, meter))

    def grow(self, meter: Meter) -> Generator[Progress, None, None]:
        """Build the table of pairs if it is due; call before each node."""
        if self.pairs_at is not None and meter.nodes >= self.pairs_at:
            self.pairs_at = None
            self._pairs = yield from make_pairs(self.distances, meter)

    def penalty(self, boxes: Bitboard, region: Bitboard) -> int:
        """Return what may be added to the matching's cost, 0 before ``grow``; UNREACHABLE if the state is dead."""
        return self._pairs.penalty(boxes, region) if self._pairs is not None else 0

    def entry(
        self, key: int, depth: int, matching: Matching, direction: Direction, box: Square, landing: Square
    ) -> QueueEntry | None:
        """Return the entry of a state after pushes of one box in one direction; None if it has no matching.

        ``matching`` is that of the state before.
        """
        behind = self.distances.behind[direction]
        goal = matching.places.index(behind[box])
        place = behind[landing]
        cost = self._matchings.cost_in_place(matching, goal, place)
        if cost is not None:
            return QueueEntry(key, depth, cost, matching, goal, place) if cost < UNREACHABLE else None
        moved = self._matchings.moved(matching, goal, place)
        return None if moved is None else QueueEntry(key, depth, moved.cost, moved)

    def matching(self, entry: QueueEntry) -> Matching:
        """Return the matching of an entry's state."""
        if entry.goal == NO_GOAL:
            return entry.matching
        matching = self._matchings.moved(entry.matching, entry.goal, entry.place)
        if matching is None:
            raise AssertionError("an entry without a matching")
        return matching


def make_bounds(board: Board, meter: Meter) -> Generator[Progress, None, Bounds]:
    """Build the bounds of a board; raise LimitReached if their tables would be too large."""
    return Bounds((yield from make_distances(board, meter)))
