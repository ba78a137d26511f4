"""The player on a real pseudo-terminal, as a person uses it."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.slow import others_slow
from tests.system.terminal.conftest import LOST, PACK
from tests.system.terminal.screen import PYTHON, Screen, sokoterm, write_settings
from tests.unit.commands.test_open_player import AS_LOGIN_SHELL
from tests.unit.store.archived import zipped

AGAIN = "\n#######\n#@$  .#\n#     #\n#######\nTitle: Again\n"


def test_a_level_is_played_by_keys_killed_and_finished(tmp_path: Path, pack: str) -> None:
    Path(pack).write_text(PACK + AGAIN)
    with sokoterm(tmp_path, pack) as screen:
        screen.type("\x1b[C\x1bOC", "moves 2")
        screen.wait_for("pushes 1")
        assert os.WIFSIGNALED(screen.end(signal.SIGKILL))
    with sokoterm(tmp_path, pack, begins="moves 2") as screen:
        screen.wait_for("pushes 1")
        screen.type("u", "moves 1")
        screen.type("y", "moves 2")
        screen.type("lll", "level solved")
        screen.type("\r", "Again")
        screen.leave()


def test_unicode_theme_in_the_c_locale_does_not_crash(tmp_path: Path, pack: str) -> None:
    with sokoterm(
        tmp_path, "--theme", "unicode", pack, environ={"LC_ALL": "C"}, begins="theme unicode needs a UTF-8 locale"
    ) as screen:
        assert "????" not in screen.text
        screen.type("llTTT", "moves 2")
        assert "????" not in screen.text
        screen.leave()


def test_many_mistakes_in_the_settings_are_counted_and_all_told_in_the_end(tmp_path: Path, pack: str) -> None:
    write_settings(tmp_path, 'cell = 3\ntheme = "no"\n[keys.planner]\nnext = "a"\n')
    with sokoterm(tmp_path, pack, begins="3 problems in config.toml: `sokoterm keys` lists them") as screen:
        screen.type("l", "moves 1")
        assert "expected 1 or 2" not in screen.text
        screen.leave()
        for problem in (b":1: found cell = 3", b":2: found theme = 'no'", b":4: a cannot be next: letters are"):
            assert screen.output.count(b"sokoterm: config.toml" + problem) == 1


def test_keys_of_the_settings_and_what_is_wrong_in_them(tmp_path: Path, pack: str) -> None:
    write_settings(tmp_path, '[keys]\nprofile = "wasd"\n[keys.play]\nundo = "x"\nfly = "f"\n')
    with sokoterm(tmp_path, pack, begins="config.toml:5: found 'fly', expected an action of") as screen:
        screen.type("dd", "moves 2")
        screen.wait_for("x undo")
        screen.type("x", "moves 1")
        screen.leave()
        screen.wait_for("found 'fly', expected an action of play: left down up r")


def modes_on(output: bytes | bytearray) -> list[bytes]:
    """What is on after some output: the mouse and its form, marks around pastes, the second screen."""
    modes = (b"1000", b"1006", b"2004", b"1049")
    return [mode for mode in modes if output.rfind(b"\x1b[?%sh" % mode) > output.rfind(b"\x1b[?%sl" % mode)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGQUIT])
def test_a_signal_saves_and_restores(tmp_path: Path, pack: str, number: signal.Signals) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("this signal is ignored in background jobs")
    with sokoterm(tmp_path, pack) as screen:
        screen.type("j", "moves 1")
        assert screen.mode != screen.mode_before
        assert len(modes_on(screen.output)) == 4
        screen.type("\x1b[200~rr")  # in the middle of a paste too
        screen.end(number)
        assert screen.mode == screen.mode_before
        assert modes_on(screen.output) == []
    with sokoterm(tmp_path, pack, begins="moves 1"):
        pass


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


def test_nothing_is_written_while_idle(tmp_path: Path, pack: str) -> None:
    Path(pack).write_text(PACK.replace("Push right", "Caf\u00e9"), encoding="utf-8")
    # A locale that is not installed is no UTF-8.
    with sokoterm(tmp_path, pack, environ={"LC_ALL": "xx_YY.UTF-8"}, begins="Caf?") as screen:
        screen.settle(0.5)
        assert screen.idle(1.0) == 0


def test_the_board_is_played_on_while_the_solver_runs(tmp_path: Path, hard: str) -> None:
    with sokoterm(tmp_path, hard) as screen:
        screen.type("l", "moves 1")
        time.sleep(0.8)  # the position is thought about
        screen.type("lu", "moves 1")
        screen.type("uS", "solving")
        screen.type("l", "moves 1")
        screen.wait_for("nodes")
        screen.type("S", "Solver: hard 1/1")
        screen.wait_for("pulls boxes from the goals")
        screen.type("\x1b", "moves 1")
        screen.type("l", "moves 2")
        screen.type("\x1b", "search stopped")
        screen.leave()


def test_where_pictures_are_printed_a_search_waits_for_keys_to_be_shown(tmp_path: Path, hard: str) -> None:
    with sokoterm(tmp_path, hard, environ={"TERM": "dumb"}) as screen:
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
        screen.wait_for("moves 0")
        screen.type("l", "internal error")
        assert screen.exit_status() == 70
        assert screen.mode == screen.mode_before
        assert modes_on(screen.output) == []
        assert "Traceback" not in screen.text
    (log,) = (tmp_path / "XDG_STATE_HOME" / "sokoterm").iterdir()
    assert "RuntimeError: forced" in log.read_text()


@pytest.mark.parametrize("size", others_slow([100, 0, 300]))
def test_where_files_may_not_grow_to_a_picture_it_says_so(tmp_path: Path, pack: str, size: int) -> None:
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "
    command = [PYTHON, "-c", limited + "import sys; from sokoterm.cli import main; sys.exit(main(sys.argv[1:]))", pack]
    with Screen(command, tmp_path) as screen:
        assert screen.exit_status() == 2
        assert screen.mode == screen.mode_before
        assert b"no room to draw the screen: File too large, see ulimit -f; sokoterm --plain" in screen.output
        assert b"\x1b[?1049h" not in screen.output or b"\x1b[?1049l" in screen.output


def test_a_position_is_proven_lost_while_the_player_looks_at_it(tmp_path: Path) -> None:
    path = tmp_path / "pack.txt"
    path.write_text(LOST)
    with sokoterm(tmp_path, str(path)) as screen:
        screen.type("l", "moves 1")
        screen.wait_for("proven unsolvable from here, U goes back")
        screen.type("U", "moves 0")
        screen.type("n", "dead: boxes that are shut in")
        screen.leave()


def test_an_archive_through_standard_input_is_played_with_keys_from_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "packs.zip"
    path.write_bytes(zipped({"first.txt": PACK, "second.txt": PACK}))
    with Screen(["sh", "-c", f"cat {path} | {PYTHON} -m sokoterm -"], tmp_path) as screen:
        screen.wait_for("─ Packs ─")
        screen.type("j\r", "second 1/1")
        screen.leave()


def test_a_login_shell_keeps_progress_in_the_home(tmp_path: Path) -> None:
    script = tmp_path / "sokoterm"
    script.write_text(AS_LOGIN_SHELL)
    elsewhere = dict.fromkeys(("HOME", "SOKOTERM_DATA", "XDG_DATA_HOME", "SHELL"), f"{tmp_path}/trap")
    with Screen([PYTHON, str(script)], tmp_path, environ=elsewhere) as screen:
        screen.wait_for("First Steps")
        screen.type("\r", "moves 0")
        screen.type("\x1al", "moves 1 ")
        screen.leave()
    assert (tmp_path / ".local/share/sokoterm/progress.db").is_file()
    assert not (tmp_path / "trap").exists()


@pytest.mark.parametrize("columns", [40, 140])
def test_ctrl_c_takes_the_line_of_a_search_away(tmp_path: Path, hard: str, columns: int) -> None:
    command = [PYTHON, "-m", "sokoterm", "solve", hard, "--strategy", "bfs"]
    with Screen(command, tmp_path, size=(24, columns)) as screen:
        screen.wait_for("nodes")
        screen.type("\x03")
        assert screen.exit_status() == 130
        assert screen.text.strip() == ""
