"""The squares the player can reach, shortest walks, and the player's region after a push.

A push only updates the region: a box can split an area only at the square it lands on, and the eight squares around it
usually show that it does not.
"""

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, bytes_of, flood
from sokoterm.engine.board import Board, State


def reachable_area(board: Board, state: State) -> Bitboard:
    """Return the squares the player can walk to, including its own."""
    return flood(1 << state.player, board.floor & ~state.boxes, board.stride)


def find_walk(board: Board, state: State, target: Square) -> list[Direction] | None:
    """Return the first shortest walk to ``target``, by the order of Directions, or None; takes linear time."""
    is_free = bytearray(bytes_of(board.floor & ~state.boxes, board.size))
    if target != state.player and not (0 <= target < board.size and is_free[target]):
        return None
    is_free[state.player] = 0
    steps = [*zip(DIRECTIONS, board.offsets)]
    came_by: dict[Square, Direction] = {}
    reached = [state.player]
    for square in reached:
        if square == target:
            break
        for direction, offset in steps:
            if is_free[square + offset]:
                is_free[square + offset] = 0
                came_by[square + offset] = direction
                reached.append(square + offset)
    else:
        return None
    walk = []
    while target != state.player:
        walk.append(came_by[target])
        target -= board.offsets[walk[-1]]
    return walk[::-1]


def region_beside(board: Board, boxes: Bitboard, region: Bitboard) -> Bitboard:
    """Return the player's region with only ``boxes`` on the board, given the region with more boxes."""
    return flood(region, board.floor & ~boxes, board.stride)


class PositionsMet:
    """The positions a search has visited: for each set of boxes, the union of the player's regions.

    Regions for the same boxes are equal or disjoint, so any square of the player's region identifies the position
    without a flood fill.
    """

    def __init__(self) -> None:
        self._regions: dict[Bitboard, Bitboard] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def hold(self, boxes: Bitboard, player: Bitboard) -> bool:
        """True if the position with the player on a square of ``player`` was visited."""
        return self._regions.get(boxes, 0) & player != 0

    def add(self, boxes: Bitboard, region: Bitboard) -> None:
        """Add a position not visited before."""
        self._regions[boxes] = self._regions.get(boxes, 0) | region
        self._count += 1


def region_after(
    region: Bitboard, player: Bitboard, vacated: Bitboard, landing: Square, free: Bitboard, stride: int
) -> Bitboard:
    """Return ``flood(player, free, stride)`` in less time.

    ``region`` is the player's region before a box moved from ``vacated`` to ``landing``, ``free`` the free floor after
    it.  Unless the box splits it, the rest of the old region stays connected.
    """
    if region >> landing & 1 and may_divide(free, landing, stride):
        return flood(player, free, stride)
    beside = vacated << 1 | vacated >> 1 | vacated << stride | vacated >> stride
    if beside & free & ~region:
        return flood(region, free, stride)
    region &= free
    return region | vacated if beside & region else region


def may_divide(area: Bitboard, square: Square, stride: int) -> bool:
    """True if removing a square may split an area, which it cannot if the neighbours are connected."""
    corner = square - stride - 1
    around = area >> corner & 7 | (area >> corner + stride & 5) << 3 | (area >> corner + stride + stride & 7) << 6
    return _RUNS[around] > 1


def _runs(code: int) -> int:
    """Count the runs of free squares around a square, except single corners; ``code`` has three bits for each row."""
    up_left, up, up_right, left, _, right, down_left, down, down_right = [code >> bit & 1 for bit in range(9)]
    begins = up > (up_right & right), right > (down_right & down), down > (down_left & left), left > (up_left & up)
    return sum(begins)


_RUNS = bytes(map(_runs, range(512)))
