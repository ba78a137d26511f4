"""A file that a bench writes row by row, so that it can be interrupted and resumed at any time."""

import json
from collections.abc import Mapping
from io import FileIO
from typing import Self

from sokoterm.commands.support.output import InputError, object_of

Fields = Mapping[str, object]


class BenchRecord:
    """A file of JSON objects, one a line: first what the rows belong to, then the rows as they are finished.

    An incomplete last line is dropped.  ``rows`` are those that the file had.
    """

    def __init__(self, path: str, belongs_to: Fields) -> None:
        """Open or create the file; raises InputError if it belongs to something else or cannot be used."""
        self.path = path
        try:
            with open(path, "a+b") as file:
                file.seek(0)
                data = file.read()
            whole = data[: data.rfind(b"\n") + 1]
            self.rows = self._read(whole, data, belongs_to)
            self._file = FileIO(path, "a")
            self._file.truncate(len(whole))
        except OSError as error:
            raise InputError(f"{path}: cannot be used: {error.strerror or error}") from None
        if not whole:
            self.add(belongs_to)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, row: Fields) -> None:
        """Write a row at once."""
        rest = _line(row)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror or error}") from None

    def _read(self, whole: bytes, data: bytes, belongs_to: Fields) -> list[Fields]:
        rows: list[Fields] = []
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                rows.append(object_of(line.decode("utf-8", "replace")))
            except ValueError:
                problem = "found no row of a bench; a new file needs another name"
                raise InputError(f"{self.path}, line {number}: {problem}") from None
        if not rows and not _line(belongs_to).startswith(data):
            raise InputError(f"{self.path}: found no rows of a bench; a new file needs another name")
        for name, expected in belongs_to.items() if rows else ():
            if rows[0].get(name) != expected:
                found = rows[0].get(name)
                raise InputError(f"{self.path}: found rows of {name} {found}, expected {name} {expected}")
        return rows[1:]


def _line(row: Fields) -> bytes:
    return json.dumps(row).encode("ascii") + b"\n"
