"""The catalog for verbs: the packs that ship and those of the library, and the index of all levels in them."""

import os
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from time import time

from sokoterm.app.catalog import Catalog
from sokoterm.commands.support.output import ProgressBar, complain
from sokoterm.commands.support.parser import Reading
from sokoterm.engine.level import LevelError, Pack
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackError, PackFile, bundled_packs, open_pack, stamp_of
from sokoterm.store.paths import data_dir, library_file, packs_dir, progress_file
from sokoterm.store.progress import ProgressStore, opened_progress
from sokoterm.store.query import Query, QueryError, parse_query


def query_of(text: str) -> Query:
    """A type for argparse: a query of levels."""
    try:
        return parse_query(text)
    except QueryError as error:
        from sokoterm.wording.lists import query_problem

        raise ArgumentTypeError(query_problem(error)) from None


def catalog_of(folder: str, store: ProgressStore, read: Callable[[PackFile], Pack] = open_pack) -> Catalog:
    """Return the catalog of a data folder."""
    path = library_file(folder)
    return Catalog(lambda: LibraryIndex.open(path, time), lambda: os.path.exists(path), store, read)


def own_packs(folder: str, catalog: Catalog) -> list[PackFile]:
    """The packs that ship, and then those that were added to the folder."""
    if not os.path.isdir(folder):
        return bundled_packs()
    from sokoterm.store.library_folder import added_packs

    return bundled_packs() + added_packs(folder, catalog.stamps())


class Library:
    """The catalog of a data folder; ``status`` is 2 once a pack could not be read, which is reported on stderr."""

    def __init__(self, catalog: Catalog, folder: str, reading: Reading) -> None:
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
        index = self.catalog.open()
        known = index.entries(files)
        unknown = [file for file in files if file.key not in known]
        with ProgressBar(len(unknown), "packs indexed") as bar:
            for done, file in enumerate(unknown):
                bar.show(done)
                try:
                    stamp = stamp_of(file)
                    pack = open_pack(file, self._reading.encoding, self._reading.limits)
                    index.learn(file, pack, stamp)
                except (PackError, LevelError) as error:
                    bar.complain(str(error))
                    self.status = 2
                    continue
                for problem in pack.errors:
                    bar.complain(str(problem))
                    self.status = 2


@contextmanager
def opened_library(data_folder: str | None, reading: Reading) -> Iterator[Library]:
    """Open the library of --data-dir, and tell on stderr what is wrong with it."""
    folder = data_dir(data_folder)
    with opened_progress(progress_file(folder), time, complain) as progress:
        read = partial(open_pack, encoding=reading.encoding, limits=reading.limits)
        catalog = catalog_of(folder, progress, read)
        try:
            yield Library(catalog, folder, reading)
        finally:
            for notice in catalog.notices:
                complain(notice)
            catalog.close()
