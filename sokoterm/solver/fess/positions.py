"""Plan-independent facts about positions: forward macro moves, deadlocks, and paths of boxes.

The searches of a level, each with its plan, keep reaching the same positions, so they share the moves.

The path of a box to a target is the one with the fewest boxes in the way.  It is a relaxation, good enough for advice
and for measuring how far a path is cleared: boxes may be crossed at a cost of one each.
"""

from array import array
from collections.abc import Generator, Iterable
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, beside, bitboard_of, flood, lowest, scan
from sokoterm.engine.board import Board
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.planner.cut_vertices import JOINED_SIDES
from sokoterm.solver.common.board_tables import BoardTables, make_tables
from sokoterm.solver.common.prunings import PiCorrals
from sokoterm.solver.common.state_space import Packing
from sokoterm.solver.fess.macro import MANY_LANDINGS, door_test, lifts
from sokoterm.solver.search import Meter, Progress


class BoxPath(NamedTuple):
    """Path: ``squares`` that the box crosses or the player pushes from, and ``blockers``, the other boxes on it."""

    squares: Bitboard
    blockers: Bitboard


class _PathStep(NamedTuple):
    """A box on a square with the player on a side of it, and the next step of its path; None at the target."""

    square: Square
    side: int
    onward: "_PathStep | None"


def find_path(
    tables: BoardTables, boxes: Bitboard, region: Bitboard, walls: Bitboard, candidates: Bitboard, targets: Bitboard
) -> BoxPath | None:
    """Return the path with the fewest boxes on it from a candidate to a target, with ``walls`` fixed, or None."""
    lone = tables.lone_beside(walls)
    first = _cheapest(tables.board, lone, boxes, region, candidates, targets)
    return None if first is None else _followed(tables.board, lone, boxes, region, first)


def _cheapest(
    board: Board, lone: LoneBox, boxes: Bitboard, region: Bitboard, candidates: Bitboard, targets: Bitboard
) -> _PathStep | None:
    """Return the first step of the cheapest path, found backwards from the targets by pulls, cheapest first.

    A box on a square that is crossed or pushed from costs one, and so does a blocked walk around the moving box.
    """
    offsets, free, pairs = board.offsets, lone.free, lone.pairs
    walks = LoneBox(board, boxes).pairs
    ends = [_PathStep(target, side, None) for target in scan(targets & free) for side in range(4)]
    waiting = {0: [end for end in ends if free >> end.square + offsets[end.side] & 1]}
    seen: set[tuple[Square, int]] = set()
    best: tuple[int, _PathStep] | None = None
    while waiting:
        cost = min(waiting)
        if best is not None and best[0] <= cost:
            break
        layer = waiting.pop(cost)
        for place in layer:
            square, side, _ = place
            origin = square + offsets[side]
            player = origin + offsets[side]
            if (square, side) in seen or not free >> origin & 1 or not free >> player & 1:
                continue
            seen.add((square, side))
            price = cost + (boxes >> player & 1)
            if candidates >> origin & 1:
                whole = price + (region >> player & 1 ^ 1)
                if best is None or whole < best[0]:
                    best = whole, _PathStep(origin, side, place)
            price += boxes >> origin & 1
            near = JOINED_SIDES[side][walks[origin]] | 1 << side
            for new in range(4):
                if JOINED_SIDES[side][pairs[origin]] >> new & 1 and (origin, new) not in seen:
                    total = price + (near >> new & 1 ^ 1)
                    (layer if total == cost else waiting.setdefault(total, [])).append(_PathStep(origin, new, place))
    return None if best is None else best[1]


def _followed(board: Board, lone: LoneBox, boxes: Bitboard, region: Bitboard, place: _PathStep) -> BoxPath:
    others = boxes ^ 1 << place.square
    free = lone.free & ~others
    squares = blockers = 0
    stands = region
    while place.onward is not None:
        box = 1 << place.square
        # The player is opposite the box's next square.
        player = 1 << 2 * place.square - place.onward.square
        if not stands & player:
            stands = flood(stands, free & ~box | stands, board.stride)
            if not stands & player:
                blockers |= _walked_over(lone.free & ~box, others, stands, player, board.stride)
        squares |= player | 1 << place.onward.square
        stands = box
        place = place.onward
    return BoxPath(squares, others & (squares | blockers))


def _walked_over(free: Bitboard, others: Bitboard, region: Bitboard, goal: Bitboard, stride: int) -> Bitboard:
    """Return the boxes on a walk to a square that crosses the fewest; 0 if there is no walk."""
    layers = [flood(region & free, free & ~others | region & free, stride)]
    while not layers[-1] & goal:
        last = layers[-1]
        grown = beside(last, stride) & free & ~last
        if not grown:
            return 0
        layers.append(flood(last | grown, last | grown | free & ~others, stride))
    crossed = 0
    for inner in reversed(layers[:-1]):
        room = flood(goal, free & ~others | goal, stride)
        edge = beside(room, stride) & others & free & beside(inner, stride)
        if not edge:
            return crossed
        crossed |= edge & -edge
        goal = beside(edge & -edge, stride) & inner
        goal &= -goal
    return crossed


# Macro move: the box's square before and after it, then the lowest square of the player's region, the numbers of
# regions and hotspots after it, and whether it opens a door.
Push = tuple[Square, Square, Square, int, int, int]
_FIGURES = 6

# Most moves cached: 12 bytes each on most boards, plus an overhead per position.  The first ones are kept: positions
# met early recur most often.
_POSITION_AS_PUSHES = 30
_MOST_PUSHES = 3_500_000


class Positions:
    """Positions of one level with a cache of their moves; ``is_plain``: boxes are all alike."""

    is_plain = True

    def __init__(
        self,
        tables: BoardTables,
        detector: DeadlockDetector,
        meter: Meter,
        boxes: Bitboard,
        region: Bitboard,
        most_pushes: int = _MOST_PUSHES,
    ) -> None:
        """``boxes`` and the player's ``region`` are the start; ``most_pushes`` are cached."""
        self.tables = tables
        self.detector = detector
        self.meter = meter
        self.start_boxes = boxes
        self.start_region = region
        self.bits = Packing(tables.board).bits
        self._corrals = PiCorrals(tables.board, [tables.live] * 4, tables.frozen, adds_boxes=False)
        # Moves of a position within PI-corrals, flattened, by its key.
        self._pushes: dict[int, array[int]] = {}
        self._typecode = "H" if tables.stride * tables.board.height < 1 << 16 else "I"
        self._left = most_pushes

    def key(self, boxes: Bitboard, player: Square) -> int:
        """Return the key of a position; ``player``: lowest square of the player's region."""
        return boxes << self.bits | player

    def region_unless_dead(self, boxes: Bitboard, player: Square) -> Bitboard:
        """Return the squares the player can walk to from a square, or 0 if the position is proven dead."""
        region = self.tables.region(boxes, player)
        return 0 if self.detector.is_dead(boxes, region) else region

    def find_path(
        self, boxes: Bitboard, region: Bitboard, walls: Bitboard, candidates: Bitboard, targets: Bitboard
    ) -> BoxPath | None:
        return find_path(self.tables, boxes, region, walls, candidates, targets)

    def pushes(self, boxes: Bitboard, region: Bitboard, *, prunes: bool) -> Generator[Progress, None, Iterable[Push]]:
        """Return the macro moves of a position that freeze no box off the goals.

        ``prunes``: if there is a PI-corral, return only its moves.  Only pruned moves are cached, since searches that
        want all moves are long and seldom return to a position.
        """
        key = self.key(boxes, lowest(region))
        pushes = self._pushes.get(key) if prunes else None
        if pushes is None:
            pushes = yield from self._find(boxes, region, prunes=prunes)
            if prunes and self._left > 0:
                self._pushes[key] = pushes
                self._left -= _POSITION_AS_PUSHES + len(pushes) // _FIGURES
        each = iter(pushes)
        return zip(each, each, each, each, each, each, strict=True)

    def hotspots(self, boxes: Bitboard) -> Generator[Progress, None, int]:
        yield from self._look_at(boxes)
        return self.tables.hotspots.count(boxes)

    def _look_at(self, squares: Bitboard) -> Generator[Progress, None, None]:
        """Compute the hotspots of squares, which is required before counting any there."""
        hotspots = self.tables.hotspots
        for square in scan(squares & hotspots.unknown):
            yield self.meter.progress()
            hotspots.look_at(square)

    def _find(self, boxes: Bitboard, region: Bitboard, *, prunes: bool) -> Generator[Progress, None, "array[int]"]:
        tables, goals = self.tables, self.tables.goals
        yield from self._look_at(boxes)
        movable = boxes & ~tables.frozen(boxes)
        if prunes:
            fence = self._corrals.fence(boxes, region)
            movable = movable if fence is None else movable & fence
        hotspots_without = tables.hotspots.lifting(boxes)
        opens_door = door_test(tables, boxes, region, pulls=False)
        found = array(self._typecode)
        since_yield = 0
        for box, area, beyond, reached in lifts(tables, boxes, region, tables.live, movable, pulls=False):
            others = boxes ^ 1 << box
            since_yield += len(reached)
            if since_yield >= MANY_LANDINGS:
                since_yield = 0
                yield self.meter.progress()
            if tables.hotspots.unknown & area & tables.live & ~others:
                yield from self._look_at(bitboard_of(square for square, _, _ in reached))
            hotspots = hotspots_without(box)
            stuck = tables.stuck_beside(others)
            for square, after, pieces in reached:
                there = others | 1 << square
                if stuck >> square & 1 and tables.frozen(there) & ~goals:
                    continue
                # ``lowest(after)`` inlined, in two thirds of the time.
                player = (after & -after).bit_length() - 1
                opens = opens_door(there, after, box, square)
                found.extend((box, square, player, beyond + pieces, hotspots(square), opens))
        return found


def make_positions(
    board: Board, boxes: Bitboard, region: Bitboard, meter: Meter
) -> Generator[Progress, None, Positions | None]:
    """Make the positions of a board; None if the start is dead."""
    tables = yield from make_tables(board, meter)
    detector = DeadlockDetector(board, open_board=tables.open)
    if boxes & ~tables.live or detector.is_dead(boxes, region) and boxes != board.goals:
        return None
    return Positions(tables, detector, meter, boxes, region)
