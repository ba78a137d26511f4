"""What a session holds in memory of all that is on disk, or that can be found out again."""

from collections.abc import Callable
from typing import TypeVar

_Key = TypeVar("_Key")
_Kept = TypeVar("_Kept")


def keep_last(held: dict[_Key, _Kept], size: Callable[[_Key], int], most: int) -> None:
    """Drop the oldest entries, until those that are left have a size of ``most`` in all.

    >>> held = {"a": 30, "b": 50, "c": 20}
    >>> keep_last(held, held.__getitem__, 75)
    >>> held
    {'b': 50, 'c': 20}
    """
    total = 0
    for key in reversed(list(held)):
        total += size(key)
        if total > most:
            del held[key]
