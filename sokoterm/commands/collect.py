"""``sokoterm collect``: puts levels into packs of one's own, takes them out, moves them, gives them other texts."""

import os
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sokoterm.commands.support.levels import Chosen, LevelFlags
from sokoterm.commands.support.output import InputError, json_line
from sokoterm.commands.support.parser import Parser, count
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.text import printable, several_lines
from sokoterm.language import _, listed, ngettext
from sokoterm.store.library_folder import named_own
from sokoterm.store.own_levels import FAVOURITES, alter, move, noted, put, take_out
from sokoterm.store.packs import PackFile, added_packs, open_pack, own_called
from sokoterm.store.paths import packs_dir


def run(arguments: list[str]) -> int:
    """Print what was done, or an object for each level; return 1 if no level was chosen."""
    parser = Parser(
        "collect",
        _(
            "Put levels into a pack of your own, with their texts and solutions: Favourites, or the one that --into "
            "names. A level that is there already, however turned, is not put in again. The pack is a file in your "
            "library folder like any other, to be sorted, converted or given to others.\n\n"
            "Levels of packs of your own are changed where they stand: --out takes them out, --move puts them in "
            "another place, --title, --author and --note give them other texts. The rest of the file stays as it is."
        ),
        "sokoterm collect microban -l 3,7-9 --into 'For my niece'",
    )
    flags = LevelFlags(parser)
    text = _("the pack that they go to, begun if need be; NAME or FOLDER/NAME (default: {name})", name=FAVOURITES)
    into = parser.flag("--into", metavar="OWN", help=text)
    out = parser.switch("--out", help=_("take them out of their pack"))
    place = parser.flag("--move", parse=count, metavar="N", help=_("put them at place N of their pack"))
    titled = _("its title, in one level of a pack of your own; empty for none")
    title = parser.flag("--title", metavar="TEXT", help=titled)
    author = parser.flag("--author", metavar="TEXT", help=_("its author"))
    note = parser.flag("--note", metavar="TEXT", help=_("its comment; | begins a new line"))
    as_json = parser.switch("--json", help=_("print a JSON object for each level"))
    parser.parse(arguments)
    named = {"title": title.value, "author": author.value, "comment": note.value and several_lines(note.value)}
    texts = {name: text for name, text in named.items() if text is not None}
    asked = [into.value is not None, out.value, place.value is not None, bool(texts)]
    if sum(asked) > 1:
        parser.error(_("found several of --into, --out, --move and texts, expected one"))
    if flags.are_all and (not flags.packs or any(asked[1:])):
        parser.error(_("found neither -l nor --where, expected the levels"))
    folder, levels = packs_dir(parser.folder), flags.levels()
    chosen = list(levels)
    if not chosen:
        return levels.status or 1
    if any(asked[1:]):
        file, some = _own(flags.packs, folder), [each.level for each in chosen]
        told = _changed(folder, file, some, texts, place.value)
    else:
        file = named_own(folder, FAVOURITES if into.value is None else into.value)
        told = _collected(folder, file, chosen)
    if as_json.value:
        for number, level in told.levels:
            fields = {"title": level.title, "author": level.author, "changed": number not in told.unchanged}
            print(json_line({"pack": file.name, "file": file.path, "level": number, **fields}))
    else:
        print(told.text)
    return levels.status


class _Done(NamedTuple):
    """What was done, as a line, and the levels with the numbers that they have, or had if they are gone."""

    text: str
    levels: Sequence[tuple[int, Level]]
    unchanged: Collection[int] = ()


def _collected(folder: str, file: PackFile, chosen: Sequence[Chosen]) -> _Done:
    """Put levels into a pack, but for those that are there."""
    there = open_pack(file).levels if os.path.lexists(file.path) else ()
    numbers = {level_hash(level): level.number for level in there}
    unchanged, new = {*numbers.values()}, dict[str, Level]()
    for each in chosen:
        if (found := level_hash(each.level)) not in numbers:
            new.setdefault(found, noted(Pack(each.title, (), author=each.author), each.level))
    if new:
        numbers |= zip(new, put(folder, file, [*new.values()]))
    name, left_out = printable(file.name), len(chosen) - len(new)
    text = ngettext("{pack}: {n:,} level collected", "{pack}: {n:,} levels collected", len(new), pack=name)
    before = ngettext("{n:,} was there", "{n:,} were there", left_out) if left_out else ""
    levels = [(numbers[level_hash(each.level)], each.level) for each in chosen]
    return _Done(listed([text, before]), levels, unchanged)


def _changed(
    folder: str, file: PackFile, levels: Sequence[Level], texts: Mapping[str, str], place: int | None
) -> _Done:
    """Take levels out of a pack, move them to a place, or give one of them other texts."""
    name, first = printable(file.name), levels[0].number
    if texts and len(levels) > 1:
        raise InputError(_("found {n} levels for one text, expected one: -l N", n=len(levels)))
    if texts:
        alter(folder, file, levels[0], **texts)
        (changed,) = [level for level in open_pack(file).levels if level.number == first]
        return _Done(_("saved: level {number} of {pack}", number=first, pack=name), [(first, changed)])
    if place is None:
        take_out(folder, file, levels)
        text = ngettext("{pack}: {n:,} level taken out", "{pack}: {n:,} levels taken out", len(levels), pack=name)
        return _Done(text, [(level.number, level) for level in levels])
    number = move(folder, file, levels, place)
    text = ngettext(
        "{pack}: {n:,} level moved, now from level {number} on",
        "{pack}: {n:,} levels moved, now from level {number} on",
        len(levels),
        pack=name,
        number=number,
    )
    return _Done(text, [*enumerate(levels, start=number)])


def _own(packs: Sequence[str], folder: str) -> PackFile:
    """Return the pack of one's own in which levels are changed."""
    if len(packs) != 1:
        raise InputError(_("found {n} packs, expected one of your own", n=len(packs)))
    called = own_called(packs[0], folder, added_packs(folder, {}))
    if called.is_folder:
        raise InputError(_("{name}: is a folder, expected a pack of your own", name=printable(called.name)))
    return called.files[0]
