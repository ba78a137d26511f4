"""Keys, signals and wake-ups of a POSIX terminal; a signal becomes a key."""

import os
import signal
from contextlib import ExitStack, suppress
from select import select
from time import monotonic

from sokoterm.terminal.encoding import keyboard_encoding
from sokoterm.terminal.events import SLOW_LINE, Event
from sokoterm.terminal.key_decoder import ANSWER, SYNCHRONIZES, KeyDecoder
from sokoterm.terminal.output_line import Line
from sokoterm.terminal.signals import HANGUP, LEAVE_SECONDS, WOKEN, Signals

# The longest wait for the line when the player quits.
_STALLED_SECONDS = 10.0

_SIGNAL_KEYS = {
    "SIGWINCH": "resize",
    "SIGTERM": HANGUP,
    "SIGHUP": HANGUP,
    "SIGQUIT": HANGUP,
    "SIGINT": "C-c",
    "SIGCONT": "resume",
    "SIGTSTP": "C-z",
}


class PosixKeys:
    """Keys from standard input, signals, wake-ups and room on the line, all awaited with one ``select``."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._decoder = KeyDecoder(keyboard_encoding())
        self._signals = Signals(_SIGNAL_KEYS)
        self._saved_mode: list[object] = []
        self._is_told_to_end = False
        self._heard_at = 0.0

    def start(self) -> None:
        """Let single bytes through, including Ctrl-C and Ctrl-Z, and turn signals into keys."""
        import termios  # POSIX

        with suppress(termios.error):  # the terminal has gone: reading keys will report it
            self._saved_mode = list(termios.tcgetattr(0))
            mode = termios.tcgetattr(0)
            mode[0] &= ~(termios.IXON | termios.ICRNL | termios.INLCR)
            mode[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
            mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
            termios.tcsetattr(0, termios.TCSANOW, mode)
        self._signals.start()

    def stop(self) -> None:
        """Give the keyboard back once the line is empty; a process that was told to end does not wait long."""
        if not self._signals.are_taken and not self._saved_mode:
            return
        with ExitStack() as steps:  # all of them, the last one first, even if one fails
            steps.callback(self._signals.quit_if_told)
            steps.callback(self._restore_mode)
            # Ctrl-C must not keep the terminal from being given back.
            steps.callback(self._signals.stop, ignoring=("SIGINT",))
            steps.callback(self._drain)

    def _restore_mode(self) -> None:
        import termios  # POSIX

        mode, self._saved_mode = self._saved_mode, []
        if mode:
            with suppress(termios.error):  # the terminal has gone: nothing to restore
                termios.tcsetattr(0, termios.TCSANOW, mode)  # type: ignore[arg-type]

    def wake(self) -> None:
        self._signals.wake()

    def read(self, timeout: float | None) -> list[Event]:
        """Return the events of one packet, or none when the line has accepted more output or become free.

        An incomplete sequence ends when its time is up. A hang-up comes without the keys before it: there is no time.
        """
        patience, heard_at = self._decoder.patience, self._heard_at
        left = None if patience is None else max(0.0, heard_at + patience - monotonic())
        events = self._read_once(min((each for each in (timeout, left) if each is not None), default=None))
        is_over = patience is not None and monotonic() >= heard_at + patience
        if is_over and self._heard_at == heard_at:  # no byte came; signals and wake-ups do not count
            events += self._decoder.flush()
        if SYNCHRONIZES in events:
            self._line.synchronizes = True
            events = [event for event in events if event != SYNCHRONIZES]
        if ANSWER in events:
            found_slow = [self._line.answered() for event in events if event == ANSWER]
            events = [event for event in events if event != ANSWER]
            if any(found_slow):
                events.append(SLOW_LINE)
        if HANGUP in events:
            self._is_told_to_end = True
            self._signals.told_to_end()
            return [HANGUP]
        return events

    def _read_once(self, timeout: float | None) -> list[Event]:
        line = self._line
        waits = [each for each in (timeout, line.until_late()) if each is not None]
        ready, writable, _ = select([0, self._signals.descriptor], line.writers, [], min(waits, default=None))
        events: list[Event] = []
        if writable:
            line.flush()
        line.look_at_clock()
        if self._signals.descriptor in ready:
            events += (name for name in self._signals.read() if name != WOKEN)
        if 0 in ready:
            self._heard_at = monotonic()
            try:
                data = os.read(0, 4096)
            except OSError:
                data = b""
            events += self._decoder.feed(data) if data else [HANGUP]
        if line.is_gone:
            events.append(HANGUP)
        return events

    def _drain(self) -> None:
        """Wait until the line has taken everything and answered (not to the shell), or for a signal to end."""
        end = monotonic() + _STALLED_SECONDS
        while self._line.waiting and not self._is_told_to_end and (left := end - monotonic()) > 0:
            self.read(left)
        while not self._is_told_to_end and (left := min(self._line.until_told() or 0.0, end - monotonic())) > 0:
            self.read(left)
        end = monotonic() + LEAVE_SECONDS / 2
        while self._line.writers and (left := end - monotonic()) > 0:
            select([], self._line.writers, [], left)
            self._line.flush()
        self._line.drop()


def stop_process() -> None:
    """Stop the whole job, as Ctrl-Z does by default; returns when it is continued."""
    signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    os.kill(0, signal.SIGTSTP)


def keys_from_terminal() -> None:
    """Make standard input the terminal again after reading a pack from it; raises OSError without a terminal."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        terminal = os.open(os.ttyname(1), os.O_RDWR)
    os.dup2(terminal, 0)
    os.close(terminal)
