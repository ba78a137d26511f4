"""The player behind sshd, as somebody far away plays it, and as one who is let in for the game alone attacks it."""

import os
import re
import signal
import subprocess
from pathlib import Path
from time import monotonic, sleep

import pytest

from sokoterm.engine.lurd import end_of
from sokoterm.store.packs import bundled_packs, open_pack
from tests.slow import others_slow
from tests.system.ssh.conftest import Host
from tests.system.ssh.server import NoServerError, Server, find, make_separation
from tests.system.terminal.pictures import PictureScreen
from tests.system.terminal.screen import PATIENCE, solving_keys
from tests.system.terminal.test_pictures import shown_board


def wait_until_gone(server: Server) -> None:
    """Wait for the end of the player on the server's side; fails where it goes on."""
    end = monotonic() + PATIENCE
    while players := server.players():
        assert monotonic() < end, f"still running: {players}"
        sleep(0.02)


def test_a_level_is_played_to_its_end_and_another_survives_a_dropped_connection(host: Host, tmp_path: Path) -> None:
    server = host("--host", "--data-dir", str(tmp_path / "data"))
    with server.log_in() as screen:
        screen.wait_for("First Steps")
        screen.type("\r", "First Steps 1/")
        screen.type(solving_keys(1), "level solved")
        screen.type("g7\r", "First Steps 7/")
        keys = solving_keys(7)
        half = keys[: len(keys) // 2]
        screen.type(half, f"moves {len(half)} ")
        assert server.players()
        screen.end(signal.SIGKILL)
    wait_until_gone(server)
    with server.log_in() as screen:
        screen.wait_for("First Steps")
        screen.type("\r", "First Steps 7/")
        screen.wait_for(f"moves {len(half)} ")
        screen.type(keys[len(half) :], "level solved")
        screen.type("bh", "2/32")
        screen.leave()
    wait_until_gone(server)


def test_pictures_come_over_the_line(host: Host, tmp_path: Path) -> None:
    """A push is two placements moved, and the figures: 100 bytes or so."""
    level = open_pack(bundled_packs()[0]).levels[0]
    server = host("--host", "--data-dir", str(tmp_path / "data"), "-l", "1")
    with PictureScreen(server.client(), tmp_path) as screen:
        screen.wait_for("First Steps 1/")
        screen.settle()
        shown_board(screen, level.board)
        sent = len(screen.output)
        screen.type("l", "moves 1 ")
        screen.settle()
        assert shown_board(screen, level.board) == end_of(level.board, level.start, "R")
        assert len(screen.output) - sent <= 120
        screen.leave()
        screen.look()
        assert not screen.placements
    wait_until_gone(server)


def test_the_game_speaks_the_language_of_the_client(host: Host, tmp_path: Path) -> None:
    """The client names a language; the letters of its keyboard act by their place."""
    server = host("--host", "--data-dir", str(tmp_path / "data"), "-l", "1")
    with server.log_in(environ=["LANG=ru_RU.UTF-8", "LC_ALL="]) as screen:
        screen.wait_for("Первые шаги 1/")
        screen.type("д", "ходы 1 ")  # on the key of l
        screen.type("г", "ходы 0 ")  # on the key of u  # noqa: RUF001
        screen.leave("й")
    wait_until_gone(server)


def test_keys_that_stop_programs_leave_the_line_mode_running(host: Host, tmp_path: Path) -> None:
    server = host("--host", "--plain", "--data-dir", str(tmp_path / "data"), "-l", "1")
    with server.log_in() as screen:
        screen.wait_for("you are at")
        screen.type("\x1a\x1c\n")
        screen.type("l\n", "box a pushed right")
        for command in ("suspend", "| id", "$(id)", "open /etc/passwd", "/etc/passwd", "shell"):
            screen.type(f"{command}\n")
        screen.type("!sh\n", "unknown command: !sh")
        screen.type("pack ../../etc/passwd\n", "give the number of a pack")
        screen.leave("q\n")
        assert b"uid=" not in screen.output
        assert b"root:" not in screen.output
    wait_until_gone(server)


def test_lines_need_no_terminal(host: Host, tmp_path: Path) -> None:
    server = host("--host", "--plain", "--data-dir", str(tmp_path / "data"), "-l", "1")
    command = [find("ssh"), "-T", *server.options(), server.address]
    said = subprocess.run(command, input="2l\n", capture_output=True, text=True, check=True).stdout
    assert said.endswith("box a pushed 2 right to row 3 column 7, 0 of 1 home\n")
    said = subprocess.run(command, input="moves\n", capture_output=True, text=True, check=True).stdout
    assert said.endswith("RR\n")
    wait_until_gone(server)


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
        screen.type("  ", "save and quit")
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
        assert "sokoterm: TERM is not set; try TERM=xterm ssh" in screen.text
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


HOSTING = (Path(__file__).parents[3] / "docs" / "hosting.md").read_text(encoding="utf-8")


def test_sshd_reads_the_lines_of_the_page(tmp_path: Path) -> None:
    try:
        sshd, keygen = find("sshd"), find("ssh-keygen")
    except NoServerError as error:
        pytest.skip(str(error))
    key = tmp_path / "key"
    subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    match = re.search(r"<!-- sshd_config -->\n```\n(Match .*?)```", HOSTING, re.DOTALL)
    assert match is not None
    lines = match[1]
    settings = tmp_path / "sshd_config"
    settings.write_text(f"HostKey {key}\nUsePAM no\nAcceptEnv LD_PRELOAD\n{lines.replace('Group sokoban', 'User ann')}")
    command = [sshd, "-T", "-f", str(settings), "-C", "user=ann,host=localhost,addr=127.0.0.1"]
    make_separation()
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stderr == ""
    said = result.stdout.lower().splitlines()
    for line in lines.splitlines()[1:]:
        name, _, value = line.strip().lower().partition(" ")
        for each in value.split() if name == "acceptenv" else [value]:
            assert f"{name} {each}" in said
    assert "acceptenv ld_preload" not in said
    assert "permituserenvironment no" in said
