"""Drawing with a skin: sprites, sheets of sprites, boards and positions.

Everything that never moves is one picture, and boxes and the player overlay it. All pictures of a skin share its
colours.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sokoterm.engine.bits import Square, tester
from sokoterm.engine.board import Board, colors_of
from sokoterm.engine.lurd import Stance
from sokoterm.pictures.png import Picture
from sokoterm.pictures.skins import GLYPH_HEIGHT, GLYPH_WIDTH, Skin, letters

HINT, TARGET, BOX, HOME, DEAD, LIT = "hint", "target", "box", "home", "dead", "lit"
"""Names of sprites: two marks over a square; a box, a box at home, in a deadlock, and in a level just solved."""

STANDING = Stance()
_GOAL = "goal"


class Thing(NamedTuple):
    """A sprite by name, with the colours (from 0) of its box and of the goal below it."""

    name: str
    color: int | None = None
    goal: int | None = None


class View(NamedTuple):
    """A part of a board: its first row and column, and its size in squares."""

    top: int
    left: int
    height: int
    width: int


def thing_on(
    cell: str, box: int | None = None, goal: int | None = None, stance: Stance = STANDING, *, is_dead: bool = False
) -> Thing | None:
    """Return the thing on a square, by its XSB character (``$`` for a box on a goal that does not accept it)."""
    match cell:
        case "@" | "+":
            pose = "-push" if stance.is_pushing else "-step" if stance.is_striding else ""
            return Thing(f"player-{stance.facing.name.lower()}{pose}", None, goal)
        case "$":
            return Thing(DEAD if is_dead else BOX, box, goal)
        case "*":
            return Thing(DEAD if is_dead else HOME, box)
        case ".":
            return Thing(_GOAL, goal)
    return None


def sprite(skin: Skin, thing: Thing) -> Picture:
    """Return the picture of a sprite on a transparent background."""
    return Picture(skin.size, skin.size, _pixels(skin, thing), skin.colors)


def sheet(skin: Skin, things: Iterable[Thing]) -> tuple[Picture, dict[Thing, int]]:
    """Return sprites below one another, where rows that poses share compress well, and the first row of each."""
    pieces = {thing: _pixels(skin, thing) for thing in things}
    pixels = b"".join(pieces.values())
    places = {thing: at * skin.size for at, thing in enumerate(pieces)}
    return Picture(skin.size, len(pixels) // skin.size, pixels, skin.colors), places


def board_picture(board: Board, skin: Skin, view: View | None = None) -> Picture:
    """Return walls, floor, ice and goals, with a transparent outside."""
    return BoardPainter(board, skin, view).picture({})


class BoardPainter:
    """Pictures of positions on one board; only rows that changed since the last picture are drawn again."""

    def __init__(self, board: Board, skin: Skin, view: View | None = None) -> None:
        self._board, self._skin = board, skin
        self._view = view or View(0, 0, board.height, board.width)
        self._goals = colors_of(board.colors)
        squares = board.walls, board.floor, board.goals, board.ice
        self._is_wall, self._is_floor, self._is_goal, self._is_ice = (tester(each, board.size) for each in squares)
        self._grounds = dict[tuple[object, ...], bytes]()
        self._drawn = dict[tuple[bytes, Thing], bytes]()
        self._rows = dict[int, tuple[list[Thing | None], bytes]]()

    def picture(self, things: Mapping[Square, Thing]) -> Picture:
        top, left, height, width = self._view
        rows = (self._row(self._board.square(row, left), things) for row in range(top, top + height))
        size = self._skin.size
        return Picture(width * size, height * size, b"".join(rows), self._skin.colors)

    def _row(self, first: Square, things: Mapping[Square, Thing]) -> bytes:
        over = [things.get(square) for square in range(first, first + self._view.width)]
        known, pixels = self._rows.get(first, (None, b""))
        if known != over:
            tiles = [self._square(square, thing) for square, thing in enumerate(over, start=first)]
            size = self._skin.size
            pixels = b"".join(tile[at : at + size] for at in range(0, size * size, size) for tile in tiles)
            self._rows[first] = over, pixels
        return pixels

    def _square(self, square: Square, thing: Thing | None) -> bytes:
        ground = self._ground(square)
        if thing is None:
            return ground
        if (ground, thing) not in self._drawn:
            self._drawn[ground, thing] = laid(ground, _pixels(self._skin, thing))
        return self._drawn[ground, thing]

    def _ground(self, square: Square) -> bytes:
        # The extra column is never a wall.
        near = [square + down * self._board.stride + right for down in (-1, 0, 1) for right in (-1, 0, 1)]
        around = tuple(0 <= each < self._board.size and self._is_wall(each) for each in near)
        kind = self._is_floor(square), self._is_ice(square), self._is_goal(square), self._goals.get(square)
        look = around, *kind
        if look not in self._grounds:
            self._grounds[look] = self._wall(around) if around[4] else self._floor(around, *kind)
        return self._grounds[look]

    def _floor(self, around: tuple[bool, ...], is_floor: bool, is_ice: bool, is_goal: bool, color: int | None) -> bytes:
        if not is_floor:
            return bytes(self._skin.size**2)
        names = ["floor"] + ["ice"] * is_ice + ["shade-up"] * around[1] + ["shade-left"] * around[3]
        names += ["shade-corner"] * (around[0] and not around[1] and not around[3])
        goal = [_pixels(self._skin, Thing(_GOAL, color))] * is_goal
        return laid(*map(self._skin.sprites.__getitem__, names), *goal)

    def _wall(self, around: tuple[bool, ...]) -> bytes:
        """Compose a wall of the quarters of the block in the skin that fit its neighbours."""
        size, half = self._skin.size, self._skin.size // 2
        rows = [bytearray() for _ in range(size)]
        for down, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
            beside, along = around[3 + 2 * right], around[1 + 6 * down]
            if beside and along and not around[6 * down + 2 * right]:
                source, width, x, y = self._skin.sprites["wall-inner"], size, right, down
            else:
                source, width = self._skin.sprites["wall"], 2 * size
                x, y = (2 - right if beside else 3 * right), (2 - down if along else 3 * down)
            for line in range(half):
                at = (y * half + line) * width + x * half
                rows[down * half + line] += source[at : at + half]
        return b"".join(rows)


def laid(ground: bytes, *pieces: bytes) -> bytes:
    """Return pixels overlaid with others, of which 0 is transparent."""
    for piece in pieces:
        ground = bytes(over or below for over, below in zip(piece, ground, strict=True))
    return ground


def _pixels(skin: Skin, thing: Thing) -> bytes:
    size, is_goal = skin.size, thing.name == _GOAL
    pixels = bytearray(skin.sprites[thing.name if thing.color is None else f"{thing.name}-letter"])
    has_corner = thing.goal is not None and size >= 2 * GLYPH_HEIGHT  # in a smaller one it hides the thing on the goal
    if thing.color is not None:
        tint = skin.tints[thing.color % len(skin.tints)]
        pixels = pixels.translate(tint.table)
        colors = (tint.ink, tint.floor) if is_goal else (tint.writing, tint.middle)
        middle = (size - GLYPH_WIDTH) // 2, (size - GLYPH_HEIGHT) // 2
        place = (2, size - GLYPH_HEIGHT - 2) if has_corner else middle
        _write(pixels, size, chr(ord("a" if is_goal else "A") + thing.color % 26), place, colors)
    if thing.goal is not None and has_corner:
        tint = skin.tints[thing.goal % len(skin.tints)]
        _write(pixels, size, chr(ord("a") + thing.goal % 26), (size - GLYPH_WIDTH - 1, 1), (tint.ink, tint.floor))
    return bytes(pixels)


def _write(pixels: bytearray, size: int, letter: str, place: tuple[int, int], colors: tuple[int, int]) -> None:
    """Write a letter in ink and ground, from its upper left corner, with a margin of one pixel."""
    left, top = place
    for y, row in enumerate(("", *letters()[letter], ""), start=top - 1):
        for x, pixel in enumerate(f" {row:{GLYPH_WIDTH}} ", start=left - 1):
            if 0 <= x < size and 0 <= y < size:
                pixels[y * size + x] = colors[pixel != "#"]
