"""Decoder of bytes from a terminal into the names of keys, mouse buttons and pastes.

Printable characters are their own names; others are ``left``, ``S-left`` (with Shift), ``C-r`` (with Control),
``enter``, ``esc``, ``f1`` and so on. Whatever the terminal description says, both forms of cursor keys are read, CSI
(``ESC [ C``) and SS3 (``ESC O C``), and so are the editing keys of xterm, rxvt, screen and the Linux console, and the
keypad in application mode. An earlier program may have left on the keyboard protocol of kitty,
``ESC [ code ; modifiers u`` (https://sw.kovidgoyal.net/kitty/keyboard-protocol), or modifyOtherKeys of xterm,
``ESC [ 27 ; modifiers ; code ~``: their keys become those that they replace.

The rest is from XTerm Control Sequences. "Mouse Tracking": reports have the form of mode 1006,
``ESC [ < button ; column ; row M`` (``m`` for a release), or ``ESC [ M`` and three bytes from terminals that only know
mode 1000. "Bracketed Paste Mode" (2004): pasted bytes, between ``ESC [ 200 ~`` and ``ESC [ 201 ~``, are never keys.

The terminal reports its background by ``ESC ] 11 ; rgb : red / green / blue``, with one to four hexadecimal digits
each, up to BEL or ``ESC \\`` ("Operating System Commands"). Of other such strings (DCS, APC, PM, SOS) only one has a
meaning: ``ESC _ G i = 31 ; OK``, by which a terminal says that it shows pictures (see graphics.py).
``ESC [ ? 2026 ; 1 $ y``, or 2 for 1, reports synchronized output ("Request DEC private mode");
``ESC [ ? class ; attributes c`` has a 4 for sixels; ``ESC [ 6 ; height ; width t`` gives the pixels of a cell.

An incomplete sequence is dropped and never becomes keys.
"""

import codecs
import re

from sokoterm.app.keymap import by_place
from sokoterm.app.options import MOST_PASTED
from sokoterm.language import _
from sokoterm.terminal.events import DARK_BACKGROUND, LIGHT_BACKGROUND, PICTURES_SHOWN, CellSize, Event, Paste, Pointer

ANSWER = "answer"
"""Not a key: the terminal's answer when a ``Line`` asks for its status."""

SYNCHRONIZES = "synchronizes"
"""Not a key: the terminal's answer that it shows a picture between two marks in one go."""

SIXELS = "sixels"
"""Not a key: the terminal's answer that it shows sixels."""

_FINAL_KEYS = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "Z": "S-tab",
    "P": "f1", "Q": "f2", "S": "f4",
    "a": "S-up", "b": "S-down", "c": "S-right", "d": "S-left",
}  # fmt: skip
_KEYPAD_KEYS = _FINAL_KEYS | {
    "M": "enter",
    "R": "f3",
    **dict(zip("Xjklmnopqrstuvwxy", "=*+,-./0123456789", strict=True)),
}
_TILDE_KEYS = {
    "1": "home", "2": "insert", "3": "delete", "4": "end", "5": "pgup", "6": "pgdn", "7": "home", "8": "end",
    "11": "f1", "12": "f2", "13": "f3", "14": "f4", "15": "f5", "17": "f6", "18": "f7", "19": "f8", "20": "f9",
    "21": "f10", "23": "f11", "24": "f12",
}  # fmt: skip
_LINUX_KEYS = {b"A": "f1", b"B": "f2", b"C": "f3", b"D": "f4", b"E": "f5"}  # after ESC [ [  # fmt: skip
_CONTROL_KEYS = {
    "\r": "enter", "\n": "enter", "\t": "tab", "\x08": "backspace", "\x7f": "backspace", " ": "space", "\x1b": "esc",
}  # fmt: skip
_FIRST_OF_KEYPAD = 57399  # the codes that kitty gives to the keypad
_KITTY_KEYPAD = (
    *"0123456789./*-+", "enter", *"=,", "left", "right", "up", "down", "pgup", "pgdn", "home", "end", "insert",
    "delete",
)  # fmt: skip
_SHIFT, _CONTROL, _CAPS_LOCK, _NUM_LOCK = 1, 4, 64, 128

# A lone escape is the key Esc after this time.
_ESCAPE_SECONDS = 0.1
# Any other incomplete sequence waits this long after its last byte.
_SEQUENCE_SECONDS = 0.5
# A paste that pauses this long has lost its end, and keys are read again.
_PASTE_SECONDS = 3.0
_LONGEST_SEQUENCE = 64  # anything longer is noise, neither a key nor the attributes of a terminal

_ESCAPE = b"\x1b"
_OLD_REPORT = b"\x1b[M"
_ANSWER = b"\x1b[0n"
_LINUX_KEY = b"\x1b[["
_PASTE_BEGIN = "200~"
_PASTE_END = b"\x1b[201~"
_STRINGS = b"]PX^_"  # what follows the escape of OSC, DCS, SOS, PM and APC
_BACKGROUND = b"]11;"
_SHOWS_PICTURES = b"_Gi=31;OK"
_NO_PARAMETER = re.compile(rb"[^ -?]")
_RXVT_KEY = re.compile(rb"\d+\$")  # not a sequence by the standard, in which "$" ends none
_NOT_IN_STRING = re.compile(rb"[\x00-\x07\x0e-\x1f]")
# Starts of a late packet that continues a dropped sequence: after an escape by itself, or after more.
_AFTER_ESCAPE = re.compile(rb"[\[\]]|[OPX^_].", re.DOTALL)
_AFTER_BEGIN = re.compile(rb"[0-9:;<>?$]")
_AFTER_REPORT = re.compile(rb"[0-9;Mm]")
_SGR_REPORT = b"\x1b[<"
_PIXELS = re.compile(r"[0-9]{1,3};[0-9]{1,3}")
_SYNCHRONIZES = ("?2026;1$y", "?2026;2$y")
_BUTTONS = {0: "left", 1: "middle", 2: "right", 64: "wheel up", 65: "wheel down"}
_OLD_RELEASE = 3
_MODIFIERS = 4 | 8 | 16  # Shift, Meta and Control, which change nothing
_HEX = frozenset(b"0123456789abcdefABCDEF")


class KeyDecoder:
    """Collects bytes until they make a key; the rest waits for more bytes, or for ``flush``."""

    def __init__(self, encoding: str = "utf-8") -> None:
        """``encoding`` is that of letters, a superset of ASCII."""
        self._characters = codecs.getincrementaldecoder(encoding)("replace")
        self._pending = b""
        self._given_up = b""
        self._pressed = "left"
        self._string: bytearray | None = None
        self._pasted: bytearray | None = None
        self._is_too_long = False

    @property
    def patience(self) -> float | None:
        """The seconds after the last byte until ``flush`` is due; None between sequences."""
        if self._pasted is not None:
            return _PASTE_SECONDS
        if self._string is not None or len(self._pending) > 1:
            return _SEQUENCE_SECONDS
        if self._given_up == _ESCAPE:
            return _SEQUENCE_SECONDS
        return _ESCAPE_SECONDS if self._pending else None

    def feed(self, data: bytes) -> list[Event]:
        """Return the events that are complete now, in time linear in the bytes, whatever they are."""
        if data and self._given_up:
            going_on = (
                _AFTER_ESCAPE if self._given_up == _ESCAPE
                else _AFTER_REPORT if self._given_up.startswith(_SGR_REPORT)
                else _AFTER_BEGIN
            )  # fmt: skip
            data = self._given_up + data if going_on.match(data) else data
            self._given_up = b""
        data = self._pending + data
        events: list[Event] = []
        start = 0
        while start < len(data):
            if self._pasted is not None:
                found, end = self._next_pasted(self._pasted, data, start)
            elif self._string is not None:
                found, end = self._next_in_string(self._string, data, start)
            else:
                found, end = self._next(data, start)
            if end == start:
                break
            start = end
            events += found
        # Enough to show that a sequence is too long.
        self._pending = data[start : start + _LONGEST_SEQUENCE]
        return events

    def flush(self) -> list[Event]:
        """End incomplete input, as no more bytes came: a lone escape is Esc, and a paste was cut off.

        Any other sequence is dropped, and so is a later continuation of it, unless somebody could have typed that.
        """
        was_string, self._string = self._string is not None, None
        pending, self._pending, was_given_up, self._given_up = self._pending, b"", self._given_up, b""
        if self._pasted is not None:
            self._given_up = pending if len(pending) > 1 else b""
            return self._end_paste(_("it was cut off"))
        if was_string or was_given_up:
            return []
        self._given_up = pending if pending == _ESCAPE or pending.startswith(b"\x1b[") else b""
        return ["esc"] if pending == _ESCAPE else []

    def _next(self, data: bytes, start: int) -> tuple[list[Event], int]:
        """Return the next events from ``start`` on, none for noise, and their end; ``start`` to wait for more."""
        escape = data.find(_ESCAPE, start)
        if escape != start:
            end = len(data) if escape < 0 else escape
            # Unless an escape follows, the last character may be cut.
            characters = self._characters.decode(data[start:end], escape >= 0)
            return [key for key in map(_plain_key, characters) if key], end
        match data[start + 1 : start + 2]:
            case b"":
                return [], start
            case b"[" | b"O":
                return self._next_sequence(data, start)
            case second if second in _STRINGS:
                self._string = bytearray(second)
                return [], start + 2
        return ["esc"], start + 1

    def _next_sequence(self, data: bytes, start: int) -> tuple[list[Event], int]:
        if data.startswith(_OLD_REPORT, start):
            end = start + len(_OLD_REPORT) + 3
            if len(data) < end:
                return [], start
            # Three bytes, each plus 32, which do not tell which button is released.
            code, column, row = data[end - 3 : end]
            is_press = code - 32 & ~_MODIFIERS != _OLD_RELEASE
            return self._pointer(code - 32, row - 33, column - 33, is_press=is_press), end
        if data.startswith(_LINUX_KEY, start):
            key = _LINUX_KEYS.get(data[start + 3 : start + 4], "")
            return ([key] if key else [], start + 4) if len(data) > start + 3 else ([], start)
        begin = start + 2
        if (rxvt_key := _RXVT_KEY.match(data, begin)) is not None:
            return [], rxvt_key.end()
        if (after := _NO_PARAMETER.search(data, begin)) is None:
            return [], start
        end = after.start()
        if not 0x40 <= data[end] <= 0x7E:
            return [], end  # the sequence is cut off, and this byte is not part of it
        if end - start >= _LONGEST_SEQUENCE:
            return [], end + 1
        parameters, final = data[begin:end].decode("latin-1"), chr(data[end])
        if data[start + 1] == ord("O"):
            return _with_modifiers(_KEYPAD_KEYS.get(final, ""), parameters.rpartition(";")[2]), end + 1
        if parameters.startswith("<"):
            return self._report(parameters[1:], final), end + 1
        if parameters + final == _PASTE_BEGIN:
            self._pasted = bytearray()
            return [], end + 1
        return _sequence_events(parameters, final), end + 1

    def _next_in_string(self, string: bytearray, data: bytes, start: int) -> tuple[list[Event], int]:
        """Extend a string up to its end; return its event and the end of the bytes."""
        after = _NOT_IN_STRING.search(data, start)
        end = after.start() if after is not None else len(data)
        string += data[start:end]
        if end == len(data) and len(string) <= MOST_PASTED or data[end:] == _ESCAPE:
            return [], end
        if data.startswith(b"\x07", end) and not string.startswith(b"]"):
            return [], end + 1
        self._string = None
        if data.startswith((b"\x07", b"\x1b\\"), end):
            return _string_events(bytes(string)), end + (1 if data[end] == 7 else 2)
        return self._next(data, end) if end < len(data) else ([], end)

    def _next_pasted(self, pasted: bytearray, data: bytes, start: int) -> tuple[list[Event], int]:
        """Extend a paste by all bytes that cannot be in its end mark; return its events and the end of the bytes."""
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
        """Return the paste, and the terminal's answers that came in the middle of it."""
        data, self._pasted = bytes(self._pasted or b""), None
        if self._is_too_long:
            problem = _("it has over {most:,} bytes", most=MOST_PASTED)
        self._is_too_long = False
        return [Paste(data.replace(_ANSWER, b""), problem), *[ANSWER] * data.count(_ANSWER)]

    def _report(self, parameters: str, final: str) -> list[Event]:
        numbers = parameters.split(";")
        if len(numbers) != 3 or not all(map(str.isdigit, numbers)) or final not in "Mm":
            return []
        code, column, row = map(int, numbers)
        return self._pointer(code, row - 1, column - 1, is_press=final == "M")

    def _pointer(self, code: int, row: int, column: int, *, is_press: bool) -> list[Event]:
        code &= ~_MODIFIERS
        button = _BUTTONS.get(code, "") if is_press or code != _OLD_RELEASE else self._pressed
        if not button or row < 0 or column < 0 or button.startswith("wheel") and not is_press:
            return []
        if is_press:
            self._pressed = button
        return [Pointer(row, column, button, is_press)]


def without_sequences(line: bytes, encoding: str) -> str:
    """Return the text of a line without the terminal sequences mixed into it."""
    decoder = KeyDecoder(encoding)
    events = [*decoder.feed(line), *decoder.flush()]
    pasted = (event.data.decode(encoding, "replace") if isinstance(event, Paste) else event for event in events)
    typed = ({"space": " ", "tab": "\t"}.get(each, each) for each in pasted if isinstance(each, str))
    return "".join(each for each in typed if len(each) == 1)


def _string_events(string: bytes) -> list[Event]:
    """Return the event of a string about the background or pictures; none for other strings."""
    if string == _SHOWS_PICTURES:
        return [PICTURES_SHOWN]
    parts = string.removeprefix(_BACKGROUND).removeprefix(b"rgb:").split(b"/")
    is_color = string.startswith(_BACKGROUND) and len(parts) == 3
    if not is_color or not all(0 < len(part) <= 4 and _HEX.issuperset(part) for part in parts):
        return []
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in parts)
    is_light = 0.3 * red + 0.59 * green + 0.11 * blue > 0.5
    return [LIGHT_BACKGROUND if is_light else DARK_BACKGROUND]


def _sequence_events(parameters: str, final: str) -> list[Event]:
    """Return the event of ``ESC [`` and what follows, none for noise."""
    if final == "n":
        return [ANSWER] if parameters == "0" else []
    if parameters.startswith("?"):
        if final == "c":
            return [SIXELS] if "4" in parameters.split(";")[1:] else []
        return [SYNCHRONIZES] if parameters + final in _SYNCHRONIZES else []
    code, modifiers, third = (*parameters.split(";"), "", "")[:3]
    if final == "t":
        is_size = code == "6" and _PIXELS.fullmatch(f"{modifiers};{third}")
        return [CellSize(int(modifiers), int(third))] if is_size else []
    if final == "u":
        return _coded_keys(code, modifiers, third)
    if final == "~" and code == "27" and third:
        return _coded_keys(third, modifiers)
    return _with_modifiers(_TILDE_KEYS.get(code, "") if final == "~" else _FINAL_KEYS.get(final, ""), modifiers)


def _with_modifiers(key: str, modifiers: str) -> list[Event]:
    """Return a key other than a letter, with Shift if held; none with Control or Alt, or for a release."""
    held = _held(modifiers) & ~(_CAPS_LOCK | _NUM_LOCK)
    if not key or held & ~_SHIFT:
        return []
    is_shifted = held == _SHIFT and len(key) > 1 and not key.startswith("S-")
    return ["S-" + key if is_shifted else key]


def _held(modifiers: str) -> int:
    """Return the bits of the modifiers held with a key, given as 1 + bits; -1 for a release, marked by ``:3``."""
    held, __, kind = modifiers.partition(":")
    return -1 if kind == "3" else max(0, _number(held) - 1)


def _coded_keys(codes: str, modifiers: str, text: str = "") -> list[Event]:
    """Return the keys for a code of Unicode or of kitty.

    ``codes`` are the key's own, then optionally those of its upper-case letter and of its place on a Latin keyboard;
    ``text`` are those of what it writes. All are separated by ``:``.
    """
    code, shifted, place = map(_character, (*codes.split(":"), "", "")[:3])
    held = _held(modifiers)
    keypad_key = ord(code or "\0") - _FIRST_OF_KEYPAD
    if 0 <= keypad_key < len(_KITTY_KEYPAD):
        return _with_modifiers(_KITTY_KEYPAD[keypad_key], modifiers)
    if held & ~(_SHIFT | _CONTROL | _CAPS_LOCK | _NUM_LOCK):
        return []
    if code in _CONTROL_KEYS:
        key = _CONTROL_KEYS[code]
        return ["S-tab" if key == "tab" and held & _SHIFT else key]
    if held & _CONTROL:
        letter = by_place(place or code).upper()
        return [_plain_key(chr(ord(letter) - 0x40))] if len(letter) == 1 and "A" <= letter <= "[" else []
    if not text:
        is_upper = bool(held & _SHIFT) != bool(held & _CAPS_LOCK and code.isalpha())
        text = shifted or code.upper() if is_upper else code
    else:
        text = "".join(map(_character, text.split(":")))
    return [key for key in map(_plain_key, text) if key.isprintable() and key]


def _character(code: str) -> str:
    return chr(number) if 0 < (number := _number(code)) < 0x110000 else ""


def _number(digits: str) -> int:
    return int(digits) if digits.isdigit() else 0


def _plain_key(character: str) -> str:
    if character in _CONTROL_KEYS:
        return _CONTROL_KEYS[character]
    if character < " ":
        return "C-" + chr(ord(character) + 0x60) if "\x01" <= character <= "\x1a" else ""
    return character
