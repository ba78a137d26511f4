"""Push planner: the squares one box can be pushed to while all others stay, and the moves that push it there.

The search runs over squares of the box, each with the sides the player can be on.  ``cut_vertices`` computes in advance
for the whole board between which sides the player can walk, so no search step needs a walk.  On ice the player can
follow a sliding box, and thus be on the same side of it again.

Routes are optimal by pushes or by moves.  A *leg* of a route is the walk to a push and that push, identified by the
square of the box before it and the side from which the player pushes: ``square << 2 | side``.  Afterwards the player is
on that square, usually next to the box, so the next walk goes around a corner of the box, or else is searched for.  All
results are cached, so routes to further squares cost little more.
"""

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, Square, bytes_of, flood, lowest, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.planner.cut_vertices import ALL_SIDES, JOINED_SIDES, CutVertices, Sides
from sokoterm.engine.slides import leading_to
from sokoterm.engine.steps import finish
from sokoterm.engine.value import UsageError

# Legs, and squares of a walk, between two yields: a few milliseconds.
_LEGS = 512
_SQUARES = 4096

_LETTERS = "urdl"
_SIDES_IN = tuple(tuple(side for side in range(4) if sides >> side & 1) for sides in range(16))

Leg = int
# Yields the number of squares or legs examined since the last yield, where the caller may pause or stop.
Steps = Generator[int, None, str]

# The box and the player before the first push.
_START: Leg = -1


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
    """The squares one box can be pushed to; ``pushes``: the fewest pushes to each, 0 to its own.

    Takes time linear in the board for each component of obstacles, and in the squares reached.
    """

    def __init__(
        self, board: Board, state: State, box: Square, cut_vertices: CutVertices | None = None, *, at_once: bool = True
    ) -> None:
        """Raise UsageError if there is no box on square ``box``.

        ``cut_vertices``: those of the state, to share between its boxes.  Without ``at_once``, ``pushes`` is complete
        only after ``explore`` is exhausted.
        """
        if not state.boxes >> box & 1:
            raise UsageError(f"there is no box at {board.row_column(box)}")
        self.box = box
        self._pushes = {box: 0}
        self.pushes: Mapping[Square, int] = MappingProxyType(self._pushes)
        pairs = (cut_vertices or CutVertices(board, state.boxes)).joined_pairs(box)
        self._routes = _Routes(board, state, box, pairs)
        if at_once:
            for _ in self.explore():
                pass

    def plan(self, square: Square, fewest: Fewest = Fewest.PUSHES) -> PushPlan:
        """Return the moves that push the box to a square; raise UsageError if it cannot be pushed there."""
        return finish(self.plan_in_steps(square, fewest))

    def plan_in_steps(self, square: Square, fewest: Fewest = Fewest.PUSHES) -> Generator[int, None, PushPlan]:
        """``plan`` in steps of a few milliseconds, yielding the number of legs examined; it may be abandoned."""
        if square not in self.pushes:
            raise UsageError("the box cannot be pushed to that square")
        if fewest is Fewest.PUSHES:
            lurd = yield from self._routes.fewest_pushes(square, self.pushes[square])
        else:
            lurd = yield from self._routes.fewest_moves(square)
        return PushPlan(lurd, len(lurd), sum(map(str.isupper, lurd)))

    def explore(self) -> Generator[int, None, None]:
        """Find all squares, one push further at a time, and yield the size of each new layer; may be abandoned."""
        pushes, routes = self._pushes, self._routes
        pairs, ice, table = routes.pairs, routes.ice, pushes_from(routes.offsets[Direction.DOWN])
        seen = bytearray(routes.blocked)
        seen[self.box] = routes.first_sides
        layer = [(self.box, routes.first_sides)]
        count = 0
        while layer:
            routes.layers.append(layer)
            count += 1
            reached = []
            for square, sides in layer:
                for offset, side, joined in table[sides]:
                    landing = square + offset
                    if ice and not routes.blocked[landing]:
                        landing = routes.end_of_slide(landing, offset)
                    known = seen[landing]
                    if not known & side:
                        if not known:
                            pushes[landing] = count
                        new = joined[pairs[landing]]
                        seen[landing] = known | new
                        reached.append((landing, new))
            layer = reached
            yield len(layer)


def boxes_that_reach(board: Board, state: State, square: Square) -> Iterator[tuple[Square, int]]:
    """Yield the boxes that can be pushed to a square while the others stay, with the fewest pushes of each."""
    cut_vertices = CutVertices(board, state.boxes)
    for box in scan(boxes_that_might_reach(board, state, square)):
        pushes = BoxReach(board, state, box, cut_vertices).pushes.get(square)
        if pushes is not None:
            yield box, pushes


def boxes_that_might_reach(board: Board, state: State, square: Square) -> Bitboard:
    """Return a superset of ``boxes_that_reach``: ignores the player and all boxes that can be pushed."""
    free = board.floor & ~state.boxes
    region = flood(1 << state.player, free, board.stride)
    pushable = 1 << square & state.boxes
    for offset in board.offsets:
        pushable |= state.boxes & shift(region, offset) & shift(free, -offset)
    free |= pushable
    return pushable & leading_to(1 << square & free, free, board)


@lru_cache(maxsize=16)
def pushes_from(stride: int) -> tuple[tuple[tuple[int, int, bytes], ...], ...]:
    """For each set of player's sides, the pushes: the box's offset, the player's side, and its ``JOINED_SIDES``."""
    offsets = (-stride, 1, stride, -1)
    return tuple(
        tuple((-offsets[side], 1 << side, JOINED_SIDES[side]) for side in range(4) if sides >> side & 1)
        for sides in range(16)
    )


class _Routes:
    """Routes of one box between others that do not move.

    ``blocked``: for each square ALL_SIDES if it is not free, else 0.  ``ice``: for each square 1 if it is ice; empty on
    a board without ice.  ``pairs``: for each square the sides joined around the box (see ``CutVertices.joined_pairs``).
    ``first_sides``: those the player can walk to before the first push.  ``layers``: for each number of pushes explored
    so far, the squares and player's sides first reached by it.
    """

    def __init__(self, board: Board, state: State, box: Square, pairs: bytes) -> None:
        free = board.floor & ~state.boxes
        self.offsets = board.offsets
        self.box, self.player = box, state.player
        self.blocked = bytes_of(free | 1 << box, board.size, 0, ALL_SIDES)
        self.ice = bytes_of(board.ice, board.size) if board.ice else b""
        self.pairs = pairs
        beside = flood(1 << state.player, free, board.stride) & sum(1 << box + offset for offset in board.offsets)
        # All sides within reach are joined, so any one of them gives the rest.
        self.first_sides = JOINED_SIDES[board.offsets.index(lowest(beside) - box)][pairs[box]] if beside else 0
        self.layers: list[list[tuple[Square, Sides]]] = []
        self._layer_sides: list[Mapping[Square, Sides]] = []
        # Lengths of walks by (box square, origin, target).
        self._lengths: dict[tuple[Square, Square, Square], int] = {}
        # Fewest moves up to a leg among routes with fewest pushes, and the leg before.
        self._by_pushes: dict[Leg, tuple[int, Leg]] = {}
        # Dijkstra: cost of each leg (see ``_find_fewest_moves``), leg before it, queue, cheapest leg to each square.
        self._costs: dict[Leg, int] = {_START: 0}
        self._before: dict[Leg, Leg] = {}
        self._pushes_bits = (board.size << 2).bit_length()
        self._waiting = [self._packed(0, _START)]
        self._best_leg = {box: _START}

    def end_of_slide(self, square: Square, offset: int) -> Square:
        while self.ice[square] and not self.blocked[square + offset]:
            square += offset
        return square

    def fewest_pushes(self, goal: Square, pushes: int) -> Steps:
        """Return the moves of a route with the fewest pushes, which are ``pushes``, then fewest moves."""
        best = self._by_pushes
        todo = []
        ends = wanted = set(self._legs_to(goal, ALL_SIDES, pushes))
        for depth in range(pushes, 0, -1):
            wanted = {leg for leg in wanted if leg not in best}
            todo.append((depth, wanted))
            wanted = {before for leg in wanted for before in self._legs_before(leg, depth)}
            yield len(wanted)
        for depth, legs in reversed(todo):
            for leg in legs:
                yield from self._settle(leg, depth)
            yield 0
        if not pushes:
            return ""
        _, _, last = min((*best[end], end) for end in ends)
        route = [last]
        for _ in range(pushes):
            route.append(best[route[-1]][1])
        return (yield from self._played(route[::-1]))

    def fewest_moves(self, goal: Square) -> Steps:
        """Return the moves of a route to a reachable square with the fewest moves, then fewest pushes."""
        yield from self._find_fewest_moves(goal)
        route = [self._best_leg[goal]]
        while route[-1] != _START:
            route.append(self._before[route[-1]])
        return (yield from self._played(route[::-1]))

    def _sides_of(self, depth: int) -> Mapping[Square, Sides]:
        """Return the player's sides first reached by ``depth`` pushes, by square of the box."""
        while len(self._layer_sides) <= depth:
            layer = self.layers[len(self._layer_sides)]
            sides_of = dict(layer)
            if len(sides_of) < len(layer):
                for square, sides in layer:
                    sides_of[square] |= sides
            self._layer_sides.append(sides_of)
        return self._layer_sides[depth]

    def _legs_to(self, square: Square, sides: Sides, depth: int) -> Iterator[Leg]:
        """Yield the legs whose push, number ``depth``, brings the box to a square, from one of these sides."""
        if depth:
            before = self._sides_of(depth - 1)
            for side in _SIDES_IN[sides & self._sides_of(depth)[square]]:
                offset = self.offsets[side]
                for origin in self._origins(square, offset) if self.ice else (square + offset,):
                    if before.get(origin, 0) >> side & 1:
                        yield origin << 2 | side

    def _origins(self, square: Square, offset: int) -> Iterator[Square]:
        """Yield the squares in line from which a push brings the box to a square, on a board with ice."""
        ice, blocked = self.ice, self.blocked
        if ice[square] and not blocked[square - offset]:
            return
        origin = square + offset
        yield origin
        while ice[origin] and not blocked[origin]:
            origin += offset
            yield origin

    def _legs_before(self, leg: Leg, depth: int) -> Iterator[Leg]:
        box = leg >> 2
        return self._legs_to(box, JOINED_SIDES[leg & 3][self.pairs[box]], depth - 1)

    def _settle(self, leg: Leg, depth: int) -> Generator[int, None, None]:
        side, box = leg & 3, leg >> 2
        target = box + self.offsets[side]
        if depth == 1:
            yield from self._find_walks(box, target, (self.player,))
            self._by_pushes[leg] = self._lengths[box, target, self.player] + 1, _START
            return
        known = []
        far = []
        for before in self._legs_before(leg, depth):
            steps = self._steps_round(box, before, side)
            if steps is None:
                far.append(before)
            else:
                known.append((self._by_pushes[before][0] + steps + 1, before))
        if far:
            origins = [before >> 2 for before in far]
            yield from self._find_walks(box, target, origins)
            for before, origin in zip(far, origins):
                known.append((self._by_pushes[before][0] + self._lengths[box, target, origin] + 1, before))
        self._by_pushes[leg] = min(known)

    def _packed(self, cost: int, leg: Leg) -> int:
        return cost << self._pushes_bits | leg + 1

    def _find_fewest_moves(self, goal: Square) -> Generator[int, None, None]:
        """Continue Dijkstra's algorithm until a square is settled; a cost is ``moves << bits | pushes``."""
        waiting, costs, bits = self._waiting, self._costs, self._pushes_bits
        mask = (1 << bits) - 1
        expanded = 0
        while goal not in self._best_leg:
            entry = heappop(waiting)
            cost, leg = entry >> bits, (entry & mask) - 1
            if cost != costs[leg]:
                continue
            expanded += 1
            if expanded % _LEGS == 0:
                yield _LEGS
            if leg == _START:
                box = self.box
            else:
                offset = -self.offsets[leg & 3]
                box = (leg >> 2) + offset
                if self.ice:
                    box = self.end_of_slide(box, offset)
            self._best_leg.setdefault(box, leg)
            for side, steps in (yield from self._walks_from(leg, box)):
                if not self.blocked[box - self.offsets[side]]:
                    after = box << 2 | side
                    total = cost + (steps + 1 << bits) + 1
                    if total < costs.get(after, total + 1):
                        costs[after] = total
                        self._before[after] = leg
                        heappush(waiting, self._packed(total, after))

    def _walks_from(self, leg: Leg, box: Square) -> Generator[int, None, list[tuple[int, int]]]:
        offsets = self.offsets
        if leg == _START:
            origin, sides = self.player, self.first_sides
        else:
            origin, sides = leg >> 2, JOINED_SIDES[leg & 3][self.pairs[box]]
        walks = []
        far = []
        for side in _SIDES_IN[sides]:
            steps = None if leg == _START else self._steps_round(box, leg, side)
            if steps is None:
                far.append(side)
            else:
                walks.append((side, steps))
        if far:
            yield from self._find_walks(box, origin, [box + offsets[side] for side in far])
            walks += [(side, self._lengths[box, origin, box + offsets[side]]) for side in far]
        return walks

    def _steps_round(self, box: Square, leg: Leg, side: int) -> int | None:
        """Return the length of the walk around the box after a leg; None if blocked, or if the box has slid away."""
        own = leg & 3
        if self.ice and leg >> 2 != box + self.offsets[own]:
            return None
        if own == side:
            return 0
        blocked, here, there = self.blocked, self.offsets[own], self.offsets[side]
        if here != -there:
            return None if blocked[box + here + there] else 2
        return None if self._way_across(box, own) is None else 4

    def _way_across(self, box: Square, own: int) -> int | None:
        """Return the side of the box along which the player can walk straight to the opposite side, or None."""
        blocked, here = self.blocked, self.offsets[own]
        for side in (own + 1 & 3, own + 3 & 3):
            square = box + self.offsets[side]
            if not (blocked[square + here] or blocked[square] or blocked[square - here]):
                return side
        return None

    def _find_walks(self, box: Square, origin: Square, targets: Sequence[Square]) -> Generator[int, None, None]:
        """Cache the lengths of shortest walks past the box between a square and ``targets``, all reachable from it."""
        missing = {target for target in targets if (box, origin, target) not in self._lengths}
        if missing:
            came_by = yield from self._spread(box, origin, missing)
            for target in missing:
                length = len(self._walk_back(came_by, origin, target))
                self._lengths[box, origin, target] = self._lengths[box, target, origin] = length

    def _spread(self, box: Square, origin: Square, targets: Collection[Square]) -> Generator[int, None, bytearray]:
        """Search from a square until all ``targets`` are reached; return the step to each square, from 1."""
        missing = {*targets}
        up, right, down, left = self.offsets
        came_by = bytearray(self.blocked)
        came_by[box] = came_by[origin] = 15
        reached = [origin]
        due = _SQUARES
        for square in reached:
            if square in missing:
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
        return came_by

    def _walk_back(self, came_by: bytearray, origin: Square, target: Square) -> str:
        letters = []
        while target != origin:
            direction = came_by[target] - 1
            letters.append(_LETTERS[direction])
            target -= self.offsets[direction]
        return "".join(reversed(letters))

    def _played(self, route: Sequence[Leg]) -> Steps:
        letters = []
        for number, (before, leg) in enumerate(pairwise(route)):
            side, box = leg & 3, leg >> 2
            if before != _START and self._steps_round(box, before, side) is not None:
                letters.append(self._round(box, before & 3, side))
            else:
                origin, target = self.player if before == _START else before >> 2, box + self.offsets[side]
                came_by = yield from self._spread(box, origin, (target,))
                letters.append(self._walk_back(came_by, origin, target))
            letters.append(_LETTERS[side ^ 2].upper())
            if number % _LEGS == 0:
                yield 0
        return "".join(letters)

    def _round(self, box: Square, own: int, side: int) -> str:
        if own == side:
            return ""
        if own ^ side != 2:
            return _LETTERS[side] + _LETTERS[own ^ 2]
        across = self._way_across(box, own)
        assert across is not None
        return _LETTERS[across] + _LETTERS[own ^ 2] * 2 + _LETTERS[across ^ 2]
