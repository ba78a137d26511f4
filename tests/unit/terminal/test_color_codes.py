"""Shortened colours draw what the long ones drew."""

import re

import pyte
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.terminal.color_codes import ColorCodes

_PIECES = st.one_of(
    st.integers(0, 255).map(lambda number: f"\x1b[38;5;{number}m"),
    st.integers(0, 255).map(lambda number: f"\x1b[48;5;{number}m"),
    st.sampled_from(["\x1b[39;49m", "\x1b[m", "\x1b[0m", "\x1b[1m", "\x1b[7m", "\x1b[31m", "\x1b[39m", "\x1b[49m"]),
    st.sampled_from(["\x1b(B\x1b[m", "\x1b(B\x1b[0;1;4m", "\x1b(0", "\x1b[m\x0f", "\x1b[103m", "\x1b[24m"]),
    st.sampled_from(["\x1b[0;22m", "\x1b[1;38;5;7;4m", "\x1b[0;38;5;200;48;5;3m"]),
    st.sampled_from(["a", "b", " ", "\x1b[2;3H", "\x1b[K", "▀"]),
)


def screen_of(data: str) -> list[object]:
    """The cells of a screen; the front colour of a blank is not seen, unless it is underlined or reversed."""
    screen = pyte.Screen(20, 5)
    pyte.Stream(screen).feed(data)
    cells = [screen.buffer[row][column] for row in range(5) for column in range(20)]
    return [
        cell._replace(fg="") if cell.data == " " and not (cell.underscore or cell.reverse) else cell for cell in cells
    ]


@given(st.lists(st.lists(_PIECES, max_size=12), max_size=5))
def test_the_picture_is_the_same(pictures: list[list[str]]) -> None:
    codes = ColorCodes()
    whole = ["".join(pieces) for pieces in pictures]
    shortened = [codes.shorten(data.encode()).decode() for data in whole]
    assert screen_of("".join(shortened) + "x") == screen_of("".join(whole) + "x")


def test_two_colours_are_one_sequence_and_none_is_set_twice() -> None:
    codes = ColorCodes()
    data = b"\x1b[38;5;172m\x1b[48;5;234mab\x1b[38;5;172m\x1b[48;5;58mc"
    assert codes.shorten(data) == b"\x1b[38;5;172;48;5;234mab\x1b[48;5;58mc"
    assert codes.shorten(b"\x1b[38;5;172md") == b"d"
    codes.forget()
    assert codes.shorten(b"\x1b[38;5;172md") == b"\x1b[38;5;172md"


def test_colours_with_colons_are_those_with_semicolons() -> None:
    codes = ColorCodes()
    assert codes.shorten(b"\x1b[38:5:172m\x1b[48:5:234mab\x1b(B\x1b[mc") == b"\x1b[38;5;172;48;5;234mab\x1b(B\x1b[mc"
    assert codes.shorten(b"\x1b[4:3md") == b"\x1b[4:3md"


def test_what_a_reset_would_undo_is_not_set() -> None:
    codes = ColorCodes()
    assert codes.shorten(b"\x1b(B\x1b[m\x1b[35m@\x1b[39m\x1b(B\x1b[m1") == b"\x1b(B\x1b[;35m@\x1b[m1"
    assert codes.shorten(b"\x1b(B\x1b[0;7m[]\x1b(B\x1b[m2") == b"\x1b[7m[]\x1b[m2"
    assert codes.shorten(b"\x1b[39;49m3") == b"3"


def test_blanks_need_no_front_colour() -> None:
    codes = ColorCodes()
    codes.shorten(b"\x1b[m")
    assert codes.shorten(b"\x1b[38;5;9m\x1b[48;5;3m  \x1b[38;5;7mx") == b"\x1b[48;5;3m  \x1b[38;5;7mx"
    assert codes.shorten(b"\x1b[7m\x1b[38;5;9m ") == b"\x1b[7;38;5;9m "


def test_numbers_become_colours() -> None:
    shortened = ColorCodes({172: (208, 135, 38)}).shorten(b"\x1b[38;5;172m\x1b[48;5;234ma")
    assert shortened == b"\x1b[38;2;208;135;38;48;5;234ma"
    assert not re.search(rb"5;172", shortened)
