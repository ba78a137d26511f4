"""Difficulty of levels for verbs: figures that the index of the library has, others worked out and kept there."""

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from time import monotonic

from sokoterm.commands.support.output import StatusLine, bar_text
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.language import ngettext
from sokoterm.solver.figures import FIGURES_VERSION, DifficultyFigures, read_figures
from sokoterm.store.library import LibraryIndex
from sokoterm.store.paths import library_file


class Grades:
    """The figures of levels, by level hash; without an index none are known and none are kept."""

    def __init__(self, index: LibraryIndex | None) -> None:
        self._index = index

    def known(self, hashes: Sequence[str]) -> dict[str, DifficultyFigures]:
        """Return the known figures of levels, by level hash."""
        grades = self._index.graded(hashes, FIGURES_VERSION) if self._index is not None else {}
        return {key: figures for key, grade in grades.items() if (figures := read_figures(grade.figures)) is not None}

    def keep(self, key: str, figures: DifficultyFigures) -> None:
        """Keep the figures of the level with a level hash."""
        from sokoterm.app.catalog import graded  # the difficulty only

        if self._index is not None:
            self._index.keep_grades({key: graded(figures)}, FIGURES_VERSION)

    def of(self, levels: Sequence[Level], jobs: int) -> Generator[DifficultyFigures | None, None, None]:
        """Yield the figures of levels, in order, each as soon as it is known; None for one that could not be rated.

        What is not known is worked out, ``jobs`` levels at a time and equal ones once; a bar shows how many are done.
        """
        hashes = [level_hash(each) for each in levels]
        found: dict[str, DifficultyFigures | None] = {**self.known([*dict.fromkeys(hashes)])}
        missing: dict[str, Level] = {}
        for key, level in zip(hashes, levels):
            if key not in found:
                missing.setdefault(key, level._replace(comment="", records=()))
        done = 0
        from sokoterm.commands.support.jobs import in_processes  # loads multiprocessing, for the difficulty only

        with StatusLine() as line:

            def show() -> None:
                line.write(bar_text(done, len(missing), _levels_rated))

            with closing(in_processes(rated, [*missing.values()], jobs, show)) as results:
                for key in hashes:
                    if key not in found:
                        show()
                        found[key] = figures = next(results)
                        if figures is not None:
                            self.keep(key, figures)
                        done += 1
                        line.clear()
                    yield found[key]


def rated(level: Level) -> DifficultyFigures | None:
    """Work out the figures of a level; None if that takes too long."""
    from sokoterm.solver.difficulty import figures_in_time  # searches, for the difficulty only

    return figures_in_time(level, monotonic)


@contextmanager
def opened_grades(folder: str, *, creates: bool) -> Iterator[Grades]:
    """Open the figures in the index of a data folder; one that is missing is made only if this ``creates`` it."""
    if creates or os.path.exists(library_file(folder)):
        from sokoterm.commands.support.library import opened_index  # loads the library, for the difficulty only

        with opened_index(folder) as index:
            yield Grades(index)
    else:
        yield Grades(None)


def _levels_rated(done: int, total: int) -> str:
    return ngettext("{done:,} of {n:,} level rated", "{done:,} of {n:,} levels rated", total, done=done)
