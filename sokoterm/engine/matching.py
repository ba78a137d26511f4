"""Boxes and goals of their own for all of them: a perfect matching, or the boxes that have too few goals."""

from collections.abc import Sequence


def can_match(rows: Sequence[int]) -> bool:
    """Whether every row can have a column of its own among those whose bits it has."""
    return not find_crowd(rows)


def find_crowd(rows: Sequence[int]) -> list[int]:
    """The numbers of some rows that have one column too few among them; none if all can be matched.

    Kuhn's algorithm, after each row has taken a column that is still free: the rows met when a row finds no column are
    such a set (P. Hall, "On Representatives of Subsets", Journal of the London Mathematical Society 10, 1935), and
    without any one of them the others can be matched.
    """
    owner, without = _first_come(rows)
    for row in without:
        met: list[int] = []
        if _place(rows, owner, row, met, 0) >= 0:
            return met
    return []


def count_matched(rows: Sequence[int]) -> int:
    """The most rows that can have columns of their own."""
    owner, without = _first_come(rows)
    return len(rows) - sum(_place(rows, owner, row, [], 0) >= 0 for row in without)


def _first_come(rows: Sequence[int]) -> tuple[dict[int, int], list[int]]:
    """The row of each column once every row has taken the first that is free, and the rows that found none."""
    owner: dict[int, int] = {}
    taken = 0
    without = []
    for row, columns in enumerate(rows):
        free = columns & ~taken
        if free:
            owner[free & -free] = row
            taken |= free & -free
        else:
            without.append(row)
    return owner, without


def _place(rows: Sequence[int], owner: dict[int, int], row: int, met: list[int], tried: int) -> int:
    """Finds a column for a row, and gives -1; else adds the rows that were met, and gives the columns ``tried``."""
    met.append(row)
    free = rows[row] & ~tried
    while free:
        column = free & -free
        tried |= column
        if column in owner:
            tried = _place(rows, owner, owner[column], met, tried)
            if tried >= 0:
                free = rows[row] & ~tried
                continue
        owner[column] = row
        return -1
    return tried
