"""The files in a folder and in those below it."""

import os
from collections.abc import Iterator


def files_below(folder: str, unreadable: list[str]) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Every file with its name from the folder on, hidden ones aside; each folder once, links or not.

    The paths of folders that cannot be listed are added to ``unreadable``.  Devices and pipes are no files.
    """
    seen = set()
    folders = [(folder, "")]
    while folders:
        place, name = folders.pop()
        try:
            status = os.stat(place)
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(place) as entries:
                found = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError:
            unreadable.append(place)
            continue
        for entry in found:
            inner = os.path.join(name, entry.name)
            try:
                if entry.is_dir():
                    folders.append((entry.path, inner))
                elif entry.is_file():
                    yield entry, inner
            except OSError:
                continue  # a link that leads round in a circle
