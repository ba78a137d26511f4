"""The player on a real pseudo-terminal, as a person uses it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sokoterm.bench.sessions import crowded_board
from tests.slow import others_slow
from tests.system.terminal.screen import PYTHON, ROOT, Screen, sokoterm

PACK = """\
##########
#@ $   . #
#        #
##########
Title: Push right
Comment: Four pushes.

#######
#@$  .#
#     #
#######
Title: Again
"""


@pytest.fixture
def pack(tmp_path: Path) -> str:
    path = tmp_path / "pack.txt"
    path.write_text(PACK)
    return str(path)


def test_a_level_is_on_screen_after_one_key(tmp_path: Path) -> None:
    with sokoterm(tmp_path) as screen:
        screen.wait_for("First Steps")
        screen.type("\r", "moves 0")
        screen.wait_for("First Steps 1/")
        screen.type("q")
        assert screen.wait() == 0


def test_a_level_is_played_by_keys_killed_and_finished(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack) as screen:
        screen.wait_for("moves 0")
        screen.type("\x1b[C\x1bOC", "moves 2")
        screen.wait_for("pushes 1")
        assert os.WIFSIGNALED(screen.end(signal.SIGKILL))
    with sokoterm(tmp_path, pack) as screen:
        screen.wait_for("moves 2")
        screen.wait_for("pushes 1")
        screen.type("u", "moves 1")
        screen.type("y", "moves 2")
        screen.type("lll", "level solved")
        screen.type("\r", "Again")
        screen.type("q")
        assert screen.wait() == 0


def test_unicode_theme_in_the_c_locale_does_not_crash(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, "--theme", "unicode", pack, environ={"LC_ALL": "C"}) as screen:
        screen.wait_for("moves 0")
        screen.wait_for("theme unicode needs a UTF-8 locale")
        assert "????" not in screen.text
        screen.type("llTTT", "moves 2")
        assert "????" not in screen.text
        screen.type("q")
        assert screen.wait() == 0


def test_many_mistakes_in_the_settings_are_counted_and_all_told_in_the_end(tmp_path: Path, pack: str) -> None:
    folder = tmp_path / "XDG_CONFIG_HOME" / "sokoterm"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('cell = 3\ntheme = "no"\n[keys.planner]\nnext = "a"\n')
    with sokoterm(tmp_path, pack) as screen:
        screen.wait_for("3 problems in config.toml: `sokoterm keys` lists them")
        screen.type("l", "moves 1")
        assert "expected 1 or 2" not in screen.text
        screen.type("q")
        assert screen.wait() == 0
        for problem in (b":1: found cell = 3", b":2: found theme = 'no'", b":4: found a for next, but letters are"):
            assert screen.output.count(b"sokoterm: config.toml" + problem) == 1


def test_keys_of_the_settings_and_what_is_wrong_in_them(tmp_path: Path, pack: str) -> None:
    folder = tmp_path / "XDG_CONFIG_HOME" / "sokoterm"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('[keys]\nprofile = "wasd"\n[keys.play]\nundo = "x"\nfly = "f"\n')
    with sokoterm(tmp_path, pack) as screen:
        screen.wait_for("config.toml:5: found 'fly', expected an action of")
        screen.type("dd", "moves 2")
        screen.wait_for("x undo")
        screen.type("x", "moves 1")
        screen.type("q")
        assert screen.wait() == 0
        screen.wait_for("found 'fly', expected an action of play: left down up r")


def modes_on(output: bytes | bytearray) -> list[bytes]:
    """What is on after some output: the mouse and its form, marks around pastes, the second screen."""
    modes = (b"1000", b"1006", b"2004", b"1049")
    return [mode for mode in modes if output.rfind(b"\x1b[?%sh" % mode) > output.rfind(b"\x1b[?%sl" % mode)]


def test_a_signal_saves_and_restores(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack) as screen:
        before = screen.mode
        screen.wait_for("moves 0")
        screen.type("j", "moves 1")
        assert screen.mode != before
        assert len(modes_on(screen.output)) == 4
        screen.end(signal.SIGTERM)
        assert screen.mode == before
        assert modes_on(screen.output) == []
    with sokoterm(tmp_path, pack) as screen:
        screen.wait_for("moves 1")


def test_ctrl_c_stops_a_replay_and_then_quits(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack) as screen:
        screen.wait_for("moves 0")
        screen.type("S", "solution found")
        screen.type("R", "move 1/5")
        screen.type("\x03", "paused")
        screen.type("\x03")
        assert screen.wait() == 0


def test_ctrl_z_suspends_and_fg_repaints(tmp_path: Path, pack: str) -> None:
    # A shell with job control between the terminal and the player, as in life.
    shell = f"set -m; {PYTHON} -m sokoterm {pack}; echo stopped; fg >/dev/null; echo ended"
    with Screen(["bash", "--norc", "-c", shell], tmp_path) as screen:
        screen.wait_for("moves 0")
        screen.type("j", "moves 1")
        screen.type("\x1a")
        screen.wait_for_output(b"stopped")
        stopped = screen.output.index(b"stopped")
        assert modes_on(screen.output[:stopped]) == []
        screen.wait_for_output(b"moves 1", since=stopped)
        screen.type("k", "moves 2")
        assert len(modes_on(screen.output)) == 4
        screen.type("q", "ended")


def test_a_suspended_game_can_be_ended(tmp_path: Path, pack: str) -> None:
    shell = f"set -m; {PYTHON} -m sokoterm {pack}; echo stopped; kill %1; wait; echo ended"
    with Screen(["bash", "--norc", "-c", shell], tmp_path) as screen:
        screen.wait_for("moves 0")
        screen.type("\x1a")
        screen.wait_for_output(b"stopped")
        screen.wait_for_output(b"ended")


def test_a_locale_that_is_not_installed_is_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / "cafe.txt"
    path.write_text(PACK.replace("Push right", "Caf\u00e9"), encoding="utf-8")
    with sokoterm(tmp_path, str(path), environ={"LC_ALL": "xx_YY.UTF-8"}) as screen:
        screen.wait_for("Caf?")


def test_esc_alone_acts_soon_and_a_slow_arrow_is_an_arrow(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack) as screen:
        screen.wait_for("moves 0")
        for _ in range(5):  # on a busy machine the bytes may come later than they were sent
            for byte in (b"\x1b", b"[", b"C"):
                screen.write(byte)
                time.sleep(0.06)
            screen.read(0.3)
            if "moves 1" in screen.text:
                break
        screen.wait_for("moves 1")
        screen.type("g", "level number")
        screen.type("\x1b", "arrows move")


def test_nothing_is_written_while_idle(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack) as screen:
        screen.wait_for("moves 0")
        screen.settle(0.5)
        assert screen.idle(1.0) == 0


def test_a_pack_from_standard_input_is_played_with_keys_from_the_terminal(tmp_path: Path, pack: str) -> None:
    with Screen(["bash", "-c", f"{PYTHON} -m sokoterm - <{pack}"], tmp_path) as screen:
        screen.wait_for("moves 0")
        screen.type("l", "moves 1")
        screen.type("q")
        assert screen.wait() == 0


def test_a_folder_opens_the_browser(tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.txt").write_text(PACK)
    with sokoterm(tmp_path, str(folder)) as screen:
        screen.wait_for("one")
        screen.wait_for("0/2")
        screen.type("\x1b[B\r", "two 1/2")


def test_the_board_is_played_on_while_the_solver_runs(tmp_path: Path) -> None:
    hard = tmp_path / "hard.txt"
    hard.write_text(crowded_board() + "\n")
    with sokoterm(tmp_path, str(hard)) as screen:
        screen.wait_for("moves 0")
        screen.type("S", "solving")
        screen.type("l", "moves 1")
        screen.wait_for("nodes")
        screen.type("S", "Solver: hard 1/1")
        screen.wait_for("nodes  ")
        screen.type("\x1b", "moves 1")
        screen.type("l", "moves 2")
        screen.type("\x1b", "search stopped")
        screen.type("q")
        assert screen.wait() == 0


def test_where_pictures_are_printed_a_search_waits_for_keys_to_be_shown(tmp_path: Path) -> None:
    hard = tmp_path / "hard.txt"
    hard.write_text(crowded_board() + "\n")
    with sokoterm(tmp_path, str(hard), environ={"TERM": "dumb"}) as screen:
        screen.wait_for("moves 0")
        screen.type("S", "solving")
        screen.type("S", "Solver: hard 1/1")
        screen.idle(1.0)  # the rest of the picture comes
        assert screen.idle(1.0) == 0
        screen.type("x", "search stopped")


CRASHING = """
import sys
from sokoterm.tui.screens.play import PlayScreen
def fail(self, action, key):
    raise RuntimeError("forced")
PlayScreen.update = fail
from sokoterm.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_crash_restores_the_terminal_and_says_where_the_details_are(tmp_path: Path, pack: str) -> None:
    with Screen([PYTHON, "-c", CRASHING, pack], tmp_path) as screen:
        before = screen.mode
        screen.wait_for("moves 0")
        screen.type("l", "internal error")
        assert os.waitstatus_to_exitcode(screen.wait()) == 70
        assert screen.mode == before
        assert modes_on(screen.output) == []
        assert "Traceback" not in screen.text
    (log,) = (tmp_path / "XDG_STATE_HOME" / "sokoterm").iterdir()
    assert "RuntimeError: forced" in log.read_text()


@pytest.mark.parametrize("size", others_slow([100, 0, 300]))
def test_where_files_may_not_grow_to_a_picture_it_says_so(tmp_path: Path, pack: str, size: int) -> None:
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "
    command = [PYTHON, "-c", limited + "import sys; from sokoterm.cli import main; sys.exit(main(sys.argv[1:]))", pack]
    with Screen(command, tmp_path) as screen:
        before = screen.mode
        assert os.waitstatus_to_exitcode(screen.wait()) == 2
        assert screen.mode == before
        assert b"no room to draw the screen: File too large, see ulimit -f; sokoterm --plain" in screen.output
        assert b"\x1b[?1049h" not in screen.output or b"\x1b[?1049l" in screen.output


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["-l", "9", "PACK"], "no level 9"),
        (["replay", "PACK", "-l", "1", "--lurd", "uuu"], "step 1"),
    ],
)
def test_a_complaint_is_one_line_and_status_2(tmp_path: Path, pack: str, arguments: list[str], complaint: str) -> None:
    with sokoterm(tmp_path, *[pack if each == "PACK" else each for each in arguments]) as screen:
        assert os.waitstatus_to_exitcode(screen.wait()) == 2
        lines = [line for line in screen.text.split("\n") if line]
        assert complaint in "".join(lines)
        assert "Traceback" not in screen.text


def test_without_a_terminal_it_says_so(tmp_path: Path, pack: str) -> None:
    command = [sys.executable, "-m", "sokoterm", pack, "--data-dir", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, stdin=subprocess.DEVNULL)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "terminal" in ended.stderr
