"""The gap in the walls of a board that is not closed."""

from sokoterm.engine.bits import Square, around, beside, flood, lowest
from sokoterm.engine.board import Board

# Squares that are tried: the player waits, and a gap is among the first ones.
_MOST_TRIES = 100
# Of all squares in each step of the way; that takes a tenth of a second.
_MOST_BITS = 1 << 29


def find_gap(board: Board, player: Square) -> Square | None:
    """Return the one square where a wall would close the board, the outermost if several would; None if none would.

    The floor of the board is all that the player reaches, up to its edge.
    """
    stride, floor = board.stride, board.floor
    row = (1 << board.width) - 1
    inside = sum(1 << each * stride for each in range(board.height))
    inner = row * inside & ~(inside | inside << board.width - 1 | row | row << stride * (board.height - 1))
    edge = floor & ~inner
    layers = [1 << player]
    reached = layers[0]
    most = _MOST_BITS // board.size
    while layers[-1] and not layers[-1] & edge:
        if len(layers) > most:
            return None
        layers.append(beside(layers[-1], stride) & floor & ~reached)
        reached |= layers[-1]
    # Back along all shortest ways: they meet in a gap, perhaps also in the square before it.
    ways, outer, tries = edge, None, 0
    for layer in reversed(layers[1:]):
        ways &= layer
        is_narrow = ways.bit_count() == 1 and (around(ways, stride) & ~floor).bit_count() > 1
        tries += is_narrow
        is_gap = is_narrow and not flood(layers[0], floor & ~ways, stride) & edge
        if is_gap and (beside(ways, stride) & ~floor).bit_count() > 1:
            return lowest(ways)
        if outer is not None or tries == _MOST_TRIES:
            break
        outer = lowest(ways) if is_gap else None
        ways = beside(ways, stride)
    return outer
