"""PI-corrals: boxes around closed areas that must be pushed some time, and may as well be pushed now.

A *corral* is an area that the player cannot enter, and its fence the boxes around it.  Where every push that could be
the first of some fence box leads into the corral (I-corral) and can be made now (PI-corral), nothing else need be
tried, provided that the corral needs a push at all: a goal in it is empty, or a box of its fence is on none.  (Sokoban
Wiki, "Sokoban solver scientific approach" and "Corral"; pruning by PI-corrals is of Brian Damgaard's YASS.)

No shortest solution is lost by it.  Take one, and in it the first push of a fence box.  Until then the fence stands:
neither the player nor a box enters the corral.  Made at once, that push fills a square of the corral only, and frees
the square where the player then stands, beside where the player was.  So all that came before it can still be done in
the same order, and leads to the same position: as many pushes, and the first is one of the fence.
"""

from collections.abc import Callable, Sequence

from sokoterm.engine.bits import Bitboard, around, flood, regions, shift
from sokoterm.engine.board import Board

# So many closed areas are looked at, and so often one of them is joined with others: what a huge board may cost.
_MOST_AREAS = 16
_MOST_ROUNDS = 16


class PiCorrals:
    """Finds the PI-corrals of one board.

    ``live[direction]``: the squares on which a box pushed in that direction can still reach a goal; pushes to others
    are part of no solution.  ``frozen``: the boxes of a set that no solution pushes.
    """

    def __init__(self, board: Board, live: Sequence[Bitboard], frozen: Callable[[Bitboard], Bitboard]) -> None:
        self._floor = board.floor
        self._goals = board.goals
        self._stride = board.stride
        self._axes = tuple(zip(board.offsets, live))
        self._frozen = frozen

    def fence(self, boxes: Bitboard, region: Bitboard) -> Bitboard | None:
        """The boxes of the PI-corral with the fewest pushes, None where there is no PI-corral.

        If none of them can be pushed into it, the position is dead.
        """
        closed = self._floor & ~boxes & ~region
        if not closed:
            return None
        frozen = self._frozen(boxes)
        outwards = self._outwards(boxes, region)
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

    def _outwards(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """The boxes that can be pushed now within the player's area: there is no PI-corral with one of them."""
        found = 0
        for offset, live in self._axes:
            found |= shift(region, offset) & shift(region & live, -offset)
        return found & boxes

    def _grown(
        self, corral: Bitboard, boxes: Bitboard, region: Bitboard, frozen: Bitboard, outwards: Bitboard
    ) -> tuple[Bitboard, int] | None:
        """The fence of a PI-corral that has this corral in it, and its pushes; None where there is none.

        Any boxes and closed areas may be joined to it: a box that stands in the way of a push counts as one that may
        go away, until it is a box of the fence itself.
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
                # From outside of the corral, not prevented by a wall, the fence or a frozen box.
                possible = movable & shift(outside, offset) & shift(room & live, -offset)
                if not possible:
                    continue
                inwards = possible & shift(region, offset) & shift(corral, -offset)
                pushes += inwards.bit_count()
                if rest := possible ^ inwards:
                    others |= (shift(rest, offset) & ~corral | shift(rest, -offset)) & ~region
            if not others:
                has_work = fence & ~self._goals or corral & self._goals
                return (fence, pushes) if has_work else None
            fence |= others & boxes
            if areas := others & closed:
                corral |= flood(areas, closed, stride)
        return None


def find_pi_corral(
    board: Board, live: Bitboard, boxes: Bitboard, region: Bitboard, frozen: Bitboard
) -> Bitboard | None:
    """The boxes of the PI-corral with the fewest of them, None where there is no PI-corral.

    Unlike in ``PiCorrals`` closed areas alone are joined, no boxes that stand in the way.  The search by features, and
    the proof, go by this: that search solves more levels so.

    ``live``: the squares from which a box can come to a goal; ``frozen``: the boxes that will never move.
    """
    corrals = regions(board.floor & ~boxes & ~region, board.stride)
    best: Bitboard | None = None
    for corral in corrals:
        fence = _pi_fence(board, live, boxes, region, frozen, corral, corrals)
        if fence and (best is None or fence.bit_count() < best.bit_count()):
            best = fence
    return best


def _pi_fence(
    board: Board,
    live: Bitboard,
    boxes: Bitboard,
    region: Bitboard,
    frozen: Bitboard,
    corral: Bitboard,
    corrals: list[Bitboard],
) -> Bitboard:
    """The boxes around a corral if it is a PI-corral, joined with others where a push leads there; else none."""
    closed = board.floor & ~boxes & ~region
    while True:
        fence = around(corral, board.stride) & boxes
        fixed = fence | frozen
        landings, players = live & ~fixed, board.floor & ~fixed
        others = 0
        for offset in board.offsets:
            # Pushes from outside that no box of the corral and no frozen one prevents.
            pushed = fence & ~frozen & shift(landings, -offset) & shift(players & ~corral, offset)
            others |= shift(pushed, offset) & ~corral | shift(pushed, -offset) & ~region
        if not others:
            return fence if fence & ~board.goals or corral & board.goals else 0
        if others & ~closed:
            return 0
        for each in corrals:
            if each & others:
                corral |= each
