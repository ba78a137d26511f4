"""Files written as a whole or not at all: the data goes to a new file beside the target, which then takes its place."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

# Names of files while they are being written.
_UNFINISHED = ".sokoterm-{}.tmp"
_LEFTOVER = re.compile(r"\.sokoterm-[0-9a-f]{12}\.tmp")
# Age at which such a file is taken for a leftover.
_LEFT_SECONDS = 3600


def write_whole(path: str, data: bytes, mode: int | None = None) -> None:
    """Write a whole file or change nothing; raises OSError, and ValueError for a path that can be none.

    The data goes to a new file, which then replaces the old one: a reader sees one or the other.  Links stay links, and
    without ``mode`` the permissions stay.  Devices and pipes are written directly.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as device:
            device.write(data)
    else:
        remove_leftovers(os.path.dirname(target))
        replace_file(target, data, mode)


def replace_file(target: str, data: bytes, mode: int | None = None) -> None:
    """Write a file in place of an old one, if there is one, whose permissions it gets without ``mode``; raises OSError.

    A reader sees the old file or the new one.
    """
    with unfinished(target, data) as path:
        if mode is None and os.path.exists(target):
            mode = os.stat(target).st_mode & 0o7777
        if mode is not None:
            os.chmod(path, mode)
        os.replace(path, target)


@contextmanager
def unfinished(target: str, data: bytes) -> Iterator[str]:
    """Write the data to a file beside the target and yield its path; the file is removed at the end."""
    path, file = _new_file(os.path.dirname(target))
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield path
    finally:
        with suppress(OSError):
            os.remove(path)


def move_to_free(path: str, free: str) -> None:
    """Give a file a name that is free; raises FileExistsError if it is not, and OSError, and then nothing changes."""
    try:
        os.link(path, free)
    except FileExistsError:
        raise
    except OSError:  # there are file systems without links
        os.rename(path, free)
        return
    try:
        os.unlink(path)
    except OSError:
        os.unlink(free)
        raise


def remove_leftovers(folder: str) -> None:
    """Remove unfinished files from a folder, left there by writers that were killed."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _LEFTOVER.fullmatch(entry.name):
                with suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > _LEFT_SECONDS:
                        os.remove(entry.path)


def _new_file(folder: str) -> tuple[str, BinaryIO]:
    """Open a file with a new name in the folder, with the permissions of any new file."""
    while True:
        path = os.path.join(folder, _UNFINISHED.format(os.urandom(6).hex()))
        with suppress(FileExistsError):
            return path, open(path, "xb")
