"""Where one box can be pushed while all others stand still, and the moves that push it there.

What is searched are places of the box, each with the sides on which the player can be: between which of them it can
walk, ``blocks`` says for the whole board beforehand, so no step of the search looks for the player.
"""

from collections.abc import Generator, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, flood, lowest, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.planner.box_routes import BoxRoutes
from sokoterm.engine.planner.cut_vertices import ALL_SIDES, JOINED_SIDES, CutVertices, Sides

# Rounds in which a player near the box is met with; for one further away the whole area is filled.
_NEAR = 32

_BLOCKED_SIDES = bytes.maketrans(b"01", bytes((ALL_SIDES, 0)))


class Fewest(StrEnum):
    """What a plan has fewest of; the other decides between equals."""

    PUSHES = "pushes"
    MOVES = "moves"


class PushPlan(NamedTuple):
    """Moves that bring a box to a square."""

    lurd: str
    moves: int
    pushes: int


class BoxReach:
    """The squares to which one box can be pushed; ``pushes`` has the fewest for each, 0 for its own.

    Takes time linear in the board for each piece of obstacles, and in the squares reached.
    """

    def __init__(
        self, board: Board, state: State, box: Square, blocks: CutVertices | None = None, *, at_once: bool = True
    ) -> None:
        """``blocks`` are those of the state's boxes, for who asks for several; raises ValueError for none there.

        With ``at_once`` false ``pushes`` are complete only after ``explore`` has come to its end.
        """
        if not state.boxes >> box & 1:
            raise ValueError(f"no box stands on square {box}")
        self.box = box
        self._board = board
        self._state = state
        self._free = board.floor & ~state.boxes | 1 << box
        self._pairs = (blocks or CutVertices(board, state.boxes)).joined_pairs(box)
        self._blocked = _blocked(board, self._free)
        self._first_sides = self._find_first_sides()
        # For each number of pushes the squares that it first reaches with the player on some sides.
        self._layers: list[list[tuple[Square, Sides]]] = []
        self._routes: BoxRoutes | None = None
        self._pushes = {box: 0}
        self.pushes: Mapping[Square, int] = MappingProxyType(self._pushes)
        if at_once:
            for _ in self.explore():
                pass

    def plan(self, square: Square, fewest: Fewest = Fewest.PUSHES) -> PushPlan:
        """The moves that push the box to a square; raises ValueError where it cannot come there."""
        steps = self.plan_in_steps(square, fewest)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                plan: PushPlan = end.value
                return plan

    def plan_in_steps(self, square: Square, fewest: Fewest = Fewest.PUSHES) -> Generator[int, None, PushPlan]:
        """The same with a break every few milliseconds, in which it may be given up.

        Yields how many places have been looked at since the last time.  What was found stays for the next plan.
        """
        if square not in self.pushes:
            raise ValueError(f"the box cannot be pushed to square {square}")
        if self._routes is None:
            self._routes = BoxRoutes(
                self._board, self._state, self.box, self._blocked, self._pairs, self._first_sides, self._layers
            )
        if fewest is Fewest.PUSHES:
            lurd = yield from self._routes.fewest_pushes(square, self.pushes[square])
        else:
            lurd = yield from self._routes.fewest_moves(square)
        return PushPlan(lurd, len(lurd), sum(map(str.isupper, lurd)))

    def explore(self) -> Generator[int, None, None]:
        """Find all squares, with a break after each push in which it may be given up; yields how many are new."""
        pushes = self._pushes
        pairs, table = self._pairs, pushes_from(self._board.stride)
        seen = bytearray(self._blocked)
        seen[self.box] = self._first_sides
        layer = [(self.box, self._first_sides)]
        count = 0
        while layer:
            self._layers.append(layer)
            count += 1
            reached = []
            for square, sides in layer:
                for offset, side, joined in table[sides]:
                    landing = square + offset
                    known = seen[landing]
                    if not known & side:
                        if not known:
                            pushes[landing] = count
                        new = joined[pairs[landing]]
                        seen[landing] = known | new
                        reached.append((landing, new))
            layer = reached
            yield len(layer)

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


def boxes_that_reach(board: Board, state: State, square: Square) -> Iterator[tuple[Square, int]]:
    """The boxes that can be pushed to a square while the others stand still, with the fewest pushes of each."""
    blocks = CutVertices(board, state.boxes)
    for box in scan(boxes_that_might_reach(board, state, square)):
        pushes = BoxReach(board, state, box, blocks).pushes.get(square)
        if pushes is not None:
            yield box, pushes


def boxes_that_might_reach(board: Board, state: State, square: Square) -> Bitboard:
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
def pushes_from(stride: int) -> tuple[tuple[tuple[int, int, bytes], ...], ...]:
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
