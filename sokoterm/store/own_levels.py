"""Levels of the player's own: written to a pack in the library folder, behind the others or in place of one."""

import os
from contextlib import suppress

from sokoterm.engine.level import Level, LevelError, Pack, numbered
from sokoterm.engine.text import printable
from sokoterm.formats.registry import MISREAD, Written, check_read_back, cleaned, format_of, write
from sokoterm.formats.write_text import as_text_has_it
from sokoterm.language import _
from sokoterm.store.library_folder import changing, is_own
from sokoterm.store.packs import PackError, PackFile, open_pack, read_bytes, reading
from sokoterm.store.whole_files import remove_leftovers, replace_file

# Formats to whose files a level can be added as text.
_TEXTS = ("xsb", "sok")
# What bytes become that are no text in the encoding of a file.
_MISREAD = "\ufffd".encode()


def put_level(folder: str, file: PackFile, level: Level, number: int | None = None, before: Level | None = None) -> int:
    """Write a level into a pack of the folder, which is begun if it is not there; return the level's number in it.

    It takes the place of the level with ``number`` if that is still ``before``, None for one that cannot be read, and
    nothing else of the file is lost; otherwise, or without a number, it becomes the last one. What is written has been
    read back. Raises PackError.
    """
    (level,) = cleaned(Pack("", (as_text_has_it(level, []),))).levels
    with changing(folder), reading(file.source):
        if not os.path.lexists(file.path):
            number, data = 1, _anew(file, Pack(file.name, (numbered(level, 1),))).data
        elif is_own(folder, file):
            number, data = _changed(file, open_pack(file), level, number, before)
        else:
            raise PackError(_("{name}: is no file in your library folder", name=printable(file.name)))
        _write(file.path, data)
    return number


def _changed(file: PackFile, pack: Pack, level: Level, number: int | None, before: Level | None) -> tuple[int, bytes]:
    """Return the number of a level in its pack, and the bytes of the file with it; raises PackError or LevelError."""
    name = format_of(file.path)
    if number is not None and name:
        there = pack.find_level(number)
        others = [each for each in pack.levels if each.number != number]
        levels = sorted([*others, numbered(level, number)], key=lambda each: each.number)
        if (there and there.position) == (before and before.position) and len(levels) == pack.size:
            with suppress(LevelError):
                return number, _without_loss(file, pack._replace(levels=tuple(levels), errors=()))
    data = read_bytes(file)
    if name not in _TEXTS or not _is_utf8(data):
        problem = _("{name}: no level can be added to this file, expected plain text", name=printable(file.name))
        raise PackError(problem)
    last = numbered(level, pack.size + 1)
    grown = pack._replace(levels=(*pack.levels, last))
    added = write(Pack("", (last,)), name)
    written = added._replace(data=data.rstrip() + b"\n\n" + added.data)
    try:
        check_read_back(written, grown, name, file.source)
    except LevelError:
        # Its texts would be read otherwise with more text behind them.
        if pack.errors:
            raise
        return last.number, _without_loss(file, grown)
    return last.number, written.data


def _without_loss(file: PackFile, pack: Pack) -> bytes:
    """Return the bytes of a file that holds all of a pack; raises LevelError if none does."""
    written = _anew(file, pack)
    if written.lost or pack.likelier or _MISREAD in written.data:
        raise LevelError(_(MISREAD), source=file.source)
    return written.data


def _anew(file: PackFile, pack: Pack) -> Written:
    """Return the file of a pack; raises LevelError if it would not be read back."""
    name = format_of(file.path)
    written = write(pack, name)
    check_read_back(written, pack, name, file.source)
    return written


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _write(path: str, data: bytes) -> None:
    """Write a file as a whole or not at all; raises PackError."""
    remove_leftovers(os.path.dirname(path))
    try:
        replace_file(path, data)
    except OSError as error:
        problem = _("{path}: cannot be written: {reason}", path=printable(path), reason=error.strerror)
        raise PackError(problem) from None
