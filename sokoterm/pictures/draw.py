"""Drawing with a skin: sprites, sheets of them, boards and positions.

What never moves is one picture; boxes and the player are laid over it.  All pictures of a skin share its colours.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sokoterm.engine.bits import Square, tester
from sokoterm.engine.board import Board, colors_of
from sokoterm.engine.lurd import Stance
from sokoterm.pictures.png import Picture
from sokoterm.pictures.skins import GLYPH_HEIGHT, GLYPH_WIDTH, Skin, box_colors, letters

HINT, TARGET, BOX, HOME, DEAD, LIT = "hint", "target", "box", "home", "dead", "lit"
"""Names of sprites: marks over a square; a box, one at home, one that proves a deadlock, one of a level just solved."""
_SHADES = {"shade-up": 1, "shade-left": 3}
_CORNER_SHADE = "shade-corner"


STANDING = Stance()


class Thing(NamedTuple):
    """A sprite by name, in the colour of a box, with the letter of the goal below it; colours from 0, None for none."""

    name: str
    color: int | None = None
    goal: int | None = None


class View(NamedTuple):
    """A part of a board: its first row and column, and the number of both."""

    top: int
    left: int
    height: int
    width: int


def thing_on(
    cell: str, box: int | None = None, goal: int | None = None, stance: Stance = STANDING, *, is_dead: bool = False
) -> Thing | None:
    """Return what moves on a square, by its XSB character (``$`` for a box on a goal that does not take it)."""
    match cell:
        case "@" | "+":
            pose = "-push" if stance.is_pushing else "-step" if stance.is_striding else ""
            return Thing(f"player-{stance.facing.name.lower()}{pose}", None, goal)
        case "$":
            return Thing(DEAD if is_dead else BOX, box, goal)
        case "*":
            return Thing(DEAD if is_dead else HOME, box)
    return None


def sprite(skin: Skin, thing: Thing) -> Picture:
    """Return the picture of a sprite; what is not drawn is transparent."""
    return Picture(skin.size, skin.size, _pixels(skin, thing), skin.colors)


def sheet(skin: Skin, things: Iterable[Thing], gap: int = 0) -> tuple[Picture, dict[Thing, int]]:
    """Return sprites below one another, with transparent rows between them, and the first row of each.

    So the rows that poses share lie near one another, and compress to almost nothing.
    """
    space = bytes(skin.size * gap)
    pieces = {thing: _pixels(skin, thing) for thing in things}
    pixels = space.join(pieces.values())
    places = {thing: at * (skin.size + gap) for at, thing in enumerate(pieces)}
    return Picture(skin.size, len(pixels) // skin.size, pixels, skin.colors), places


def board_picture(board: Board, skin: Skin, view: View | None = None) -> Picture:
    """Return what never moves: walls, floor, ice and goals; the outside is transparent."""
    return position_picture(board, skin, {}, view)


def position_picture(
    board: Board, skin: Skin, things: Mapping[Square, Iterable[Thing]], view: View | None = None
) -> Picture:
    """Return a board with things on its squares, the lowest first."""
    top, left, height, width = view or View(0, 0, board.height, board.width)
    size, ground = skin.size, _Ground(board, skin)
    known = dict[object, bytes]()
    lines = list[bytes]()
    for row in range(top, top + height):
        tiles = list[bytes]()
        for square in range(board.square(row, left), board.square(row, left) + width):
            over = tuple(things.get(square, ()))
            key = (ground.key(square), over)
            if key not in known:
                known[key] = laid(ground.pixels(square), *(_pixels(skin, thing) for thing in over))
            tiles.append(known[key])
        lines += [tile[at : at + size] for at in range(0, size * size, size) for tile in tiles]
    return Picture(width * size, height * size, b"".join(lines), skin.colors)


def laid(ground: bytes, *pieces: bytes) -> bytes:
    """Return pixels with others over them, of which 0 is transparent."""
    for piece in pieces:
        ground = bytes(over or below for over, below in zip(piece, ground, strict=True))
    return ground


class _Ground:
    """The squares of a board as they look without boxes and player: each by its neighbours."""

    def __init__(self, board: Board, skin: Skin) -> None:
        self._skin, self._board = skin, board
        self._goals = colors_of(board.colors)
        squares = board.walls, board.floor, board.goals, board.ice
        self._is_wall, self._is_floor, self._is_goal, self._is_ice = (tester(each, board.size) for each in squares)

    def _wall_at(self, square: Square, right: int, down: int) -> bool:
        row, column = self._board.row_column(square)
        row, column = row + down, column + right
        inside = 0 <= row < self._board.height and 0 <= column < self._board.width
        return inside and self._is_wall(self._board.square(row, column))

    def _around(self, square: Square) -> tuple[bool, ...]:
        """Return where walls are, row by row."""
        return tuple(self._wall_at(square, right, down) for down in (-1, 0, 1) for right in (-1, 0, 1))

    def key(self, square: Square) -> tuple[object, ...]:
        """Return the same for squares that look the same."""
        kinds = self._is_floor(square), self._is_ice(square), self._is_goal(square), self._goals.get(square)
        return *kinds, self._around(square)

    def pixels(self, square: Square) -> bytes:
        """Return the pixels of a square."""
        sprites, around = self._skin.sprites, self._around(square)
        if self._is_wall(square):
            return self._wall(around)
        if not self._is_floor(square):
            return bytes(self._skin.size**2)
        pieces = [sprites["floor"]]
        if self._is_ice(square):
            pieces.append(sprites["ice"])
        shades = [name for name, at in _SHADES.items() if around[at]] or [_CORNER_SHADE] * around[0]
        pieces += [sprites[name] for name in shades]
        if self._is_goal(square):
            pieces.append(_pixels(self._skin, Thing("goal", self._goals.get(square))))
        return laid(*pieces)

    def _wall(self, around: tuple[bool, ...]) -> bytes:
        """Put a wall together from the four quarters of the block in the skin that fit its neighbours."""
        size, sprites = self._skin.size, self._skin.sprites
        half = size // 2
        rows = [bytearray(size) for _ in range(size)]
        for down in (0, 1):
            for right in (0, 1):
                across, along = around[3 + 2 * right], around[1 + 6 * down]
                if across and along and not around[6 * down + 2 * right]:
                    source, width, x, y = sprites["wall-inner"], size, right * half, down * half
                else:
                    x = (2 - right if across else 3 * right) * half
                    y = (2 - down if along else 3 * down) * half
                    source, width = sprites["wall"], 2 * size
                for line in range(half):
                    at = (y + line) * width + x
                    rows[down * half + line][right * half : (right + 1) * half] = source[at : at + half]
        return b"".join(rows)


def _pixels(skin: Skin, thing: Thing) -> bytes:
    has_letter = thing.color is not None and f"{thing.name}-letter" in skin.sprites
    pixels = bytearray(skin.sprites[f"{thing.name}-letter" if has_letter else thing.name])
    middle = (skin.size - GLYPH_WIDTH) // 2, (skin.size - GLYPH_HEIGHT) // 2
    is_goal = thing.name == "goal"
    if thing.color is not None:
        tint = box_colors(skin, thing.color)
        pixels = pixels.translate(tint.table)
        beside = thing.goal is not None and not is_goal
        place = (2, skin.size - GLYPH_HEIGHT - 2) if beside else middle
        letter = chr(ord("a" if is_goal else "A") + thing.color % 26)
        _write(pixels, skin.size, letter, place, tint.ink if is_goal else tint.writing, 0 if is_goal else tint.middle)
    if thing.goal is not None:
        tint = box_colors(skin, thing.goal)
        corner = skin.size - GLYPH_WIDTH - 1, 1
        _write(pixels, skin.size, chr(ord("a") + thing.goal % 26), corner, tint.ink, skin.shade)
    return bytes(pixels)


def _write(pixels: bytearray, size: int, letter: str, place: tuple[int, int], ink: int, ground: int) -> None:
    """Write a letter from its upper left corner on, with a margin of one pixel."""
    left, top = place
    for y, row in enumerate((" ", *letters()[letter], " "), start=top - 1):
        for x, pixel in enumerate(f" {row} ", start=left - 1):
            if 0 <= x < size and 0 <= y < size:
                pixels[y * size + x] = ink if pixel == "#" else ground
