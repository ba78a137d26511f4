"""The best ways for one box to squares: of all that ``planner`` finds to be possible, those of fewest pushes or moves.

A *place* is a square of the box and the side of it on which the player stands after the push that brought it there:
``square << 2 | side``.  Each is reached by one push only, from the square on that side, so what counts is from which
place before; the walk between is round a corner of the box, or searched for.  All that is found stays: the next
square asks for little more.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from sokoterm.engine.bits import Square
from sokoterm.engine.board import Board, State
from sokoterm.engine.planner.cut_vertices import ALL_SIDES, JOINED_SIDES, Sides

Place = int
# How many squares or places have been looked at since the last time: a plan can be left off there, or slept over.
Steps = Generator[int, None, str]

# Where the box and the player stand before the first push.
_START: Place = -1

# The places, and the squares of a walk, between two yields: some milliseconds.
_PLACES = 512
_SQUARES = 4096

# The moves of the walks that are kept for the plans they are part of.
_MOST_KEPT = 1_000_000

_LETTERS = "urdl"
_TURNED = str.maketrans("urdl", "dlur")
_SIDES_IN = tuple(tuple(side for side in range(4) if sides >> side & 1) for sides in range(16))


class BoxRoutes:
    """The ways of one box; ``layers`` has for each number of pushes the squares and sides that it first reaches."""

    def __init__(
        self,
        board: Board,
        state: State,
        box: Square,
        blocked: bytes,
        pairs: bytes,
        first_sides: Sides,
        layers: Sequence[list[tuple[Square, Sides]]],
    ) -> None:
        self._offsets = board.offsets
        self._player = state.player
        self._box = box
        self._blocked = blocked
        self._pairs = pairs
        self._first_sides = first_sides
        self._layers = layers
        self._layer_sides: list[Mapping[Square, Sides]] = []
        # Lengths of walks by the square of the box, from where and to where; and the walks, as far as they are kept.
        self._lengths: dict[tuple[Square, Square, Square], int] = {}
        self._walks: dict[tuple[Square, Square, Square], str] = {}
        self._kept = 0
        # The moves of the best way to a place with fewest pushes, and the place before.
        self._by_pushes: dict[Place, tuple[int, Place]] = {}
        # Dijkstra: the costs of places (see ``_find_fewest_moves``), the place before each, what waits, and the
        # first place at each square.
        self._costs: dict[Place, int] = {_START: 0}
        self._before: dict[Place, Place] = {}
        self._pushes_bits = (len(blocked) << 2).bit_length()
        self._waiting = [self._packed(0, _START)]
        self._best_place = {box: _START}

    def fewest_pushes(self, goal: Square, pushes: int) -> Steps:
        """The moves of a way of fewest pushes, and then fewest moves; ``pushes`` are those of the goal."""
        best = self._by_pushes
        todo = []
        ends = wanted = set(self._landings(goal, ALL_SIDES, pushes))
        for depth in range(pushes, 0, -1):
            wanted = {place for place in wanted if place not in best}
            todo.append((depth, wanted))
            wanted = {before for place in wanted for before in self._places_before(place, depth)}
            yield len(wanted)
        for depth, places in reversed(todo):
            for place in places:
                yield from self._settle(place, depth)
            yield 0
        if not pushes:
            return ""
        _, _, place = min((*best[end], end) for end in ends)
        route = [place]
        for _ in range(pushes):
            route.append(best[route[-1]][1])
        return (yield from self._played(route[::-1]))

    def fewest_moves(self, goal: Square) -> Steps:
        """The moves of a way of fewest moves, and then fewest pushes, to a square that can be reached."""
        yield from self._find_fewest_moves(goal)
        route = [self._best_place[goal]]
        while route[-1] != _START:
            route.append(self._before[route[-1]])
        return (yield from self._played(route[::-1]))

    def _sides_of(self, depth: int) -> Mapping[Square, Sides]:
        """The squares first reached by so many pushes with the player on some sides, and these."""
        while len(self._layer_sides) <= depth:
            layer = self._layers[len(self._layer_sides)]
            sides_of = dict(layer)
            if len(sides_of) < len(layer):
                for square, sides in layer:
                    sides_of[square] |= sides
            self._layer_sides.append(sides_of)
        return self._layer_sides[depth]

    def _landings(self, square: Square, sides: Sides, depth: int) -> Iterator[Place]:
        """The places at a square, with the player on one of these sides, to which a push of this number leads."""
        if depth:
            before = self._sides_of(depth - 1)
            for side in _SIDES_IN[sides & self._sides_of(depth)[square]]:
                if before.get(square + self._offsets[side], 0) >> side & 1:
                    yield square << 2 | side

    def _places_before(self, place: Place, depth: int) -> Iterator[Place]:
        """The places from which the push of this number leads to a place."""
        side = place & 3
        before = (place >> 2) + self._offsets[side]
        return self._landings(before, JOINED_SIDES[side][self._pairs[before]], depth - 1)

    def _settle(self, place: Place, depth: int) -> Generator[int, None, None]:
        """Find the best way to a place by so many pushes, those of all places before being known."""
        side = place & 3
        box = (place >> 2) + self._offsets[side]
        target = box + self._offsets[side]
        if depth == 1:
            yield from self._find_walks(box, target, (self._player,))
            self._by_pushes[place] = self._lengths[box, target, self._player] + 1, _START
            return
        known = []
        far = []
        for before in self._places_before(place, depth):
            steps = self._steps_round(box, before & 3, side)
            if steps is None:
                far.append(before)
            else:
                known.append((self._by_pushes[before][0] + steps + 1, before))
        if far:
            origins = [box + self._offsets[before & 3] for before in far]
            yield from self._find_walks(box, target, origins)
            for before, origin in zip(far, origins):
                known.append((self._by_pushes[before][0] + self._lengths[box, target, origin] + 1, before))
        self._by_pushes[place] = min(known)

    def _packed(self, cost: int, place: Place) -> int:
        return cost << self._pushes_bits | place + 1

    def _find_fewest_moves(self, goal: Square) -> Generator[int, None, None]:
        """Go on with the algorithm of Dijkstra to a square; a cost is ``moves << bits | pushes``, of one int."""
        waiting, costs, bits = self._waiting, self._costs, self._pushes_bits
        mask = (1 << bits) - 1
        expanded = 0
        while goal not in self._best_place:
            entry = heappop(waiting)
            cost, place = entry >> bits, (entry & mask) - 1
            if cost != costs[place]:
                continue
            expanded += 1
            if expanded % _PLACES == 0:
                yield _PLACES
            box = self._box if place == _START else place >> 2
            self._best_place.setdefault(box, place)
            for side, steps in (yield from self._walks_from(place)):
                square = box - self._offsets[side]
                if not self._blocked[square]:
                    landing = square << 2 | side
                    total = cost + (steps + 1 << bits) + 1
                    if total < costs.get(landing, total + 1):
                        costs[landing] = total
                        self._before[landing] = place
                        heappush(waiting, self._packed(total, landing))

    def _walks_from(self, place: Place) -> Generator[int, None, list[tuple[int, int]]]:
        """The sides to which the player can walk from its own, and the length of the shortest walk to each."""
        offsets = self._offsets
        if place == _START:
            box, origin, sides = self._box, self._player, self._first_sides
        else:
            box, own = place >> 2, place & 3
            origin, sides = box + offsets[own], JOINED_SIDES[own][self._pairs[box]]
        walks = []
        far = []
        for side in _SIDES_IN[sides]:
            steps = None if place == _START else self._steps_round(box, own, side)
            if steps is None:
                far.append(side)
            else:
                walks.append((side, steps))
        if far:
            yield from self._find_walks(box, origin, [box + offsets[side] for side in far])
            walks += [(side, self._lengths[box, origin, box + offsets[side]]) for side in far]
        return walks

    def _steps_round(self, box: Square, own: int, side: int) -> int | None:
        """The length of a walk round a corner or two of the box, None where that way is not free."""
        if own == side:
            return 0
        blocked, here, there = self._blocked, self._offsets[own], self._offsets[side]
        if here != -there:
            return None if blocked[box + here + there] else 2
        return None if self._way_across(box, own) is None else 4

    def _way_across(self, box: Square, own: int) -> int | None:
        """The side by which the player can walk straight round the box to the other side."""
        blocked, here = self._blocked, self._offsets[own]
        for side in (own + 1 & 3, own + 3 & 3):
            square = box + self._offsets[side]
            if not (blocked[square + here] or blocked[square] or blocked[square - here]):
                return side
        return None

    def _find_walks(self, box: Square, origin: Square, targets: Sequence[Square]) -> Generator[int, None, None]:
        """Find the shortest walks between a square and others, all connected to it, with the box where it is."""
        missing = {target for target in targets if (box, origin, target) not in self._lengths}
        if not missing:
            return
        up, right, down, left = self._offsets
        came_by = bytearray(self._blocked)
        came_by[box] = came_by[origin] = 15
        reached = [origin]
        due = _SQUARES
        for square in reached:
            if square in missing:
                self._keep(box, origin, square, came_by)
                missing.remove(square)
                if not missing:
                    break
            if not came_by[square + up]:
                came_by[square + up] = 1
                reached.append(square + up)
            if not came_by[square + right]:
                came_by[square + right] = 2
                reached.append(square + right)
            if not came_by[square + down]:
                came_by[square + down] = 3
                reached.append(square + down)
            if not came_by[square + left]:
                came_by[square + left] = 4
                reached.append(square + left)
            if len(reached) > due:
                due += _SQUARES
                yield 0
        yield 0

    def _keep(self, box: Square, origin: Square, target: Square, came_by: bytearray) -> None:
        """Keep the walk that has just been found, in both directions."""
        letters = []
        square = target
        while square != origin:
            direction = came_by[square] - 1
            letters.append(_LETTERS[direction])
            square -= self._offsets[direction]
        self._lengths[box, origin, target] = self._lengths[box, target, origin] = len(letters)
        self._kept += len(letters)
        if self._kept <= _MOST_KEPT or not self._walks:
            self._walks[box, origin, target] = "".join(reversed(letters))

    def _walk(self, box: Square, origin: Square, target: Square) -> Steps:
        while True:
            walk = self._walks.get((box, origin, target))
            if walk is not None:
                return walk
            walk = self._walks.get((box, target, origin))
            if walk is not None:
                return walk[::-1].translate(_TURNED)
            # It has been found before, but there was no room for it any more.
            del self._lengths[box, origin, target]
            self._walks.clear()
            self._kept = 0
            yield from self._find_walks(box, origin, (target,))

    def _played(self, route: Sequence[Place]) -> Steps:
        """The moves through some places, the first of which is the start."""
        letters = []
        for number, (before, place) in enumerate(pairwise(route)):
            side = place & 3
            box = (place >> 2) + self._offsets[side]
            if before != _START and self._steps_round(box, before & 3, side) is not None:
                letters.append(self._round(box, before & 3, side))
            else:
                origin = self._player if before == _START else box + self._offsets[before & 3]
                letters.append((yield from self._walk(box, origin, box + self._offsets[side])))
            letters.append(_LETTERS[side ^ 2].upper())
            if number % _PLACES == 0:
                yield 0
        return "".join(letters)

    def _round(self, box: Square, own: int, side: int) -> str:
        """The walk of ``_steps_round``."""
        if own == side:
            return ""
        if own ^ side != 2:
            return _LETTERS[side] + _LETTERS[own ^ 2]
        across = self._way_across(box, own)
        assert across is not None
        return _LETTERS[across] + _LETTERS[own ^ 2] * 2 + _LETTERS[across ^ 2]
