"""The path of a box to a target square with the fewest boxes in the way.

A relaxation, good enough for advice and to measure how far a path is cleared: boxes may be crossed, each at a cost of
one.
"""

from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, beside, flood, scan
from sokoterm.engine.board import Board
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.planner.cut_vertices import JOINED_SIDES
from sokoterm.solver.common.board_tables import BoardTables


class BoxPath(NamedTuple):
    """A path: ``squares`` that the box crosses or the player pushes from, and the other boxes on it, ``blockers``."""

    squares: Bitboard
    blockers: Bitboard


class _PathStep(NamedTuple):
    """A box on a square with the player on a side of it, and the next step of its path, None at the target."""

    square: Square
    side: int
    onward: "_PathStep | None"


def find_path(
    tables: BoardTables, boxes: Bitboard, region: Bitboard, walls: Bitboard, candidates: Bitboard, targets: Bitboard
) -> BoxPath | None:
    """Return the path with the fewest boxes on it from a candidate to a target, or None if there is none.

    ``walls``: boxes taken as fixed.
    """
    lone = tables.lone_beside(walls)
    first = _cheapest(tables.board, lone, boxes, region, candidates, targets)
    return None if first is None else _followed(tables.board, lone, boxes, region, first)


def _cheapest(
    board: Board, lone: LoneBox, boxes: Bitboard, region: Bitboard, candidates: Bitboard, targets: Bitboard
) -> _PathStep | None:
    """Return the first step of the cheapest path, found backwards from the targets by pulls, cheapest first.

    A box on a square that is crossed or pushed from costs one, and so does a walk around the box that others block.
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
    """Return the squares and blockers of the path that begins with a step."""
    others = boxes ^ 1 << place.square
    free = lone.free & ~others
    squares = blockers = 0
    stands = region
    while place.onward is not None:
        box = 1 << place.square
        # The player stands opposite to the box's next square.
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
