"""Interruptible work: a generator that yields every few positions and returns the result.

The caller may do something else at a yield, or close the generator.
"""

from collections.abc import Generator
from typing import TypeVar

from sokoterm.engine.slices import finish as finish

_Result = TypeVar("_Result")

Steps = Generator[None, None, _Result]

# Positions expanded between two yields.
EVERY = 10
