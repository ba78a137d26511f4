"""Tiles: squares of a board drawn as pixels, two to a character by half blocks, in sprites of 4, 6 and 8 pixels.

A sprite is as many rows of letters as it is pixels high. A letter names a colour of the palette, a dot shows what lies
below: the goal, then the floor, and outside of the walls the terminal's own background. Colours come in pairs of the
upper and the lower pixel of a character; in a Frame a pair is one private character among the styles.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from sokoterm.engine.bits import Direction
from sokoterm.engine.value import Value

Sprite = tuple[str, ...]
"""Rows of colour letters from the top, as many as letters in a row."""

_OUTSIDE, FLOOR, ICE_FLOOR, _BELOW = " ", "f", "i", "."
COLORED, INKS = "ACDEFIJLMNOP", "QSTUVWXZalny"
"""The letters of the colours of boxes, and of the same for goals, which can be read on the floor."""
VARIANT_LETTERS = "ij" + COLORED + INKS
_LETTERS = " fuwdkbBGgKhHtRrcsepqYmoxz" + VARIANT_LETTERS
_FIRST_STYLE = 0xE000  # of the private use area, which no level file gets onto the screen


class Palette(Value):
    """A colour for each letter of the sprites: its number among the 256 of xterm, and its red, green and blue."""

    name: str
    colors: Mapping[str, tuple[int, tuple[int, int, int]]]

    @property
    def rgb(self) -> dict[int, tuple[int, int, int]]:
        """Red, green and blue by number."""
        return dict(self.colors.values())

    def number(self, letter: str) -> int:
        """The number of a letter's colour, -1 for the terminal's own."""
        return self.colors[letter][0] if letter in self.colors else -1


def _palette(name: str, colors: Mapping[str, tuple[int, int]]) -> Palette:
    split = {letter: (number, (rgb >> 16, rgb >> 8 & 255, rgb & 255)) for letter, (number, rgb) in colors.items()}
    return Palette(name, split)


# The colours of boxes: told apart by all eyes. Their names are in wording/kinds.py; their numbers, and those of the
# inks, have no other colour in a palette.
_COLORS = dict(zip(COLORED, (
    (215, 0xFFAF5F), (21, 0x005FFF), (220, 0xFFD700), (175, 0xD787AF), (70, 0x5FAF00), (117, 0x87D7FF),
    (167, 0xD75F5F), (91, 0x8700AF), (85, 0x5FFFAF), (94, 0x6E4410), (239, 0x4E4E4E), (231, 0xFFFFFF),
), strict=True))  # fmt: skip
_DARK_INKS = dict(zip(INKS, (
    (215, 0xFFAF5F), (69, 0x5F87FF), (220, 0xFFD700), (175, 0xD787AF), (70, 0x5FAF00), (117, 0x87D7FF),
    (167, 0xD75F5F), (134, 0xAF5FD7), (85, 0x5FFFAF), (137, 0xAF875F), (245, 0x8A8A8A), (231, 0xFFFFFF),
), strict=True))  # fmt: skip
_LIGHT_INKS = dict(zip(INKS, (
    (130, 0xAF5F00), (20, 0x0000D7), (100, 0x757500), (132, 0xAF5F87), (28, 0x007800), (31, 0x0076A0),
    (124, 0xAF0000), (54, 0x5F0087), (29, 0x00785A), (58, 0x5F4A10), (59, 0x5F5F5F), (102, 0x7A7A7A),
), strict=True))  # fmt: skip
# f floor; u w d wall: lit edge, brick, mortar; k b B box: edge, wood, lit; G g goal; K h H t box at home: edge, side,
# lit, mark; R r guilty box; c s e p q player: cap, skin, eyes, shirt, legs; Y what is chosen; m ground of fine squares,
# z labels there, x o ground and signs of bad ones; i j ice.
DARK = _palette("dark", {
    "f": (234, 0x1C1D20), "u": (240, 0x55585E), "w": (238, 0x45484E), "d": (236, 0x2E3034),
    "k": (94, 0x6E4410), "b": (172, 0xD08726), "B": (214, 0xFFB545), "G": (45, 0x2FC8FF), "g": (31, 0x0F7FB0),
    "K": (24, 0x0B4A78), "h": (32, 0x1C80CF), "H": (75, 0x62B4F7), "t": (15, 0xFFFFFF), "R": (88, 0x8C1220),
    "r": (203, 0xFF6670), "c": (162, 0xD02A86), "s": (223, 0xFFD9AE), "e": (16, 0x101010), "p": (255, 0xF2F2F2),
    "q": (103, 0x8488AE), "Y": (226, 0xFFE600), "m": (17, 0x1B3148), "z": (25, 0x1268A8), "x": (52, 0x3E2016),
    "o": (130, 0xB4561A), "i": (23, 0x1E3F52), "j": (67, 0x6FA0C0), **_COLORS, **_DARK_INKS,
})  # fmt: skip
LIGHT = _palette("light", {
    "f": (254, 0xE9E7E1), "u": (250, 0xBDBBB6), "w": (248, 0xAAA8A3), "d": (245, 0x8B8984),
    "k": (94, 0x6E4410), "b": (172, 0xD08726), "B": (214, 0xFFB545), "G": (27, 0x0A60DC), "g": (110, 0x86B2E8),
    "K": (17, 0x071F55), "h": (26, 0x1556B8), "H": (33, 0x2B86EE), "t": (15, 0xFFFFFF), "R": (52, 0x5E0610),
    "r": (160, 0xD81525), "c": (125, 0xA80F66), "s": (223, 0xFFD0A0), "e": (16, 0x101010), "p": (238, 0x3C3C44),
    "q": (60, 0x5A5E8A), "Y": (16, 0x101010), "m": (189, 0xC4DAF4), "z": (25, 0x1268A8), "x": (224, 0xF5D2BE),
    "o": (166, 0xC05C24), "i": (153, 0x98CBEB), "j": (231, 0xFFFFFF), **_COLORS, **_LIGHT_INKS,
})  # fmt: skip
PALETTES = {palette.name: palette for palette in (DARK, LIGHT)}
UNKNOWN = DARK._replace(name="unknown")
"""Squares as on a dark background, and text that can be read on any: the terminal has not said which it has."""

# What stands on a square, by its XSB character where it has one.
WALL, GOAL, BOX, HOME = "#", ".", "$", "*"
GOAL_BELOW = "goal below"  # what is seen of a goal around the player
GUILTY = "!"
HINTED = "hinted"  # what a hint has pushed, above the box
LIT, GLOW = "lit", "glow"  # a box at home and the edge of a wall, for a moment, when the level is solved
PLAYER = {direction: f"player {direction.name.lower()}" for direction in Direction}
FRAME = "frame"  # around what is chosen
WAYS = {direction: f"way {direction.name.lower()}" for direction in Direction}  # a dot near an edge of the square
FINE, DEAD, FREEZES = "fine", "dead", "freezes"
GROUNDS = {FINE: "m", DEAD: "x", FREEZES: "x"}  # what the floor and the ice become below them
ICE = "ice"

_LARGE: Mapping[str, Sprite] = {
    WALL: ("uuuuuuud", "wwwwwwwd", "wwwwwwwd", "dddddddd", "uuuduuuu", "wwwdwwww", "wwwdwwww", "dddddddd"),
    GOAL: ("........", "...gg...", "..gGGg..", ".gGGGGg.", ".gGGGGg.", "..gGGg..", "...gg...", "........"),
    GOAL_BELOW: ("GG....GG", "G......G", "........", "........", "........", "........", "G......G", "GG....GG"),
    BOX: (".kkkkkk.", "kBBBBBBk", "kBkbbkbk", "kBbkkbbk", "kBbkkbbk", "kBkbbkbk", "kbbbbbbk", ".kkkkkk."),
    HOME: (".KKKKKK.", "KHHHHHHK", "KHhhhhtK", "KHhhhttK", "KtthhttK", "KhtttthK", "KhhtthhK", ".KKKKKK."),
    GUILTY: ("R......R", ".RrrrrR.", ".rtrrtr.", ".rrttrr.", ".rrttrr.", ".rtrrtr.", ".RrrrrR.", "R......R"),
    HINTED: ("........", "...YY...", "..YYYY..", ".YYYYYY.", ".YYYYYY.", "..YYYY..", "...YY...", "........"),
    "player down": ("..cccc..", ".cccccc.", ".sesses.", "..ssss..", ".pppppp.", ".spppps.", "..pppp..", "..q..q.."),
    "player up": ("..cccc..", ".cccccc.", ".cccccc.", "..cccc..", ".pppppp.", ".spppps.", "..pppp..", "..q..q.."),
    "player left": ("..cccc..", ".cccccc.", ".essscc.", "..ssss..", "..pppp..", ".sspppp.", "..pppp..", "..q..q.."),
    "player right": ("..cccc..", ".cccccc.", ".ccssse.", "..ssss..", "..pppp..", ".ppppss.", "..pppp..", "..q..q.."),
    DEAD: ("........", ".o....o.", "..o..o..", "...oo...", "...oo...", "..o..o..", ".o....o.", "........"),
    FREEZES: ("........", "........", ".oooooo.", "........", "........", ".oooooo.", "........", "........"),
    ICE: ("iiiiiiii", "iiiiiiji", "iiiiijii", "ijiijiii", "jiiiiiii", "iiiiiiii", "iiiiiiij", "iiiiiiji"),
}
_MIDDLE: Mapping[str, Sprite] = {
    WALL: ("uuuuud", "wwwwwd", "dddddd", "uuduuu", "wwdwww", "dddddd"),
    GOAL: ("......", "..gg..", ".gGGg.", ".gGGg.", "..gg..", "......"),
    GOAL_BELOW: ("GG..GG", "G....G", "......", "......", "G....G", "GG..GG"),
    BOX: ("BBBBk.", "Bkbkk.", "BbBbk.", "Bkbkk.", "kkkkk.", "......"),
    HOME: (".KKK..", "KHHHt.", "KtHtK.", "KHtHK.", ".KKK..", "......"),
    GUILTY: ("RRRRR.", "RtrtR.", "RrtrR.", "RtrtR.", "RRRRR.", "......"),
    HINTED: ("..Y...", ".YYY..", "YYYYY.", ".YYY..", "..Y...", "......"),
    "player down": ("..cc..", ".cccc.", ".esse.", ".pppp.", "spppps", ".q..q."),
    "player up": ("..cc..", ".cccc.", ".cccc.", ".pppp.", "spppps", ".q..q."),
    "player left": ("..cc..", ".cccc.", ".essc.", ".pppp.", "ssppp.", ".q..q."),
    "player right": ("..cc..", ".cccc.", ".csse.", ".pppp.", ".pppss", ".q..q."),
    DEAD: ("o....o", ".o..o.", "..oo..", "..oo..", ".o..o.", "o....o"),
    FREEZES: (".oooo.", "......", "......", "......", "......", ".oooo."),
    ICE: ("iiiiii", "iiiiji", "iiijii", "ijiiii", "jiiiii", "iiiiii"),
}
_SMALL: Mapping[str, Sprite] = {
    WALL: ("uuuu", "wwww", "wwww", "dddd"),
    GOAL: ("....", ".GG.", ".GG.", "...."),
    GOAL_BELOW: ("G..G", "....", "....", "G..G"),
    BOX: ("BBb.", "Bbk.", "bkk.", "...."),
    HOME: ("HHH.", "HtH.", "KKK.", "...."),
    GUILTY: ("trt.", "rtr.", "trt.", "...."),
    HINTED: (".Y..", "YYY.", ".Y..", "...."),
    "player down": (".cc.", ".ss.", "pppp", ".qq."),
    "player up": (".cc.", ".cc.", "pppp", ".qq."),
    "player left": (".cc.", ".es.", "ppp.", ".qq."),
    "player right": (".cc.", ".se.", ".ppp", ".qq."),
    DEAD: ("....", "o..o", ".oo.", "o..o"),
    FREEZES: ("....", "oooo", "....", "oooo"),
    ICE: ("iiii", "iiji", "ijii", "iiii"),
}
# Without room for pixels: the colour of the text of an XSB cell and that behind it.
_PAINTS: Mapping[str, tuple[str, str]] = {
    WALL: ("w", FLOOR), GOAL: ("G", FLOOR), BOX: ("k", "b"), HOME: ("t", "h"), "@": ("t", "c"), "+": ("t", "c"),
    GUILTY: ("t", "R"), LIT: ("h", "t"), HINTED: ("k", "Y"), GLOW: ("B", FLOOR),
}  # fmt: skip
_LIGHTS = str.maketrans("Hht", "tth")


def _marks(pixels: int) -> Mapping[str, Sprite]:
    """Return the frame and the dots of the planner, which look alike at all sizes."""
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


SPRITES: Mapping[int, Mapping[str, Sprite]] = {
    pixels: {
        **sprites,
        **_marks(pixels),
        LIT: tuple(row.translate(_LIGHTS) for row in sprites[HOME]),
        GLOW: ("B" * pixels, "b" * pixels, *(_BELOW * pixels,) * (pixels - 2)),
    }
    for pixels, sprites in ((4, _SMALL), (6, _MIDDLE), (8, _LARGE))
}
"""By the pixels on a side, which are also the characters; a sprite takes half as many lines."""

# Things of a colour, which is 1, and 2 as an ink; a letter has room in the middle. The frame tells boxes at home.
_IN_COLOR: Mapping[int, Mapping[str, Sprite]] = {
    8: {
        GOAL: ("........", "...22...", "..2..2..", ".2....2.", ".2....2.", "..2..2..", "...22...", "........"),
        BOX: (".eeeeee.", *["e111111e"] * 6, ".eeeeee."),
        HOME: ("tttttttt", "teeeeeet", *["te1111et"] * 4, "teeeeeet", "tttttttt"),
    },
    6: {
        GOAL: ("..22..", ".2..2.", "2....2", "2....2", ".2..2.", "..22.."),
        BOX: (*["1111e."] * 4, "eeeee.", "......"),
        HOME: ("ttttt.", *["t111t."] * 3, "ttttt.", "......"),
    },
    4: {
        GOAL: ("....", "2.2.", "222.", "...."),
        BOX: ("111.", "111.", "eee.", "...."),
        HOME: ("111t", "111t", "tttt", "...."),
    },
}


def in_color(thing: str, color: int) -> str:
    """The sprite of a goal, what is seen of one, a box, at home or lit, in a colour from 0."""
    return f"{thing} {COLORED[color % len(COLORED)]}"


def _sprite(pixels: int, thing: str) -> Sprite:
    sprites = SPRITES[pixels]
    if thing in sprites:
        return sprites[thing]
    name, letter = thing[:-2], thing[-1]
    colored = _IN_COLOR[pixels]
    match name:
        case "goal below":
            rows, replaced = sprites[GOAL_BELOW], {"G": "2"}
        case "lit":
            rows, replaced = colored[HOME], {"t": "1", "1": "t"}
        case _:
            rows, replaced = colored[name], {}
    colors = {"1": letter, "2": INKS[COLORED.index(letter)]}
    table = str.maketrans({**colors, **{old: colors.get(new, new) for old, new in replaced.items()}})
    return tuple(row.translate(table) for row in rows)


Tile = tuple[tuple[str, str], ...]
"""Characters and their styles, line by line, for Canvas.put_cells."""


def things_on(cell: str, facing: Direction = Direction.DOWN, *, is_dead: bool = False) -> tuple[str, ...]:
    """The sprites for an XSB cell, the lowest first."""
    if is_dead:
        return (GUILTY,)
    match cell:
        case "@":
            return (PLAYER[facing],)
        case "+":
            return GOAL_BELOW, PLAYER[facing]
        case " ":
            return ()
    return (cell,)


@lru_cache(maxsize=512)
def draw_tile(pixels: int, things: tuple[str, ...], *, is_floor: bool) -> Tile:
    """The picture of a square on which some things lie, the lowest first; ``pixels`` are its columns."""
    picture = draw_pixels(pixels, things, is_floor=is_floor)
    return tuple(_half_blocks(zip(*picture[at : at + 2], strict=True)) for at in range(0, pixels, 2))


def draw_pixels(pixels: int, things: tuple[str, ...], *, is_floor: bool) -> list[list[str]]:
    """Return the rows of colour letters of such a picture."""
    picture = [[FLOOR if is_floor else _OUTSIDE] * pixels for _ in range(pixels)]
    for thing in things:
        ground = GROUNDS.get(thing)
        for row, letters in zip(picture, _sprite(pixels, thing), strict=True):
            if ground:
                row[:] = [ground if letter in (FLOOR, ICE_FLOOR) else letter for letter in row]
            row[:] = [below if letter == _BELOW else letter for letter, below in zip(letters, row, strict=True)]
    return picture


def paint(cell: str, *, is_floor: bool, floor: str = FLOOR) -> str:
    """The style of the text of an XSB cell, or of GUILTY, on a painted board; ``floor`` is the colour of its floor."""
    ground = floor if is_floor else _OUTSIDE
    front, back = _PAINTS.get(cell, (ground, ground))
    return style_of(front, ground if back == FLOOR else back)


def _half_blocks(columns: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Pairs of an upper and a lower pixel as characters and styles, with as few changes of style as may be.

    Two equal pixels can go with the pair before them: as a blank in its background or as a full block.
    """
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
    """The style of two colours, by their letters."""
    return chr(_FIRST_STYLE + _LETTERS.index(front) * len(_LETTERS) + _LETTERS.index(back))


def colors_of(style: str) -> tuple[str, str] | None:
    """The letters of the front and the back colour that a style stands for, a blank for the terminal's own colour.

    None for a style of text.
    """
    front, back = divmod(ord(style) - _FIRST_STYLE, len(_LETTERS))
    return (_LETTERS[front], _LETTERS[back]) if 0 <= front < len(_LETTERS) else None
