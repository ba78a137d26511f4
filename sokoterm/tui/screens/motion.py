"""Moves that are shown one by one: their pace, and the positions in between."""

from collections.abc import Iterator
from math import ceil

from sokoterm.engine.bits import Direction
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import direction_of, parse_lurd, play
from sokoterm.engine.rules import slide
from sokoterm.engine.value import Value

# Longer moves are waited for, not watched; shorter pictures are not seen, and cost as many bytes.
LONGEST_SECONDS = 1.5
PICTURE_SECONDS = 1 / 60


def pace(moves: int, per_second: int) -> tuple[float, int]:
    """Return the seconds of a picture, and the moves from one to the next, where moves are shown at a speed.

    They take no longer than LONGEST_SECONDS in all.
    """
    seconds = min(1 / per_second, LONGEST_SECONDS / max(1, moves))
    step = max(1, ceil(PICTURE_SECONDS / seconds - 1e-9))
    return seconds * step, step


class ShownPosition(Value):
    """An intermediate position of an animation, with its counters."""

    state: State
    moves: int
    pushes: int
    facing: Direction


def _positions(board: Board, state: State, lurd: str) -> Iterator[tuple[State, int, int, str]]:
    """Yield the positions of moves, those in which a box slides among them, with moves and pushes so far and letter."""
    pushes = 0
    for moves, (after, letter) in enumerate(play(board, state, parse_lurd(lurd)), start=1):
        pushes += letter.isupper()
        for sliding in slide(board, state, after):
            yield sliding, moves, pushes, letter
        yield after, moves, pushes, letter
        state = after


class Animation:
    """The positions between two, or some of them: see ``pace``; ``has_slides`` if a box slides in between."""

    def __init__(
        self, board: Board, start: ShownPosition, lurd: str, per_second: int, *, is_backward: bool = False
    ) -> None:
        """``lurd`` are the moves from ``start``, made or taken back; raises LurdError if they cannot be made."""
        positions = [*_positions(board, start.state, lurd)]
        self.has_slides = len(positions) > len(lurd)
        self.seconds, step = pace(len(positions), per_second)
        rest = len(positions) % step if is_backward else 0
        self._pictures = [
            ShownPosition(state, start.moves + moves, start.pushes + pushes, direction_of(letter))
            for count, (state, moves, pushes, letter) in enumerate(positions[:-1], start=1)
            if count % step == rest
        ]
        if not is_backward:
            self._pictures.reverse()

    @property
    def shown(self) -> ShownPosition | None:
        """The position to draw now; None at the end, where it is that of the play."""
        return self._pictures[-1] if self._pictures else None

    def go_on(self) -> None:
        """Go on to the next position."""
        del self._pictures[-1:]
