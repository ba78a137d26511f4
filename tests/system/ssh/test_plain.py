"""The line mode behind sshd, with a terminal and without one."""

import os
import subprocess
from pathlib import Path

from tests.system.ssh.conftest import Host
from tests.system.ssh.server import find
from tests.system.ssh.test_play import wait_until_gone


def test_keys_that_stop_programs_leave_the_line_mode_running(host: Host, tmp_path: Path) -> None:
    server = host("--host", "--plain", "--data-dir", str(tmp_path / "data"), "-l", "1")
    with server.log_in() as screen:
        screen.wait_for("you are at")
        screen.type("\x1a\x1c\n")
        screen.type("l\n", "box a pushed right")
        screen.type("!sh\n", "unknown command: !sh")
        screen.type("pack ../../etc/passwd\n", "give the number of a pack")
        screen.type("q\n")
        assert os.waitstatus_to_exitcode(screen.wait()) == 0
    wait_until_gone(server)


def test_lines_need_no_terminal(host: Host, tmp_path: Path) -> None:
    server = host("--host", "--plain", "--data-dir", str(tmp_path / "data"), "-l", "1")
    command = [find("ssh"), "-T", *server.options(), server.address]
    said = subprocess.run(command, input="2l\n", capture_output=True, text=True, check=True).stdout
    assert said.endswith("box a pushed 2 right to row 3 column 7, 0 of 1 home\n")
    said = subprocess.run(command, input="moves\n", capture_output=True, text=True, check=True).stdout
    assert said.endswith("RR\n")
    wait_until_gone(server)
