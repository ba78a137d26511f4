"""Work that can be broken off: a generator that stops for a moment after every few hundred positions.

Who drives it may do something else there, or close it; what the work was for is what it returns.
"""

from collections.abc import Generator
from typing import TypeVar

from sokoterm.engine.slices import finish as finish

_Result = TypeVar("_Result")

Steps = Generator[None, None, _Result]

# Positions looked at from one stop to the next.
EVERY = 10
