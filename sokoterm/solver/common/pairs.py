"""Pair penalties: pushes that two boxes need beyond the matching, whatever goals they go to.

Each pair of boxes is solved alone on the board, from every position of the two and the player.  Reaching a pair of
goals may take more pushes than the two push distances; the minimum of this *excess* over all pairs of goals is the
penalty of the pair, and a pair that cannot reach any two goals is dead.  Linear conflicts (two boxes in line that block
each other's shortest paths; Junghanns and Schaeffer, "Sokoban: enhancing general single-agent search methods using
domain knowledge", Artificial Intelligence 129, 2001) are the simplest case.  Penalties of pairs that share no box may
be added to the minimum-cost matching: in a solution each box takes at least its distance to its goal, and each pair its
excess on top.
"""

from collections.abc import Generator, Sequence
from heapq import heappop, heappush

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, beside, flood, scan
from sokoterm.solver.common.distances import UNREACHABLE, Distances, Place
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

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


def work(distances: Distances) -> int | None:
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
        """Return the positions with both boxes on goals, with their pair of goals."""
        count = len(self._goals)
        solved = {}
        for first, one in enumerate(self._goals):
            for second, other in enumerate(self._goals):
                if one != other:
                    for index in range(len(self.areas[one, other])):
                        solved[self.numbers[one, other, index]] = 1 << first * count + second
        return solved
