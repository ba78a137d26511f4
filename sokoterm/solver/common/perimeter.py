"""Perimeter: the meeting place of forward and backward searches of a level.

A position visited from both ends joins two halves of a solution.  As in Festival's perimeter (Shoham and Schaeffer,
"The FESS algorithm", 2020, and its program), every strategy of a portfolio registers its visited positions in one
place.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from sokoterm.engine.bits import Bitboard


class Met(Protocol):
    """The positions a search has visited, by the keys of ``Packing``."""

    def __contains__(self, key: int, /) -> bool: ...


class Side:
    """The positions visited by all searches from one end."""

    def __init__(self) -> None:
        self._trails: list[tuple[Met, Callable[[int], list[Bitboard]]]] = []

    @property
    def tables(self) -> list[Met]:
        """The positions visited by each search."""
        return [met for met, _ in self._trails]

    @contextmanager
    def registered(self, met: Met, trail: Callable[[int], list[Bitboard]]) -> Iterator[None]:
        """Share the positions of a search for as long as the context lasts.

        ``trail`` returns the boxes of all states from the search's end to one of its positions.
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
        """Return the boxes of every state from this end to a position in ``self``."""
        return next(trail(key) for met, trail in self._trails if key in met)


class Perimeter:
    """The positions visited from the start of a level, and those visited from its goals."""

    def __init__(self) -> None:
        self.from_start = Side()
        self.from_goals = Side()
