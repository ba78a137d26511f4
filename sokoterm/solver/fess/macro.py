"""Macro moves: one box pushed, or pulled, to any square it can reach while the others do not move; and doors.

Each landing needs the player's region after it, and therefore whether the box splits the area.  Usually the eight
squares around the box show that it does not; otherwise the area is filled from one side of the box until the other
sides are met.  Within the player's region this is done once for all boxes of a position: lifting one of them changes
only the pieces next to the square it leaves, which it joins.

The push planner's cut vertices would only save the fills that find a single piece: a few percent of the time on boards
with many, while on most boards computing them takes longer.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise

from sokoterm.engine.bits import Bitboard, Square, beside, flood, lowest, regions, scan
from sokoterm.engine.board import Board
from sokoterm.engine.reach import may_divide
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.fess.tree import Node

# End of a macro move: the box's square, the player's region, and the number of pieces of the area.
Landing = tuple[Square, Bitboard, int]

# Macro moves between two yields, which happen only between the moves of two boxes.
MANY_LANDINGS = 256

# Pieces of the player's region without a square, by that square, where known.
Pieces = dict[Square, tuple[Bitboard, ...]]


def lifted(region: Bitboard, closed: Sequence[Bitboard], box: Square, stride: int) -> tuple[Bitboard, int]:
    """Return the player's region with a box next to it lifted, and how many of the ``closed`` regions remain."""
    area = region | 1 << box
    sides = beside(1 << box, stride)
    left = len(closed)
    for each in closed:
        if each & sides:
            area |= each
            left -= 1
    return area, left


def macro_moves(
    area: Bitboard, region: Bitboard, box: Square, allowed: Bitboard, stride: int, pieces_around: Pieces, *, pulls: bool
) -> list[Landing]:
    """Return the macro moves of the box on ``box``, one for each landing square and region of the player.

    ``area``: the player's region with the box lifted (see ``lifted``); ``region``: the player's region now.
    ``allowed``: squares where the box may land.  ``pieces_around``: cache shared by the boxes of one position.
    """
    joined = area & ~region
    sides = beside(1 << box, stride)
    seen = {box: [region]}
    waiting = [(box, region, 0)]
    for square, inside, parts in waiting:
        here = 1 << square
        ahead = ahead_here = 0
        if parts == 2:
            # A box that splits a corridor does so on the next square too.
            ahead = inside if pulls else area ^ here ^ inside
            ahead_here = ahead & (here << 1 | here >> 1 | here << stride | here >> stride)
        for offset in (-stride, 1, stride, -1):
            landing = square + offset
            if not allowed >> landing & 1:
                continue
            if pulls:
                player = landing + offset
                if not inside >> landing & 1 or not area >> player & 1:
                    continue
            else:
                player = square
                if not inside >> (square - offset) & 1:
                    continue
            known = seen.get(landing)
            if known is None:
                known = seen[landing] = []
            elif _holds(known, player):
                continue
            if ahead_here == 1 << landing and not may_divide(ahead, landing, stride):
                left = ahead ^ ahead_here
                after, pieces = (left if pulls else inside | here), 2 if left else 1
            elif not may_divide(area, landing, stride):
                after, pieces = area ^ 1 << landing, 1
            elif region >> landing & 1:
                apart = pieces_around.get(landing)
                if apart is None:
                    apart = pieces_around[landing] = _pieces(region ^ 1 << landing, landing, stride)
                after, pieces = _piece_joined(apart, joined, sides, player)
            else:
                apart = _pieces(area ^ 1 << landing, landing, stride)
                after, pieces = next(piece for piece in apart if piece >> player & 1), len(apart)
            known.append(after)
            waiting.append((landing, after, pieces))
    return waiting[1:]


def _holds(found: list[Bitboard], square: Square) -> bool:
    for region in found:  # noqa: SIM110 - any() of a generator takes three times as long
        if region >> square & 1:
            return True
    return False


def _piece_joined(
    pieces: Sequence[Bitboard], joined: Bitboard, sides: Bitboard, player: Square
) -> tuple[Bitboard, int]:
    """Return the player's piece and the number of pieces after a box has left its square.

    ``joined``: that square and the areas it opens; ``sides``: the squares next to it.
    """
    inside = 0
    count = 1
    for piece in pieces:
        if piece & sides:
            joined |= piece
        else:
            count += 1
            if piece >> player & 1:
                inside = piece
    return inside or joined, count


def _pieces(rest: Bitboard, box: Square, stride: int) -> tuple[Bitboard, ...]:
    """Return the pieces that a box splits an area into; ``rest`` is the area without the box's square."""
    sides = rest & beside(1 << box, stride)
    found = []
    while sides & sides - 1:
        piece = _fill(sides & -sides, rest, sides, stride)
        if piece & sides == sides:
            break
        found.append(piece)
        rest ^= piece
        sides &= rest
    # The rest is connected.
    found.append(rest)
    return tuple(found)


def _fill(seed: Bitboard, free: Bitboard, sides: Bitboard, stride: int) -> Bitboard:
    """Flood fill that stops early when it reaches all of ``sides``."""
    region = seed
    while True:
        grown = free & ~(free + region) | region
        grown |= grown >> 1 & free
        grown = (grown | grown << stride | grown >> stride) & free
        if grown & sides == sides or grown == region:
            return grown
        region = grown


def lifts(
    tables: BoardTables, boxes: Bitboard, region: Bitboard, allowed: Bitboard, among: Bitboard = -1, *, pulls: bool
) -> Iterator[tuple[Square, Bitboard, int, list[Landing]]]:
    """Yield boxes of ``among`` next to the player's region: (box, region without it, other regions, macro moves)."""
    stride, free = tables.stride, tables.free(boxes)
    closed = regions(free & ~region, stride)
    pieces_around: Pieces = {}
    for box in touching(tables.squares(boxes & among), region, stride):
        base = tables.base(boxes, box)
        area, beyond = lifted(region, closed, box, stride)
        landings = macro_moves(
            area, region, box, (free | 1 << box) & allowed >> base, stride, pieces_around, pulls=pulls
        )
        if base:
            landings = [(base + square, after, pieces) for square, after, pieces in landings]
        yield base + box, area, beyond, landings


def touching(boxes: Bitboard, region: Bitboard, stride: int) -> Iterator[Square]:
    return scan(beside(region, stride) & boxes)


def macro_path(
    board: Board,
    area: Bitboard,
    region: Bitboard,
    box: Square,
    end: tuple[Square, Bitboard],
    allowed: Bitboard,
    *,
    pulls: bool,
) -> list[Square]:
    """Return the squares of the box on the path to the landing ``end`` of ``macro_moves``, starting with its own."""
    stride = board.stride
    came_from: dict[tuple[Square, Bitboard], tuple[Square, Bitboard] | None] = {(box, region): None}
    waiting = [(box, region)]
    for place in waiting:
        if place == end:
            break
        square, inside = place
        for offset in (-stride, 1, stride, -1):
            landing = square + offset
            player = landing + offset if pulls else square
            stands = landing if pulls else square - offset
            if allowed >> landing & 1 and inside >> stands & 1 and (not pulls or area >> player & 1):
                after = (landing, flood(1 << player, area & ~(1 << landing), stride))
                if after not in came_from:
                    came_from[after] = place
                    waiting.append(after)
    path = []
    step: tuple[Square, Bitboard] | None = end
    while step is not None:
        path.append(step[0])
        step = came_from[step]
    path.reverse()
    return path


def boxes_on_line(tables: BoardTables, last: Node, *, pulls: bool) -> list[Bitboard]:
    """Return the boxes after every single push or pull on the line to a node, starting with the root's."""
    return list(chain.from_iterable(boxes_by_move(tables, last, pulls=pulls)))


def boxes_by_move(tables: BoardTables, last: Node, *, pulls: bool) -> Iterator[list[Bitboard]]:
    """Yield the boxes after every push or pull, move by move, since one list would delay the next yield too long."""
    line = last.line()
    yield [tables.state(line[0].boxes)]
    for before, after in pairwise(line):
        others = before.boxes ^ 1 << after.move.origin
        origin = lowest(tables.squares(1 << after.move.origin))
        base = after.move.origin - origin
        around = tables.free(others)
        area = flood(1 << origin, around, tables.stride)
        end = after.move.square - base, after.region
        path = macro_path(tables.board, area, before.region, origin, end, around & tables.plain.live, pulls=pulls)
        yield [tables.state(others | 1 << base + square) for square in path[1:]]


def movable(tables: BoardTables, boxes: Bitboard, region: Bitboard, *, pulls: bool) -> tuple[Bitboard, ...]:
    """Return the boxes that the player can move up, right, down and left now."""
    stride = tables.stride
    if pulls:
        return (
            boxes & region << stride & region << 2 * stride,
            boxes & region >> 1 & region >> 2,
            boxes & region >> stride & region >> 2 * stride,
            boxes & region << 1 & region << 2,
        )
    free = tables.live & ~boxes
    return (
        boxes & region >> stride & free << stride,
        boxes & region << 1 & free >> 1,
        boxes & region << stride & free >> stride,
        boxes & region >> 1 & free << 1,
    )


def door_test(
    tables: BoardTables, boxes: Bitboard, region: Bitboard, *, pulls: bool
) -> Callable[[Bitboard, Bitboard, Square, Square], bool]:
    """Return the test whether a move opens a door, given the boxes and region after it, its origin and square.

    Such a move is reversible, and lets the player move some box in a way that was not possible before.
    """
    before = movable(tables, boxes, region, pulls=pulls)
    closed = tables.floor & ~region

    def opens(there: Bitboard, after: Bitboard, origin: Square, square: Square) -> bool:
        entered = after & closed
        if not entered or entered == 1 << origin:
            return False
        first, last = (square, origin) if pulls else (origin, square)
        if not tables.reach[last] >> first & 1:
            return False
        ways = movable(tables, there, after, pulls=pulls)
        return any(now & ~then & boxes for now, then in zip(ways, before, strict=True))

    return opens
