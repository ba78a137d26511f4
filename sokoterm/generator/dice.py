"""Reproducible random choices from a given stream of numbers.

``shuffle``, ``choice`` and ``sample`` of the standard library may use the same stream differently in another version of
Python; these never do.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from sokoterm.solver.common.draws import draws

_Item = TypeVar("_Item")


class Dice:
    """Random choices from a stream of numbers over 0 < x <= 1, each taking one number."""

    def __init__(self, numbers: Iterator[float]) -> None:
        self._numbers = numbers

    @classmethod
    def of(cls, *seeds: int) -> "Dice":
        """Make the dice for some integers, such as the seed of a batch and the number of a level.

        >>> Dice.of(1, 2).below(100), Dice.of(2, 1).below(100)
        (50, 24)
        """
        seed = 0
        for each in seeds:
            seed = int(next(draws(seed ^ each)) * 2.0**53)
        return cls(draws(seed))

    def below(self, count: int) -> int:
        """Return an integer from 0 to ``count`` - 1."""
        return min(count - 1, int(next(self._numbers) * count))

    def choice(self, items: Sequence[_Item]) -> _Item:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[_Item]) -> list[_Item]:
        """Return all items in random order (Fisher and Yates)."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
