"""Small values of the index, apart from it: the first picture does not wait for the index to be loaded."""

import os
from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.lurd import Solution
from sokoterm.engine.value import Value
from sokoterm.store.packs import PackFile

# The levels of a pack by which it is judged.
_SAMPLE = 9


class Stamp(NamedTuple):
    """What changes when a file does: its size, and its time in nanoseconds."""

    size: int
    time: int


class Grade(NamedTuple):
    """How hard a level is: a number to sort by, and what is shown of it (``71``, ``71+``, ``-``)."""

    number: int
    shown: str


class LevelPlace(NamedTuple):
    """Where a level stands; ``key`` is that of its pack."""

    key: str
    pack: str
    number: int


class Known(Value):
    """A solution that a file brought, replayed by the rules; ``credit`` says who found it, or where it stands."""

    solution: Solution
    credit: str


class Words(Value):
    """What a search finds a pack by, in lower case: its title and author, and the titles of its levels, a line each.

    ``numbers`` are those of the levels of the lines; a title that only repeats the number is not among them.
    """

    pack: str
    titles: str
    numbers: tuple[int, ...]

    def find_level(self, words: str) -> int | None:
        """The number of the first level with these words in its title."""
        place = self.titles.find(words)
        return self.numbers[self.titles.count("\n", 0, place)] if place >= 0 else None


def stamp_of(file: PackFile) -> Stamp | None:
    """The stamp of a pack: of the archive that holds it, where it is a member; None where there is no such file."""
    if file.data is not None:
        from binascii import crc32

        # For an address may bring something else another time.
        return Stamp(len(file.data), crc32(file.data))
    path = file.path
    while path:
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            # A member of an archive: it has the stamp of the archive.
            path = os.path.dirname(path) if os.path.dirname(path) != path else ""
            continue
        return None if os.path.isdir(path) else Stamp(status.st_size, status.st_mtime_ns)
    return None


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
