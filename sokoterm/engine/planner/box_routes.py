"""Optimal routes of one box, by pushes or by moves, over the squares that ``box_reach`` found.

A *place* is a square of the box and the side of it the player is on after the push that brought it there:
``square << 2 | side``.  Only a push from the square on that side leads to it, so a route is a chain of places; the walk
between two places goes around a corner of the box or is searched for.  All results are kept, so routes to further
squares cost little more.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from sokoterm.engine.bits import Square
from sokoterm.engine.board import Board, State
from sokoterm.engine.planner.cut_vertices import ALL_SIDES, JOINED_SIDES, Sides

Place = int
# Yields the number of squares or places examined since the last yield; the caller may pause or stop there.
Steps = Generator[int, None, str]

# The box and the player before the first push.
_START: Place = -1

# Places, and squares of a walk, between two yields: a few milliseconds.
_PLACES = 512
_SQUARES = 4096

# Most moves in the walks kept for later plans.
MOST_KEPT = 1_000_000

_LETTERS = "urdl"
_TURNED = str.maketrans("urdl", "dlur")
_SIDES_IN = tuple(tuple(side for side in range(4) if sides >> side & 1) for sides in range(16))


class BoxRoutes:
    """Routes of one box; ``layers``: for each number of pushes, the squares and player's sides it first reaches."""

    def __init__(
        self,
        board: Board,
        state: State,
        box: Square,
        blocked: bytes,
        pairs: bytes,
        first_sides: Sides,
        layers: Sequence[list[tuple[Square, Sides]]],
        most_kept: int,
    ) -> None:
        """``most_kept``: the most moves in the walks kept for later plans."""
        self._offsets = board.offsets
        self._player = state.player
        self._box = box
        self._blocked = blocked
        self._pairs = pairs
        self._first_sides = first_sides
        self._layers = layers
        self._layer_sides: list[Mapping[Square, Sides]] = []
        # Lengths of walks by (box square, origin, target), and the walks themselves as far as there is room.
        self._lengths: dict[tuple[Square, Square, Square], int] = {}
        self._walks: dict[tuple[Square, Square, Square], str] = {}
        self._most_kept = most_kept
        self._kept = 0
        # Fewest moves to a place among routes with fewest pushes, and the place before.
        self._by_pushes: dict[Place, tuple[int, Place]] = {}
        # Dijkstra: the cost of each place (see ``_find_fewest_moves``), the place before it, the queue, and the
        # cheapest place at each square.
        self._costs: dict[Place, int] = {_START: 0}
        self._before: dict[Place, Place] = {}
        self._pushes_bits = (len(blocked) << 2).bit_length()
        self._waiting = [self._packed(0, _START)]
        self._best_place = {box: _START}

    def fewest_pushes(self, goal: Square, pushes: int) -> Steps:
        """Return the moves of a route with fewest pushes, then fewest moves; ``pushes``: the fewest to the goal."""
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
        """Return the moves of a route with fewest moves, then fewest pushes, to a reachable square."""
        yield from self._find_fewest_moves(goal)
        route = [self._best_place[goal]]
        while route[-1] != _START:
            route.append(self._before[route[-1]])
        return (yield from self._played(route[::-1]))

    def _sides_of(self, depth: int) -> Mapping[Square, Sides]:
        """Return the squares first reached by ``depth`` pushes with the player on some sides, and those sides."""
        while len(self._layer_sides) <= depth:
            layer = self._layers[len(self._layer_sides)]
            sides_of = dict(layer)
            if len(sides_of) < len(layer):
                for square, sides in layer:
                    sides_of[square] |= sides
            self._layer_sides.append(sides_of)
        return self._layer_sides[depth]

    def _landings(self, square: Square, sides: Sides, depth: int) -> Iterator[Place]:
        """Yield the places at a square, with the player on one of ``sides``, that push number ``depth`` leads to."""
        if depth:
            before = self._sides_of(depth - 1)
            for side in _SIDES_IN[sides & self._sides_of(depth)[square]]:
                if before.get(square + self._offsets[side], 0) >> side & 1:
                    yield square << 2 | side

    def _places_before(self, place: Place, depth: int) -> Iterator[Place]:
        """Yield the places from which push number ``depth`` leads to a place."""
        side = place & 3
        before = (place >> 2) + self._offsets[side]
        return self._landings(before, JOINED_SIDES[side][self._pairs[before]], depth - 1)

    def _settle(self, place: Place, depth: int) -> Generator[int, None, None]:
        """Find the best route of ``depth`` pushes to a place, given those to all places before it."""
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
        """Continue Dijkstra's algorithm until a square is settled; a cost is ``moves << bits | pushes``."""
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
        """Return the sides the player can walk to from its own, with the length of a shortest walk to each."""
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
        """Return the length of the walk around one or two corners of the box, or None if it is blocked."""
        if own == side:
            return 0
        blocked, here, there = self._blocked, self._offsets[own], self._offsets[side]
        if here != -there:
            return None if blocked[box + here + there] else 2
        return None if self._way_across(box, own) is None else 4

    def _way_across(self, box: Square, own: int) -> int | None:
        """Return the side of the box past which the player can walk directly to the opposite side, or None."""
        blocked, here = self._blocked, self._offsets[own]
        for side in (own + 1 & 3, own + 3 & 3):
            square = box + self._offsets[side]
            if not (blocked[square + here] or blocked[square] or blocked[square - here]):
                return side
        return None

    def _find_walks(self, box: Square, origin: Square, targets: Sequence[Square]) -> Generator[int, None, None]:
        """Find shortest walks between a square and ``targets``, all connected to it, past the box."""
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
        """Store the walk just found, for both directions."""
        letters = []
        square = target
        while square != origin:
            direction = came_by[square] - 1
            letters.append(_LETTERS[direction])
            square -= self._offsets[direction]
        self._lengths[box, origin, target] = self._lengths[box, target, origin] = len(letters)
        self._kept += len(letters)
        if self._kept <= self._most_kept or not self._walks:
            self._walks[box, origin, target] = "".join(reversed(letters))

    def _walk(self, box: Square, origin: Square, target: Square) -> Steps:
        while True:
            walk = self._walks.get((box, origin, target))
            if walk is not None:
                return walk
            walk = self._walks.get((box, target, origin))
            if walk is not None:
                return walk[::-1].translate(_TURNED)
            # Found before, but there was no room to keep it.
            del self._lengths[box, origin, target]
            self._walks.clear()
            self._kept = 0
            yield from self._find_walks(box, origin, (target,))

    def _played(self, route: Sequence[Place]) -> Steps:
        """Return the moves along a route whose first place is the start."""
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
        """Return the walk whose length is ``_steps_round``."""
        if own == side:
            return ""
        if own ^ side != 2:
            return _LETTERS[side] + _LETTERS[own ^ 2]
        across = self._way_across(box, own)
        assert across is not None
        return _LETTERS[across] + _LETTERS[own ^ 2] * 2 + _LETTERS[across ^ 2]
