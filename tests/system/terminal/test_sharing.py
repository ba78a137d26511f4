"""Copying and pasting on a real pseudo-terminal."""

import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.system.terminal.conftest import PACK
from tests.system.terminal.screen import PYTHON, Screen, sokoterm, write_settings

BOARD = PACK.partition("Title")[0]
OSC_52 = b"\x1b]52;"
PASTE_ON, PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"


@contextmanager
def ended_by(*command: str) -> Iterator[None]:
    """Runs a command in the end, which ends a server that outlives its client."""
    try:
        yield
    finally:
        subprocess.run(command, capture_output=True, check=False)


def test_the_moves_go_to_the_clipboard_and_the_mouse_to_the_terminal_for_a_while(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack) as screen:
        screen.type("L", "moves 1")
        screen.type("l", "moves 2")
        since = len(screen.output)
        screen.type("Y", "Moves of pack 1: 2 moves, 1 push")
        assert screen.text.splitlines()[2] == "rR"
        assert OSC_52 + b"c;" + b64encode(b"rR") + b"\a" in screen.output[since:]
        screen.wait_for_output(b"\x1b[?1000l", since)
        screen.type("\x1b", "moves 2")
        screen.wait_for_output(b"\x1b[?1000h", since)


@pytest.mark.parametrize(
    ("term", "settings", "said"),
    [("vt100", "", "no clipboard support known"), ("xterm", "clipboard = false", "clipboard is off in the settings")],
)
def test_nothing_is_sent_where_it_is_not_wanted(tmp_path: Path, pack: str, term: str, settings: str, said: str) -> None:
    write_settings(tmp_path, settings)
    with sokoterm(tmp_path, pack, environ={"TERM": term}) as screen:
        screen.type("l", "moves 1")
        screen.type("Y", said)
        assert OSC_52 not in screen.output


def test_a_paste_between_its_marks_is_no_keys_and_the_mode_is_given_back(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack) as screen:
        assert PASTE_ON in screen.output
        for packet in ("\x1b[20", "0~x\rR q", "d\x1b[", "201~"):
            screen.type(packet)
            screen.read(0.1)
        screen.wait_for("neither moves nor a level")
        screen.type("\x1b[200~r\rRd\x1b[201~", "pasted 3 moves: u takes them back")
        screen.type("\x1b[200~" + f"{BOARD}\n{BOARD}".replace("\n", "\r") + "\x1b[201~", "pasted 1/2")
        assert PASTE_OFF not in screen.output
        screen.leave()
        assert screen.output.count(PASTE_OFF) == 1


def test_a_terminal_that_may_not_know_it_is_not_asked_and_a_paste_there_can_be_undone(
    tmp_path: Path, pack: str
) -> None:
    with sokoterm(tmp_path, pack, environ={"TERM": "vt100"}) as screen:
        screen.type(BOARD.replace("\n", "\r").replace(".", " "))  # which would ask for a hint
        screen.type("ll", "moves 2")
        screen.type("\x1b[H", "moves 0")
        screen.leave()
        assert b"2004" not in screen.output


def test_tmux_puts_the_moves_into_its_buffer_and_pastes_a_level_from_it(tmp_path: Path, pack: str) -> None:
    tmux = shutil.which("tmux")
    if tmux is None:
        pytest.skip("tmux is not installed")
    config = tmp_path / "tmux.conf"
    config.write_text("set -s set-clipboard on\nset -g status off\n")
    command = [tmux, "-S", str(tmp_path / "tmux"), "-f", str(config)]

    def ask(*arguments: str) -> str:
        return subprocess.run([*command, *arguments], check=True, capture_output=True, text=True).stdout

    program = [PYTHON, "-m", "sokoterm", pack]
    with ended_by(*command, "kill-server"), Screen([*command, "new-session", *program], tmp_path) as screen:
        screen.wait_for("moves 0")
        screen.type("l", "moves 1")
        screen.type("l", "moves 2")
        screen.type("Y", "Moves of pack 1")
        assert ask("show-buffer") == "rR"
        screen.type("q", "moves 2")
        ask("set-buffer", f"{BOARD}Title: From the buffer\n")
        ask("paste-buffer", "-p")
        screen.wait_for("pasted 1/1  From the buffer")
