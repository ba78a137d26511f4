"""An OpenSSH server of its own on 127.0.0.1, with its keys and its settings in a temporary folder."""

import grp
import os
import pwd
import shlex
import shutil
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Self

from tests.system.terminal.screen import PATIENCE, PYTHON, ROOT, Screen

_SBIN = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
_SEPARATION = Path("/run/sshd")
_SETTINGS = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/user_key.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
LogLevel INFO
Subsystem sftp internal-sftp
AcceptEnv *
AllowTcpForwarding no
"""
_PORTS = 3  # to try, where others take them


class NoServerError(Exception):
    """There is no server here; the text says why."""


class Server:
    """A server whose ForceCommand is ``sokoterm`` with some arguments; it takes any environment of a client."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._folder = folder
        self._ssh = find("ssh")
        sshd = find("sshd")
        if not _may_give_terminals():
            raise NoServerError("only root can give terminals to the group tty here, which sshd insists on")
        for name in ("host_key", "user_key"):
            command = [find("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        self._command = [sshd, "-D", "-e", "-f", str(folder / "sshd_config")]
        self._settings = _SETTINGS.replace("{folder}", str(folder))
        player = ["env", f"PYTHONPATH={ROOT}", PYTHON, "-m", "sokoterm", *arguments]
        self._settings += f"ForceCommand {shlex.join(player)}\n"
        make_separation()
        for _ in range(_PORTS):
            self._start()
            if self._answers():
                return
            self._process.terminate()
            self._process.wait()
            if "already in use" not in self._log:
                break
        raise NoServerError(f"sshd does not start: {self._log.strip()}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def _start(self) -> None:
        """On a port that is free now, though others may take it before the server does."""
        self._port = _free_port()
        (self._folder / "sshd_config").write_text(self._settings.replace("{port}", str(self._port)))
        with open(self._folder / "sshd.log", "wb") as log:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def _answers(self) -> bool:
        """Whether it comes up, and not another server that has taken the port."""
        end = monotonic() + PATIENCE
        while monotonic() < end and self._process.poll() is None:
            if f"listening on 127.0.0.1 port {self._port}" in self._log:
                with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 1) as connection:
                    if connection.recv(4) == b"SSH-":
                        return True
            sleep(0.02)
        return False

    @property
    def _log(self) -> str:
        return (self._folder / "sshd.log").read_text(errors="replace")

    def options(self, port: str = "-p") -> list[str]:
        """What an ssh client is given so that it comes here and asks no questions."""
        settings = {
            "StrictHostKeyChecking": "no",
            "UserKnownHostsFile": "/dev/null",
            "IdentitiesOnly": "yes",
            "IdentityFile": str(self._folder / "user_key"),
            "BatchMode": "yes",
            "LogLevel": "ERROR",
        }
        return ["-F", "none", port, str(self._port), *(f"-o{name}={value}" for name, value in settings.items())]

    @property
    def address(self) -> str:
        return f"{pwd.getpwuid(os.getuid()).pw_name}@127.0.0.1"

    def log_in(self, *command: str, environ: Sequence[str] = ()) -> Screen:
        """A session with a terminal; ``environ`` has ``NAME=value`` for the client to send."""
        return Screen(self.client(*command, environ=environ), self._folder)

    def client(self, *command: str, environ: Sequence[str] = ()) -> list[str]:
        """The command of such a session."""
        sent = [f"-oSetEnv={' '.join(environ)}"] if environ else []
        return [self._ssh, "-tt", *self.options(), *sent, self.address, "--", *command]

    def players(self) -> list[int]:
        """The processes of sokoterm that belong to this test, by what stands on their command lines."""
        found = []
        for entry in Path("/proc").iterdir():
            with suppress(OSError, ValueError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                is_ours = str(self._folder.parent).encode() in b" ".join(words)
                if is_ours and any(word.endswith(b"sokoterm") for word in words[:4]):
                    found.append(int(entry.name))
        return found


def make_separation() -> None:
    """Make the empty folder that Debian's sshd wants when root starts it; other servers may use it until the end."""
    if os.getuid() == 0:
        _SEPARATION.mkdir(mode=0o755, exist_ok=True)


def _may_give_terminals() -> bool:
    """Whether a terminal made here is as sshd wants it: its own account may not change that, unless it is root."""
    if os.getuid() == 0:
        return True
    ends = os.openpty()
    try:
        return os.fstat(ends[1]).st_gid == grp.getgrnam("tty").gr_gid
    except KeyError:
        return True
    finally:
        for end in ends:
            os.close(end)


def find(program: str) -> str:
    """The path of a program; raises NoServerError."""
    path = shutil.which(program, path=_SBIN)
    if path is None:
        raise NoServerError(f"{program} is not installed (Debian: openssh-server, openssh-client)")
    return path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
