"""``sokoterm rename``: renames a pack or a folder of the library."""

import os
from contextlib import ExitStack
from time import time

from sokoterm.commands.support.library import learn_packs, opened_index
from sokoterm.commands.support.output import complain, json_line
from sokoterm.commands.support.parser import Parser, Reading
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, listed, packs_text
from sokoterm.store.library_folder import Renaming, folder_renaming, pack_renaming, rename
from sokoterm.store.packs import PackError, added_packs, own_called
from sokoterm.store.paths import packs_dir, progress_files
from sokoterm.store.progress import opened_progress


def run(arguments: list[str]) -> int:
    """Print the new name, or an object for each pack."""
    parser = Parser(
        "rename",
        _(
            "Rename a pack or a folder in your library, using the names shown in lists. NEW may name a folder too, "
            "which is created if necessary: `sokoterm rename Zika slc544/Zika` moves the pack there. The format and "
            "the suffix of the file stay the same. No pack is ever replaced.\n\n"
            "Your position in the pack is kept (and that of every account on a server). Solutions and unfinished "
            "games are stored per level and are not affected."
        ),
        "sokoterm rename Zika slc544/Zika",
    )
    pack = parser.argument("pack", metavar="PACK", help=_("name of a pack or a folder in your library"))
    new = parser.argument("new", metavar="NEW", help=_("its new name"))
    as_json = parser.switch("--json", help=_("print a JSON object for each pack"))
    parser.parse(arguments)
    folder = packs_dir(parser.folder)
    renaming = _renaming(pack.value, new.value, folder)
    with ExitStack() as stack:
        paths = progress_files(parser.folder)
        stores = [stack.enter_context(opened_progress(path, time, complain)) for path in paths]
        for path, store in zip(paths, stores, strict=True):
            if not store.is_on_disk:
                raise PackError(_("{path}: nothing renamed: progress cannot be saved", path=printable(path)))
        rename(folder, renaming, stores)
    is_folder = os.path.isdir(renaming.new)
    with opened_index(parser.folder) as index:
        if is_folder:
            # A renamed pack is read again, since without a title it is titled by its name.
            index.move(zip(renaming.packs, renaming.renamed, strict=True))
        index.forget_missing(folder)
        learn_packs(index, renaming.renamed, Reading(), lambda __: None)
    if as_json.value:
        for was, now in zip(renaming.packs, renaming.renamed, strict=True):
            print(json_line({"pack": now.name, "file": now.path, "old_pack": was.name, "old_file": was.path}))
    else:
        names = [printable(os.path.relpath(path, folder)) for path in (renaming.old, renaming.new)]
        # Translators: the old name of a pack, and its new one.
        text = _("{old}: now {new}", old=names[0], new=names[1])
        print(listed([text, packs_text(len(renaming.packs)) if is_folder else ""]))
    return 0


def _renaming(name: str, new: str, folder: str) -> Renaming:
    called = own_called(name, folder, added_packs(folder, {}))
    inside, __, own_name = new.rpartition("/")
    if "/" in new and not inside:
        problem = N_("found {name}, expected a name in your library folder, such as NAME or FOLDER/NAME")
        raise PackError(_(problem, name=printable(new)))
    if called.is_folder:
        return folder_renaming(folder, called.name, called.files, inside, own_name)
    return pack_renaming(folder, called.files[0], inside, own_name)
