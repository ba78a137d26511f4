"""Which boxes can be pushed to a square: looked for a little at a time, so that keys never wait for it."""

from time import monotonic

from sokoterm.engine.bits import Square
from sokoterm.engine.blocks import Blocks
from sokoterm.engine.board import Board, State
from sokoterm.engine.planner import BoxReach, boxes_that_might_reach
from sokoterm.tui.prospects import boxes_at_hand


class SenderSearch:
    """One position and square; ``found`` has the boxes that reach it, the nearest to the player first."""

    def __init__(self, board: Board, state: State, square: Square) -> None:
        self.square = square
        self.found: list[Square] = []
        self.looked_at = 0
        self._board = board
        self._state = state
        self._blocks = Blocks(board, state.boxes)
        might = boxes_that_might_reach(board, state, square)
        self._boxes = [box for box in boxes_at_hand(board, state) if might >> box & 1]

    @property
    def total(self) -> int:
        """How many boxes are to be looked at."""
        return len(self._boxes)

    @property
    def is_done(self) -> bool:
        return self.looked_at == len(self._boxes)

    def work(self, seconds: float) -> None:
        """Look at boxes until all are done or the time is over, at one of them at least."""
        end = monotonic() + seconds
        while not self.is_done:
            box = self._boxes[self.looked_at]
            self.looked_at += 1
            if self.square in BoxReach(self._board, self._state, box, self._blocks).pushes:
                self.found.append(box)
            if monotonic() >= end:
                return
