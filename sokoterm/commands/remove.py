"""``sokoterm remove``: removes packs from the library."""

import os
from collections.abc import Sequence

from sokoterm.commands.support.library import opened_index
from sokoterm.commands.support.output import complain, is_yes, json_line
from sokoterm.commands.support.parser import Parser
from sokoterm.engine.text import printable
from sokoterm.language import _, joined, ngettext
from sokoterm.store.library_folder import check_own, remove_own
from sokoterm.store.packs import OwnCalled, PackError, added_packs, own_called
from sokoterm.store.paths import library_file, packs_dir


def run(arguments: list[str]) -> int:
    """Print a line for each PACK; return 1 if the answer is no, 2 if something was not found or not removed."""
    parser = Parser(
        "remove",
        _(
            "Remove packs that you added to your library, using the names shown in lists; a folder is removed with "
            "all its packs. Bundled packs and packs in an archive cannot be removed. Your progress is kept, and "
            "comes back if you add the pack again. You are asked to confirm; without a terminal, use --yes."
        ),
        "sokoterm remove slc544/Zika",
    )
    text = _("name of a pack or a folder in your library")
    packs = parser.several("packs", parse=str, nargs="+", metavar="PACK", help=text)
    yes = parser.switch("--yes", help=_("remove without asking"))
    as_json = parser.switch("--json", help=_("print a JSON object for each pack that is removed"))
    parser.parse(arguments)
    if as_json.value and not yes.value:
        parser.error(_("--json requires --yes, because no question can be asked"))
    folder = packs_dir(parser.folder)
    found, status = _find(packs.value, folder)
    if not found:
        return status
    question = _("Remove {packs} from your library?", packs=joined(_shown(each, folder) for each in found))
    if not yes.value and not is_yes(question, _("nothing removed")):
        print(_("nothing removed"))
        return 1
    for called in found:
        removed = 0
        for file in called.files:
            try:
                remove_own(folder, file)
            except PackError as error:
                complain(str(error))
                status = 2
                continue
            removed += 1
            if as_json.value:
                print(json_line({"pack": file.name, "file": file.path}), flush=True)
        if removed and not as_json.value:
            if called.is_folder:
                name = printable(called.name)
                text = ngettext("{folder}: {n:,} pack removed", "{folder}: {n:,} packs removed", removed, folder=name)
            else:
                text = _("{pack}: removed", pack=_shown(called, folder))
            print(text, flush=True)
    if os.path.exists(library_file(parser.folder)):
        with opened_index(parser.folder) as index:
            index.forget_missing(folder)
    return status


def _find(names: Sequence[str], folder: str) -> tuple[list[OwnCalled], int]:
    """Return the packs and folders with these names, each once, and the exit status; reports those it cannot remove."""
    own = added_packs(folder, {})
    found: list[OwnCalled] = []
    status = 0
    for name in names:
        try:
            called = own_called(name, folder, own)
            for file in called.files:
                check_own(folder, file)
        except PackError as error:
            complain(str(error))
            status = 2
            continue
        known = {file.key for each in found for file in each.files}
        new = [file for file in called.files if file.key not in known]
        if new:
            found.append(called._replace(files=new))
    return found, status


def _shown(called: OwnCalled, folder: str) -> str:
    """``slc/Zika.txt``, or ``slc with 544 packs``."""
    if called.is_folder:
        name = printable(called.name)
        return ngettext("{folder} with {n:,} pack", "{folder} with {n:,} packs", len(called.files), folder=name)
    return printable(os.path.relpath(called.files[0].path, folder))
