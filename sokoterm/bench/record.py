"""A file that a bench writes row by row, so that it can be interrupted and resumed at any time."""

import json
import os
from collections.abc import Mapping
from io import FileIO
from types import TracebackType
from typing import Self

from sokoterm.commands.support.output import InputError

Value = str | int | float | bool | None
Fields = Mapping[str, Value]


class BenchRecord:
    """A file of JSON objects, one a line: first what the rows belong to, then the rows as they are finished.

    An incomplete last line is dropped.  ``rows`` are those that the file had.
    """

    def __init__(self, path: str, belongs_to: Fields) -> None:
        """Open or create the file; raises InputError if it belongs to something else or cannot be used."""
        self.path = path
        try:
            self._file = FileIO(path, "r+" if os.path.exists(path) else "x+")
            try:
                self.rows = self._read(belongs_to)
                self._file.truncate()
                if not self._file.tell():
                    self.add(belongs_to)
            except BaseException:
                self._file.close()
                raise
        except OSError as error:
            raise InputError(f"{path}: cannot be used: {error.strerror or error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, row: Fields) -> None:
        """Write a row at once."""
        rest = _line(row)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror or error}") from None

    def _read(self, belongs_to: Fields) -> list[Fields]:
        """Read the rows; leaves the file position after the last whole line."""
        data = self._file.readall()
        whole = data.rfind(b"\n") + 1
        rows: list[Fields] = []
        for number, line in enumerate(data[:whole].splitlines(), start=1):
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not isinstance(row, dict):
                raise InputError(f"{self.path}, line {number}: found no row of a bench; a new file needs another name")
            rows.append(row)
        if not rows and not _line(belongs_to).startswith(data):
            raise InputError(f"{self.path}: found no rows of a bench; a new file needs another name")
        for name, expected in belongs_to.items() if rows else ():
            if rows[0].get(name) != expected:
                found = rows[0].get(name)
                raise InputError(f"{self.path}: found rows of {name} {found}, expected {name} {expected}")
        self._file.seek(whole)
        return rows[1:]


def _line(row: Fields) -> bytes:
    return json.dumps(row).encode("ascii") + b"\n"
