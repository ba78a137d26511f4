"""Guard against opening anything but a regular file: to open a pipe waits for its other end, perhaps forever."""

import os
import stat
from contextlib import suppress
from errno import EINVAL


def require_file(path: str, expected: str = "a file") -> None:
    """Raise OSError if ``path`` is anything but a regular file, a link to one, or a free name."""
    with suppress(FileNotFoundError):
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(EINVAL, f"found {kind_of(mode)}, expected {expected}", path)


def kind_of(mode: int) -> str:
    """Return the kind of an irregular file, by its mode."""
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"
