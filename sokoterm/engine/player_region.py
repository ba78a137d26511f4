"""Where the player can walk once a box has moved: told by where he could walk before.

A box that comes to a square divides an area only where the area falls apart around that square, and mostly the eight
squares around tell that it does not.
"""

from sokoterm.engine.bits import Bitboard, Square, flood
from sokoterm.engine.board import Board


def region_beside(board: Board, boxes: Bitboard, region: Bitboard) -> Bitboard:
    """Where the player can walk if these boxes alone are on the board; ``region``: where he can with more of them."""
    return flood(region, board.floor & ~boxes, board.stride)


class PositionsMet:
    """The positions that a search has met: by the boxes, where the player can walk in all of them together.

    His regions beside the same boxes have no square in common, so one square of his tells, without a fill, whether the
    position has been met.
    """

    def __init__(self) -> None:
        self._regions: dict[Bitboard, Bitboard] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def hold(self, boxes: Bitboard, player: Bitboard) -> bool:
        """Whether the position has been met in which the player stands on one of the squares ``player``."""
        return self._regions.get(boxes, 0) & player != 0

    def add(self, boxes: Bitboard, region: Bitboard) -> None:
        """A position that has not been met before."""
        self._regions[boxes] = self._regions.get(boxes, 0) | region
        self._count += 1


def region_after(
    region: Bitboard, player: Bitboard, vacated: Bitboard, landing: Square, free: Bitboard, stride: int
) -> Bitboard:
    """``flood(player, free, stride)``, in less time.

    ``region`` is where the player could walk before a box came from the square ``vacated`` to the square ``landing``,
    ``free`` the floor without boxes after that, ``player`` a square where he is then; what is left of the region is
    joined to it by free squares, unless the box divides them.
    """
    if region >> landing & 1 and may_divide(free, landing, stride):
        return flood(player, free, stride)
    beside = vacated << 1 | vacated >> 1 | vacated << stride | vacated >> stride
    if beside & free & ~region:
        return flood(region, free, stride)
    region &= free
    return region | vacated if beside & region else region


def may_divide(area: Bitboard, square: Square, stride: int) -> bool:
    """Whether an area may fall apart where it loses a square: it does not if what is around that hangs together."""
    corner = square - stride - 1
    around = area >> corner & 7 | (area >> corner + stride & 5) << 3 | (area >> corner + stride + stride & 7) << 6
    return _RUNS[around] > 1


# The squares around, clockwise from the upper left one, as bits of a code: three bits for each of three rows.
_CLOCKWISE = (0, 1, 2, 5, 8, 7, 6, 3)


def _runs(code: int) -> int:
    """How many runs of free squares there are around, those of a corner alone aside."""
    ring = [code >> bit & 1 for bit in _CLOCKWISE]
    if all(ring):
        return 1
    wall = ring.index(0)
    runs = 0
    touches = False
    for place in (*range(wall, 8), *range(wall + 1)):
        if ring[place]:
            touches |= place % 2 == 1
        else:
            runs += touches
            touches = False
    return runs


_RUNS = bytes(map(_runs, range(512)))
