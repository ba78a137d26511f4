"""Positions and solutions as SVG, for notebooks and web pages: plain shapes without scripts and style sheets."""

from collections.abc import Iterable
from html import escape

from sokoterm.engine.bits import Bitboard, Square, lowest, squares_of
from sokoterm.engine.board import State, colors_of
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import parse_lurd, play
from sokoterm.engine.rules import goals_taking
from sokoterm.engine.value import UsageError

# Units of the picture per square; the sizes of shapes below depend on it.
_UNIT = 32
# Seconds at the end of an animation before it starts again.
_PAUSE = 1.5
_GROUND, _WALL, _FLOOR, _ICE, _GOAL = "#23272e", "#5b6270", "#e9e4d8", "#c4e4f2", "#c2443a"
_BOX, _HOME, _PLAYER = "#d39a4a", "#5f9e55", "#2f6fb3"

# The path of a thing: pairs of a time, in steps from the start, and its square; it moves evenly between two pairs.
_Track = list[tuple[int, Square]]


def svg_of(level: Level, state: State, lurd: str, size: int, speed: float = 5.0) -> str:
    """Return the picture of a position, with an endless animation of some moves, ``speed`` of them per second.

    ``size``: pixels per square. Raises LurdError for illegal moves, UsageError for a size or speed not above 0.
    """
    if not (size > 0 and speed > 0):
        raise UsageError(f"found the size {size} and the speed {speed}, expected numbers above 0")
    board = level.board
    player, boxes = _tracks(level, state, lurd)
    seconds = len(lurd) / speed + _PAUSE
    width, height = board.width * _UNIT, board.height * _UNIT
    sides = f'width="{board.width * size}" height="{board.height * size}"'
    box_colors = colors_of(board.boxes_by_layer(state.boxes)[1:])
    goal_colors = colors_of(board.colors)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {sides} role="img">',
        f"<title>{escape(level.title or 'Sokoban')}</title>",
        f'<rect width="{width}" height="{height}" fill="{_GROUND}"/>',
        *(
            _squares(level, squares, fill)
            for squares, fill in ((board.walls, _WALL), (board.floor, _FLOOR), (board.ice, _ICE))
            if squares
        ),
    ]
    decoration = [
        (board.square(row, column), cell)
        for row, cells in enumerate(level.cells(state))
        for column, cell in enumerate(cells)
        if cell in "$.*" and not board.floor >> board.square(row, column) & 1
    ]
    goals = [*squares_of(board.goals), *(square for square, cell in decoration if cell != "$")]
    for square, (x, y) in zip(goals, _corners(level, goals)):
        stroke = _hue(goal_colors[square]) if square in goal_colors else _GOAL
        parts.append(f'<circle cx="{x + 16}" cy="{y + 16}" r="6" fill="none" stroke="{stroke}" stroke-width="4"/>')
    still: list[_Track] = [[(0, square)] for square, cell in decoration if cell != "."]
    for track in [*boxes, *still]:
        square = track[0][1]
        fill = _hue(box_colors[square]) if square in box_colors else _BOX
        taking = goals_taking(board, state.boxes, square)
        fills = [_HOME if taking >> place & 1 else fill for _, place in track]
        changing = ' attributeName="fill" calcMode="discrete"'
        shape = (
            f'<rect x="3" y="3" width="26" height="26" rx="3" fill="{fills[0]}" stroke="#0006" stroke-width="2">'
            f"{_animated(changing, track, fills, seconds, speed)}</rect>"
            '<path d="M9 9L23 23M23 9L9 23" stroke="#0005" stroke-width="3"/>'
        )
        parts.append(_thing(level, track, shape, seconds, speed))
    shape = (
        f'<circle cx="16" cy="16" r="11" fill="{_PLAYER}" stroke="#0006" stroke-width="2"/>'
        '<path d="M12 11v4M20 11v4" stroke="#fff" stroke-width="4" stroke-linecap="round"/>'
    )
    return "\n".join([*parts, _thing(level, player, shape, seconds, speed), "</svg>"])


def _tracks(level: Level, state: State, lurd: str) -> tuple[_Track, list[_Track]]:
    board = level.board
    player: _Track = [(0, state.player)]
    boxes: dict[Square, _Track] = {square: [(0, square)] for square in squares_of(state.boxes & board.floor)}
    for number, (after, letter) in enumerate(play(board, state, parse_lurd(lurd))):
        _go(player, number, after.player)
        if letter.isupper():
            landing = lowest(after.boxes & ~state.boxes & board.floor)
            _go(boxes[after.player], number, landing)
            boxes[landing] = boxes.pop(after.player)
        state = after
    return player, [*boxes.values()]


def _go(track: _Track, number: int, square: Square) -> None:
    """Add step ``number`` to a square; straight ways are merged."""
    last, place = track[-1]
    if last < number:
        track.append((number, place))
    elif len(track) > 1 and track[-2][0] < last and (place - track[-2][1]) == (square - place) * (last - track[-2][0]):
        track.pop()
    track.append((number + 1, square))


def _squares(level: Level, squares: Bitboard, fill: str) -> str:
    shapes = [f"M{x} {y}h32v32h-32z" for x, y in _corners(level, squares_of(squares))]
    return f'<path fill="{fill}" d="{"".join(shapes)}"/>'


def _corners(level: Level, squares: Iterable[Square]) -> list[tuple[int, int]]:
    places = map(level.board.row_column, squares)
    return [(column * _UNIT, row * _UNIT) for row, column in places]


def _thing(level: Level, track: _Track, shape: str, seconds: float, speed: float) -> str:
    values = [f"{x} {y}" for x, y in _corners(level, [square for _, square in track])]
    kind = 'Transform attributeName="transform" type="translate"'
    return f'<g transform="translate({values[0]})">{shape}{_animated(kind, track, values, seconds, speed)}</g>'


def _animated(kind: str, track: _Track, values: list[str], seconds: float, speed: float) -> str:
    if len({*values}) == 1:
        return ""
    times = [f"{step / speed / seconds:.6g}" for step, _ in track]
    listed = f'keyTimes="{";".join([*times, "1"])}" values="{";".join([*values, values[-1]])}"'
    return f'<animate{kind} {listed} dur="{seconds:g}s" repeatCount="indefinite"/>'


def _hue(color: int) -> str:
    """Return the fill of a box colour; the golden angle keeps many colours distinct."""
    return f"hsl({(210 + color * 137) % 360} 55% 55%)"
