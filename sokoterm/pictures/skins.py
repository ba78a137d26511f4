"""Skins: pixel art for boards, each in a TOML file; docs/skins.md says how to make one.

Letters are colours, and rows of letters sprites. A box with a colour is the crate of the skin, with its wood in shades
of that colour.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from tomllib import loads
from typing import NamedTuple

from sokoterm.language import _
from sokoterm.pictures.png import Color
from sokoterm.store.packs import bundled_data
from sokoterm.store.settings import shown_value

SKINS = ("dungeon",)
"""Those that ship with sokoterm, beside this module."""

_FOLDER = os.path.dirname(__file__)
_CLEAR = "."
_SIDES = range(8, 33, 2)
_MOST_BYTES = 1 << 18
_MOST_COLORS = 60
_FACINGS, _POSES = ("down", "up", "left", "right"), ("", "-step", "-push")
# What a skin may leave out, and what is shown instead: nothing, or another sprite.
_OPTIONAL = {
    "shade-up": "", "shade-left": "", "shade-corner": "", "ice": "", "hint": "", "target": "",
    "lit": "home", "dead": "box", "box-letter": "box", "home-letter": "home",
}  # fmt: skip
_REQUIRED = ("floor", "wall", "wall-inner", "goal", "box", "home", "player-down", "player-up", "player-left")
_PLAYERS = tuple(f"player-{facing}{pose}" for facing in _FACINGS for pose in _POSES)
_RAMPS = {"box": 3, "home": 3, "goal": 2}
_BOXES = "ABCDEFGHIJKL"
GLYPH_WIDTH, GLYPH_HEIGHT = 5, 7
"""The size of a letter in pixels."""
_DARK, _WHITE = (20, 18, 28, 255), (255, 255, 255, 255)


class SkinError(ValueError):
    """A skin that cannot be used; the message is one line with the file, the place, what was found and expected."""


class Skin(NamedTuple):
    """Sprites of ``size`` pixels on a side, each pixel the index of one of the colours; 0 is transparent.

    A wall has twice the side: it is the outside of a block of four, and ``wall-inner`` its corners to the inside.
    ``ramps`` are the colours of wood, of wood at home, and of goals, from dark to light, and ``tints`` what is in their
    place on boxes of the first colours; after the last of them the first comes again.
    """

    name: str
    size: int
    colors: tuple[Color, ...]
    sprites: Mapping[str, bytes]
    tints: tuple["Tint", ...]
    shade: int


class Tint(NamedTuple):
    """A colour of boxes: a table for bytes.translate, and the indices of colours for letters.

    ``middle`` is the box's own colour, ``writing`` can be read on it, ``ink`` on the floor.
    """

    table: bytes
    middle: int
    writing: int
    ink: int


def box_colors(skin: Skin, color: int) -> Tint:
    """Return the shades of a colour of boxes, from 0."""
    return skin.tints[color % len(skin.tints)]


@cache
def letters() -> Mapping[str, tuple[str, ...]]:
    """Return the rows of each letter, in ``#`` and blanks."""
    found = dict[str, tuple[str, ...]]()
    text = bundled_data(os.path.join(_FOLDER, "letters.txt")).decode("ascii")
    for band in text.split("\n\n"):
        names, *rows = map(str.split, band.strip().splitlines())
        for name, *drawn in zip(names, *rows, strict=True):
            found[name] = tuple(row.replace(".", " ") for row in drawn)
    return found


def named(name: str, *, dark: bool = True, folder: str | None = None) -> Skin:
    """Return a skin of ours, or NAME.toml in a folder; raises SkinError."""
    if name in SKINS:
        path = os.path.join(_FOLDER, f"{name}.toml")
        return read(bundled_data(path).decode("utf-8"), f"{name}.toml", dark=dark)
    path = os.path.join(folder or "", f"{name}.toml")
    if not re.fullmatch(r"[\w-]+", name) or folder is None or not os.path.isfile(path):
        raise SkinError(_("found {found}, expected {expected}", found=shown_value(name), expected=" ".join(SKINS)))
    try:
        with open(path, "rb") as file:
            return read(file.read(_MOST_BYTES + 1).decode("utf-8"), path, dark=dark)
    except (OSError, UnicodeDecodeError) as error:
        raise SkinError(_("{path}: cannot be read: {reason}", path=path, reason=str(error))) from None


def read(text: str, where: str, *, dark: bool = True) -> Skin:
    """Return the skin of a file, for a dark or a light background; raises SkinError, which names the file ``where``."""
    return _Reader(text, where).skin(dark=dark)


class _Reader:
    """Interpreter of one file."""

    def __init__(self, text: str, where: str) -> None:
        self._where = where
        if len(text) > _MOST_BYTES:
            raise self._error("", f"{len(text):,}", f"{_MOST_BYTES:,}")
        try:
            self._found: dict[str, object] = loads(text)
        except (ValueError, RecursionError) as error:
            raise SkinError(f"{where}: " + _("found invalid TOML: {reason}", reason=str(error))) from None

    def _error(self, place: str, found: object, expected: str) -> SkinError:
        problem = _("found {found}, expected {expected}", found=shown_value(found), expected=expected)
        return SkinError(f"{self._where}: {place}: {problem}" if place else f"{self._where}: {problem}")

    def skin(self, *, dark: bool) -> Skin:
        size = self._found.get("size")
        if not isinstance(size, int) or size not in _SIDES:
            raise self._error("size", size, "8 to 32, even")
        own = self._colors("colors")
        if not own or len(own) > _MOST_COLORS:
            raise self._error("[colors]", len(own), f"1 to {_MOST_COLORS}")
        if not dark:
            lighter = self._colors("light")
            if unknown := [letter for letter in lighter if letter not in own]:
                raise self._error("[light]", unknown[0], " ".join(own))
            own |= lighter
        self._index = {_CLEAR: 0, **{letter: number for number, letter in enumerate(own, start=1)}}
        colors = [(0, 0, 0, 0), *own.values()]
        sprites = dict(self._sprites(size))
        ramps = {name: self._ramp(name, length) for name, length in _RAMPS.items()}
        floor = colors[max(sprites["floor"], key=sprites["floor"].count)]
        tints = []
        boxes = self._colors("boxes")
        if "".join(boxes) != _BOXES:
            raise self._error("[boxes]", "".join(boxes), _BOXES)
        writing = len(colors)
        colors += [_DARK, _WHITE]
        for color in boxes.values():
            at = len(colors)
            ink = _readable(color, floor)
            colors += [_mixed(color, _DARK, 0.5), color, _mixed(color, _WHITE, 0.4), ink, _mixed(ink, floor, 0.4)]
            shades = (*(at, at + 1, at + 2) * 2, at + 4, at + 3)
            table = bytearray(range(256))
            for old, new in zip([each for ramp in ramps.values() for each in ramp], shades, strict=True):
                table[old] = new
            tints.append(Tint(bytes(table), at + 1, writing + (_light(color) < 0.3), at + 3))
        name = os.path.splitext(os.path.basename(self._where))[0]
        return Skin(name, size, tuple(colors), sprites, tuple(tints), self._ramp("shade", 1)[0])

    def _colors(self, table: str) -> dict[str, Color]:
        found = self._found.get(table, {})
        if not isinstance(found, dict):
            raise self._error(table, found, f"[{table}]")
        for letter, color in found.items():
            if len(letter) != 1 or letter == _CLEAR:
                raise self._error(f"[{table}]", letter, _("a letter"))
            if not isinstance(color, str) or not re.fullmatch("#[0-9a-fA-F]{6}", color):
                raise self._error(f"[{table}] {letter}", color, '"#rrggbb"')
        return {letter: (*bytes.fromhex(color[1:]), 255) for letter, color in found.items()}

    def _ramp(self, name: str, length: int) -> tuple[int, ...]:
        found = self._found.get("shades", {})
        letters = found.get(name) if isinstance(found, dict) else None
        if not isinstance(letters, str) or len(letters) != length or not self._index.keys() >= {*letters}:
            raise self._error(f"[shades] {name}", letters, f"{length}: {' '.join(self._index)}")
        return tuple(self._index[letter] for letter in letters)

    def _sprites(self, size: int) -> Iterator[tuple[str, bytes]]:
        found = self._found.get("sprites")
        if not isinstance(found, dict):
            raise self._error("", found, "[sprites]")
        names = (*_REQUIRED, *_OPTIONAL, *_PLAYERS)
        for name in found:
            if name not in names:
                raise self._error("[sprites]", name, " ".join(names))
        read = dict[str, bytes]()
        for name in _REQUIRED:
            if name not in found:
                raise self._error("[sprites]", None, name)
        for name, rows in found.items():
            read[name] = self._sprite(name, rows, size * (1 + (name == "wall")))
        for name, other in _OPTIONAL.items():
            read.setdefault(name, read[other] if other else bytes(size * size))
        for pose in _POSES:
            for facing in _FACINGS[:3]:
                read.setdefault(f"player-{facing}{pose}", read[f"player-{facing}"])
            left = read[f"player-left{pose}"]
            mirrored = b"".join(left[at : at + size][::-1] for at in range(0, len(left), size))
            read.setdefault(f"player-right{pose}", mirrored)
        return iter(read.items())

    def _sprite(self, name: str, text: object, size: int) -> bytes:
        if not isinstance(text, str):
            raise self._error(f"[sprites] {name}", text, "'''...'''")
        rows = text.split()
        if len(rows) != size:
            raise self._error(f"[sprites] {name}", len(rows), f"{size}")
        for number, row in enumerate(rows, start=1):
            place = f"[sprites] {name}:{number}"
            if len(row) != size:
                raise self._error(place, len(row), f"{size}")
            if unknown := [letter for letter in row if letter not in self._index]:
                raise self._error(place, unknown[0], " ".join(self._index))
        return bytes(self._index[letter] for row in rows for letter in row)


def _mixed(one: Color, other: Color, part: float) -> Color:
    red, green, blue, alpha = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue, alpha


def _light(color: Color) -> float:
    """Return the relative luminance of WCAG, 0 to 1."""
    parts = (part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in color[:3])
    return sum(part * share for part, share in zip(parts, (0.2126, 0.7152, 0.0722), strict=True))


def _readable(color: Color, ground: Color) -> Color:
    """Return a colour brightened or darkened until it has a contrast of 4 to the ground."""
    low = _light(ground)
    for tenths in range(11):
        mixed = _mixed(color, _DARK if low > 0.2 else _WHITE, tenths / 10)
        high, less = max(_light(mixed), low), min(_light(mixed), low)
        if (high + 0.05) / (less + 0.05) >= 4:
            return mixed
    return mixed
