"""Closed diagonals: boxes and walls in zigzag around squares that lie corner to corner.

    $#          Two squares that follow each other on the diagonal have a box or a wall on both squares beside them,
    # $         and a box or a wall stands at either end of the diagonal.  Whatever is pushed onto one of the squares
     $ $        between closes the diagonal shorter there, down to four in a square, of which none can be pushed any
      $#        more; so if no goal lies between, none of these boxes will ever be moved.

The player is on none of the squares between; the player could push boxes out from there.
"""

from sokoterm.engine.bits import Bitboard, shift


def closed_diagonals(blocked: Bitboard, fixed: Bitboard, between: Bitboard, stride: int) -> Bitboard:
    """The squares of closed diagonals among the ``blocked`` ones (walls and boxes), their ends too.

    ``fixed``: those of them that nothing moves any more.  Where two of those close a corner, the diagonal ends as well.
    ``between``: the squares that may lie between, free of goals, boxes and player.
    """
    return _closed(blocked, fixed, between, stride, 1) | _closed(blocked, fixed, between, stride, -1)


def _closed(blocked: Bitboard, fixed: Bitboard, between: Bitboard, stride: int, side: int) -> Bitboard:
    """The diagonals that lead down and to one ``side``: 1 is right, -1 left."""
    step = stride + side
    # The squares from which the diagonal goes on: both squares on the way to the next are blocked.
    links = shift(blocked, -side) & blocked >> stride
    # Squares between, from a closed end above.
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
    # Back from the closed ends below.
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
