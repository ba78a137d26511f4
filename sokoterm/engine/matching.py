"""Bipartite matching of boxes to goals: a perfect matching, or a set of boxes with too few goals.

A row is a box, its bits are the goals it can reach.
"""

from collections.abc import Sequence


def can_match(rows: Sequence[int]) -> bool:
    """True if every row can be matched to one of its columns."""
    return not find_hall_violator(rows)


def find_hall_violator(rows: Sequence[int]) -> list[int]:
    """Return the indices of a minimal set of rows with one column too few; empty if all rows can be matched.

    Kuhn's algorithm, started from a greedy matching: the rows visited when a row finds no column form such a set (P.
    Hall, "On Representatives of Subsets", Journal of the London Mathematical Society 10, 1935).
    """
    owner, unmatched = _greedy_matching(rows)
    for row in unmatched:
        met: list[int] = []
        if _augment(rows, owner, row, met, 0) >= 0:
            return met
    return []


def count_matched(rows: Sequence[int]) -> int:
    """Return the size of a maximum matching of rows to columns."""
    owner, unmatched = _greedy_matching(rows)
    return len(rows) - sum(_augment(rows, owner, row, [], 0) >= 0 for row in unmatched)


def _greedy_matching(rows: Sequence[int]) -> tuple[dict[int, int], list[int]]:
    owner: dict[int, int] = {}
    taken = 0
    unmatched = []
    for row, columns in enumerate(rows):
        free = columns & ~taken
        if free:
            owner[free & -free] = row
            taken |= free & -free
        else:
            unmatched.append(row)
    return owner, unmatched


def _augment(rows: Sequence[int], owner: dict[int, int], row: int, met: list[int], tried: int) -> int:
    """Match a row by an augmenting path and return -1, or return the columns tried; append visited rows to ``met``."""
    met.append(row)
    free = rows[row] & ~tried
    while free:
        column = free & -free
        tried |= column
        if column in owner:
            tried = _augment(rows, owner, owner[column], met, tried)
            if tried >= 0:
                free = rows[row] & ~tried
                continue
        owner[column] = row
        return -1
    return tried
