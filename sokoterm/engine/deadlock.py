"""Positions that can never be solved: boxes on dead squares and frozen boxes.

Both tests are relaxations (the player is taken to be everywhere), so "dead" is a proof; "not dead" proves nothing.
"""

from enum import StrEnum
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, flood, shift
from sokoterm.engine.board import Board


class DeadlockKind(StrEnum):
    """Why a position is dead."""

    DEAD_SQUARE = "dead square"
    FREEZE = "freeze"


class Deadlock(NamedTuple):
    """A proof that a position is lost: ``boxes`` are the guilty ones, all others could be lifted off the board."""

    kind: DeadlockKind
    boxes: Bitboard


def dead_squares(board: Board) -> Bitboard:
    """The floor squares from which a lone box cannot be pushed to any goal.

    Pulls a box from all goals at once, the player taken to be on whichever side is needed: from ``square`` a box can
    be pushed to a live neighbour if the square behind it is floor.
    """
    live = board.goals
    while True:
        grown = live
        for offset in board.offsets:
            grown |= shift(grown, -offset) & shift(board.floor, offset) & board.floor
        if grown == live:
            return board.floor & ~live
        live = grown


class DeadlockCheck:
    """The deadlock tests of one board, with their tables.

    ``blocked_across`` and ``blocked_along``: the floor squares where no box can ever move sideways, or up and down:
    it has a wall on one side, or a dead square on both.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.dead_squares = dead_squares(board)
        self.blocked_across = _blocked_axis(board, self.dead_squares, 1)
        self.blocked_along = _blocked_axis(board, self.dead_squares, board.stride)

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
