"""Solutions of a level from every source: the person's own, those of its file, and those known from elsewhere."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from time import time
from typing import NamedTuple

from sokoterm.commands.support.levels import Chosen, until_last_push
from sokoterm.commands.support.output import complain
from sokoterm.engine.lurd import Solution
from sokoterm.store.found import found_solutions
from sokoterm.store.known_levels import solutions_of
from sokoterm.store.library import LibraryIndex
from sokoterm.store.paths import library_file
from sokoterm.store.progress import ProgressStore


class Source(StrEnum):
    """The source of a solution."""

    OWN = "own"
    FILE = "file"
    KNOWN = "known"
    SOLVER = "solver"
    GIVEN = "given"


class Sourced(NamedTuple):
    """A solution and its source."""

    solution: Solution
    source: Source


class KnownSolutions:
    """Look-up of the solutions of levels that need no search."""

    def __init__(self, progress: ProgressStore, library: LibraryIndex | None) -> None:
        self._progress = progress
        self._library = library

    def of(self, chosen: Chosen) -> Sequence[Sourced]:
        """Return the different solutions of each source, those of a person first; raises PackError."""
        found: dict[tuple[Source, str], Sourced] = {}
        for source, known in self._all(chosen):
            solution = until_last_push(known)
            found.setdefault((source, solution.lurd), Sourced(solution, source))
        return list(found.values())

    def _all(self, chosen: Chosen) -> Iterator[tuple[Source, Solution]]:
        level = chosen.level
        best = self._progress.best(level)
        yield from ((Source.OWN, each) for each in (best.by_moves, best.by_pushes) if each is not None)
        yield from ((Source.FILE, each.solution) for each in solutions_of(level, chosen.title))
        yield from ((Source.KNOWN, each.solution) for each in found_solutions(self._progress, level))
        if self._library is not None:
            yield from ((Source.KNOWN, each.solution) for each in self._library.known(level))


@contextmanager
def known_solutions(progress: ProgressStore, folder: str) -> Iterator[KnownSolutions]:
    """Open the look-up, with the library of a data folder if it has one."""
    path = library_file(folder)
    if not os.path.exists(path):
        yield KnownSolutions(progress, None)
        return
    library = LibraryIndex.open(path, time)
    try:
        yield KnownSolutions(progress, library)
    finally:
        library.close()
        for notice in library.notices:
            complain(notice)
