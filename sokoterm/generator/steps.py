"""Interruptible work: a generator that yields every few positions and returns the result.

The caller may do something else at a yield, or close the generator.
"""

from collections.abc import Generator
from typing import TypeVar

_Result = TypeVar("_Result")

Steps = Generator[None, None, _Result]

# Positions expanded between two yields.
EVERY = 10


def finish(steps: Steps[_Result]) -> _Result:
    """Run the work to its end and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: _Result = end.value
            return result
