"""Non-blocking terminal output, with byte counts.

A terminal that accepts no more, because its line is slow or nobody reads at the other end, must not keep the program
from seeing keys and signals: the rest waits here, and the next picture starts when the previous one has been sent.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic

from sokoterm.language import _

# The status request (DSR 5, ECMA-48 8.3.35), which terminals answer with four bytes once all before it is shown.
QUESTION = b"\x1b[5n"

# The line is timed with the first picture of this many bytes, and is slow below this many bytes per second.
_TIMED_BYTES = 2000
_SLOW = 8000

# The terminal shows everything between these in one go (synchronized output, mode 2026), so that a picture of at
# least this many bytes is never seen half drawn.
_BEGIN_PICTURE, _END_PICTURE = b"\x1b[?2026h", b"\x1b[?2026l"
_LARGE = 200

# The longest wait for an answer, besides the time that the bytes of a picture take at 2,400 baud.
_PATIENCE = 3.0
_SLOWEST = 240

# The longest wait for answers when the player quits, and on a slow line that has never answered.
_LAST_PATIENCE = 0.5
_LAST_PATIENCE_SLOW = 1.0

# Without answers, the pause between pictures, besides the time that the bytes take at 9,600 baud.
_PAUSE = 0.25
_USUAL = 960


class Line:
    """Output to the terminal on a descriptor; ``sent`` counts bytes, ``is_gone`` says that the terminal is gone.

    ``synchronizes`` says that the terminal shows a picture between two marks in one go.

    A line that ``is_slow`` is busy until its last picture has arrived. All keys that come meanwhile go into the one
    picture that follows: ten presses of an arrow are ten moves and two pictures, not ten pictures that queue up and
    leave the player behind.

    Over SSH the system does not tell when a picture has arrived, as the server accepts every byte immediately and
    queues it out of sight. So the terminal itself is asked for its status at the end of each picture; without answers,
    the wait is estimated. A line not known to be slow is timed once, by a status request before and after the first
    large picture.
    """

    def __init__(self, terminal: int = 1, *, can_ask: bool = False, is_slow: bool = False) -> None:
        """``can_ask`` says that this kind of terminal answers."""
        self.sent = 0
        self.is_gone = False
        self.synchronizes = False
        self.is_slow = is_slow
        self._can_ask = can_ask
        # Callbacks for the answers still to come.
        self._awaited: deque[Callable[[float], None]] = deque()
        self._asked_at = 0.0
        self._has_heard = False
        self._is_timed = is_slow
        self._timed_from = 0.0
        self._late_at: float | None = None
        self._terminal = terminal
        self._waiting = bytearray()
        self._scratch: int | None = None

    @property
    def is_busy(self) -> bool:
        """True while the last picture is on its way: the next one has to wait."""
        return self._late_at is not None or bool(self._waiting)

    @property
    def waiting(self) -> int:
        """The number of bytes that the terminal has not accepted yet."""
        return len(self._waiting)

    @property
    def writers(self) -> list[int]:
        """The descriptor that needs room before the next ``flush``, for ``select``."""
        return [self._terminal] if self._waiting else []

    def send(self, data: bytes) -> None:
        """Write as much as the terminal accepts now; the rest waits for ``flush``."""
        self.sent += len(data)
        self._waiting += data
        self.flush()

    def send_picture(self, data: bytes) -> None:
        """Send a picture; the line is busy until it is through, and a slow one until it has arrived."""
        if not data:
            return
        if self.synchronizes and len(data) > _LARGE:
            data = _BEGIN_PICTURE + data + _END_PICTURE
        if self.is_slow:
            self._send_slowly(data)
        elif self._can_ask and not self._is_timed and len(data) >= _TIMED_BYTES:
            self._is_timed = True
            self.send(QUESTION + data + QUESTION)
            self._await(self._begin_timing)
            self._await(partial(self._end_timing, len(data)))
        else:
            self.send(data)

    def ask(self, question: bytes) -> None:
        """Send a question that the terminal may leave unanswered, followed by one that it answers."""
        if self._can_ask:
            self.send(question + QUESTION)
            self._await(lambda __: None)

    @contextmanager
    def caught(self, written: bytearray) -> Iterator[None]:
        """Collect in ``written`` what C code writes to the terminal inside the block.

        It goes to an unnamed file, which unlike a pipe accepts any number of bytes. Raises OSError if the file did not
        take everything, which C code does not report.
        """
        if self._scratch is None:
            self._scratch = _scratch_file()
        terminal = os.dup(self._terminal)
        try:
            os.dup2(self._scratch, self._terminal)
            yield
        finally:
            os.dup2(terminal, self._terminal)
            os.close(terminal)
            size = os.lseek(self._scratch, 0, os.SEEK_CUR)
            written += os.pread(self._scratch, size, 0)
            os.lseek(self._scratch, 0, os.SEEK_SET)
        try:
            os.pwrite(self._scratch, b"\0", size)
        except OSError as error:
            told = {"problem": error.strerror, "command": "ulimit -f", "plain": "sokoterm --plain"}
            what = _("no room to draw the screen: {problem}, see {command}; {plain} needs none", **told)
            raise OSError(error.errno, what) from None

    def flush(self) -> None:
        """Write more of what waits, as much as the terminal accepts now.

        The shell has the terminal open by the same descriptor, so it is non-blocking only during this call.
        """
        if not self._waiting:
            return
        try:
            os.set_blocking(self._terminal, False)
            del self._waiting[: os.write(self._terminal, self._waiting)]
        except BlockingIOError:
            pass
        except OSError:
            self.is_gone = True
            self._waiting.clear()
        finally:
            with suppress(OSError):
                os.set_blocking(self._terminal, True)

    def drop(self) -> None:
        """Discard the bytes that wait, and all expected answers."""
        self._waiting.clear()
        self._awaited.clear()
        self._late_at = None

    # Answers

    def until_late(self) -> float | None:
        """Return the seconds until ``look_at_clock`` may stop waiting for a picture; None for never."""
        return None if self._late_at is None else max(0.0, self._late_at - monotonic())

    def look_at_clock(self) -> None:
        """Stop waiting for a picture that is late; the terminal is not asked again until an answer comes."""
        if self._late_at is not None and monotonic() >= self._late_at:
            self._late_at = None
            self._can_ask = False
            self._awaited.clear()

    def answered(self) -> bool:
        """Note an answer to a status request; True if it shows, for the first time, that the line is slow."""
        was_slow, now = self.is_slow, monotonic()
        self._has_heard = True
        if self._awaited:
            self._awaited.popleft()(now)
        else:
            self._arrived(now)
        return self.is_slow and not was_slow

    def until_told(self) -> float | None:
        """Return the seconds that the last answers may still take at the end; None if none are expected."""
        if not self._awaited:
            return None
        if self._late_at is not None and self._has_heard:
            return self.until_late()
        return max(0.0, self._asked_at + (_LAST_PATIENCE_SLOW if self.is_slow else _LAST_PATIENCE) - monotonic())

    def _await(self, note: Callable[[float], None]) -> None:
        self._asked_at = monotonic()
        self._awaited.append(note)

    def _begin_timing(self, now: float) -> None:
        self._timed_from = now

    def _end_timing(self, size: int, now: float) -> None:
        self.is_slow = now - self._timed_from > size / _SLOW

    def _send_slowly(self, data: bytes) -> None:
        if self._can_ask:
            self.send(data + QUESTION)
            self._await(self._arrived)
            self._late_at = monotonic() + _PATIENCE + len(data) / _SLOWEST
        else:
            self.send(data)
            self._late_at = monotonic() + _PAUSE + len(data) / _USUAL

    def _arrived(self, _now: float) -> None:
        self._late_at = None
        self._can_ask = True


def _scratch_file() -> int:
    """Open an unnamed file, in memory if the system has such files."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("sokoterm")
    from tempfile import TemporaryFile  # loads much; once a session

    with TemporaryFile() as file:
        return os.dup(file.fileno())
