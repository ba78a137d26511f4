"""``sokoterm collect``: puts levels into packs of the player's own, and moves, alters or removes them there."""

import os
from collections.abc import Iterator, Mapping, Sequence

from sokoterm.app.request import Note, Reread
from sokoterm.commands.support.levels import Chosen, LevelFlags, several_levels
from sokoterm.commands.support.output import InputError, json_line
from sokoterm.commands.support.parser import Parser, count
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.text import printable, several_lines
from sokoterm.language import _
from sokoterm.store.library_folder import named_own
from sokoterm.store.own_levels import FAVOURITES, alter, move, noted, put, take_out
from sokoterm.store.packs import PackFile, added_packs, open_pack, own_called
from sokoterm.store.paths import packs_dir
from sokoterm.wording.lists import level_text

_Done = tuple[str, int, Level, bool]
"""Description of the change, the level's new number (or its old one if it is removed), the level, and if it changed."""


def run(arguments: list[str]) -> int:
    """Print a line or an object for each level; return 1 if none was chosen."""
    parser = Parser(
        "collect",
        _(
            "Put levels into a pack of your own, with their texts and solutions: Favourites, or the pack named by "
            "--into. A level that the pack already contains, in any orientation, is not added again. The pack is a "
            "file in your library folder like any other.\n\n"
            "You can also change levels of your own packs: --out takes them out, --move puts them in another place, "
            "and --title, --author and --note change the texts of one level. The rest of the file stays as it is."
        ),
        "sokoterm collect microban -l 3,7-9 --into 'For my niece'",
    )
    flags = LevelFlags(parser)
    text = _("the pack for them, created if necessary; NAME or FOLDER/NAME (default: {name})", name=FAVOURITES)
    into = parser.flag("--into", metavar="OWN", help=text)
    out = parser.switch("--out", help=_("take them out of their pack"))
    place = parser.flag("--move", parse=count, metavar="N", help=_("move them to place N in their pack"))
    title = parser.flag("--title", metavar="TEXT", help=_("new title for the level"))
    author = parser.flag("--author", metavar="TEXT", help=_("new author"))
    note = parser.flag("--note", metavar="TEXT", help=_("new note; | starts a new line"))
    as_json = parser.switch("--json", help=_("print a JSON object for each level"))
    parser.parse(arguments)
    named = {"title": title.value, "author": author.value, "comment": note.value and several_lines(note.value)}
    texts = {name: text for name, text in named.items() if text is not None}
    changes = [out.value, place.value is not None, bool(texts)]
    if sum(changes) + (into.value is not None) > 1:
        parser.error(_("use only one of --into, --out, --move and the options for texts"))
    if flags.are_all and (not flags.packs or any(changes)):
        parser.error(_("choose the levels with -l or --where"))
    folder, levels = packs_dir(parser.folder), flags.levels()
    chosen = list(levels)
    if not chosen:
        return levels.status or 1
    if any(changes):
        file = _own(flags.packs, folder)
        done = _changed(folder, file, [each.level for each in chosen], texts, place.value)
    else:
        file = named_own(folder, FAVOURITES if into.value is None else into.value)
        done = _collected(folder, file, chosen)
    for text, number, level, is_changed in done:
        fields = {"title": level.title, "author": level.author, "changed": is_changed}
        told = {"pack": file.name, "file": file.path, "level": number, **fields}
        print(json_line(told) if as_json.value else text)
    return levels.status


def _collected(folder: str, file: PackFile, chosen: Sequence[Chosen]) -> Iterator[_Done]:
    there = open_pack(file).levels if os.path.lexists(file.path) else ()
    numbers = {level_hash(level): level.number for level in there}
    new = dict[str, Level]()
    for each in chosen:
        if (found := level_hash(each.level)) not in numbers:
            new.setdefault(found, noted(Pack(each.title, (), author=each.author), each.level))
    if new:
        numbers |= zip(new, (level.number for level in put(folder, file, [*new.values()])))
    for each in chosen:
        number, is_new = numbers[found := level_hash(each.level)], found in new
        text = (Note.COLLECTED if is_new else Note.IS_COLLECTED).value
        yield _(text, number=number, pack=printable(file.name)), number, each.level, is_new


def _changed(
    folder: str, file: PackFile, levels: Sequence[Level], texts: Mapping[str, str], place: int | None
) -> Iterator[_Done]:
    first = levels[0].number
    if len(levels) > 1 and texts:
        raise several_levels(len(levels), "--title")
    if texts:
        alter(folder, file, levels[0], **texts)
    elif place is not None:
        first = move(folder, file, levels, place)
    else:
        take_out(folder, file, levels)
    for number, level in enumerate(levels, start=first):
        now = number if texts or place is not None else 0
        changed = Reread(file, now, level.number)
        yield level_text(changed), now or level.number, level.replace(**texts), True


def _own(packs: Sequence[str], folder: str) -> PackFile:
    files = own_called(packs[0], folder, added_packs(folder, {})).files if len(packs) == 1 else ()
    if len(files) != 1:
        raise InputError(_("found {n} packs; name one pack of your own", n=len(files or packs)))
    return files[0]
