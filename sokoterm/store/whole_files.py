"""Files written completely or not at all: the data goes to a new file beside the target, which then replaces it."""

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# Names of files while they are being written.
_UNFINISHED = ".sokoterm-{}.tmp"
_LEFTOVER = r"\.sokoterm-[0-9a-f]{12}\.tmp"
# Age at which such a file counts as a leftover: without locks, and with them if it is unlocked.
_LEFT_SECONDS = 3600
_UNLOCKED_SECONDS = 1
# Between two tries to lock a file.
_RETRY_SECONDS = 0.01


def write_whole(path: str, data: bytes, mode: int | None = None) -> None:
    """Write a complete file or change nothing; raises OSError, and ValueError for an impossible path.

    Readers see the old file or the new one. Links stay links; permissions stay without ``mode``. Devices and pipes are
    written directly.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as device:  # as it is named: a pipe of /dev/fd has no other path
            device.write(data)
        return
    target = os.path.realpath(path)
    remove_leftovers(os.path.dirname(target))
    with unfinished(target, data) as whole:
        if mode is None and os.path.exists(target):
            mode = os.stat(target).st_mode & 0o7777
        if mode is not None:
            os.chmod(whole, mode)
        os.replace(whole, target)


def write_new(path: str, data: bytes) -> bool:
    """Write a complete new file; False if a file of this name exists in the meantime. Raises OSError."""
    try:
        with unfinished(path, data) as new:
            move_to_free(new, path)
    except FileExistsError:
        return False
    return True


@contextmanager
def unfinished(target: str, data: bytes) -> Iterator[str]:
    """Write the data to a file beside the target and yield its path; the file is removed at the end."""
    path = os.path.join(os.path.dirname(target), _UNFINISHED.format(os.urandom(6).hex()))
    with open(path, "xb") as file:  # with the permissions of any new file
        try:
            with suppress(OSError):  # not every file system has locks
                lock(file.fileno())
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if sys.platform == "win32":
                file.close()  # an open file cannot be renamed there
            yield path
        finally:
            file.close()
            with suppress(OSError):
                os.remove(path)


def move_to_free(path: str, free: str) -> None:
    """Rename a file to a free name; raises FileExistsError if it is taken, or OSError, and then nothing changes."""
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


def lock(descriptor: int, seconds: float = 0.0) -> bool:
    """Lock an open file or folder until it is closed; False if it is still taken after ``seconds``. Raises OSError."""
    if sys.platform != "win32":  # which has no such lock
        from fcntl import LOCK_EX, LOCK_NB, flock  # POSIX

        end = time.monotonic() + seconds
        while True:
            try:
                flock(descriptor, LOCK_EX | LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= end:
                    return False
            time.sleep(_RETRY_SECONDS)
    return True


def remove_leftovers(folder: str) -> None:
    """Remove unfinished files from a folder, left there by writers that were killed."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if re.fullmatch(_LEFTOVER, entry.name):
                with suppress(OSError):
                    age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                    if age > _LEFT_SECONDS or age > _UNLOCKED_SECONDS and _is_unlocked(entry.path):
                        os.remove(entry.path)


def _is_unlocked(path: str) -> bool:
    """True if no process is writing a file; raises OSError."""
    if sys.platform == "win32":
        return False
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return lock(descriptor)
    finally:
        os.close(descriptor)
