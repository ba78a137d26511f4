"""A program in a pseudo-terminal of its own, on POSIX.

POSIX-only modules are imported late, so that this module can be imported anywhere.
"""

import os
import struct
import sys
from collections.abc import Mapping, Sequence
from select import select
from typing import Self

import sokoterm

QUIET_SECONDS = 0.12  # silence of this length ends an answer


class PtyChild:
    """Runs a command on a terminal, of 24 rows and 80 columns by default; ``with`` ends it.

    ``terminal`` is the file descriptor of the near end.
    """

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], rows: int = 24, columns: int = 80) -> None:
        import pty  # POSIX

        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            set_size(0, rows, columns)
            os.execvpe(command[0], list(command), dict(environ))
        set_size(self.terminal, rows, columns)
        self.output = bytearray()
        self.status: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        from signal import SIGKILL  # POSIX

        self.end(SIGKILL)
        os.close(self.terminal)

    def end(self, number: int) -> int:
        """Send a signal, unless the program has ended, and wait for its end; returns the wait status."""
        if self.status is None:
            os.kill(self.pid, number)
        return self.wait()

    @property
    def is_alive(self) -> bool:
        """True until the program has ended."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = status if pid else None
        return self.status is None

    def wait(self) -> int:
        """Wait for the end, reading the rest of the output; returns the wait status."""
        while self.is_alive:
            self.read(0.02)
        while self.read(0):
            pass
        return self.status or 0

    def fileno(self) -> int:
        """The near end of the terminal, for ``select``."""
        return self.terminal

    def write(self, data: bytes) -> None:
        """Send bytes as if typed."""
        os.write(self.terminal, data)

    def read(self, timeout: float) -> int:
        """Read output within the time; returns the number of bytes, 0 for silence."""
        data = self.take(timeout)
        self.output += data
        return len(data)

    def take(self, timeout: float) -> bytes:
        """Return output within the time, empty after the end; it is not added to ``output``."""
        ready, _, _ = select([self.terminal], [], [], timeout)
        if not ready:
            return b""
        try:
            return os.read(self.terminal, 65536)
        except OSError:  # the program has ended
            return b""

    def read_until_silent(self) -> None:
        """Read an answer, which has to begin within ten seconds, to its end."""
        timeout = 10.0
        while self.read(timeout):
            timeout = QUIET_SECONDS


def set_size(terminal: int, rows: int, columns: int) -> None:
    """Set the size of a terminal; the program on it gets SIGWINCH."""
    # POSIX.
    from fcntl import ioctl
    from termios import TIOCSWINSZ

    ioctl(terminal, TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def player_command() -> list[str]:
    """Return the command that starts the player, also from a single file."""
    archive = getattr(sokoterm.__loader__, "archive", None)
    return [sys.executable, archive] if archive else [sys.executable, "-m", "sokoterm"]


def player_environ(folder: str) -> dict[str, str]:
    """Return an environment in which the player writes to ``folder`` and has default settings."""
    environ = {**os.environ, "TERM": "xterm-256color", "SOKOTERM_DATA": os.path.join(folder, "data")}
    environ["XDG_CONFIG_HOME"] = folder
    environ.pop("NO_COLOR", None)
    package = os.path.dirname(os.path.dirname(sokoterm.__file__))
    environ["PYTHONPATH"] = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    return environ
