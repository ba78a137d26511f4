"""Level packs as files: found by path, in folders and among those that ship, and opened when they are needed."""

import os
import stat
import sys
from collections.abc import Iterator
from typing import NamedTuple

import sokoterm
from sokoterm.engine.level import Pack
from sokoterm.engine.printable import printable
from sokoterm.formats.detect import looks_like_pack, parse

# The largest packs seen have some megabytes; beyond this a wrong file was named.
MAX_BYTES = 1 << 26
# How much of a file decides whether it looks like a pack.
_HEAD_BYTES = 1 << 16


class PackError(Exception):
    """A pack that cannot be opened; its text is one line that says which and why."""


class PackFile(NamedTuple):
    """A pack that was found but not read yet.

    ``path`` is the path as given or found, ``name`` what a list shows, ``key`` the same for the same pack at the
    next start: a real path, ``bundled:NAME``, or a hash of the content.  ``data`` holds the bytes that can be read
    only once, from standard input or a pipe.
    """

    path: str
    name: str
    key: str
    data: bytes | None = None
    is_bundled: bool = False


def find_packs(path: str) -> list[PackFile]:
    """The pack in a file, or every pack in a folder and the folders below it, in natural order.

    In a folder only regular files count that look like packs, hidden ones aside; one that cannot be read is listed
    too, for ``open_pack`` to say why.  Nothing is parsed.  Raises PackError.
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    if stat.S_ISDIR(mode):
        packs = [_pack_file(found, os.path.relpath(found, path)) for found in _walk(path)]
        if not packs:
            raise PackError(f"{printable(path)}: found no level packs in this folder")
        return sorted(packs, key=lambda pack: natural_key(pack.name))
    if stat.S_ISREG(mode):
        return [_pack_file(path, os.path.basename(path))]
    if stat.S_ISFIFO(mode):
        return [pack_from_bytes(_read_file(path), path)]
    raise PackError(f"{printable(path)}: found a device, expected a file or a folder")


def pack_from_bytes(data: bytes, path: str = "-") -> PackFile:
    """The pack in some bytes, as they come from standard input."""
    from hashlib import md5

    name = "standard input" if path == "-" else os.path.basename(path)
    return PackFile(path, name, "content:" + md5(data, usedforsecurity=False).hexdigest(), data)


def read_stdin() -> bytes:
    """All of standard input, nothing where it is closed; raises PackError where it does not end in time."""
    data = sys.stdin.buffer.read(MAX_BYTES + 1) if sys.stdin is not None else b""
    if len(data) > MAX_BYTES:
        raise PackError(f"standard input: found more than {MAX_BYTES >> 20} MB, expected a level pack")
    return data


def bundled_packs() -> list[PackFile]:
    """The packs that ship, in natural order, whether sokoterm runs from a checkout, a wheel or a zip archive."""
    folder, names = _bundled()
    packs = [
        PackFile(os.path.join(folder, name), os.path.splitext(name)[0], _bundled_key(name), is_bundled=True)
        for name in names
        if not name.startswith(".")
    ]
    return sorted(packs, key=lambda pack: natural_key(pack.name))


def open_pack(pack_file: PackFile, encoding: str | None = None) -> Pack:
    """Read and parse a pack; raises PackError, or LevelError where ``encoding`` does not fit."""
    data = pack_file.data
    if data is None:
        data = _read_bundled(pack_file.path) if pack_file.is_bundled else _read_file(pack_file.path)
    source = pack_file.name if pack_file.path == "-" else pack_file.path
    return read_pack(data, source, encoding)


def read_pack(data: bytes, source: str, encoding: str | None = None) -> Pack:
    """The pack written in ``data``, with at least one level, readable or not; raises as ``open_pack`` does."""
    pack = parse(data, source, encoding)
    if not pack.size:
        found = "a binary file" if b"\0" in data[:_HEAD_BYTES] else "no levels" if data else "an empty file"
        raise PackError(f"{printable(source)}: found {found}, expected boards of # @ $ . characters")
    return pack


def _pack_file(path: str, name: str) -> PackFile:
    # A name need not be UTF-8, a text in the database must be.
    key = os.fsencode(os.path.realpath(path)).decode("utf-8", "backslashreplace")
    folder, file = os.path.split(key)
    if folder == os.path.realpath(_bundled()[0]):
        key = _bundled_key(file)  # a pack that ships is the same pack when it is named by its path
    return PackFile(path, os.path.splitext(name)[0], key)


def _bundled_key(name: str) -> str:
    return f"bundled:{name}"


def _walk(folder: str) -> Iterator[str]:
    """The files in a folder and below that look like packs or cannot be read; every folder once, links or not."""
    seen = set()
    folders = [folder]
    while folders:
        folder = folders.pop()
        try:
            status = os.stat(folder)
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(folder) as entries:
                paths = [entry.path for entry in entries if not entry.name.startswith(".")]
        except OSError:
            yield folder
            continue
        for path in paths:
            if os.path.isdir(path):
                folders.append(path)
            elif os.path.isfile(path) and may_be_pack(path):
                yield path


def may_be_pack(path: str) -> bool:
    """Whether a file looks like a pack, or cannot be read."""
    try:
        with open(path, "rb") as file:
            return looks_like_pack(file.read(_HEAD_BYTES))
    except OSError:
        return True


def natural_key(name: str) -> list[tuple[str, int]]:
    """A sorting key by which ``Pack 2`` comes before ``Pack 10``."""
    pieces: list[tuple[str, int]] = []
    letters = digits = ""
    for character in name.lower() + "\0":
        if character.isdecimal():
            digits += character
            continue
        if digits:
            pieces.append((letters, int(digits)))
            letters = digits = ""
        letters += character
    return [*pieces, (letters, -1)]


def _read_file(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    if len(data) > MAX_BYTES:
        raise PackError(f"{printable(path)}: found more than {MAX_BYTES >> 20} MB, expected a level pack")
    return data


def _unreadable(path: str, error: Exception) -> PackError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if isinstance(error, IsADirectoryError):
        reason = "this folder may not be listed"
    return PackError(f"{printable(path)}: cannot be read: {reason}")


def _bundled() -> tuple[str, list[str]]:
    """The folder of the packs that ship and the names in it: in the package, else beside it in a checkout."""
    package = os.path.dirname(sokoterm.__file__)
    inside = os.path.join(package, "levels")
    archive = _archive()
    if archive:
        return inside, _names_in(archive, _inner(archive, inside) + "/")
    for folder in (inside, os.path.join(os.path.dirname(package), "levels")):
        if os.path.isdir(folder):
            return folder, os.listdir(folder)
    return inside, []


def _read_bundled(path: str) -> bytes:
    archive = _archive()
    if not archive:
        return _read_file(path)
    from zipfile import ZipFile

    with ZipFile(archive) as file:
        return file.read(_inner(archive, path))


def _archive() -> str:
    """The zip archive that sokoterm runs from, or nothing."""
    archive: str = getattr(sokoterm.__loader__, "archive", "")
    return archive


def _inner(archive: str, path: str) -> str:
    return os.path.relpath(path, archive).replace(os.sep, "/")


def _names_in(archive: str, folder: str) -> list[str]:
    from zipfile import ZipFile

    with ZipFile(archive) as file:
        return [name[len(folder) :] for name in file.namelist() if name.startswith(folder) and name != folder]
