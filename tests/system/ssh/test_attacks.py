"""What somebody may try who is let in for the game alone: no shell, no file, no control character."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.slow import others_slow
from tests.system.ssh.conftest import Host
from tests.system.ssh.test_play import wait_until_gone

ODD = (
    "LESSOPEN", "PAGER", "EDITOR", "VISUAL", "SHELL", "TERMINFO", "TERMINFO_DIRS", "SOKOTERM_DATA", "XDG_DATA_HOME",
    "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME", "LANGUAGE", "TMPDIR",
)  # fmt: skip


def test_keys_that_stop_programs_leave_the_game_running(host: Host, tmp_path: Path) -> None:
    server = host("--host", "--data-dir", str(tmp_path / "data"), "-l", "1")
    with server.log_in() as screen:
        screen.wait_for("moves 0")
        screen.type("\x1al", "moves 1 ")
        screen.type("\x1c\x1c!:;|`$(id)\x1ax\x1c")
        screen.type("?", "Keys: play")
        assert "Ctrl-Z" not in screen.text
        screen.type(" ", "save and quit")
        assert "Ctrl-Z" not in screen.text
        screen.type("\x1b", "moves 1 ")
        assert server.players()
        for pid in server.players():
            for number in (signal.SIGQUIT, signal.SIGTSTP):
                os.kill(pid, number)
        screen.type("h", "moves 2 ")
        screen.leave("\x03")
        assert "uid=" not in screen.text
    wait_until_gone(server)


def test_an_odd_environment_changes_nothing(host: Host, tmp_path: Path) -> None:
    server = host("--host", "--data-dir", str(tmp_path / "data"), "-l", "1")
    trap = tmp_path / "trap"
    trap.mkdir()
    sent = [*(f"{name}={trap}" for name in ODD), "PYTHONINSPECT=1", "LINES=3", "COLUMNS=5", "TZ=:/etc/passwd"]
    with server.log_in(environ=sent) as screen:
        screen.wait_for("moves 0")
        screen.type("l", "moves 1 ")
        screen.leave()
        assert ">>>" not in screen.text
    assert list(trap.iterdir()) == []
    wait_until_gone(server)


@pytest.mark.parametrize("term", others_slow(["../../etc/passwd", "/tmp/x", "$(id)", "x" * 3000]))
def test_a_terminal_with_an_odd_name_is_no_way_to_a_file(host: Host, tmp_path: Path, term: str) -> None:
    server = host("--host", "--data-dir", str(tmp_path / "data"), "-l", "1")
    with server.log_in(environ=[f"TERM={term}"]) as screen:
        assert screen.exit_status() == 2
        assert "sokoterm: TERM does not name a terminal; try TERM=xterm ssh" in screen.text
        assert "root:" not in screen.text


@pytest.mark.parametrize(
    "command", others_slow(["/bin/sh -i", "--data-dir /tmp/x", "id", "../../../etc/passwd", "; id"], 2)
)
def test_a_command_from_the_client_is_not_run(host: Host, tmp_path: Path, command: str) -> None:
    server = host("--host", "--data-dir", str(tmp_path / "data"), "-l", "1")
    with server.log_in(command) as screen:
        screen.wait_for("moves 0")
        screen.leave()
        assert "uid=" not in screen.text
        assert "root:" not in screen.text


def test_without_a_terminal_there_is_one_line_and_nothing_else(host: Host, tmp_path: Path) -> None:
    server = host("--host", "--data-dir", str(tmp_path / "data"))
    command = ["ssh", "-T", *server.options(), server.address, "cat /etc/passwd"]
    result = subprocess.run(command, input=b"id\n", capture_output=True, timeout=60, check=False)
    assert result.returncode == 2
    assert result.stdout == b""
    assert result.stderr == b"sokoterm: log in with a terminal: this account only plays Sokoban\n"


@pytest.mark.parametrize("program", ["scp", "sftp"])
def test_no_file_is_copied(host: Host, tmp_path: Path, program: str) -> None:
    server = host("--host", "--data-dir", str(tmp_path / "data"))
    stolen = tmp_path / "stolen"
    source = f"{server.address}:/etc/passwd"
    command = [program, *server.options("-P"), source, str(stolen)]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    assert result.returncode != 0
    assert not stolen.exists()
