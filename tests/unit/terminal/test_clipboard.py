"""The bytes for the clipboard, read as what stands between would read them."""

import re
from base64 import b64decode

import pytest

from sokoterm.terminal.clipboard import MOST_BYTES, copy_sequence, may_copy

LONG = "rruLL" * 3000


def _clipboard(data: bytes) -> str:
    """What a terminal puts on its clipboard."""
    found = re.fullmatch(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)(?:\a|\x1b\\)", data)
    assert found, data[:80]
    return b64decode(found[1], validate=True).decode()


@pytest.mark.parametrize("text", ["r", "rruLL", "⭐ 🟦", LONG])
def test_a_terminal_gets_the_sequence_itself(text: str) -> None:
    assert _clipboard(copy_sequence(text, {"TERM": "xterm-256color"})) == text


@pytest.mark.parametrize("environ", [{"TERM": "screen-256color"}, {"TERM": "xterm", "STY": "1.pts"}])
def test_screen_hands_on_what_is_in_its_strings_none_of_which_is_too_long(environ: dict[str, str]) -> None:
    data = copy_sequence(LONG, environ)
    strings = re.findall(rb"\x1bP(.*?)\x1b\\", data, re.DOTALL)
    assert b"".join(b"\x1bP" + string + b"\x1b\\" for string in strings) == data
    assert max(map(len, strings)) <= 256
    assert _clipboard(b"".join(strings)) == LONG


@pytest.mark.parametrize("environ", [{"TERM": "tmux-256color"}, {"TERM": "screen", "TMUX": "/tmp/tmux-0/default,1,0"}])
def test_tmux_gets_it_for_itself_and_to_be_handed_on(environ: dict[str, str]) -> None:
    itself, wrapped = copy_sequence("rruLL", environ).split(b"\x1bPtmux;")
    assert _clipboard(itself) == "rruLL"
    assert wrapped.endswith(b"\x1b\\")
    assert _clipboard(wrapped.removesuffix(b"\x1b\\").replace(b"\x1b\x1b", b"\x1b")) == "rruLL"


def test_the_longest_text_makes_the_longest_sequence_that_terminals_keep() -> None:
    assert 99_990 < len(copy_sequence("r" * MOST_BYTES, {"TERM": "xterm"})) <= 100_000


@pytest.mark.parametrize("term", ["linux", "vt100", "vt220", "ansi", "dumb", "rxvt-unicode", "unheard-of", ""])
def test_others_are_not_asked(term: str) -> None:
    assert not may_copy({"TERM": term})
    assert may_copy({"TERM": "xterm-kitty"})
    assert not may_copy({})
