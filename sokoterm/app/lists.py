"""Lists of packs and levels: queries, sort orders, grades, and opening and changing packs.

Changing a pack never affects progress, which is stored per level. Pasted levels, and series of levels found by a query,
are packs that exist only in this session.
"""

import math
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import chain, islice
from time import perf_counter
from typing import Any, NamedTuple

from sokoterm.app.catalog import Catalog
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Note, NoteOf, Reread, Start
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.formats.registry import write
from sokoterm.formats.text import has_board, has_nearly_moves, moves_in
from sokoterm.store.known_levels import Grade, estimate_of, estimated
from sokoterm.store.library import LevelRow, PackFigures
from sokoterm.store.library_folder import is_own, named_own, pack_renaming, remove_own, rename
from sokoterm.store.own_levels import (
    FAVOURITES,
    OwnLevel,
    alter,
    check_room,
    move,
    noted,
    put,
    put_back,
    put_level,
    take_out,
)
from sokoterm.store.packs import PackError, PackFile, Stamp, key_of, natural_key, pack_from_bytes, stamp_of
from sokoterm.store.query import EVERY, UNIQUE, UNSOLVED, All, Query, is_name
from sokoterm.store.solutions import Summary

Entry = Level | LevelError

# Grading runs in slices of this length, with rests in between, so that keys are not delayed.
_WORK_SECONDS = 0.01
_REST_SECONDS = 0.02

# In larger packs, only the levels on the screen are graded.
_MOST_GRADED = 2_000

_NEW_PACKS = 25  # newly indexed packs after which the list is updated
_MOST_OPEN = 8  # open packs kept in memory
_MOST_TRIED = 50  # files opened in search of another one-level file
_MOST_FOUND = 500  # levels of a series: more packs would take too long to read

_PASTED = "pasted"
_NUMBERED = re.compile(f"{_PASTED}(?: ([0-9]{{1,9}}))?")
_MOST_LISTED = 20  # pasted packs, each kept in memory


class LevelSort(StrEnum):
    """Sort order of packs and levels, in the order of the key that changes it; sorting is stable."""

    PLACE = "number"
    DIFFICULTY = "difficulty"
    UNSOLVED = "unsolved"
    PLAYED = "played"
    TITLE = "title"
    SIZE = "size"
    BOXES = "boxes"


class Folder(Value):
    """A folder in a list of packs: its path in the library, and all packs in and below it."""

    path: str
    files: tuple[PackFile, ...]
    is_folded: bool


def parts_of(name: str) -> list[str]:
    """Split the name of a pack into folders and its own name."""
    return name.replace("\\", "/").split("/")


def folders_of(name: str) -> list[str]:
    """Return the paths of the folders around a pack or folder, outermost first."""
    parts = parts_of(name)
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def tree_of(files: Sequence[PackFile], folded: Collection[str], depth: int = 0) -> Iterator[PackFile | Folder]:
    """Yield folders and packs in display order, without the packs in folded folders; ``depth`` is the nesting level."""
    # By the path of a folder, or the index of a pack outside of any folder.
    rows: dict[str | int, list[PackFile]] = {}
    for index, file in enumerate(files):
        around = folders_of(file.name)
        rows.setdefault(around[depth] if len(around) > depth else index, []).append(file)
    for row, inside in rows.items():
        if isinstance(row, int):
            yield inside[0]
            continue
        yield Folder(row, tuple(inside), row in folded)
        if row not in folded:
            yield from tree_of(inside, folded, depth + 1)


class Resume(Value):
    """The pack to continue with, and the level where the player left off; None if the pack was never played."""

    file: PackFile
    number: int | None


class Graded(NamedTuple):
    """Progress of grading: levels graded, of all to grade; for a list of packs also the packs with a grade, of all."""

    levels: int
    all_levels: int
    packs: int = 0
    all_packs: int = 0


class ListedPack(NamedTuple):
    """A pack with its figures (None if not indexed), its problem if unreadable, and its grade as text."""

    file: PackFile
    figures: PackFigures | None
    problem: str
    hard: str | None


class ListedLevel(NamedTuple):
    """A level, or the error in its place, with the player's best figures."""

    entry: Entry
    figures: Summary | None = None
    is_begun: bool = False
    hard: str | None = None
    stars: int = 0
    is_collected: bool = False


class Lists:
    """All packs and their levels, filtered and sorted, with the open pack sessions.

    ``files`` are the packs, ``folded`` the paths of folded folders. ``shown`` and ``shown_levels`` are the rows on the
    screen, which are indexed and graded first. Rows keep their order until ``take``, so that they do not move under the
    cursor during grading.
    """

    def __init__(
        self,
        files: Sequence[PackFile],
        open_pack_session: Callable[[PackFile], PackSession],
        catalog: Catalog,
        own_folder: str = "",
        own_quota: int | None = None,
        is_busy: Callable[[], bool] = lambda: False,
    ) -> None:
        """``open_pack_session`` reads a pack, or raises PackError.

        The player may change the packs in ``own_folder``, and add to them up to ``own_quota`` MB. Nothing is graded
        while ``is_busy``: the solver is working for the player.
        """
        self.files = [*files]
        self.shown: Sequence[PackFile] = ()
        self.shown_levels: Sequence[Level] = ()
        self.sort = LevelSort.PLACE
        self.folded = set[str]()
        self.own_folder = own_folder
        self._own_quota = own_quota
        self._open_pack_session = open_pack_session
        self._catalog = catalog
        self._is_busy = is_busy
        self._sessions: dict[str, PackSession] = {}  # by key, latest last
        self._unsolved_beside: dict[str, PackSession | None] = {}  # by the key of a one-level file
        # The packs in order, and the key of a pack with its levels in order.
        self._sorted: Sequence[PackFile] | None = None
        self._sorted_levels: tuple[str, Sequence[Entry]] | None = None
        self._work: Iterator[bool] | None = None
        self._is_graded = False
        self._in_reach = ("", 0)  # the key of a pack, and the number of its levels that can be graded
        self._lessons = 0
        # The collection, and its key, stamp and levels by level hash.
        self._collection: PackFile | None = None
        self._collected: tuple[str, Stamp | None, Mapping[str, Level]] = ("", None, {})
        # Levels taken out, with their numbers, by pack key and level hash.
        self._taken_out: dict[tuple[str, str], tuple[int, OwnLevel]] = {}

    # Sort order

    @property
    def is_by_difficulty(self) -> bool:
        return self.sort is LevelSort.DIFFICULTY

    def set(self, sort: LevelSort) -> None:
        self.sort = sort
        self.take()

    def turn(self, step: int) -> None:
        sorts = [*LevelSort]
        self.set(sorts[(sorts.index(self.sort) + step) % len(sorts)])

    def take(self) -> None:
        """Sort again at the next request for a list, by the grades known then."""
        self._sorted = self._sorted_levels = None
        self.rest()

    # Packs

    def packs(self, query: Query = EVERY) -> Sequence[PackFile]:
        """Return the packs with levels that match a query, or with a matching name, in sort order."""
        if self._sorted is None:
            rank = self._rank_of_packs()
            self._sorted = sorted(self.files, key=rank) if rank is not None else self.files
        if query == EVERY:
            return self._sorted
        found = self._catalog.find_packs(query, self.files)
        return [file for file in self._sorted if file.key in found or is_name(query, file.name)]

    def level_found(self, file: PackFile, query: Query) -> int | None:
        """Return the first level of a pack that matches a query; None if the pack itself matches, or nothing does."""
        match = (
            None if self._catalog.is_found(file, query) else self._catalog.find_packs(query, self.files).get(file.key)
        )
        return match.first if match is not None else None

    def count(self, query: Query, pack_session: PackSession | None = None) -> tuple[int, int]:
        """Return the number of levels that match a query, in one pack or all, and the number of packs with matches."""
        if pack_session is not None:
            levels = sum(isinstance(entry, Level) for entry in self.levels(pack_session, query))
            return levels, min(levels, 1)
        found = self._catalog.find_packs(query, self.files)
        counts = [match.levels for file in self.files if (match := found.get(file.key)) is not None]
        return sum(counts), len(counts)

    def _rank_of_packs(self) -> Callable[[PackFile], Any] | None:
        """Return the sort key of packs, None for the original order; packs not indexed come last."""
        find = self._catalog.find_packs
        match self.sort:
            case LevelSort.PLACE:
                return None
            case LevelSort.DIFFICULTY:
                grades = self._pack_grades(self.files)
                return lambda file: _rank(grades.get(file.key))
            case LevelSort.PLAYED:
                played: dict[str, float] = {}
                for (key, _), date in self._catalog.last_played().items():
                    played[key] = max(date, played.get(key, 0.0))
                return lambda file: -played.get(file.key, 0.0)
            case LevelSort.UNSOLVED:
                every, unsolved = find(EVERY), find(UNSOLVED)
                return lambda file: file.key in every and file.key not in unsolved
            case LevelSort.TITLE:
                return lambda file: natural_key(os.path.basename(file.name))
            case LevelSort.BOXES:
                means = find(EVERY)
                return lambda file: (mean.boxes, mean.squares) if (mean := means.get(file.key)) else (math.inf,)
        means = find(EVERY)
        return lambda file: mean.squares if (mean := means.get(file.key)) else math.inf

    def resume(self) -> Resume | None:
        """Return the last pack played or, if it is done, the next unfinished one; None if all are done."""
        store, last = self._catalog.store, self._catalog.store.last_file
        begin = next((index for index, file in enumerate(self.files) if file.key == last), 0)
        for file in (*self.files[begin:], *self.files[:begin]):
            known = self._catalog.figures([file]).get(file.key)
            if known.levels > known.solved if known is not None else not self._catalog.problem(file):
                return Resume(file, store.load_place(file.key))
        return None

    def about_packs(self, files: Sequence[PackFile]) -> list[ListedPack]:
        """Return rows for some packs; grades are shown only when sorting by difficulty, ``?`` if unknown."""
        figures, grades, problem = self._catalog.figures(files), self._pack_grades(files), self._catalog.problem
        unknown = "?" if self.is_by_difficulty else None
        hard = {key: grade.shown for key, grade in grades.items()}
        return [ListedPack(file, figures.get(file.key), problem(file), hard.get(file.key, unknown)) for file in files]

    def _pack_grades(self, files: Sequence[PackFile]) -> Mapping[str, Grade]:
        keys = [file.key for file in files]
        return self._catalog.grading.packs(keys) if self.is_by_difficulty else {}

    # Levels

    def levels(self, pack_session: PackSession, query: Query = EVERY) -> Sequence[Entry]:
        """Return the levels of a pack that match a query (numbers match as words), sorted, unreadable ones last."""
        entries: Sequence[Entry] = pack_session.entries
        if self.sort is not LevelSort.PLACE:
            if self._sorted_levels is None or self._sorted_levels[0] != pack_session.key:
                rank = self._rank_of_levels(pack_session)

                def place(entry: Entry) -> tuple[Any, ...]:
                    return (False, rank(entry)) if isinstance(entry, Level) else (True,)

                self._sorted_levels = pack_session.key, sorted(entries, key=place)
            entries = self._sorted_levels[1]
        if query == EVERY:
            return entries
        numbers = pack_session.find_numbers(query)
        return [
            entry
            for entry in entries
            if (entry.number in numbers if isinstance(entry, Level) else is_name(query, str(entry.level)))
        ]

    def _rank_of_levels(self, pack_session: PackSession) -> Callable[[Level], Any]:
        key, levels = pack_session.key, pack_session.pack.levels
        match self.sort:
            case LevelSort.DIFFICULTY:
                grades = self._catalog.grading.levels(key)
                return lambda level: _rank(_grade_of(level, grades))
            case LevelSort.PLAYED:
                played = self._catalog.last_played()
                return lambda level: -played.get((key, level.number), 0.0)
            case LevelSort.UNSOLVED:
                pack_session.read_figures(levels)
                return lambda level: pack_session.figures(level) is not None
            case LevelSort.TITLE:
                return lambda level: (not level.title, natural_key(level.title))
            case LevelSort.BOXES:
                return lambda level: (level.boxes, math.prod(level.size))
        return lambda level: math.prod(level.size)

    def next_unsolved(self, pack_session: PackSession, number: int) -> int | None:
        """Return the next unsolved level in sort order, wrapping around; None if all others are solved."""
        if self.sort is LevelSort.PLACE:
            return pack_session.next_unsolved(number)
        levels = [entry for entry in self.levels(pack_session) if isinstance(entry, Level)]
        first = next((place for place, level in enumerate(levels, start=1) if level.number == number), 0)
        after = [level for level in (*levels[first:], *levels[:first]) if level.number != number]
        pack_session.read_figures(levels)
        return next((level.number for level in after if pack_session.is_left(level)), None)

    def about_levels(self, pack_session: PackSession, entries: Sequence[Entry]) -> list[ListedLevel]:
        """Return rows for some levels of a pack; grades are shown only when sorting by difficulty."""
        levels = [entry for entry in entries if isinstance(entry, Level)]
        pack_session.read_figures(levels)
        pack_session.lookups.read_pars(levels)
        figures = {level.number: pack_session.figures(level) for level in levels}
        begun = pack_session.lookups.begun([level for level in levels if figures[level.number] is None])
        grades = self._catalog.grading.levels(pack_session.key) if self.is_by_difficulty else None
        collected = self.collected
        return [
            ListedLevel(
                entry,
                figures[entry.number],
                entry.number in begun,
                _grade_of(entry, grades).shown if grades is not None else None,
                pack_session.stars(entry),
                bool(collected) and pack_session.hash_of(entry) in collected,
            )
            if isinstance(entry, Level)
            else ListedLevel(entry)
            for entry in entries
        ]

    # Open packs

    def get(self, file: PackFile) -> PackSession | None:
        return self._sessions.get(file.key)

    def open(self, file: PackFile) -> PackSession | None:
        """Return the session of a pack, opening it if necessary; None if it is unreadable (the catalog records why)."""
        pack_session = self.get(file)
        if pack_session is None:
            try:
                pack_session = self._open_pack_session(file)
            except PackError as error:
                self._catalog.note_problem(file, str(error))
                return None
            self.hold(pack_session)
        return pack_session

    def hold(self, pack_session: PackSession) -> None:
        """Keep the session of a listed pack open and index the pack, unless its file has changed since."""
        file = next((file for file in self.files if file.key == pack_session.key), None)
        if file is None or pack_session.stamp not in (None, stamp_of(file)):
            return
        self._sessions.pop(file.key, None)
        self._sessions[file.key] = pack_session
        if len(self._sessions) > _MOST_OPEN:
            del self._sessions[next(iter(self._sessions))]
        self._catalog.begin(file, pack_session.pack, pack_session.stamp)

    def drop(self, file: PackFile) -> None:
        self._sessions.pop(file.key, None)
        self.take()

    def close_others(self, pack_session: PackSession | None) -> None:
        """Close all packs except the one in play, so that they are read and sorted again."""
        self._sessions.clear()
        if pack_session is not None:  # it may have been pushed out by packs opened since
            self.hold(pack_session)
        self.shown, self.shown_levels = (), ()
        self.take()

    def file_beside(self, pack_session: PackSession, step: int) -> PackSession | None:
        """Open the next (1) or previous (-1) one-level file in the folder; such files are played like one pack.

        With 0, open the next unsolved one, wrapping around at the end of the folder.
        """
        key = pack_session.key
        found = self._unsolved_beside.get(key)
        if step == 0 and key in self._unsolved_beside and (found is None or found.next_unsolved(0) is not None):
            return found
        if pack_session.pack.size != 1:
            return None
        own = next((file for file in self.files if file.key == key), None)
        if own is None or own.is_pasted:
            return None
        files = [file for file in self.files if os.path.dirname(file.path) == os.path.dirname(own.path)]
        before, after = files[: files.index(own)], files[files.index(own) + 1 :]
        files = [*after, *before] if step == 0 else after if step > 0 else before[::-1]
        figures = self._catalog.figures(files) if self._catalog.is_open else {}

        def may_be(file: PackFile) -> bool:
            known = figures.get(file.key)
            if known is None:
                return self._catalog.is_small(file)
            return known.levels == 1 and not (step == 0 and known.is_done)

        found = None
        for file in islice(filter(may_be, files), _MOST_TRIED):
            with suppress(PackError):
                other = self._open_pack_session(file)
                is_one = len(other.numbers) == other.pack.size == 1
                if is_one and (step != 0 or other.next_unsolved(0) is not None):
                    found = other
                    break
        if step == 0:
            self._unsolved_beside[key] = found
        return found

    # The player's own packs

    def is_own(self, file: PackFile) -> bool:
        return bool(self.own_folder) and is_own(self.own_folder, file)

    def rename(self, file: PackFile, name: str) -> PackFile:
        """Rename one of the player's own packs, keeping its list position and session; raises PackError."""
        renaming = pack_renaming(self.own_folder, file, os.path.dirname(file.name), name)
        title = rename(self.own_folder, renaming, [self._catalog.store])
        (renamed,) = renaming.renamed
        pack_session = self.get(file)
        self.files.remove(file)
        self._list_own(renamed)
        self._forget(file, renamed)
        if self._collection is not None and self._collection.key == file.key:
            self._collection = renamed
        if pack_session is not None:
            pack_session.move_to(renamed, title)
            self.hold(pack_session)
        return renamed

    def remove(self, file: PackFile) -> None:
        """Remove one of the player's own packs; raises PackError."""
        remove_own(self.own_folder, file)
        self.files.remove(file)
        self._forget(file)

    def own_file(self, pack_session: PackSession | None) -> PackFile | None:
        key = pack_session.key if pack_session is not None else ""
        return next((file for file in self.files if file.key == key and self.is_own(file)), None)

    def put_level(self, name: str, level: Level, number: int | None = None, before: Level | None = None) -> Reread:
        """Write a level to the pack with a name, creating and listing it if necessary; raises PackError.

        The level replaces the one with ``number`` if that is still ``before``.
        """
        check_room(self.own_folder, self._own_quota)
        file = named_own(self.own_folder, name)
        now = put_level(self.own_folder, file, level, number, before)
        return self._changed(file, now, now if now == number else 0)

    def take_out(self, file: PackFile, level: Level) -> Reread:
        """Take a level out of one of the player's own packs; raises PackError, as do ``move`` and ``alter``."""
        take_out(self.own_folder, file, [level])
        return self._changed(file, 0, level.number)

    def move(self, file: PackFile, level: Level, number: int) -> Reread:
        """Move a level to a number, or to the nearest valid one."""
        return self._changed(file, move(self.own_folder, file, [level], number), level.number)

    def alter(self, file: PackFile, level: Level, **texts: str) -> Reread:
        alter(self.own_folder, file, level, **texts)
        return self._changed(file, level.number, level.number)

    def _changed(self, file: PackFile, number: int, was: int = 0) -> Reread:
        """Close a pack that was written, and list it exactly if its file exists."""
        listed = [each for each in self.files if each.key == file.key]
        if os.path.lexists(file.path) != bool(listed):
            self.files.remove(listed[0]) if listed else self._list_own(file)
        self._forget(file)
        return Reread(file, number, was)

    # Collected levels

    @property
    def collection(self) -> PackFile:
        if self._collection is None:
            self._collection = named_own(self.own_folder, FAVOURITES)
        return self._collection

    @property
    def collected(self) -> Mapping[str, Level]:
        file = self.collection
        stamp = stamp_of(file)
        if self._collected[:2] != (file.key, stamp):
            levels: Mapping[str, Level] = {}
            if stamp is not None:
                with suppress(PackError):
                    pack_session = self._open_pack_session(file)
                    levels = {pack_session.hash_of(level): level for level in pack_session.pack.levels}
            self._collected = file.key, stamp, levels
        return self._collected[2]

    def collect(self, pack_session: PackSession, level: Level, into: str = "") -> NoteOf:
        """Put a level into the collection, which becomes the pack named ``into`` if given; raises PackError.

        Without a name, a level already there is taken out, and the next call puts it back where it was.
        """
        if into:
            self._collection = named_own(self.own_folder, into)
        file, each, collected = self.collection, pack_session.hash_of(level), self.collected
        there, name = collected.get(each), printable(file.name)
        if there is not None and into:
            return Note.IS_COLLECTED.of(number=there.number, pack=name)
        if there is not None:
            (taken,) = take_out(self.own_folder, file, [there])
            self._taken_out[file.key, each] = there.number, taken
            self._changed(file, 0)
            return Note.TAKEN_OUT.of(number=there.number, pack=name)
        if (file.key, each) in self._taken_out:
            number, taken = self._taken_out.pop((file.key, each))
            put_back(self.own_folder, file, number, taken)
            self._changed(file, number)
            return Note.COLLECTED.of(number=number, pack=name)
        check_room(self.own_folder, self._own_quota)
        (there,) = put(self.own_folder, file, [noted(pack_session.pack, level)])
        self._changed(file, there.number)
        self._collected = file.key, stamp_of(file), {**collected, each: there}  # saves reading the file again
        return Note.COLLECTED.of(number=there.number, pack=name)

    def list_added(self, path: str) -> None:
        self._changed(PackFile(path, os.path.relpath(path, self.own_folder).removesuffix(".txt"), key_of(path)), 0)

    def _list_own(self, file: PackFile) -> None:
        rank = natural_key(file.name)
        later = (i for i, each in enumerate(self.files) if self.is_own(each) and natural_key(each.name) > rank)
        self.files.insert(next(later, len(self.files)), file)

    def _forget(self, *files: PackFile) -> None:
        self._catalog.forget_missing(self.own_folder, files)
        for file in files:
            self.drop(file)

    # Packs that exist only in this session

    def paste(self, data: bytes) -> Start | Note | None:
        """Open pasted levels as a pack and list it; None for pasted moves. Raises PackError."""
        from sokoterm.formats.links import is_linked_level, unwrapped  # pastes only

        pasted = data.decode("utf-8", "replace")
        text = unwrapped(pasted)
        if text != pasted:
            data = text.encode()
        if not is_linked_level(text):
            if "://" in text and len(text.split()) == 1:
                return Note.PASTED_ADDRESS
            if is_of_moves(text):
                return None
            if "#" not in text:
                return Note.PASTED_NEITHER
        numbers = [match[1] for file in self.files if file.is_pasted and (match := _NUMBERED.fullmatch(file.name))]
        name = f"{_PASTED} {int(numbers[-1] or 1) + 1}" if numbers else _PASTED
        return self._play_passing(pack_from_bytes(data, name)._replace(is_pasted=True))

    def open_found(self, text: str, query: Query, pack_session: PackSession | None = None) -> Start | None:
        """Open the first levels that match a query as a pack called ``text``, and list it; None if there are none.

        They come from one pack, or from all indexed packs except those of this session, without duplicates. Raises
        PackError.
        """
        query = All((query, UNIQUE))
        found: Iterable[tuple[Pack, Level]] = self._found_levels(query)
        if pack_session is not None:
            entries = self.levels(pack_session, query)
            found = ((pack_session.pack, entry) for entry in entries if isinstance(entry, Level))
        levels = [noted(pack, level) for pack, level in islice(found, _MOST_FOUND)]
        if not levels:
            return None
        data = write(Pack(text, tuple(levels)), "sok").data
        return self._play_passing(pack_from_bytes(data)._replace(path=text, name=text, is_pasted=True, is_series=True))

    def _play_passing(self, file: PackFile) -> Start:
        """Open a pack and list it, dropping the oldest pasted one if there are too many; raises PackError."""
        file = next((each for each in self.files if each.key == file.key), file)
        pack_session = self._open_pack_session(file)
        number = pack_session.start_number()
        if number is None:
            raise PackError(str(pack_session.pack.errors[0]))
        if file not in self.files:
            self.files.append(file)
            pasted = [each for each in self.files if each.is_pasted]
            if len(pasted) > _MOST_LISTED:
                self.files.remove(pasted[0])
                self._catalog.forget(pasted[0])
            self._sorted = None
        return Start(pack_session, number)

    def _found_levels(self, query: Query) -> Iterator[tuple[Pack, Level]]:
        lasting = {file.key: file for file in self.files if not file.is_pasted}
        rows = self._catalog.find_levels(list(lasting.values()), query)
        if self.sort in _RANKS:
            rows = sorted(rows, key=_RANKS[self.sort])
        packs: dict[str, Pack] = {}
        for row in rows:
            if row.key not in packs:
                packs[row.key] = Pack("", ())
                with suppress(PackError):
                    packs[row.key] = self._open_pack_session(lasting[row.key]).pack
            if (level := packs[row.key].find_level(row.number)) is not None:
                yield packs[row.key], level

    # Idle work

    def progress(self, pack_session: PackSession | None) -> Graded | None:
        """Return the progress of grading a pack, or all packs; None if there is no grading."""
        if not self.is_by_difficulty or self._is_graded:
            return None
        grading = self._catalog.grading
        if pack_session is None:
            keys = [file.key for file in self.files]
            return Graded(*grading.progress(keys), len(keys))
        if self._in_reach[0] != pack_session.key:
            self._in_reach = pack_session.key, sum(map(grading.is_in_reach, pack_session.pack.levels))
        return Graded(len(grading.levels(pack_session.key)), self._in_reach[1])

    def wake_after(self, pack_session: PackSession | None) -> float | None:
        """Return the seconds until ``work`` should be called; None if there is nothing to do."""
        if not self._catalog.is_open or self._catalog.has_work(self._to_index(pack_session)):
            return 0.0
        return _REST_SECONDS if self.is_by_difficulty and not self._is_graded and not self._is_busy() else None

    def rest(self) -> None:
        """Interrupt grading after a key, since other rows may be shown."""
        self._work = None
        self._is_graded = False

    def work(self, pack_session: PackSession | None) -> bool:
        """Index packs, then grade a pack's levels, or all packs, in slices; return True if rows may have moved.

        Lists are sorted again after each round of grading.
        """
        wait = self.wake_after(pack_session)
        if wait is None:
            return False
        if wait == 0.0:
            self._catalog.work(self._to_index(pack_session))
        if self.is_by_difficulty and pack_session is None and self._catalog.lessons != self._lessons:
            is_over = wait > 0.0
            if is_over or self._catalog.lessons >= self._lessons + _NEW_PACKS:
                self._lessons = self._catalog.lessons
                self._catalog.grading.forget()
                self._sorted = None if is_over else self._sorted
        return pack_session is None if wait == 0.0 else self._grade(pack_session)

    def _to_index(self, pack_session: PackSession | None) -> Sequence[PackFile]:
        """Return the packs to index, those on the screen first; grading a pack does not wait for all others."""
        if not self.is_by_difficulty:
            return [*self.shown, *self.files]
        return [*self.shown, *(self.packs() if pack_session is None else ())]

    def _grade(self, pack_session: PackSession | None) -> bool:
        grading = self._catalog.grading
        is_whole = pack_session is not None and len(pack_session.pack.levels) <= _MOST_GRADED
        if self._work is None and pack_session is None:
            self._work = grading.grade_packs([*self.shown, *self.packs()])
        elif self._work is None and pack_session is not None:
            every = pack_session.pack.levels if is_whole else ()
            levels = (grading.grade_levels(pack_session.key, some) for some in (self.shown_levels, every))
            self._work = chain.from_iterable(levels)
        end = perf_counter() + _WORK_SECONDS
        for is_round in self._work or ():
            if is_round:
                self._sorted = None
                return True
            if perf_counter() > end:
                return False
        self._work = None
        self._is_graded = True
        if pack_session is not None:
            pack_session.forget_found()
            if not is_whole:
                return False
        self._sorted = self._sorted_levels = None
        return True


def _grade_of(level: Level, grades: Mapping[int, Grade]) -> Grade:
    return grades.get(level.number) or estimated(estimate_of(level))


def _rank(grade: Grade | None) -> tuple[bool, int]:
    """Sort key of a grade; unknown grades and levels without a solution come last."""
    return (True, 1 << 30) if grade is None else (grade.shown == "-", grade.number)


_RANKS: Mapping[LevelSort, Callable[[LevelRow], Any]] = {
    LevelSort.DIFFICULTY: lambda row: row.hard,
    LevelSort.BOXES: lambda row: row.boxes,
    LevelSort.SIZE: lambda row: row.width * row.height,
    LevelSort.TITLE: lambda row: (not row.title, natural_key(row.title)),
    LevelSort.UNSOLVED: lambda row: row.is_solved,
}


def is_of_moves(text: str) -> bool:
    """True if pasted text is moves, perhaps with titles or a mistake, rather than levels."""
    if has_board(text):
        return False
    try:
        return any(map(str.isalpha, moves_in(text)))
    except LevelError as error:
        return not error.character or "#" not in text and has_nearly_moves(text)
