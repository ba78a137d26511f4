"""``sokoterm add``: copies packs into the library, whole or reduced to the levels that the library lacks."""

import os
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from time import time
from typing import NamedTuple

from sokoterm.commands.support.library import learn_packs, opened_index, remember
from sokoterm.commands.support.output import InputError, ProgressBar, complain, json_line
from sokoterm.commands.support.parser import Parser, Reading, ReadingFlags
from sokoterm.commands.support.results import merged, write_new_file
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.text import printable, stem_of
from sokoterm.formats.registry import Written, check_read_back, format_of, write
from sokoterm.formats.uniting import in_letters
from sokoterm.language import _, levels_text, listed, ngettext, packs_done, packs_text
from sokoterm.store.known_levels import solutions_of
from sokoterm.store.library import LibraryIndex
from sokoterm.store.library_folder import changing, free_name, suffix_of
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
from sokoterm.store.paths import packs_dir, progress_file
from sokoterm.store.progress import ProgressStore, opened_progress
from sokoterm.store.solutions import is_better
from sokoterm.store.whole_files import remove_leftovers
from sokoterm.wording.lists import guess_text


def run(arguments: list[str]) -> int:
    """Print a line for each pack; return 2 if something could not be read or written."""
    parser = Parser(
        "add",
        # Translators: `packs` is the word for packs in the list of files below every help.
        _(
            "Copy packs into your library, the folder of packs that a bare `sokoterm` lists. A pack that is there "
            "already is not copied again; another pack of the same name gets a number after its name. Packs without "
            "new levels are added as well; `add` says so, and `sokoterm duplicates` shows where else their levels are. "
            "Packs of a folder or an archive go below its name.\n\n"
            "With --new-only a pack is reduced to the puzzles that neither ship nor are in your library nor in a pack "
            "named before it, turned or not; it keeps its format if that holds the rest, else it becomes sok. Where "
            "numbers change, each level notes its old one. A pack without new levels is not added. Solutions of levels "
            "that are left out are kept as known, if they are better than those known so far.\n\n"
            "The packs are files in the folder shown as `packs` in the last lines here (with --data-dir D, in "
            "D/packs). `sokoterm remove` takes packs out of the library, `sokoterm rename` gives them another name."
        ),
        "sokoterm add ~/Downloads/packs.zip https://example.org/more.slc",
    )
    paths = parser.several("packs", parse=str, nargs="+", metavar="PACK", help=_("file, folder, archive, URL or -"))
    name = parser.flag("--name", metavar="NAME", help=_("name for the one pack, without a suffix"))
    new_only = parser.switch("--new-only", help=_("add only levels that your library does not have"))
    as_json = parser.switch("--json", help=_("print a JSON object for each pack"))
    flags = ReadingFlags(parser)
    parser.parse(arguments)
    folder, packs, reading = parser.folder, packs_dir(parser.folder), flags.reading
    status = 0
    files: list[PackFile] = []
    for path in paths.value:
        try:
            files += _below_its_name(path, find_packs(path, reading.limits))
        except PackError as error:
            complain(str(error))
            status = 2
    if name.value is not None:
        if len(files) > 1:
            raise InputError(
                ngettext(
                    "found {n} pack, expected one for --name {name}",
                    "found {n} packs, expected one for --name {name}",
                    len(files),
                    name=name.value,
                )
            )
        files = [file._replace(name=name.value) for file in files]
    with (
        opened_progress(progress_file(folder), time, complain) if new_only.value else nullcontext() as progress,
        opened_index(folder) as index,
        ProgressBar(len(files), packs_done) as bar,
    ):
        library = LibraryFolder(index, packs, reading, is_named=name.value is not None, progress=progress)
        results: list[Added] = []
        for done, file in enumerate(files):
            bar.show(done)
            try:
                added = library.add(file)
            except (PackError, LevelError, InputError) as error:
                bar.complain(str(error))
                status = 2
                continue
            bar.clear()
            print(_json(added) if as_json.value else _line(added, packs), flush=True)
            for problem in added.pack.errors:
                bar.complain(str(problem))
                status = 2
            if added.pack.likelier:
                bar.complain(f"{printable(added.source)}: {guess_text(added.pack)}")
            if added.lost:
                bar.complain(_("{path}: cannot hold: {lost}", path=added.path, lost=listed(added.lost)))
            results.append(added)
    if new_only.value and len(results) > 1 and not as_json.value:
        print(_total(results))
    return status


class Added(NamedTuple):
    """A pack in the library: its source, its file, and the number of its levels that are new.

    ``path`` is empty if there is no file: no level is new. ``left_out`` are the levels of ``pack`` that are not in it,
    of whose solutions so many are known now as ``solutions_kept``. ``lost`` names what the file cannot hold.
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
        """True if there is a file now that was not there before."""
        return bool(self.path) and not self.was_there

    @property
    def records_left_out(self) -> int:
        """The number of solutions and saved games of the levels left out."""
        return sum(len(level.records) for level in self.left_out)


class LibraryFolder:
    """The folder of added packs, with its index."""

    def __init__(
        self,
        index: LibraryIndex,
        folder: str,
        reading: Reading,
        *,
        is_named: bool = False,
        progress: ProgressStore | None = None,
    ) -> None:
        """``is_named``: packs are called by their ``name``, even if they have titles of their own.

        With a ``progress`` only levels that are not there yet are added; it keeps the solutions of the others.
        """
        self._index = index
        self._folder = folder
        self._reading = reading
        self._is_named = is_named
        # Folders without leftovers of unfinished writes.
        self._swept: set[str] = set()
        index.forget_missing(folder)
        self._progress = progress
        # The packs met, by key, and the level hashes of their levels.
        self._met: dict[str, Stamp | None] = {}
        self._there = set[str]()
        self._meet([*bundled_packs(), *(added_packs(folder, index.stamps()) if progress is not None else [])])

    def add(self, file: PackFile) -> Added:
        """Copy a pack and enter it in the index; raises PackError, LevelError or InputError."""
        data = read_bytes(file, self._reading.limits)
        pack = read_pack(data, file.source, self._reading.encoding, self._reading.limits)
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
        """Index packs, and count the levels of those that are new or have changed as there."""
        changed = [file for file in files if file.key not in self._met or self._met[file.key] != stamp_of(file)]
        learn_packs(self._index, changed, self._reading._replace(encoding=None))
        self._met |= {file.key: stamp_of(file) for file in changed}
        for by_number in self._index.hashes([file.key for file in changed]).values():
            self._there.update(by_number.values())

    def _sifted(self, pack: Pack, source: str) -> tuple[dict[str, Level], list[Level]]:
        """Return the levels of a pack that are new, each puzzle once, by level hash; and the others.

        Raises PackError.
        """
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
        """Write the bytes of a pack; raises PackError or InputError."""
        if self._reading.encoding is not None:
            # A mark, so that the encoding need not be given again; it outweighs that of XML.
            data = data.decode(self._reading.encoding).removeprefix("\ufeff").encode("utf-8-sig")
        # A pack without a title is called by its file.
        copy, was_there = self._write(name, file.path, data, None if self._is_named else pack)
        new = 0 if was_there else self._index.count_new(copy.key, self._folder)
        return Added(file.path, copy.path, pack, new, was_there)

    def _write(self, name: str, source: str, data: bytes, pack: Pack | None = None) -> tuple[PackFile, bool]:
        """Write a pack into the folder and enter it in the index; return it, and True if it was there before.

        ``pack`` is what is in the bytes, read from the file if it is None.  Raises PackError or InputError.
        """
        while True:
            path, was_there = free_name(self._folder, name, source, data)
            inside = os.path.dirname(path)
            try:
                os.makedirs(inside, exist_ok=True)
            except OSError as error:
                problem = _("{path}: cannot be created: {reason}", path=inside, reason=error.strerror)
                raise InputError(problem) from None
            if inside not in self._swept:
                self._swept.add(inside)
                remove_leftovers(inside)
            if was_there or write_new_file(path, data):
                (copy,) = find_packs(path)
                copy = copy._replace(name=stem_of(os.path.relpath(path, self._folder)))
                pack = open_pack(copy, limits=self._reading.limits) if pack is None else pack
                if self._index.entry(copy) is None:
                    self._index.learn(copy, pack, stamp_of(copy))
                return copy, was_there

    def _keep_solutions(self, progress: ProgressStore, levels: Sequence[Level], title: str) -> int:
        """Put the solutions that came with levels of a pack among the known ones, if they are better by some metric.

        Return their number.  Raises PackError if the progress cannot be read now.
        """
        kept = 0
        for level in levels:
            brought = solutions_of(level, title)
            if not brought:
                continue
            in_library = self._index.known(level, folder=self._folder)
            known = [each.solution for each in (*progress.found_solutions(level), *in_library)]
            for each in brought:
                if is_better(each.solution, known):
                    remember(progress, level, each)
                    known.append(each.solution)
                    kept += 1
        return kept


def _rewritten(pack: Pack, source: str) -> tuple[Written, str]:
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


def _below_its_name(path: str, files: list[PackFile]) -> list[PackFile]:
    """Name the packs found at a path: below the name of their folder or archive."""
    if os.path.isdir(path):
        above = os.path.basename(os.path.realpath(path))
    elif len(files) > 1 and path != "-":
        above = stem_of(os.path.basename(path.partition("?")[0]))
    else:
        return files
    if not above or all(file.name.startswith(f"{above}/") for file in files):
        return files
    return [file._replace(name=f"{above}/{file.name}") for file in files]


def _line(added: Added, folder: str) -> str:
    """``minicosmos.txt: 40 levels, 38 of them new``."""
    name = os.path.relpath(added.path, folder) if added.path else added.source
    levels, unreadable, left_out = len(added.pack.levels), len(added.pack.errors), len(added.left_out)
    some_new = ngettext("{n:,} of them new", "{n:,} of them new", added.new)
    figures = [
        levels_text(levels),
        ngettext("{n:,} cannot be read", "{n:,} cannot be read", unreadable) if unreadable else "",
    ]
    if left_out:
        if added.path:
            figures.append(some_new)
            text = ngettext("{n:,} left out", "{n:,} left out", left_out)
        else:
            text = _("not added: no level is new") if left_out > 1 else _("not added: its level is not new")
        if added.records_left_out:
            records = _("solutions and saved games: {number:,}", number=added.records_left_out)
            kept = _("kept as known: {number:,}", number=added.solutions_kept) if added.solutions_kept else ""
            # Translators: how many levels of a pack were left out, or that it was not added; then what came with them.
            text = _("{left_out} ({records})", left_out=text, records=listed([records, kept]))
    elif name.startswith(os.pardir):
        name = os.path.basename(name)
        text = _("listed already: it ships with sokoterm")
    elif added.was_there:
        text = _("already there")
    elif added.new:
        text = some_new if added.new < levels else _("all new")
    else:
        text = _("added, though no level is new") if levels > 1 else _("added, though its level is not new")
    return f"{printable(name)}: {listed([*figures, text])}"


def _total(results: Sequence[Added]) -> str:
    packs = [added for added in results if added.is_added]
    new = ngettext(
        "{n:,} new level in {packs} added",
        "{n:,} new levels in {packs} added",
        sum(added.new for added in packs),
        packs=packs_text(len(packs)),
    )
    left_out = sum(len(added.left_out) for added in results)
    return listed([new, ngettext("{n:,} level left out", "{n:,} levels left out", left_out)])


def _json(added: Added) -> str:
    fields = {
        "source": added.source,
        "file": added.path or None,
        "title": added.pack.title,
        "levels": len(added.pack.levels),
        "unreadable": len(added.pack.errors),
        "new": added.new,
        "added": added.is_added,
        "left_out": len(added.left_out),
        "records_left_out": added.records_left_out,
        "solutions_kept": added.solutions_kept,
    }
    return json_line(fields)
