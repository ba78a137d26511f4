"""Work in steps: a generator that the caller may pause or abandon at each yield, and that returns its result."""

import gc
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

_Event = TypeVar("_Event")
_Result = TypeVar("_Result")

Steps = Generator[None, None, _Result]


class Events(Generic[_Event, _Result]):
    """The events of a generator, to be iterated once; afterwards ``result`` is its return value."""

    def __init__(self, events: Generator[_Event, None, _Result]) -> None:
        self._events = events

    def __iter__(self) -> Generator[_Event, None, None]:
        self.result: _Result = yield from self._events


def finish(events: Generator[object, None, _Result]) -> _Result:
    work = Events(events)
    for _ in work:
        pass
    return work.result


@contextmanager
def uncollected() -> Iterator[None]:
    """Turn off garbage collection: searches and large texts make no cycles, and traversing their tables takes long."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
