"""The library for verbs: its packs and those that ship, the index of their levels, and known solutions of a level."""

import os
from argparse import BooleanOptionalAction
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cache, partial
from time import time

from sokoterm.app.catalog import Catalog, MarkedLevels
from sokoterm.commands.support.levels import Chosen, until_last_push
from sokoterm.commands.support.output import InputError, ProgressBar, complain
from sokoterm.commands.support.parser import Option, Parser, Reading
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.language import _, listed, ngettext
from sokoterm.store.known_levels import KnownSolution, Source, solutions_of
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackError, PackFile, added_packs, bundled_packs, open_pack, stamp_of
from sokoterm.store.paths import data_dir, library_file, packs_dir, progress_file
from sokoterm.store.progress import ProgressStore, known_progress, opened_progress
from sokoterm.wording.figures import moves_and_pushes

# Seconds to wait for another verb that writes to the index: nobody waits for an answer to a key.
_PATIENCE = 10.0


def catalog_of(folder: str, store: ProgressStore, read: Callable[[PackFile], Pack] = open_pack) -> Catalog:
    """Return the catalog of a data folder."""
    path = library_file(folder)
    return Catalog(lambda: LibraryIndex.open(path, time), lambda: os.path.exists(path), store, read)


def own_packs(folder: str, catalog: Catalog) -> list[PackFile]:
    """The packs that ship, and then those that were added to the folder."""
    if not os.path.isdir(folder):
        return bundled_packs()
    return bundled_packs() + added_packs(folder, catalog.open().stamps())


def learn_packs(
    index: LibraryIndex, files: Sequence[PackFile], reading: Reading, say: Callable[[str], None] = complain
) -> bool:
    """Index those of some packs that are not indexed, or have changed since.

    Return False if something could not be read, which ``say`` reports.
    """
    known = index.entries(files)
    unknown = [file for file in files if file.key not in known]
    is_whole = True
    with ProgressBar(len(unknown), _packs_indexed) as bar:
        for done, file in enumerate(unknown):
            bar.show(done)
            try:
                stamp = stamp_of(file)
                pack = open_pack(file, reading.encoding, reading.limits)
                index.learn(file, pack, stamp)
            except (PackError, LevelError) as error:
                problems: Sequence[Exception] = [error]
            else:
                problems = pack.errors
            for problem in problems:
                bar.clear()
                say(str(problem))
                is_whole = False
    return is_whole


def _packs_indexed(done: int, total: int) -> str:
    return ngettext("{done:,} of {n:,} pack indexed", "{done:,} of {n:,} packs indexed", total, done=done)


@contextmanager
def opened_index(folder: str) -> Iterator[LibraryIndex]:
    """Open the index of a data folder to write to it; tell on stderr what is wrong with it."""
    index = LibraryIndex.open(library_file(folder), time, _PATIENCE)
    try:
        yield index
    finally:
        for notice in index.notices:
            complain(notice)
        index.close()


class Library:
    """The catalog of a data folder; ``status`` is 2 once a pack could not be read, which is reported on stderr."""

    def __init__(self, catalog: Catalog, folder: str, reading: Reading, say: Callable[[str], None]) -> None:
        """``say`` reports packs that cannot be read."""
        self._say = say
        self.catalog = catalog
        self.status = 0
        self._packs_folder = packs_dir(folder)
        self._reading = reading

    def files(self) -> list[PackFile]:
        """Return the packs that ship and those of the library."""
        self.catalog.open()
        return own_packs(self._packs_folder, self.catalog)

    def learn(self, files: Sequence[PackFile]) -> None:
        """Index those of some packs that are not indexed, or have changed since."""
        if not learn_packs(self.catalog.open(), files, self._reading, self._say):
            self.status = 2


@contextmanager
def opened_library(reading: Reading, say: Callable[[str], None] = complain) -> Iterator[Library]:
    """Open the library of --data-dir, and tell on stderr what is wrong with it."""
    folder = data_dir(reading.data_dir)
    with opened_progress(progress_file(folder), time, complain) as progress:
        read = partial(open_pack, encoding=reading.encoding, limits=reading.limits)
        catalog = catalog_of(folder, progress, read)
        try:
            yield Library(catalog, folder, reading, say)
        finally:
            for notice in catalog.notices:
                complain(notice)
            catalog.close()


@contextmanager
def marked_levels(data_folder: str | None) -> Iterator[MarkedLevels]:
    """Tell what is known of levels, from the progress and the index of --data-dir as far as there are any."""
    folder = data_dir(data_folder)
    with ExitStack() as stack:

        @cache
        def progress() -> ProgressStore | None:
            return stack.enter_context(known_progress(progress_file(folder), time, complain))

        @cache
        def index() -> LibraryIndex | None:
            path = library_file(folder)
            return stack.enter_context(closing(LibraryIndex.open(path, time))) if os.path.exists(path) else None

        yield MarkedLevels(progress, index)


def known_fields(known: KnownSolution) -> Mapping[str, object]:
    """Return the JSON object for a solution."""
    solution = known.solution
    return {
        "source": known.source,
        "credit": known.credit,
        "moves": solution.moves,
        "pushes": solution.pushes,
        "lurd": solution.lurd,
    }


class KnownSolutions:
    """Look-up of the solutions of levels that need no search."""

    def __init__(self, progress: ProgressStore | None, library: Callable[[], LibraryIndex | None]) -> None:
        """``library`` returns the index of the library, None if there is none."""
        self._progress = progress
        self._library = library

    def of(self, chosen: Chosen) -> Sequence[KnownSolution]:
        """Return the different solutions of each source, those of a person first; raises PackError."""
        found: dict[tuple[Source, str], KnownSolution] = {}
        for each in self._all(chosen):
            solution = until_last_push(each.solution)
            found.setdefault((each.source, solution.lurd), each._replace(solution=solution))
        return list(found.values())

    def best(self, chosen: Chosen) -> KnownSolution | None:
        """Return one's own solution of the fewest moves, else the known one of the fewest pushes, None without any."""
        known = self.of(chosen)
        if known and known[0].source != Source.OWN:
            return min(known, key=lambda each: (each.solution.pushes, each.solution.moves))
        return known[0] if known else None

    def _all(self, chosen: Chosen) -> Iterator[KnownSolution]:
        level = chosen.level
        if self._progress is not None:
            best = self._progress.best(level)
            yield from (
                KnownSolution(each, "", Source.OWN) for each in (best.by_moves, best.by_pushes) if each is not None
            )
        yield from (each._replace(source=Source.FILE) for each in solutions_of(level, chosen.title))
        yield from self.elsewhere(level)

    def elsewhere(self, level: Level) -> Iterable[KnownSolution]:
        """Return solutions from elsewhere than the level's file, each once: found by the program, or in other packs."""
        found = self._progress.found_solutions(level) if self._progress is not None else []
        library = self._library()
        in_packs = library.known(level) if library is not None else []
        by_moves: dict[str, KnownSolution] = {}
        for each in (*found, *in_packs):
            by_moves.setdefault(each.solution.lurd, each)
        return by_moves.values()


@contextmanager
def known_solutions(progress: ProgressStore | None, folder: str, *, learns: bool = False) -> Iterator[KnownSolutions]:
    """Open the look-up, with the library of a data folder if it has one, which is opened when first needed.

    If it ``learns``, the packs of the library that are not indexed are indexed then.
    """
    with ExitStack() as stack:

        @cache
        def library() -> LibraryIndex | None:
            path, packs = library_file(folder), packs_dir(folder)
            if not os.path.exists(path) and not (learns and os.path.isdir(packs)):
                return None
            index = LibraryIndex.open(path, time)
            stack.callback(_closed, index)
            if learns:
                learn_packs(index, [*bundled_packs(), *added_packs(packs, index.stamps())], Reading(), lambda __: None)
            return index

        yield KnownSolutions(progress, library)


def _closed(index: LibraryIndex) -> None:
    index.close()
    for notice in index.notices:
        complain(notice)


def remember_flag(parser: Parser, *, default: bool) -> Option[bool]:
    """Add the flags --remember and --no-remember."""
    action = parser.add_argument(
        "--remember",
        action=BooleanOptionalAction,
        help=_(
            "keep what is found among the known solutions, which info, replay and convert --with known show, apart "
            "from your own: no level counts as solved, and no better solution is replaced (default: {flag})",
            flag="--remember" if default else "--no-remember",
        ),
    )
    parser.set_defaults(remember=default)  # given above, Python 3.12 and older write it into the help
    return Option(parser, action)


def remember(progress: ProgressStore, level: Level, *found: KnownSolution) -> None:
    """Put solutions among those known of a level, at once, as far as they are better by some metric."""
    for each in found:
        progress.keep_found(level, each.solution, each.credit)
    if problem := progress.save_rows():
        complain(problem)


def kept_moves(chosen: Chosen, folder: str) -> str:
    """Return the best solution that needs no search, and say on stderr whose it is if it is from elsewhere.

    Raises InputError if there is none.
    """
    with known_progress(progress_file(folder), time, complain) as progress, known_solutions(progress, folder) as known:
        best = known.best(chosen)
    if best is None:
        raise InputError(
            _(
                "{pack}, level {number}: found no solution, expected --moves or --moves-file; "
                "`sokoterm solve --remember` finds one",
                pack=chosen.pack,
                number=chosen.level.number,
            )
        )
    if best.source == Source.KNOWN:
        figures = listed([moves_and_pushes(best.solution), best.credit])
        # Translators: its moves and pushes, and where it is from.
        complain(_("the solution is not your own: {figures}", figures=figures))
    return best.solution.lurd
