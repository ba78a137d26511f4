"""The cursor and the title of the window, on a real pseudo-terminal."""

from pathlib import Path

import pytest

from tests.system.terminal.conftest import PACK
from tests.system.terminal.screen import PYTHON, Screen, sokoterm

PUSH, POP = b"\x1b[22;2t", b"\x1b[23;2t"
HIDE, SHOW = b"\x1b[?25l", b"\x1b[?25h"


@pytest.mark.parametrize(("theme", "hides"), [("ascii", False), ("tiles", True)])
def test_the_cursor_is_hidden_on_painted_boards_and_given_back(
    tmp_path: Path, pack: str, theme: str, hides: bool
) -> None:
    shell = f"set -m; {PYTHON} -m sokoterm --theme {theme} {pack}; echo stopped; fg >/dev/null; echo ended"
    with Screen(["bash", "--norc", "-c", shell], tmp_path) as screen:
        screen.wait_for_output(PUSH)
        screen.settle()
        assert _is_hidden(screen.output) is hides
        screen.type("\x1a")
        screen.wait_for_output(b"stopped")
        stopped = screen.output.index(b"stopped")
        assert not _is_hidden(screen.output[:stopped])
        assert screen.output[:stopped].count(POP) == 1
        screen.wait_for_output(PUSH, since=stopped)
        screen.settle()
        assert _is_hidden(screen.output) is hides
        screen.type("q")
        screen.wait_for_output(b"ended", since=stopped)
        assert not _is_hidden(screen.output)
        assert screen.output.count(PUSH) == screen.output.count(POP) == 2


def _is_hidden(output: bytes | bytearray) -> bool:
    return output.rfind(HIDE) > output.rfind(SHOW)


def test_the_title_holds_no_control_characters_and_is_sent_once(tmp_path: Path, pack: str) -> None:
    Path(pack).write_text(f"Collection: a\x07b\x1b]2;c\x9cd\n\n{PACK}")
    with sokoterm(tmp_path, pack) as screen:
        screen.type("l", "moves 1")
        _, title, *more = screen.output.split(b"\x1b]2;")
        assert more == []
        name, end, _ = title.partition(b"\x1b\\")
        assert end
        assert all(byte >= 32 for byte in name)
        assert b"\xc2\x9c" not in name
        assert name.startswith(b"sokoterm: ")
        assert name.endswith(b" 1")


@pytest.mark.parametrize(("term", "flags"), [("linux", ""), ("vt100", ""), ("xterm", "title = false\n")])
def test_other_terminals_and_settings_have_no_title(tmp_path: Path, pack: str, term: str, flags: str) -> None:
    settings = tmp_path / "XDG_CONFIG_HOME" / "sokoterm" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'theme = "ascii"\n{flags}')
    with sokoterm(tmp_path, pack, environ={"TERM": term}) as screen:
        screen.leave()
        assert not any(each in screen.output for each in (b"\x1b]2;", PUSH, POP, HIDE))
