"""PI-corral pruning: boxes around a closed area that must be pushed at some point, and may as well be pushed now.

A *corral* is an area that the player cannot enter; its fence is the boxes around it.  If every push that could be the
first of a fence box leads into the corral (I-corral) and can be made now (PI-corral), no other push needs to be tried,
provided the corral needs a push at all: it has an empty goal, or a fence box off the goals.  (Sokoban Wiki, "Sokoban
solver scientific approach" and "Corral"; PI-corral pruning comes from Brian Damgaard's YASS.)

Pruning keeps an optimal solution.  Take one, and its first push of a fence box.  Until then the fence is unchanged:
neither the player nor a box enters the corral.  If that push is made at once, it fills only a square of the corral and
frees the square the player is then on, next to the player's area.  So everything before it can still be done in the
same order and leads to the same position, with as many pushes, the first of which is one of the fence.
"""

from collections.abc import Callable, Sequence

from sokoterm.engine.bits import Bitboard, flood, shift
from sokoterm.engine.board import Board

# Most closed areas examined, and most rounds of growing one: bounds the cost on a huge board.
_MOST_AREAS = 16
_MOST_ROUNDS = 16


class PiCorrals:
    """PI-corral finder for one board.

    ``live[direction]``: the squares on which a box pushed in that direction can still reach a goal; no solution pushes
    to any other.  ``frozen``: returns the boxes of a set that no solution pushes.  ``adds_boxes``: a box that blocks a
    push becomes part of the fence, which finds more PI-corrals; FESS solves more levels without, and with the smallest
    fence.
    """

    def __init__(
        self, board: Board, live: Sequence[Bitboard], frozen: Callable[[Bitboard], Bitboard], *, adds_boxes: bool
    ) -> None:
        self._floor = board.floor
        self._goals = board.goals
        self._stride = board.stride
        self._axes = tuple(zip(board.offsets, live))
        self._frozen = frozen
        self._adds_boxes = adds_boxes

    def fence(self, boxes: Bitboard, region: Bitboard) -> Bitboard | None:
        """Return the fence of the smallest PI-corral, or None if there is none.

        If no fence box can be pushed into the corral, the position is dead.
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
        """Return the boxes that can be pushed now within the player's area, which no PI-corral can contain."""
        found = 0
        for offset, live in self._axes:
            found |= shift(region, offset) & shift(region & live, -offset)
        return found & boxes

    def _grown(
        self, corral: Bitboard, boxes: Bitboard, region: Bitboard, frozen: Bitboard, outwards: Bitboard
    ) -> tuple[Bitboard, int] | None:
        """Grow a corral to a PI-corral; return its fence and its size, or None if that fails.

        The size is the number of pushes, or else of boxes.  Closed areas, and boxes if they may, are added as needed: a
        box that blocks a push may move away later, unless it becomes part of the fence.
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
                # From outside the corral, unless a wall, the fence or a frozen box prevents it.
                possible = movable & shift(outside, offset) & shift(room & live, -offset)
                if not possible:
                    continue
                inwards = possible & shift(region, offset) & shift(corral, -offset)
                pushes += inwards.bit_count()
                if rest := possible ^ inwards:
                    others |= shift(rest, offset) & ~corral | shift(rest, -offset) & ~region
            if not self._adds_boxes and others & ~closed:
                return None
            others &= ~region
            if not others:
                has_work = fence & ~self._goals or corral & self._goals
                return (fence, pushes if self._adds_boxes else fence.bit_count()) if has_work else None
            fence |= others & boxes
            if areas := others & closed:
                corral |= flood(areas, closed, stride)
        return None
