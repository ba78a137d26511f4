"""The folder of the packs that a person has added: what lies in it, and under which name a new pack goes there."""

import os
import re
from collections.abc import Mapping

from sokoterm.engine.printable import printable
from sokoterm.store.known import Stamp
from sokoterm.store.packs import PackFile, files_below, natural_key, packs_in_file

# What a file system somewhere does not take in a name, or takes for a path.
_UNSAFE = re.compile(r'[\\/:*?"<>|\x00-\x1f]')
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,5}")
_LONGEST_NAME = 80


def added_packs(folder: str, stamps: Mapping[str, Stamp]) -> list[PackFile]:
    """The packs in the folder and those below it, in natural order; those below are ``folder/name``.

    ``stamps`` are those of the index, by key: a file that has not changed since it was learned is not looked into.
    No pack is parsed, and a folder that is not there holds none.
    """
    real = os.fsencode(os.path.realpath(folder)).decode("utf-8", "backslashreplace")
    packs: list[PackFile] = []
    for entry, name in files_below(folder, []):
        key = os.path.join(real, os.fsencode(name).decode("utf-8", "backslashreplace"))
        shown = _stem(name)
        try:
            status = entry.stat()
        except OSError:
            packs.append(PackFile(entry.path, shown, key))  # whoever opens it is told why not
            continue
        if stamps.get(key) == Stamp(status.st_size, status.st_mtime_ns) and not entry.is_symlink():
            packs.append(PackFile(entry.path, shown, key))
        else:
            packs += packs_in_file(entry.path, name)
    return sorted(packs, key=lambda pack: natural_key(pack.name))


def free_name(folder: str, name: str, source: str, data: bytes) -> tuple[str, bool]:
    """Where in the folder the pack ``name`` with these bytes goes, and whether it is there already.

    ``name`` may have folders in it, ``source`` is where it comes from and gives the suffix.  A name that is taken by
    another content gets `` 2``, `` 3`` ...
    """
    parts = [_safe(part) for part in re.split(r"[\\/]", name) if part not in ("", ".", "..")] or ["pack"]
    base, suffix = os.path.join(folder, *parts), _suffix(source)
    number = 1
    while True:
        path = base + (f" {number}" if number > 1 else "") + suffix
        if not os.path.lexists(path):
            return path, False
        if _holds(path, data):
            return path, True
        number += 1


def _safe(part: str) -> str:
    """A name of a file that every system takes, is not hidden, and may be shown."""
    safe = _UNSAFE.sub("_", printable(part)).strip().strip(".")[:_LONGEST_NAME].strip()
    return safe or "pack"


def _stem(name: str) -> str:
    return os.path.splitext(_without_gz(name))[0]


def _without_gz(name: str) -> str:
    return name[:-3] if name.lower().endswith(".gz") else name


def _suffix(source: str) -> str:
    _, suffix = os.path.splitext(_without_gz(source))
    return suffix if _SUFFIX.fullmatch(suffix) and suffix.lower() != ".zip" else ".txt"


def _holds(path: str, data: bytes) -> bool:
    try:
        if os.path.getsize(path) != len(data):
            return False
        with open(path, "rb") as file:
            return file.read(len(data) + 1) == data
    except OSError:
        return False
