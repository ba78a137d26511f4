"""The way to the terminal: everything that is written there goes through here, is counted, and holds nobody up.

A terminal that takes no more, because its line is slow or nobody reads at the other end, must not stop the program from
seeing keys and signals: what it does not take waits here, and the next picture is begun when the one before is through.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Line:
    """The way to the terminal on a descriptor; ``sent`` counts bytes, ``is_gone`` says that there is no terminal."""

    def __init__(self, terminal: int = 1) -> None:
        self.sent = 0
        self.is_gone = False
        self._terminal = terminal
        self._waiting = bytearray()
        self._scratch: int | None = None

    @property
    def is_busy(self) -> bool:
        """Whether the last picture is still on its way: another one has to wait."""
        return bool(self._waiting)

    @property
    def waiting(self) -> int:
        """How many bytes the terminal has not taken yet; a copy, which may be repeated at will, waits for none."""
        return len(self._waiting)

    @property
    def writers(self) -> list[int]:
        """The descriptor that has to have room before ``flush`` is of use, for ``select``."""
        return [self._terminal] if self._waiting else []

    def send(self, data: bytes) -> None:
        """Write as much as the terminal takes now; the rest waits for ``flush``."""
        self.sent += len(data)
        self._waiting += data
        self.flush()

    def send_picture(self, data: bytes) -> None:
        """Send what makes a picture; the line is busy until that is through."""
        self.send(data)

    @contextmanager
    def caught(self, written: bytearray) -> Iterator[None]:
        """Add to ``written`` what C code writes to the terminal meanwhile, instead of having it written.

        It goes to a file without a name: unlike a pipe, that takes any number of bytes at once.  Raises OSError where
        it has not taken all, of which C code says nothing.
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
            what = f"no room to draw a picture: {error.strerror}, see ulimit -f; sokoterm --plain draws none"
            raise OSError(error.errno, what) from None

    def flush(self) -> None:
        """Write more of what waits, as much as the terminal takes now.

        The shell has the terminal open by the same descriptor: it is kept from blocking for this one call alone.
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
        """Give up what waits."""
        self._waiting.clear()

    # What a slow line adds; see slow_line.py

    def until_late(self) -> float | None:
        """Seconds until ``look_at_clock`` may find the line no longer busy; None where no clock tells."""
        return None

    def look_at_clock(self) -> None:
        """See whether the picture on its way has had its time."""

    def answered(self) -> None:
        """The terminal has answered the question at the end of a picture."""


def _scratch_file() -> int:
    """A file without a name, in memory where the system knows such files."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("sokoterm")
    from tempfile import TemporaryFile

    with TemporaryFile() as file:
        return os.dup(file.fileno())
