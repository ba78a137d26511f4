"""Work in slices: a generator that yields the number of steps of each slice and finally returns its result.

The caller may do something else between slices, or abandon the work. Functions that work this way end in
``_in_slices``.
"""

from collections.abc import Generator
from typing import Generic, TypeVar

_Result = TypeVar("_Result")

Slices = Generator[int, None, _Result]
Steps = Generator[None, None, _Result]
"""Work in slices that are not counted."""

# A step takes about a quarter of a microsecond, a slice some tenths of a millisecond at most.
STEPS_A_SLICE = 500


def finish(work: Generator[object, None, _Result]) -> _Result:
    """Run the work to its end and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: _Result = end.value
            return result


class Later(Generic[_Result]):
    """Work done slice by slice; ``result`` is None until it ``is_done``."""

    def __init__(self, work: Slices[_Result]) -> None:
        self.result: _Result | None = None
        self.is_done = False
        self._work = work

    def go_on(self) -> int:
        """Do one slice; return the number of steps it took."""
        try:
            return next(self._work)
        except StopIteration as end:
            self.result, self.is_done = end.value, True
            return 0
