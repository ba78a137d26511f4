"""Kinds of deadlock, and the two cheapest tests: dead squares and freeze deadlocks.

Both ignore where the player is, so a hit is a proof; a miss proves nothing.  ``detector`` runs these and the more
expensive tests in order.
"""

from enum import StrEnum
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, flood, shift
from sokoterm.engine.board import Board
from sokoterm.engine.slides import leading_to, live_slides
from sokoterm.engine.value import Value


class DeadlockKind(StrEnum):
    """Reasons for a position to be dead, in the order of the tests.

    DEAD_SQUARE: a box that cannot reach any goal from its square, given the player's side.  FREEZE: a box off the goals
    that can never move again, or only to a dead square.  CLOSED_DIAGONAL: the same for boxes in a zigzag.  BIPARTITE:
    a set of boxes that can reach fewer goals than there are boxes in it.  RETROGRADE: a goal that no box can be pushed
    onto any more.  LEARNED: a set of boxes proven dead by this or an earlier search.  PAIR: two nearby boxes that
    cannot both reach goals.  CORRAL: an area closed to the player, whose boxes can neither leave it nor all reach
    goals.
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
    """A proof that a position is dead: it stays dead if only ``boxes`` are left on the board.

    In a RETROGRADE deadlock ``boxes`` are those that block the goal, which none of the others can reach.
    """

    kind: DeadlockKind
    boxes: Bitboard


def dead_squares(board: Board, color: int | None = None) -> Bitboard:
    """Return the floor squares from which a lone box of a colour, from 0, cannot be pushed to a goal that takes it.

    The player is taken to be on whichever side is needed.
    """
    if board.variant is not None:
        goals = board.variant.goals_by_layer(board.goals)[0 if color is None else color + 1]
        return board.floor & ~live_slides(board).leading_to(goals)
    return board.floor & ~leading_to(board.goals, board.floor, board)


class LostSquares(Value):
    """Dead squares, and the axes along which a square lets no box move.

    ``blocked_across`` and ``blocked_along``: the floor squares where a box can never move sideways, or up and down:
    it has a wall on one side, or dead squares on both.
    """

    dead_squares: Bitboard
    blocked_across: Bitboard
    blocked_along: Bitboard


class FreezeCheck:
    """The two cheapest tests for one board, dead squares and freeze deadlocks, with their tables."""

    def __init__(self, board: Board, lost: LostSquares | None = None) -> None:
        """``lost``: sharper tables than those computed here, which ignore the player's side."""
        self.board = board
        if lost is None:
            dead = dead_squares(board)
            lost = LostSquares(dead, _blocked_axis(board, dead, 1), _blocked_axis(board, dead, board.stride))
        self.dead_squares = lost.dead_squares
        self.blocked_across, self.blocked_along = lost.blocked_across, lost.blocked_along

    def find(self, boxes: Bitboard) -> Deadlock | None:
        """Return the deadlock of ``boxes``, or None if no test proves one; dead squares come first."""
        dead = boxes & self.dead_squares
        if dead:
            return Deadlock(DeadlockKind.DEAD_SQUARE, dead)
        frozen = self.frozen(boxes)
        off_goal = frozen & ~self.board.goals
        if off_goal:
            return Deadlock(DeadlockKind.FREEZE, flood(off_goal, frozen, self.board.stride))
        return None

    def stuck_beside(self, boxes: Bitboard) -> Bitboard:
        """Return the squares where an added box might freeze beside ``boxes``; on any other square it can move."""
        across, along, stride = self.blocked_across, self.blocked_along, self.board.stride
        return (across | boxes << 1 | boxes >> 1) & (along | boxes << stride | boxes >> stride)

    def frozen(self, boxes: Bitboard) -> Bitboard:
        """Return the boxes that can never move again without making the position dead.

        A box is blocked along an axis by the board (see the tables) or by a frozen neighbour.  Start with all boxes
        frozen and drop those with an unblocked axis until nothing changes: none of the rest can move first.
        """
        across, along, stride = self.blocked_across, self.blocked_along, self.board.stride
        frozen = boxes
        while True:
            left = frozen & (across | frozen << 1 | frozen >> 1) & (along | frozen << stride | frozen >> stride)
            if left == frozen:
                return frozen
            frozen = left


def _blocked_axis(board: Board, dead: Bitboard, offset: int) -> Bitboard:
    """Return the floor squares with no floor on one side, or dead squares on both, along the axis of ``offset``."""
    open_sides = shift(board.floor, offset) & shift(board.floor, -offset)
    return board.floor & ~open_sides | board.floor & shift(dead, offset) & shift(dead, -offset)
