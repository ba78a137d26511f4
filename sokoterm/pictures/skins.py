"""Skins: pixel art for boards, each in a TOML file; docs/skins.md says how to make one.

Letters are colours, and rows of letters sprites. A box with a colour is the crate of the skin, with its wood in shades
of that colour.
"""

import os
import re
from collections.abc import Mapping
from functools import cache
from tomllib import loads
from typing import NamedTuple

from sokoterm.engine.text import printable
from sokoterm.language import _
from sokoterm.pictures import SKINS
from sokoterm.pictures.png import Color
from sokoterm.store.packs import bundled_data
from sokoterm.store.paths import require_file
from sokoterm.store.settings import line_of, place_of, shown_value

GLYPH_WIDTH, GLYPH_HEIGHT = 5, 7
"""The size of a letter in pixels."""

_FOLDER = os.path.dirname(__file__)
_MOST_BYTES, _MOST_COLORS = 1 << 18, 64
_SIZES = range(8, 33, 2)
_SPRITES = ("floor", "wall", "wall-inner", "goal", "box", "home", "player-down", "player-up", "player-left")
# What a skin may leave out, and what is shown instead: another sprite, or nothing.
_OTHERS = {
    "dead": "box", "lit": "home", "box-letter": "box", "home-letter": "home", "lit-letter": "home-letter",
    "dead-letter": "dead", "goal-letter": "goal", "ice": "", "hint": "", "target": "", "shade-up": "", "shade-left": "",
    "shade-corner": "",
    **{f"player-{way}{pose}": f"player-{way}" for way in ("down", "up", "left") for pose in ("-step", "-push")},
}  # fmt: skip
_MIRRORED = {f"player-right{pose}": f"player-left{pose}" for pose in ("", "-step", "-push")}
_SHADES = 8  # three of a box, three of one at home, two of a goal
# The colours of boxes, in the order of their letters: those of the tiles, in somewhat lighter or darker shades.
_BOXES = (
    0xFF9F40, 0x2060E8, 0xFFDC30, 0xE088B8, 0x58A820, 0x8CDCFF,
    0xD85048, 0x8A20B8, 0x60F0B0, 0x80542C, 0x585860, 0xF4F4F4,
)  # fmt: skip
_DARK, _WHITE = (20, 18, 28, 255), (255, 255, 255, 255)


class SkinError(ValueError):
    """A skin that cannot be used; the message is one line with the file, the line, what was found and expected."""


class Tint(NamedTuple):
    """A colour of boxes: a table for bytes.translate, and indices of colours.

    ``middle`` is its own, ``writing`` can be read on it, and ``ink`` on the floor, whose colour is ``floor``.
    """

    table: bytes
    middle: int
    writing: int
    ink: int
    floor: int


class Skin(NamedTuple):
    """Sprites of ``size`` pixels on a side, each pixel the index of one of the colours; 0 is transparent.

    A wall has twice the side: it is the outside of a block of four, and ``wall-inner`` its corners to the inside.
    ``tints`` are the colours of boxes; after the last of them the first comes again.
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


def named(name: str, *, dark: bool = True, folder: str = "") -> Skin:
    """Return a skin of ours, or NAME.toml in a folder, for a dark or a light background; raises SkinError."""
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
    """Return the skin in the text of a file; raises SkinError, which names the file ``where``."""
    try:
        return _Reader(text, printable(where), loads(text)).skin(dark=dark)
    except SkinError:
        raise
    except (ValueError, RecursionError) as error:
        place, what = place_of(str(error), text)
        problem = _("found invalid TOML: {reason}", reason=printable(what))
        raise SkinError(f"{printable(where)}{place}: {problem}") from None


class _Reader:
    """Interpreter of one file."""

    def __init__(self, text: str, where: str, found: Mapping[str, object]) -> None:
        self._text, self._where, self._found = text, where, found

    def _error(self, path: tuple[str, ...], found: object, expected: str, row: int = 0) -> SkinError:
        """Return the error for what was found at a name in a table, or in a row below it."""
        line = line_of(self._text, path)
        place = f"{self._where}:{line + row}" if line else self._where
        problem = _("found {found}, expected {expected}", found=shown_value(found), expected=expected)
        return SkinError(f"{place}: {problem}")

    def skin(self, *, dark: bool) -> Skin:
        """Return what the file describes; raises SkinError."""
        size = self._found.get("size")
        if not isinstance(size, int) or size not in _SIZES:
            raise self._error(("size",), size, _("an even number from {least} to {most}", least=8, most=32))
        own = self._colors("colors")
        if not 0 < len(own) <= _MOST_COLORS:
            raise self._error(("colors",), len(own), f"1-{_MOST_COLORS}")
        if not dark:
            own |= {letter: color for letter, color in self._colors("light").items() if letter in own}
        index = {".": 0, **{letter: number for number, letter in enumerate(own, start=1)}}
        sprites = self._sprites(size, index)
        shades = str(self._found.get("shades")).replace(" ", "")
        if len(shades) != _SHADES or not index.keys() >= {*shades}:
            raise self._error(("shades",), self._found.get("shades"), _("{n} letters of [colors]", n=_SHADES))
        floor = max(sprites["floor"], key=sprites["floor"].count)
        colors = [(0, 0, 0, 0), *own.values(), _DARK, _WHITE]
        writing, tints = len(own) + 1, list[Tint]()
        for box in _BOXES:
            color = box >> 16, box >> 8 & 255, box & 255, 255
            low, middle, high, ink, pale = range(len(colors), len(colors) + 5)
            inked = _readable(color, colors[floor])
            colors += [_mixed(color, _DARK, 0.5), color, _mixed(color, _WHITE, 0.4)]
            colors += [inked, _mixed(inked, colors[floor], 0.4)]
            table = bytearray(range(256))
            for shade, new in zip(shades, (low, middle, high, low, middle, high, pale, ink), strict=True):
                table[index[shade]] = new
            tints.append(Tint(bytes(table), middle, writing + (_light(color) < 0.3), ink, floor))
        name = os.path.splitext(os.path.basename(self._where))[0]
        return Skin(name, size, tuple(colors), sprites, tuple(tints))

    def _table(self, name: str) -> Mapping[str, object]:
        found = self._found.get(name, {})
        if not isinstance(found, dict):
            raise self._error((name,), found, f"[{name}]")
        return found

    def _colors(self, table: str) -> dict[str, Color]:
        found = self._table(table)
        colors = dict[str, Color]()
        for letter, color in found.items():
            if len(letter) != 1 or not isinstance(color, str) or not re.fullmatch("#[0-9a-fA-F]{6}", color):
                raise self._error((table, letter), f"{letter} = {color}", 'a = "#rrggbb"')
            red, green, blue = bytes.fromhex(color[1:])
            colors[letter] = red, green, blue, 255
        return colors

    def _sprites(self, size: int, index: Mapping[str, int]) -> dict[str, bytes]:
        table, sprites = self._table("sprites"), dict[str, bytes]()
        known = (*_SPRITES, *_OTHERS, *_MIRRORED)
        for name in (*_SPRITES, *table):
            if name not in table:
                raise self._error(("sprites",), None, name)
            if name not in known:
                raise self._error(("sprites", name), name, " ".join(known))
        for name, text in table.items():
            side = size * (1 + (name == "wall"))
            rows = text.split() if isinstance(text, str) else []
            expected = _("{n} rows of {n} letters", n=side)
            for number, row in enumerate(rows, start=1):
                if len(row) != side:
                    raise self._error(("sprites", name), row, expected, number)
                if unknown := [letter for letter in row if letter not in index]:
                    raise self._error(("sprites", name), unknown[0], " ".join(index), number)
            if len(rows) != side:
                raise self._error(("sprites", name), len(rows), expected)
            sprites[name] = bytes(index[letter] for row in rows for letter in row)
        for name, other in _OTHERS.items():
            sprites.setdefault(name, sprites[other] if other else bytes(size * size))
        for name, other in _MIRRORED.items():
            rows_of = (sprites[other][at : at + size] for at in range(0, size * size, size))
            sprites.setdefault(name, b"".join(row[::-1] for row in rows_of))
        return sprites


def _mixed(one: Color, other: Color, part: float) -> Color:
    red, green, blue, alpha = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue, alpha


def _light(color: Color) -> float:
    """Return the relative luminance of WCAG, 0 to 1."""
    return sum(float((part / 255) ** 2.2) * share for part, share in zip(color, (0.2126, 0.7152, 0.0722)))


def _readable(color: Color, ground: Color) -> Color:
    """Return a colour brightened or darkened until it has a contrast of 3 to the ground."""
    below = _light(ground) + 0.05
    end = _DARK if below > 0.25 else _WHITE
    mixed = (_mixed(color, end, tenths / 10) for tenths in range(10))
    return next((each for each in mixed if not below / 3 < _light(each) + 0.05 < below * 3), end)
