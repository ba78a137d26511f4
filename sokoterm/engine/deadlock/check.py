"""Positions that can never be solved: what they are called, and the two tests that cost next to nothing.

Both are relaxations (the player is taken to be everywhere), so "dead" is a proof; "not dead" proves nothing.  The
dearer tests, and all of them in their order, are those of ``detector``.
"""

from enum import StrEnum
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, flood, shift, squares_of
from sokoterm.engine.board import Board
from sokoterm.engine.value import Value


class DeadlockKind(StrEnum):
    """Why a position is dead, in the order of the tests.

    DEAD_SQUARE: a box that can come to no goal from where it is, the player being on the side where he is.  FREEZE: a
    box off the goals that can never be moved any more, or only to where it is lost.  CLOSED_DIAGONAL: the same by boxes
    that lie in zigzag.  BIPARTITE: some boxes have fewer goals among them than they are.  RETROGRADE: a goal onto which
    nothing can ever be pushed any more.  LEARNED: boxes that were proven dead together, by this or an earlier search.
    PAIR: two boxes near to each other that cannot both be brought home.  CORRAL: an area closed to the player whose
    boxes can neither be brought home nor out of it.
    """

    DEAD_SQUARE = "dead square"
    FREEZE = "freeze"
    CLOSED_DIAGONAL = "closed diagonal"
    BIPARTITE = "bipartite"
    RETROGRADE = "retrograde"
    LEARNED = "learned pattern"
    PAIR = "pair"
    CORRAL = "corral"


class Deadlock(NamedTuple):
    """A proof that a position is lost: ``boxes`` are the guilty ones, all others could be lifted off the board.

    Of a RETROGRADE deadlock they are those that close the goal off; it is all the others that cannot fill it.
    """

    kind: DeadlockKind
    boxes: Bitboard


def dead_squares(board: Board) -> Bitboard:
    """The floor squares from which a lone box cannot be pushed to any goal.

    Pulls a box from all goals at once, the player taken to be on whichever side is needed: from ``square`` a box can
    be pushed to a live neighbour if the square behind it is floor.  Rounds of whole-board steps are fast on all boards
    but large ones with long ways, where the rest is found square by square: never more than linear in the board.
    """
    live, new = 0, board.goals
    for _ in range(board.stride + board.height):
        live |= new
        grown = live
        for offset in board.offsets:
            grown |= shift(grown, -offset) & shift(board.floor, offset) & board.floor
        new = grown & ~live
        if not new:
            return board.floor & ~live
    return board.floor & ~_pulled_from(new, live, board)


def _pulled_from(new: Bitboard, live: Bitboard, board: Board) -> Bitboard:
    """The squares that a box can be pulled to from ``new`` ones, and all that were found before."""
    size = board.stride * board.height
    floor = f"{board.floor:0{size}b}".encode("ascii")[::-1]
    found = bytearray(f"{live | new:0{size}b}".encode("ascii")[::-1])
    squares = squares_of(new)
    for square in squares:
        for offset in board.offsets:
            pulled = square - offset
            if floor[pulled] == _ONE != found[pulled] and floor[pulled - offset] == _ONE:
                found[pulled] = _ONE
                squares.append(pulled)
    return int(found[::-1], 2)


_ONE = ord("1")


class LostSquares(Value):
    """What a board allows no box.

    ``blocked_across`` and ``blocked_along``: the floor squares where no box can ever move sideways, or up and down:
    it has a wall on one side, or on both a square from which it could come to no goal.
    """

    dead_squares: Bitboard
    blocked_across: Bitboard
    blocked_along: Bitboard


class DeadlockCheck:
    """The cheap deadlock tests of one board, with their tables."""

    def __init__(self, board: Board, lost: LostSquares | None = None) -> None:
        """``lost``: what is known better than by a look at the squares alone."""
        self.board = board
        if lost is None:
            dead = dead_squares(board)
            lost = LostSquares(dead, _blocked_axis(board, dead, 1), _blocked_axis(board, dead, board.stride))
        self.dead_squares = lost.dead_squares
        self.blocked_across, self.blocked_along = lost.blocked_across, lost.blocked_along

    def find(self, boxes: Bitboard) -> Deadlock | None:
        """The deadlock that ``boxes`` make, or None if no test proves one; boxes on dead squares come first."""
        dead = boxes & self.dead_squares
        if dead:
            return Deadlock(DeadlockKind.DEAD_SQUARE, dead)
        frozen = self.frozen(boxes)
        off_goal = frozen & ~self.board.goals
        if off_goal:
            return Deadlock(DeadlockKind.FREEZE, flood(off_goal, frozen, self.board.stride))
        return None

    def stuck_beside(self, boxes: Bitboard) -> Bitboard:
        """The squares where one more box could be frozen beside these, which it is nowhere else."""
        across, along, stride = self.blocked_across, self.blocked_along, self.board.stride
        return (across | boxes << 1 | boxes >> 1) & (along | boxes << stride | boxes >> stride)

    def frozen(self, boxes: Bitboard) -> Bitboard:
        """The boxes that can never move again without making the position dead.

        A box is blocked along an axis by the board (see the tables) or by a frozen neighbour.  All boxes are taken
        to be frozen, then those with an axis that is not blocked are struck out until nothing changes: what is left
        has no first box to move.
        """
        across, along, stride = self.blocked_across, self.blocked_along, self.board.stride
        frozen = boxes
        while True:
            left = frozen & (across | frozen << 1 | frozen >> 1) & (along | frozen << stride | frozen >> stride)
            if left == frozen:
                return frozen
            frozen = left


def _blocked_axis(board: Board, dead: Bitboard, offset: int) -> Bitboard:
    """The floor squares with no floor on one side, or dead squares on both, along the axis of ``offset``."""
    open_sides = shift(board.floor, offset) & shift(board.floor, -offset)
    return board.floor & ~open_sides | board.floor & shift(dead, offset) & shift(dead, -offset)
