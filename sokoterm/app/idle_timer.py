"""Whether anybody is still there."""

from collections.abc import Callable


class IdleTimer:
    """How long ago the person was last seen, by a key or the mouse, against the minutes that are waited for."""

    def __init__(self, minutes: float | None, clock: Callable[[], float]) -> None:
        """``minutes`` may be None: the person may stay away for ever; ``clock`` gives seconds."""
        self._minutes = minutes
        self._clock = clock
        self._seen = clock() if minutes is not None else 0.0

    def note(self) -> None:
        """The person is there."""
        if self._minutes is not None:
            self._seen = self._clock()

    @property
    def seconds_left(self) -> float | None:
        """Seconds that are still waited, 0 where the time is over; None for ever."""
        return None if self._minutes is None else max(0.0, self._seen + 60 * self._minutes - self._clock())

    @property
    def farewell(self) -> str:
        """What is said to whoever comes back too late."""
        unit = "minute" if self._minutes == 1 else "minutes"
        return f"nothing was pressed for {self._minutes or 0:g} {unit}: saved and left"
