import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.tui.keys import KeyDecoder


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        (b"\x1bOA\x1bOB\x1bOC\x1bOD", ["up", "down", "right", "left"]),
        (b"\x1b[1;2A\x1b[1;2D\x1b[a\x1b[d", ["S-up", "S-left", "S-up", "S-left"]),
        (b"\x1b[H\x1bOH\x1b[1~\x1b[7~", ["home"] * 4),
        (b"\x1b[F\x1bOF\x1b[4~\x1b[8~", ["end"] * 4),
        (b"\x1b[5~\x1b[6~", ["pgup", "pgdn"]),
        (b"\x1bOP\x1b[11~\x1b[[A", ["f1"] * 3),
        (b"\x7f\x08\r\n\t ", ["backspace", "backspace", "enter", "enter", "tab", "space"]),
        (b"\x03\x0c\x12\x1a", ["C-c", "C-l", "C-r", "C-z"]),
        (b"hJ?.'", ["h", "J", "?", ".", "'"]),
        ("ß".encode(), ["ß"]),
        (b"\x1b[1;5C", []),  # Ctrl+arrow means nothing, and is not an Esc with letters behind it
        (b"\x1b[<0;3;4M", ["enter"][:0]),
        (b"\x00", []),
    ],
)
def test_bytes_to_keys(data: bytes, keys: list[str]) -> None:
    assert KeyDecoder().feed(data) == keys


@pytest.mark.parametrize("data", [b"\x1b[C", b"\x1bOC", b"\x1b[1;2C", b"\x1b[5~", "é".encode()])
def test_a_key_may_come_byte_by_byte(data: bytes) -> None:
    decoder = KeyDecoder()
    keys = [key for byte in data for key in decoder.feed(bytes([byte]))]
    assert keys == KeyDecoder().feed(data)
    assert len(keys) == 1
    assert not decoder.is_pending


def test_esc_alone_waits_and_is_esc_when_nothing_follows() -> None:
    decoder = KeyDecoder()
    waiting = [decoder.feed(b"\x1b"), decoder.is_pending]
    assert waiting == [[], True]
    assert decoder.flush() == ["esc"]
    assert decoder.flush() == []


def test_esc_and_a_letter_in_one_packet_are_two_keys() -> None:
    assert KeyDecoder().feed(b"\x1bh") == ["esc", "h"]


@given(st.lists(st.binary(max_size=8), max_size=20))
def test_any_bytes_in_any_pieces_end(pieces: list[bytes]) -> None:
    decoder = KeyDecoder()
    keys = [key for piece in pieces for key in decoder.feed(piece)] + decoder.flush()
    assert all(keys)
    assert not decoder.is_pending
