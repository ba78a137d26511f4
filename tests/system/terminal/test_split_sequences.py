"""Sequences of a terminal whose bytes come far apart, over a slow or stalled connection."""

import time
from pathlib import Path

import pytest

from tests.system.terminal.screen import sokoterm

PACK = "##########\n#@ $   . #\n#        #\n##########\n"
SEQUENCES = [
    b"\x1bP>|XTerm(367)\x1b\\",
    b"\x1b]11;rgb:2e2e/3434/3636\x07",
    b"\x1b[?62;22c",
    b"\x1b[<0;1;1M",
    b"\x1b[<0;1;1m",
]


@pytest.mark.parametrize("gap", [0.12, 0.3])
def test_nothing_of_them_is_a_key(tmp_path: Path, gap: float) -> None:
    pack = tmp_path / "pack.txt"
    pack.write_text(PACK)
    with sokoterm(tmp_path, str(pack)) as screen:
        screen.wait_for("moves 0")
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


def test_keys_of_the_keypad_and_of_the_keyboard_protocol_of_kitty(tmp_path: Path) -> None:
    pack = tmp_path / "pack.txt"
    pack.write_text(PACK)
    with sokoterm(tmp_path, str(pack)) as screen:
        screen.wait_for("moves 0")
        screen.type("2\x1bOv\x1b[57403u\x1b[57407u", "moves 4 ")
        screen.type("u\x1b[117u\x1b[114;5u", "moves 3 ")
        screen.type("g\x1b[57401u", "level number")
        screen.type("\x1b[27u\x1b[99;5u")
        assert screen.wait() == 0
