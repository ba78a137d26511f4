"""Prunings that keep a solution: PI-corrals, tunnels, and pairs and triples of boxes that occur in no solution.

A *corral* is an area that the player cannot enter; its fence is the boxes around it.  If every push that could be the
first of a fence box leads into the corral (I-corral) and can be made now (PI-corral), no other push needs to be tried,
provided the corral needs a push: it has an empty goal, or a fence box off the goals.  (Sokoban Wiki, "Sokoban solver
scientific approach" and "Corral"; PI-corral pruning comes from Brian Damgaard's YASS.)

Pruning by a PI-corral keeps an optimal solution.  Until its first push of a fence box, the fence is unchanged: neither
the player nor a box enters the corral.  Making that push immediately only fills a square of the corral, and frees the
square where the player then is, next to the player's area.  Everything before that push can still be done in the same
order and leads to the same position with the same number of pushes, of which a push of the fence is now the first.

With all other boxes removed, two or three boxes can reach only some arrangements by pushes from their starts, or by
pulls from goals.  Any other arrangement of two or three boxes is on no path from start to end.  The tables come from
exhaustive search of these small problems; Junghanns and Schaeffer find such patterns during the search ("Sokoban:
enhancing general single-agent search methods using domain knowledge", Artificial Intelligence 129, 2001).
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import combinations
from math import comb

from sokoterm.engine.bits import (
    DIRECTIONS,
    Bitboard,
    Direction,
    Square,
    bitboard_of,
    flood,
    regions,
    scan,
    shift,
    squares_of,
)
from sokoterm.engine.board import Board, State
from sokoterm.engine.reach import region_after
from sokoterm.solver.common.lower_bound import Distances
from sokoterm.solver.search import Meter, Progress

# Most closed areas examined, and most rounds of growing one, to limit the cost on a huge board.
_MOST_AREAS = 16
_MOST_ROUNDS = 16


class PiCorrals:
    """PI-corral finder for one board.

    ``live[direction]``: squares on which a box pushed in that direction can still reach a goal; no solution pushes to
    any other.  ``frozen``: returns the boxes of a set that no solution pushes.  ``adds_boxes``: let a box that blocks a
    push join the fence, which finds more PI-corrals; FESS solves more levels without, and with the smallest fence.
    """

    def __init__(
        self, board: Board, live: Sequence[Bitboard], frozen: Callable[[Bitboard], Bitboard], *, adds_boxes: bool
    ) -> None:
        self._floor = board.floor
        self._goals = board.goals
        self._stride = board.stride
        self._axes = tuple(zip(board.offsets, live))
        self._frozen = frozen
        self._adds_boxes = adds_boxes

    def fence(self, boxes: Bitboard, region: Bitboard) -> Bitboard | None:
        """Return the smallest PI-corral's fence, or None; if no box of it can be pushed in, the position is dead."""
        closed = self._floor & ~boxes & ~region
        if not closed:
            return None
        frozen = self._frozen(boxes)
        # No PI-corral contains a box that can be pushed now within the player's area.
        outwards = 0
        for offset, live in self._axes:
            outwards |= boxes & shift(region, offset) & shift(region & live, -offset)
        best: Bitboard | None = None
        fewest = 0
        for _ in range(_MOST_AREAS):
            if not closed:
                break
            corral = flood(closed & -closed, closed, self._stride)
            closed &= ~corral
            found = self._grown(corral, boxes, region, frozen, outwards)
            if found is not None and (best is None or found[1] < fewest):
                best, fewest = found
        return best

    def _grown(
        self, corral: Bitboard, boxes: Bitboard, region: Bitboard, frozen: Bitboard, outwards: Bitboard
    ) -> tuple[Bitboard, int] | None:
        """Grow a corral to a PI-corral; return its fence and size (pushes, or else boxes), or None if that fails.

        Closed areas and, if allowed, boxes are added as needed: a box that blocks a push may move away later, unless it
        becomes part of the fence.
        """
        stride = self._stride
        closed = self._floor & ~boxes & ~region
        fence = 0
        for _ in range(_MOST_ROUNDS):
            fence |= (corral << 1 | corral >> 1 | corral << stride | corral >> stride) & boxes
            if fence & outwards:
                return None
            room = self._floor & ~fence & ~frozen
            movable, outside = fence & ~frozen, room & ~corral
            pushes = others = 0
            for offset, live in self._axes:
                # From outside the corral, unless a wall, the fence or a frozen box prevents it.
                possible = movable & shift(outside, offset) & shift(room & live, -offset)
                if not possible:
                    continue
                inwards = possible & shift(region, offset) & shift(corral, -offset)
                pushes += inwards.bit_count()
                if rest := possible ^ inwards:
                    others |= shift(rest, offset) & ~corral | shift(rest, -offset) & ~region
            if not self._adds_boxes and others & ~closed:
                return None
            others &= ~region
            if not others:
                has_work = fence & ~self._goals or corral & self._goals
                return (fence, pushes if self._adds_boxes else fence.bit_count()) if has_work else None
            fence |= others & boxes
            if areas := others & closed:
                corral |= flood(areas, closed, stride)
        return None


# Squares that take as much work as a child.
_SQUARES = 256

# Most arrangements of two boxes, and of three, that get tables: about half a second of work each.
_MOST_ARRANGEMENTS = {2: 20_000, 3: 60_000}


def make_tunnels(distances: Distances, meter: Meter) -> Generator[Progress, None, Sequence[Bitboard]]:
    """Return for each direction the *tunnels*: squares from which a box pushed in that direction must be pushed on.

    If a lone box separates the player from the square ahead of it, cannot be pushed sideways and is not on a goal, it
    must be pushed straight on at some point, and may as well be pushed on immediately: anything done before happens on
    the player's side of the box and cannot interfere with a box one square further on.  A solution with fewest pushes
    survives, though maybe not one with fewest moves.
    """
    goals = distances.board.goals
    found = []
    for direction in DIRECTIONS:
        squares = 0
        for count, square in enumerate(squares_of(distances.live[direction] & ~goals)):
            if count % _SQUARES == 0 and meter.is_due():
                yield meter.progress()
            if _must_go_on(distances, direction, square):
                squares |= 1 << square
        found.append(squares)
    return found


def _must_go_on(distances: Distances, direction: Direction, square: Square) -> bool:
    offsets, behind = distances.board.offsets, distances.behind
    place = behind[direction][square]
    if behind[direction.opposite][square] == place:
        return False
    return not any(
        behind[each][square] == place and distances.live[each] >> square + offsets[each] & 1
        for each in DIRECTIONS
        if each not in (direction, direction.opposite)
    )


class UnreachableSubsets:
    """Table of pairs and triples of boxes that cannot occur, looked up by the box just moved."""

    def __init__(self, board: Board) -> None:
        size = board.stride * board.height
        self._board = board
        # By the player's side and the square of a box beside the player: squares where no second box can be.
        self._pairs = [[0] * size for _ in board.offsets]
        # The same for two more boxes: squares of the higher by the bit of the lower, and all lower ones.
        self._higher: list[list[dict[Bitboard, Bitboard]]] = [[{} for _ in range(size)] for _ in board.offsets]
        self._lower = [[0] * size for _ in board.offsets]

    def are_among(self, boxes: Bitboard, square: Square, side: Direction) -> bool:
        """True if the box on a square, with the player beside it on ``side``, is in an unreachable pair or triple."""
        if boxes & self._pairs[side][square]:
            return True
        lower = boxes & self._lower[side][square]
        while lower:
            bit = lower & -lower
            if boxes & self._higher[side][square][bit]:
                return True
            lower ^= bit
        return False

    def note(self, boxes: tuple[Square, ...], walks: Bitboard) -> None:
        """Add a pair or triple of boxes that occurs only with the player on one of the squares ``walks``."""
        whole = bitboard_of(boxes)
        closed = self._board.floor & ~whole & ~walks
        if not closed:
            return
        for square in boxes:
            others = whole ^ 1 << square
            lower = others & -others
            for side, offset in enumerate(self._board.offsets):
                if not closed >> square + offset & 1 or others & self._pairs[side][square]:
                    continue
                if others == lower:
                    self._pairs[side][square] |= others
                else:
                    self._lower[side][square] |= lower
                    higher = self._higher[side][square]
                    higher[lower] = higher.get(lower, 0) | others ^ lower


def unreachable_from_start(
    board: Board, start: State, squares: Bitboard, meter: Meter
) -> Generator[Progress, None, UnreachableSubsets]:
    """Find the subsets that pushes from the start cannot produce; ``squares``: those that boxes can reach."""
    return (yield from _find_unreachable(board, squares, start.boxes, 1 << start.player, meter, pulls=False))


def unable_to_reach_goals(
    board: Board, squares: Bitboard, meter: Meter
) -> Generator[Progress, None, UnreachableSubsets]:
    """Find the subsets from which pushes cannot reach goals; ``squares``: those from which a box can reach a goal."""
    return (yield from _find_unreachable(board, squares, board.goals, 0, meter, pulls=True))


def _find_unreachable(
    board: Board, squares: Bitboard, first: Bitboard, player: Bitboard, meter: Meter, *, pulls: bool
) -> Generator[Progress, None, UnreachableSubsets]:
    """Find the subsets that pushes or pulls from ``first`` cannot produce; ``player`` 0: start in any area."""
    unreachable = UnreachableSubsets(board)
    for count, most in _MOST_ARRANGEMENTS.items():
        if count > board.goals.bit_count() or comb(squares.bit_count(), count) > most:
            break
        beginnings = map(bitboard_of, combinations(scan(first), count))
        free = ((boxes, board.floor & ~boxes) for boxes in beginnings)
        positions = (
            (boxes, area)
            for boxes, left in free
            for area in ([flood(player, left, board.stride)] if player else regions(left, board.stride))
        )
        walked = yield from _walked(board, positions, meter, pulls=pulls)
        for boxes in combinations(scan(squares), count):
            unreachable.note(boxes, walked.get(bitboard_of(boxes), 0))
            if meter.is_due():
                yield meter.progress()
    return unreachable


def _walked(
    board: Board, positions: Iterable[tuple[Bitboard, Bitboard]], meter: Meter, *, pulls: bool
) -> Generator[Progress, None, dict[Bitboard, Bitboard]]:
    """Return every set of boxes reachable from positions with areas, with all squares the player can be on."""
    floor, stride = board.floor, board.stride
    walked: dict[Bitboard, Bitboard] = {}
    waiting: list[tuple[Bitboard, Bitboard]] = []
    for boxes, region in positions:
        walked[boxes] = walked.get(boxes, 0) | region
        waiting.append((boxes, region))
        if meter.is_due():
            yield meter.progress()
    while waiting:
        boxes, region = waiting.pop()
        free = floor & ~boxes
        if meter.is_due():
            yield meter.progress()
        for box in scan(boxes):
            for offset in board.offsets:
                landing = box + offset
                stands, player = (landing, landing + offset) if pulls else (box - offset, box)
                if not region >> stands & 1 or not free >> landing & 1 or pulls and not free >> player & 1:
                    continue
                after = boxes ^ (1 << box | 1 << landing)
                known = walked.get(after, 0)
                if not known >> player & 1:
                    reached = region_after(region, 1 << player, 1 << box, landing, floor & ~after, stride)
                    walked[after] = known | reached
                    waiting.append((after, reached))
    return walked
