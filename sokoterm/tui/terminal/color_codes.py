"""Fewer bytes for colours: drops colours that are set already, and joins foreground and background in one sequence.

curses sets both anew for every pair of colours, each in a sequence of its own.  With ``colors`` the numbers of the
256-colour palette become 24-bit colours, for terminals that know these (COLORTERM).
"""

import re
from collections.abc import Mapping

_SGR = re.compile(rb"\x1b\[([0-9;]*)m")
_KEEPS_COLORS = frozenset(str(code).encode() for code in (1, 2, 3, 4, 5, 7, 9, 22, 23, 24, 25, 27, 29))

_RESETS_COLORS = frozenset((b"", b"0", b"39;49"))


class ColorCodes:
    """Shortens what goes to one terminal; remembers the colours in force there."""

    def __init__(self, colors: Mapping[int, tuple[int, int, int]] | None = None) -> None:
        """``colors``: red, green and blue by the number of the colour; None leaves all numbers as they are."""
        self._colors = colors or {}
        self._in_force: dict[bytes, bytes] = {}  # by 38 (foreground) and 48 (background)
        self._wanted: dict[bytes, bytes] = {}

    def forget(self) -> None:
        """Take no colour for granted: others have written to the terminal."""
        self._in_force.clear()

    def shorten(self, data: bytes) -> bytes:
        """Return bytes that draw the same; ``data`` holds whole sequences."""
        shortened, at = bytearray(), 0
        for found in _SGR.finditer(data):
            if found.start() > at:
                shortened += self._take_wanted()
                shortened += data[at : found.start()]
            at = found.end()
            ground, _, color = found[1].partition(b";")
            if ground in (b"38", b"48") and color.startswith(b"5;"):
                self._wanted[ground] = self._code(color)
                continue
            if found[1] in _RESETS_COLORS:
                self._wanted.clear()
            shortened += self._take_wanted()
            if found[1] not in _KEEPS_COLORS:
                self._in_force.clear()
            shortened += found[0]
        shortened += self._take_wanted()
        return bytes(shortened + data[at:])

    def _take_wanted(self) -> bytes:
        new = {ground: color for ground, color in self._wanted.items() if self._in_force.get(ground) != color}
        self._wanted.clear()
        self._in_force |= new
        return b"\x1b[%bm" % b";".join(b"%b;%b" % each for each in new.items()) if new else b""

    def _code(self, color: bytes) -> bytes:
        rgb = self._colors.get(int(color[2:])) if color[2:].isdigit() else None
        return color if rgb is None else b"2;%d;%d;%d" % rgb
