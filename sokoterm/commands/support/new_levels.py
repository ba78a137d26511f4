"""Packs reduced to the levels that a library lacks, written as files for it; solutions of the others become known."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from sokoterm.commands.support.files import merged
from sokoterm.commands.support.known import remember
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.registry import Written, check_read_back, format_of, write
from sokoterm.formats.uniting import in_letters
from sokoterm.store.known_levels import solutions_of
from sokoterm.store.library import LibraryIndex
from sokoterm.store.library_folder import suffix_of
from sokoterm.store.packs import reading
from sokoterm.store.progress import ProgressStore
from sokoterm.store.solutions import is_better


class Sifted(NamedTuple):
    """The levels of a pack that are new, each puzzle once, by level hash; and those left out."""

    new: dict[str, Level]
    left_out: list[Level]

    @property
    def records_left_out(self) -> int:
        """The number of solutions and saved games of the levels left out."""
        return sum(len(level.records) for level in self.left_out)


class NewLevels:
    """The level hashes that are there."""

    def __init__(self) -> None:
        self._there = set[str]()

    def sift(self, pack: Pack, source: str) -> Sifted:
        """Return what is new in a pack; raises PackError."""
        found = Sifted({}, [])
        for level in pack.levels:
            with reading(source):
                level_id = level_hash(level)
            if level_id in self._there or level_id in found.new:
                found.left_out.append(level)
            else:
                found.new[level_id] = level
        return found

    def take(self, hashes: Iterable[str]) -> None:
        """Count levels as there from now on."""
        self._there.update(hashes)


def keep_solutions(
    progress: ProgressStore, index: LibraryIndex, folder: str, levels: Sequence[Level], title: str
) -> int:
    """Put the solutions that came with levels of a pack among the known ones, as far as they are better by some metric.

    Return their number.  ``folder`` is that of the library, whose solutions are known; ``title`` is that of the pack.
    Raises PackError if the progress cannot be read now.
    """
    kept = 0
    for level in levels:
        brought = solutions_of(level, title)
        if not brought:
            continue
        known = [each.solution for each in (*progress.found_solutions(level), *index.known(level, folder=folder))]
        for each in brought:
            if is_better(each.solution, known):
                remember(progress, level, each)
                known.append(each.solution)
                kept += 1
    return kept


def rewritten(pack: Pack, source: str) -> tuple[Written, str]:
    """Return the file of a reduced pack, and its suffix; raises LevelError if no file would be read back as it is.

    It has the format of its source if that holds all of the pack, else that of sok. Where numbers change, each level
    notes its old one. Moves are plain LURD.
    """
    suffix = suffix_of(source)
    pack = merged([pack])
    pack = pack._replace(levels=tuple(map(in_letters, pack.levels)))
    name = format_of(suffix) or "xsb"
    written = write(pack, name)
    if not written.lost:
        with suppress(LevelError):
            check_read_back(written, pack, name)
            return written, suffix
    written = write(pack, "sok")
    check_read_back(written, pack, "sok", source)
    return written, ".sok"
