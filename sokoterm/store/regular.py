"""Regular files, told from what else may lie in their place: to open a pipe waits for its other end, for ever maybe."""

import os
import stat
from contextlib import suppress
from errno import EINVAL


def require_file(path: str, expected: str = "a file") -> None:
    """Raise OSError where ``path`` is anything but a regular file, a link to one, or a name still free."""
    with suppress(FileNotFoundError):
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(EINVAL, f"found {kind_of(mode)}, expected {expected}", path)


def kind_of(mode: int) -> str:
    """The kind of what is no regular file, by its mode."""
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"
