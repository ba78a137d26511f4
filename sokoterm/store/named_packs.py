"""Packs by the names that lists show: those that ship and those of the library."""

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sokoterm.engine.text import printable, stem_of
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.language import _, listed, ngettext
from sokoterm.store.packs import (
    PackError,
    PackFile,
    Stamp,
    bundled_packs,
    bundled_title,
    files_below,
    find_packs,
    key_of,
    natural_key,
    packs_in_file,
    stamp_of,
)

# Of files that hold nothing but levels; others are looked into.
_PACK_SUFFIXES = (".xsb", ".sok", ".rle", ".slc", ".ssx", ".sokomind")
# Names in one message.
_MOST_NAMES = 4


class NearNameError(PackError):
    """A pack was not found; the text names the one whose name is nearest."""


def added_packs(folder: str, stamps: Mapping[str, Stamp]) -> list[PackFile]:
    """Return the packs in the folder and its subfolders (named ``folder/name``), in natural order.

    ``stamps`` are those of the index, by key: files that have not changed since they were learned are not opened. No
    pack is parsed, and a missing folder has no packs.
    """
    real = key_of(folder)
    packs: list[PackFile] = []
    for path in files_below(folder, []):
        name = os.path.relpath(path, folder)
        key = os.path.join(real, os.fsencode(name).decode("utf-8", "backslashreplace"))
        file = PackFile(path, stem_of(name), key)
        if key in stamps and stamps[key] == stamp_of(file) and not os.path.islink(path):
            packs.append(file)
        else:
            found = packs_in_file(path, name)
            is_named = name.lower().removesuffix(".gz").endswith(_PACK_SUFFIXES)
            packs += found or ([file] if is_named else [])
    return sorted(packs, key=lambda pack: natural_key(pack.name))


def is_source(path: str) -> bool:
    """True if a path is one of a file or a folder that is there, an address, or standard input."""
    try:
        return path == "-" or "://" in path or os.path.lexists(path)
    except ValueError:  # a null character
        return False


def find_packs_or_named(path: str, folder: str, limits: ReadLimits = DEFAULT_LIMITS) -> list[PackFile]:
    """Return the packs at a path; if nothing is there, those of this name that ship or are in the library's folder.

    A name is that of a pack (``slc544/Zika``, or ``Zika`` if there is one alone), the title of one that ships, or the
    name of a folder of the library, which stands for all packs in it. Capitals do not matter, nor blanks for dashes.
    Raises PackError.
    """
    if is_source(path) or os.path.isabs(path) or path.startswith("."):
        return find_packs(path, limits)
    known = bundled_packs() + added_packs(folder, {})
    found = packs_called(path, known)
    if found:
        return found
    try:
        return find_packs(path, limits)  # raises the reason
    except PackError as error:
        if near := nearest_name(path, known):
            raise NearNameError(_("{problem}; is it {name}?", problem=error, name=printable(near))) from None
        raise


def packs_called(name: str, known: Sequence[PackFile]) -> list[PackFile]:
    """Return the pack of a name or those below it, none if there is none; raises PackError if it may mean several.

    The suffix of a file tells packs of one name apart.
    """
    wanted = _spelled(name)
    same = [file for file in known if name in _names(file)]
    same = same or [file for file in known if wanted in map(_spelled, _names(file))]
    if not same:
        below = [file for file in known if _spelled(file.name).startswith(f"{wanted}/")]
        if below:
            return below
        same = [file for file in known if wanted in (_spelled(each).rpartition("/")[2] for each in _names(file))]
    same = same or [file for file in known if file.is_bundled and wanted in map(_spelled, _titles(file))]
    # Earlier versions took whatever follows the last dot for a suffix.
    same = same or [file for file in known if wanted in _spelled_before(file.name)]
    if len(same) > 1:
        paths = [file.path for file in same]
        by_kind = zip(*map(_names, same), strict=True)
        told_apart = next((names for names in by_kind if len(set(names)) == len(same)), paths)
        raise PackError(_several_packs(name, sorted(told_apart, key=natural_key)))
    return same


class OwnCalled(NamedTuple):
    """A pack of the library, or a folder of it with all its packs; ``name`` is as lists show it."""

    name: str
    files: Sequence[PackFile]
    is_folder: bool


def own_called(name: str, folder: str, own: Sequence[PackFile]) -> OwnCalled:
    """Return the pack or the folder of a name among the packs of the library's folder; raises PackError.

    Names are those of ``packs_called``, and one with ``/`` at its end is that of a folder. The whole path of either
    will do as well.
    """
    inner = name
    if os.path.isabs(name):
        above, base = os.path.split(name.rstrip("/"))
        inner = os.path.join(os.path.relpath(os.path.realpath(above), os.path.realpath(folder)), base)
        inner = os.path.normpath(inner) + ("/" if name.endswith("/") else "")
    called = [] if name.endswith("/") else packs_called(inner, own)
    wanted = _spelled(inner)
    below = [file for file in own if _spelled(file.name).startswith(f"{wanted}/")]
    if not called or called == below:
        depth = wanted.count("/") + 1
        folders = list(dict.fromkeys("/".join(file.name.split("/")[:depth]) for file in below))
        if len(folders) == 1:
            return OwnCalled(folders[0], below, is_folder=True)
        if folders:
            told = ngettext(
                "{name}: found {n} folder of this name, expected one of {names}",
                "{name}: found {n} folders of this name, expected one of {names}",
                len(folders),
                name=printable(name),
                names=_first(folders),
            )
            raise PackError(told)
    if called:
        return OwnCalled(called[0].name, called, is_folder=False)
    if shipped := packs_called(name, bundled_packs()):
        raise PackError(ships(printable(shipped[0].name)))
    problem = _("{name}: found no pack of this name in your library", name=printable(name) or _("no name"))
    near = nearest_name(name, own)
    raise PackError(_("{problem}; is it {name}?", problem=problem, name=printable(near)) if near else problem)


def check_not_shipped(name: str) -> None:
    """Raise PackError if a pack that ships is called so: a pack of the library could not be told from it."""
    if packs_called(name, bundled_packs()):
        raise PackError(_("{name}: a pack of this name ships with sokoterm", name=printable(name)))


def ships(name: str) -> str:
    """Return why a pack that ships cannot be changed."""
    return _("{name}: ships with sokoterm, and stays as it is", name=name)


def _several_packs(name: str, found: Sequence[str]) -> str:
    return ngettext(
        "{name}: found {n} pack of this name, expected one of {names}",
        "{name}: found {n} packs of this name, expected one of {names}",
        len(found),
        name=printable(name),
        names=_first(found),
    )


def _first(found: Sequence[str]) -> str:
    """Return the first names of many."""
    names = listed(map(printable, found[:_MOST_NAMES]))
    more = len(found) - _MOST_NAMES
    return ngettext("{names} or {n} more", "{names} or {n} more", more, names=names) if more > 0 else names


def nearest_name(name: str, known: Sequence[PackFile]) -> str | None:
    """Return the name of a pack that somebody may have meant, None if none is much like it."""
    from difflib import get_close_matches  # unknown names only

    names = {_spelled(part): file.name for file in known for part in (file.name.rpartition("/")[2], file.name)}
    near = get_close_matches(_spelled(name), names, 1, 0.8)
    return names[near[0]] if near else None


def _names(file: PackFile) -> tuple[str, str]:
    """Return the name of a pack as lists show it, and with the suffix of its file."""
    return file.name, os.path.join(os.path.dirname(file.name), os.path.basename(file.path))


def _titles(file: PackFile) -> tuple[str, str]:
    """Return the title of a pack that ships, and in the player's language, as the lists on the screen show it."""
    title = bundled_title(file)
    return title, _(title)


def _spelled_before(name: str) -> tuple[str, str]:
    spelled = _spelled(os.path.splitext(name)[0])
    return spelled, spelled.rpartition("/")[2]


def _spelled(name: str) -> str:
    return name.casefold().replace("-", " ").replace("_", " ").strip("/ ")
