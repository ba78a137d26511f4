"""Where one box can be pushed while all others stand still, and the moves that push it there.

What is searched are places of the box, each with the sides on which the player can be: between which of them it can
walk, ``blocks`` says for the whole board beforehand, so no step of the search looks for the player.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, flood, lowest, scan, shift
from sokoterm.engine.blocks import ALL_SIDES, JOINED_SIDES, Blocks, Sides
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import letter
from sokoterm.engine.reach import find_walk

# Rounds in which a player near the box is met with; for one further away the whole area is filled.
_NEAR = 32

_BLOCKED_SIDES = bytes.maketrans(b"01", bytes((ALL_SIDES, 0)))


class Fewest(StrEnum):
    """What a plan has fewest of; the other decides between equals."""

    PUSHES = "pushes"
    MOVES = "moves"


class Plan(NamedTuple):
    """Moves that bring a box to a square."""

    lurd: str
    moves: int
    pushes: int


class _Place(NamedTuple):
    """A box on a square and the side on which the player stands (-1 before the first push: wherever it is)."""

    box: Square
    side: int


class BoxReach:
    """The squares to which one box can be pushed; ``pushes`` has the fewest for each, 0 for its own.

    Takes time linear in the board for each piece of obstacles, and in the squares reached.
    """

    def __init__(self, board: Board, state: State, box: Square, blocks: Blocks | None = None) -> None:
        """``blocks`` are those of the state's boxes, for who asks for several; raises ValueError for none there."""
        if not state.boxes >> box & 1:
            raise ValueError(f"no box stands on square {box}")
        self.box = box
        self._board = board
        self._state = state
        self._free = board.floor & ~state.boxes | 1 << box
        self._pairs = (blocks or Blocks(board, state.boxes)).joined_pairs(box)
        self._blocked = _blocked(board, self._free)
        self._first_sides = self._find_first_sides()
        # For each number of pushes the squares that it first reaches with the player on some sides.
        self._layers: list[list[tuple[Square, Sides]]] = []
        self.pushes: Mapping[Square, int] = MappingProxyType(self._search())

    def plan(self, square: Square, fewest: Fewest = Fewest.PUSHES) -> Plan:
        """The moves that push the box to a square; raises ValueError where it cannot come there."""
        if square not in self.pushes:
            raise ValueError(f"the box cannot be pushed to square {square}")
        useful = self._on_shortest_routes(square) if fewest is Fewest.PUSHES else None
        return self._played(self._route(square, fewest, useful))

    def _search(self) -> dict[Square, int]:
        pushes = {self.box: 0}
        pairs, pushes_from = self._pairs, _pushes_from(self._board.stride)
        seen = bytearray(self._blocked)
        seen[self.box] = self._first_sides
        layer = [(self.box, self._first_sides)]
        count = 0
        while layer:
            self._layers.append(layer)
            count += 1
            reached = []
            for square, sides in layer:
                for offset, side, joined in pushes_from[sides]:
                    landing = square + offset
                    known = seen[landing]
                    if not known & side:
                        if not known:
                            pushes[landing] = count
                        new = joined[pairs[landing]]
                        seen[landing] = known | new
                        reached.append((landing, new))
            layer = reached
        return pushes

    def _find_first_sides(self) -> Sides:
        """The sides to which the player can walk before the first push; none where it cannot come to the box."""
        board, stride = self._board, self._board.stride
        free = self._free & ~(1 << self.box)
        beside = sum(1 << self.box + offset for offset in board.offsets) & free
        region = 1 << self._state.player
        for _ in range(_NEAR):
            if region & beside:
                break
            region = (region | region << 1 | region >> 1) & free
            region = (region | region << stride | region >> stride) & free
        else:
            region = flood(region, free, stride)
        met = region & beside
        if not met:
            return 0
        # The others that it can walk to are joined with any one that it has met.
        side = board.offsets.index(lowest(met) - self.box)
        return JOINED_SIDES[side][self._pairs[self.box]]

    def _on_shortest_routes(self, goal: Square) -> set[_Place]:
        """The places after each push of the routes of fewest pushes to a square."""
        pushes_from = _pushes_from(self._board.stride)
        last = self.pushes[goal]
        places: set[_Place] = set()
        wanted = {goal: ALL_SIDES}
        for layer in reversed(self._layers[:last]):
            before: dict[Square, Sides] = {}
            for square, sides in layer:
                for offset, side, _ in pushes_from[sides]:
                    if wanted.get(square + offset, 0) & side:
                        places.add(_Place(square + offset, side.bit_length() - 1))
                        before[square] = before.get(square, 0) | sides
            wanted = before
        return places

    def _route(self, goal: Square, fewest: Fewest, useful: set[_Place] | None) -> list[_Place]:
        """The places after each push, by the algorithm of Dijkstra; ``useful``, if given, are those to keep to."""
        start = _Place(self.box, -1)
        waiting: list[tuple[int, int, _Place, _Place]] = [(0, 0, start, start)]
        came_from: dict[_Place, _Place] = {}
        place = start
        while waiting:
            first, second, place, before = heappop(waiting)
            if place in came_from:
                continue
            came_from[place] = before
            if place.box == goal:
                break
            for side, steps in self._walks(place):
                landing = _Place(place.box - self._board.offsets[side], side)
                if self._blocked[landing.box] or landing in came_from or useful is not None and landing not in useful:
                    continue
                if fewest is Fewest.PUSHES:
                    heappush(waiting, (first + 1, second + steps + 1, landing, place))
                else:
                    heappush(waiting, (first + steps + 1, second + 1, landing, place))
        route = [place]
        while route[-1] is not start:
            route.append(came_from[route[-1]])
        return route[::-1]

    def _walks(self, place: _Place) -> Iterator[tuple[int, int]]:
        """The sides to which the player can walk from its own, and the length of the shortest walk to each."""
        offsets = self._board.offsets
        if place.side < 0:
            origin, sides = self._state.player, self._first_sides
        else:
            origin = place.box + offsets[place.side]
            sides = JOINED_SIDES[place.side][self._pairs[place.box]]
        far = []
        for side in DIRECTIONS:
            if sides >> side & 1:
                steps = self._steps_round(place, side)
                if steps is None:
                    far.append(place.box + offsets[side])
                else:
                    yield side, steps
        if far:
            lengths = self._lengths(place.box, origin, far)
            for square in far:
                yield offsets.index(square - place.box), lengths[square]

    def _steps_round(self, place: _Place, side: int) -> int | None:
        """The length of a walk round a corner or two of the box, None where that way is not free."""
        offsets, blocked = self._board.offsets, self._blocked
        box = place.box
        if place.side < 0:
            return None
        if side == place.side:
            return 0
        here, there = offsets[place.side], offsets[side]
        if here != -there:
            return None if blocked[box + here + there] else 2
        turn = offsets[(side + 1) & 3]
        for across in (turn, -turn):
            if not (blocked[box + here + across] or blocked[box + across] or blocked[box + there + across]):
                return 4
        return None

    def _lengths(self, box: Square, origin: Square, targets: Iterable[Square]) -> dict[Square, int]:
        """The lengths of the shortest walks from a square to others with the box where it is."""
        missing = set(targets)
        lengths: dict[Square, int] = {}
        seen = bytearray(self._blocked)
        seen[box] = seen[origin] = 1
        up, right, down, left = self._board.offsets
        reached = [origin]
        count = 0
        while reached:
            if missing.intersection(reached):
                found = missing.intersection(reached)
                lengths.update(dict.fromkeys(found, count))
                missing -= found
                if not missing:
                    break
            count += 1
            after = []
            for square in reached:
                for neighbour in (square + up, square + right, square + down, square + left):
                    if not seen[neighbour]:
                        seen[neighbour] = 1
                        after.append(neighbour)
            reached = after
        return lengths

    def _played(self, route: Sequence[_Place]) -> Plan:
        letters: list[str] = []
        boxes = self._state.boxes ^ 1 << self.box
        player = self._state.player
        for place, landing in pairwise(route):
            goal = place.box + self._board.offsets[landing.side]
            walk = find_walk(self._board, State(boxes | 1 << place.box, player), goal)
            assert walk is not None
            letters += [letter(direction, False) for direction in walk]
            letters.append(letter(Direction(landing.side ^ 2), True))
            player = place.box
        return Plan("".join(letters), len(letters), len(route) - 1)


def boxes_that_reach(board: Board, state: State, square: Square) -> Iterator[tuple[Square, int]]:
    """The boxes that can be pushed to a square while the others stand still, with the fewest pushes of each."""
    blocks = Blocks(board, state.boxes)
    for box in scan(_candidates(board, state, square)):
        pushes = BoxReach(board, state, box, blocks).pushes.get(square)
        if pushes is not None:
            yield box, pushes


def _candidates(board: Board, state: State, square: Square) -> Bitboard:
    """The boxes that could come to a square if those that can be pushed at all were air, the player everywhere."""
    free = board.floor & ~state.boxes
    region = flood(1 << state.player, free, board.stride)
    pushable = 1 << square & state.boxes
    for offset in board.offsets:
        pushable |= state.boxes & shift(region, offset) & shift(free, -offset)
    free |= pushable
    reached = 1 << square & free
    while True:
        grown = reached
        for offset in board.offsets:
            grown |= shift(grown, -offset) & shift(free, offset) & free
        if grown == reached:
            return pushable & reached
        reached = grown


@lru_cache(maxsize=16)
def _pushes_from(stride: int) -> tuple[tuple[tuple[int, int, bytes], ...], ...]:
    """For sides of the player the pushes: what is added to the box's square, the side after it, and what it joins."""
    offsets = (-stride, 1, stride, -1)
    return tuple(
        tuple((-offsets[side], 1 << side, JOINED_SIDES[side]) for side in range(4) if sides >> side & 1)
        for sides in range(16)
    )


def _blocked(board: Board, free: Bitboard) -> bytes:
    """For each square 15, all sides, where it is not free, else 0."""
    size = board.stride * board.height
    return f"{free:0{size}b}".encode("ascii")[::-1].translate(_BLOCKED_SIDES)
