"""More input than anybody types, and sequences whose bytes come far apart."""

import os
import signal
import time
from pathlib import Path
from select import select

import pytest

from tests.slow import others_slow
from tests.system.terminal.screen import PYTHON, Screen, sokoterm
from tests.system.terminal.test_plug import ENDS, End, hang_up

FLOODS = [
    b"\x1b", b"\x1b[200~rr\x1b[201~", b"j", b"\x1b[", b"\x1bO", b"\x1b[1;", b"\x1b[1;5C", b"\x1b[200~", b"\xe2\x82",
    b"\x1b[<0;3;4M", b"\x1b[<0;", b"\x1b[M", b"\x0c", b"u\x1b",
]  # fmt: skip

READER = """
from sokoterm.terminal.output_line import Line
from sokoterm.terminal.posix_keys import PosixKeys

keys = PosixKeys(Line())
keys.start()
print("begin", flush=True)
most = 0
while "hangup" not in (events := keys.read(None)):
    most = max(most, len(events))
print("most", most, "last", *events, flush=True)
keys.stop()
"""


@pytest.mark.parametrize("flood", others_slow(FLOODS, 3))
def test_no_more_keys_come_at_once_than_a_packet_holds_and_none_with_a_hang_up(tmp_path: Path, flood: bytes) -> None:
    with Screen([PYTHON, "-c", READER], tmp_path) as screen:
        screen.wait_for("begin")
        screen.write(flood * (100_000 // len(flood)))
        screen.signal(signal.SIGHUP)
        screen.wait_for_output(b"last hangup")
        assert int(screen.output.partition(b"most")[2].split()[0]) <= 4096


@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.slow
def test_a_flood_delays_no_end(tmp_path: Path, pack: str, flood: bytes) -> None:
    a_flood_delays_no_end(tmp_path, pack, flood, 1_000_000, hang_up)


@pytest.mark.parametrize("end", others_slow(ENDS))
def test_a_flood_of_esc_delays_no_end(tmp_path: Path, pack: str, end: End) -> None:
    a_flood_delays_no_end(tmp_path, pack, b"\x1b", 100_000, end)


def a_flood_delays_no_end(folder: Path, pack: str, flood: bytes, size: int, end: End) -> None:
    with sokoterm(folder, pack) as screen:
        screen.type("jl", "moves 2")
        pour(screen, flood * (size // len(flood)))
        assert end(screen) == 0


def pour(screen: Screen, data: bytes) -> None:
    """Type as fast as the program reads, and read what it writes."""
    terminal = screen.fileno()
    os.set_blocking(terminal, False)
    while data:
        readable, writable, _ = select([terminal], [terminal], [])
        if readable:
            screen.read(0)
        if writable:
            try:
                data = data[os.write(terminal, data[:4096]) :]
            except BlockingIOError:
                time.sleep(0.001)
    os.set_blocking(terminal, True)


SEQUENCES = [
    b"\x1bP>|XTerm(367)\x1b\\",
    b"\x1b]11;rgb:2e2e/3434/3636\x07",
    b"\x1b[?62;22c",
    b"\x1b[<0;1;1M",
    b"\x1b[<0;1;1m",
]


@pytest.mark.parametrize("gap", [0.12, 0.3])
def test_nothing_of_them_is_a_key(tmp_path: Path, pack: str, gap: float) -> None:
    with sokoterm(tmp_path, pack) as screen:
        screen.type("jl", "moves 2")
        for index, sequence in enumerate(SEQUENCES):
            for cut in (1, 2, 3, len(sequence) // 2, len(sequence) - 1):
                if index in (0, cut % len(SEQUENCES)):
                    screen.write(sequence[:cut])
                    time.sleep(gap)
                    screen.write(sequence[cut:])
        screen.type("l", "moves 3")
        assert "mouse" not in screen.text
        assert screen.cursor == (11, 36)


def test_keys_of_the_keypad_and_of_the_keyboard_protocol_of_kitty(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack) as screen:
        screen.type("2\x1bOv\x1b[57403u\x1b[57407u", "moves 4 ")
        screen.type("u\x1b[117u\x1b[114;5u", "moves 3 ")
        screen.type("g\x1b[57401u", "level number")
        screen.leave("\x1b[27u\x1b[99;5u")
