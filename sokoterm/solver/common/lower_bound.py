"""Lower bound on pushes: a minimum-cost perfect matching of boxes to goals by push distance, and pair penalties.

A lone box may split the floor into several areas, and where it can be pushed depends on which one holds the player.
Distances are therefore measured from a *place*: a square of a box together with the player's side of it.  Most squares
have one place, a doorway up to four.  Only pushes of a box itself change its place, since the player stays on the same
side of it however other boxes move.  On ice a box is assumed to stop wherever another box might stop it, so that the
distance never exceeds the pushes needed.

The assignment problem is solved by shortest augmenting paths with goal potentials (Jonker and Volgenant, "A shortest
augmenting path algorithm for dense and sparse linear assignment problems", Computing 38, 1987).  A push changes the
distances of one box: its old place is removed from the matching, and one augmenting path, mostly of length one, inserts
the new place.

A pair penalty is the cost of two boxes beyond the matching, whatever their goals.  Each pair is solved on an otherwise
empty board, from every position of the two and the player.  Reaching a pair of goals may take more pushes than the two
push distances; the minimum of this *excess* over all pairs of goals is the penalty, and a pair that cannot reach any
two goals is dead.  Linear conflicts (two boxes in line that block each other's shortest paths; Junghanns and Schaeffer,
"Sokoban: enhancing general single-agent search methods using domain knowledge", Artificial Intelligence 129, 2001) are
the simplest case.  Penalties of pairs that share no box may be added to the matching: in a solution each box needs at
least its distance to its goal, and each pair its excess in addition.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from heapq import heappop, heappush
from itertools import islice
from operator import or_, sub
from typing import NamedTuple

from sokoterm.engine.bits import (
    DIRECTIONS,
    Bitboard,
    Direction,
    Square,
    beside,
    bitboard_of,
    bytes_of,
    flood,
    scan,
    squares_of,
)
from sokoterm.engine.board import Board, State, layered_squares
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.planner.cut_vertices import JOINED_SIDES, Sides
from sokoterm.engine.slides import live_slides
from sokoterm.solver.search import LimitReached, Meter, Progress, Reason

Place = int

_NO_PLACE = -1

# More than any real distance, but small enough that sums of thousands stay cheap ints.
UNREACHABLE = 1 << 28

# Most entries of a distance table (places times goals): a board of 50 x 50 with 1,700 goals.
_LARGEST_TABLE = 4_000_000

# Squares or places that take as much work as a child.
_STEPS = 256


@dataclass(frozen=True)
class Distances:
    """Push distances of one board; with colours, places are numbered layer by layer.

    ``to_goals[place]``: pushes to each goal, in the order of ``scan(board.goals)``; UNREACHABLE if there is no way.
    ``behind[direction][square]``: place of a box on that square with the player ready to push it in that direction, -1
    if there is no floor to push from.  ``live[direction]``: squares on which a box pushed in that direction can still
    reach a goal.
    """

    board: Board
    to_goals: Sequence[tuple[int, ...]]
    behind: Sequence[Sequence[Place]]
    live: Sequence[Bitboard]

    @property
    def squares(self) -> Bitboard:
        """Squares from which a box can reach a goal, and the goals."""
        return reduce(or_, self.live, self.board.goals)

    def place(self, box: Square, player: Square) -> Place:
        board = self.board
        if len(sides := {places[box] for places in self.behind} - {_NO_PLACE}) == 1:
            return sides.pop()
        square = box % board.size
        area = flood(1 << player, board.floor & ~(1 << square), board.stride)
        for direction in DIRECTIONS:
            place = self.behind[direction][box]
            if place != _NO_PLACE and area >> (square - board.offsets[direction]) & 1:
                return place
        raise AssertionError("a box that the player could not come to on an empty board")


def make_distances(board: Board, meter: Meter) -> Generator[Progress, None, Distances]:
    """Compute the distances of a board; raise LimitReached immediately if the table would be too large."""
    by_layer = board.goals_by_layer
    if board.floor.bit_count() * board.goals.bit_count() * len(by_layer) > _LARGEST_TABLE:
        raise LimitReached(Reason.SIZE)
    behind, count = yield from _number_places(board, meter)
    sources = yield from _sources(board, behind, count, meter)
    columns = []
    for goal in scan(board.goals):
        columns.append((yield from _pushes_to(goal, behind, sources, meter)))
    rows = zip(*columns)
    to_goals: list[tuple[int, ...]] = []
    nearest: list[int] = []
    while some := list(islice(rows, _STEPS)):
        to_goals += some
        nearest += map(min, some)
        if meter.is_due():
            yield meter.progress()
    for goals in by_layer[1:]:
        takes = [bool(goals >> goal & 1) for goal in scan(board.goals)]
        for number in range(count):
            row = tuple([pushes if taken else UNREACHABLE for pushes, taken in zip(to_goals[number], takes)])
            to_goals.append(row)
            nearest.append(min(row))
            if number % _STEPS == 0 and meter.is_due():
                yield meter.progress()
    if len(by_layer) > 1:
        bases = range(0, len(to_goals), count)
        behind = [[place if place < 0 else base + place for base in bases for place in each] for each in behind]
    live = []
    for places in behind:
        squares = enumerate(places)
        live.append(bitboard_of(at for at, place in squares if place != _NO_PLACE and nearest[place] < UNREACHABLE))
        yield meter.progress()
    return Distances(board, to_goals, behind, live)


def _number_places(board: Board, meter: Meter) -> Generator[Progress, None, tuple[list[list[Place]], int]]:
    """Return ``Distances.behind`` and the number of places."""
    behind: list[list[Place]] = [[] for _ in DIRECTIONS]
    places = 0
    is_floor = f"{board.floor:0{board.size}b}"[::-1]
    for square, pairs in enumerate(LoneBox(board).pairs):
        if square % _STEPS == 0 and meter.is_due():
            yield meter.progress()
        place_of: dict[Sides, Place] = {}
        for direction in DIRECTIONS:
            # The player pushes from the opposite side.
            side = direction.opposite
            # Boards are closed, so no index is out of range.
            if is_floor[square] == "1" == is_floor[square + board.offsets[side]]:
                behind[direction].append(place_of.setdefault(JOINED_SIDES[side][pairs], places + len(place_of)))
            else:
                behind[direction].append(_NO_PLACE)
        places += len(place_of)
    return behind, places


def _sources(
    board: Board, behind: Sequence[Sequence[Place]], places: int, meter: Meter
) -> Generator[Progress, None, list[list[Place]]]:
    """Return for each place the places from which one push may lead to it, over any number of squares on ice."""
    slides = live_slides(board)
    sources: list[list[Place]] = [[] for _ in range(places)]
    for direction, offset, ends in zip(DIRECTIONS, board.offsets, slides.ends):
        is_end = bytes_of(ends, board.size)  # on a large board, shifting for each square takes seconds
        for landing, place in enumerate(behind[direction]):
            if landing % _STEPS == 0 and meter.is_due():
                yield meter.progress()
            if place == _NO_PLACE or not is_end[landing]:
                continue
            # The player ends where the box was, after pushing from one square further back.
            square = landing - offset
            while (source := behind[direction][square]) != _NO_PLACE:
                sources[place].append(source)
                if not slides.ice >> square & 1:
                    break
                square -= offset
    return sources


def _pushes_to(
    goal: Square, behind: Sequence[Sequence[Place]], sources: Sequence[Sequence[Place]], meter: Meter
) -> Generator[Progress, None, list[int]]:
    """Return the pushes from each place to one goal, by breadth-first search over pulls."""
    distances = [UNREACHABLE] * len(sources)
    layer = {behind[direction][goal] for direction in DIRECTIONS} - {_NO_PLACE}
    pushes = 0
    while layer:
        if meter.is_due():
            yield meter.progress()
        for place in layer:
            distances[place] = pushes
        pushes += 1
        layer = {source for place in layer for source in sources[place] if distances[source] == UNREACHABLE}
    return distances


def make_column(board: Board, square: Square, meter: Meter) -> Generator[Progress, None, list[int]]:
    """Return the fewest pushes of a lone box from each square to ``square``, wherever the player is."""
    column = [UNREACHABLE] * (board.stride * board.height)
    for pushes, layer in enumerate(live_slides(board).layers_to(1 << square)):
        for each in squares_of(layer):
            column[each] = pushes
        if meter.is_due():
            yield meter.progress()
    return column


# The table of pairs is built after ``_NODES_BEFORE_PAIRS`` nodes, plus one node per ``_STEPS_PER_NODE`` steps it takes:
# by then the search has taken several times as long as the table will.
_NODES_BEFORE_PAIRS = 200
_STEPS_PER_NODE = 100

# The player's areas when only two boxes are on the board, each with the penalty of the pair.
_ByArea = list[tuple[Bitboard, int]]

# Most box squares that get a table: some 50,000 positions of two boxes.
_MOST_SQUARES = 200


class Matching(NamedTuple):
    """Minimum-cost matching: ``places[goal]`` is the place of the box assigned to that goal.

    ``potentials`` prove the minimum: distance minus potential is smallest in each box's row at its assigned goal.
    """

    cost: int
    places: tuple[Place, ...]
    potentials: tuple[int, ...]


_FREE = -1


class Matchings:
    """Minimum-cost matchings for one table of distances (``Distances.to_goals`` or any rows of costs)."""

    def __init__(self, rows: Sequence[Sequence[int]] | Mapping[Place, Sequence[int]]) -> None:
        self._rows = rows

    def match(self, boxes: Sequence[Place], meter: Meter) -> Generator[Progress, None, Matching | None]:
        """Match as many boxes as goals, yielding after each box; return None if there is no perfect matching."""
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
        """Return the cost after the box assigned to ``goal`` moved to ``place``: None if the assignment may change.

        A cost of UNREACHABLE or more means that there is no matching.
        """
        row = self._rows[place]
        if row[goal] - matching.potentials[goal] > min(map(sub, row, matching.potentials)):
            return None
        return matching.cost + row[goal] - self._rows[matching.places[goal]][goal]

    def in_place(self, matching: Matching, goal: int, place: Place, cost: int) -> Matching:
        """Return the matching after the box assigned to ``goal`` moved, where ``cost_in_place`` returned ``cost``."""
        places = matching.places
        # Equivalent to calling Matching, in half the time.
        return tuple.__new__(Matching, (cost, (*places[:goal], place, *places[goal + 1 :]), matching.potentials))

    def reassigned(self, matching: Matching, goal: int, place: Place) -> Matching | None:
        """Return the matching after the box assigned to ``goal`` moved, where ``cost_in_place`` returned None."""
        places, potentials = list(matching.places), list(matching.potentials)
        places[goal] = _FREE
        added = self._insert(place, places, potentials)
        if added is None:
            return None
        cost = matching.cost + added - self._rows[matching.places[goal]][goal]
        return Matching(cost, tuple(places), tuple(potentials))

    def moved(self, matching: Matching, goal: int, place: Place) -> Matching | None:
        """Return the matching after the box assigned to ``goal`` moved to ``place``, or None if there is none."""
        cost = self.cost_in_place(matching, goal, place)
        if cost is None:
            return self.reassigned(matching, goal, place)
        return self.in_place(matching, goal, place, cost) if cost < UNREACHABLE else None

    def _insert(self, place: Place, places: list[Place], potentials: list[int]) -> int | None:
        """Add a box in place along a shortest augmenting path (Dijkstra's algorithm on reduced costs).

        Returns the added cost, or None, leaving everything unchanged, if there is no such path.
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
    """State in the queue.  ``depth`` is its cost so far, ``bound`` the lower bound on the pushes still needed.

    If ``goal`` is NO_GOAL, ``matching`` is the state's.  Else it is the parent's, whose box assigned to ``goal`` moved
    to ``place``: most states are never expanded and need no matching.
    """

    key: int
    depth: int
    bound: int
    matching: Matching
    goal: int = NO_GOAL
    place: Place = 0


class LowerBound:
    """Lower bound on pushes for one board: the matching and, once a search has become long, pair penalties.

    ``pairs_at``: node count at which the table of pairs is built; None once it is, if it would be too large, and for
    boards with colours or ice.
    """

    def __init__(self, distances: Distances) -> None:
        self.distances = distances
        self.matchings = Matchings(distances.to_goals)
        # For each square of the first box of a pair: squares of the second with a penalty, and these penalties.
        self._partners: dict[Square, Bitboard] = {}
        self._penalties: dict[tuple[Square, Square], _ByArea] = {}
        self.pairs_at: int | None = None
        squares, goals = distances.squares.bit_count(), distances.board.goals.bit_count()
        if distances.board.is_ordinary and squares <= _MOST_SQUARES:
            self.pairs_at = _NODES_BEFORE_PAIRS + (squares * goals) ** 2 // _STEPS_PER_NODE

    def match(self, state: State, meter: Meter) -> Generator[Progress, None, Matching | None]:
        places = []
        for box in scan(layered_squares(state.boxes, self.distances.board.size)):
            places.append(self.distances.place(box, state.player))
            yield meter.progress()
        return (yield from self.matchings.match(places, meter))

    def grow(self, meter: Meter) -> Generator[Progress, None, None]:
        """Build the table of pairs if it is due; call before each node."""
        if self.pairs_at is not None and meter.nodes >= self.pairs_at:
            self.pairs_at = None
            graph = _Graph(self.distances)
            yield from graph.build(meter)
            excesses = yield from graph.excesses(meter)
            for (one, other), areas in graph.areas.items():
                first = graph.numbers[one, other]
                by_area = [each for each in zip(areas, excesses[first : first + len(areas)]) if each[1]]
                if one < other and by_area:
                    self._partners[one] = self._partners.get(one, 0) | 1 << other
                    self._penalties[one, other] = by_area

    def penalty(self, boxes: Bitboard, region: Bitboard) -> int:
        """Return the penalty to add to the matching's cost: 0 before ``grow``, UNREACHABLE if some pair is dead.

        It sums disjoint pairs, chosen greedily, largest penalty first.
        """
        found: list[tuple[int, Bitboard]] = []
        rest = boxes if self._partners else 0
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
        found.sort(reverse=True)
        total = taken = 0
        for excess, pair in found:
            if not pair & taken:
                taken |= pair
                total += excess
        return total

    def entry(
        self, key: int, depth: int, matching: Matching, direction: Direction, box: Square, landing: Square
    ) -> QueueEntry | None:
        """Return the entry of a state after pushes of one box from ``matching``; None if it has no matching."""
        behind = self.distances.behind[direction]
        goal = matching.places.index(behind[box])
        place = behind[landing]
        cost = self.matchings.cost_in_place(matching, goal, place)
        if cost is not None:
            return QueueEntry(key, depth, cost, matching, goal, place) if cost < UNREACHABLE else None
        moved = self.matchings.reassigned(matching, goal, place)
        return None if moved is None else QueueEntry(key, depth, moved.cost, moved)

    def matching(self, entry: QueueEntry) -> Matching:
        if entry.goal == NO_GOAL:
            return entry.matching
        return self.matchings.in_place(entry.matching, entry.goal, entry.place, entry.bound)


def make_lower_bound(
    board: Board, start: State, meter: Meter
) -> Generator[Progress, None, tuple[LowerBound, Matching | None]]:
    """Build the lower bound of a board and match the start; raise LimitReached if the tables would be too large."""
    lower_bound = LowerBound((yield from make_distances(board, meter)))
    return lower_bound, (yield from lower_bound.match(start, meter))


# Pairs of goals as a set of bits; and half the excess that a push adds, for each set of goal pairs.
_GoalPairs = int
_Rises = tuple[tuple[int, _GoalPairs], ...]


class _Graph:
    """Graph of all positions of two distinct boxes and the player's area, joined by pushes.

    ``areas[one, other]``: areas next to either box.  ``numbers[one, other]``: number of the position with the player in
    the first of these areas; the other areas follow.  ``before[number]``: positions from which a push leads to it, with
    the excess it adds.
    """

    def __init__(self, distances: Distances) -> None:
        self._distances = distances
        self._goals = list(scan(distances.board.goals))
        self.areas: dict[tuple[Square, Square], list[Bitboard]] = {}
        self.numbers: dict[tuple[Square, Square], int] = {}
        self.before: list[list[tuple[int, _Rises]]] = []
        self._rises: dict[tuple[Place, Place, bool], _Rises] = {}
        count = len(self._goals)
        row = (1 << count) - 1
        # By goal, the pairs of different goals in which the first box, or the second, goes there.
        twice = sum(1 << each * count + each for each in range(count))
        column = sum(1 << each * count for each in range(count))
        self._of_goal = (
            [(column << each) & ~twice for each in range(count)],
            [(row << each * count) & ~twice for each in range(count)],
        )

    def build(self, meter: Meter) -> Generator[Progress, None, None]:
        squares = list(scan(self._distances.squares))
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
        self.numbers[one, other] = len(self.before)
        self.before += [[] for _ in areas]

    def _join(self, one: Square, other: Square, direction: Direction) -> None:
        """Add the pushes of the first box in a direction, and the same pushes with the boxes exchanged."""
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
                    self.before[self.numbers[new_pair] + after].append((self.numbers[pair] + index, rises))

    def _rises_by(self, old: Place, new: Place, is_one: bool) -> _Rises:
        """Return half the excess that a push of one of the boxes adds, for all goals the box can reach."""
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
        """Return the least excess of each position: backward Dijkstra for all pairs of goals simultaneously."""
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
                        solved[self.numbers[one, other] + index] = 1 << first * count + second
        return solved
