"""A program in a pseudo-terminal of its own: what it writes, and how soon after a key; where there are such terminals.

What POSIX alone has is imported where it is used, so that every module can be imported anywhere.
"""

import os
import struct
from collections.abc import Mapping, Sequence
from time import perf_counter, sleep
from typing import NamedTuple, Self

from sokoterm.bench.modem import Modem

_QUIET_SECONDS = 0.12  # silence of this length ends an answer


class Answer(NamedTuple):
    """What one key, or the start, brought: bytes, seconds to the first and to the last of them."""

    size: int
    first: float
    last: float


class PtyChild:
    """Starts a command on a terminal of 80 columns and 24 rows; ``with`` ends it."""

    def __init__(
        self,
        command: Sequence[str],
        environ: Mapping[str, str],
        rows: int = 24,
        columns: int = 80,
        modem: Modem | None = None,
    ) -> None:
        """``modem`` is a slow line on which to listen to it, and to type."""
        import pty

        self._modem = modem
        self._began = perf_counter()
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            _set_size(0, rows, columns)
            os.execvpe(command[0], list(command), dict(environ))
        _set_size(self._terminal, rows, columns)
        self.output = bytearray()
        self.status: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        from signal import SIGKILL

        self.end(SIGKILL)
        os.close(self._terminal)

    def end(self, number: int) -> int:
        """Send a signal, unless it has ended by itself, and wait for the end; returns the wait status."""
        if self.status is None:
            os.kill(self._pid, number)
        return self.wait()

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended yet."""
        if self.status is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            self.status = status if pid else None
        return self.status is None

    def wait(self) -> int:
        """Wait for the end, reading what is still written; returns the wait status."""
        while self.is_alive:
            self.read(0.02)
        while self.read(0):
            pass
        return self.status or 0

    def hang_up(self) -> int:
        """Close the terminal under the program, as a line that drops does; returns the wait status."""
        os.close(self.give_terminal())
        _, self.status = os.waitpid(self._pid, 0)
        return self.status

    def give_terminal(self) -> int:
        """Hand over the near end of the terminal, to be closed; from now on nothing is read from it."""
        terminal, self._terminal = self._terminal, os.open(os.devnull, os.O_RDWR)
        return terminal

    def signal(self, number: int) -> None:
        os.kill(self._pid, number)

    def resize(self, rows: int, columns: int) -> None:
        """Change the size of the terminal; the program gets SIGWINCH."""
        _set_size(self._terminal, rows, columns)

    @property
    def mode(self) -> list[object]:
        """The terminal's settings, as termios gives them."""
        from termios import tcgetattr

        return list(tcgetattr(self._terminal))

    def fileno(self) -> int:
        """The near end of the terminal, to be waited for."""
        return self._terminal

    @property
    def pid(self) -> int:
        """The process that was started."""
        return self._pid

    def write(self, data: bytes) -> None:
        """Send bytes as if typed."""
        if self._modem is None:
            os.write(self._terminal, data)
        else:
            self._modem.put_up(data, perf_counter())

    def start_up(self, limit: float = 10.0) -> Answer:
        """What it writes until it falls silent for the first time."""
        return self._listen(self._began, limit)

    def press(self, key: str, limit: float = 2.0) -> Answer:
        """Press a key and listen until the program is silent again."""
        began = perf_counter()
        self.write(key.encode())
        return self._listen(began, limit)

    def press_and_see(self, key: str, limit: float = 2.0) -> float:
        """Press a key; seconds to the first byte of the answer."""
        began = perf_counter()
        self.write(key.encode())
        return perf_counter() - began if self.read(limit) else limit

    def idle(self, seconds: float) -> int:
        """Bytes written while no key is pressed."""
        before = len(self.output)
        end = perf_counter() + seconds
        while (left := end - perf_counter()) > 0:
            self.read(left)
        return len(self.output) - before

    def _listen(self, began: float, limit: float) -> Answer:
        before = len(self.output)
        first = last = limit
        timeout = limit
        while self.read(timeout):
            last = perf_counter() - began
            first = min(first, last)
            timeout = _QUIET_SECONDS
        return Answer(len(self.output) - before, first, last)

    def read(self, timeout: float) -> int:
        """Read what comes within the time; returns how many bytes, 0 for silence."""
        data = self._take(timeout) if self._modem is None else self._take_slowly(self._modem, timeout)
        self.output += data
        return len(data)

    def _take(self, timeout: float) -> bytes:
        """What the program writes within the time; nothing where it has ended."""
        from select import select

        ready, _, _ = select([self._terminal], [], [], timeout)
        if not ready:
            return b""
        try:
            return os.read(self._terminal, 65536)
        except OSError:  # the program has ended
            return b""

    def _take_slowly(self, modem: Modem, timeout: float) -> bytes:
        """What comes to the near end of a slow line within the time; keys go to its far end meanwhile."""
        end = perf_counter() + timeout
        while True:
            now = perf_counter()
            if typed := modem.take_up(now):
                os.write(self._terminal, typed)
            if data := modem.take_down(now):
                return data
            if now >= end:
                return b""
            until_next = modem.until_next(now)
            wait = end - now if until_next is None else min(until_next, end - now)
            began = perf_counter()
            written = self._take(wait)
            modem.put_down(written, perf_counter())
            if not written:
                sleep(max(0.0, wait - (perf_counter() - began)))  # the program has ended: there is nothing to wait for


def _set_size(terminal: int, rows: int, columns: int) -> None:
    from fcntl import ioctl
    from termios import TIOCSWINSZ

    ioctl(terminal, TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
