"""Text for the clipboard of the terminal, by OSC 52 (XTerm Control Sequences, "Manipulate Selection Data").

The terminal may refuse it silently, and a multiplexer may drop it: tmux accepts it with its option
``set-clipboard on``, or forwards it with ``allow-passthrough on``; GNU screen forwards it if wrapped.
"""

from binascii import b2a_base64
from collections.abc import Mapping

# Prefixes of terminals that support or at least skip the sequence: the Linux console and vt100 print it.
_KNOWN = ("xterm", "tmux", "screen", "alacritty", "foot", "kitty", "wezterm", "contour", "ghostty", "st-")
# Terminals accept at most 100,000 bytes in a sequence: ESC ]52;c; and BEL, and this many bytes in base64.
MOST_BYTES = 74_994
# GNU screen forwards strings of up to 768 bytes, versions before 4.3 up to 256.
_CHUNK = 240


def may_copy(environ: Mapping[str, str]) -> bool:
    """True if the terminal that TERM names probably has a clipboard, or skips the sequence."""
    return environ.get("TERM", "").startswith(_KNOWN)


def copy_sequence(text: str, environ: Mapping[str, str]) -> bytes:
    """Return the bytes that ask the terminal to put a text on its clipboard.

    TERM, TMUX and STY reveal a multiplexer. Over ssh TERM=screen may be tmux or GNU screen; both get the form for GNU
    screen, which tmux skips, while screen would print the end of a long sequence in another form.
    """
    sequence = b"\x1b]52;c;" + b2a_base64(text.encode(), newline=False) + b"\a"
    term = environ.get("TERM", "")
    if environ.get("TMUX") or term.startswith("tmux"):
        return sequence + b"\x1bPtmux;" + sequence.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\"
    if environ.get("STY") or term.startswith("screen"):
        chunks = [sequence[start : start + _CHUNK] for start in range(0, len(sequence), _CHUNK)]
        return b"".join(b"\x1bP" + chunk + b"\x1b\\" for chunk in chunks)
    return sequence
