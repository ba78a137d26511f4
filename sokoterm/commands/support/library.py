"""The catalog for verbs: the packs that ship and those of the library, and the index of all levels in them."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cache, partial
from time import time

from sokoterm.app.catalog import Catalog, MarkedLevels
from sokoterm.commands.support.output import ProgressBar, complain
from sokoterm.commands.support.parser import Reading
from sokoterm.engine.level import LevelError, Pack
from sokoterm.language import ngettext
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackError, PackFile, added_packs, bundled_packs, open_pack, stamp_of
from sokoterm.store.paths import data_dir, library_file, packs_dir, progress_file
from sokoterm.store.progress import ProgressStore, known_progress, opened_progress

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
