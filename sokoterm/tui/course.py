"""A pack that is being played: its levels in order, and what the player has done of them."""

from collections.abc import Sequence

from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.printable import printable
from sokoterm.library.progress import Best, Summary
from sokoterm.library.progress import Progress as ProgressStore


class Course:
    """A pack with the player's progress, read from the store when it is first needed."""

    def __init__(self, pack: Pack, key: str, name: str, store: ProgressStore) -> None:
        self.pack = pack
        self.key = key
        self.name = printable(pack.title.strip()) or printable(name)
        self._store = store
        self._numbers = [level.number for level in pack.levels]
        self._hashes: dict[int, str] = {}
        self._best: dict[int, Best] = {}
        self._figures: dict[int, Summary | None] = {}

    @property
    def numbers(self) -> list[int]:
        """The numbers of the levels that can be read, in order."""
        return self._numbers

    @property
    def entries(self) -> list[Level | LevelError]:
        """What the pack numbers, in order: levels, and the errors that stand in place of those that cannot be read."""
        entries: list[Level | LevelError] = [*self.pack.levels, *self.pack.errors]
        return sorted(entries, key=_number_of)

    def why_missing(self, number: int) -> str:
        """Why there is no level of this number to play."""
        error = next((error for error in self.pack.errors if error.level == number), None)
        if error is None:
            return f"no level {number}: there are {self.pack.size}"
        return f"level {number} cannot be read: {printable(error.problem)}"

    def best(self, level: Level) -> Best:
        """The player's best solutions of a level."""
        if level.number not in self._best:
            self._best[level.number] = self._store.best(level)
        return self._best[level.number]

    def figures(self, level: Level) -> Summary | None:
        """The player's best figures of a level, None where it is not solved."""
        if level.number not in self._figures:
            self._read_figures([level])
        return self._figures[level.number]

    def refresh(self) -> None:
        """Forget what the store said: a level has been solved."""
        self._best.clear()
        self._figures.clear()

    def next_number(self, number: int) -> int | None:
        return next((each for each in self._numbers if each > number), None)

    def previous_number(self, number: int) -> int | None:
        return next((each for each in reversed(self._numbers) if each < number), None)

    def next_unsolved(self, number: int) -> int | None:
        """The first unsolved level after ``number``, beginning anew at the end of the pack; not ``number`` itself."""
        after = [each for each in self._numbers if each > number]
        before = [each for each in self._numbers if each < number]
        return next((each for each in after + before if not self.is_solved(each)), None)

    def is_solved(self, number: int) -> bool:
        """Whether the player has solved the level with this number."""
        level = self.pack.find_level(number)
        return level is not None and self.figures(level) is not None

    def solved_count(self) -> int:
        """How many levels are solved; reads the whole pack's figures at once."""
        self._read_figures([level for level in self.pack.levels if level.number not in self._figures])
        return sum(figures is not None for figures in self._figures.values())

    def start_number(self) -> int | None:
        """The level the player left, else the first unsolved, else the first; None where none can be read."""
        left = self._store.load_place(self.key)
        if left in self._numbers:
            return left
        return self.next_unsolved(0) or next(iter(self._numbers), None)

    def _read_figures(self, levels: Sequence[Level]) -> None:
        found = self._store.summaries(map(self._hash_of, levels))
        self._figures.update((level.number, found.get(self._hash_of(level))) for level in levels)

    def _hash_of(self, level: Level) -> str:
        if level.number not in self._hashes:
            self._hashes[level.number] = level_hash(level)
        return self._hashes[level.number]


def _number_of(entry: Level | LevelError) -> int:
    return entry.number if isinstance(entry, Level) else entry.level
