"""Which boxes can be pushed to a square: looked for a little at a time, so that keys never wait for it."""

from collections.abc import Iterable
from time import monotonic
from typing import NamedTuple

from sokoterm.engine.bits import Square
from sokoterm.engine.board import Board, State
from sokoterm.engine.planner.box_reach import BoxReach, boxes_that_might_reach
from sokoterm.engine.planner.cut_vertices import CutVertices

_TELL_SECONDS = 0.25  # how often it is told how far a search has come


class Lookout(NamedTuple):
    """How far a search has come: how many boxes it has looked at, and those that reach the square."""

    looked_at: int
    found: tuple[Square, ...]


class ReachSearch:
    """The search for one position and square; ``found`` has the boxes in the order in which they were given."""

    def __init__(
        self, board: Board, state: State, blocks: CutVertices, boxes: Iterable[Square], square: Square
    ) -> None:
        """``boxes`` are those that can be pushed at all, ``blocks`` those of the position."""
        self.square = square
        self.found: list[Square] = []
        self.looked_at = 0
        self.told = Lookout(0, ())
        self._board = board
        self._state = state
        self._blocks = blocks
        might = boxes_that_might_reach(board, state, square)
        self._boxes = [box for box in boxes if might >> box & 1]
        self._told_at = monotonic()

    @property
    def total(self) -> int:
        """How many boxes are to be looked at."""
        return len(self._boxes)

    @property
    def is_done(self) -> bool:
        return self.looked_at == len(self._boxes)

    def work(self, seconds: float) -> None:
        """Look at boxes until all are done or the time is over, at one of them at least."""
        now = monotonic()
        end = now + seconds
        while not self.is_done:
            box = self._boxes[self.looked_at]
            self.looked_at += 1
            if self.square in BoxReach(self._board, self._state, box, self._blocks).pushes:
                self.found.append(box)
            now = monotonic()
            if now >= end:
                break
        if now >= self._told_at + _TELL_SECONDS:
            self.told, self._told_at = Lookout(self.looked_at, tuple(self.found)), now
