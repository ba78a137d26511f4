"""What two boxes cost each other: pushes beyond the matching that a pair of boxes needs wherever it goes.

A lone pair of boxes is solved from every position of the two and the player, the other boxes being lifted.  For each
pair of goals that takes some pushes more than the distances of the two boxes to them; the least of this *excess* over
all pairs of goals is the penalty of the pair, and a pair that no goals can be had for is dead.  Linear conflicts (two
boxes in line that block each other's shortest ways; Junghanns and Schaeffer, "Sokoban: enhancing general single-agent
search methods using domain knowledge", Artificial Intelligence 129, 2001) are the simplest of these.  Since each box
has one place in the sum, penalties of pairs that share no box may be added to the cheapest matching: in a solution
the pushes of a box are at least its distance to the goal that it comes to, and those of a pair its excess more.
"""

from collections.abc import Generator, Sequence
from heapq import heappop, heappush

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, flood, scan
from sokoterm.solver.common.distances import UNREACHABLE, Distances, Place
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# A set of pairs of goals as bits, and by how much half the excess rises for which of them by one push.
_GoalPairs = int
_Rises = tuple[tuple[int, _GoalPairs], ...]

# The penalty of two boxes with the player in an area of the board that has only them.
_ByArea = list[tuple[Bitboard, int]]

# Squares of boxes above which no table is made: some 50,000 positions of two boxes.
_MOST_SQUARES = 200


class Pairs:
    """The penalties of one board: made by ``make_pairs``."""

    def __init__(self, partners: dict[Square, Bitboard], penalties: dict[tuple[Square, Square], _ByArea]) -> None:
        self._partners = partners
        self._penalties = penalties

    def penalty(self, boxes: Bitboard, region: Bitboard) -> int:
        """What may be added to the matching of a position; UNREACHABLE if some pair is dead."""
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
    """The sum of penalties of pairs that share no box, the greatest taken first."""
    found.sort(reverse=True)
    total = taken = 0
    for excess, pair in found:
        if not pair & taken:
            taken |= pair
            total += excess
    return total


def work(distances: Distances) -> int | None:
    """About how many steps it takes to make the table of a board; None if it would be too large."""
    squares = _squares(distances).bit_count()
    return (squares * distances.board.goals.bit_count()) ** 2 if squares <= _MOST_SQUARES else None


def make_pairs(distances: Distances, meter: Meter) -> Generator[Progress, None, Pairs]:
    """The penalties of a board."""
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
    """The squares on which a box can be worth having."""
    live = distances.board.goals
    for each in distances.live:
        live |= each
    return live


class _Graph:
    """The positions of two boxes, each told from the other, and the player's area; and the pushes between them.

    ``areas[one, other]``: those beside either box; ``numbers[one, other, index]``: the number of a position;
    ``before[number]``: from which positions a push leads to it, with what that does to the excess.
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
        # The pairs of goals with a given goal for the one box, and those with it for the other; never one for both.
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
            beside = (boxes << 1 | boxes >> 1 | boxes << board.stride | boxes >> board.stride) & free
            while beside:
                areas.append(flood(beside & -beside, free, board.stride))
                beside &= ~areas[-1]
        self.areas[one, other] = areas
        for index in range(len(areas)):
            self.numbers[one, other, index] = len(self.before)
            self.before.append([])

    def _join(self, one: Square, other: Square, direction: Direction) -> None:
        """Note the pushes of the one box in a direction, and as pushes of the other with their parts exchanged."""
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
        """By how much a push of one of the boxes raises half the excess, for all goals that it can come to."""
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
        """The least excess of each position: Dijkstra's algorithm backwards, for all pairs of goals together."""
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
        """The positions with both boxes on goals."""
        count = len(self._goals)
        solved = {}
        for first, one in enumerate(self._goals):
            for second, other in enumerate(self._goals):
                if one != other:
                    for index in range(len(self.areas[one, other])):
                        solved[self.numbers[one, other, index]] = 1 << first * count + second
        return solved
