"""Work in steps: a generator that yields between them and finally returns its result.

The caller may do something else between steps, pause, or abandon the work.
"""

from collections.abc import Generator
from typing import TypeVar

_Result = TypeVar("_Result")

Steps = Generator[None, None, _Result]


def finish(work: Generator[object, None, _Result]) -> _Result:
    """Run the work to its end and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: _Result = end.value
            return result
