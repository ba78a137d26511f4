"""``sokoterm add``: copies packs to the library, whole or reduced to new levels."""

import os
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from time import time

from sokoterm.commands.support.library import learn_packs, opened_index
from sokoterm.commands.support.output import InputError, ProgressBar, complain, json_line
from sokoterm.commands.support.parser import Parser, ReadingFlags
from sokoterm.engine.level import LevelError
from sokoterm.engine.text import printable, stem_of
from sokoterm.language import _, labelled, levels_text, listed, ngettext, packs_done, packs_text
from sokoterm.store.adding import Added, LibraryFolder
from sokoterm.store.packs import PackError, PackFile, find_packs
from sokoterm.store.paths import packs_dir, progress_file
from sokoterm.store.progress import opened_progress
from sokoterm.wording.lists import reading_text


def run(arguments: list[str]) -> int:
    """Print a line for each pack; return 2 if something could not be read or written."""
    parser = Parser(
        "add",
        # Translators: `packs` is the word for packs in the list of files below every help.
        _(
            "Copy packs into your library, the folder of packs that `sokoterm` lists when started without arguments. "
            "A pack that is already there is not copied again; another pack of the same name gets a number after "
            "its name. Packs without new levels are added too, and `add` says so (`sokoterm duplicates` shows where "
            "else their levels are). Packs from a folder or an archive go into a folder of the same name.\n\n"
            "With --new-only, only new puzzles are kept: those not bundled, not in your library and not in an "
            "earlier pack on the command line, in any orientation. The format is kept where possible; otherwise the "
            "pack becomes sok. If numbers change, each level notes its old one. A pack without new levels is not "
            "added. Solutions of levels that are left out are kept as known if they are better than those known so "
            "far.\n\n"
            "The packs are files in the folder shown as `packs` at the end of this help (with --data-dir D, in "
            "D/packs). Use `sokoterm remove` and `sokoterm rename` to remove or rename them."
        ),
        "sokoterm add ~/Downloads/packs.zip https://example.org/more.slc",
    )
    paths = parser.several("packs", parse=str, nargs="+", metavar="PACK", help=_("file, folder, archive, URL or -"))
    name = parser.flag("--name", metavar="NAME", help=_("name for the pack, without a suffix (one pack only)"))
    new_only = parser.switch("--new-only", help=_("add only levels that are not in your library yet"))
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
                    "found {n} pack, but --name {name} requires exactly one",
                    "found {n} packs, but --name {name} requires exactly one",
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
        learn = partial(learn_packs, index, reading=reading._replace(encoding=None))
        is_named = name.value is not None
        library = LibraryFolder(
            packs, index, learn, reading.limits, reading.encoding, is_named=is_named, progress=progress
        )
        results: list[Added] = []
        for done, file in enumerate(files):
            bar.show(done)
            try:
                added = library.add(file)
            except (PackError, LevelError) as error:
                bar.complain(str(error))
                status = 2
                continue
            if progress is not None and (not_saved := progress.save_rows()):
                bar.complain(not_saved)
            bar.clear()
            print(_json(added) if as_json.value else _line(added, packs), flush=True)
            for problem in added.pack.errors:
                bar.complain(str(problem))
                status = 2
            if text := reading_text(added.pack):
                bar.complain(f"{printable(added.source)}: {text}")
            if added.lost:
                bar.complain(_("{path}: cannot hold: {lost}", path=added.path, lost=listed(added.lost)))
            results.append(added)
    if new_only.value and len(results) > 1 and not as_json.value:
        print(_total(results))
    return status


def _below_its_name(path: str, files: list[PackFile]) -> list[PackFile]:
    """Prefix the names of packs with the name of their folder or archive."""
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
        text = _("already listed: it is bundled with sokoterm")
    elif added.was_there:
        text = _("already there")
    elif added.new:
        text = some_new if added.new < levels else _("all new")
    else:
        text = _("added, though no level is new") if levels > 1 else _("added, though its level is not new")
    return labelled(printable(name), listed([*figures, text]))


def _total(results: Sequence[Added]) -> str:
    packs = [added for added in results if added.is_added]
    number, there = sum(added.new for added in packs), packs_text(len(packs))
    new = ngettext("{n:,} new level in {packs} added", "{n:,} new levels in {packs} added", number, packs=there)
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
