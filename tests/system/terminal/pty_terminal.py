"""A program in a pseudo-terminal that can be timed, resized, hung up, signalled, and put behind a slow line."""

import os
from collections.abc import Mapping, Sequence
from time import perf_counter, sleep
from typing import NamedTuple

from tests.bench.sessions import QUIET_SECONDS, PtyChild, set_size
from tests.system.terminal.modem import Modem


class Response(NamedTuple):
    """The answer to one key, or to the start: bytes, seconds to the first and to the last of them."""

    size: int
    first: float
    last: float


class PtyTerminal(PtyChild):
    """``modem`` is a slow line on which to listen to the program, and to type."""

    def __init__(
        self,
        command: Sequence[str],
        environ: Mapping[str, str],
        rows: int = 24,
        columns: int = 80,
        modem: Modem | None = None,
    ) -> None:
        self._modem = modem
        self._began = perf_counter()
        super().__init__(command, environ, rows, columns)

    def hang_up(self) -> int:
        """Close the terminal under the program, as a line that drops does; returns the wait status."""
        os.close(self.give_terminal())
        _, self.status = os.waitpid(self.pid, 0)
        return self.status

    def give_terminal(self) -> int:
        """Hand over the near end of the terminal, to be closed; from now on nothing is read from it."""
        terminal, self.terminal = self.terminal, os.open(os.devnull, os.O_RDWR)
        return terminal

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def resize(self, rows: int, columns: int) -> None:
        """Change the size of the terminal; the program gets SIGWINCH."""
        set_size(self.terminal, rows, columns)

    @property
    def mode(self) -> list[object]:
        """The terminal's settings, as termios gives them."""
        from termios import tcgetattr

        return list(tcgetattr(self.terminal))

    def write(self, data: bytes) -> None:
        if self._modem is None:
            super().write(data)
        else:
            self._modem.put_up(data, perf_counter())

    def start_up(self, limit: float = 10.0) -> Response:
        """The first output, until the program falls silent."""
        return self._listen(self._began, limit)

    def press(self, key: str, limit: float = 2.0) -> Response:
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

    def _listen(self, began: float, limit: float) -> Response:
        before = len(self.output)
        first = last = limit
        timeout = limit
        while self.read(timeout):
            last = perf_counter() - began
            first = min(first, last)
            timeout = QUIET_SECONDS
        return Response(len(self.output) - before, first, last)

    def take(self, timeout: float) -> bytes:
        """Bytes that come to the near end of the line within the time; keys go to its far end meanwhile."""
        modem = self._modem
        if modem is None:
            return super().take(timeout)
        end = perf_counter() + timeout
        while True:
            now = perf_counter()
            if typed := modem.take_up(now):
                super().write(typed)
            if data := modem.take_down(now):
                return data
            if now >= end:
                return b""
            until_next = modem.until_next(now)
            wait = end - now if until_next is None else min(until_next, end - now)
            began = perf_counter()
            written = super().take(wait)
            modem.put_down(written, perf_counter())
            if not written:
                sleep(max(0.0, wait - (perf_counter() - began)))  # the program has ended: there is nothing to wait for
