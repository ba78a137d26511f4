"""What verbs write: complaints in one line on stderr, rows and JSON objects on stdout, whole files."""

import os
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import BinaryIO, TextIO

from sokoterm.engine.text import printable

# A file that is being written, until it takes its name.
_UNFINISHED = ".sokoterm-{}.tmp"
_LEFTOVER = re.compile(r"\.sokoterm-[0-9a-f]{12}\.tmp")
# No file takes so long to be written.
_LEFT_SECONDS = 3600


class InputError(ValueError):
    """Input that cannot be used, said in one line that the person can act on."""


def complain(problem: str) -> None:
    """One line on stderr, if that is open and somebody takes it."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"sokoterm: {printable(problem)}", file=sys.stderr)


def json_line(fields: Mapping[str, object] | Sequence[object]) -> str:
    """A JSON object or list on one line, in ASCII: nothing in it can act on a terminal."""
    import json

    return json.dumps(fields)


def print_heading(row: str) -> None:
    """What stands in the rows of a table, for a person alone: a program that reads the rows need not leave it out."""
    if sys.stdout.isatty():
        print_row(row)


def print_row(row: str) -> None:
    """A row of a table on stdout; on a terminal as much of it as one line there takes, elsewhere all of it."""
    if sys.stdout.isatty():
        row = _clipped(row, terminal_columns(sys.stdout))
    print(row)


def print_data(data: bytes) -> None:
    """A file of text (UTF-8) on stdout as it is; on a terminal nothing that it would act on."""
    if sys.stdout.isatty() or not hasattr(sys.stdout, "buffer"):
        for line in data.decode("utf-8").removesuffix("\n").split("\n"):
            print(printable(line))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def terminal_columns(stream: TextIO) -> int:
    """The width of the terminal that a stream leads to; 80 where nobody can tell."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _clipped(row: str, columns: int) -> str:
    """How a row begins that is to take no more columns: to the end of a word, for half a number is another number."""
    end = _end_of_line(row, columns)
    if end == len(row) or row[end].isspace():
        return row[:end]
    words = row[:end].rpartition(" ")[0]
    return words if words.strip() else row[:end]


def _end_of_line(row: str, columns: int) -> int:
    """How many characters fit into columns; wide characters take two of them, combining ones none."""
    if row.isascii():
        return min(len(row), columns)
    from unicodedata import combining, east_asian_width

    used = 0
    for index, character in enumerate(row):
        used += 0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1
        if used > columns:
            return index
    return len(row)


def write_data(path: str | None, data: bytes) -> None:
    """Write a file of text to ``path``; to stdout for None and ``-``."""
    if path in (None, "-"):
        print_data(data)
    else:
        write_file(path, data)


def write_file(path: str, data: bytes, mode: int | None = None) -> None:
    """The whole of ``data`` in a file, or no change at all; raises InputError where it cannot be written.

    It is written beside the file, which it then replaces: whoever reads meanwhile sees the old one, and a link, as
    the permissions where no ``mode`` is given, stays what it was.  A device or a pipe takes the data as it comes.
    """
    try:
        target = os.path.realpath(path)
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as device:
                device.write(data)
        else:
            remove_leftovers(os.path.dirname(target))
            _replace_file(target, data, mode)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{path}: cannot be written: {reason}") from None


def write_new_file(path: str, data: bytes) -> bool:
    """The whole of ``data`` in a new file; False where there is one of this name by now.  Raises InputError."""
    try:
        with _unfinished(path, data) as unfinished:
            try:
                os.link(unfinished, path)
            except FileExistsError:
                return False
            except OSError:  # there are file systems without links
                os.replace(unfinished, path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{path}: cannot be written: {reason}") from None
    return True


def remove_leftovers(folder: str) -> None:
    """Remove what writers that were killed have left in a folder: unfinished files that nobody has touched lately."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _LEFTOVER.fullmatch(entry.name):
                with suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > _LEFT_SECONDS:
                        os.remove(entry.path)


def _replace_file(target: str, data: bytes, mode: int | None) -> None:
    with _unfinished(target, data) as unfinished:
        if mode is None and os.path.exists(target):
            mode = os.stat(target).st_mode & 0o7777
        if mode is not None:
            os.chmod(unfinished, mode)
        os.replace(unfinished, target)


@contextmanager
def _unfinished(target: str, data: bytes) -> Iterator[str]:
    """The path of a file beside the target with the data in it, which is gone in the end."""
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


def _new_file(folder: str) -> tuple[str, BinaryIO]:
    """A file in the folder under a name that nobody has, with the permissions that any new file gets."""
    while True:
        path = os.path.join(folder, _UNFINISHED.format(os.urandom(6).hex()))
        with suppress(FileExistsError):
            return path, open(path, "xb")
