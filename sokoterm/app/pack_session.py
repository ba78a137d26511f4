"""A pack in play: its levels in order, and what the player has done with each."""

import os
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Literal

from sokoterm.app.background import BuildJob
from sokoterm.app.catalog import Catalog
from sokoterm.app.improvement import OPTIMIZER, Improvement, ShowReplay
from sokoterm.app.lookups import LevelLookups
from sokoterm.engine.deadlock.check import cannot_be_played
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.store.packs import PackError, PackFile, Stamp, title_of
from sokoterm.store.progress import ProgressStore
from sokoterm.store.query import Query
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.series import MadeLevel
from sokoterm.store.solutions import Best, Dates, Summary

Aid = Literal["undo", "hint", "solution"]
"""Steps taken back, a push made by the solver, or a solution shown."""

# Levels whose figures are read together: more hash more than is looked at, fewer make more queries.
_AT_ONCE = 50
# Files that are opened to find another of one level.
_MOST_OPENED = 50
# More levels are not counted: each of them has to be hashed.
_MOST_COUNTED = 500


class PackSession:
    """A pack with the player's progress, read from the ``store`` when it is first needed.

    ``numbers`` are those of the levels that can be read, in order.
    """

    def __init__(
        self,
        pack: Pack,
        key: str,
        name: str,
        store: ProgressStore,
        catalog: Catalog,
        stamp: Stamp | None = None,
        scores: ScoreTable | None = None,
    ) -> None:
        """``stamp`` is that of the pack's file before it was read, ``scores`` the table of all accounts, if any."""
        self.pack = pack
        self.key = key
        self.stamp = stamp
        self.name = title_of(pack, name)
        self._file_name = name
        self.lookups = LevelLookups(key, self.name, store, catalog, scores, self._hash_of)
        self.store = store
        self.scores = scores
        self.numbers = [level.number for level in pack.levels]
        self._catalog = catalog
        self._entries: list[Level | LevelError] | None = None
        self._hashes = catalog.hashes(key) if catalog.is_open else {}
        self._best: dict[int, Best] = {}
        self._figures: dict[int, Summary | None] = {}
        self._found_solutions: dict[int, list[ShowReplay]] = {}
        self._improvements: dict[int, list[Improvement]] = {}
        # What was asked last, with all that the answer depends on, and the numbers of the levels found.
        self._found: tuple[tuple[object, ...], Collection[int]] | None = None
        # The pack, and the same with the number of each level in its title.
        self._numbered: tuple[Pack, Pack] | None = None
        self.beside: FilesBeside | None = None

    def move_to(self, file: PackFile) -> None:
        """Go on in another file: that of the pack has been renamed."""
        self.key = self.lookups.key = file.key
        self.name = title_of(self.pack, file.name)
        self._file_name = file.name

    # Levels

    @property
    def entries(self) -> list[Level | LevelError]:
        """The levels in order, with the error of each that cannot be read in its place."""
        if self._entries is None:
            self._entries = sorted([*self.pack.levels, *self.pack.errors], key=number_of)
        return self._entries

    def find_level(self, number: int) -> Level | None:
        """The level with a number; None if there is none that can be played."""
        return self.pack.find_level(number)

    def has_level(self, number: int) -> bool:
        """True if there is a level with this number to play, made yet or not."""
        return self.is_making(number) or self.find_level(number) is not None

    def find_number(self, text: str) -> int:
        """The level number that was typed, 0 for other text."""
        return int(text) if text.isdecimal() else 0

    def next_number(self, number: int) -> int | None:
        return next((each for each in self.numbers if each > number), None)

    def previous_number(self, number: int) -> int | None:
        return next((each for each in reversed(self.numbers) if each < number), None)

    def next_unsolved(self, number: int) -> int | None:
        """The first unsolved level after ``number``, from the start again at the end of the pack; never ``number``."""
        levels = self.pack.levels
        first = bisect_right(levels, number, key=number_of)
        for part in (levels[first:], levels[:first]):
            for start in range(0, len(part), _AT_ONCE):
                some = [level for level in part[start : start + _AT_ONCE] if level.number != number]
                self.read_figures(some)
                if (unsolved := next(filter(self.is_left, some), None)) is not None:
                    return unsolved.number
        return None

    def count_unsolved(self) -> int | None:
        """The number of levels that are not solved; None if there are too many levels to look at."""
        levels = self.pack.levels
        if len(levels) > _MOST_COUNTED:
            return None
        self.read_figures(levels)
        return sum(map(self.is_left, levels))

    def start_number(self) -> int | None:
        """The level the player left, else the first unsolved, else the first; None if none can be read."""
        left = self.store.load_place(self.key)
        return left if left in self.numbers else self.next_unsolved(0) or next(iter(self.numbers), None)

    # Progress

    def best(self, level: Level) -> Best:
        """The player's best solutions of a level."""
        if level.number not in self._best:
            self._best[level.number] = self.store.best(level)
        return self._best[level.number]

    def find_numbers(self, query: Query) -> Collection[int]:
        """The numbers of the levels that answer a query; the number of a level is a word of its title here."""
        marks = self._catalog.marks
        asked = (query, self.pack, self._file_name, marks, self._catalog.lessons)
        if self._found is None or self._found[0] != asked:
            if self._numbered is None or self._numbered[0] is not self.pack:
                numbered = [level._replace(title=f"{level.number} {level.title}") for level in self.pack.levels]
                self._numbered = self.pack, self.pack._replace(levels=tuple(numbered))
            numbers = marks.numbers_in(query, self._numbered[1], self._file_name, self.stamp, self._hash_of)
            self._found = asked, numbers
        return self._found[1]

    def forget_found(self) -> None:
        """Forget which levels answered the last query: levels have been graded."""
        self._found = None

    def figures(self, level: Level) -> Summary | None:
        """The player's best figures of a level, None if it is not solved."""
        if level.number not in self._figures:
            self.read_figures([level])
        return self._figures[level.number]

    def read_figures(self, levels: Sequence[Level]) -> None:
        """Read the figures of several levels in one query, before they are asked for one by one."""
        unknown = [level for level in levels if level.number not in self._figures]
        if unknown:
            found = self.store.summaries(map(self._hash_of, unknown))
            self._figures.update((level.number, found.get(self._hash_of(level))) for level in unknown)

    def is_solved(self, number: int) -> bool:
        """True if the player has solved the level with this number."""
        level = self.pack.find_level(number)
        return level is not None and self.figures(level) is not None

    def is_left(self, level: Level) -> bool:
        """True if the player has not solved a level that can be played."""
        return not self.is_solved(level.number) and not cannot_be_played(level.board, level.start)

    def dates(self, level: Level) -> Dates:
        """The dates on which the player solved a level, and the time put into it."""
        return self.store.dates(level)

    def found_solutions(self, level: Level) -> list[ShowReplay]:
        """The solver's solutions of a level in this session, the newest last; the caller appends to them."""
        return self._found_solutions.setdefault(level.number, [])

    def improvements(self, level: Level) -> list[Improvement]:
        """The improvements of solutions of a level in this session, the latest last; the caller appends to them."""
        return self._improvements.setdefault(level.number, [])

    def keep_improved(self, level: Level, solution: Solution) -> str | None:
        """Keep a solution as known, apart from the player's own; return one line if it cannot be written yet."""
        self.store.keep_found(level, solution, OPTIMIZER)
        self.lookups.forget_found(level)
        return self.store.save_rows()

    def keep_proven(self, level: Level, metric: Objective, solution: Solution) -> str | None:
        """Keep that no solution has fewer moves or pushes; return one line if it cannot be written yet."""
        if metric not in (Objective.MOVES, Objective.PUSHES):
            return None
        self.lookups.proven(level)[metric] = metric.measure(solution)
        self.store.keep_proven(level, metric, metric.measure(solution))
        return self.store.save_rows()

    def refresh(self) -> None:
        """Forget what the store said: a level has been solved."""
        self._best.clear()
        self._figures.clear()
        self.lookups.refresh()
        if self._catalog.is_open:
            self._catalog.refresh()

    @property
    def is_planning_off(self) -> bool:
        """True if the player has turned walk-to and push-to off in this pack: the action ``plain``."""
        return self.store.load_planning_off(self.key)

    def set_planning_off(self, is_planning_off: bool) -> str | None:
        """Remember it; return one line if it cannot be written yet."""
        return self.store.save_planning_off(self.key, is_planning_off)

    # Recording of play

    def take_up(self, level: Level, game: Game) -> str | None:  # noqa: ARG002 - a floor may change it
        """Note that a level is played on, with its game as it was left; return one line if that is not saved yet."""
        return self.store.save_place(self.key, level.number)

    def save(self, level: Level, game: Game, seconds: float, *, is_over: bool) -> str | None:
        """Save a play with the seconds since the last save; return one line if it cannot be written yet.

        A solved position is resumed by the next session, but not once the level ``is_over``.
        """
        is_solved = is_over and game.is_solved
        return self.store.save_play(level, game.edits, game.cursor, game.bookmarks, seconds, is_solved=is_solved)

    def note_aid(self, level: Level, aid: Aid, lurd: str) -> None:
        """Note help that the player took; the position is the one after the moves ``lurd``.

        Steps taken back are no help; a generated pack counts them.
        """
        if aid != "undo":
            self.store.note_help(level, lurd)

    def _hash_of(self, level: Level) -> str:
        if level.number not in self._hashes:
            self._hashes[level.number] = level_hash(level)
        return self._hashes[level.number]

    # What generated packs have beyond others

    def is_making(self, number: int) -> bool:  # noqa: ARG002
        """True if a level can be played and is still to be built."""
        return False

    def jobs(self, number: int) -> Sequence[BuildJob]:  # noqa: ARG002
        """The levels to build for a player who is at a level, or waits for it; the first is wanted most."""
        return ()

    def find_made(self, number: int) -> MadeLevel | None:  # noqa: ARG002
        """A level as it was generated; None if it was not."""
        return None

    def has_result(self, number: int) -> bool:  # noqa: ARG002
        """True if there is a result to share at a level."""
        return False


class FilesBeside:
    """The files of one level beside another in its folder, which are played as one pack."""

    def __init__(
        self, files: Sequence[PackFile], open_pack_session: Callable[[PackFile], PackSession], catalog: Catalog
    ) -> None:
        """``files`` are all that the player can open."""
        self._files = files
        self._open = open_pack_session
        self._catalog = catalog
        self._unsolved: dict[str, PackSession | None] = {}

    def next(self, pack_session: PackSession, step: int) -> PackSession | None:
        """Open the file after that of a pack, or before it (-1)."""
        before, after = self._around(pack_session)
        return next(self._opened(after if step > 0 else before[::-1]), None)

    def unsolved(self, pack_session: PackSession) -> PackSession | None:
        """Open the next file that is not solved, from the first again at the end of the folder."""
        key = pack_session.key
        found = self._unsolved.get(key)
        if key not in self._unsolved or found is not None and found.next_unsolved(0) is None:
            before, after = self._around(pack_session)
            unsolved = self._opened([*after, *before], is_unsolved=True)
            self._unsolved[key] = next((each for each in unsolved if each.next_unsolved(0) is not None), None)
        return self._unsolved[key]

    def _around(self, pack_session: PackSession) -> tuple[Sequence[PackFile], Sequence[PackFile]]:
        """Return the files of the folder before and after that of a pack; none if it has more than one level."""
        own = next((file for file in self._files if file.key == pack_session.key), None)
        if own is None or pack_session.pack.size != 1:
            return (), ()
        folder = os.path.dirname(own.path)
        beside = [file for file in self._files if os.path.dirname(file.path) == folder]
        place = beside.index(own)
        return beside[:place], beside[place + 1 :]

    def _opened(self, files: Sequence[PackFile], *, is_unsolved: bool = False) -> Iterator[PackSession]:
        """Open those with one level, unsolved ones alone if need be; no others that the index knows are read."""
        figures = self._catalog.figures(files) if self._catalog.is_open else {}

        def may_be(file: PackFile) -> bool:
            known = figures.get(file.key)
            if known is None:
                return self._catalog.is_small(file)
            return known.levels == 1 and not (is_unsolved and known.is_done)

        for file in islice(filter(may_be, files), _MOST_OPENED):
            with suppress(PackError):
                pack_session = self._open(file)
                if len(pack_session.numbers) == pack_session.pack.size == 1:
                    yield pack_session


def number_of(entry: Level | LevelError) -> int:
    """The number of a level, or of one that cannot be read."""
    return entry.number if isinstance(entry, Level) else entry.level
