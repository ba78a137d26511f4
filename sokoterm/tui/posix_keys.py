"""Keys, signals and wake-ups of a POSIX terminal."""

import os
import select
import signal
import termios
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from types import FrameType

from sokoterm.tui.keys import KeyDecoder
from sokoterm.tui.pointer import Event

# A lone Esc is taken for the key after this; the bytes of an arrow may come this far apart.
_ESCAPE_SECONDS = 0.1
# A paste of which nothing comes for so long has lost its end, and the keyboard is to be heard again.
_PASTE_SECONDS = 3.0
_SIGNAL_KEYS = {
    signal.SIGWINCH: "resize",
    signal.SIGTERM: "hangup",
    signal.SIGHUP: "hangup",
    signal.SIGINT: "C-c",
    signal.SIGCONT: "resume",
    signal.SIGTSTP: "C-z",
}


Handler = Callable[[int, FrameType | None], object] | int | None


class PosixKeys:
    """Keys from standard input, signals and wake-ups, all waited for with one ``select``."""

    def __init__(self) -> None:
        self._decoder = KeyDecoder()
        self._read_end, self._write_end = os.pipe()
        for end in (self._read_end, self._write_end):
            os.set_blocking(end, False)
        self._saved_mode: list[object] | None = None
        self._saved_handlers: dict[signal.Signals, Handler] = {}

    def start(self) -> None:
        """Let single bytes through, Ctrl-C and Ctrl-Z among them, and turn signals into keys."""
        self._saved_mode = list(termios.tcgetattr(0))
        mode = termios.tcgetattr(0)
        mode[0] &= ~(termios.IXON | termios.ICRNL | termios.INLCR)
        mode[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        termios.tcsetattr(0, termios.TCSADRAIN, mode)
        signal.set_wakeup_fd(self._write_end, warn_on_full_buffer=False)
        self._saved_handlers = {number: signal.signal(number, _ignore) for number in _SIGNAL_KEYS}

    def stop(self) -> None:
        if self._saved_mode is None:
            return
        mode, self._saved_mode = self._saved_mode, None
        signal.set_wakeup_fd(-1)
        for number, handler in self._saved_handlers.items():
            signal.signal(number, handler)
        with suppress(termios.error):  # where the terminal is gone there is nothing to restore
            termios.tcsetattr(0, termios.TCSADRAIN, mode)  # type: ignore[arg-type]

    def wake(self) -> None:
        with suppress(BlockingIOError):  # where the pipe is full of wake-ups already
            os.write(self._write_end, b"\0")

    def read(self, timeout: float | None) -> list[Event]:
        """What was pressed; what has begun is waited for, each byte of an escape sequence for _ESCAPE_SECONDS."""
        keys = self._read_once(timeout)
        last = monotonic()
        while self._decoder.is_pending and "hangup" not in keys:
            patience = _PASTE_SECONDS if self._decoder.is_pasting else _ESCAPE_SECONDS
            ready, _, _ = select.select([0, self._read_end], [], [], max(0.0, last + patience - monotonic()))
            if not ready:
                return keys + self._decoder.flush()
            keys += self._read_once(0)
            if 0 in ready:  # signals and wake-ups are not what it waits for
                last = monotonic()
        return keys

    def _read_once(self, timeout: float | None) -> list[Event]:
        ready, _, _ = select.select([0, self._read_end], [], [], timeout)
        keys: list[Event] = []
        if self._read_end in ready:
            numbers = os.read(self._read_end, 4096)
            keys += dict.fromkeys(_SIGNAL_KEYS[signal.Signals(n)] for n in numbers if n in set(_SIGNAL_KEYS))
        if 0 in ready:
            try:
                data = os.read(0, 4096)
            except OSError:
                data = b""
            keys += self._decoder.feed(data) if data else ["hangup"]
        return keys


def stop_process() -> None:
    """What Ctrl-Z does by default: stop the whole job; returns when it is continued."""
    signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    os.kill(0, signal.SIGTSTP)


def keys_from_terminal() -> None:
    """Make standard input the terminal again after a pack has been read from it; raises OSError without one."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        terminal = os.open(os.ttyname(1), os.O_RDWR)
    os.dup2(terminal, 0)
    os.close(terminal)


def _ignore(number: int, frame: FrameType | None) -> None:
    """Signals are read from the wake-up pipe; a handler must exist for them to be written there."""
