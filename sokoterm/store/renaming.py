"""Packs and folders of the library under other names, with all that progress knows of them."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sokoterm.engine.text import printable, stem_of
from sokoterm.formats.registry import format_of
from sokoterm.language import _
from sokoterm.store.database import NotWrittenError
from sokoterm.store.library_folder import changing, check_own, checked_name, key_of, remove_empty
from sokoterm.store.named_packs import check_not_shipped
from sokoterm.store.packs import PackError, PackFile
from sokoterm.store.progress import ProgressStore
from sokoterm.store.whole_files import move_to_free


class Renaming(NamedTuple):
    """A file or a folder of the library that is to get another name: both paths, and its packs under both names."""

    old: str
    new: str
    packs: Sequence[PackFile]
    renamed: Sequence[PackFile]

    @property
    def keys(self) -> Mapping[str, str]:
        """The new key of each pack, by its old one."""
        return {old.key: new.key for old, new in zip(self.packs, self.renamed, strict=True)}


def pack_renaming(folder: str, file: PackFile, inside: str, name: str) -> Renaming:
    """Return the renaming of a pack to ``name`` in a folder of the library, which is made if need be.

    The suffix of its file stays; that of a format in ``name`` is dropped. Raises PackError for a name that cannot be
    used or is taken.
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
    """Do the same for a folder of the library, ``old``, with all that is in it; ``files`` are its packs."""
    for file in files:
        check_own(folder, file)
    shown, directory = _place(folder, inside, name)
    path, new = os.path.join(folder, old), os.path.join(directory, os.path.basename(shown))
    if f"{new}{os.sep}".startswith(f"{path}{os.sep}") and new != path:
        problem = _(
            "{name}: is in {folder} itself, expected a place outside of it",
            name=printable(shown),
            folder=printable(old),
        )
        raise PackError(problem)
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


def rename(folder: str, renaming: Renaming, stores: Sequence[ProgressStore]) -> None:
    """Carry a renaming out, in the folder and in the progress of everyone; raises PackError, and then nothing changes.

    Killed at any point, it leaves every place in a pack with a pack. First the progress has it under both keys: under
    the new one it is of no pack yet, and the pack played last is of a name that no list has. Then the file is renamed;
    for a moment it may have both names. After that only what is under the old key is left to be dropped: nobody asks
    for it.
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
    except (NotWrittenError, PackError) as error:
        for store in copied:
            store.rename_packs(back)
        if isinstance(error, PackError):
            raise
        name = printable(renaming.packs[0].name)
        raise PackError(_("{name}: not renamed: {reason}", name=name, reason=error)) from None
    for store in stores:
        store.rename_packs(keys)


def _place(folder: str, inside: str, name: str) -> tuple[str, str]:
    """Return a name as lists show it, and the directory for it; raises PackError if it cannot be used."""
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
            parts[index] = checked_name(part)  # one that is there may have any name
        directory = os.path.join(directory, parts[index])
    if os.path.realpath(directory) != os.path.join(os.path.realpath(folder), *parts):
        name = printable(inside)
        raise PackError(_("{name}: is behind a link, expected a folder of its own in your library folder", name=name))
    return os.path.join(*parts, checked_name(name)), directory


def _check_free(path: str, new: str, shown: str) -> None:
    """Raise PackError if there is something of this name besides the file itself."""
    if _is_respelled(path, new):
        return
    check_not_shipped(shown)
    for name, is_folder in _listed(os.path.dirname(new)):
        if is_folder and name == os.path.basename(shown):
            raise PackError(_("{name}: is a folder, expected another name, or one in it", name=printable(shown)))
        if stem_of(name) == os.path.basename(shown):
            raise PackError(_taken(shown))
    if os.path.lexists(new):  # in another spelling
        raise PackError(_taken(shown))


def _is_respelled(path: str, new: str) -> bool:
    """True for another spelling, in a file system to which that is the same."""
    is_spelling = new != path and new.casefold() == path.casefold()
    return is_spelling and os.path.exists(new) and os.path.samefile(path, new)


def _taken(shown: str) -> str:
    return _("{name}: there is a pack of this name", name=printable(shown))


def _listed(directory: str) -> Iterator[tuple[str, bool]]:
    """Yield the name of each file and folder in a directory, and True for a folder."""
    try:
        with os.scandir(directory) as entries:
            yield from ((entry.name, entry.is_dir()) for entry in entries)
    except FileNotFoundError:
        return
    except OSError as error:
        problem = _("{path}: cannot be listed: {reason}", path=printable(directory), reason=error.strerror)
        raise PackError(problem) from None


def _move(folder: str, renaming: Renaming) -> None:
    """Rename the file or the folder, and leave no empty folder behind; raises PackError."""
    directory = os.path.dirname(renaming.new)
    try:
        os.makedirs(directory, exist_ok=True)
        if os.path.isdir(renaming.old) or _is_respelled(renaming.old, renaming.new):
            os.rename(renaming.old, renaming.new)
        else:
            move_to_free(renaming.old, renaming.new)
    except OSError as error:
        remove_empty(folder, directory)
        problem = _("{path}: cannot be renamed: {reason}", path=printable(renaming.old), reason=error.strerror)
        raise PackError(problem) from None
    remove_empty(folder, os.path.dirname(renaming.old))
