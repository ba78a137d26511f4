"""Small values of the index, in a module of their own so that the first frame does not wait for the index to load."""

import os
from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.lurd import Solution
from sokoterm.engine.value import Value
from sokoterm.store.packs import PackFile

# The number of levels by which a pack is graded.
_SAMPLE = 9


class Stamp(NamedTuple):
    """Version of a file: its size, and its time in nanoseconds."""

    size: int
    time: int


class Grade(NamedTuple):
    """Difficulty of a level: a number to sort by, and its display (``71``, ``71+``, ``-``)."""

    number: int
    shown: str


class LevelPlace(NamedTuple):
    """Place of a level; ``key`` is that of its pack."""

    key: str
    pack: str
    number: int


class Known(Value):
    """A solution that came with a file, replayed by the rules; ``credit`` is its finder or its source."""

    solution: Solution
    credit: str


class Words(Value):
    """Searchable words of a pack, in lower case: its title and author, and the titles of its levels, one a line.

    ``numbers`` are those of the levels of these lines; titles that only repeat the number are left out.
    """

    pack: str
    titles: str
    numbers: tuple[int, ...]

    def find_level(self, words: str) -> int | None:
        """Return the number of the first level with these words in its title."""
        place = self.titles.find(words)
        return self.numbers[self.titles.count("\n", 0, place)] if place >= 0 else None


def stamp_of(file: PackFile) -> Stamp | None:
    """Return the stamp of a pack, or of the archive that holds it; None if there is no such file."""
    if file.data is not None:
        from binascii import crc32

        # An address may return other content another time.
        return Stamp(len(file.data), crc32(file.data))
    path = file.path
    while path:
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            # Perhaps a member of an archive, which has the stamp of the archive.
            path = os.path.dirname(path) if os.path.dirname(path) != path else ""
            continue
        return None if os.path.isdir(path) else Stamp(status.st_size, status.st_mtime_ns)
    return None


def sample_of(numbers: Sequence[int]) -> list[int]:
    """Return the numbers of the levels by which a pack is graded: a few, evenly spread, or all if there are no more.

    >>> sample_of(range(1, 156))
    [9, 26, 44, 61, 78, 95, 112, 130, 147]
    """
    count = min(_SAMPLE, len(numbers))
    return [numbers[(2 * i + 1) * len(numbers) // (2 * count)] for i in range(count)]


def grade_of(sample: Sequence[Grade]) -> Grade:
    """Return the grade of a pack: the median of those of its sample."""
    return sorted(sample)[(len(sample) - 1) // 2]
