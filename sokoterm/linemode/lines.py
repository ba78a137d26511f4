"""Input and output of lines: commands from standard input, along with signals and searches, and paged answers."""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import chain, islice

from sokoterm.app.options import MOST_PASTED
from sokoterm.engine.text import printable
from sokoterm.language import _
from sokoterm.terminal.encoding import keyboard_encoding
from sokoterm.terminal.key_decoder import without_sequences
from sokoterm.terminal.signals import HANGUP, WOKEN, Handler, Signals

_CHUNK = 1 << 16
# The longest known solution has 612,529 moves; a longer line is no command.
_LONGEST_LINE = 1 << 22
_END_OF_PASTE = "."
# Lines of a list printed before ``more``.
_LIST_LINES = 20


class Event(Enum):
    """An event instead of a line."""

    END = "end"
    """The end of input, or a signal to terminate."""
    INTERRUPT = "interrupt"
    """Ctrl-C."""
    NOTHING = "nothing"
    """A timeout, or news from a search."""


class Lines:
    """Commands from standard input; news from searches waits for the next line."""

    def __init__(self) -> None:
        self._saved_handler: Handler = None

    def start(self) -> None:
        """Turn signals into events."""
        self._saved_handler = signal.signal(signal.SIGINT, signal.default_int_handler)

    def stop(self) -> None:
        signal.signal(signal.SIGINT, self._saved_handler)

    def wake(self) -> None:
        """Make a waiting ``read`` or ``pause`` return, if possible; may be called from another thread."""

    def read(self, timeout: float | None) -> str | Event:  # noqa: ARG002 - a blocking read has none
        """Return the next line, stripped of its end."""
        try:
            line = sys.stdin.readline() if sys.stdin is not None else ""
        except KeyboardInterrupt:
            return Event.INTERRUPT
        except (OSError, ValueError):
            return Event.END
        return line.rstrip("\r\n") if line else Event.END

    def pause(self, seconds: float) -> Event:
        """Wait without reading lines."""
        try:
            time.sleep(seconds)
        except KeyboardInterrupt:
            return Event.INTERRUPT
        return Event.NOTHING


_INTERRUPT = "interrupt"
_SIGNALS = {"SIGINT": _INTERRUPT, "SIGTERM": HANGUP, "SIGHUP": HANGUP}


class SelectedLines(Lines):
    """Lines from file descriptor 0, where ``select`` supports it."""

    def __init__(self, encoding: str = "utf-8") -> None:
        """``encoding`` must be a superset of ASCII."""
        self._encoding = encoding
        self._signals = Signals(_SIGNALS)
        self._text = b""
        self._is_over = False
        self._said = set[str]()  # by signals, and not reported yet

    def start(self) -> None:
        self._signals.start()

    def stop(self) -> None:
        self._signals.stop()

    def wake(self) -> None:
        self._signals.wake()

    def read(self, timeout: float | None) -> str | Event:
        while (event := self._take_signal()) is Event.NOTHING:
            if (line := self._take_line()) is not None:
                return line
            if self._is_over:
                return Event.END
            if WOKEN in self._said:
                self._said.discard(WOKEN)
                return Event.NOTHING
            if not self._wait([0, self._signals.descriptor], timeout):
                return Event.NOTHING
        return event

    def pause(self, seconds: float) -> Event:
        self._wait([self._signals.descriptor], seconds)
        return self._take_signal()

    def _take_signal(self) -> Event:
        self._said.update(self._signals.read())
        if HANGUP in self._said:
            return Event.END
        if _INTERRUPT in self._said:
            self._said.discard(_INTERRUPT)
            return Event.INTERRUPT
        return Event.NOTHING

    def _wait(self, ends: list[int], timeout: float | None) -> bool:
        """Wait for input or signals; False on timeout."""
        try:
            ready = select.select(ends, [], [], timeout)[0]
        except (OSError, ValueError):  # standard input is closed
            self._is_over = True
            return True
        if 0 in ready:
            try:
                data = os.read(0, _CHUNK)
            except OSError:  # the terminal is gone
                data = b""
            self._is_over = not data
            self._text += data
            if len(self._text) > _LONGEST_LINE and b"\n" not in self._text:
                self._text = b""
        return bool(ready)

    def _take_line(self) -> str | None:
        line, end, rest = self._text.partition(b"\n")
        if not end and not (self._is_over and line):
            return None
        self._text = rest
        if b"\x1b" in line:
            return without_sequences(line.rstrip(b"\r"), self._encoding)
        return line.decode(self._encoding, "replace").rstrip("\r")


def open_lines() -> Lines:
    """Return the lines of standard input on this system."""
    return Lines() if sys.platform == "win32" else SelectedLines(keyboard_encoding())


class Pasting:
    """Pasted lines up to a single dot: the first MOST_PASTED bytes, of which ``room`` are left."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.room = MOST_PASTED

    def take(self, line: str) -> bool:
        """Take a line; return True for the final dot."""
        if line.strip() == _END_OF_PASTE:
            return True
        self.room -= len(line.encode()) + 1
        if self.room >= 0:
            self.lines.append(line)
        return False


class Pager:
    """Printer of lines, which keeps the rest of a long list for ``more``."""

    def __init__(self, lines: Lines, print_line: Callable[[str], None]) -> None:
        """Methods raise OSError if ``print_line`` does, when output is closed."""
        self._lines = lines
        self._print = print_line
        self._rest: Iterator[str] = iter(())

    def say(self, lines: Iterable[str]) -> None:
        """Print lines until Ctrl-C."""
        for number, line in enumerate(lines):
            if number and self._lines.pause(0) is not Event.NOTHING:
                self._print(_("stopped"))
                return
            self._print(printable(line))

    def listed(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield the first lines of a list, and keep the rest for ``more``."""
        rest = iter(lines)
        yield from islice(rest, _LIST_LINES)
        following = next(rest, None)
        if following is not None:
            self._rest = chain([following], rest)
            yield _("more shows the rest")

    def more(self) -> Iterator[str]:
        """Yield the next lines of the last list."""
        return self.listed(self._rest)
