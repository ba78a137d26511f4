"""Lists of packs and levels: folders, orders and what a query finds; packs opened from a list; the player's own packs.

Progress stays whatever becomes of a pack: it is kept by level.
"""

import math
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from time import perf_counter
from typing import Any, NamedTuple

from sokoterm.app.catalog import Catalog, LevelSort
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.value import Value
from sokoterm.store.known_levels import Grade, estimate, estimated
from sokoterm.store.library_folder import is_own, named_own, pack_renaming, put_level, remove_own, rename
from sokoterm.store.named_packs import check_not_shipped
from sokoterm.store.packs import PackError, PackFile, natural_key
from sokoterm.store.progress import ProgressStore
from sokoterm.store.query import EVERY, Query, is_name

Entry = Level | LevelError

# Grading takes turns of this length, so that no key waits longer, with rests of this length between them.
_WORK_SECONDS = 0.01
_REST_SECONDS = 0.02

# Of a pack with more levels only those shown are graded.
_MOST_LEVELS = 2_000

# Packs that are indexed before the list is told of them, since it then counts anew.
_NEW_PACKS = 25

SORTS = (
    LevelSort.PLACE,
    LevelSort.DIFFICULTY,
    LevelSort.UNSOLVED,
    LevelSort.PLAYED,
    LevelSort.TITLE,
    LevelSort.SIZE,
    LevelSort.BOXES,
)
"""The orders of lists, in the order in which a key takes them."""

# Sorted behind all that are known.
_UNKNOWN = Grade(1 << 30, "")
_MOST_OPEN = 8  # packs that are kept in memory once they have been read


# Folders


class Folder(Value):
    """A folder of packs in a list: its path in the library, and the packs in it and below it."""

    path: str
    files: tuple[PackFile, ...]
    is_folded: bool

    @property
    def name(self) -> str:
        """Its own name."""
        return parts_of(self.path)[-1]

    @property
    def depth(self) -> int:
        """The number of folders around it."""
        return len(folders_of(self.path))


def parts_of(name: str) -> list[str]:
    """Return the folders in the name of a pack, and its own name."""
    return name.replace("\\", "/").split("/")


def folders_of(name: str) -> list[str]:
    """Return the paths of the folders around a pack or folder, the outermost first."""
    parts = parts_of(name)
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def tree_of(files: Sequence[PackFile], folded: Collection[str]) -> list[PackFile | Folder]:
    """Return packs with their folders before them, without those in folded ones."""
    return list(_rows(files, 0, folded))


def _rows(files: Sequence[PackFile], depth: int, folded: Collection[str]) -> Iterator[PackFile | Folder]:
    inside: dict[str, list[PackFile]] = {}
    order: list[PackFile | str] = []
    for file in files:
        around = folders_of(file.name)
        if len(around) <= depth:
            order.append(file)
            continue
        path = around[depth]
        if path not in inside:
            inside[path] = []
            order.append(path)
        inside[path].append(file)
    for row in order:
        if isinstance(row, PackFile):
            yield row
            continue
        is_folded = row in folded
        yield Folder(row, tuple(inside[row]), is_folded)
        if not is_folded:
            yield from _rows(inside[row], depth + 1, folded)


# Orders


class Graded(NamedTuple):
    """Progress of grading: the levels graded, of those to grade; for a list of packs also those that have a grade."""

    levels: int
    all_levels: int
    packs: int = 0
    all_packs: int = 0


class SortOrder:
    """The order of lists, and the grading it needs, done while no key is pressed.

    An order stands until ``take``: rows do not move under the cursor while grading goes on.
    """

    def __init__(self, catalog: Catalog, is_busy: Callable[[], bool] = lambda: False) -> None:
        """``is_busy`` is true while the solver works for the player: then nothing is graded."""
        self._catalog = catalog
        self._is_busy = is_busy
        self._entries: dict[str, Sequence[Entry]] = {}
        self._files: Sequence[PackFile] | None = None
        self._work: Iterator[bool] | None = None
        # The levels of a pack that can be graded: its key, and their number.
        self._in_reach = ("", 0)
        self._is_done = False
        self._lessons = 0

    @property
    def sort(self) -> LevelSort:
        """The order in force."""
        return self._catalog.sort

    @property
    def is_by_difficulty(self) -> bool:
        return self.sort is LevelSort.DIFFICULTY

    def set(self, sort: LevelSort) -> None:
        """Take an order."""
        self._catalog.sort = sort
        self.take()

    def turn(self, step: int) -> None:
        """Take the next order, or the one before."""
        self.set(SORTS[(SORTS.index(self.sort) + step) % len(SORTS)])

    def take(self) -> None:
        """Sort again when a list is next asked for, by the grades known then."""
        self._entries.clear()
        self._files = None
        self.rest()

    # Lists

    def entries(self, pack_session: PackSession) -> Sequence[Entry]:
        """Return the levels of a pack in order; those that cannot be read come last."""
        if self.sort is LevelSort.PLACE:
            return pack_session.entries
        if pack_session.key not in self._entries:
            rank = self._rank_in(pack_session)
            self._entries = {pack_session.key: sorted(pack_session.entries, key=rank)}
        return self._entries[pack_session.key]

    def _rank_in(self, pack_session: PackSession) -> Callable[[Entry], Any]:
        """Return the sort key of the levels of a pack."""
        key, levels = pack_session.key, pack_session.pack.levels
        match self.sort:
            case LevelSort.DIFFICULTY:
                grades = self.grades(pack_session)
                return lambda entry: _rank_of(entry, grades)
            case LevelSort.PLAYED:
                played = self._catalog.last_played()
                return _last_if_wrong(lambda level: -played.get((key, level.number), 0.0))
            case LevelSort.UNSOLVED:
                pack_session.read_figures(levels)
                return _last_if_wrong(lambda level: pack_session.figures(level) is not None)
            case LevelSort.TITLE:
                return _last_if_wrong(lambda level: (not level.title, natural_key(level.title)))
            case LevelSort.BOXES:
                return _last_if_wrong(lambda level: (level.boxes, _area(level)))
        return _last_if_wrong(_area)

    def found(self, pack_session: PackSession, query: Query) -> Sequence[Entry]:
        """Return the levels of a pack that answer a query, in order; a number is a word too."""
        entries = self.entries(pack_session)
        if query == EVERY:
            return entries
        numbers = pack_session.find_numbers(query)
        return [
            entry
            for entry in entries
            if (entry.number in numbers if isinstance(entry, Level) else is_name(query, str(entry.level)))
        ]

    def files(self, files: Sequence[PackFile]) -> Sequence[PackFile]:
        """Return packs in order."""
        if self.sort is LevelSort.PLACE:
            return files
        if self._files is None or len(self._files) != len(files):
            self._files = sorted(files, key=self._rank_of_packs(files))
        return self._files

    def _rank_of_packs(self, files: Sequence[PackFile]) -> Callable[[PackFile], Any]:
        """Return the sort key of packs; those that are not indexed come last."""
        match self.sort:
            case LevelSort.DIFFICULTY:
                grades = self.pack_grades(files)
                return lambda file: _rank(grades.get(file.key))
            case LevelSort.PLAYED:
                played: dict[str, float] = {}
                for (key, _), date in self._catalog.last_played().items():
                    played[key] = max(date, played.get(key, 0.0))
                return lambda file: -played.get(file.key, 0.0)
            case LevelSort.UNSOLVED:
                unsolved = self._catalog.unsolved()
                return lambda file: not unsolved.get(file.key, True)
            case LevelSort.TITLE:
                return lambda file: natural_key(os.path.basename(file.name))
        means = self._catalog.find_packs(EVERY)
        is_by_boxes = self.sort is LevelSort.BOXES

        def mean(file: PackFile) -> tuple[float, ...]:
            match = means.get(file.key)
            if match is None:
                return (math.inf,)
            return (match.boxes, match.squares) if is_by_boxes else (match.squares,)

        return mean

    def next_unsolved(self, pack_session: PackSession, number: int) -> int | None:
        """Return the first unsolved level after this one, from the start again at the end; never the level itself."""
        if self.sort is LevelSort.PLACE:
            return pack_session.next_unsolved(number)
        levels = [entry for entry in self.entries(pack_session) if isinstance(entry, Level)]
        first = next((place for place, level in enumerate(levels, start=1) if level.number == number), 0)
        after = [level for level in (*levels[first:], *levels[:first]) if level.number != number]
        pack_session.read_figures(levels)
        return next((level.number for level in after if pack_session.is_left(level)), None)

    def shown_levels(self, pack_session: PackSession) -> Callable[[int], str | None]:
        """Return the shown grade of each level by its number, None in the usual order."""
        grades = self.grades(pack_session)

        def shown(number: int) -> str | None:
            if not self.is_by_difficulty:
                return None
            level = pack_session.find_level(number)
            return _grade_of(level, grades).shown if level is not None else "?"

        return shown

    def shown_packs(self, files: Sequence[PackFile]) -> Callable[[str], str | None]:
        """Return the shown grade of each of these packs by its key, ``?`` if unknown, None in the usual order."""
        grades = self.pack_grades(files)
        return lambda key: (grades[key].shown if key in grades else "?") if self.is_by_difficulty else None

    def progress(self, files: Sequence[PackFile], pack_session: PackSession | None) -> Graded | None:
        """Return the progress of grading a pack, or the list of packs; None if nothing goes on."""
        if not self.is_by_difficulty or self._is_done:
            return None
        if pack_session is None:
            done, total = self._catalog.grading.progress([file.key for file in files])
            return Graded(done, total, len(self.pack_grades(files)), len(files))
        if self._in_reach[0] != pack_session.key:
            count = sum(map(self._catalog.grading.is_in_reach, pack_session.pack.levels))
            self._in_reach = pack_session.key, count
        return Graded(len(self.grades(pack_session)), self._in_reach[1])

    def grades(self, pack_session: PackSession) -> Mapping[int, Grade]:
        """Return the known grades of the levels of a pack; none in the usual order."""
        return self._catalog.grading.levels(pack_session.key) if self.is_by_difficulty else {}

    def pack_grades(self, files: Sequence[PackFile]) -> Mapping[str, Grade]:
        """Return the known grades of packs; none in the usual order."""
        keys = [file.key for file in files]
        return self._catalog.grading.packs(keys) if self.is_by_difficulty else {}

    # Work while no key is pressed

    def wake_after(self) -> float | None:
        """Seconds until ``work`` is to be called; None if the order needs no more grades."""
        return _REST_SECONDS if self.is_by_difficulty and not self._is_done and not self._is_busy() else None

    def rest(self) -> None:
        """Stop grading: a key was pressed, and other rows may be shown."""
        self._work = None
        self._is_done = False

    def work(self, shown: Sequence[Entry] | Sequence[PackFile], pack_session: PackSession | None) -> bool:
        """Grade for a moment; return True if lists are sorted again: the grades are complete, or a round of them is.

        ``shown`` are the rows on the screen, of a pack or, if ``pack_session`` is None, of the list of packs.
        """
        if pack_session is None and self._learn():
            return False
        if self._work is None:
            self._work = self._begin(shown, pack_session)
        end = perf_counter() + _WORK_SECONDS
        for is_round in self._work:
            if is_round:
                self._files = None
                return True
            if perf_counter() > end:
                return False
        self._work = None
        self._is_done = True
        if pack_session is not None:
            pack_session.forget_found()
            if not _is_whole(pack_session):
                return False
        self._entries.clear()
        self._files = None
        return True

    def _learn(self) -> bool:
        """Index packs for a moment, for their estimates; return False if there is nothing to index any more."""
        library = self._catalog
        has_work = library.has_work(self._files or ())
        if has_work:
            library.work(self._files or ())
        if library.lessons != self._lessons and (not has_work or library.lessons >= self._lessons + _NEW_PACKS):
            self._lessons = library.lessons
            library.grading.forget()
            self._files = None if not has_work else self._files
        return has_work

    def _begin(self, shown: Sequence[Entry] | Sequence[PackFile], pack_session: PackSession | None) -> Iterator[bool]:
        grading = self._catalog.grading
        if pack_session is None:
            files = [each for each in (*shown, *(self._files or ())) if isinstance(each, PackFile)]
            return grading.grade_packs(files)
        levels = [each for each in shown if isinstance(each, Level)]
        return chain(
            grading.grade_levels(pack_session.key, levels),
            grading.grade_levels(pack_session.key, pack_session.pack.levels if _is_whole(pack_session) else ()),
        )


def _is_whole(pack_session: PackSession) -> bool:
    """True if all levels of a pack are graded."""
    return len(pack_session.pack.levels) <= _MOST_LEVELS


def _last_if_wrong(rank: Callable[[Level], Any]) -> Callable[[Entry], Any]:
    """Return a sort key by which entries that are no levels come last."""
    return lambda entry: (False, rank(entry)) if isinstance(entry, Level) else (True,)


def _area(level: Level) -> int:
    return level.board.width * level.board.height


def _grade_of(level: Level, grades: Mapping[int, Grade]) -> Grade:
    """Return the grade of a level, or an estimate."""
    return grades.get(level.number) or estimated(estimate(level.boxes, level.board.floor.bit_count()))


def _rank(grade: Grade | None) -> tuple[bool, int]:
    """Sort key of a grade: unknown ones and levels without a solution come last."""
    return (grade is None or grade.shown == "-", (grade or _UNKNOWN).number)


def _rank_of(entry: Entry, grades: Mapping[int, Grade]) -> tuple[bool, int]:
    return _rank(_grade_of(entry, grades) if isinstance(entry, Level) else None)


# Opened packs


class OpenPacks:
    """Open pack sessions, by the key of their pack."""

    def __init__(self, open_pack_session: Callable[[PackFile], PackSession], catalog: Catalog) -> None:
        """``open_pack_session`` reads a pack; it raises PackError if it cannot."""
        self._open_pack_session = open_pack_session
        self._catalog = catalog
        self._to_learn: list[tuple[PackFile, PackSession]] = []
        self._pack_sessions: dict[str, PackSession] = {}

    def get(self, file: PackFile) -> PackSession | None:
        """Return the session of a pack that has been opened."""
        return self._pack_sessions.get(file.key)

    def open(self, file: PackFile) -> PackSession | None:
        """Return the session of a pack, opened if need be; None if it cannot be read, and the catalog knows why."""
        pack_session = self.get(file)
        if pack_session is None:
            try:
                pack_session = self._open_pack_session(file)
            except PackError as error:
                self._catalog.note_problem(file, str(error))
                return None
            self._catalog.forget_problem(file)
            self.hold(file, pack_session)
        return pack_session

    def hold(self, file: PackFile, pack_session: PackSession) -> None:
        """Keep a pack session for when it is chosen again, a few at most; index it if it is not known."""
        self._pack_sessions.pop(pack_session.key, None)
        self._pack_sessions[pack_session.key] = pack_session
        if len(self._pack_sessions) > _MOST_OPEN:
            del self._pack_sessions[next(iter(self._pack_sessions))]
        self._to_learn.append((file, pack_session))

    def rename(self, old: PackFile, new: PackFile) -> None:
        """Take the session of a pack along to its new name."""
        pack_session = self._pack_sessions.get(old.key)
        self.drop(old)
        self.drop(new)
        if pack_session is not None:
            pack_session.move_to(new)
            self.hold(new, pack_session)

    def drop(self, file: PackFile) -> None:
        """Close a pack."""
        self._pack_sessions.pop(file.key, None)
        self._to_learn = [each for each in self._to_learn if each[0].key != file.key]

    def waits(self, file: PackFile) -> bool:
        """True if a pack is to be read for its picture."""
        library = self._catalog
        return self.get(file) is None and not library.problem(file) and library.is_small(file)

    def has_work(self, shown: Sequence[PackFile]) -> bool:
        """True if a pack that was opened, or is shown, is to be indexed."""
        return bool(self._to_learn) or not self._catalog.is_open or self._catalog.has_work(shown)

    def learn(self, shown: Sequence[PackFile]) -> None:
        """Index for a moment: opened packs first, then those shown."""
        for file, pack_session in self._to_learn:
            self._catalog.begin(file, pack_session.pack, pack_session.stamp)
        self._to_learn.clear()
        self._catalog.work(shown)


# Packs of the player's own


class OwnPacks:
    """The packs in a library folder that belongs to the player alone."""

    def __init__(self, folder: str, store: ProgressStore, forget: Callable[[str, Sequence[PackFile]], None]) -> None:
        """``forget`` drops what is known of some packs of a folder, and those whose files are gone."""
        self._folder = folder
        self._store = store
        self._forget = forget

    def has(self, file: PackFile) -> bool:
        """True if a pack can be renamed and removed: it is a file of its own in the folder."""
        return is_own(self._folder, file)

    def rename(self, file: PackFile, name: str, files: list[PackFile]) -> PackFile:
        """Rename a pack in its folder, also in the list ``files``; the player's place in it stays. Raises PackError."""
        renaming = pack_renaming(self._folder, file, os.path.dirname(file.name), name)
        rename(self._folder, renaming, [self._store])
        (renamed,) = renaming.renamed
        files.remove(file)
        self._list(renamed, files)
        self._forget(self._folder, [file, renamed])
        return renamed

    def put_level(
        self, name: str, level: Level, files: list[PackFile], number: int | None = None, before: Level | None = None
    ) -> tuple[PackFile, int]:
        """Write a level into the pack of a name, begun and listed if need be; return it and the level's number.

        It takes the place of that with ``number`` if that is still ``before``, and nothing else is lost by it; raises
        PackError.
        """
        name = name.strip()
        file = next((each for each in files if each.name == name and self.has(each)), None)
        if file is None:
            check_not_shipped(name)
            file = named_own(self._folder, name)
        number = put_level(self._folder, file, level, number, before)
        if file not in files:
            self._list(file, files)
        self._forget(self._folder, [file])
        return file, number

    def _list(self, file: PackFile, files: list[PackFile]) -> None:
        """Add a pack to a list, among those of the player's own."""
        rank = natural_key(file.name)
        later = (i for i, each in enumerate(files) if self.has(each) and natural_key(each.name) > rank)
        files.insert(next(later, len(files)), file)

    def remove(self, file: PackFile, files: list[PackFile]) -> None:
        """Remove the file of a pack, and its line of the list; raises PackError."""
        remove_own(self._folder, file)
        files.remove(file)
        self._forget(self._folder, [file])
