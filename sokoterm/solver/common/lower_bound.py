"""Lower bound on pushes: a minimum-cost perfect matching of boxes to goals by push distance.

The assignment problem is solved by shortest augmenting paths with goal potentials (Jonker and Volgenant, "A shortest
augmenting path algorithm for dense and sparse linear assignment problems", Computing 38, 1987).  A push changes the
distances of one box only: its old place is removed from the matching, and the new one is inserted by one augmenting
path, mostly of length one.
"""

from collections import deque
from collections.abc import Generator, Mapping, Sequence
from operator import sub
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, scan
from sokoterm.engine.board import State
from sokoterm.solver.common.distances import UNREACHABLE, Distances, Place
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress


class Matching(NamedTuple):
    """A minimum-cost matching: ``places[goal]`` is the place of the box assigned to that goal.

    ``potentials`` prove the minimum: the distance of a box to its goal, less the goal's potential, is the least of its
    row.
    """

    cost: int
    places: tuple[Place, ...]
    potentials: tuple[int, ...]


_FREE = -1


class LowerBound:
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


def least_lines(distances: Distances, start: State, meter: Meter) -> Generator[Progress, None, int]:
    """Return a lower bound on the box lines of a solution; 0 if the boxes cannot be matched to the goals.

    It is the matching of the push bound with lines for pushes: pushing a box straight on, however far, is one line.
    """
    goals = list(scan(distances.board.goals))
    rows: dict[Place, list[int]] = {}
    for box in scan(start.boxes):
        lines = yield from _lines_from(distances, box, distances.place(box, start.player), meter)
        rows[box] = [lines.get(goal, UNREACHABLE) for goal in goals]
    matching = yield from LowerBound(rows).match(list(rows), meter)
    return 0 if matching is None else matching.cost


def _lines_from(
    distances: Distances, box: Square, place: Place, meter: Meter
) -> Generator[Progress, None, dict[Square, int]]:
    """Return the fewest lines for a lone box from a place to each square; 0-1 breadth-first search."""
    behind, floor, offsets = distances.behind, distances.board.floor, distances.board.offsets
    fewest = {box: 0}
    done: set[tuple[Square, Direction]] = set()
    waiting = deque((1, box, direction) for direction in DIRECTIONS if behind[direction][box] == place)
    while waiting:
        if meter.is_due():
            yield meter.progress()
        lines, square, direction = waiting.popleft()
        landing = square + offsets[direction]
        if (square, direction) in done or not floor >> landing & 1:
            continue
        done.add((square, direction))
        fewest.setdefault(landing, lines)
        after = behind[direction][landing]
        waiting.appendleft((lines, landing, direction))
        waiting.extend(
            (lines + 1, landing, turn) for turn in DIRECTIONS if turn != direction and behind[turn][landing] == after
        )
    return fewest
