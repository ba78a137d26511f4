"""Fewer bytes for colours and attributes: what is in force already is not set again, and the rest is one sequence.

Blanks show no front colour, so it is not set for them.

curses sets both colours of a pair anew, resets them in three sequences, and selects the ASCII letters with each reset.
With ``colors`` the numbers of the 256-colour palette become 24-bit colours, for terminals that know these (COLORTERM).
The sequences are those of ECMA-48 (SGR) and xterm.
"""

import re
from collections.abc import Mapping

_SEQUENCE = re.compile(rb"\x1b\[([0-9;]*)m|\x1b\(B|\x0f")
_BLANKS = re.compile(rb"(?:[ \b\r\n]|\x1b\[[0-9;]*[A-Za-ln-z])*")
_OTHER_LETTERS = re.compile(rb"\x1b\([^B]|\x0e")
# The attributes that curses sets: bold, dim, italic, underline, blink, reverse, invisible, struck out.
_ATTRIBUTES = frozenset((b"1", b"2", b"3", b"4", b"5", b"7", b"8", b"9"))
_SEEN_ON_BLANKS = frozenset((b"4", b"7", b"9"))  # underline, reverse, struck out
_FRONT, _BACK = b"39", b"49"  # those of the terminal itself
_BASIC = re.compile(rb"(?:[34]|9|10)[0-7]")

_Colors = dict[bytes, bytes]  # what sets the front colour and the background, by _FRONT and _BACK


class ColorCodes:
    """Shortens what goes to one terminal; remembers what is in force there."""

    def __init__(self, colors: Mapping[int, tuple[int, int, int]] | None = None) -> None:
        """``colors``: red, green and blue by the number of the colour; None leaves all numbers as they are."""
        self._colors = colors or {}
        self.forget()

    def forget(self) -> None:
        """Take nothing for granted: others have written to the terminal."""
        self._in_force: _Colors = {}
        self._wanted: _Colors = {}
        # None: not known.
        self._attributes: frozenset[bytes] | None = None
        self._wanted_attributes: frozenset[bytes] | None = None
        self._has_ascii: set[bytes] = set()

    def shorten(self, data: bytes) -> bytes:
        """Return bytes that draw the same; ``data`` holds whole sequences."""
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
            before = self._wanted.copy(), self._wanted_attributes
            if not self._take_in(found[1].split(b";")):
                self._wanted, self._wanted_attributes = before
                shortened += self._changes() + found[0]
                self._in_force, self._attributes, self._wanted_attributes = {}, None, None
        if at < len(data):
            self._pass(shortened, data[at:])
        return bytes(shortened + self._changes())

    def _pass(self, shortened: bytearray, data: bytes) -> None:
        """Add what is no sequence of this kind, behind the changes that it needs."""
        shortened += self._changes(is_blank=_BLANKS.fullmatch(data) is not None) + data
        if _OTHER_LETTERS.search(data):
            self._has_ascii.clear()

    def _take_in(self, codes: list[bytes]) -> bool:
        """Note what a sequence sets; False if that is not known here."""
        while codes:
            code = codes.pop(0)
            if code in (b"", b"0"):
                self._wanted = {_FRONT: _FRONT, _BACK: _BACK}
                self._wanted_attributes = frozenset()
            elif code in _ATTRIBUTES and self._wanted_attributes is not None:
                self._wanted_attributes |= {code}
            elif code in (b"38", b"48") and len(codes) > 1 and codes[0] == b"5":
                self._wanted[_FRONT if code == b"38" else _BACK] = code + b";" + self._code(codes[1])
                del codes[:2]
            elif code in (_FRONT, _BACK):
                self._wanted[code] = code
            elif _BASIC.fullmatch(code):
                self._wanted[_FRONT if code[:1] in b"39" else _BACK] = code
            else:
                return False
        return True

    def _changes(self, *, is_blank: bool = False) -> bytes:
        """Return the shorter of two sequences that set what is wanted: with a reset, and without.

        Before what ``is_blank`` the front colour may wait.
        """
        attributes = self._wanted_attributes
        waits = is_blank and attributes is not None and attributes.isdisjoint(_SEEN_ON_BLANKS)
        waiting = {ground: code for ground, code in self._wanted.items() if waits and ground == _FRONT}
        wanted = {ground: code for ground, code in self._wanted.items() if ground not in waiting}
        new = {ground: code for ground, code in wanted.items() if self._in_force.get(ground) != code}
        lacks = attributes is not None and (self._attributes is None or not self._attributes <= attributes)
        added = (attributes or frozenset()) - (self._attributes or frozenset())
        ways = [] if lacks else [([*sorted(added), *new.values()], {**self._in_force, **new})]
        if attributes is not None:
            kept = {_FRONT: _FRONT, **self._in_force, **wanted}
            if waiting:
                kept[_FRONT] = _FRONT
            if _BACK in kept and (_FRONT in self._in_force or _FRONT in self._wanted):
                colors = [code for ground, code in kept.items() if code != ground]
                ways.append(([b"", *sorted(attributes), *colors], kept))
            self._attributes = attributes
        self._wanted = waiting
        if not ways:
            return b""
        codes, self._in_force = min(ways, key=lambda way: sum(map(len, way[0])) + len(way[0]))
        return b"\x1b[%bm" % b";".join(codes) if codes else b""

    def _code(self, number: bytes) -> bytes:
        rgb = self._colors.get(int(number)) if number.isdigit() else None
        return b"5;" + number if rgb is None else b"2;%d;%d;%d" % rgb
