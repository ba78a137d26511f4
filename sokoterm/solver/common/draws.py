"""Reproducible random numbers: the same for a seed on every machine and in every version of Python."""

from collections.abc import Iterator

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
