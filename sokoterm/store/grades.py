"""How hard a pack is, by how hard some of its levels are."""

from collections.abc import Sequence

from sokoterm.store.known import Grade

# The levels of a pack by which it is judged.
_SAMPLE = 9


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
