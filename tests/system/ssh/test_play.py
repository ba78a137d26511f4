"""The player behind sshd, as somebody far away plays it: with a terminal, line by line, as a login shell."""

import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep

from sokoterm.engine.level import Level
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import command_limits, solve
from sokoterm.store.packs import bundled_packs, open_pack
from tests.system.ssh.conftest import Host
from tests.system.ssh.server import Server, find
from tests.system.terminal.screen import PATIENCE


def bundled_level(number: int) -> Level:
    level = open_pack(bundled_packs()[0]).find_level(number)
    assert level is not None
    return level


def keys_of(level: Level) -> str:
    """Letters that solve a level."""
    solution, _ = solve(level.board, level.start, STRATEGIES["auto"], command_limits(monotonic))
    assert solution is not None
    return solution.lurd.lower().translate(str.maketrans("lurd", "hklj"))


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
        screen.type(keys_of(bundled_level(1)), "level solved")
        screen.type("g7\r", "First Steps 7/")
        keys = keys_of(bundled_level(7))
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


def test_two_sessions_of_one_account_keep_both_positions(host: Host, tmp_path: Path) -> None:
    server = host("--host", "--account", "ann", "--data-dir", str(tmp_path / "data"), "-l", "7")
    keys = keys_of(bundled_level(7))
    with server.log_in() as one, server.log_in() as two:
        for screen in (one, two):
            screen.wait_for("moves 0")
        one.type(keys[:-1], f"moves {len(keys) - 1} ")
        two.type(keys[:9], "moves 9 ")
        for screen in (one, two):
            screen.leave()
    with server.log_in() as screen:
        screen.wait_for("First Steps 7/")
        screen.wait_for("another session also played this level: '1 goes to its position")
        both = {len(keys) - 1, 9}
        here = next(moves for moves in both if f"moves {moves} " in screen.text)
        screen.type("'1", f"moves {(both - {here}).pop()} ")
    assert (tmp_path / "data/accounts/ann/progress.db").is_file()
    assert not (tmp_path / "data/progress.db").exists()


def test_accounts_share_a_score_table(host: Host, tmp_path: Path) -> None:
    keys = keys_of(bundled_level(1))
    scores = str(tmp_path / "scores.db")
    shared = ["--host", "--data-dir", str(tmp_path / "data"), "--scores", scores, "-l", "1", "--account"]
    with host(*shared, "ann").log_in() as screen:
        screen.wait_for("moves 0")
        screen.type(keys, "level solved; the best on this server")
        screen.leave()
    with host(*shared, "bob").log_in() as screen:
        screen.wait_for("moves 0")
        screen.type("b", "best on this server")
        screen.wait_for(f"{len(keys)} moves by ann")
    with closing(sqlite3.connect(scores)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT DISTINCT name, moves FROM score").fetchall() == [("ann", len(keys))]


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
