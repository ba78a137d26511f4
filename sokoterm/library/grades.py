"""How hard levels are, as it was found out: kept by level hash, so that it is found out once."""

from collections.abc import Sequence
from typing import NamedTuple

# The levels of a pack by which it is judged.
_SAMPLE = 9


class Grade(NamedTuple):
    """How hard a level is: a number to sort by, and what is shown of it (``71``, ``71+``, ``-``)."""

    number: int
    shown: str


def sample_of(numbers: Sequence[int]) -> list[int]:
    """The numbers of the levels by which a pack is judged: a few, evenly spread, all where there are no more.

    >>> sample_of(range(1, 156))
    [9, 26, 44, 61, 78, 95, 112, 130, 147]
    """
    count = min(_SAMPLE, len(numbers))
    return [numbers[(2 * i + 1) * len(numbers) // (2 * count)] for i in range(count)]


def grade_of(sample: Sequence[Grade]) -> Grade:
    """The grade of a pack by those of its sample: the one in the middle."""
    return sorted(sample)[(len(sample) - 1) // 2]
