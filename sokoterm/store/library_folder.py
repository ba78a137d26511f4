"""Folder of the player's own packs: its packs, names for new ones, and renaming.

Renaming carries progress along, and a title that is the old name becomes the new one.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from sokoterm.engine.text import printable, stem_of
from sokoterm.formats.registry import format_of
from sokoterm.language import N_, _
from sokoterm.store.database import NotWrittenError
from sokoterm.store.packs import PackError, PackFile, check_not_shipped, key_of, read_bytes, read_pack, ships
from sokoterm.store.progress import ProgressStore
from sokoterm.store.whole_files import lock, move_to_free, write_whole

# Characters that some file system forbids in names or reads as part of a path.
_UNSAFE = r'[\\/:*?"<>|\x00-\x1f]'
_LONGEST_NAME = 80
# Devices of Windows, whatever suffix their names have.
_DEVICE = r"(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?"
# Seconds; other sessions change a pack within a moment.
_PATIENCE = 10.0


@contextmanager
def telling(problem: str, **values: str) -> Iterator[None]:
    """Turn an OSError into a PackError with this text, which has a ``{reason}``."""
    try:
        yield
    except OSError as error:
        raise PackError(_(problem, reason=error.strerror, **values)) from None


@contextmanager
def changing(folder: str) -> Iterator[None]:
    """Lock the folder, created if needed, against changes by other sessions; raises PackError."""
    with telling(N_("{path}: cannot be created: {reason}"), path=printable(folder)):
        os.makedirs(folder, exist_ok=True)
        descriptor = -1 if sys.platform == "win32" else os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # not every file system has locks
            if not lock(descriptor, _PATIENCE):
                raise PackError(_("{path}: another sokoterm is writing it", path=printable(folder)))
        yield
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def free_name(folder: str, name: str, source: str, data: bytes) -> tuple[str, bool]:
    """Return a path in the folder for the pack ``name``, and True if a file with these bytes is there already.

    ``name`` may have folders; ``source`` gives the suffix. A name taken by other content gets `` 2``, `` 3`` ...
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
    """Return a file name that every system accepts, neither hidden nor with control characters."""
    safe = _safe(part)
    return f"_{safe}" if re.fullmatch(_DEVICE, safe) else safe


def _safe(part: str) -> str:
    encoding = sys.getfilesystemencoding()  # that of an ASCII locale lacks most letters
    text = printable(part).encode(encoding, "replace").decode(encoding)
    safe = re.sub(_UNSAFE, "_", text).strip().strip(".")[:_LONGEST_NAME].strip()
    return safe or "pack"


def suffix_of(source: str) -> str:
    """Return the suffix for a copy of a pack: that of its source, or ``.txt``."""
    name = os.path.basename(source)
    suffix = re.sub(r"(?i)(\.zip|\.gz)+$", "", name[len(stem_of(name)) :])
    return suffix or ".txt"


def _holds(path: str, data: bytes) -> bool:
    with suppress(OSError):
        if os.path.getsize(path) == len(data):
            with open(path, "rb") as file:
                return file.read(len(data) + 1) == data
    return False


def packed(path: str, data: bytes) -> bytes:
    """Compress the content of a file if its name ends in ``.gz``."""
    if path.lower().endswith(".gz"):
        from gzip import compress  # few packs are packed

        return compress(data)
    return data


def is_own(folder: str, file: PackFile) -> bool:
    """True if a pack is a file in the folder, not in an archive, and neither a link nor reached through one."""
    if file.is_bundled or file.archive or file.data is not None or file.chunks is not None:
        return False
    real = os.path.realpath(folder)
    path = os.path.realpath(file.path)
    inside = os.path.relpath(os.path.abspath(file.path), os.path.abspath(folder))
    return os.path.isfile(path) and path == os.path.join(real, inside) and not inside.startswith(os.pardir)


def named_own(folder: str, name: str) -> PackFile:
    """Return the pack with a name, in any capitals, whether it exists yet or not; raises PackError for a bad name."""
    inside, __, base = name.strip().rpartition("/")
    shown, directory = _place(folder, inside, base)
    there = list[str]()
    with suppress(OSError):  # not there yet, or not readable
        there = sorted(os.listdir(directory), reverse=True)
    files = {stem_of(each): each for each in there if not os.path.isdir(os.path.join(directory, each))}
    base = os.path.basename(shown)
    base = base if base in files else next((each for each in files if each.casefold() == base.casefold()), base)
    path = os.path.join(directory, files.get(base, f"{base}.sok"))
    return PackFile(path, os.path.join(os.path.dirname(shown), base), key_of(path))


def remove_own(folder: str, file: PackFile) -> None:
    """Delete the file of a pack, and the folders that this leaves empty; raises PackError."""
    check_own(folder, file)
    with changing(folder):
        with telling(N_("{name}: cannot be removed: {reason}"), name=printable(file.name)):
            os.unlink(file.path)
        remove_empty(folder, os.path.dirname(file.path))


def remove_empty(folder: str, inside: str) -> None:
    """Remove a folder in the library folder if it is empty, then its parent, and so on."""
    while os.path.realpath(inside) != os.path.realpath(folder):
        try:
            os.rmdir(inside)
        except OSError:
            return
        inside = os.path.dirname(inside)


def checked_name(name: str) -> str:
    """Return a name for a file or folder without surrounding blanks; raises PackError if it cannot be used."""
    name = name.strip()
    if not name or _safe(name) != name:
        expected = _('up to 80 characters, no dot first or last, none of / \\ : * ? " < > |')
        raise PackError(
            _("found {found}, expected {expected}", found=printable(name) or _("no name"), expected=expected)
        )
    return name


def check_own(folder: str, file: PackFile) -> None:
    """Raise PackError if a pack is not a separate file in the folder."""
    if is_own(folder, file):
        return
    name = printable(file.name)
    if file.is_bundled:
        raise PackError(ships(name))
    if file.archive:
        archive = printable(os.path.basename(file.archive))
        raise PackError(_("{name}: is in the archive {archive}, which stays as it is", name=name, archive=archive))
    raise PackError(_("{name}: is not a separate file in your library folder", name=name))


# Other names


class Renaming(NamedTuple):
    """The renaming of a file or folder of the library: both paths, and its packs under both names."""

    old: str
    new: str
    packs: Sequence[PackFile]
    renamed: Sequence[PackFile]

    @property
    def keys(self) -> Mapping[str, str]:
        """The new key of each pack, by its old one."""
        return {old.key: new.key for old, new in zip(self.packs, self.renamed, strict=True)}


def pack_renaming(folder: str, file: PackFile, inside: str, name: str) -> Renaming:
    """Return the renaming of a pack to ``name`` in a folder of the library, which may be new; its suffix stays.

    The suffix of a format is dropped from ``name``. Raises PackError for an invalid or taken name.
    """
    check_own(folder, file)
    base = os.path.basename(file.path)
    suffix = base[len(stem_of(base)) :]
    name = name.strip()
    if suffix and name.lower().endswith(suffix.lower()):
        name = name[: -len(suffix)]
    elif format_of(name):
        name = stem_of(name)
    shown, directory = _place(folder, inside, name)
    path = os.path.join(directory, os.path.basename(shown) + suffix)
    _check_free(file.path, path, shown)
    return Renaming(file.path, path, [file], [file._replace(path=path, name=shown, key=key_of(path), problem="")])


def folder_renaming(folder: str, old: str, files: Sequence[PackFile], inside: str, name: str) -> Renaming:
    """Return the renaming of the folder ``old`` of the library; ``files`` are its packs. Raises PackError."""
    for file in files:
        check_own(folder, file)
    shown, directory = _place(folder, inside, name)
    path, new = os.path.join(folder, old), os.path.join(directory, os.path.basename(shown))
    if f"{new}{os.sep}".startswith(f"{path}{os.sep}") and new != path:
        problem = N_("{name}: is inside {folder} itself; choose a place outside it")
        raise PackError(_(problem, name=printable(shown), folder=printable(old)))
    _check_free(path, new, shown)
    key, new_key = key_of(path), key_of(new)
    renamed = [
        file._replace(
            path=new + file.path[len(path) :],
            name=shown + file.name[len(old) :],
            key=new_key + file.key[len(key) :],
        )
        for file in files
    ]
    return Renaming(path, new, files, renamed)


def rename(folder: str, renaming: Renaming, stores: Sequence[ProgressStore]) -> str:
    """Carry out a renaming, in the folder and in everyone's progress; raises PackError, and then nothing changes.

    Return the new title in a pack's file, empty if its title stays.

    If killed at any point, every place in a pack still belongs to a pack. First progress is copied to the new keys,
    which no pack has yet (so the pack played last is in no list meanwhile); then the file is renamed, and may have both
    names for a moment; then the old keys, which nothing asks for any more, are dropped.
    """
    keys = renaming.keys
    back = {new: old for old, new in keys.items()}
    copied: list[ProgressStore] = []
    try:
        with changing(folder):
            for store in stores:
                store.copy_packs(keys)
                copied.append(store)
            _move(folder, renaming)
            title = _retitled(renaming)
    except (NotWrittenError, PackError) as error:
        for store in copied:
            store.rename_packs(back)
        if isinstance(error, PackError):
            raise
        name = printable(renaming.packs[0].name)
        raise PackError(_("{name}: not renamed: {reason}", name=name, reason=error)) from None
    for store in stores:
        store.rename_packs(keys)
    return title


def _retitled(renaming: Renaming) -> str:
    """Change the title in a pack's file if it was the old name; return the new title, empty if nothing changed."""
    for was, file in zip(renaming.packs, renaming.renamed, strict=True):
        old, new = os.path.basename(was.name), os.path.basename(file.name)
        if old == new:  # moved, or in a folder with another name
            break
        with suppress(PackError, OSError):  # the pack is renamed all the same
            data = read_bytes(file)
            line = rb"(?i)((?:collection|title)\s*[:>]\s*)%b(?=\s*(?:[\r\n<]|\Z))" % re.escape(os.fsencode(old))
            written = re.sub(line, rb"\g<1>" + os.fsencode(new), data, count=1)  # no name has a \\
            pack, there = read_pack(data, file.source), read_pack(written, file.source)
            if pack.title == old and there._replace(errors=()) == pack._replace(title=new, errors=()):
                write_whole(file.path, packed(file.path, written))
                return new
    return ""


def _place(folder: str, inside: str, name: str) -> tuple[str, str]:
    """Return a name as lists show it, and its directory; raises PackError if it cannot be used."""
    directory = folder
    parts = inside.replace(os.sep, "/").split("/") if inside else []
    for index, part in enumerate(parts):
        if part in ("", ".", ".."):
            whole = printable("/".join([*parts, name]))
            problem = _(
                "found {found}, expected a name in your library folder, such as NAME or FOLDER/NAME", found=whole
            )
            raise PackError(problem)
        if part.startswith(".") or not os.path.isdir(os.path.join(directory, part)):
            parts[index] = checked_name(part)  # an existing folder may have any name
        directory = os.path.join(directory, parts[index])
    if os.path.realpath(directory) != os.path.join(os.path.realpath(folder), *parts):
        name = printable(inside)
        raise PackError(_("{name}: is reached through a link; choose a real folder in your library", name=name))
    return os.path.join(*parts, checked_name(name)), directory


def _check_free(path: str, new: str, shown: str) -> None:
    """Raise PackError if the name is taken by anything but the file itself."""
    if _is_respelled(path, new):
        return
    check_not_shipped(shown)
    folder = os.path.dirname(new)
    if not os.path.exists(folder):
        return
    with telling(N_("{path}: cannot be listed: {reason}"), path=printable(folder)), os.scandir(folder) as entries:
        is_folder = {entry.name: entry.is_dir() for entry in entries}
    name = os.path.basename(shown)
    if is_folder.get(name):
        raise PackError(_("{name}: is a folder; choose another name, or one inside it", name=printable(shown)))
    if name in map(stem_of, is_folder) or os.path.lexists(new):  # in another spelling
        raise PackError(_("{name}: there is already a pack of this name", name=printable(shown)))


def _is_respelled(path: str, new: str) -> bool:
    """True for another spelling that the file system takes for the same name."""
    is_spelling = new != path and new.casefold() == path.casefold()
    return is_spelling and os.path.exists(new) and os.path.samefile(path, new)


def _move(folder: str, renaming: Renaming) -> None:
    """Rename the file or folder and remove folders left empty; raises PackError."""
    directory = os.path.dirname(renaming.new)
    try:
        with telling(N_("{path}: cannot be renamed: {reason}"), path=printable(renaming.old)):
            os.makedirs(directory, exist_ok=True)
            if os.path.isdir(renaming.old) or _is_respelled(renaming.old, renaming.new):
                os.rename(renaming.old, renaming.new)
            else:
                move_to_free(renaming.old, renaming.new)
    finally:
        remove_empty(folder, directory)
        remove_empty(folder, os.path.dirname(renaming.old))
