"""The library for verbs: its packs and those that ship, the index of their levels, and known solutions of a level."""

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

# Seconds to wait for another verb that writes to the index: nobody waits for an answer to a key.
_PATIENCE = 10.0


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
    """Open the index of a data folder to write to it; tell on stderr what is wrong with it."""
    index = LibraryIndex.open(library_file(folder), time, _PATIENCE)
    try:
        yield index
    finally:
        index.close()
        for notice in index.notices:
            complain(notice)


@contextmanager
def opened_catalog(reading: Reading) -> Iterator[Catalog]:
    """Open the catalog of --data-dir, and tell on stderr what is wrong with it."""
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
    """Tell what is known of levels, from the progress and the index of --data-dir as far as there are any."""
    folder = data_dir(data_folder)
    with ExitStack() as stack:
        progress = known_progress(progress_file(folder), time, complain)
        yield MarkedLevels(cache(lambda: stack.enter_context(progress)), _index_if_any(folder, stack))


def _index_if_any(folder: str, stack: ExitStack, *, learns: bool = False) -> Callable[[], LibraryIndex | None]:
    """Return what opens the index of a data folder when it is first called; None if there is no index.

    If it ``learns``, the packs of the library that are not indexed are indexed then.
    """

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
    """Open the look-up in the progress of a data folder, and in its library if it has one, opened when first needed.

    A progress that is missing is made if it ``writes``; ``say`` gets its problems. If it ``learns``, the packs of the
    library that are not indexed are indexed then.
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
    """Return the best solution that needs no search, and say on stderr whose it is if it is from elsewhere.

    That is one's own of the fewest moves, else the known one of the fewest pushes.  Raises InputError if there is none.
    """
    with known_solutions(folder) as known:
        found = known.of(chosen.level, chosen.title)
    if not found:
        problem = N_(
            "{pack}, level {number}: found no solution, expected --moves or --moves-file; "
            "`sokoterm solve --remember` finds one"
        )
        raise InputError(_(problem, pack=chosen.pack, number=chosen.level.number))
    if found[0].source == Source.OWN:
        return found[0].solution.lurd
    best = min(found, key=lambda each: (each.solution.pushes, each.solution.moves))
    if best.source == Source.KNOWN:
        figures = listed([moves_and_pushes(best.solution), best.credit])
        # Translators: its moves and pushes, and where it is from.
        complain(_("the solution is not your own: {figures}", figures=figures))
    return best.solution.lurd


def remember_flag(parser: Parser, *, default: bool) -> Option[bool]:
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


def remember(progress: ProgressStore | None, level: Level, *found: KnownSolution) -> None:
    """Put solutions among those known of a level, at once, as far as they are better by some metric.

    Without a progress nothing is kept.
    """
    if progress is None:
        return
    for each in found:
        progress.keep_found(level, each.solution, each.credit)
    if problem := progress.save_rows():
        complain(problem)
