"""Data files that ship with the program: beside its modules, beside the package in a checkout, or in a zip archive."""

import os
from typing import Protocol

import sokoterm

_PACKAGE = os.path.dirname(os.path.abspath(sokoterm.__file__))


class _Loader(Protocol):
    """The part of the loaders of files and of zip archives that is used."""

    def get_data(self, path: str) -> bytes: ...


def bundled_folder(name: str) -> str:
    """Return a folder of data: in the package, or beside it in a checkout."""
    inside = os.path.join(_PACKAGE, name)
    beside = os.path.join(os.path.dirname(_PACKAGE), name)
    return beside if not _archive() and not os.path.isdir(inside) and os.path.isdir(beside) else inside


def bundled_names(folder: str) -> list[str]:
    """Return the names of the files of such a folder; none if it is not there."""
    if archive := _archive():
        return _names_in(archive, os.path.relpath(folder, archive).replace(os.sep, "/") + "/")
    return [entry.name for entry in os.scandir(folder) if entry.is_file()] if os.path.isdir(folder) else []


def bundled_data(path: str) -> bytes:
    """Return the content of a file of such a folder; raises OSError if there is none."""
    loader: _Loader = getattr(sokoterm, "__loader__")  # noqa: B009 - mypy knows only loaders of modules
    return loader.get_data(path)


def _archive() -> str:
    """Return the path of the zip archive that sokoterm runs from, or nothing."""
    archive: str = getattr(sokoterm.__loader__, "archive", "")
    return archive


def _names_in(archive: str, folder: str) -> list[str]:
    """Return the files directly in a folder of a zip archive."""
    from zipfile import ZipFile

    with ZipFile(archive) as file:
        names = [name.removeprefix(folder) for name in file.namelist() if name.startswith(folder)]
    return [name for name in names if name and "/" not in name]
