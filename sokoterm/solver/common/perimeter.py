"""Where the searches of a level meet that begin at its start with those that begin at its end.

A position that one of them makes and another, from the other end, has met before joins two half ways to a solution.
The idea is that of Festival's perimeter (Shoham and Schaeffer, "The FESS algorithm", 2020, and its program): every
strategy of a portfolio notes what it meets in one place.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from sokoterm.engine.bits import Bitboard


class Met(Protocol):
    """What a search has met, by the keys of ``Packing``."""

    def __contains__(self, key: int, /) -> bool: ...


class Side:
    """What the searches from one end have met."""

    def __init__(self) -> None:
        self._trails: list[tuple[Met, Callable[[int], list[Bitboard]]]] = []

    @property
    def tables(self) -> list[Met]:
        """What each of the searches has met."""
        return [met for met, _ in self._trails]

    @contextmanager
    def joined(self, met: Met, trail: Callable[[int], list[Bitboard]]) -> Iterator[None]:
        """Have the positions of a search found while it goes on.

        ``trail`` gives the boxes of all states from its end to one of them.
        """
        entry = met, trail
        self._trails.append(entry)
        try:
            yield
        finally:
            self._trails.remove(entry)

    def __contains__(self, key: int) -> bool:
        for met, _ in self._trails:  # noqa: SIM110 - any() of a generator takes three times as long
            if key in met:
                return True
        return False

    def trail(self, key: int) -> list[Bitboard]:
        """The boxes of every state from this end to a position that is in here."""
        return next(trail(key) for met, trail in self._trails if key in met)


class Perimeter:
    """The positions met from the start of a level, and those met from its end."""

    def __init__(self) -> None:
        self.from_start = Side()
        self.from_goals = Side()
