"""Signals of a POSIX process, and wake-ups by other threads, as names for a loop that waits by ``select``.

The loop treats the name of a signal like a key. A program that is told to end must not take long: work such as reading
a huge pack, or writing to a blocked terminal, is interrupted, and the process ends once the position is saved.
"""

import os
import signal
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from types import FrameType

HANGUP = "hangup"
"""The name of signals that tell the program to end."""

WOKEN = "woken"
"""The name that ``read`` returns after ``wake``."""

# Seconds after the signal to end: for the current work, and then to exit once everything is saved.
_GRACE_SECONDS = 0.4
LEAVE_SECONDS = 0.4

Handler = Callable[[int, FrameType | None], object] | int | None


class Signals:
    """Signals since the last ``read``; ``descriptor`` is readable when there are any."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """``names`` maps signals to the names that ``read`` returns; signals that the system lacks are left out."""
        self._wanted = names
        self._names: dict[int, str] = {}
        self._saved_handlers: dict[int, Handler] = {}
        self._is_told_to_end = self._is_told_to_quit = False
        self.descriptor, self._write_end = os.pipe()
        for end in (self.descriptor, self._write_end):
            os.set_blocking(end, False)

    @property
    def are_taken(self) -> bool:
        return bool(self._saved_handlers)

    def start(self) -> None:
        signal.set_wakeup_fd(self._write_end, warn_on_full_buffer=False)
        self._names = {getattr(signal, name): said for name, said in self._wanted.items() if hasattr(signal, name)}
        if signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:  # in host mode
            self._names.pop(signal.SIGQUIT, None)
        handlers = {number: self._end_soon if said == HANGUP else _ignore for number, said in self._names.items()}
        handlers[signal.SIGALRM] = _break_off
        self._saved_handlers = {number: signal.signal(number, handler) for number, handler in handlers.items()}

    def stop(self, *, ignoring: Collection[str] = ()) -> None:
        """Restore all handlers but those of signals to ignore; a process told to end ends LEAVE_SECONDS later."""
        signal.set_wakeup_fd(-1)
        ignored = {getattr(signal, name) for name in ignoring}
        for number, handler in self._saved_handlers.items():
            if number not in ignored:
                signal.signal(number, handler)
        self._saved_handlers = {}
        if self._is_told_to_end:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, LEAVE_SECONDS)

    def wake(self) -> None:
        """Make ``descriptor`` readable; may be called from another thread."""
        with suppress(BlockingIOError):  # the pipe is full of wake-ups already
            os.write(self._write_end, b"\0")

    def read(self) -> list[str]:
        """Return the names of the signals that have come, each once."""
        try:
            numbers = os.read(self.descriptor, 4096)
        except BlockingIOError:
            return []
        names = {**self._names, 0: WOKEN}
        found = [*dict.fromkeys(names[number] for number in numbers if number in names)]
        if HANGUP in found:
            self.told_to_end()
        return found

    def quit_if_told(self) -> None:
        """End the process by SIGQUIT, as by default, if that has come; call it after ``stop``."""
        if self._is_told_to_quit:
            signal.raise_signal(signal.SIGQUIT)

    def _end_soon(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - what a handler is given
        """Give the loop some time to read this from the pipe before its work is interrupted."""
        self._is_told_to_quit = self._is_told_to_quit or number == signal.SIGQUIT
        signal.setitimer(signal.ITIMER_REAL, _GRACE_SECONDS)

    def told_to_end(self) -> None:
        """Note that the program knows it is to end."""
        self._is_told_to_end = True
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ignore(number: int, frame: FrameType | None) -> None:
    """Do nothing: signals are read from the pipe, and are written there only if they have a handler."""


def _break_off(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - what a handler is given
    """Interrupt work that keeps the loop from reading that it is to end; the position is saved on the way."""
    raise SystemExit(0)
