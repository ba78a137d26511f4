"""Folder of added packs: the packs in it, and the names of new ones."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from sokoterm.engine.text import printable, stem_of
from sokoterm.language import _
from sokoterm.store.packs import PackError, PackFile, Stamp, files_below, natural_key, packs_in_file
from sokoterm.store.whole_files import lock

# Characters that some file system forbids in names or reads as part of a path.
_UNSAFE = r'[\\/:*?"<>|\x00-\x1f]'
# Of files that hold nothing but levels; others are looked into.
_PACK_SUFFIXES = (".xsb", ".sok", ".rle", ".slc", ".ssx", ".sokomind")
_LONGEST_NAME = 80
# Devices of Windows, whatever suffix their names have.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
# Others change a pack within a moment.
_PATIENCE = 10.0


@contextmanager
def changing(folder: str) -> Iterator[None]:
    """Keep other sessions from changes in the folder, which is made if need be, while its packs are read and written.

    Raises PackError.
    """
    try:
        os.makedirs(folder, exist_ok=True)
        descriptor = -1 if sys.platform == "win32" else os.open(folder, os.O_RDONLY)
    except OSError as error:
        problem = _("{path}: cannot be made: {reason}", path=printable(folder), reason=error.strerror)
        raise PackError(problem) from None
    try:
        with suppress(OSError):  # not every file system has locks
            if not lock(descriptor, _PATIENCE):
                raise PackError(_("{path}: another sokoterm is writing it", path=printable(folder)))
        yield
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def added_packs(folder: str, stamps: Mapping[str, Stamp]) -> list[PackFile]:
    """Return the packs in the folder and its subfolders (named ``folder/name``), in natural order.

    ``stamps`` are those of the index, by key: files that have not changed since they were learned are not opened. No
    pack is parsed, and a missing folder has no packs.
    """
    real = key_of(folder)
    packs: list[PackFile] = []
    for entry, name in files_below(folder, []):
        key = os.path.join(real, os.fsencode(name).decode("utf-8", "backslashreplace"))
        shown = stem_of(name)
        try:
            status = entry.stat()
        except OSError:
            packs.append(PackFile(entry.path, shown, key))  # opening it reports why
            continue
        if stamps.get(key) == Stamp(status.st_size, status.st_mtime_ns) and not entry.is_symlink():
            packs.append(PackFile(entry.path, shown, key))
        else:
            found = packs_in_file(entry.path, name)
            is_named = name.lower().removesuffix(".gz").endswith(_PACK_SUFFIXES)
            packs += found or ([PackFile(entry.path, shown, key)] if is_named else [])
    return sorted(packs, key=lambda pack: natural_key(pack.name))


def free_name(folder: str, name: str, source: str, data: bytes) -> tuple[str, bool]:
    """Return the path in the folder for the pack ``name`` with these bytes, and whether it is there already.

    ``name`` may include folders; ``source`` is where the pack comes from and gives the suffix. A name taken by other
    content gets `` 2``, `` 3`` ...
    """
    parts = [safe_name(part) for part in re.split(r"[\\/]", name) if part not in ("", ".", "..")] or ["pack"]
    base, suffix = os.path.join(folder, *parts), suffix_of(source)
    if _holds(base, data):  # earlier versions took the end of a name such as screen.10 for a suffix
        return base, True
    number = 1
    while True:
        path = base + (f" {number}" if number > 1 else "") + suffix
        if not os.path.lexists(path):
            return path, False
        if _holds(path, data):
            return path, True
        number += 1


def safe_name(part: str) -> str:
    """Return a file name that every system accepts, is not hidden, and may be shown."""
    safe = _safe(part)
    return f"_{safe}" if _DEVICE.fullmatch(safe) else safe


def _safe(part: str) -> str:
    safe = re.sub(_UNSAFE, "_", printable(part)).strip().strip(".")[:_LONGEST_NAME].strip()
    return safe or "pack"


def suffix_of(source: str) -> str:
    """Return the suffix of the file for a pack from a source: its own, or ``.txt``."""
    name = os.path.basename(source)
    suffix = re.sub(r"(?i)(\.zip|\.gz)+$", "", name[len(stem_of(name)) :])
    return suffix or ".txt"


def _holds(path: str, data: bytes) -> bool:
    try:
        if os.path.getsize(path) != len(data):
            return False
        with open(path, "rb") as file:
            return file.read(len(data) + 1) == data
    except OSError:
        return False


def is_own(folder: str, file: PackFile) -> bool:
    """True if a pack is a file in the folder, and not in an archive, not a link, nor reached through one."""
    if file.is_bundled or file.archive or file.data is not None or file.chunks is not None:
        return False
    real = os.path.realpath(folder)
    path = os.path.realpath(file.path)
    inside = os.path.relpath(os.path.abspath(file.path), os.path.abspath(folder))
    return os.path.isfile(path) and path == os.path.join(real, inside) and not inside.startswith(os.pardir)


def named_own(folder: str, name: str) -> PackFile:
    """Return the pack of text with a name in the folder, written yet or not; raises PackError for a bad name."""
    name = checked_name(name)
    path = os.path.join(folder, f"{name}.txt")
    return PackFile(path, name, key_of(path))


def remove_own(folder: str, file: PackFile) -> None:
    """Remove the file of a pack, and the folders that are empty without it; raises PackError."""
    check_own(folder, file)
    with changing(folder):
        try:
            os.unlink(file.path)
        except OSError as error:
            problem = _("{name}: cannot be removed: {reason}", name=printable(file.name), reason=error.strerror)
            raise PackError(problem) from None
        remove_empty(folder, os.path.dirname(file.path))


def remove_empty(folder: str, inside: str) -> None:
    """Remove a folder in the library folder if nothing is in it, then the one around it, and so on."""
    while os.path.realpath(inside) != os.path.realpath(folder):
        try:
            os.rmdir(inside)
        except OSError:
            return
        inside = os.path.dirname(inside)


def checked_name(name: str) -> str:
    """Return a name for a file or folder without the blanks around it; raises PackError if none can be called so."""
    name = name.strip()
    if not name or _safe(name) != name:
        expected = _('up to 80 characters, no dot first or last, none of / \\ : * ? " < > |')
        raise PackError(
            _("found {found}, expected {expected}", found=printable(name) or _("no name"), expected=expected)
        )
    return name


def key_of(path: str) -> str:
    """Return the key of the pack in a file of the folder."""
    return os.fsencode(os.path.realpath(path)).decode("utf-8", "backslashreplace")


def check_own(folder: str, file: PackFile) -> None:
    """Raise PackError if a pack is not a file of its own in the folder."""
    if is_own(folder, file):
        return
    name = printable(file.name)
    if file.is_bundled:
        raise PackError(ships(name))
    if file.archive:
        archive = printable(os.path.basename(file.archive))
        raise PackError(_("{name}: is in the archive {archive}, which stays as it is", name=name, archive=archive))
    raise PackError(_("{name}: is no file of its own in your library folder", name=name))


def ships(name: str) -> str:
    """Return why a pack that ships cannot be changed."""
    return _("{name}: ships with sokoterm, and stays as it is", name=name)
