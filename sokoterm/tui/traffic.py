"""Traffic of a session on the line, as ``--stats`` prints it in the end."""

import os
import time
from collections.abc import Callable, Sequence

from sokoterm.language import N_, _, ngettext, number
from sokoterm.terminal.events import Event
from sokoterm.wording.columns import padded, text_width

_SHORTEST = 1.0  # seconds; a rate over less tells little
_NO_KEYS = ("resize", "resume", "hangup")
_ACTIVITIES = {"solving": N_("solving"), "replaying": N_("replaying")}


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
            return _("traffic: bytes sent to this terminal cannot be counted")
        size, seconds = self._first or (0, None)
        first = _bytes_text(size)
        if seconds is not None:
            first = _("{bytes}, {ms} ms after start", bytes=first, ms=number(1000 * seconds))
        answered = _spread([1000 * each for each in self._answered])
        rows = [
            (_("first picture"), first),
            (
                _("pictures"),
                ngettext(
                    "{pictures:,}; {n:,} byte in all", "{pictures:,}; {n:,} bytes in all", sent, pictures=self._pictures
                ),
            ),
            (_("a move, bytes"), _spread(self._moves)),
            (
                # Translators: the times from a key to the picture that answers it.
                _("key to picture"),
                ngettext("{times} ms; {n:,} key", "{times} ms; {n:,} keys", self._keys, times=answered),
            ),
            *((_(_ACTIVITIES[name]), self._rate(name)) for name in self._bytes),
        ]
        width = max(text_width(label) for label, text in rows) + 1
        return "\n".join(f"{padded(label, width)}{text}" for label, text in rows)

    def _rate(self, activity: str) -> str:
        seconds, count = self._seconds[activity], self._bytes[activity]
        if seconds < _SHORTEST:
            if not seconds:
                # Translators: the line shows the traffic while a search or a replay ran; there was none.
                return _("never")
            return _("{bytes}, for {seconds} s", bytes=_bytes_text(count), seconds=number(seconds, 1))
        return ngettext(
            "{n:,} byte a second, for {seconds} s",
            "{n:,} bytes a second, for {seconds} s",
            round(count / seconds),
            seconds=number(seconds, 1),
        )


def _bytes_text(count: int) -> str:
    return ngettext("{n:,} byte", "{n:,} bytes", count)


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
        # Translators: there were none of these times, or moves.
        return _("none")
    ordered = sorted(figures)
    half, nearly_all = (ordered[round(part * (len(ordered) - 1))] for part in (0.5, 0.95))
    places = 1 if any(isinstance(each, float) for each in figures) else 0
    median, p95, most = (number(each, places) for each in (half, nearly_all, ordered[-1]))
    # Translators: p95 is the 95th percentile.
    return _("{median} median, {p95} p95, {most} most", median=median, p95=p95, most=most)
