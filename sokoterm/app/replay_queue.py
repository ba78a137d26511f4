"""Results of replays that no picture waits for: they go on in slices, a few with each picture and more in between."""

from typing import Protocol, TypeVar

from sokoterm.engine.slices import Later, Slices

_Result = TypeVar("_Result")

# A step takes about two microseconds, and a picture asks for up to four results.
STEPS_AT_SIGHT = 1_500
STEPS_AT_REST = 4_000


class _Going(Protocol):
    """A replay, whatever it comes to."""

    @property
    def is_done(self) -> bool: ...

    def go_on(self) -> int: ...


class Replays:
    """Replays under way; the one that was begun last goes on first, for that is what the player looks at."""

    def __init__(self) -> None:
        self._going: list[_Going] = []

    def begin(self, work: Slices[_Result]) -> Later[_Result]:
        """Begin a replay; nothing of it is done yet."""
        later = Later(work)
        self._going.append(later)
        return later

    @property
    def has_work(self) -> bool:
        return bool(self._going)

    def go_on(self, steps: int) -> None:
        """Go on for so many steps, and at most for one slice more."""
        while self._going and steps > 0:
            steps -= self._going[-1].go_on()
            if self._going[-1].is_done:
                self._going.pop()
