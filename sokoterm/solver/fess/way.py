"""The way of a box to a square that is to be filled, and the boxes that stand in that way.

A relaxation, good enough for advice and to see how far a way has been cleared: boxes may be crossed, and each that is
counts one.
"""

from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, flood, scan
from sokoterm.engine.board import Board
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.planner.cut_vertices import JOINED_SIDES
from sokoterm.solver.common.board_tables import BoardTables


class BoxWay(NamedTuple):
    """``squares``: those that the box crosses and the player pushes from; ``blockers``: the other boxes on the way."""

    squares: Bitboard
    blockers: Bitboard


class _Place(NamedTuple):
    """A box on a square with the player on a side of it, and how it goes on from there: None at the target."""

    square: Square
    side: int
    onward: "_Place | None"


def find_way(
    tables: BoardTables, boxes: Bitboard, region: Bitboard, walls: Bitboard, candidates: Bitboard, targets: Bitboard
) -> BoxWay | None:
    """The way with the fewest boxes in it, for one of the candidates to one of the targets; None where there is none.

    ``walls``: boxes that are not to be moved.
    """
    lone = tables.lone_beside(walls)
    first = _cheapest(tables.board, lone, boxes, region, candidates, targets)
    return None if first is None else _followed(tables.board, lone, boxes, region, first)


def _cheapest(
    board: Board, lone: LoneBox, boxes: Bitboard, region: Bitboard, candidates: Bitboard, targets: Bitboard
) -> _Place | None:
    """Where the cheapest way begins: found backwards from the targets, by pulls, the cheaper places first.

    A box on a square that is crossed or pushed from costs one, and so does a walk round the box that others cut off.
    """
    offsets, free, pairs = board.offsets, lone.free, lone.pairs
    walks = LoneBox(board, boxes).pairs
    ends = [_Place(target, side, None) for target in scan(targets & free) for side in range(4)]
    waiting = {0: [end for end in ends if free >> end.square + offsets[end.side] & 1]}
    seen: set[tuple[Square, int]] = set()
    best: tuple[int, _Place] | None = None
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
                    best = whole, _Place(origin, side, place)
            price += boxes >> origin & 1
            near = JOINED_SIDES[side][walks[origin]] | 1 << side
            for new in range(4):
                if JOINED_SIDES[side][pairs[origin]] >> new & 1 and (origin, new) not in seen:
                    dear = price + (near >> new & 1 ^ 1)
                    (layer if dear == cost else waiting.setdefault(dear, [])).append(_Place(origin, new, place))
    return None if best is None else best[1]


def _followed(board: Board, lone: LoneBox, boxes: Bitboard, region: Bitboard, place: _Place) -> BoxWay:
    """What lies on a way that begins at a place."""
    others = boxes ^ 1 << place.square
    free = lone.free & ~others
    squares = blockers = 0
    stands = region
    while place.onward is not None:
        box = 1 << place.square
        # He stands opposite to where the box goes next.
        player = 1 << 2 * place.square - place.onward.square
        if not stands & player:
            stands = flood(stands, free & ~box | stands, board.stride)
            if not stands & player:
                blockers |= _walked_over(lone.free & ~box, others, stands, player, board.stride)
        squares |= player | 1 << place.onward.square
        stands = box
        place = place.onward
    return BoxWay(squares, others & (squares | blockers))


def _walked_over(free: Bitboard, others: Bitboard, region: Bitboard, goal: Bitboard, stride: int) -> Bitboard:
    """The boxes that a walk to a square has to cross, by a way with the fewest; none where there is no way."""
    layers = [flood(region & free, free & ~others | region & free, stride)]
    while not layers[-1] & goal:
        last = layers[-1]
        beside = _beside(last, stride) & free & ~last
        if not beside:
            return 0
        layers.append(flood(last | beside, last | beside | free & ~others, stride))
    crossed = 0
    for inner in reversed(layers[:-1]):
        room = flood(goal, free & ~others | goal, stride)
        edge = _beside(room, stride) & others & free & _beside(inner, stride)
        if not edge:
            return crossed
        crossed |= edge & -edge
        goal = _beside(edge & -edge, stride) & inner
        goal &= -goal
    return crossed


def _beside(area: Bitboard, stride: int) -> Bitboard:
    return area << 1 | area >> 1 | area << stride | area >> stride
