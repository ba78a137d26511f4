"""Closed diagonals: a zigzag of boxes and walls around squares that lie corner to corner.

    $#          Both squares shared by two neighbours on the diagonal hold a box or a wall, and so do both ends of the
    # $         diagonal.  A box pushed onto one of the squares between only closes a shorter diagonal, down to four in
     $ $        a square, which can never be pushed; so if there is no goal between, none of these boxes will ever
      $#        move.

The player must not be on a square between, from where the boxes could be pushed apart.
"""

from sokoterm.engine.bits import Bitboard, shift


def closed_diagonals(blocked: Bitboard, fixed: Bitboard, between: Bitboard, stride: int) -> Bitboard:
    """Return the ``blocked`` squares (walls and boxes) that form closed diagonals, ends included.

    ``fixed``: the blocked squares that will never change; two of them that close a corner also end a diagonal.
    ``between``: the squares that may lie between, free of goals, boxes and the player.
    """
    return _closed(blocked, fixed, between, stride, 1) | _closed(blocked, fixed, between, stride, -1)


def _closed(blocked: Bitboard, fixed: Bitboard, between: Bitboard, stride: int, side: int) -> Bitboard:
    """Return the closed diagonals that lead down and to one ``side``: 1 for right, -1 for left."""
    step = stride + side
    # Squares from which the diagonal continues: both squares shared with the next one are blocked.
    links = shift(blocked, -side) & blocked >> stride
    # Squares between, starting from a closed upper end.
    inside = (blocked & links) << step & between
    if not inside:
        inside = between & links & shift(fixed, side) & fixed << stride
        if not inside:
            return 0
    inside |= between & links & shift(fixed, side) & fixed << stride
    found = inside
    while inside:
        inside = (inside & links) << step & between & ~found
        found |= inside
    # Back from the closed lower ends.
    last = found & (links & blocked >> step | shift(fixed, -side) & fixed >> stride)
    closed = last
    while last:
        last = last >> step & links & found & ~closed
        closed |= last
    if not closed:
        return 0
    beside = shift(closed, side) | shift(closed, -side) | closed << stride | closed >> stride
    ends = closed << step | closed >> step
    return (beside | ends) & blocked
