"""Animation of moves, and the lights of a win."""

from collections.abc import Sequence
from math import ceil

from sokoterm.engine.bits import Square, around, squares_of
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Stance, parse_directions, parse_lurd, play, stance_after
from sokoterm.engine.rules import Replayer, boxes_home, slide
from sokoterm.engine.value import Value

# Nobody wants to watch longer animations; shorter frames are invisible, but cost as many bytes.
LONGEST_SECONDS = 1.5
PICTURE_SECONDS = 1 / 60


def pace(moves: int, per_second: int) -> tuple[float, int]:
    """Return the seconds per frame and the moves per frame, for a total of at most LONGEST_SECONDS."""
    seconds = min(1 / per_second, LONGEST_SECONDS / max(1, moves))
    step = max(1, ceil(PICTURE_SECONDS / seconds - 1e-9))
    return seconds * step, step


class ShownPosition(Value):
    """An intermediate position of an animation, with its counters."""

    state: State
    moves: int
    pushes: int
    stance: Stance


def on_the_way(
    board: Board, start: ShownPosition, lurd: str, per_second: int, least: int, *, is_backward: bool = False
) -> tuple[list[ShownPosition], float]:
    """Return the positions to show, in reverse order, and the seconds of each (see ``pace``).

    ``lurd`` are the moves from ``start``, to be made or undone; fewer than ``least`` moves are shown only if a box
    slides. Raises LurdError for impossible moves.
    """
    positions: list[ShownPosition] = []
    state, moves, pushes = start.state, start.moves, start.pushes
    for after, letter in play(board, state, parse_lurd(lurd)):
        moves, pushes = moves + 1, pushes + letter.isupper()
        stance = stance_after(moves, letter)
        positions += [ShownPosition(each, moves, pushes, stance) for each in (*slide(board, state, after), after)]
        state = after
    seconds, step = pace(len(positions), per_second)
    if len(lurd) < least and len(positions) == len(lurd):
        return [], seconds
    rest = len(positions) % step if is_backward else 0
    shown = [position for count, position in enumerate(positions[:-1], start=1) if count % step == rest]
    return shown if is_backward else shown[::-1], seconds


LIGHT_SECONDS, CARD_SECONDS = 0.05, 0.4
"""Seconds of each of up to eleven frames of a win, and of its card before the gauge grows."""
_OF_BOXES, _OF_WALLS = 6, 5
_MOST_GLOWING = 44  # walls; in tiles of four columns, each takes about 60 bytes to light up and as many to go out

Lights = tuple[Sequence[Square], Sequence[Square]]
"""The boxes and the walls that are lit."""


def win_lights(level: Level, lurd: str) -> list[Lights]:
    """Return the frames of a win: boxes light up as they came home, a wave runs over the walls, then nothing."""
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
