"""Grades of levels and packs by difficulty: read from the index, or worked out bit by bit.

A pack is graded by a sample of its levels. Those that are not graded yet count by an estimate, so that all indexed
packs have a grade at once; the estimates give way to grades, levels on small boards first. A level is graded once, in
however many packs it stands.

The solver is loaded with the first level that is graded.
"""

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from math import inf

from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.solver.figures import FIGURES_VERSION, DifficultyFigures, difficulty, in_short, written
from sokoterm.solver.search import Limits
from sokoterm.store.known_levels import Grade, estimated, grade_of
from sokoterm.store.library import LibraryIndex, SampleRow
from sokoterm.store.packs import PackError, PackFile

# New grades are published at most this often, so that a slow line is not busy with them.
_SHOWN_SECONDS = 0.25

# Boards of more squares keep their estimate: a single step of the search could keep a key waiting for a second.
_MOST_SQUARES = 512
# Rounds of boards up to so many squares: each reads a pack once at most.
_ROUNDS = (64, 90, 120, 160, 220, 300, _MOST_SQUARES)


class Grading:
    """Grades of levels, and of packs by a sample of their levels."""

    def __init__(
        self, index: LibraryIndex, read: Callable[[PackFile], Pack], is_small: Callable[[PackFile], bool]
    ) -> None:
        """``read`` opens a pack if it ``is_small``; it raises PackError."""
        self._index = index
        self._read = read
        self._is_small = is_small
        self._levels: dict[str, dict[int, Grade]] = {}
        self._samples: dict[str, list[SampleRow]] | None = None
        # Grades by level hash, of samples and of this session; and those of packs, which change with them.
        self._graded: dict[str, Grade] = {}
        self._packs: dict[str, Grade] = {}
        # A number of packs, and the level hashes in their samples that can be graded.
        self._in_reach: tuple[int, set[str]] | None = None
        # Packs that could not be read.
        self._failed: set[str] = set()
        # Grades not published yet: by pack and number for the lists, by level hash for the index.
        self._new: dict[str, dict[int, Grade]] = {}
        self._to_keep: dict[str, Grade] = {}
        self._shown_at = 0.0

    def is_in_reach(self, level: Level) -> bool:
        """True if a level is graded, and does not keep its estimate."""
        return _squares(level) <= _MOST_SQUARES

    def levels(self, key: str) -> Mapping[int, Grade]:
        """Return the known grades of the levels of a pack, by number, without estimates."""
        if key not in self._levels:
            self._levels.update(self._index.grades([key], FIGURES_VERSION))
        return self._levels[key]

    def packs(self, keys: Sequence[str]) -> Mapping[str, Grade]:
        """Return the grades of packs, by key; those of packs that are not fully graded are estimates."""
        samples = self._sampled()
        for key in keys:
            if key not in self._packs and key in samples:
                self._packs[key] = grade_of([self._grade_of(row) for row in samples[key]])
        return {key: self._packs[key] for key in keys if key in self._packs}

    def progress(self, keys: Sequence[str]) -> tuple[int, int]:
        """Return how many of the levels by which these packs are graded have been graded, and how many can be."""
        if self._in_reach is None or self._in_reach[0] != len(keys):
            samples = self._sampled()
            rows = [row for key in keys for row in samples.get(key, ())]
            self._in_reach = len(keys), {row.hash for row in rows if row.squares <= _MOST_SQUARES}
        levels = self._in_reach[1]
        return len(levels & self._graded.keys()), len(levels)

    def _sampled(self) -> Mapping[str, list[SampleRow]]:
        """Return the levels by which packs are graded, by the key of the pack."""
        if self._samples is None:
            rows = self._index.samples(FIGURES_VERSION)
            self._samples = {key: list(some) for key, some in groupby(rows, key=lambda row: row.key)}
            for row in rows:
                if row.number is not None and row.shown is not None:
                    self._graded[row.hash] = Grade(row.number, row.shown)
        return self._samples

    def _grade_of(self, row: SampleRow) -> Grade:
        return self._graded.get(row.hash) or estimated(row.estimate)

    def forget(self) -> None:
        """Forget the grades: the index has more."""
        self.show()
        self._levels.clear()
        self._packs.clear()
        self._samples = None
        self._in_reach = None

    # Grading

    def grade_levels(self, key: str, levels: Sequence[Level]) -> Iterator[bool]:
        """Grade the levels of a pack in small steps, those on small boards first; yields False."""
        self._levels[key] = {**self.levels(key), **self._index.grades([key], FIGURES_VERSION)[key]}
        for level in sorted(levels, key=_squares):
            if level.number not in self.levels(key) and self.is_in_reach(level):
                yield from self._grade(key, level)
        self.show()

    def grade_packs(self, files: Sequence[PackFile]) -> Iterator[bool]:
        """Grade packs in small steps, the levels on small boards first; yields True after each round of them."""
        rounds: list[dict[str, list[SampleRow]]] = [{} for _ in _ROUNDS]
        by_key = {file.key: file for file in files if file.key not in self._failed}
        for key in by_key:
            for row in self._sampled().get(key, ()):
                if row.squares <= _MOST_SQUARES and row.hash not in self._graded:
                    rounds[bisect_left(_ROUNDS, row.squares)].setdefault(key, []).append(row)
        for packs in filter(None, rounds):
            for key, rows in packs.items():
                if any(row.hash not in self._graded for row in rows) and self._is_small(by_key[key]):
                    yield from self._grade_sample(by_key[key], rows)
            self.show()
            yield True

    def _grade_sample(self, file: PackFile, rows: Sequence[SampleRow]) -> Iterator[bool]:
        try:
            pack = self._read(file)
        except (PackError, LevelError):
            self._failed.add(file.key)
            return
        yield False
        for row in rows:
            level = pack.find_level(row.place)
            if level is not None and row.hash not in self._graded:
                yield from self._grade(file.key, level)

    def _grade(self, key: str, level: Level) -> Iterator[bool]:
        puzzle = level_hash(level)
        grade = self._graded.get(puzzle) or self._to_keep.get(puzzle)
        if grade is None:
            from sokoterm.solver.difficulty import Rating  # searches, once the first picture is there

            rating = Rating(level)
            for _ in rating.search(level.board, level.start, Limits(inf, 0, 0, time.perf_counter)):
                yield False
            assert rating.figures is not None
            grade = graded(rating.figures)
            self._to_keep[puzzle] = grade
        self._new.setdefault(key, {})[level.number] = grade
        if time.perf_counter() - self._shown_at >= _SHOWN_SECONDS:
            self.show()

    def show(self) -> None:
        """Publish new grades, here and in the index."""
        for key, grades in self._new.items():
            self._levels[key] = {**self.levels(key), **grades}
        if self._to_keep:
            self._index.keep_grades(self._to_keep, FIGURES_VERSION)
            self._graded |= self._to_keep
            self._packs.clear()
        self._new.clear()
        self._to_keep.clear()
        self._shown_at = time.perf_counter()


def graded(figures: DifficultyFigures) -> Grade:
    """Return the grade that figures make."""
    return Grade(difficulty(figures), in_short(figures), written(figures))


def _squares(level: Level) -> int:
    return level.board.stride * level.board.height
