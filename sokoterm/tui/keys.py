"""Bytes from a terminal to key names.

Printable characters are their own names; others are ``left``, ``S-left`` (with Shift), ``C-r`` (with Control),
``enter``, ``esc``, ``f1`` and so on.  Both cursor-key forms are read on every terminal, CSI (``ESC [ C``) and SS3
(``ESC O C``), whatever the terminal description says, and so are the editing keys of xterm, rxvt, screen and the
Linux console.
"""

import codecs

_FINAL_KEYS = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "Z": "S-tab",
    "P": "f1", "M": "enter",
    "a": "S-up", "b": "S-down", "c": "S-right", "d": "S-left",
}  # fmt: skip
_TILDE_KEYS = {
    "1": "home", "2": "insert", "3": "delete", "4": "end", "5": "pgup", "6": "pgdn", "7": "home", "8": "end",
    "11": "f1",
}  # fmt: skip
_CONTROL_KEYS = {"\r": "enter", "\n": "enter", "\t": "tab", "\x08": "backspace", "\x7f": "backspace", " ": "space"}
_LONGEST_SEQUENCE = 32  # anything longer is noise, not a key


class KeyDecoder:
    """Collects bytes until they make a key; what is left over waits for more, or for ``flush``."""

    def __init__(self) -> None:
        self._characters = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""

    @property
    def is_pending(self) -> bool:
        """Whether an escape sequence has begun and not ended: the caller waits a little, then flushes."""
        return bool(self._pending)

    def feed(self, data: bytes) -> list[str]:
        """The keys that are complete now."""
        self._pending += self._characters.decode(data)
        keys: list[str] = []
        while self._pending:
            key, used = _next_key(self._pending)
            if not used:
                break
            self._pending = self._pending[used:]
            if key:
                keys.append(key)
        return keys

    def flush(self) -> list[str]:
        """No more bytes came: an escape alone is the Esc key, what follows it stands for itself."""
        pending, self._pending = self._pending, ""
        return ["esc", *(_plain_key(each) for each in pending[1:])] if pending else []


def _next_key(text: str) -> tuple[str, int]:
    """The first key of ``text`` ("" for a sequence that means nothing here) and its length; length 0 waits."""
    if text[0] != "\x1b":
        return _plain_key(text[0]), 1
    if len(text) == 1:
        return "", 0
    if text[1] == "O":
        return (_FINAL_KEYS.get(text[2], ""), 3) if len(text) > 2 else ("", 0)
    if text[1] != "[":
        return "esc", 1
    if text[2:3] == "[":  # the Linux console's function keys: ESC [ [ A
        return ("f1" if text[3] == "A" else "", 4) if len(text) > 3 else ("", 0)
    end = 2
    while end < len(text) and not "@" <= text[end] <= "~" and text[end] != "$":
        end += 1
    if end == len(text):
        return ("", 0) if end < _LONGEST_SEQUENCE else ("", end)
    return _sequence_key(text[2:end], text[end]), end + 1


def _sequence_key(parameters: str, final: str) -> str:
    code, _, modifier = parameters.partition(";")
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
