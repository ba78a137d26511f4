"""Moves shown one after the other: which positions, and how long each of them stands."""

from typing import NamedTuple

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import parse_lurd, play

LONGEST_SECONDS = 1.5  # longer ones are waited for, not watched
_PICTURE_SECONDS = 0.025  # shorter ones are not seen, and cost as many bytes on the line


class ShownPosition(NamedTuple):
    """A position on its way: what stands where, and the counters."""

    state: State
    moves: int
    pushes: int


class Animation:
    """The positions between two, at a set speed, but never for longer than LONGEST_SECONDS in all.

    Where one move lasts less than a picture may, each picture is several moves after the one before.
    """

    def __init__(self, board: Board, before: ShownPosition, lurd: str, per_second: int) -> None:
        """``lurd`` are the moves from ``before``; raises LurdError where they cannot be made."""
        seconds = min(1 / per_second, LONGEST_SECONDS / max(1, len(lurd)))
        step = max(1, round(_PICTURE_SECONDS / seconds + 0.49))
        self.seconds = seconds * step
        self._pictures = [before]
        moves, pushes = before.moves, before.pushes
        for number, (state, letter) in enumerate(play(board, before.state, parse_lurd(lurd)), start=1):
            pushes += letter.isupper()
            if number % step == 0 and number < len(lurd):
                self._pictures.append(ShownPosition(state, moves + number, pushes))
        self._pictures.reverse()

    @property
    def shown(self) -> ShownPosition | None:
        """What is to be seen now; None at the end, where the position itself is."""
        return self._pictures[-1] if self._pictures else None

    def go_on(self) -> None:
        """Time has passed."""
        self._pictures.pop()
