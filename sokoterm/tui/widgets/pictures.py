"""Boards as pictures of the terminal: one for all fixed squares, one for each box, the player and each mark."""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sokoterm.engine.bits import Symmetry, tester
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Stance
from sokoterm.pictures.draw import HINT, LIT, TARGET, Thing, View, board_picture, sheet, sprite, thing_on
from sokoterm.pictures.png import Color, Picture
from sokoterm.pictures.skins import named
from sokoterm.tui.widgets import tiles
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import GROUND, MARK, THING, TINT, Placement
from sokoterm.tui.widgets.sights import Sights

if TYPE_CHECKING:
    from sokoterm.tui.widgets.board_view import BoardPlace, SquareSize

_MARKS = {tiles.HINTED: HINT, tiles.LIT: LIT, tiles.FRAME: TARGET}
"""The marks that skins draw; others are the largest tiles."""
_POSES = tuple(
    f"player-{pose}" for pose in ("left", "up", "down", "left-push", "up-push", "down-push", "right-push", "right")
)
_PIXELS = max(tiles.SIZES)
_TINT = 150  # alpha of the ground's colour


class Ground(NamedTuple):
    """Part of a board's fixed squares, as seen in the view."""

    board: Board
    part: View


def image_of(image: object, skin_name: str | None, palette: tiles.Palette) -> Picture:
    """Return the picture of a placement's image: a Ground, a Thing, all poses, or the name of a mark of tiles."""
    skin = named(skin_name, dark=palette.name != tiles.LIGHT.name)
    if isinstance(image, Ground):
        return board_picture(image.board, skin, image.part)
    if image is _POSES:
        return sheet(skin, map(Thing, _POSES))[0]
    return sprite(skin, image) if isinstance(image, Thing) else _mark_picture(str(image), palette)


def plate(red: int, green: int, blue: int) -> Picture:
    return Picture(1, 1, b"\0", ((red, green, blue, 255),))


def _mark_picture(name: str, palette: tiles.Palette) -> Picture:
    rows = tiles.sprites_of(_PIXELS)[name]
    letters = sorted({*"".join(rows)})
    ground = tiles.GROUNDS.get(name, "")
    colors: list[Color] = []
    for letter in letters:
        drawn = palette.colors.get(ground if letter == "." else letter)
        colors.append((0, 0, 0, 0) if drawn is None else (*drawn[1], _TINT if letter == "." else 255))
    return Picture(_PIXELS, _PIXELS, bytes(map(letters.index, "".join(rows))), tuple(colors))


@lru_cache(maxsize=4)
def _board_in(level: Level, view: Symmetry) -> Board:
    return level.turned(view).board


def put_board(canvas: Canvas, place: "BoardPlace", level: Level, state: State, dead: int, stance: Stance) -> None:
    """Place the visible part of a board on the screen, with everything on it."""
    rows, columns = place.shown
    if not rows or not columns:
        return
    board = _board_in(level, place.view) if place.is_turned else level.board
    ground = Ground(board, View(rows.start, columns.start, len(rows), len(columns)))
    corner = place.corner_of(rows.start, columns.start)
    height, width = len(rows) * place.size.rows, len(columns) * place.size.columns
    canvas.put_picture(Placement(ground, *corner, height, width, GROUND))
    sights, is_dead = Sights(level, state), tester(dead, level.board.size)
    # A standing player does not stride: each change of picture would cost as much as a step.
    facing = Stance(place.view.direction(stance.facing), stance.is_pushing)
    for square in sights.squares:
        sight = sights.at(square)
        thing = thing_on(sight.cell, sight.box, sight.goal, facing, is_dead=is_dead(square))
        cell = place.cell_of(square)
        if thing is not None and cell is not None:
            _put_thing(canvas, cell, place.size, thing)


def _put_thing(canvas: Canvas, corner: tuple[int, int], size: "SquareSize", thing: Thing) -> None:
    """Place a box, or the player, whose poses share one image because he turns often."""
    is_player = thing.name in _POSES
    if not is_player or thing.goal is not None:
        kind = "player" if is_player else "box"
        canvas.put_picture(Placement(thing, *corner, size.rows, size.columns, THING, kind))
        return
    part = _POSES.index(thing.name)
    canvas.put_picture(Placement(_POSES, *corner, size.rows, size.columns, THING, "player", part, len(_POSES)))


def put_mark(canvas: Canvas, corner: tuple[int, int], size: "SquareSize", name: str, color: int | None = None) -> None:
    """Place a mark over a square: of tiles, or of the skin, where it may have a box's colour."""
    image = Thing(_MARKS[name], color if name == tiles.LIT else None) if name in _MARKS else name
    layer = TINT if name in tiles.GROUNDS else MARK
    canvas.put_picture(Placement(image, *corner, size.rows, size.columns, layer))
