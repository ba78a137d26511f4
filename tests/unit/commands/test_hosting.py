"""Host mode from the command line: when it begins, and what it makes of the environment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sokoterm.process import distrust
from tests.unit.commands.command import MODULE, Command

ROOT = Path(__file__).parents[3]
# Runs the program as if the password database had it as the account's login shell.
_AS_LOGIN_SHELL = """
import os, pwd, sys
entry = pwd.getpwuid(os.getuid())
pwd.getpwuid = lambda uid: pwd.struct_passwd([*entry[:6], sys.argv[0]])
from sokoterm.cli import main
sys.exit(main())
"""

pytest.importorskip("pwd")


def as_login_shell(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    script = folder / "sokoterm"
    script.write_text(_AS_LOGIN_SHELL)
    command = [sys.executable, str(script), *arguments]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    return subprocess.run(
        command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("asked", ["id", "/usr/lib/openssh/sftp-server", "scp -t /tmp", "sokoterm info", ""])
def test_a_login_shell_runs_no_command(tmp_path: Path, asked: str) -> None:
    result = as_login_shell(tmp_path, "-c", asked)
    said = "sokoterm: found a command, expected none: this account only plays Sokoban\n"
    assert (result.returncode, result.stdout, result.stderr) == (2, "", said)


@pytest.mark.parametrize("asked", ["--help", "--version", "-l3", "-l 3", "--"])
def test_a_command_that_looks_like_a_flag_is_refused_too(tmp_path: Path, asked: str) -> None:
    result = as_login_shell(tmp_path, "-c", asked)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)


def test_a_login_shell_is_in_host_mode(tmp_path: Path) -> None:
    result = as_login_shell(tmp_path)
    said = "sokoterm: log in with a terminal: this account only plays Sokoban\n"
    assert (result.returncode, result.stdout, result.stderr) == (2, "", said)


def test_a_login_shell_has_no_verbs(tmp_path: Path) -> None:
    result = as_login_shell(tmp_path, "info")
    assert (result.returncode, result.stdout) == (2, "")


def test_of_the_environment_only_the_harmless_stays() -> None:
    environ = {"TERM": "xterm-256color", "LANG": "de_DE.UTF-8@euro", "LC_ALL": "/tmp/x", "NO_COLOR": "1"}
    environ |= dict.fromkeys(["SOKOTERM_DATA", "XDG_DATA_HOME", "PAGER", "TERMINFO", "LANGUAGE", "PATH"], "/tmp/x")
    distrust(environ, "/home/ann")
    assert environ == {"TERM": "xterm-256color", "LANG": "de_DE.UTF-8@euro", "NO_COLOR": "1", "HOME": "/home/ann"}


@pytest.mark.parametrize("minutes", ["0", "-1", "x", "nan", "inf", "10001", ""])
def test_minutes_that_are_none(command: Command, minutes: str) -> None:
    result = command("--idle", minutes)
    assert result.status == 2
    assert f"--idle: found {minutes!r}, expected minutes: a number over 0, at most 10000" in result.err


@pytest.mark.parametrize("name", ["../x", "", "a/b", ".x", "x" * 33])
def test_an_account_that_is_a_path_is_refused(command: Command, name: str) -> None:
    result = command("--account", name)
    assert result.status == 2
    assert f"--account: found {name!r}, expected" in result.err
    assert result.err.count("\n") == 1


def test_levels_of_a_series_reach_the_score_table(command: Command) -> None:
    """Those that were pasted do not: tests/system/ssh/test_attacks.py."""
    data, scores = command.folder / "data", command.folder / "scores.db"
    assert command("list", 'title:"a push"', "--data-dir", data).status == 0  # the index knows it now
    hosted = [*MODULE, "--host", "--plain", "--data-dir", str(data), "--scores", str(scores)]
    typed = 'series title:"a push"\nmoves rrr\nq\n'
    said = subprocess.run(hosted, input=typed, capture_output=True, text=True, check=True).stdout
    assert "the best on this server" in said
    assert scores.exists()
