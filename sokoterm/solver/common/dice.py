"""Random numbers and choices that a seed reproduces on every machine and in every version of Python.

``shuffle``, ``choice`` and ``sample`` of the standard library may use a stream differently in another version.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")

_WORD = (1 << 64) - 1


def mixed(word: int) -> int:
    """Hash a 64-bit word to 64 random-looking bits, one to one: the finalizer of SplitMix64."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31


def draws(seed: int) -> Iterator[float]:
    """Yield random numbers, uniform over 0 < x <= 1, without end.

    SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).

    >>> numbers = draws(1)
    >>> [round(next(numbers), 6) for _ in range(3)]
    [0.566562, 0.745782, 0.971003]
    """
    state = seed & _WORD
    while True:
        state = state + 0x9E3779B97F4A7C15 & _WORD
        yield (mixed(state) + 1) * 2.0**-64


class Dice:
    """Random choices from a stream of numbers over 0 < x <= 1, one number per choice."""

    def __init__(self, numbers: Iterator[float]) -> None:
        self._numbers = numbers

    @classmethod
    def of(cls, *seeds: int) -> "Dice":
        """Seed the dice with integers, such as the seed of a batch and the number of a level.

        >>> Dice.of(1, 2).below(100), Dice.of(2, 1).below(100)
        (54, 83)
        """
        seed = 0
        for each in seeds:
            seed = int(next(draws(seed ^ each)) * 2.0**53)
        return cls(draws(seed))

    def below(self, count: int) -> int:
        """Return an integer from 0 to ``count`` - 1."""
        return min(count - 1, int(next(self._numbers) * count))

    def choice(self, items: Sequence[_Item]) -> _Item:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[_Item]) -> list[_Item]:
        """Return all items in random order (Fisher and Yates)."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
