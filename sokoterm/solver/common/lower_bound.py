"""Lower bound on pushes: a minimum-cost perfect matching of boxes to goals by push distance, and pair penalties.

The assignment problem is solved by shortest augmenting paths with goal potentials (Jonker and Volgenant, "A shortest
augmenting path algorithm for dense and sparse linear assignment problems", Computing 38, 1987).  A push changes the
distances of one box only: its old place is removed from the matching, and the new one is inserted by one augmenting
path, mostly of length one.
"""

from collections.abc import Generator, Mapping, Sequence
from operator import sub
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, Square, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.variant import layered_squares
from sokoterm.solver.common.distances import UNREACHABLE, Distances, Place, make_distances
from sokoterm.solver.common.pairs import Pairs, make_pairs, work
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# The table of pairs is built after ``_NODES_BEFORE_PAIRS`` nodes, plus one per ``_STEPS_PER_NODE`` steps to build it:
# by then the search has taken several times as long as the table will.
_NODES_BEFORE_PAIRS = 200
_STEPS_PER_NODE = 100


class Matching(NamedTuple):
    """A minimum-cost matching: ``places[goal]`` is the place of the box assigned to that goal.

    ``potentials`` prove the minimum: the distance of a box to its goal, less the goal's potential, is the least of its
    row.
    """

    cost: int
    places: tuple[Place, ...]
    potentials: tuple[int, ...]


_FREE = -1


class Matchings:
    """Minimum-cost matchings for one table of distances (``Distances.to_goals``, or any rows of costs)."""

    def __init__(self, rows: Sequence[Sequence[int]] | Mapping[Place, Sequence[int]]) -> None:
        self._rows = rows

    def match(self, boxes: Sequence[Place], meter: Meter) -> Generator[Progress, None, Matching | None]:
        """Match as many boxes as goals; return None if there is no perfect matching.  Yields after each box."""
        places = [_FREE] * len(boxes)
        potentials = [0] * len(boxes)
        cost = 0
        for box in boxes:
            added = self._insert(box, places, potentials)
            if added is None:
                return None
            cost += added
            yield meter.progress()
        return Matching(cost, tuple(places), tuple(potentials))

    def cost_in_place(self, matching: Matching, goal: int, place: Place) -> int | None:
        """Return the cost after the box assigned to ``goal`` moved to ``place``, or None if the assignment may change.

        The cost is UNREACHABLE or more if there is no matching.
        """
        row = self._rows[place]
        if row[goal] - matching.potentials[goal] > min(map(sub, row, matching.potentials)):
            return None
        return matching.cost + row[goal] - self._rows[matching.places[goal]][goal]

    def moved(self, matching: Matching, goal: int, place: Place) -> Matching | None:
        """Return the matching after the box assigned to ``goal`` moved to ``place``, or None if there is none."""
        cost, old_places, old_potentials = matching
        row = self._rows[place]
        if row[goal] - old_potentials[goal] == min(map(sub, row, old_potentials)):
            cost += row[goal] - self._rows[old_places[goal]][goal]
            if cost >= UNREACHABLE:
                return None
            # The same as calling Matching, in half the time.
            return tuple.__new__(Matching, (cost, (*old_places[:goal], place, *old_places[goal + 1 :]), old_potentials))
        places, potentials = list(old_places), list(old_potentials)
        places[goal] = _FREE
        added = self._insert(place, places, potentials)
        if added is None:
            return None
        cost += added - self._rows[old_places[goal]][goal]
        return Matching(cost, tuple(places), tuple(potentials))

    def _insert(self, place: Place, places: list[Place], potentials: list[int]) -> int | None:
        """Match one more box by the shortest augmenting path (Dijkstra's algorithm on reduced costs), in place.

        Returns the increase in cost, or None, with nothing changed, if there is no such path.
        """
        rows = self._rows
        shortest: list[int] = list(map(sub, rows[place], potentials))
        reached_from = [_FREE] * len(places)
        waiting = list(range(len(places)))
        settled: list[int] = []
        while True:
            goal = min(waiting, key=shortest.__getitem__)
            length = shortest[goal]
            if length >= UNREACHABLE >> 1:
                return None
            owner = places[goal]
            if owner == _FREE:
                break
            waiting.remove(goal)
            settled.append(goal)
            row = rows[owner]
            base = length - row[goal] + potentials[goal]
            for each in waiting:
                through = base + row[each] - potentials[each]
                if through < shortest[each]:
                    shortest[each] = through
                    reached_from[each] = goal
        added = length + potentials[goal]
        for each in settled:
            potentials[each] += shortest[each] - length
        while (source := reached_from[goal]) != _FREE:
            places[goal] = places[source]
            goal = source
        places[goal] = place
        return added


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


class LowerBound:
    """Lower bound on pushes for one board: the matching and, once a search has become long, pair penalties.

    ``pairs_at``: the nodes after which the table of pairs is built; None once it is, or if it would be too large.
    """

    def __init__(self, distances: Distances) -> None:
        self.distances = distances
        self._matchings = Matchings(distances.to_goals)
        self._pairs: Pairs | None = None
        steps = work(distances)
        self.pairs_at: int | None = None if steps is None else _NODES_BEFORE_PAIRS + steps // _STEPS_PER_NODE

    def match(self, state: State, meter: Meter) -> Generator[Progress, None, Matching | None]:
        """Return the minimum-cost matching of a state, or None if there is none."""
        places = []
        for box in scan(layered_squares(state.boxes, self.distances.board.size)):
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


def make_lower_bound(
    board: Board, start: State, meter: Meter
) -> Generator[Progress, None, tuple[LowerBound, Matching | None]]:
    """Build the lower bound of a board, and match the start; raise LimitReached if its tables would be too large."""
    lower_bound = LowerBound((yield from make_distances(board, meter)))
    return lower_bound, (yield from lower_bound.match(start, meter))
