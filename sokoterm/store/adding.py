"""Packs added to the player's library folder, whole or reduced to the levels that are new."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.text import stem_of
from sokoterm.formats.limits import AUTO, DEFAULT_LIMITS, ReadLimits
from sokoterm.formats.registry import Written, check_read_back, format_of, write
from sokoterm.formats.uniting import in_letters, merged
from sokoterm.language import N_, _
from sokoterm.store.known_levels import solutions_of
from sokoterm.store.library import LibraryIndex
from sokoterm.store.library_folder import changing, free_name, suffix_of, telling
from sokoterm.store.packs import (
    PackError,
    PackFile,
    Stamp,
    added_packs,
    bundled_packs,
    find_packs,
    open_pack,
    read_bytes,
    read_pack,
    reading,
    stamp_of,
    title_of,
)
from sokoterm.store.progress import ProgressStore
from sokoterm.store.solutions import is_better
from sokoterm.store.whole_files import remove_leftovers, write_new


class Added(NamedTuple):
    """A pack added to the library from ``source``, with the number of its levels that are new.

    ``path`` is empty if no level is new, as then no file is written. ``left_out`` are the levels of ``pack`` that the
    file omits; ``solutions_kept`` of their solutions were saved. ``lost`` names what the file's format cannot hold.
    """

    source: str
    path: str
    pack: Pack
    new: int
    was_there: bool
    left_out: Sequence[Level] = ()
    solutions_kept: int = 0
    lost: Sequence[str] = ()

    @property
    def is_added(self) -> bool:
        """True if adding the pack created the file."""
        return bool(self.path) and not self.was_there

    @property
    def records_left_out(self) -> int:
        """The number of solutions and saved games of the levels left out."""
        return sum(len(level.records) for level in self.left_out)


class LibraryFolder:
    """The folder of added packs, with its index."""

    def __init__(
        self,
        folder: str,
        index: LibraryIndex,
        learn: Callable[[Sequence[PackFile]], object],
        limits: ReadLimits = DEFAULT_LIMITS,
        encoding: str | None = None,
        *,
        is_named: bool = False,
        progress: ProgressStore | None = None,
    ) -> None:
        """``learn`` indexes packs that are new or have changed; ``limits`` and ``encoding`` apply to the packs added.

        With ``is_named`` packs are called by their ``name`` even if they have titles. With ``progress`` only new levels
        are added, and the solutions of the others are kept there.
        """
        self._folder = folder
        self._index = index
        self._learn = learn
        self._limits = limits
        self._encoding = encoding
        self._is_named = is_named
        # Folders already cleared of unfinished writes.
        self._swept: set[str] = set()
        index.forget_missing(folder)
        self._progress = progress
        # Stamps of the packs seen so far, by key, and the hashes of all their levels.
        self._met: dict[str, Stamp | None] = {}
        self._there = set[str]()
        self._meet([*bundled_packs(), *(added_packs(folder, index.stamps()) if progress is not None else [])])

    def add(self, file: PackFile) -> Added:
        """Copy a pack into the folder and index it; raises PackError or LevelError."""
        data = read_bytes(file, self._limits)
        pack = read_pack(data, file.source, self._encoding, self._limits)
        if not pack.levels:
            raise PackError(_("not added: no readable level; the first error: {error}", error=pack.errors[0]))
        inside = os.path.join(os.path.realpath(self._folder), "")
        if file.key.startswith("bundled:") or os.path.realpath(file.path).startswith(inside):
            return Added(file.path, file.path, pack, 0, True)
        name = pack.title if file.path == "-" and not self._is_named else file.name
        if self._progress is None:
            return self._add_whole(file, name, pack, data)
        with changing(self._folder):
            self._meet(added_packs(self._folder, self._index.stamps()))
            new, left_out = self._sifted(pack, file.source)
            if not left_out:
                added = self._add_whole(file, name, pack, data)
            elif not new:
                added = Added(file.source, "", pack, 0, False)
            else:
                written, suffix = _rewritten(pack._replace(levels=tuple(new.values()), errors=()), file.path)
                copy, was_there = self._write(name, f"pack{suffix}", written.data)
                added = Added(file.source, copy.path, pack, len(new), was_there, lost=written.lost)
            self._there.update(new)
            kept = self._keep_solutions(self._progress, left_out, title_of(pack, name))
            return added._replace(left_out=left_out, solutions_kept=kept)

    def _meet(self, files: Sequence[PackFile]) -> None:
        """Index packs that are new or have changed, and note the hashes of their levels."""
        changed = [file for file in files if file.key not in self._met or self._met[file.key] != stamp_of(file)]
        self._learn(changed)
        self._met |= {file.key: stamp_of(file) for file in changed}
        for by_number in self._index.hashes([file.key for file in changed]).values():
            self._there.update(by_number.values())

    def _sifted(self, pack: Pack, source: str) -> tuple[dict[str, Level], list[Level]]:
        """Split a pack into its new levels, by hash and each puzzle once, and the others; raises PackError."""
        new: dict[str, Level] = {}
        left_out = []
        for level in pack.levels:
            with reading(source):
                key = level_hash(level)
            if key in self._there or key in new:
                left_out.append(level)
            else:
                new[key] = level
        return new, left_out

    def _add_whole(self, file: PackFile, name: str, pack: Pack, data: bytes) -> Added:
        """Write a pack as it is, or as plain text if it was read in another notation; raises PackError."""
        source = file.path
        if pack.read_as:
            written, suffix = _rewritten(pack, source)
            data, source = written.data, f"pack{suffix}"
        elif self._encoding is not None:
            # The byte order mark makes the encoding known later; it overrides an XML declaration.
            data = data.decode(self._encoding).removeprefix("\ufeff").encode("utf-8-sig")
        # A pack without a title is named after its file.
        copy, was_there = self._write(name, source, data, None if self._is_named else pack)
        new = 0 if was_there else self._index.count_new(copy.key, self._folder)
        return Added(file.path, copy.path, pack, new, was_there)

    def _write(self, name: str, source: str, data: bytes, pack: Pack | None = None) -> tuple[PackFile, bool]:
        """Write a pack into the folder and index it; return it, and True if it was there before. Raises PackError.

        ``pack`` is its content, read back from the file if None.
        """
        while True:
            path, was_there = free_name(self._folder, name, source, data)
            inside = os.path.dirname(path)
            with telling(N_("{path}: cannot be created: {reason}"), path=inside):
                os.makedirs(inside, exist_ok=True)
            if inside not in self._swept:
                self._swept.add(inside)
                remove_leftovers(inside)
            with telling(N_("{path}: cannot be written: {reason}"), path=path):
                is_written = was_there or write_new(path, data)
            if is_written:
                (copy,) = find_packs(path)
                copy = copy._replace(name=stem_of(os.path.relpath(path, self._folder)))
                pack = open_pack(copy, limits=self._limits._replace(signs=AUTO)) if pack is None else pack
                if self._index.entry(copy) is None:
                    self._index.learn(copy, pack, stamp_of(copy))
                return copy, was_there

    def _keep_solutions(self, progress: ProgressStore, levels: Sequence[Level], title: str) -> int:
        """Save solutions that improve on the known ones by some metric; return their number. Raises PackError."""
        kept = 0
        for level in levels:
            brought = solutions_of(level, title)
            if not brought:
                continue
            in_library = self._index.known(level, folder=self._folder)
            known = [each.solution for each in (*progress.found_solutions(level), *in_library)]
            for each in brought:
                if is_better(each.solution, known):
                    progress.keep_found(level, each.solution, each.credit)
                    known.append(each.solution)
                    kept += 1
        return kept


def _rewritten(pack: Pack, source: str) -> tuple[Written, str]:
    """Return a reduced pack as a file, and its suffix: in the format of its source if that holds everything, else SOK.

    Renumbered levels note their old number; moves are plain LURD. Raises LevelError if no file reads back unchanged.
    """
    suffix = ".txt" if pack.read_as else suffix_of(source)
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
