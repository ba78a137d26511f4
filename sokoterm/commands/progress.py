"""``sokoterm progress``: exports progress as a file of levels and solutions, imports it, and shows statistics."""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from time import time

from sokoterm.app.catalog import catalog_of, own_packs
from sokoterm.commands.support.library import learn_packs
from sokoterm.commands.support.output import InputError, ProgressBar, complain
from sokoterm.commands.support.parser import Parser, Reading, ReadingFlags
from sokoterm.commands.support.results import write_data
from sokoterm.engine.text import printable
from sokoterm.formats.limits import UNLIMITED
from sokoterm.formats.registry import write
from sokoterm.language import N_, _, levels_done, levels_text, listed, ngettext, solutions_text
from sokoterm.store.database import ROWS_LEFT_OUT, NotWrittenError
from sokoterm.store.exchange import TITLE, Exported, Imported, empty_export, export, merge
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackError, PackFile, find_packs, read_bytes, read_pack
from sokoterm.store.paths import library_file, packs_dir, progress_file
from sokoterm.store.progress import PLAY_LEFT_OUT, ProgressStore, known_progress, opened_progress
from sokoterm.wording.statistics import NOTHING_YET, StatisticsPage

_HEAD_BYTES = 1 << 12


def _about() -> str:
    begin = _(
        "Take your progress to another machine: solved levels with the best solutions, dates and time played, known "
        "solutions, and unfinished games with their moves and bookmarks. The file is in SOK format, which other "
        "Sokoban programs read too."
    )
    actions = {
        "export": _("writes everything to FILE, which may replace an earlier export but no other file"),
        "import": _(
            "adds the contents of FILE: the better solution is kept; an unfinished game becomes a bookmark if you "
            "have one of your own; importing twice changes nothing"
        ),
        "show": _(
            "prints statistics: levels solved and time by day and by pack, streaks, help used, and your pushes "
            "beside the best known"
        ),
    }
    end = _(
        "Any pack with solutions can be imported: they count as your own, so its levels are marked as solved. Every "
        "solution is replayed by the rules first. An unfinished game is exported with its moves and those that can "
        "be redone, each as a separate step; other undone moves are not exported. Your position in a pack of your "
        "own is restored if the file has the same path."
    )
    rows = "\n".join(f"{action:<7} {text}" for action, text in actions.items())
    return f"{begin}\n\n{rows}\n\n{end}"


def run(arguments: list[str]) -> int:
    """Export or import, and print how much, or print the statistics."""
    parser = Parser("progress", _about(), "sokoterm progress export my-progress.sok")
    actions = ("export", "import", "show")
    action = parser.argument("action", choices=actions, metavar="|".join(actions), help=_("what to do"))
    text = _("the file, or - for standard output or input")
    file_flag = parser.flag("file", nargs="?", metavar="FILE", help=text)
    flags = ReadingFlags(parser)
    parser.parse(arguments)
    file = file_flag.value
    if (file is None) is not (action.value == "show"):
        expected = {"export": "export FILE", "import": "import FILE", "show": _("show without FILE")}[action.value]
        if file is None:
            parser.error(_("FILE is missing: {expected}", expected=expected))
        parser.error(_("found {found}, expected {expected}", found=file, expected=expected))
    if file is None:
        return _show(parser.folder)
    path = progress_file(parser.folder)
    return _export(path, file) if action.value == "export" else _import(path, file, flags.reading)


def _show(folder: str) -> int:
    with known_progress(progress_file(folder), time, complain) as store:
        if store is None:
            print(_(NOTHING_YET))
            return 0
        with closing(catalog_of(folder, store)) as catalog:
            files = own_packs(packs_dir(folder), catalog)
            learn_packs(catalog.open(), files, Reading())
            for line in StatisticsPage(store, catalog, files).lines():
                print(printable(line))
    return 0


def _export(path: str, target: str) -> int:
    if target != "-" and os.path.isfile(target) and os.path.getsize(target) and not _is_export(target):
        problem = N_("{path}: not replaced: it is not an earlier export of progress")
        raise InputError(_(problem, path=target))
    exported = _read(path) if os.path.exists(path) else empty_export()
    written = write(exported.pack, "sok")
    write_data(target, written.data)
    if target != "-":
        solutions = solutions_text(exported.solutions)
        print(listed([levels_text(len(exported.pack.levels)), solutions, *_plays(exported)]))
    lost = [_("{title}: not in the file: {lost}", title=TITLE, lost=each) for each in written.lost]
    problems = [*exported.problems, *lost]
    for problem in problems:
        complain(problem)
    return 2 if problems else 0


def _read(path: str) -> Exported:
    with opened_progress(path, time, complain) as store, ProgressBar(0, levels_done) as bar:
        before = len(store.notices)
        problem = _("{path}: nothing exported: it cannot be read", path=path)
        try:
            exported = export(store, bar.show, partial(_packs_with, library_file(os.path.dirname(path))))
        except PackError:
            raise InputError(problem) from None
        left = [notice for notice in store.notices[before:] if notice.endswith(_(ROWS_LEFT_OUT))]
        is_whole = all(notice in left or notice.startswith(_(PLAY_LEFT_OUT)) for notice in store.notices[before:])
        if not is_whole or before and not exported.pack.levels:
            raise InputError(problem)
        store.notices[:] = [notice for notice in store.notices if notice not in left]
    return exported._replace(problems=(*exported.problems, *left))


def _packs_with(library: str, hashes: Sequence[str]) -> Iterator[PackFile]:
    if not hashes or not os.path.exists(library):
        return
    with closing(LibraryIndex.open(library, time)) as index:
        keys = dict.fromkeys(place.key for each in hashes for place in index.names_of(each))
    for key in keys:
        with suppress(PackError):  # for a bundled pack, or one in an archive
            yield from find_packs(key)


def _import(path: str, source: str, reading: Reading) -> int:
    if os.path.isfile(source) and _is_export(source):
        reading = reading._replace(limits=UNLIMITED)
    files = find_packs(source, reading.limits)
    status = 0
    with opened_progress(path, time, complain) as store:
        if not store.is_on_disk:
            raise InputError(_("{path}: nothing imported: progress cannot be saved", path=path))
        for file in files:
            try:
                imported = _import_pack(store, file, reading)
            except PackError as error:
                complain(str(error))
                status = 2
                continue
            read = listed([levels_text(imported.levels), solutions_text(imported.solutions)])
            better = ngettext("{n:,} new or better", "{n:,} new or better", imported.better)
            # Translators: what was in a file, and what of it is new.
            text = _("{read}: {new}", read=read, new=listed([better, *_plays(imported)]))
            source = printable(file.source)
            print(_("{file}: {facts}", file=source, facts=text) if len(files) > 1 else text)
            for problem in imported.problems:
                complain(problem)
                status = 2
    return status


def _import_pack(store: ProgressStore, file: PackFile, reading: Reading) -> Imported:
    data = read_bytes(file, reading.limits)
    pack = read_pack(data, file.source, reading.encoding, reading.limits, empty=TITLE)
    try:
        with ProgressBar(len(pack.levels), levels_done) as bar:
            return merge(store, pack, file.source, time(), bar.show)
    except NotWrittenError as error:
        raise PackError(_("{source}: nothing imported from it: {error}", source=file.source, error=error)) from None


def _is_export(path: str) -> bool:
    """True if a file starts like an export; False if it cannot be read."""
    with suppress(OSError), open(path, "rb") as file:
        return TITLE.encode() in file.read(_HEAD_BYTES)
    return False


def _plays(counted: Exported | Imported) -> Sequence[str]:
    bookmarks = counted.bookmarks
    return (
        ngettext("{n:,} unfinished game", "{n:,} unfinished games", counted.plays),
        ngettext("{n:,} bookmark", "{n:,} bookmarks", bookmarks) if bookmarks else "",
    )
