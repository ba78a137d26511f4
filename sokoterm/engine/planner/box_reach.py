"""Push planner: the squares one box can be pushed to while all others stand still, and the moves that push it there.

The search runs over squares of the box, each with the sides the player can be on.  ``cut_vertices`` computes for the
whole board, in advance, between which sides the player can walk, so no search step needs a walk.  Boards with ice have
a search of their own (``sliding_routes``).
"""

from collections.abc import Generator, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, flood, lowest, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.planner.box_routes import MOST_KEPT, BoxRoutes
from sokoterm.engine.planner.cut_vertices import ALL_SIDES, JOINED_SIDES, CutVertices, Sides
from sokoterm.engine.planner.sliding_routes import SlidingRoutes
from sokoterm.engine.slices import finish

# Fill rounds to find a player near the box; after them the whole area is filled.
_NEAR = 32

_BLOCKED_SIDES = bytes.maketrans(b"01", bytes((ALL_SIDES, 0)))


class Fewest(StrEnum):
    """The metric a plan minimizes; the other one breaks ties."""

    PUSHES = "pushes"
    MOVES = "moves"


class PushPlan(NamedTuple):
    """Moves that push a box to a square, with their metrics."""

    lurd: str
    moves: int
    pushes: int


class BoxReach:
    """The squares one box can be pushed to; ``pushes`` has the fewest pushes to each, 0 for its own.

    Takes time linear in the board for each component of obstacles, and in the squares reached.
    """

    def __init__(
        self,
        board: Board,
        state: State,
        box: Square,
        cut_vertices: CutVertices | None = None,
        *,
        at_once: bool = True,
        most_kept: int = MOST_KEPT,
    ) -> None:
        """Raise ValueError if there is no box on square ``box``.

        ``cut_vertices``: those of the state, to share between its boxes.  With ``at_once`` false, ``pushes`` is
        complete only after ``explore`` is exhausted.  ``most_kept``: the most moves in the walks kept for later plans.
        """
        if not state.boxes >> box & 1:
            raise ValueError(f"no box stands on square {box}")
        self.box = box
        self._board = board
        self._state = state
        self._most_kept = most_kept
        self._pushes = {box: 0}
        self.pushes: Mapping[Square, int] = MappingProxyType(self._pushes)
        has_ice = board.variant is not None and board.variant.ice
        self._sliding = SlidingRoutes(board, state, box) if has_ice else None
        if self._sliding is None:
            self._prepare(cut_vertices or CutVertices(board, state.boxes))
        if at_once:
            for _ in self.explore():
                pass

    def _prepare(self, cut_vertices: CutVertices) -> None:
        """Make the tables of a board without ice."""
        board = self._board
        self._free = board.floor & ~self._state.boxes | 1 << self.box
        self._pairs = cut_vertices.joined_pairs(self.box)
        self._blocked = _blocked(board, self._free)
        self._first_sides = self._find_first_sides()
        # For each number of pushes, the squares and player's sides first reached by it.
        self._layers: list[list[tuple[Square, Sides]]] = []
        self._routes: BoxRoutes | None = None

    def plan(self, square: Square, fewest: Fewest = Fewest.PUSHES) -> PushPlan:
        """Return the moves that push the box to a square; raise ValueError if it cannot be pushed there."""
        return finish(self.plan_in_steps(square, fewest))

    def plan_in_steps(self, square: Square, fewest: Fewest = Fewest.PUSHES) -> Generator[int, None, PushPlan]:
        """Do the work of ``plan`` in steps of a few milliseconds; it may be abandoned between them.

        Yields the number of places examined since the last step.  Results are kept for the next plan.
        """
        if square not in self.pushes:
            raise ValueError(f"the box cannot be pushed to square {square}")
        if self._sliding is not None:
            lurd = yield from self._sliding.best(square, by_pushes=fewest is Fewest.PUSHES)
            return PushPlan(lurd, len(lurd), sum(map(str.isupper, lurd)))
        if self._routes is None:
            self._routes = BoxRoutes(
                self._board,
                self._state,
                self.box,
                self._blocked,
                self._pairs,
                self._first_sides,
                self._layers,
                self._most_kept,
            )
        if fewest is Fewest.PUSHES:
            lurd = yield from self._routes.fewest_pushes(square, self.pushes[square])
        else:
            lurd = yield from self._routes.fewest_moves(square)
        return PushPlan(lurd, len(lurd), sum(map(str.isupper, lurd)))

    def explore(self) -> Generator[int, None, None]:
        """Find all squares, one push further at a time; yield the size of each new layer.  May be abandoned there."""
        pushes = self._pushes
        if self._sliding is not None:
            yield from self._sliding.explore(pushes)
            return
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
        """Return the sides the player can walk to before the first push; none if it cannot get to the box."""
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
        # All sides within reach are joined, so any one of them gives the rest.
        side = board.offsets.index(lowest(met) - self.box)
        return JOINED_SIDES[side][self._pairs[self.box]]


def boxes_that_reach(board: Board, state: State, square: Square) -> Iterator[tuple[Square, int]]:
    """Yield the boxes that can be pushed to a square while the others stand still, with the fewest pushes of each."""
    cut_vertices = CutVertices(board, state.boxes)
    for box in scan(boxes_that_might_reach(board, state, square)):
        pushes = BoxReach(board, state, box, cut_vertices).pushes.get(square)
        if pushes is not None:
            yield box, pushes


def boxes_that_might_reach(board: Board, state: State, square: Square) -> Bitboard:
    """Return a superset of the boxes that can reach a square: ignores the player and all boxes that can be pushed."""
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
    """For each set of player's sides, its pushes: the box's offset, the player's side after it, and ``JOINED_SIDES``
    of that side.
    """
    offsets = (-stride, 1, stride, -1)
    return tuple(
        tuple((-offsets[side], 1 << side, JOINED_SIDES[side]) for side in range(4) if sides >> side & 1)
        for sides in range(16)
    )


def _blocked(board: Board, free: Bitboard) -> bytes:
    """For each square, 15 (all sides) if it is not free, else 0."""
    size = board.stride * board.height
    return f"{free:0{size}b}".encode("ascii")[::-1].translate(_BLOCKED_SIDES)
