"""Grades of levels and packs by difficulty: read from the index, or worked out bit by bit.

The module is loaded when grades are first asked for, since the solver comes with it.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.solver.difficulty import FIGURES_VERSION, Rating, difficulty, in_short
from sokoterm.solver.protocol import Limits
from sokoterm.store.known_levels import Grade
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackError, PackFile

# The number of levels by which a pack is graded.
_SAMPLE = 9
# New grades are published at most this often, so that a slow line is not busy with them.
_SHOWN_SECONDS = 0.25

# Boards of more bits are not graded: a single step could keep a key waiting for a second. That is not kept either.
_MOST_BITS = 512
_TOO_LARGE = Grade(1 << 30, "?")


class IndexedGrading:
    """Grades of levels, and of packs by a sample of their levels: a Grading."""

    def __init__(
        self, index: LibraryIndex, read: Callable[[PackFile], Pack], is_small: Callable[[PackFile], bool]
    ) -> None:
        """``read`` opens a pack if it ``is_small``; it raises PackError."""
        self._index = index
        self._read = read
        self._is_small = is_small
        self._levels: dict[str, dict[int, Grade]] = {}
        self._packs: dict[str, Grade | None] = {}
        # Grades not published yet.
        self._new: dict[str, dict[int, Grade]] = {}
        self._to_keep: dict[str, Grade] = {}
        self._shown_at = 0.0

    def levels(self, key: str) -> Mapping[int, Grade]:
        """Return the known grades of the levels of a pack, by number."""
        if key not in self._levels:
            self._levels.update(self._index.grades([key], FIGURES_VERSION))
        return self._levels[key]

    def packs(self, keys: Sequence[str]) -> Mapping[str, Grade]:
        """Return the known grades of packs, by key."""
        asked = [key for key in keys if key not in self._packs]
        if asked:
            own = {key: self._levels[key] for key in asked if self._levels.get(key)}
            self._levels.update(self._index.grades(asked, FIGURES_VERSION) | own)
            hashes = self._index.hashes(asked)
            self._packs.update((key, self._grade_of(key, sorted(hashes[key]))) for key in asked)
        return {key: grade for key in keys if (grade := self._packs[key]) is not None}

    def _grade_of(self, key: str, numbers: Sequence[int]) -> Grade | None:
        """The grade of a pack with levels of these numbers, once those of its sample are known."""
        sample = [self.levels(key).get(number) for number in sample_of(numbers)]
        known = [grade for grade in sample if grade is not None]
        return grade_of(known) if known and len(known) == len(sample) else None

    def forget(self) -> None:
        """Forget the grades: the index has more."""
        self.show()
        self._levels.clear()
        self._packs.clear()

    # Grading

    def grade_levels(self, key: str, levels: Sequence[Level]) -> Iterator[None]:
        """Grade the levels of a pack in small steps, known ones excepted."""
        for level in levels:
            if level.number not in self.levels(key):
                yield from self._grade(key, level)
        self.show()

    def grade_packs(self, files: Sequence[PackFile]) -> Iterator[None]:
        """Grade packs in small steps, large ones excepted."""
        for file in files:
            if self._packs.get(file.key) is not None or not self._is_small(file):
                continue
            try:
                pack = self._read(file)
            except (PackError, LevelError):
                continue
            yield
            numbers = [level.number for level in pack.levels]
            for level in filter(None, map(pack.find_level, sample_of(numbers))):
                if level.number not in self.levels(file.key):
                    yield from self._grade(file.key, level)
            self.show()
            self._packs[file.key] = self._grade_of(file.key, numbers)

    def _grade(self, key: str, level: Level) -> Iterator[None]:
        if level.board.stride * level.board.height > _MOST_BITS:
            self._new.setdefault(key, {})[level.number] = _TOO_LARGE
            return
        rating = Rating(level)
        for _ in rating.search(level.board, level.start, Limits(1.0, 0, 0, time.perf_counter)):
            yield
        assert rating.figures is not None
        grade = Grade(difficulty(rating.figures), in_short(rating.figures))
        self._new.setdefault(key, {})[level.number] = grade
        self._to_keep[level_hash(level)] = grade
        if time.perf_counter() - self._shown_at >= _SHOWN_SECONDS:
            self.show()

    def show(self) -> None:
        """Publish new grades, here and in the index."""
        for key, grades in self._new.items():
            self._levels[key] = {**self.levels(key), **grades}
        if self._to_keep:
            self._index.keep_grades(self._to_keep, FIGURES_VERSION)
        self._new.clear()
        self._to_keep.clear()
        self._shown_at = time.perf_counter()


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
