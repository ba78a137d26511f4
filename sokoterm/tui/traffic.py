"""Traffic of a session on the line, as ``--stats`` prints it in the end."""

import os
import time
from collections.abc import Callable, Sequence

from sokoterm.tui.terminal.terminal import Event

_SHORTEST = 1.0  # seconds; a rate over less tells little
_NO_KEYS = ("resize", "resume", "hangup")


class Traffic:
    """Counts bytes, pictures and keys; the event loop reports everything that is read and painted."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._first: tuple[int, float | None] | None = None
        self._pictures = 0
        self._keys = 0
        self._answered: list[float] = []
        self._moves: list[int] = []
        self._unanswered: float | None = None
        self._activity = ""
        self._moves_made: int | None = None
        self._looked_at = clock()
        self._bytes = {"solving": 0, "replaying": 0}
        self._seconds = {"solving": 0.0, "replaying": 0.0}

    def pressed(self, events: Sequence[Event]) -> None:
        """Count events that have been read."""
        if "resume" in events:
            self.resumed()
        count = sum(event not in _NO_KEYS for event in events)
        self._keys += count
        if count and self._unanswered is None:
            self._unanswered = self._clock()

    def resumed(self) -> None:
        """Leave out the time of a suspension that has just ended."""
        self._looked_at = self._clock()
        self._unanswered = None

    def painted(self, size: int, activity: str, moves: int | None) -> None:
        """Count a picture of so many bytes, none if nothing had changed or the line was busy.

        ``activity`` is ``solving``, ``replaying`` or empty; ``moves`` is the number of moves of the play, None without
        a board.
        """
        now = self._clock()
        if self._activity:
            self._seconds[self._activity] += now - self._looked_at
            self._bytes[self._activity] += size
        self._activity, self._looked_at = activity, now
        if not size:
            return
        before, self._moves_made = self._moves_made, moves
        self._pictures += 1
        if self._first is None:
            self._first = size, seconds_since_start()
        if self._unanswered is not None:
            self._answered.append(now - self._unanswered)
            self._unanswered = None
        if before is not None and moves is not None and abs(moves - before) == 1:
            self._moves.append(size)

    def report(self, sent: int) -> str:
        """Return the lines to print; ``sent`` is the number of all bytes that went to the terminal."""
        if not sent:
            return "traffic: bytes sent to this terminal cannot be counted"
        size, seconds = self._first or (0, None)
        since = "" if seconds is None else f", {1000 * seconds:.0f} ms after start"
        return "\n".join(
            [
                f"first picture  {size:,} bytes{since}",
                f"pictures       {self._pictures:,}; {sent:,} bytes in all",
                f"a move, bytes  {_spread(self._moves)}",
                f"key to picture {_spread([1000 * each for each in self._answered])} ms; {self._keys:,} keys",
                *(f"{name:<14} {self._rate(name)}" for name in self._bytes),
            ]
        )

    def _rate(self, activity: str) -> str:
        seconds, count = self._seconds[activity], self._bytes[activity]
        if seconds < _SHORTEST:
            return f"{count:,} bytes, for {seconds:.1f} s" if seconds else "never"
        return f"{count / seconds:,.0f} bytes a second, for {seconds:.1f} s"


def seconds_since_start() -> float | None:
    """Return the seconds since the process began, to a hundredth; None if the system does not tell."""
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:
            began = int(file.read().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return time.clock_gettime(time.CLOCK_BOOTTIME) - began
    except (OSError, AttributeError, ValueError, IndexError):
        return None


def _spread(figures: Sequence[float]) -> str:
    """Return median, 95th percentile and maximum in words; ``none`` without figures."""
    if not figures:
        return "none"
    ordered = sorted(figures)
    median, p95 = (ordered[round(part * (len(ordered) - 1))] for part in (0.5, 0.95))
    digits = 1 if any(isinstance(each, float) for each in figures) else 0
    return f"{median:.{digits}f} median, {p95:.{digits}f} p95, {ordered[-1]:.{digits}f} most"
