import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.options import MOST_PASTED
from sokoterm.terminal.events import DARK_BACKGROUND, LIGHT_BACKGROUND, PICTURES_SHOWN, CellSize, Event, Paste, Pointer
from sokoterm.terminal.key_decoder import ANSWER, SIXELS, SYNCHRONIZES, KeyDecoder

KEYS: list[tuple[bytes, list[Event]]] = [
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
    (b"\x00", []),
    (b"\x1b[C\x1bOC\x1b[1;2C\x1b[5~" + "é".encode(), ["right", "right", "S-right", "pgup", "é"]),
    (b"\x1bOQ\x1bOR\x1bOS\x1b[15~\x1b[24~", ["f2", "f3", "f4", "f5", "f12"]),  # of xterm
    (b"\x1b[12~\x1b[[B\x1b[[E", ["f2", "f2", "f5"]),  # of rxvt and the Linux console
    (b"\x1b[5;1R\x1b[[F", []),  # where the cursor is, and no key
    (b"\x1bh", ["esc", "h"]),
    # The background of the terminal.
    (b"\x1b]11;rgb:0000/0000/0000\x07", [DARK_BACKGROUND]),
    (b"\x1b]11;rgb:ffff/ffff/dddd\x1b\\", [LIGHT_BACKGROUND]),
    (b"\x1b]11;rgb:f/f/f\x07h", [LIGHT_BACKGROUND, "h"]),
    (b"\x1b]11;rgb:2a/21/1c\x1b\\\x1b[0n\x1b[C", [DARK_BACKGROUND, ANSWER, "right"]),
    (b"\x1b]11;rgb:0/0\x07h\x1b]11;?\x07\x1b]11;rgb:00000/0/0\x07\x1b]11;rgb:x/y/z\x07", ["h"]),
    (b"\x1b]11;" + b"rgb" * 99 + b"\x07h", ["h"]),
    # Whether it synchronizes.
    (b"\x1b[?2026;1$y", [SYNCHRONIZES]),
    (b"\x1b[?2026;2$y\x1b[0n\x1b[C", [SYNCHRONIZES, ANSWER, "right"]),
    (b"\x1b[?2026;0$yh\x1b[?2026;4$y\x1b[?1;2$y\x1b[?62c", ["h"]),
]


def typed(*pieces: bytes | float) -> list[Event]:
    """Return the events of some bytes and of the seconds between them, the flushes of a reader among them."""
    decoder, events = KeyDecoder(), list[Event]()
    for piece in (*pieces, 9.0):
        if isinstance(piece, bytes):
            events += decoder.feed(piece)
            continue
        while decoder.patience is not None and decoder.patience <= piece:
            events += decoder.flush()
    return events


SEQUENCES: list[tuple[bytes, list[Event]]] = [
    (b"\x1b[C", ["right"]),
    (b"\x1bOC", ["right"]),
    (b"\x1b[1;2A", ["S-up"]),
    (b"\x1b[<0;3;4M", [Pointer(3, 2, "left", True)]),
    (b"\x1b[<0;3;4m", [Pointer(3, 2, "left", False)]),
    (b"\x1b[M !!", [Pointer(0, 0, "left", True)]),
    (b"\x1b[200~rU\x1b[201~", [Paste(b"rU")]),
    (b"\x1b[0n", [ANSWER]),
    (b"\x1b[?2026;1$y", [SYNCHRONIZES]),
    (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", [LIGHT_BACKGROUND]),
    (b"\x1b]11;rgb:0/0/0\x07", [DARK_BACKGROUND]),
    (b"\x1b[114;5u", ["C-r"]),
    (b"\x1b[27;5;114~", ["C-r"]),
    # Answers to the questions of other programs.
    (b"\x1b[?62;22c", []),
    (b"\x1b[>41;366;0c", []),
    (b"\x1b[12;40R", []),
    (b"\x1b[?1u", []),
    (b"\x1b[8;24;80t", []),
    (b"\x1b[?62;4;22c", [SIXELS]),
    (b"\x1b[?61;4;6;7;14;21;22;23;24;28;32;42;52c", [SIXELS]),
    (b"\x1b[?4c", []),
    (b"\x1b[?62;44c", []),
    (b"\x1b[>41;4;0c", []),
    (b"\x1b[6;20;10t", [CellSize(20, 10)]),
    (b"\x1b[6;;10t", []),
    (b"\x1b[6;20;1000t", []),
    (b"\x1b[16;20;10t", []),
    (b"\x1b[4;1$y", []),
    (b"\x1b[I", []),
    (b"\x1bP>|XTerm(367)\x1b\\", []),
    (b"\x1bP1$r0 q\x1b\\", []),
    (b"\x1bP1+r544e=787465726d\x1b\\", []),
    (b"\x1bP!|7E565445\x1b\\", []),
    (b"\x1b]52;c;" + b"cnJyVQ==" * 99 + b"\x07", []),
    (b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\", []),
    (b"\x1b]lrrU\x1b\\", []),
    (b"\x1b_Gi=31;OK\x1b\\", [PICTURES_SHOWN]),
    (b"\x1b_Gi=31;ENOENT\x1b\\", []),
    (b"\x1bPGi=31;OK\x1b\\", []),
    (b"\x1b^rrU\x1b\\", []),
    (b"\x1bXrrU\x1b\\", []),
]


@pytest.mark.parametrize("gap", [0.0, 0.15, 0.3, 0.49])
def test_a_sequence_that_has_begun_is_no_keys_wherever_it_is_split(gap: float) -> None:
    for data, events in SEQUENCES:
        for cut in range(1, len(data)):
            expected = ["esc", *events] if cut == 1 and gap > 0.1 else events
            assert typed(data[:cut], gap, data[cut:] + b"h") == [*expected, "h"]
            for second in range(max(3, cut), min(len(data), 40)):  # after its beginning
                assert typed(data[:3], gap, data[3:second], gap, data[second:], b"h") == [*events, "h"]
        slowly = (each for byte in data[2:] for each in (gap, bytes([byte])))
        assert typed(data[:2], *slowly, gap, b"h") == [*events, "h"]


def test_a_sequence_that_breaks_off_is_dropped() -> None:
    for data in (data for data, _ in SEQUENCES if not data.startswith(b"\x1b[200~")):
        for cut in range(2, len(data)):
            assert typed(data[:cut], 0.6, b"h") == ["h"]
            assert typed(data[:cut]) == []


def test_an_escape_is_the_key_after_a_tenth_of_a_second() -> None:
    decoder = KeyDecoder()
    waiting = [decoder.feed(b"\x1b"), decoder.patience]
    assert waiting == [[], 0.1]
    assert [decoder.flush(), decoder.flush()] == [["esc"], []]
    assert typed(b"\x1b", 0.11) == typed(b"\x1b") == ["esc"]
    assert typed(b"\x1b", 0.11, b"O") == ["esc", "O"]
    assert typed(b"\x1b", 0.2, b"X", 0.2, b"h") == ["esc", "X", "h"]
    assert typed(b"\x1b", 0.6, b"[", b"C") == ["esc", "[", "C"]
    assert typed(b"\x1b\x1b[C") == ["esc", "right"]


def test_ctrl_c_ends_a_string_that_has_no_end() -> None:
    assert typed(b"\x1bPrrr", b"rr", b"\x03h") == ["C-c", "h"]
    assert typed(b"\x1bPrrr\x1b[C") == ["right"]
    assert typed(b"\x1b]" + b"r" * MOST_PASTED, b"h") == ["h"]


# Keys of the protocols that a program may have left on.
PROTOCOLS: list[tuple[bytes, list[Event]]] = [
        (b"\x1b[27u\x1b[27;1u\x1b[27;129u\x1b[91;5u", ["esc"] * 4),
        (b"\x1b[99;5u\x1b[99:67;6u\x1b[99;5:2u\x1b[27;5;99~\x1b[27;6;67~\x1b[1089::99;5u\x1b[1089;5u", ["C-c"] * 7),
        (b"\x1b[114;5u\x1b[27;5;114~\x1b[108;133u", ["C-r", "C-r", "C-l"]),
        (b"\x1b[97u\x1b[97;2u\x1b[97:65;2u\x1b[97;65u\x1b[97;66u\x1b[97;1;98u", ["a", "A", "A", "A", "a", "b"]),
        (b"\x1b[1076;2u\x1b[47:63;2u\x1b[27;2;63~", ["\u0414", "?", "?"]),
        (b"\x1b[13u\x1b[9u\x1b[9;2u\x1b[127u\x1b[32;2u\x1b[27;5;13~", [
            "enter", "tab", "S-tab", "backspace", "space", "enter"]),
        (b"\x1b[105;5u\x1b[104;5u", ["tab", "backspace"]),  # as without the protocol
        (b"\x1b[1;1:2A\x1b[1;2:1B\x1b[1;129C\x1b[3;1:1~\x1b[5;130~", ["up", "S-down", "right", "delete", "S-pgup"]),
        # Let go, with Alt or Super, a key alone that writes nothing, what is no code.
        (b"\x1b[97;1:3u\x1b[99;5:3u\x1b[1;1:3A\x1b[97;3u\x1b[97;9u\x1b[57358u\x1b[57441;2u\x1b[1114112u\x1b[0u", []),
        (b"\x1b[u\x1b[;u\x1b[:;:u\x1b[55296u\x1b[27;;~\x1b[49;5u\x1b[97;5;3;4~", []),
        (b"\x1bOx\x1bOt\x1bOv\x1bOr\x1bOp\x1bOM\x1bOk", ["8", "4", "6", "2", "0", "enter", "+"]),
        (b"\x1b[57407u\x1b[57403;129u\x1b[57405u\x1b[57401u", ["8", "4", "6", "2"]),
        (b"\x1b[57414u\x1b[57419u", ["enter", "up"]),
        (b"\x1bO2A\x1bO1;2P\x1bO5C", ["S-up", "S-f1"]),
]  # fmt: skip


# Reports of the mouse.
REPORTS: list[tuple[bytes, list[Event]]] = [
    (b"\x1b[<1;1;1M\x1b[<2;300;200M", [Pointer(0, 0, "middle", True), Pointer(199, 299, "right", True)]),
    (b"\x1b[<64;3;4M\x1b[<65;3;4M", [Pointer(3, 2, "wheel up", True), Pointer(3, 2, "wheel down", True)]),
    (b"\x1b[<20;3;4M", [Pointer(3, 2, "left", True)]),  # with Shift and Control
    (b'\x1b[M"\xff\xc3h', [Pointer(162, 222, "right", True), "h"]),  # bytes that are no UTF-8
    (b'\x1b[M"!!\x1b[M#!!', [Pointer(0, 0, "right", True), Pointer(0, 0, "right", False)]),
    (b'\x1b[M`!"', [Pointer(1, 0, "wheel up", True)]),
    # What we did not ask for, or cannot be: nothing, and above all no key.
    (b"\x1b[<32;3;4M\x1b[<35;3;4M\x1b[<66;3;4M\x1b[<128;3;4M\x1b[<64;3;4m\x1b[<3;3;4M", []),
    (b"\x1b[<0;0;4M\x1b[<0;3;0M\x1b[<0;3M\x1b[<;;M\x1b[<M\x1b[<0;3;4;5M\x1b[<0;-3;4M\x1b[<0;3;4q", []),
    (b"\x1b[<" + b"1" * 5000 + b";3;4M", []),
    (b"\x1b[M \x20!\x1b[M !\x20\x1b[M\x00\x00\x00", []),
    (b"\x1b[<0;3\x03", ["C-c"]),
    (b"\x1b[<0;3\x1b[<0;3;4M\x1b[C", [Pointer(3, 2, "left", True), "right"]),
    (b"\x1b[32;3;4M\x1b[5M", []),  # the form of mode 1015
]


@pytest.mark.parametrize("data", [b"\x1b[<0;3;4M", b"\x1b[?2026;2$y", b"\x1b[<" + b"1" * 99 + b"M"])
def test_a_report_is_never_keys_however_late_it_goes_on(data: bytes) -> None:
    for cut in range(3, len(data) - (data[-1:] != b"M")):
        events = typed(data[:cut], 5.0, data[cut:], b"h")
        assert [event for event in events if event != SYNCHRONIZES and isinstance(event, str)] == ["h"]


def test_letters_of_another_encoding() -> None:
    assert KeyDecoder("iso8859-1").feed("\u00e9a\x1b[C".encode("latin-1")) == ["\u00e9", "a", "right"]


class CountedBytes(bytes):
    """Bytes that count how many of them are copied, in pieces and in what they are added to."""

    copied = 0

    def __getitem__(self, key: slice | int) -> bytes | int:  # type: ignore[override]
        found = super().__getitem__(key)
        return self._counted(found) if isinstance(found, bytes) else found

    def __radd__(self, before: object) -> bytes:
        return self._counted(before + bytes(self)) if type(before) is bytes else NotImplemented

    def decode(self, *how: str) -> str:
        CountedBytes.copied += len(self)
        return super().decode(*how)

    @staticmethod
    def _counted(data: bytes) -> bytes:
        CountedBytes.copied += len(data)
        return CountedBytes(data)


def bytes_copied(data: bytes) -> int:
    """How many bytes a decoder copies for some that come at once."""
    CountedBytes.copied = 0
    KeyDecoder().feed(CountedBytes(data))
    return CountedBytes.copied


FLOODS = [
    b"\x1b", b"\x1b[", b"\x1bO", b"\x1b[1;", b"\x1b[1", b"\x1b[[", b"1;", b"\xc3", b"\xe2\x82", b"h", b"\x00",
    b"\x1b[A", b"\x1b[<", b"\x1b[<0;", b"\x1b[<0;3;4M", b"\x1b[M", b"\x1b[M !!", b"\x1b[20", b"\x1b[200~", b"\x1b[201~",
    b"\x1b[200~r\x1b[201~", b"\x1b[0n", b"\x1b\xc3", b"\x1b[200~\x1b[201",
]  # fmt: skip


def test_four_times_as_many_bytes_are_four_times_the_work() -> None:
    for flood in FLOODS:
        assert bytes_copied(flood * 4_000) <= 4.1 * bytes_copied(flood * 1_000), flood


@pytest.mark.parametrize("begin", [b"\x1b[<", b"\x1b[", b"\x1b[200~"])
def test_no_packet_of_a_flood_is_more_work_than_the_one_before(begin: bytes) -> None:
    for flood in FLOODS:
        decoder = KeyDecoder()
        decoder.feed(begin)
        CountedBytes.copied = 0
        for _ in range(100):
            decoder.feed(CountedBytes(flood * 40))
        assert CountedBytes.copied < 100 * (5 * 40 * len(flood) + 200), flood


@given(st.lists(st.binary(max_size=8), max_size=20))
def test_any_bytes_in_any_pieces_end(pieces: list[bytes]) -> None:
    decoder = KeyDecoder()
    keys = [key for piece in pieces for key in decoder.feed(piece)] + decoder.flush()
    decoder.flush()  # after Esc alone the late rest of a sequence may come
    assert all(keys)
    assert decoder.patience is None


PASTES: list[tuple[bytes, list[Event]]] = [
    (b"\x1b[200~rrU\r\x1b[201~", [Paste(b"rrU\r")]),
    (b"h\x1b[200~\x1b[201~l", ["h", Paste(b""), "l"]),
    (b"\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~q", [Paste(b"a"), Paste(b"b"), "q"]),
    # What looks like keys, reports or the marks themselves is pasted as it is.
    (b"\x1b[200~q\x03\x1b[C\x1b[<0;3;4M\x1b[200~\x1b[20\x1b\x1b[201~\x1b[A", [
        Paste(b"q\x03\x1b[C\x1b[<0;3;4M\x1b[200~\x1b[20\x1b"), "up"]),
    (b"\x1b[200~\xff\xc3\x1b[201~", [Paste(b"\xff\xc3")]),
    (b"\x1b[201~h", ["h"]),
    (b"\x1b[200~rr\x1b[0nU\x1b[201~h", [Paste(b"rrU"), ANSWER, "h"]),  # the terminal answered in the middle of it
]  # fmt: skip


def test_bytes_are_the_same_events_in_whatever_packets_they_come() -> None:
    """But for Esc alone, which is a key where nothing follows at once."""
    for data, events in (*KEYS, *PROTOCOLS, *REPORTS, *PASTES):
        assert KeyDecoder().feed(data) == events
        for cut in range(min(len(data), 100)):
            decoder = KeyDecoder()
            assert decoder.feed(data[:cut]) + decoder.feed(data[cut:]) == events
        decoder = KeyDecoder()
        assert [event for byte in data for event in decoder.feed(bytes([byte]))] == events
        assert decoder.patience is None


def test_a_paste_without_an_end_is_given_up_and_keys_are_keys_again() -> None:
    decoder = KeyDecoder()
    assert decoder.feed(b"\x1b[200~rrr\x1b") == []
    waiting = [decoder.patience, *decoder.flush(), decoder.patience]
    assert waiting == [3.0, Paste(b"rrr", "it was cut off"), None]
    assert decoder.feed(b"h") == ["h"]
    assert decoder.feed(b"\x1b[200~rrr\x1b[20") + decoder.flush() == [Paste(b"rrr", "it was cut off")]
    assert decoder.feed(b"1~h") == ["h"]


def test_of_a_paste_that_is_too_long_nothing_is_kept() -> None:
    decoder = KeyDecoder()
    assert decoder.feed(b"\x1b[200~" + b"r" * MOST_PASTED + b"\x1b[201~") == [Paste(b"r" * MOST_PASTED)]
    assert decoder.feed(b"\x1b[200~") == []
    tracemalloc.start()
    for _ in range(3 * MOST_PASTED // 4096):
        assert decoder.feed(b"\x1b[2" * 1024) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * MOST_PASTED
    (paste,) = decoder.feed(b"\x1b[201~")
    assert paste == Paste(b"", "it has over 1,000,000 bytes")
    assert decoder.feed(b"\x1b[200~r\x1b[201~h") == [Paste(b"r"), "h"]
