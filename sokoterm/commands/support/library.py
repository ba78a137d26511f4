"""The library for verbs: packs, the index of their levels, and known solutions."""

import os
from argparse import BooleanOptionalAction
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from time import time

from sokoterm.app.catalog import Catalog, catalog_of
from sokoterm.app.marked_levels import KnownSolutions, MarkedLevels
from sokoterm.commands.support.levels import Chosen
from sokoterm.commands.support.output import InputError, ProgressBar, complain
from sokoterm.commands.support.parser import Option, Parser, Reading
from sokoterm.engine.level import Level
from sokoterm.formats.limits import AUTO
from sokoterm.language import N_, _, listed, ngettext
from sokoterm.store.known_levels import KnownSolution, Source
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackFile, added_packs, bundled_packs, open_pack
from sokoterm.store.paths import data_dir, library_file, packs_dir, progress_file
from sokoterm.store.progress import ProgressStore, known_progress, opened_progress
from sokoterm.wording.figures import moves_and_pushes

# Seconds to wait for another verb to finish writing the index; long, since no player waits for a key.
_PATIENCE = 10.0


def learn_packs(
    index: LibraryIndex, files: Sequence[PackFile], reading: Reading, say: Callable[[str], None] = complain
) -> bool:
    """Index the packs that are new or have changed; return False if one could not be read, which ``say`` reports."""
    known = index.entries(files)
    unknown = [file for file in files if file.key not in known]
    is_whole = True
    with ProgressBar(len(unknown), _packs_indexed) as bar:
        for file in bar.over(unknown):
            read = partial(open_pack, encoding=reading.encoding, limits=reading.limits._replace(signs=AUTO))
            for problem in index.learn_file(file, read):
                bar.clear()
                say(str(problem))
                is_whole = False
    return is_whole


def _packs_indexed(done: int, total: int) -> str:
    return ngettext("{done:,} of {n:,} pack indexed", "{done:,} of {n:,} packs indexed", total, done=done)


@contextmanager
def opened_index(folder: str) -> Iterator[LibraryIndex]:
    """Open the index of a data folder for writing; report its problems on stderr."""
    index = LibraryIndex.open(library_file(folder), time, _PATIENCE)
    try:
        yield index
    finally:
        index.close()
        for notice in index.notices:
            complain(notice)


@contextmanager
def opened_catalog(reading: Reading) -> Iterator[Catalog]:
    """Open the catalog of --data-dir; report its problems on stderr."""
    folder = data_dir(reading.data_dir)
    with opened_progress(progress_file(folder), time, complain) as progress:
        catalog = catalog_of(
            folder, progress, partial(open_pack, encoding=reading.encoding, limits=reading.limits._replace(signs=AUTO))
        )
        catalog.open()
        try:
            yield catalog
        finally:
            for notice in catalog.notices:
                complain(notice)
            catalog.close()


@contextmanager
def marked_levels(data_folder: str | None) -> Iterator[MarkedLevels]:
    """Open marks of levels from the progress and the index of --data-dir, where these exist."""
    folder = data_dir(data_folder)
    with ExitStack() as stack:
        progress = known_progress(progress_file(folder), time, complain)
        yield MarkedLevels(cache(lambda: stack.enter_context(progress)), _index_if_any(folder, stack))


def _index_if_any(folder: str, stack: ExitStack, *, learns: bool = False) -> Callable[[], LibraryIndex | None]:
    """Return a function that opens the index on its first call, updating it if it ``learns``; it may return None."""

    @cache
    def index() -> LibraryIndex | None:
        packs = packs_dir(folder)
        if not os.path.exists(library_file(folder)) and not (learns and os.path.isdir(packs)):
            return None
        found = stack.enter_context(opened_index(folder))
        if learns:
            learn_packs(found, [*bundled_packs(), *added_packs(packs, found.stamps())], Reading(), lambda __: None)
        return found

    return index


@contextmanager
def known_solutions(
    folder: str, say: Callable[[str], None] = complain, *, writes: bool = False, learns: bool = False
) -> Iterator[KnownSolutions]:
    """Look up solutions in the progress and the library; ``learns``: index new packs first.

    ``writes``: create missing progress. ``say`` reports problems.
    """
    path = progress_file(folder)
    opened = opened_progress(path, time, say) if writes else known_progress(path, time, say)
    with opened as progress, ExitStack() as stack:
        yield KnownSolutions(progress, _index_if_any(folder, stack, learns=learns))


def known_fields(known: KnownSolution) -> Mapping[str, object]:
    solution = known.solution
    return {
        "source": known.source,
        "credit": known.credit,
        "moves": solution.moves,
        "pushes": solution.pushes,
        "lurd": solution.lurd,
    }


def kept_moves(chosen: Chosen, folder: str) -> str:
    """Return the best own solution, or else a known one, reported on stderr; raises InputError if there is none."""
    with known_solutions(folder) as known:
        found = known.of(chosen.level, chosen.title)
    if not found:
        problem = N_(
            "{pack}, level {number}: no solution is known; use --moves or --moves-file, or find one with `sokoterm "
            "solve --remember`"
        )
        raise InputError(_(problem, pack=chosen.pack, number=chosen.level.number))
    if found[0].source == Source.OWN:
        return found[0].solution.lurd
    best = min(found, key=lambda each: (each.solution.pushes, each.solution.moves))
    if best.source == Source.KNOWN:
        figures = listed([moves_and_pushes(best.solution), best.credit])
        # Translators: its moves and pushes, and its source.
        complain(_("the solution is not your own: {figures}", figures=figures))
    return best.solution.lurd


def remember_flag(parser: Parser, *, default: bool) -> Option[bool]:
    action = parser.add_argument(
        "--remember",
        action=BooleanOptionalAction,
        help=_(
            "store solutions as known ones, which info, replay and convert --with known use, apart from your own: no "
            "level counts as solved, and no better solution is replaced (default: {flag})",
            flag="--remember" if default else "--no-remember",
        ),
    )
    parser.set_defaults(remember=default)  # not in add_argument: Python 3.12 and older would add it to the help
    return Option(parser, action)


def remember(progress: ProgressStore | None, level: Level, *found: KnownSolution) -> None:
    """Store solutions as known at once, if they are better by some metric; without progress, do nothing."""
    if progress is None:
        return
    for each in found:
        progress.keep_found(level, each.solution, each.credit)
    if problem := progress.save_rows():
        complain(problem)
