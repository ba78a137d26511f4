"""The file to which results are added as they come: it only ever grows by whole results."""

import os
from errno import ENOENT
from types import TracebackType
from typing import Self

from sokoterm.commands.support.output import InputError, not_written
from sokoterm.language import _
from sokoterm.store.journal import WrittenPart
from sokoterm.store.whole_files import lock

TAIL = 64
"""Bytes at the end of the file by which it is known to be the one that the journal speaks of."""
# Seconds in which the workers of a killed command end and leave the file.
_PATIENCE = 2.0


def check_result_file(path: str, journal: str) -> None:
    """Raise InputError if there is a file at ``path`` that holds something, and no ``journal`` that could know it.

    Also if it is to lie in a folder that is not there.
    """
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise not_written(path, os.strerror(ENOENT))
    if os.path.exists(path) and os.path.getsize(path) and not os.path.exists(journal):
        raise _foreign(path, journal)


class ResultFile:
    """The file at ``path``, open for one process alone, and made if it is missing; each call may raise InputError.

    What stands behind the part that a journal calls whole was cut off by the end of a process, and is removed.
    """

    def __init__(self, path: str, journal: str, whole: WrittenPart | None) -> None:
        """``whole`` is what the file at ``journal`` knows of it, None if it was not begun."""
        self.path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise self._unusable(error) from None
        try:
            self._lock()
            size = os.fstat(self._file).st_size
            self.size = min(size, whole.size) if whole else 0
            if whole and 0 < size < whole.size:
                raise InputError(
                    _(
                        "{path}: not replaced: shorter than an earlier run left it; without it, the same command "
                        "writes it again",
                        path=path,
                    )
                )
            if size and not (whole and self._is_that_of(whole)):
                raise _foreign(path, journal)
            os.ftruncate(self._file, self.size)
        except OSError as error:
            os.close(self._file)
            raise self._unusable(error) from None
        except InputError:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)

    def clear(self) -> None:
        """Remove all results."""
        self.size = 0
        os.ftruncate(self._file, 0)

    def add(self, data: bytes) -> str:
        """Add results; return the last bytes of the file in hex."""
        self._check_that_it_is_there()
        try:
            os.lseek(self._file, self.size, os.SEEK_SET)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            os.ftruncate(self._file, self.size)
            raise self._unusable(error) from None
        self.size += len(data)
        return self._tail()

    def _check_that_it_is_there(self) -> None:
        """Raise InputError if the file was removed or replaced: nobody would find what is written to it."""
        try:
            is_there = os.path.samestat(os.stat(self.path), os.fstat(self._file))
        except OSError:
            is_there = False
        if not is_there:
            raise InputError(_("{path}: was removed meanwhile; the same command writes it again", path=self.path))

    def _is_that_of(self, whole: WrittenPart) -> bool:
        if whole.size:
            return self._tail() == whole.tail
        # The process ended while it wrote the first results, if these are they.
        os.lseek(self._file, 0, os.SEEK_SET)
        return bytes.fromhex(whole.tail).startswith(os.read(self._file, TAIL))

    def _tail(self) -> str:
        length = min(TAIL, self.size)
        os.lseek(self._file, self.size - length, os.SEEK_SET)
        return os.read(self._file, length).hex()

    def _lock(self) -> None:
        """Keep other processes from the file until this one and its workers have ended."""
        if not lock(self._file, _PATIENCE):
            raise InputError(_("{path}: another sokoterm is writing it", path=self.path))

    def _unusable(self, error: OSError) -> InputError:
        return not_written(self.path, error.strerror or str(error))


def _foreign(path: str, journal: str) -> InputError:
    return InputError(
        _(
            "{path}: not replaced: no earlier run left it there, says {journal}; expected a new name",
            path=path,
            journal=journal,
        )
    )
