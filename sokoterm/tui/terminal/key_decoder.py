"""Bytes from a terminal to the names of keys, mouse buttons and pastes.

Printable characters are their own names; others are ``left``, ``S-left`` (with Shift), ``C-r`` (with Control),
``enter``, ``esc``, ``f1`` and so on.  Both cursor-key forms are read on every terminal, CSI (``ESC [ C``) and SS3
(``ESC O C``), whatever the terminal description says, and so are the editing keys of xterm, rxvt, screen and the
Linux console.

Reports of the mouse are read in the form of mode 1006, ``ESC [ < button ; column ; row M`` (``m`` where the button is
let go), and in that of terminals which know mode 1000 alone, ``ESC [ M`` and three bytes (XTerm Control Sequences,
"Mouse Tracking").  Once one has begun, whatever belongs to it is neither a key nor text, however late and broken it
comes.

What is pasted stands between ``ESC [ 200 ~`` and ``ESC [ 201 ~`` where the terminal was asked for that (mode 2004,
"Bracketed Paste Mode"), and is never keys.

The terminal's background comes as ``ESC ] 11 ; rgb : red / green / blue`` in one to four hexadecimal digits each, up to
BEL or ``ESC \\`` (the same, "Operating System Commands").

A terminal that knows synchronized output answers the question for mode 2026 by ``ESC [ ? 2026 ; 1 $ y``, or with 2
(the same, "Request DEC private mode").
"""

import codecs

from sokoterm.app.pasted import MOST_PASTED
from sokoterm.language import _
from sokoterm.tui.terminal.terminal import DARK_BACKGROUND, LIGHT_BACKGROUND, Event, Paste, Pointer

ANSWER = "answer"
"""No key: the terminal's answer to the question of a ``Line`` for its status."""

SYNCHRONIZES = "synchronizes"
"""No key: the terminal's answer that it shows a picture between two marks at once."""

_FINAL_KEYS = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "Z": "S-tab",
    "P": "f1", "Q": "f2", "S": "f4",
    "a": "S-up", "b": "S-down", "c": "S-right", "d": "S-left",
}  # fmt: skip
_KEYPAD_KEYS = _FINAL_KEYS | {"M": "enter", "R": "f3"}  # after ESC O
_TILDE_KEYS = {
    "1": "home",
    "2": "insert",
    "3": "delete",
    "4": "end",
    "5": "pgup",
    "6": "pgdn",
    "7": "home",
    "8": "end",
    "11": "f1",
    "12": "f2",
    "13": "f3",
    "14": "f4",
    "15": "f5",
    "17": "f6",
    "18": "f7",
    "19": "f8",
    "20": "f9",
    "21": "f10",
    "23": "f11",
    "24": "f12",
}
_LINUX_KEYS = {"A": "f1", "B": "f2", "C": "f3", "D": "f4", "E": "f5"}  # after ESC [ [  # fmt: skip
_CONTROL_KEYS = {"\r": "enter", "\n": "enter", "\t": "tab", "\x08": "backspace", "\x7f": "backspace", " ": "space"}
_LONGEST_SEQUENCE = 32  # anything longer is noise, not a key


class KeyDecoder:
    """Collects bytes until they make a key; the rest waits for more bytes, or for ``flush``."""

    def __init__(self, encoding: str = "utf-8") -> None:
        """``encoding`` is that of letters, of which ASCII is a part."""
        self._characters = codecs.getincrementaldecoder(encoding)("replace")
        self._pending = b""
        self._pressed = "left"
        self._pasted: bytearray | None = None
        self._is_too_long = False

    @property
    def is_pending(self) -> bool:
        """True inside an escape sequence or a paste: the caller waits a little, then flushes."""
        return self.is_pasting or bool(self._pending) and not self._pending.startswith(_UNTYPED)

    @property
    def is_pasting(self) -> bool:
        """True inside a paste."""
        return self._pasted is not None

    def feed(self, data: bytes) -> list[Event]:
        """Return the events that are complete now; the work is linear in the bytes, whatever they are."""
        data = self._pending + data
        events: list[Event] = []
        start = 0
        while start < len(data):
            if self._pasted is None:
                found, end = self._next(data, start)
            else:
                found, end = self._next_pasted(self._pasted, data, start)
            if end == start:
                break
            start = end
            events += found
        # Enough of a report that is too long to show that it is.
        self._pending = data[start : start + _LONGEST_SEQUENCE]
        return events

    def flush(self) -> list[Event]:
        """End what has begun, since no more bytes came: an escape alone is Esc, and a paste broke off."""
        if not self.is_pending:
            return []
        if self._pasted is not None:
            self._pending = self._pending if self._pending.startswith(_UNTYPED) else b""
            return self._end_paste(_("it was cut off"))
        pending, self._pending = self._pending, b""
        return ["esc", *self._plain_keys(pending[1:], is_whole=True)]

    def _next(self, data: bytes, start: int) -> tuple[list[Event], int]:
        """Return the first events from ``start`` on, none for noise, and their end; ``start`` to wait for more."""
        escape = data.find(b"\x1b", start)
        if escape != start:
            end = len(data) if escape < 0 else escape
            return self._plain_keys(data[start:end], is_whole=escape >= 0), end
        if data.startswith(_PASTE_BEGIN, start):
            self._pasted = bytearray()
            return [], start + len(_PASTE_BEGIN)
        if data.startswith(_SGR_REPORT, start):
            return self._next_report(data, start)
        if data.startswith(_BACKGROUND, start) or _is_cut(data, start, _BACKGROUND):
            return _next_background(data, start)
        if data.startswith(_OLD_REPORT, start):
            end = start + len(_OLD_REPORT) + 3
            return (self._old_pointer(*data[end - 3 : end]), end) if len(data) >= end else ([], start)
        key, end = _next_key(data, start)
        return [key] if key else [], end

    def _next_pasted(self, pasted: bytearray, data: bytes, start: int) -> tuple[list[Event], int]:
        """Add to a paste all bytes that cannot be part of its end mark; return its events and the end of the bytes."""
        end = mark = data.find(_PASTE_END, start)
        if mark < 0:
            escape = data.rfind(b"\x1b", start)
            end = escape if escape >= 0 and _PASTE_END.startswith(data[escape:]) else len(data)
        if len(pasted) + end - start > MOST_PASTED:
            self._is_too_long = True
            pasted.clear()
        if not self._is_too_long:
            pasted += data[start:end]
        return (self._end_paste(), mark + len(_PASTE_END)) if mark >= 0 else ([], end)

    def _end_paste(self, problem: str = "") -> list[Event]:
        """Return the paste, and the answers of the terminal that came in the middle of it."""
        data, self._pasted = bytes(self._pasted or b""), None
        if self._is_too_long:
            problem = _("it has over {most:,} bytes", most=MOST_PASTED)
        self._is_too_long = False
        return [Paste(data.replace(_ANSWER, b""), problem), *[ANSWER] * data.count(_ANSWER)]

    def _plain_keys(self, text: bytes, *, is_whole: bool) -> list[Event]:
        """Return the keys of bytes without an escape; unless it ``is_whole``, the last character may be cut."""
        return [key for key in map(_plain_key, self._characters.decode(text, is_whole)) if key]

    def _next_report(self, data: bytes, start: int) -> tuple[list[Event], int]:
        begin = end = start + len(_SGR_REPORT)
        while end < len(data) and 0x20 <= data[end] < 0x40:
            end += 1
        if end == len(data):
            return [], start
        if not 0x40 <= data[end] <= 0x7E:
            return [], end  # it broke off, and this byte is no part of it
        numbers = data[begin:end].split(b";") if end - start < _LONGEST_SEQUENCE else []
        if len(numbers) != 3 or not all(map(bytes.isdigit, numbers)) or data[end] not in b"Mm":
            return [], end + 1
        code, column, row = map(int, numbers)
        return self._pointer(code, row - 1, column - 1, is_press=data[end] == ord("M")), end + 1

    def _old_pointer(self, code: int, column: int, row: int) -> list[Event]:
        """Read the three bytes of the older form, each plus 32, which does not tell the button that is let go."""
        is_release = code - 32 & ~_MODIFIERS == _OLD_RELEASE
        return self._pointer(code - 32, row - 33, column - 33, is_press=not is_release)

    def _pointer(self, code: int, row: int, column: int, *, is_press: bool) -> list[Event]:
        code &= ~_MODIFIERS
        button = _BUTTONS.get(code, "") if is_press or code != _OLD_RELEASE else self._pressed
        if not button or row < 0 or column < 0 or button.startswith("wheel") and not is_press:
            return []
        if is_press:
            self._pressed = button
        return [Pointer(row, column, button, is_press)]


_SGR_REPORT = b"\x1b[<"
_OLD_REPORT = b"\x1b[M"
_ANSWER = b"\x1b[0n"
_BACKGROUND = b"\x1b]11;"
_PASTE_BEGIN = b"\x1b[200~"
_PASTE_END = b"\x1b[201~"
# Beginnings that nobody types: the rest belongs to them, however late it comes.
_UNTYPED = (_SGR_REPORT, _OLD_REPORT, b"\x1b[20", b"\x1b[?", _BACKGROUND)
_SYNCHRONIZES = ("?2026;1$y", "?2026;2$y")
_BUTTONS = {0: "left", 1: "middle", 2: "right", 64: "wheel up", 65: "wheel down"}
_OLD_RELEASE = 3
_MODIFIERS = 4 | 8 | 16  # Shift, Meta and Control, which change nothing


def _is_cut(data: bytes, start: int, beginning: bytes) -> bool:
    """True if the data ends within a beginning of which it has more than the escape."""
    return 1 < len(data) - start < len(beginning) and beginning.startswith(data[start:])


def _next_background(data: bytes, start: int) -> tuple[list[Event], int]:
    """Return the event of a background colour (none for noise) and its end; ``start`` if more bytes must come."""
    last = start + _LONGEST_SEQUENCE
    ends = [(at, len(end)) for end in (b"\x07", b"\x1b\\") if (at := data.find(end, start + 1, last)) >= 0]
    if not ends:
        return [], last if len(data) > last else start
    end, length = min(ends)
    parts = data[start + len(_BACKGROUND) : end].removeprefix(b"rgb:").split(b"/")
    if len(parts) != 3 or not all(0 < len(part) <= 4 and _HEX.issuperset(part) for part in parts):
        return [], end + length
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in parts)
    is_light = 0.3 * red + 0.59 * green + 0.11 * blue > 0.5
    return [LIGHT_BACKGROUND if is_light else DARK_BACKGROUND], end + length


_HEX = frozenset(b"0123456789abcdefABCDEF")


def _next_key(data: bytes, start: int) -> tuple[str, int]:
    """Return the key of an ESC and what follows it ("" for noise), and its end; ``start`` if more bytes must come."""
    second, third, fourth = (data[at : at + 1].decode("latin-1") for at in range(start + 1, start + 4))
    if not second:
        return "", start
    if second == "O":
        return (_KEYPAD_KEYS.get(third, ""), start + 3) if third else ("", start)
    if second != "[":
        return "esc", start + 1
    if third == "[":  # the Linux console's function keys: ESC [ [ A
        return (_LINUX_KEYS.get(fourth, ""), start + 4) if fourth else ("", start)
    begin = end = start + 2
    dollar = 0 if third == "?" else ord("$")  # the end of a key of rxvt, but not of an answer
    while end < len(data) and not 0x40 <= data[end] <= 0x7E and data[end] != dollar:
        end += 1
    if end == len(data):
        return "", start if end - start < _LONGEST_SEQUENCE else end
    return _sequence_key(data[begin:end].decode("latin-1"), chr(data[end])), end + 1


def _sequence_key(parameters: str, final: str) -> str:
    if final == "n":
        return ANSWER if parameters == "0" else ""
    if parameters.startswith("?"):
        return SYNCHRONIZES if parameters + final in _SYNCHRONIZES else ""
    code, __, modifier = parameters.partition(";")
    key = _TILDE_KEYS.get(code, "") if final == "~" else _FINAL_KEYS.get(final, "")
    if key and modifier and modifier != "1":
        return "S-" + key if modifier == "2" and not key.startswith("S-") else ""
    return key


def _plain_key(character: str) -> str:
    if character in _CONTROL_KEYS:
        return _CONTROL_KEYS[character]
    if character < " ":
        return "C-" + chr(ord(character) + 0x60) if "\x01" <= character <= "\x1a" else ""
    return character
