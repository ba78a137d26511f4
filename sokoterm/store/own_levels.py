"""Levels of the player's own: written to a pack in the library folder, behind the others or in place of one."""

import os

from sokoterm.engine.level import Level, Pack, numbered
from sokoterm.engine.text import printable
from sokoterm.formats.registry import format_of, write
from sokoterm.language import _
from sokoterm.store.library_folder import is_own
from sokoterm.store.packs import PackError, PackFile, open_pack, read_bytes, read_pack
from sokoterm.store.whole_files import replace_file

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
    if not os.path.lexists(file.path):
        _begin(folder, file, level)
        return 1
    if not is_own(folder, file):
        raise PackError(_("{name}: is no file in your library folder", name=printable(file.name)))
    pack = open_pack(file)
    if number is not None and (data := _replaced(file, pack, level, number, before)) is not None:
        _write(file.path, data)
        return number
    data = _appended(file, pack, level)
    if data is None:
        name = printable(file.name)
        raise PackError(_("{name}: no level can be added to this file, expected plain text", name=name))
    _write(file.path, data)
    return pack.size + 1


def _begin(folder: str, file: PackFile, level: Level) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        problem = _("{path}: cannot be made: {reason}", path=printable(folder), reason=error.strerror)
        raise PackError(problem) from None
    _write(file.path, write(Pack(file.name, (numbered(level, 1),)), "xsb").data)


def _replaced(file: PackFile, pack: Pack, level: Level, number: int, before: Level | None) -> bytes | None:
    """Return the bytes of a file with another level in place of one; None if that would lose something."""
    name = format_of(file.path)
    there = pack.find_level(number)
    if (there and there.position) != (before and before.position):
        return None
    others = [each for each in pack.levels if each.number != number]
    if not name or pack.likelier or any(error.level != number for error in pack.errors) or len(others) != pack.size - 1:
        return None
    levels = sorted([*others, numbered(level, number)], key=lambda each: each.number)
    written = write(pack._replace(levels=tuple(levels), errors=()), name)
    if written.lost or _MISREAD in written.data or not _reads_back(written.data, file, levels):
        return None
    return written.data


def _appended(file: PackFile, pack: Pack, level: Level) -> bytes | None:
    """Return the bytes of a file with a level behind all others; None for a file to which nothing can be added so."""
    name = format_of(file.path)
    if name not in _TEXTS:
        return None
    before = read_bytes(file)
    try:
        before.decode("utf-8")
    except UnicodeDecodeError:
        return None
    data = before.rstrip() + b"\n\n" + write(Pack("", (level,)), name).data
    found = read_pack(data, file.source)
    if found.size != pack.size + 1 or not _reads_back(data, file, [*pack.levels, level]):
        return None
    return data


def _reads_back(data: bytes, file: PackFile, levels: list[Level]) -> bool:
    """True if bytes hold just these levels."""
    found = read_pack(data, file.source).levels
    return [each.position for each in found] == [each.position for each in levels]


def _write(path: str, data: bytes) -> None:
    """Write a file as a whole or not at all; raises PackError."""
    try:
        replace_file(path, data)
    except OSError as error:
        problem = _("{path}: cannot be written: {reason}", path=printable(path), reason=error.strerror)
        raise PackError(problem) from None
