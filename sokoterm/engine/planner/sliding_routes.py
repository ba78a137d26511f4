"""Push planner on ice: the squares one box can come to while all others stand still, and the best moves there.

A push may go further than to the next square, so the sides of a box, and the cut vertices between them, are of no use.
Every push is made by the rules here, from the area in which the player is.
"""

from collections.abc import Generator, Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, bitboard_of, lowest, regions
from sokoterm.engine.board import Board, Push, State
from sokoterm.engine.player_region import may_divide
from sokoterm.engine.reach import find_walk, reachable_area
from sokoterm.engine.rules import push

# Places between two yields: a few milliseconds.
_PLACES = 32


class Place(NamedTuple):
    """Squares of the box and of the player, who stands where the box was before its last push."""

    box: Square
    player: Square


class _Reached(NamedTuple):
    """A place one push further: the moves up to it, and the direction of the push."""

    moves: int
    direction: Direction
    place: Place


class SlidingRoutes:
    """Routes of one box on a board with ice."""

    def __init__(self, board: Board, state: State, box: Square) -> None:
        self._board = board
        self._others = state.boxes & board.floor & ~(1 << box)
        self._free = board.floor & ~self._others
        self._areas = regions(self._free, board.stride)
        self._start = Place(box, state.player)
        self._searches: dict[bool, _Search] = {}

    def explore(self, pushes: dict[Square, int]) -> Generator[int, None, None]:
        """Add the fewest pushes to each square; yield the number of places that each further push reaches."""
        layer, seen, count = [self._start], {Place(self._start.box, lowest(self._area(self._start)))}, 0
        while layer:
            count += 1
            reached = []
            for number, place in enumerate(layer):
                state = self._state(place)
                for _, landing in self._pushes(state, self._area(place)):
                    known = Place(landing.box, lowest(self._area(landing)))
                    if known not in seen:
                        seen.add(known)
                        pushes.setdefault(landing.box, count)
                        reached.append(landing)
                if number % _PLACES == _PLACES - 1:
                    yield 0
            layer = reached
            yield len(layer)

    def best(self, square: Square, *, by_pushes: bool) -> Generator[int, None, str]:
        """Return the moves to a square in reach, with fewest pushes or fewest moves; the other one breaks ties."""
        search = self._searches.setdefault(by_pushes, _Search(self._start, by_pushes=by_pushes))
        while square not in search.best:
            for number in range(_PLACES):
                place, moves = search.settle()
                for found in self._reached(place, moves):
                    search.add(place, found)
                if square in search.best:
                    break
            yield number + 1
        letters = []
        for before, direction, _ in search.route_to(square):
            walk = find_walk(self._board, self._state(before), before.box - self._board.offsets[direction])
            letters += [each.letter for each in walk or ()]
            letters.append(direction.letter.upper())
        return "".join(letters)

    def _state(self, place: Place) -> State:
        return State(self._others | 1 << place.box, place.player)

    def _area(self, place: Place) -> Bitboard:
        """Return the squares on which the player can walk, which take a flood fill only where the box divides them."""
        if may_divide(self._free, place.box, self._board.stride):
            return reachable_area(self._board, self._state(place))
        return next(area for area in self._areas if area >> place.player & 1) & ~(1 << place.box)

    def _pushes(self, state: State, area: Bitboard) -> Iterator[tuple[Direction, Place]]:
        """Yield the pushes of the box from squares of an area, and the places they lead to."""
        box = lowest(state.boxes & ~self._others)
        for direction in DIRECTIONS:
            if area >> box - self._board.offsets[direction] & 1:
                after = push(self._board, state, Push(box, direction))
                if after is not None:
                    yield direction, Place(lowest(after.boxes & ~self._others), after.player)

    def _reached(self, place: Place, moves: int) -> list[_Reached]:
        """Return the places one push further, with shortest walks."""
        lengths = self._walk_lengths(place)
        offsets = self._board.offsets
        return [
            _Reached(moves + lengths[place.box - offsets[direction]] + 1, direction, landing)
            for direction, landing in self._pushes(self._state(place), bitboard_of(lengths))
        ]

    def _walk_lengths(self, place: Place) -> dict[Square, int]:
        """Return the lengths of the walks to the squares beside the box; breadth-first until all are met."""
        board = self._board
        free = board.floor & ~(self._others | 1 << place.box)
        missing = {place.box + offset for offset in board.offsets if free >> place.box + offset & 1}
        lengths: dict[Square, int] = {}
        seen, layer, steps = {place.player}, [place.player], 0
        while layer and missing:
            lengths.update((square, steps) for square in missing.intersection(layer))
            missing.difference_update(layer)
            steps += 1
            after = dict.fromkeys(square + offset for square in layer for offset in board.offsets)
            layer = [square for square in after if free >> square & 1 and square not in seen]
            seen.update(layer)
        return lengths


class _Search:
    """Dijkstra over places; ``best`` has the cheapest place at each square that is settled."""

    def __init__(self, start: Place, *, by_pushes: bool) -> None:
        self.best: dict[Square, Place] = {}
        self._by_pushes = by_pushes
        self._waiting = [(0, 0, start)]
        self._costs = {start: (0, 0)}
        self._before: dict[Place, tuple[Place, Direction]] = {}

    def settle(self) -> tuple[Place, int]:
        """Return the next place that cannot be reached for less, and the moves up to it."""
        while True:
            first, second, place = heappop(self._waiting)
            if self._costs[place] == (first, second):
                self.best.setdefault(place.box, place)
                return place, second if self._by_pushes else first

    def add(self, before: Place, found: _Reached) -> None:
        """Take in a place one push after another one."""
        first, second = self._costs[before]
        pushes = (first if self._by_pushes else second) + 1
        cost = (pushes, found.moves) if self._by_pushes else (found.moves, pushes)
        if found.place not in self._costs or cost < self._costs[found.place]:
            self._costs[found.place] = cost
            self._before[found.place] = (before, found.direction)
            heappush(self._waiting, (*cost, found.place))

    def route_to(self, square: Square) -> list[tuple[Place, Direction, Place]]:
        """Return the pushes that lead to a square that is settled."""
        route, place = [], self.best[square]
        while place in self._before:
            before, direction = self._before[place]
            route.append((before, direction, place))
            place = before
        return route[::-1]
