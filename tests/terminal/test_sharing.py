"""Copying on a real pseudo-terminal."""

from base64 import b64encode
from pathlib import Path

import pytest

from tests.terminal.screen import sokoterm

BOARD = "##########\n#@ $   . #\n#        #\n##########\n"
OSC_52 = b"\x1b]52;"


@pytest.fixture(name="pack")
def _pack(tmp_path: Path) -> str:
    path = tmp_path / "try.txt"
    path.write_text(BOARD)
    return str(path)


def test_the_moves_go_to_the_clipboard_and_the_mouse_to_the_terminal_for_a_while(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack) as screen:
        screen.wait_for("moves 0")
        screen.type("L", "moves 1")
        screen.type("l", "moves 2")
        since = len(screen.output)
        screen.type("Y", "Moves of try 1: 2 moves, 1 push")
        assert screen.text.splitlines()[2] == "rR"
        assert OSC_52 + b"c;" + b64encode(b"rR") + b"\a" in screen.output[since:]
        screen.wait_for_output(b"\x1b[?1000l", since)
        screen.type("\x1b", "moves 2")
        screen.wait_for_output(b"\x1b[?1000h", since)


@pytest.mark.parametrize(
    ("term", "settings", "said"),
    [("vt100", "", "not known to have a clipboard"), ("xterm", "clipboard = false", "settings leave the clipboard")],
)
def test_nothing_is_sent_where_it_is_not_wanted(tmp_path: Path, pack: str, term: str, settings: str, said: str) -> None:
    config = tmp_path / "XDG_CONFIG_HOME" / "sokoterm" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(settings)
    with sokoterm(tmp_path, pack, environ={"TERM": term}) as screen:
        screen.wait_for("moves 0")
        screen.type("l", "moves 1")
        screen.type("Y", said)
        assert OSC_52 not in screen.output
