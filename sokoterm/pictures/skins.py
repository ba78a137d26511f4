"""Skins: pixel art for boards, each in a TOML file; docs/skins.md explains how to make one.

Letters are colours, and rows of letters are sprites. A coloured box is the crate of the skin in shades of that colour.
"""

import os
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from tomllib import loads
from typing import NamedTuple

from sokoterm.engine.text import printable
from sokoterm.language import _
from sokoterm.pictures import SKINS
from sokoterm.pictures.png import Color
from sokoterm.store.packs import bundled_data
from sokoterm.store.paths import require_file, skins_dir
from sokoterm.store.settings import line_of, place_of, shown_value

GLYPH_WIDTH, GLYPH_HEIGHT = 5, 7
"""The size of a letter in pixels."""

_FOLDER = os.path.dirname(__file__)
_MOST_BYTES, _MOST_COLORS = 1 << 18, 64
_SIZES = range(8, 33, 2)
_SPRITES = ("floor", "wall", "wall-inner", "goal", "box", "home", "player-down", "player-up", "player-left")
# Optional sprites, and the sprites shown instead, or nothing.
_OTHERS = {
    "dead": "box", "lit": "home", "box-letter": "box", "home-letter": "home", "lit-letter": "home-letter",
    "dead-letter": "dead", "goal-letter": "goal", "ice": "", "hint": "", "target": "", "shade-up": "", "shade-left": "",
    "shade-corner": "",
    **{f"player-{way}{pose}": f"player-{way}" for way in ("down", "up", "left") for pose in ("-step", "-push")},
}  # fmt: skip
_MIRRORED = {f"player-right{pose}": f"player-left{pose}" for pose in ("", "-step", "-push")}
_SHADES = 8  # three of a box, three of one at home, two of a goal
# The colours of boxes, in the order of their letters: shades of the colours of the tiles.
_BOXES = (
    0xFF9F40, 0x2060E8, 0xFFDC30, 0xE088B8, 0x58A820, 0x8CDCFF,
    0xD85048, 0x8A20B8, 0x60F0B0, 0x80542C, 0x585860, 0xF4F4F4,
)  # fmt: skip
_DARK, _WHITE = (20, 18, 28, 255), (255, 255, 255, 255)
_MIDDLE = 125  # of brightness, to 255


class SkinError(ValueError):
    """An invalid skin; the message is one line with the file, the line, the value found and the value expected."""


class Tint(NamedTuple):
    """A colour of boxes: a table for bytes.translate, and colours: itself, for writing on it, for ink on the floor."""

    table: bytes
    middle: int
    writing: int
    ink: int
    floor: int


class Skin(NamedTuple):
    """Sprites of ``size`` pixels on a side, each pixel the index of one of the colours; 0 is transparent.

    A wall is twice as large: the outside of a block of four, with its inner corners in ``wall-inner``.  ``tints`` are
    the colours of boxes, used cyclically.
    """

    name: str
    size: int
    colors: tuple[Color, ...]
    sprites: Mapping[str, bytes]
    tints: tuple[Tint, ...]


@cache
def letters() -> Mapping[str, tuple[str, ...]]:
    """Return the rows of each letter, ``#`` for ink."""
    found = dict[str, tuple[str, ...]]()
    for band in bundled_data(os.path.join(_FOLDER, "letters.txt")).decode("ascii").split("\n\n"):
        names, *rows = map(str.split, band.splitlines())
        found |= zip(names, zip(*rows, strict=True), strict=True)
    return found


def named(name: str | None = None, *, dark: bool = True) -> Skin:
    """Return a bundled skin (by default the first) or one of the player's folder, cached; raises SkinError."""
    return _named(SKINS[0] if name is None else name, dark, skins_dir())


@lru_cache(maxsize=8)
def _named(name: str, dark: bool, folder: str) -> Skin:
    if name in SKINS:
        return read(bundled_data(os.path.join(_FOLDER, f"{name}.toml")).decode("utf-8"), f"{name}.toml", dark=dark)
    path = os.path.join(folder, f"{name}.toml")
    if not re.fullmatch(r"[\w-]+", name) or not os.path.lexists(path):
        expected = f"{', '.join(SKINS)}, {os.path.join(folder, 'NAME.toml')}"
        raise SkinError(_("found {found}, expected {expected}", found=shown_value(name), expected=printable(expected)))
    try:
        require_file(path)
        with open(path, "rb") as file:
            text = file.read(_MOST_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = isinstance(error, OSError) and error.strerror or str(error)
        raise SkinError(_("{path}: cannot be read: {reason}", path=printable(path), reason=reason)) from None
    return read(text, path, dark=dark)


def read(text: str, where: str, *, dark: bool = True) -> Skin:
    """Return the skin in the text of a file; raises SkinError, in which ``where`` names the file."""
    where = printable(where)
    try:
        found = loads(text)
    except (ValueError, RecursionError) as error:
        place, what = place_of(str(error), text)
        problem = _("found invalid TOML: {reason}", reason=printable(what))
        raise SkinError(f"{where}{place}: {problem}") from None
    check = _Check(text, where)
    size = found.get("size", 0)
    check(
        type(size) is int and size in _SIZES, size, _("an even number from {least} to {most}", least=8, most=32), "size"
    )
    own, lighter = (_colors(found.get(table, {}), table, check) for table in ("colors", "light"))
    check(0 < len(own) <= _MOST_COLORS, len(own), f"1-{_MOST_COLORS}", "colors")
    if not dark:
        own |= {letter: color for letter, color in lighter.items() if letter in own}
    index = {".": 0, **{letter: number for number, letter in enumerate(own, start=1)}}
    shades = "".join(_words(found.get("shades")))
    is_known = len(shades) == _SHADES and own.keys() >= {*shades}
    check(is_known, found.get("shades"), _("{n} letters of [colors]", n=_SHADES), "shades")
    sprites = _sprites(found.get("sprites", {}), size, index, check)
    floor = max(sprites["floor"], key=sprites["floor"].count)
    colors = [(0, 0, 0, 0), *own.values(), _DARK, _WHITE]
    tints = list[Tint]()
    for box in _BOXES:
        color = box >> 16, box >> 8 & 255, box & 255, 255
        low, middle, high, ink, pale = range(len(colors), len(colors) + 5)
        colors += [_mixed(color, _DARK, 0.5), color, _mixed(color, _WHITE, 0.4)]
        inked = _readable(color, colors[floor])
        colors += [inked, _mixed(inked, colors[floor], 0.4)]
        table = bytearray(range(256))
        for shade, new in zip(shades, (low, middle, high, low, middle, high, pale, ink), strict=True):
            table[index[shade]] = new
        tints.append(Tint(bytes(table), middle, len(own) + 1 + (_luma(color) < _MIDDLE), ink, floor))
    name = os.path.splitext(os.path.basename(where))[0]
    return Skin(name, size, tuple(colors), sprites, tuple(tints))


class _Check(NamedTuple):
    """Raise SkinError unless a condition holds, for the line of a name in a table, or of a row below it."""

    text: str
    where: str

    def __call__(self, is_right: bool, found: object, expected: str, *path: str, row: int = 0) -> None:
        if not is_right:
            line = line_of(self.text, path)
            problem = _("found {found}, expected {expected}", found=shown_value(found), expected=printable(expected))
            raise SkinError(f"{self.where}{f':{line + row}' if line else ''}: {problem}")


def _colors(found: object, table: str, check: _Check) -> dict[str, Color]:
    colors = dict[str, Color]()
    for letter, color in found.items() if isinstance(found, dict) else [(table, found)]:
        is_color = isinstance(color, str) and re.fullmatch("#[0-9a-fA-F]{6}", color) is not None
        shown = f"{letter} = {color}" if isinstance(color, str) else {letter: color}
        check(is_color and len(letter) == 1 and letter != ".", shown, 'a = "#rrggbb"', table, letter)
        red, green, blue = bytes.fromhex(str(color)[1:])
        colors[letter] = red, green, blue, 255
    return colors


def _sprites(found: object, size: int, index: Mapping[str, int], check: _Check) -> dict[str, bytes]:
    drawn = found if isinstance(found, dict) else {}
    known, letters, sprites = (*_SPRITES, *_OTHERS, *_MIRRORED), " ".join(index), dict[str, bytes]()
    for name in _SPRITES:
        check(name in drawn, None, name, "sprites")
    for name, text in drawn.items():
        check(name in known, name, " ".join(known), "sprites", name)
        side = size * (1 + (name == "wall"))
        rows, expected = _words(text), _("{n} rows of {n} letters", n=side)
        for number, row in enumerate(rows, start=1):
            check(len(row) == side, row, expected, "sprites", name, row=number)
            unknown = row.translate(dict.fromkeys(map(ord, index)))
            check(not unknown, unknown[:1], letters, "sprites", name, row=number)
        check(len(rows) == side, len(rows), expected, "sprites", name)
        sprites[name] = bytes(map(index.__getitem__, "".join(rows)))
    for name, other in _OTHERS.items():
        sprites.setdefault(name, sprites[other] if other else bytes(size * size))
    for name, other in _MIRRORED.items():
        rows_of = (sprites[other][at : at + size] for at in range(0, size * size, size))
        sprites.setdefault(name, b"".join(row[::-1] for row in rows_of))
    return sprites


def _words(found: object) -> list[str]:
    return found.split() if isinstance(found, str) else []


def _mixed(one: Color, other: Color, part: float) -> Color:
    red, green, blue, alpha = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue, alpha


def _readable(color: Color, ground: Color) -> Color:
    """Return a colour bright or dark enough to be legible on a ground."""
    luma = _luma(color)
    if _luma(ground) < _MIDDLE:
        return _mixed(color, _WHITE, max(0, (140 - luma) / (255 - luma)))
    return _mixed(color, _DARK, max(0, 1 - 105 / luma))


def _luma(color: Color) -> float:
    return 0.3 * color[0] + 0.6 * color[1] + 0.1 * color[2]
