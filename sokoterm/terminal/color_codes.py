"""Fewer bytes for colours and attributes: what is in effect already is not set again, and the rest is one sequence.

curses sets both colours of a pair again, resets them in three sequences, and selects the ASCII letters with each reset.
Blanks show no front colour, so it is not set for them. With ``colors`` the numbers of the 256-colour palette become
24-bit colours, for terminals that support these (COLORTERM). The sequences are those of ECMA-48 (SGR) and xterm.
"""

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import NamedTuple

_SEQUENCE = re.compile(rb"\x1b\[([0-9;:]*)m|\x1b\(B|\x0f")
_COLONS = re.compile(rb"\b([34]8):5:")  # as in the terminfo of foot
_BLANKS = re.compile(rb"(?:[ \b\r\n]|\x1b\[[0-9;]*[A-Za-ln-z])*")
_OTHER_LETTERS = re.compile(rb"\x1b\([^B]|\x0e")
# The attributes that curses sets: bold, dim, italic, underline, blink, reverse, invisible, struck out.
_ATTRIBUTES = frozenset((b"1", b"2", b"3", b"4", b"5", b"7", b"8", b"9"))
_SEEN_ON_BLANKS = frozenset((b"4", b"7", b"9"))  # underline, reverse, struck out
_FRONT, _BACK = b"39", b"49"  # the terminal's own colours
_BASIC = re.compile(rb"(?:[34]|9|10)[0-7]")

_CACHED = 4096  # pictures of tiles repeat some hundred changes thousands of times


class _Pen(NamedTuple):
    """Codes in effect or wanted: front colour, background and attributes; None: any."""

    front: bytes | None
    back: bytes | None
    attributes: frozenset[bytes] | None


_ANY = _Pen(None, None, None)


class ColorCodes:
    """Shortens the output to one terminal, remembering what is in effect there."""

    def __init__(self, colors: Mapping[int, tuple[int, int, int]] | None = None) -> None:
        """``colors`` maps numbers of colours to red, green and blue; None leaves all numbers as they are."""
        colors = colors or {}
        self._take_in = lru_cache(_CACHED)(partial(_taken_in, colors=colors))
        self.forget()

    def forget(self) -> None:
        """Assume nothing: others have written to the terminal."""
        self._in_force = self._wanted = _ANY
        self._has_ascii: set[bytes] = set()

    def shorten(self, data: bytes) -> bytes:
        """Return bytes that draw the same; ``data`` holds complete sequences."""
        shortened, at = bytearray(), 0
        for found in _SEQUENCE.finditer(data):
            if found.start() > at:
                self._pass(shortened, data[at : found.start()])
            at = found.end()
            if found[1] is None:
                if found[0] not in self._has_ascii:
                    shortened += found[0]
                    self._has_ascii.add(found[0])
                continue
            wanted = self._take_in(found[1], self._wanted)
            if wanted is not None:
                self._wanted = wanted
                continue
            shortened += self._changes(is_blank=False) + found[0]
            self._in_force = self._wanted = _ANY
        if at < len(data):
            self._pass(shortened, data[at:])
        return bytes(shortened + self._changes(is_blank=False))

    def _pass(self, shortened: bytearray, data: bytes) -> None:
        """Add anything but a colour sequence, after the changes that it needs."""
        shortened += self._changes(is_blank=_BLANKS.fullmatch(data) is not None) + data
        if _OTHER_LETTERS.search(data):
            self._has_ascii.clear()

    def _changes(self, *, is_blank: bool) -> bytes:
        sequence, self._in_force, self._wanted = _change(self._in_force, self._wanted, is_blank)
        return sequence


def _taken_in(sequence: bytes, wanted: _Pen, colors: Mapping[int, tuple[int, int, int]]) -> _Pen | None:
    """Return what is wanted after a sequence; None if the sequence is unknown."""
    front, back, attributes = wanted
    codes = _COLONS.sub(rb"\1;5;", sequence).split(b";")
    while codes:
        code = codes.pop(0)
        if code in (b"", b"0"):
            front, back, attributes = _FRONT, _BACK, frozenset()
        elif code in _ATTRIBUTES and attributes is not None:
            attributes |= {code}
        elif code in (b"38", b"48") and len(codes) > 1 and codes[0] == b"5":
            color = code + b";" + _color(codes[1], colors)
            front, back = (color, back) if code == b"38" else (front, color)
            del codes[:2]
        elif code == _FRONT or _BASIC.fullmatch(code) and code[:1] in b"39":
            front = code
        elif code == _BACK or _BASIC.fullmatch(code):
            back = code
        else:
            return None
    return _Pen(front, back, attributes)


def _color(number: bytes, colors: Mapping[int, tuple[int, int, int]]) -> bytes:
    rgb = colors.get(int(number)) if number.isdigit() else None
    return b"5;" + number if rgb is None else b"2;%d;%d;%d" % rgb


@lru_cache(_CACHED)
def _change(in_force: _Pen, wanted: _Pen, is_blank: bool) -> tuple[bytes, _Pen, _Pen]:
    """Return the shorter sequence that sets what is wanted, with a reset or without, and what is then in effect.

    Before blanks the front colour may wait; what is still wanted is returned too.
    """
    attributes = wanted.attributes
    waits = is_blank and attributes is not None and attributes.isdisjoint(_SEEN_ON_BLANKS)
    front, back = None if waits else wanted.front, wanted.back
    after = _Pen(
        front or in_force.front, back or in_force.back, in_force.attributes if attributes is None else attributes
    )
    ways = []
    if attributes is None or in_force.attributes is not None and in_force.attributes <= attributes:
        added = (attributes or frozenset()) - (in_force.attributes or frozenset())
        new = [code for code, old in ((front, in_force.front), (back, in_force.back)) if code and code != old]
        ways.append(([*sorted(added), *new], after))
    knows_front = in_force.front or wanted.front
    if attributes is not None and knows_front and after.back:
        reset = after._replace(front=_FRONT if waits and wanted.front else after.front)
        colors = [code for code, usual in ((reset.front, _FRONT), (reset.back, _BACK)) if code and code != usual]
        ways.append(([b"", *sorted(attributes), *colors], reset))
    waiting = _Pen(wanted.front if waits else None, None, attributes)
    if not ways:
        return b"", in_force, waiting
    codes, pen = min(ways, key=lambda way: sum(map(len, way[0])) + len(way[0]))
    return b"\x1b[%bm" % b";".join(codes) if codes else b"", pen, waiting
