"""``sokoterm`` as the login shell of an account, for which sshd has neither flags nor a ForceCommand."""

import os
import subprocess
from pathlib import Path

from tests.system.ssh.conftest import Host
from tests.system.ssh.test_play import wait_until_gone


def test_a_login_shell_plays_in_host_mode_and_keeps_progress_in_the_home(host: Host, tmp_path: Path) -> None:
    server = host(as_login_shell=True)
    elsewhere = [f"{name}={tmp_path}/trap" for name in ("HOME", "SOKOTERM_DATA", "XDG_DATA_HOME", "SHELL")]
    with server.log_in(environ=elsewhere) as screen:
        screen.wait_for("First Steps")
        screen.type("\r", "moves 0")
        screen.type("\x1al", "moves 1 ")
        screen.type("q")
        assert os.waitstatus_to_exitcode(screen.wait()) == 0
    wait_until_gone(server)
    assert (tmp_path / "server0/home/.local/share/sokoterm/progress.db").is_file()
    assert not (tmp_path / "trap").exists()


def test_a_login_shell_runs_no_command_of_a_client(host: Host) -> None:
    server = host(as_login_shell=True)
    for asked in ("id", "cat /etc/passwd", "sokoterm info"):
        command = ["ssh", "-T", *server.options(), server.address, asked]
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
        said = b"sokoterm: found a command, expected none: this account only plays Sokoban\n"
        assert (result.returncode, result.stdout, result.stderr) == (2, b"", said)
