"""A line that is known to be slow: no picture is begun before the one before has arrived.

So keys that come meanwhile are all handled first, and are all in the one picture that follows: ten presses of an arrow
are ten moves and two pictures, not ten pictures that queue up and leave the player behind.

When has a picture arrived?  Over SSH the system does not tell: the server takes every byte at once and queues it out of
sight, and no size of a queue and no speed can be asked for.  So the terminal itself is asked, by four bytes at the end
of each picture, for its status (DSR 5, ECMA-48 8.3.35).  It answers, by four bytes, when it has shown what came before,
whatever lies between, and how fast the line is need not be known.  Where no answer comes, time has to do.
"""

from time import monotonic

from sokoterm.tui.terminal.output_line import Line

QUESTION = b"\x1b[5n"

# An answer is waited for so many seconds, beside those that the bytes of a picture take at 2,400 baud.
_PATIENCE = 3.0
_SLOWEST = 240

# Where none comes, two pictures are so many seconds apart, beside those that the bytes take at 9,600 baud.
_PAUSE = 0.25
_USUAL = 960


class SlowLine(Line):
    """A Line that is busy until its last picture has arrived."""

    def __init__(self, terminal: int = 1, *, can_ask: bool) -> None:
        """``can_ask`` says that the terminal is of a kind that answers."""
        super().__init__(terminal)
        self._asks = can_ask
        self._late_at: float | None = None

    @property
    def is_busy(self) -> bool:
        return self._late_at is not None or super().is_busy

    def send_picture(self, data: bytes) -> None:
        if not data:
            return
        if self._asks:
            self.send(data + QUESTION)
            self._late_at = monotonic() + _PATIENCE + len(data) / _SLOWEST
        else:
            self.send(data)
            self._late_at = monotonic() + _PAUSE + len(data) / _USUAL

    def until_late(self) -> float | None:
        return None if self._late_at is None else max(0.0, self._late_at - monotonic())

    def look_at_clock(self) -> None:
        """A terminal that has not answered in time is asked no more, unless its answer is still to come."""
        if self._late_at is not None and monotonic() >= self._late_at:
            self._late_at = None
            self._asks = False

    def answered(self) -> None:
        self._late_at = None
        self._asks = True

    def drop(self) -> None:
        super().drop()
        self._late_at = None
