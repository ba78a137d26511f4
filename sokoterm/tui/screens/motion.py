"""Animation: moves shown one by one, and the lights of a win."""

from collections.abc import Iterator, Sequence
from math import ceil

from sokoterm.engine.bits import Square, around, squares_of
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Stance, parse_directions, parse_lurd, play, stance_after
from sokoterm.engine.rules import Replayer, boxes_home, slide
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
    stance: Stance


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
            ShownPosition(state, start.moves + moves, start.pushes + pushes, stance_after(start.moves + moves, letter))
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


LIGHT_SECONDS, CARD_SECONDS = 0.05, 0.4
"""Seconds of each of the eleven pictures of a win at most, and then of its card until the gauge in it grows."""
_OF_BOXES, _OF_WALLS = 6, 5
_MOST_GLOWING = 44  # walls: in tiles of four columns each takes some 60 bytes, to light up and to go out

Lights = tuple[Sequence[Square], Sequence[Square]]
"""The boxes and the walls that are lit."""


def win_lights(level: Level, lurd: str) -> list[Lights]:
    """Return the pictures of a win by some moves: boxes light up in the order in which they came home.

    Then a wave of light goes from the last one over the walls. The last picture, without lights, is that of the card.
    """
    board, replayer = level.board, Replayer(level.board, level.start)
    replayer.take(parse_directions(lurd))
    came = {landing - board.stride: number for number, landing in enumerate(replayer.landings)}
    homes = sorted(squares_of(boxes_home(board, replayer.state)), key=lambda square: came.get(square, -1))
    centre = complex(*board.row_column(homes[-1]))
    walls = squares_of(around(board.floor, board.stride) & board.walls)
    walls.sort(key=lambda square: abs(complex(*board.row_column(square)) - centre))
    walls = walls[:: ceil(len(walls) / _MOST_GLOWING)]
    step, wave = ceil(len(homes) / _OF_BOXES), ceil(len(walls) / _OF_WALLS)
    boxes: list[Lights] = [(homes[: at + step], ()) for at in range(0, len(homes), step)]
    return [*boxes, *((homes, walls[at : at + wave]) for at in range(0, len(walls), wave)), ((), ())]
