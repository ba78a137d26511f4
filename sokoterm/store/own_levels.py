"""Changes to the player's own packs: levels are added, removed, moved and edited; all other text stays byte for byte.

Each change writes the whole file once, after parsing the new text, and locks out other sessions meanwhile. A change
that is impossible raises PackError and leaves the file alone.
"""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.text import printable
from sokoterm.formats.limits import UNLIMITED
from sokoterm.formats.registry import check_read_back, cleaned, format_of, is_whole, parse, write
from sokoterm.formats.text import lines_of_levels
from sokoterm.formats.write_text import as_text_has_it
from sokoterm.language import N_, _
from sokoterm.store.library_folder import changing, check_own, packed, remove_empty, telling
from sokoterm.store.packs import PackError, PackFile, check_not_shipped, files_below, read_bytes, read_pack, reading
from sokoterm.store.whole_files import write_whole

FAVOURITES = "Favourites"
"""The default pack for collected levels."""

_BLANK_END = r"(?:\A|\r\n?|\n)[ \t]*(?:\r\n?|\n)\Z"
_MARK = "\ufeff"
# The replacement for bytes that are invalid in the encoding of a file.
_MISREAD = "\ufffd".encode()


class OwnLevel(NamedTuple):
    """A level of a pack, None if unreadable, and its lines in the file, empty for a new level."""

    level: Level | None
    lines: str = ""


def check_room(folder: str, quota: int | None) -> None:
    """Raise PackError if the packs in a folder use up the quota in MB; None means no limit."""
    if quota is not None and sum(os.path.getsize(path) for path, __ in files_below(folder, [])) >= quota << 20:
        raise PackError(_("not saved: your packs take up the quota of {quota} MB", quota=quota))


def noted(pack: Pack, level: Level) -> Level:
    """Return a level for another pack, with its author, and its original place as its ``collection``."""
    metadata = tuple(pair for pair in level.metadata if pair[0] != "heading")  # often its number in the first pack
    if all(key != "collection" for key, __ in metadata):
        metadata += (("collection", f"{pack.title} {level.number}".strip()),)
    return level.replace(author=level.author or pack.author, metadata=metadata)


def put(folder: str, file: PackFile, levels: Sequence[Level]) -> Sequence[Level]:
    """Append levels to a pack, which is created if missing; return them as read from the file."""
    new = [_entry(level) for level in levels]
    return _change(folder, file, lambda entries: [*entries, *new]).levels[-len(new) :]


def put_level(folder: str, file: PackFile, level: Level, number: int | None = None, before: Level | None = None) -> int:
    """Write a drawn level into a pack and return its number.

    The level replaces the one with ``number`` if that still equals ``before`` (None: an unreadable level). Otherwise,
    and without a number, it is appended.
    """
    place = 0

    def placed(entries: list[OwnLevel]) -> list[OwnLevel]:
        nonlocal place
        there = entries[number - 1].level if number and number <= len(entries) else level
        is_same = number and (there and there.puzzle) == (before and before.puzzle)
        place = number if number and is_same else len(entries) + 1
        return [*entries[: place - 1], _entry(level), *entries[place:]]

    _change(folder, file, placed)
    return place


def put_back(folder: str, file: PackFile, number: int, entry: OwnLevel) -> None:
    """Restore a removed level to its place."""
    _change(folder, file, lambda entries: [*entries[: number - 1], entry, *entries[number - 1 :]])


def take_out(folder: str, file: PackFile, levels: Sequence[Level]) -> list[OwnLevel]:
    """Remove levels from a pack and return them; a file without levels or texts is deleted."""
    taken = list[OwnLevel]()

    def without(entries: list[OwnLevel]) -> list[OwnLevel]:
        taken[:], others = _parted(file, entries, levels)
        return others

    _change(folder, file, without)
    return taken


def move(folder: str, file: PackFile, levels: Sequence[Level], number: int) -> int:
    """Move levels, as one block, so that the first has a number, or the nearest possible one; return that."""

    def moved(entries: list[OwnLevel]) -> list[OwnLevel]:
        nonlocal number
        block, others = _parted(file, entries, levels)
        number = max(1, min(number, len(others) + 1))
        return [*others[: number - 1], *block, *others[number - 1 :]]

    _change(folder, file, moved)
    return number


def alter(folder: str, file: PackFile, level: Level, /, **texts: str) -> None:
    """Change the title, author or comment of a level."""

    def altered(entries: list[OwnLevel]) -> list[OwnLevel]:
        [there], __ = _parted(file, entries, [level])
        changed = _entry((there.level or level).replace(**texts))
        return [*entries[: level.number - 1], changed, *entries[level.number :]]

    _change(folder, file, altered)


def _entry(level: Level) -> OwnLevel:
    return OwnLevel(cleaned(Pack("", (as_text_has_it(level, []),))).levels[0])


def _parted(file: PackFile, entries: list[OwnLevel], levels: Sequence[Level]) -> tuple[list[OwnLevel], list[OwnLevel]]:
    """Return the entries of levels, and the others; raises PackError if a level has changed since it was shown."""
    by_number = dict(enumerate(entries, start=1))
    found = [by_number.pop(level.number, OwnLevel(None)) for level in levels]
    for level, (there, __) in zip(levels, found):
        if there is None or (there.puzzle, there.title) != (level.puzzle, level.title):
            problem = _("{name}: level {number} is a different one now", name=printable(file.name), number=level.number)
            raise PackError(problem)
    return found, [*by_number.values()]


# The file


def _change(folder: str, file: PackFile, edit: Callable[[list[OwnLevel]], list[OwnLevel]]) -> Pack:
    if not os.path.lexists(file.path):
        check_not_shipped(file.name)
    with changing(folder), reading(file.source):
        if os.path.lexists(file.path):
            check_own(folder, file)
            data = read_bytes(file)
            pack = read_pack(data, file.source)
        else:
            data, pack = b"", Pack(os.path.basename(file.name), ())
        header, entries = _entries(data, pack)
        edited = edit(entries)
        if not edited and (pack.author or pack.comment or pack.metadata):
            problem = _("{name}: the last level stays, as the pack has texts of its own", name=printable(file.name))
            raise PackError(problem)
        written, there = _written(file, pack, header, entries, edited) if edited else (b"", pack)
        inside = os.path.dirname(file.path)
        with telling(N_("{path}: cannot be written: {reason}"), path=printable(file.path)):
            if edited:
                os.makedirs(inside, exist_ok=True)
                write_whole(file.path, packed(file.path, written))
            elif entries:
                os.unlink(file.path)
                remove_empty(folder, inside)
    return there


def _entries(data: bytes, pack: Pack) -> tuple[str | None, list[OwnLevel]]:
    """Return the text before the first level, and the levels; None and no lines for a file that is not UTF-8 text."""
    header, lines = None, list[str]()
    if not data:
        header = write(pack, "sok").data.decode()
    else:
        with suppress(UnicodeDecodeError, LevelError):
            header, lines = lines_of_levels(data.decode("utf-8-sig"))
            header = _MARK * data.startswith(_MARK.encode()) + header
    if len(lines) != pack.size:
        header, lines = None, [""] * pack.size
    levels = {level.number: level for level in pack.levels}
    return header, [OwnLevel(levels.get(number), each) for number, each in enumerate(lines, start=1)]


def _written(
    file: PackFile, pack: Pack, header: str | None, entries: Sequence[OwnLevel], edited: Sequence[OwnLevel]
) -> tuple[bytes, Pack]:
    own = format_of(file.path)
    if header is not None:
        # XSB, and text without a suffix, cannot store every detail of a solution.
        for name in dict.fromkeys((own or "xsb", "sok" if own in ("", "xsb") else own)):
            new = {id(each): write(Pack("", (each.level,)), name) for each in edited if not each.lines and each.level}
            texts = [new[id(each)].data.decode() if id(each) in new else each.lines for each in edited]
            data = _joined(header, entries, edited, texts)
            has_all = name == "sok" or not any(each.lost for each in new.values())
            if has_all and (there := _read_back(data, file, pack, edited)) is not None:
                return data, there
    levels = [each.level.replace(number=n) for n, each in enumerate(edited, start=1) if each.level is not None]
    if len(levels) == len(edited) and own and not (pack.likelier or pack.read_as):
        whole = pack._replace(levels=tuple(levels), errors=())
        written = write(whole, own)
        with suppress(LevelError):
            there = check_read_back(written, whole, own, file.source)
            if not written.lost and _MISREAD not in written.data:
                return written.data, there
    problem = _("{name}: this file cannot be changed without a loss, expected plain text", name=printable(file.name))
    raise PackError(problem)


def _joined(header: str, entries: Sequence[OwnLevel], edited: Sequence[OwnLevel], written: Sequence[str]) -> bytes:
    """Return the text of levels as ``written``, separated by a blank line unless they were neighbours before."""
    end = "\r\n" if "\r\n" in header + "".join(each.lines for each in entries[:1]) else "\n"
    before = dict(zip(map(id, entries), (None, *entries)))
    texts, last = [header], None
    for entry, lines in zip(edited, written):
        if texts[-1] and before.get(id(entry), entry) is not last and not re.search(_BLANK_END, texts[-1]):
            texts.append(end if texts[-1].endswith(("\r", "\n")) else end * 2)
        texts.append(lines)
        last = entry
    return "".join(texts).encode()


def _read_back(data: bytes, file: PackFile, pack: Pack, edited: Sequence[OwnLevel]) -> Pack | None:
    """Return the pack in ``data`` if its levels are as edited, and unedited levels equal in all fields; else None."""
    try:
        there = parse(data, file.source, None, UNLIMITED)
    except LevelError:
        return None
    levels = {level.number: level for level in there.levels}
    for number, (level, lines) in enumerate(edited, start=1):
        found = levels.get(number)
        if level is None or found is None:
            is_same = level is found
        elif lines:
            is_same = found == level.replace(number=number, line=found.line)
        else:
            is_same = is_whole(found, level, has_lost=True)
        if not is_same:
            return None
    texts, expected = (each._replace(levels=(), errors=()) for each in (there, pack))
    return there if there.size == len(edited) and texts == expected else None
