"""Solutions of a level from every source: the person's own, those of its file, and those known from elsewhere."""

import os
from argparse import BooleanOptionalAction
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from time import time

from sokoterm.commands.support.levels import Chosen, until_last_push
from sokoterm.commands.support.library import learn_packs
from sokoterm.commands.support.output import InputError, complain
from sokoterm.commands.support.parser import Option, Parser, Reading
from sokoterm.engine.level import Level
from sokoterm.language import _, listed
from sokoterm.store.known_levels import KnownSolution, Source, solutions_of
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import added_packs, bundled_packs
from sokoterm.store.paths import library_file, packs_dir, progress_file
from sokoterm.store.progress import ProgressStore, known_progress
from sokoterm.wording.figures import moves_and_pushes


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
