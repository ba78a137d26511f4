"""Lower bound on pushes: a minimum-cost perfect matching of boxes to goals by push distance, and pair penalties.

The assignment problem is solved by shortest augmenting paths with goal potentials (Jonker and Volgenant, "A shortest
augmenting path algorithm for dense and sparse linear assignment problems", Computing 38, 1987).  A push changes the
distances of one box only: its old place is removed from the matching, and the new one is inserted by one augmenting
path, mostly of length one.

A pair penalty is what two boxes need beyond the matching, whatever goals they go to.  Each pair is solved alone on the
board, from every position of the two and the player.  Reaching a pair of goals may take more pushes than the two push
distances; the minimum of this *excess* over all pairs of goals is the penalty, and a pair that cannot reach any two
goals is dead.  Linear conflicts (two boxes in line that block each other's shortest paths; Junghanns and Schaeffer,
"Sokoban: enhancing general single-agent search methods using domain knowledge", Artificial Intelligence 129, 2001) are
the simplest case.  Penalties of pairs that share no box may be added to the minimum-cost matching: in a solution each
box takes at least its distance to its goal, and each pair its excess on top.
"""

from collections.abc import Generator, Mapping, Sequence
from heapq import heappop, heappush
from operator import sub
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, beside, flood, scan
from sokoterm.engine.board import Board, State, layered_squares
from sokoterm.solver.common.distances import UNREACHABLE, Distances, Place, make_distances
from sokoterm.solver.search import Meter, Progress

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
        steps = steps_of_pairs(distances)
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


# Pairs of goals as a set of bits; and by how much a push raises half the excess, each rise with its pairs of goals.
_GoalPairs = int
_Rises = tuple[tuple[int, _GoalPairs], ...]

# The player's areas with only two boxes on the board, each with the penalty of the pair.
_ByArea = list[tuple[Bitboard, int]]

# Most box squares with a table: some 50,000 positions of two boxes.
_MOST_SQUARES = 200


class Pairs:
    """Pair penalties of one board; built by ``make_pairs``."""

    def __init__(self, partners: dict[Square, Bitboard], penalties: dict[tuple[Square, Square], _ByArea]) -> None:
        self._partners = partners
        self._penalties = penalties

    def penalty(self, boxes: Bitboard, region: Bitboard) -> int:
        """Return what may be added to the cost of a position's matching; UNREACHABLE if some pair is dead."""
        found: list[tuple[int, Bitboard]] = []
        rest = boxes
        while rest:
            first = rest & -rest
            rest ^= first
            box = first.bit_length() - 1
            near = rest & self._partners.get(box, 0)
            while near:
                second = near & -near
                near ^= second
                for area, excess in self._penalties[box, second.bit_length() - 1]:
                    if area & region:
                        if excess == UNREACHABLE:
                            return UNREACHABLE
                        found.append((excess, first | second))
        return _sum_of_separate(found) if found else 0


def _sum_of_separate(found: list[tuple[int, Bitboard]]) -> int:
    """Sum the penalties of disjoint pairs, chosen greedily, the greatest first."""
    found.sort(reverse=True)
    total = taken = 0
    for excess, pair in found:
        if not pair & taken:
            taken |= pair
            total += excess
    return total


def steps_of_pairs(distances: Distances) -> int | None:
    """Estimate the steps to build the table of a board; None if it would be too large, or has colours or ice."""
    if distances.board.colors or distances.board.ice:
        return None
    squares = _squares(distances).bit_count()
    return (squares * distances.board.goals.bit_count()) ** 2 if squares <= _MOST_SQUARES else None


def make_pairs(distances: Distances, meter: Meter) -> Generator[Progress, None, Pairs]:
    """Build the pair penalties of a board."""
    graph = _Graph(distances)
    yield from graph.build(meter)
    excesses = yield from graph.excesses(meter)
    partners: dict[Square, Bitboard] = {}
    penalties: dict[tuple[Square, Square], _ByArea] = {}
    for (one, other), areas in graph.areas.items():
        first = graph.numbers[one, other, 0]
        by_area = [(area, excesses[first + index]) for index, area in enumerate(areas) if excesses[first + index]]
        if one < other and by_area:
            partners[one] = partners.get(one, 0) | 1 << other
            penalties[one, other] = by_area
    return Pairs(partners, penalties)


def _squares(distances: Distances) -> Bitboard:
    """Return the squares from which a box can reach a goal, and the goals."""
    live = distances.board.goals
    for each in distances.live:
        live |= each
    return live


class _Graph:
    """Graph of all positions of two distinct boxes and the player's area, with the pushes between them.

    ``areas[one, other]``: the areas next to either box.  ``numbers[one, other, index]``: the number of a position.
    ``before[number]``: the positions from which a push leads to it, with the rise in excess.
    """

    def __init__(self, distances: Distances) -> None:
        self._distances = distances
        self._goals = list(scan(distances.board.goals))
        self.areas: dict[tuple[Square, Square], list[Bitboard]] = {}
        self.numbers: dict[tuple[Square, Square, int], int] = {}
        self.before: list[list[tuple[int, _Rises]]] = []
        self._rises: dict[tuple[Place, Place, bool], _Rises] = {}
        count = len(self._goals)
        row = (1 << count) - 1
        # For the one box and for the other: by the goal it goes to, the pairs of different goals.
        twice = sum(1 << each * count + each for each in range(count))
        column = sum(1 << each * count for each in range(count))
        self._of_goal = (
            [(column << each) & ~twice for each in range(count)],
            [(row << each * count) & ~twice for each in range(count)],
        )

    def build(self, meter: Meter) -> Generator[Progress, None, None]:
        """Number the positions and find the pushes."""
        squares = list(scan(_squares(self._distances)))
        for one in squares:
            for other in squares:
                if one != other:
                    self._number(one, other)
                    if meter.is_due():
                        yield meter.progress()
        for one, other in self.areas:
            for direction in DIRECTIONS:
                self._join(one, other, direction)
            if meter.is_due():
                yield meter.progress()

    def _number(self, one: Square, other: Square) -> None:
        board = self._distances.board
        areas = self.areas.get((other, one))
        if areas is None:
            areas = []
            boxes = 1 << one | 1 << other
            free = board.floor & ~boxes
            sides = beside(boxes, board.stride) & free
            while sides:
                areas.append(flood(sides & -sides, free, board.stride))
                sides &= ~areas[-1]
        self.areas[one, other] = areas
        for index in range(len(areas)):
            self.numbers[one, other, index] = len(self.before)
            self.before.append([])

    def _join(self, one: Square, other: Square, direction: Direction) -> None:
        """Add the pushes of the one box in a direction, and the same pushes with the two boxes exchanged."""
        offset = self._distances.board.offsets[direction]
        landing = one + offset
        if landing == other or not self._distances.live[direction] >> landing & 1:
            return
        behind = self._distances.behind[direction]
        for index, area in enumerate(self.areas[one, other]):
            if area >> one - offset & 1:
                after = next(new for new, each in enumerate(self.areas[landing, other]) if each >> one & 1)
                for pair, new_pair, is_one in (
                    ((one, other), (landing, other), True),
                    ((other, one), (other, landing), False),
                ):
                    rises = self._rises_by(behind[one], behind[landing], is_one)
                    self.before[self.numbers[*new_pair, after]].append((self.numbers[*pair, index], rises))

    def _rises_by(self, old: Place, new: Place, is_one: bool) -> _Rises:
        """Return by how much a push of one of the boxes raises half the excess, for all goals the box can reach."""
        rises = self._rises.get((old, new, is_one))
        if rises is None:
            by_rise: dict[int, _GoalPairs] = {}
            to_goals = self._distances.to_goals
            for pairs, before, after in zip(self._of_goal[is_one], to_goals[old], to_goals[new]):
                if after < UNREACHABLE:
                    rise = 1 + after - before >> 1
                    by_rise[rise] = by_rise.get(rise, 0) | pairs
            rises = self._rises[old, new, is_one] = tuple(sorted(by_rise.items()))
        return rises

    def excesses(self, meter: Meter) -> Generator[Progress, None, list[int]]:
        """Return the least excess of each position: backward Dijkstra, for all pairs of goals at once."""
        least = [UNREACHABLE] * len(self.before)
        settled = [0] * len(self.before)
        waiting: dict[int, dict[int, _GoalPairs]] = {0: self._solved()}
        order = [0]
        while order:
            half = order[0]
            now = waiting[half]
            while now:
                number, pairs = now.popitem()
                new = pairs & ~settled[number]
                settled[number] |= new
                if new:
                    least[number] = min(least[number], 2 * half)
                    self._spread(new, half, self.before[number], settled, waiting, order)
                if meter.is_due():
                    yield meter.progress()
            del waiting[heappop(order)]
        return least

    @staticmethod
    def _spread(
        pairs: _GoalPairs,
        half: int,
        sources: Sequence[tuple[int, _Rises]],
        settled: Sequence[_GoalPairs],
        waiting: dict[int, dict[int, _GoalPairs]],
        order: list[int],
    ) -> None:
        for source, rises in sources:
            for rise, of_goals in rises:
                if gained := pairs & of_goals & ~settled[source]:
                    if half + rise not in waiting:
                        waiting[half + rise] = {}
                        heappush(order, half + rise)
                    later = waiting[half + rise]
                    later[source] = later.get(source, 0) | gained

    def _solved(self) -> dict[int, _GoalPairs]:
        count = len(self._goals)
        solved = {}
        for first, one in enumerate(self._goals):
            for second, other in enumerate(self._goals):
                if one != other:
                    for index in range(len(self.areas[one, other])):
                        solved[self.numbers[one, other, index]] = 1 << first * count + second
        return solved
