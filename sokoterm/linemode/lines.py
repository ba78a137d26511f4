"""Lines from standard input, waited for together with signals and with what searches have to say."""

import os
import select
import sys
import time
from enum import Enum
from typing import Protocol

from sokoterm.tui.terminal.encoding import keyboard_encoding
from sokoterm.tui.terminal.signals import HANGUP, WOKEN, Handler, Signals

_CHUNK = 1 << 16
# The longest known solution has 612,529 moves; what is longer without an end is no command.
_LONGEST_LINE = 1 << 22


class Event(Enum):
    """What may come instead of a line."""

    END = "end"
    """Nothing more will come, or the process is told to end."""
    INTERRUPT = "interrupt"
    """Ctrl-C."""
    NOTHING = "nothing"
    """The time is over, or a search has something to say."""


class Lines(Protocol):
    """Where commands come from."""

    def start(self) -> None:
        """Have signals come as events."""

    def stop(self) -> None:
        """Leave signals as they were."""

    def wake(self) -> None:
        """Make a waiting ``read`` or ``pause`` return; may be called from another thread."""

    def read(self, timeout: float | None) -> str | Event:
        """The next line without its end; lines that have come are given at once."""

    def pause(self, seconds: float) -> Event:
        """Wait without taking lines."""


_INTERRUPT = "interrupt"
_SIGNALS = {"SIGINT": _INTERRUPT, "SIGTERM": HANGUP, "SIGHUP": HANGUP}


class SelectedLines:
    """Lines from file descriptor 0, where ``select`` can wait for it."""

    def __init__(self, encoding: str = "utf-8") -> None:
        """``encoding`` is that of the lines, of which ASCII is a part."""
        self._encoding = encoding
        self._signals = Signals(_SIGNALS)
        self._text = b""
        self._is_over = False
        self._is_woken = self._is_interrupted = self._has_ended = False

    def start(self) -> None:
        self._signals.start()

    def stop(self) -> None:
        self._signals.stop()

    def wake(self) -> None:
        self._signals.wake()

    def read(self, timeout: float | None) -> str | Event:
        while True:
            self._take_signals()
            if self._has_ended:
                return Event.END
            if self._is_interrupted:
                self._is_interrupted = False
                return Event.INTERRUPT
            if (line := self._take_line()) is not None:
                return line
            if self._is_over:
                return Event.END
            if self._is_woken:
                self._is_woken = False
                return Event.NOTHING
            if not self._wait([0, self._signals.descriptor], timeout):
                return Event.NOTHING

    def pause(self, seconds: float) -> Event:
        self._wait([self._signals.descriptor], seconds)
        self._take_signals()
        if self._has_ended:
            return Event.END
        was_interrupted, self._is_interrupted = self._is_interrupted, False
        return Event.INTERRUPT if was_interrupted else Event.NOTHING

    def _wait(self, ends: list[int], timeout: float | None) -> bool:
        """Wait for what comes; False where nothing has."""
        try:
            ready, _, _ = select.select(ends, [], [], timeout)
        except (OSError, ValueError):  # standard input is closed
            self._is_over = True
            return True
        if 0 in ready:
            self._read_more()
        return bool(ready)

    def _take_signals(self) -> None:
        names = self._signals.read()
        self._is_woken = self._is_woken or WOKEN in names
        self._is_interrupted = self._is_interrupted or _INTERRUPT in names
        self._has_ended = self._has_ended or HANGUP in names

    def _read_more(self) -> None:
        try:
            data = os.read(0, _CHUNK)
        except OSError:  # the terminal is gone
            data = b""
        self._is_over = not data
        self._text += data
        if len(self._text) > _LONGEST_LINE and b"\n" not in self._text:
            self._text = b""

    def _take_line(self) -> str | None:
        line, end, rest = self._text.partition(b"\n")
        if not end and not (self._is_over and line):
            return None
        self._text = rest
        return line.decode(self._encoding, "replace").rstrip("\r")


class BlockingLines:
    """Lines where nothing but a line can be waited for: what searches have to say waits for the next one."""

    def __init__(self) -> None:
        self._saved_handler: Handler = None

    def start(self) -> None:
        """Ctrl-C comes as an exception."""
        import signal

        self._saved_handler = signal.signal(signal.SIGINT, signal.default_int_handler)

    def stop(self) -> None:
        import signal

        signal.signal(signal.SIGINT, self._saved_handler)

    def wake(self) -> None:
        """Nothing can be woken."""

    def read(self, timeout: float | None) -> str | Event:  # noqa: ARG002 - it cannot be kept
        try:
            line = sys.stdin.readline() if sys.stdin is not None else ""
        except KeyboardInterrupt:
            return Event.INTERRUPT
        except (OSError, ValueError):
            return Event.END
        return line.rstrip("\r\n") if line else Event.END

    def pause(self, seconds: float) -> Event:
        try:
            time.sleep(seconds)
        except KeyboardInterrupt:
            return Event.INTERRUPT
        return Event.NOTHING


def open_lines() -> Lines:
    """The way that this system has."""
    return BlockingLines() if sys.platform == "win32" else SelectedLines(keyboard_encoding())
