"""A count that several processes add to, for one of them to show."""

import os
from contextlib import suppress
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self


class Tally:
    """How often something was done in any process, from when the ``with`` block begins until it ends.

    It is the length of a file: each process adds a byte to its end, which needs no lock and no common memory.  The
    count is for a person to look at: where the file cannot be written, it stays behind.
    """

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self.path = ""
        with suppress(OSError):
            self._folder = TemporaryDirectory(prefix="sokoterm-", ignore_cleanup_errors=True)
            self.path = os.path.join(self._folder.name, "tally")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def count(self) -> int:
        """How often it was done by now."""
        with suppress(OSError):
            return os.path.getsize(self.path)
        return 0


def add_to(path: str) -> None:
    """Count one more in the tally at ``path``."""
    with suppress(OSError), open(path, "ab") as file:
        file.write(b"+")
