"""Tiles: squares of a board drawn as pixels, two per character by half blocks, in sprites of 4 to 16 pixels.

A sprite has a row of letters per pixel row. Each letter is a colour of the palette; a dot shows what is below: the
goal, the floor, or the terminal's background outside the walls. A character's upper and lower pixel form a pair of
colours; in a Frame each pair is a private use character among the styles.
"""

import os
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from sokoterm.engine.bits import Direction
from sokoterm.engine.lurd import Stance
from sokoterm.engine.value import Value
from sokoterm.store.packs import bundled_data

Sprite = tuple[str, ...]
"""Rows of colour letters from the top, as many as letters in a row."""

_OUTSIDE, FLOOR, ICE_FLOOR, _BELOW = " ", "f", "i", "."
COLORED, INKS = "ACDEFIJLMNOP", "QSTUVWXZalny"
"""The letters of box colours, and of the same colours for goals, readable on the floor."""
VARIANT_LETTERS = "ij" + COLORED + INKS
_LETTERS = " fuwdkbBGgKhHtRrcsepqYmoxz" + VARIANT_LETTERS
_FIRST_STYLE = 0xE000  # private use characters, which level files cannot put on the screen


class Palette(Value):
    """For each letter of the sprites, its colour: the number among xterm's 256, and RGB."""

    name: str
    colors: Mapping[str, tuple[int, tuple[int, int, int]]]

    @property
    def rgb(self) -> dict[int, tuple[int, int, int]]:
        """RGB by number."""
        return dict(self.colors.values())

    def number(self, letter: str) -> int:
        """Return the number of a letter's colour, -1 for the terminal's own."""
        return self.colors[letter][0] if letter in self.colors else -1


def xterm_color(number: int) -> tuple[int, int, int]:
    """Return the RGB of a colour from 16 to 255, the same on all terminals: a 6x6x6 cube and 24 greys."""
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    red, green, blue = (part * 40 + 55 if part else 0 for part in ((number - 16) // each % 6 for each in (36, 6, 1)))
    return red, green, blue


def _palette(name: str, colors: Mapping[str, tuple[int, int]]) -> Palette:
    split = {letter: (number, (rgb >> 16, rgb >> 8 & 255, rgb & 255)) for letter, (number, rgb) in colors.items()}
    return Palette(name, split)


# Box colours that everyone can tell apart. Names: wording/kinds.py. No other colour in a palette has the number of one
# of these or of an ink.
_COLORS = dict(zip(COLORED, (
    (215, 0xFFAF5F), (21, 0x005FFF), (220, 0xFFD700), (175, 0xD787AF), (70, 0x5FAF00), (117, 0x87D7FF),
    (167, 0xD75F5F), (91, 0x8700AF), (85, 0x5FFFAF), (94, 0x6E4410), (239, 0x4E4E4E), (231, 0xFFFFFF),
), strict=True))  # fmt: skip
_DARK_INKS = dict(zip(INKS, (
    (215, 0xFFAF5F), (111, 0x7FA2FF), (220, 0xFFD700), (175, 0xD787AF), (70, 0x5FAF00), (117, 0x87D7FF),
    (174, 0xE87878), (141, 0xBB88EE), (85, 0x5FFFAF), (137, 0xBA9168), (248, 0xA4A4A4), (231, 0xFFFFFF),
), strict=True))  # fmt: skip
_LIGHT_INKS = dict(zip(INKS, (
    (130, 0x8A4800), (20, 0x0000D7), (58, 0x5C5A00), (89, 0x8F3868), (22, 0x006000), (24, 0x005F88),
    (124, 0xA80000), (54, 0x5F0087), (23, 0x00604A), (95, 0x64481C), (237, 0x3F3F3F), (240, 0x5A5A5A),
), strict=True))  # fmt: skip
# f floor; u w d wall: lit edge, brick, mortar; k b B box: edge, wood, lit; G g goal; K h H t box at home: edge, side,
# lit, mark; R r guilty box; c s e p q player: cap, skin, eyes, shirt, legs; Y choice; m ground of fine squares, z
# labels there, x o ground and signs of bad ones; i j ice.
DARK = _palette("dark", {
    "f": (236, 0x2C2E35), "u": (247, 0x969BA6), "w": (244, 0x797D87), "d": (238, 0x464952),
    "k": (94, 0x6E4410), "b": (172, 0xD08726), "B": (214, 0xFFB545), "G": (45, 0x2FC8FF), "g": (31, 0x0F7FB0),
    "K": (24, 0x0B4A78), "h": (26, 0x1A74C0), "H": (75, 0x62B4F7), "t": (15, 0xFFFFFF), "R": (88, 0x8C1220),
    "r": (203, 0xFF6670), "c": (162, 0xD02A86), "s": (223, 0xFFD9AE), "e": (16, 0x101010), "p": (255, 0xF2F2F2),
    "q": (103, 0x8488AE), "Y": (226, 0xFFE600), "m": (17, 0x1D3F63), "z": (25, 0x1268A8), "x": (52, 0x522818),
    "o": (166, 0xD8641E), "i": (23, 0x1E4A60), "j": (67, 0x6FA0C0), **_COLORS, **_DARK_INKS,
})  # fmt: skip
LIGHT = _palette("light", {
    "f": (253, 0xD9D6CD), "u": (243, 0x7A7771), "w": (241, 0x64615C), "d": (249, 0xB4B1A9),
    "k": (94, 0x6E4410), "b": (172, 0xD08726), "B": (214, 0xFFB545), "G": (27, 0x0A56C8), "g": (68, 0x5A8CD8),
    "K": (17, 0x071F55), "h": (26, 0x1556B8), "H": (33, 0x2B86EE), "t": (15, 0xFFFFFF), "R": (52, 0x5E0610),
    "r": (160, 0xD81525), "c": (125, 0xA80F66), "s": (180, 0xE5AC7A), "e": (16, 0x101010), "p": (238, 0x3C3C44),
    "q": (60, 0x5A5E8A), "Y": (16, 0x101010), "m": (189, 0xBCD2F0), "z": (25, 0x1268A8), "x": (224, 0xF2CBB4),
    "o": (166, 0xB85218), "i": (195, 0xE2F4FF), "j": (67, 0x3F86C0), **_COLORS, **_LIGHT_INKS,
})  # fmt: skip
PALETTES = {palette.name: palette for palette in (DARK, LIGHT)}
UNKNOWN = DARK._replace(name="unknown")
"""Squares as on a dark background, and text readable on any: the terminal has not reported its background."""

# What is on a square, by its XSB character if it has one.
WALL, GOAL, BOX, HOME = "#", ".", "$", "*"
GOAL_BELOW = "below"  # the visible part of a goal around the player
GUILTY = "!"
HINTED = "hinted"  # over the box that a hint has pushed
LIT, GLOW = "lit", "glow"  # a box at home and the edge of a wall, briefly, in a solved level
PLAYER = {direction: direction.name.lower() for direction in Direction}
STANDING = PLAYER[Direction.DOWN]
_POSES = ("", "-step", "-push")
_COLORED = "{}-colored"
FRAME = "frame"  # around the choice
WAYS = {direction: f"way {direction.name.lower()}" for direction in Direction}  # a dot near an edge of the square
FINE, DEAD, FREEZES = "fine", "dead", "freezes"
GROUNDS = {FINE: "m", DEAD: "x", FREEZES: "x"}  # replaces the floor and ice below them
ICE = "ice"

SIZES = (4, 6, 8, 10, 12, 16)
"""Pixels per side of a sprite; it takes as many characters and half as many lines."""
# Without room for pixels: the colours of an XSB cell's text and its background.
_PAINTS: Mapping[str, tuple[str, str]] = {
    WALL: ("w", FLOOR), GOAL: ("G", FLOOR), BOX: ("e", "b"), HOME: ("t", "h"), "@": ("t", "c"), "+": ("t", "c"),
    GUILTY: ("t", "R"), LIT: ("h", "t"), HINTED: (FLOOR, "Y"), GLOW: ("B", FLOOR),
}  # fmt: skip
_LIGHTS = str.maketrans("Hht", "tth")


@cache
def sprites_of(pixels: int) -> Mapping[str, Sprite]:
    """Return the sprites of a size by name, from tiles.txt, where they are side by side below their names.

    A sprite of half width is mirrored to the right, one of half height downwards. A pose is only a lower half: the
    upper one is the standing player's. The player facing right is mirrored. Coloured things use 1 for their colour and
    2 for its ink, and leave room for a letter in the middle. A frame marks boxes at home.
    """
    sheets = bundled_data(os.path.join(os.path.dirname(__file__), "tiles.txt")).decode("ascii").split("\n\n\n")
    sprites = dict[str, Sprite]()
    for band in sheets[SIZES.index(pixels)].split("\n\n"):
        names, *rows = map(str.split, band.splitlines())
        for name, drawn in zip(names, zip(*rows, strict=True), strict=True):
            sprites[name] = _completed(name, drawn, pixels, sprites)
    for pose in _POSES:
        for facing in ("down", "up", "left"):
            sprites.setdefault(f"{facing}{pose}", sprites[facing])
        sprites[f"right{pose}"] = tuple(row[::-1] for row in sprites[f"left{pose}"])
    return {
        **sprites,
        **_marks(pixels),
        LIT: tuple(row.translate(_LIGHTS) for row in sprites[HOME]),
        GLOW: ("B" * pixels, "b" * pixels, *(_BELOW * pixels,) * (pixels - 2)),
    }


def _completed(name: str, drawn: Sprite, pixels: int, known: Mapping[str, Sprite]) -> Sprite:
    """Complete a sprite of which a sheet may contain only the left or upper half or, for a pose, the lower half."""
    sprite = tuple(row if len(row) == pixels else row + row[::-1] for row in drawn)
    if len(sprite) == pixels:
        return sprite
    facing, is_pose, __ = name.partition("-")
    return known[facing][: pixels // 2] + sprite if is_pose and facing in PLAYER.values() else sprite + sprite[::-1]


def _marks(pixels: int) -> Mapping[str, Sprite]:
    """Return the planner's frame and dots, alike at all sizes."""
    width = max(1, pixels // 8)
    blank, edge, before = "." * pixels, "Y" * pixels, "." * (pixels // 2 - width)
    sides = blank[2 * width :].join(("Y" * width,) * 2)
    off = width if pixels > 4 else 0  # between the dot and the edge
    up = (*[blank] * off, *[f"{before}{'Y' * width}{before}{'.' * width}"] * width, *[blank] * (pixels - width - off))
    left = tuple(map("".join, zip(*up, strict=True)))
    return {
        FINE: (blank,) * pixels,
        FRAME: (*[edge] * width, *[sides] * (pixels - 2 * width), *[edge] * width),
        WAYS[Direction.UP]: up,
        WAYS[Direction.DOWN]: up[::-1],
        WAYS[Direction.LEFT]: left,
        WAYS[Direction.RIGHT]: tuple(row[::-1] for row in left),
    }


def in_color(thing: str, color: int) -> str:
    """Return the name of a sprite (goal, part of a goal, box, at home or lit) in a colour from 0."""
    return f"{thing} {COLORED[color % len(COLORED)]}"


def _sprite(pixels: int, thing: str) -> Sprite:
    sprites = sprites_of(pixels)
    if thing in sprites:
        return sprites[thing]
    name, letter = thing[:-2], thing[-1]
    replaced = dict[str, str]()
    match name:
        case "below":
            rows, replaced = sprites[GOAL_BELOW], {"G": "2"}
        case "lit":
            rows, replaced = sprites[_COLORED.format(HOME)], {"t": "1", "1": "t"}
        case _:
            rows = sprites[_COLORED.format(name)]
    colors = {"1": letter, "2": INKS[COLORED.index(letter)]}
    table = str.maketrans({**colors, **{old: colors.get(new, new) for old, new in replaced.items()}})
    return tuple(row.translate(table) for row in rows)


Tile = tuple[tuple[str, str], ...]
"""Characters and their styles, line by line, for Canvas.put_cells."""


def player_in(stance: Stance) -> str:
    """Return the player's sprite: striding on every other step, with the arms out when pushing."""
    pose = "-push" if stance.is_pushing else "-step" if stance.is_striding else ""
    return PLAYER[stance.facing] + pose


def things_on(cell: str, player: str = STANDING, *, is_dead: bool = False) -> tuple[str, ...]:
    """Return the sprites of an XSB cell, bottom first."""
    if is_dead:
        return (GUILTY,)
    match cell:
        case "@":
            return (player,)
        case "+":
            return GOAL_BELOW, player
        case " ":
            return ()
    return (cell,)


@lru_cache(maxsize=512)
def draw_tile(pixels: int, things: tuple[str, ...], *, is_floor: bool) -> Tile:
    """Return a square with things on it, bottom first; ``pixels`` is its width in columns."""
    picture = draw_pixels(pixels, things, is_floor=is_floor)
    return tuple(_half_blocks(zip(*picture[at : at + 2], strict=True)) for at in range(0, pixels, 2))


def draw_pixels(pixels: int, things: tuple[str, ...], *, is_floor: bool) -> list[list[str]]:
    """Return the rows of colour letters of such a square."""
    picture = [[FLOOR if is_floor else _OUTSIDE] * pixels for _ in range(pixels)]
    for thing in things:
        ground = GROUNDS.get(thing)
        for row, letters in zip(picture, _sprite(pixels, thing), strict=True):
            if ground:
                row[:] = [ground if letter in (FLOOR, ICE_FLOOR) else letter for letter in row]
            row[:] = [below if letter == _BELOW else letter for letter, below in zip(letters, row, strict=True)]
    return picture


def paint(cell: str, *, is_floor: bool, floor: str = FLOOR) -> str:
    """Return the style for the text of an XSB cell, or of GUILTY, on a painted board with a ``floor`` colour."""
    ground = floor if is_floor else _OUTSIDE
    front, back = _PAINTS.get(cell, (ground, ground))
    return style_of(front, ground if back == FLOOR else back)


def _half_blocks(columns: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Return pairs of pixels as characters and styles; equal pixels join the pair before, to save changes of style."""
    text, pairs = "", list[tuple[str, str]]()
    for top, bottom in columns:
        front, back = pairs[-1] if pairs else (top, bottom)
        if top == bottom and top in (back, front) and (top == back or top != _OUTSIDE):
            text += " " if top == back else "█"
        elif (top, bottom) == (back, front) or bottom != _OUTSIDE and top == _OUTSIDE:
            text += "▄"
            front, back = bottom, top
        else:
            text += " " if top == bottom else "▀"
            front, back = top, bottom
        pairs.append((front, back))
    return text, "".join(style_of(*pair) for pair in pairs)


def style_of(front: str, back: str) -> str:
    """Return the style of two colours given by their letters."""
    return chr(_FIRST_STYLE + _LETTERS.index(front) * len(_LETTERS) + _LETTERS.index(back))


def colors_of(style: str) -> tuple[str, str] | None:
    """Return the letters of a style's front and back colour (blank: the terminal's own); None for a text style."""
    front, back = divmod(ord(style) - _FIRST_STYLE, len(_LETTERS))
    return (_LETTERS[front], _LETTERS[back]) if 0 <= front < len(_LETTERS) else None
