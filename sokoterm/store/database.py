"""One sqlite3 file that outlives kill -9, full disks, locks and damage, and says in one line what happened.

The file is in WAL mode where the file system allows it, with synchronous=NORMAL: a commit survives the end of the
program in any way, at the cost of one write (https://www.sqlite.org/wal.html).
"""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from errno import EACCES
from typing import TypeVar, get_args

from sokoterm.engine.printable import printable
from sokoterm.engine.value import Value
from sokoterm.store.regular import require_file

_Result = TypeVar("_Result")
RowValue = str | int | float | None
"""What stands in a column."""

FAULTS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What sqlite3 raises: for damage beside its own errors that a name in the schema is no UTF-8."""

# A key press waits for no one longer than this (twice, where a commit needs a lock of its own).
_BUSY_SECONDS = 0.1
_RETRY_SECONDS = 0.01
# What is left of the journal once it has been brought into the file.
_JOURNAL_BYTES = 1 << 20
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
# What fixed statements may meet where the tables are not as this program made them.
_REFUSED = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
_REASONS = {
    sqlite3.SQLITE_BUSY: "the database is locked by another program",
    sqlite3.SQLITE_LOCKED: "the database is locked by another program",
    sqlite3.SQLITE_PROTOCOL: "the database is locked by another program",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "the database is read-only",
    sqlite3.SQLITE_CANTOPEN: "the database cannot be opened",
    sqlite3.SQLITE_CORRUPT: "the database is damaged",
    sqlite3.SQLITE_NOMEM: "there is too little memory",
}


class NotReadError(Exception):
    """Rows that cannot be read now, which is not to say that there are none; its text is one line that says why."""


class NotWrittenError(Exception):
    """Nothing of a job was written; its text is the reason in a few words."""


class RenewedError(Exception):
    """Nothing of a job was written, for another file took the place of the one before (see ``generation``)."""


class _NewerSchemaError(Exception):
    """The file comes from a later version of the program."""


class _File(Value):
    """What tells one file from another under the same path."""

    device: int
    inode: int


class Database:
    """A connection to the file at ``path``, or to one in memory where that cannot be had.

    ``migrations[n]`` are the statements that bring version n to n + 1; an empty file has version 0.  ``notices``
    gathers one line for everything a person should know, for the caller to show and clear.
    """

    def __init__(
        self,
        path: str,
        migrations: Sequence[Sequence[str]],
        clock: Callable[[], float],
        noun: str = "progress",
        patience: float = _BUSY_SECONDS,
        quota: int | None = None,
    ) -> None:
        """``noun`` is what the notices call what is kept here, ``patience`` how many seconds a lock is waited for.

        The file grows to ``quota`` MB at most (None: as the disk allows); one that is larger grows no more.
        """
        self.notices: list[str] = []
        self._noun = noun
        # Grows with every file that takes the place of another: what was written before is not in it.
        self.generation = 0
        self._path = path
        self._migrations = migrations
        self._clock = clock
        self._patience = patience
        self._quota = quota
        self._file: _File | None = None
        self._is_ready = False
        self._was_foreign = False
        self._has_misfits = False
        self._connection = _memory()
        self._connection = self._open()

    @property
    def is_on_disk(self) -> bool:
        """Whether what is written lasts."""
        return self._file is not None

    def read(self, query: str, parameters: Sequence[RowValue], make: Callable[..., _Result]) -> list[_Result]:
        """``make(*row)`` for every row that fits; none, and a notice, where the database cannot be read now."""
        try:
            return self.read_surely(query, parameters, make)
        except NotReadError as error:
            self.notices.append(str(error))
        return []

    def read_surely(self, query: str, parameters: Sequence[RowValue], make: Callable[..., _Result]) -> list[_Result]:
        """The same, where no rows have to mean that there are none; raises NotReadError."""
        try:
            self._prepare()
            rows = self._connection.execute(query, parameters).fetchall()
        except FAULTS as error:
            if not self._is_damage(error):
                raise NotReadError(f"{self._noun} cannot be read: {reason_of(error)}") from None
            self._renew()
            return []
        except _NewerSchemaError:
            self._connection = self._in_memory(_NEWER)
            return []
        found = list(fitting(rows, make))
        if len(found) < len(rows) and not self._has_misfits:
            self._has_misfits = True
            self.notices.append(f"{printable(self._path)}: {ROWS_LEFT_OUT}")
        return found

    def write(self, job: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """What ``job`` gives, once everything it wrote is safe; raises NotWrittenError or RenewedError."""
        if self._file is not None and self._file != _file_at(self._path):
            self.notices.append(f"{printable(self._path)} was moved away: a new one is begun")
            self._connection = self._open()
            raise RenewedError
        try:
            self._prepare()
            return self._transaction(job)
        except FAULTS as error:
            if not self._is_damage(error):
                raise NotWrittenError(self._why(error)) from None
            self._renew()
        except _NewerSchemaError:
            self._connection = self._in_memory(_NEWER)
        raise RenewedError

    def close(self) -> None:
        self._connection.close()

    def _transaction(self, job: Callable[[sqlite3.Connection], _Result]) -> _Result:
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = job(connection)
            connection.execute("COMMIT")
        finally:
            # A full disk has sqlite roll back by itself.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        return result

    def _open(self) -> sqlite3.Connection:
        """A connection to the file, set aside first where it is damaged, or else to one in memory."""
        for _ in range(2):
            problem = ""
            try:
                self._connection = self._connect()
                self._prepare()
            except OSError as error:
                problem = _reason_of_system(error)
            except _NewerSchemaError:
                problem = _NEWER
            except FAULTS as error:
                problem = reason_of(error)
                if self._is_damage(error) and self._set_aside():
                    continue
                if code_of(error) in _BUSY:
                    # The tables are looked at again before the next read or write.
                    self.notices.append(f"{self._noun} cannot be read: {problem}")
                    problem = ""
            if not problem:
                self._file = _file_at(self._path)
                return self._connection
            break
        return self._in_memory(problem, is_copy=problem != _NEWER)

    def _connect(self) -> sqlite3.Connection:
        folder = os.path.dirname(self._path) or "."
        os.makedirs(folder, mode=0o700, exist_ok=True)
        require_file(self._path)
        self._file = _file_at(self._path)
        if self._file is not None and not (os.access(self._path, os.W_OK) and os.access(folder, os.W_OK)):
            raise PermissionError(EACCES, "it may not be written")
        self._is_ready = False
        self.generation += 1
        self._connection.close()
        _keep_private(self._path)
        return connect(self._path, "mode=rw", self._patience)

    def _prepare(self) -> None:
        """Bring the tables to this version, once."""
        if self._is_ready:
            return
        version = self._version()
        self._set_journal()
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute(f"PRAGMA journal_size_limit = {_JOURNAL_BYTES}")
        if self._quota is not None:
            (page,) = self._connection.execute("PRAGMA page_size").fetchone()
            self._connection.execute(f"PRAGMA max_page_count = {max((self._quota << 20) // page, 1)}")
        if version < len(self._migrations):
            self._transaction(self._migrate)
        self._is_ready = True

    def _why(self, error: Exception) -> str:
        """The reason in a few words; sqlite tells a full quota and a full disk by the same code."""
        if self._quota is not None and code_of(error) == sqlite3.SQLITE_FULL:
            return f"the quota of {self._quota} MB is used up, or the disk is full"
        return reason_of(error)

    def _set_journal(self) -> None:
        """WAL where that is possible; elsewhere the journal stays as it is, which is slower but as safe.

        For a lock in the way of this sqlite does not wait by itself.
        """
        from time import monotonic, sleep

        end = monotonic() + self._patience
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if code_of(error) not in _BUSY or monotonic() >= end:
                    raise
            sleep(_RETRY_SECONDS)

    def _migrate(self, connection: sqlite3.Connection) -> None:
        version = self._version()
        for statements in self._migrations[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(self._migrations)}")

    def _version(self) -> int:
        version: int = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version > len(self._migrations):
            raise _NewerSchemaError
        return version

    def _is_damage(self, error: Exception) -> bool:
        """Whether the file is to be set aside; for foreign tables once only, for a second time it would not help."""
        if code_of(error) not in _REFUSED:
            return code_of(error) in _DAMAGE
        if self._was_foreign or self._has_own_tables():
            return False
        self._was_foreign = True
        return True

    def _has_own_tables(self) -> bool:
        """Whether the tables are those of the version that the file says it has."""
        try:
            version: int = self._connection.execute("PRAGMA user_version").fetchone()[0]
            found = _schema(self._connection)
        except FAULTS as error:
            return code_of(error) not in (*_DAMAGE, *_REFUSED)
        memory = _memory()
        for statements in self._migrations[:version]:
            for statement in statements:
                memory.execute(statement)
        own = _schema(memory)
        memory.close()
        return found == own

    def _renew(self) -> None:
        """Begin a new file in the place of a damaged one."""
        if self._file is None:
            self._connection = self._in_memory("it is damaged")
        elif self._set_aside():
            self._connection = self._open()
        else:
            self._connection = self._in_memory("it is damaged and cannot be renamed")

    def _set_aside(self) -> bool:
        """Give the file and its journals a new name, unless another session did; whether that went well."""
        if self._file != _file_at(self._path):
            return True
        from time import localtime, strftime

        base = f"{self._path}.corrupt-{strftime('%Y%m%d-%H%M%S', localtime(self._clock()))}"
        target = base
        number = 1
        while os.path.exists(target):
            number += 1
            target = f"{base}-{number}"
        try:
            # The journal first: alone beside a new file it would be taken for that one's.
            for suffix in (*_JOURNALS, ""):
                if os.path.exists(self._path + suffix):
                    os.rename(self._path + suffix, target + suffix)
        except OSError:
            return False
        new_name = printable(os.path.basename(target))
        self.notices.append(f"{printable(self._path)} was damaged: set aside as {new_name}, a new one is begun")
        return True

    def _in_memory(self, problem: str, *, is_copy: bool = False) -> sqlite3.Connection:
        """A database that lasts until the program ends, as a copy of the file where it can be read."""
        self.notices.append(f"{printable(self._path)}: {problem}: {self._noun} is kept only until you quit")
        self._file = None
        self.generation += 1
        for is_copy in (is_copy and os.path.isfile(self._path), False):
            self._connection.close()
            self._connection = _memory()
            self._is_ready = False
            try:
                if is_copy:
                    self._copy_from_disk()
                self._prepare()
                break
            except (*FAULTS, OSError, _NewerSchemaError):
                continue
        return self._connection

    def _copy_from_disk(self) -> None:
        from contextlib import closing

        try:
            with closing(connect(self._path, "mode=ro", _BUSY_SECONDS)) as source:
                # A backup waits for a lock without end; what is being read already cannot be locked.
                source.execute("BEGIN")
                source.execute("SELECT count(*) FROM sqlite_master")
                source.backup(self._connection)
        except FAULTS:
            # Immutable does without locks and the file of shared memory, but also without what is in the journal.
            with closing(connect(self._path, "mode=ro&immutable=1", _BUSY_SECONDS)) as source:
                source.backup(self._connection)


_NEWER = "it was written by a newer sokoterm"
ROWS_LEFT_OUT = "damaged rows are left out"

_JOURNALS = ("-wal", "-shm", "-journal")
# What stands for itself in a URI.
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
_INFINITE = frozenset((float("inf"), float("-inf")))


def _file_at(path: str) -> _File | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return _File(status.st_dev, status.st_ino)


def _keep_private(path: str) -> None:
    """Make the file where there is none, and see to it that nobody else may read it, nor its journals, if it is ours.

    Files of earlier versions are open to all as far as the umask went; sqlite gives a journal the mode of its file.
    """
    with suppress(FileExistsError):
        # A link whose file is still to be made leads to where that goes.
        os.close(os.open(os.path.realpath(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    if sys.platform == "win32" or not hasattr(os, "geteuid"):
        return
    for suffix in ("", *_JOURNALS):
        with suppress(OSError):
            status = os.stat(path + suffix)
            if status.st_uid == os.geteuid() and status.st_mode & 0o077:
                os.chmod(path + suffix, status.st_mode & 0o700)


def connect(path: str, query: str, patience: float) -> sqlite3.Connection:
    """A connection to the file at ``path``, whatever bytes its name is of; ``query`` is that of an SQLite URI.

    A text that is no UTF-8 comes out as bytes.  Raises OSError where something else than a regular file is there.
    """
    require_file(path)
    for suffix in _JOURNALS:
        require_file(path + suffix, f"the journal {printable(os.path.basename(path))}{suffix}")
    place = os.path.abspath(path)
    # Two slashes at the beginning would be taken for the name of a host.
    host = "//" if place.startswith("/") else ""
    name = "".join(chr(byte) if chr(byte) in _PLAIN else f"%{byte:02x}" for byte in os.fsencode(place))
    return _careful(sqlite3.connect(f"file:{host}{name}?{query}", uri=True, timeout=patience, isolation_level=None))


def _memory() -> sqlite3.Connection:
    return _careful(sqlite3.connect(":memory:", isolation_level=None))


def _careful(connection: sqlite3.Connection) -> sqlite3.Connection:
    """A connection that runs nothing with effects for what others put into the schema, as far as sqlite knows how."""
    connection.text_factory = _text
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _text(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def fitting(rows: Iterable[tuple[object, ...]], make: Callable[..., _Result]) -> Iterator[_Result]:
    """``make(*row)`` for those rows whose values are of the types that ``make`` is annotated with; sqlite takes any.

    A row is left out too where ``make`` raises ValueError.

    >>> list(fitting([(1,), ("x",), (None,), (b"x",), (2.5,)], int))
    [1]
    """
    kinds = [_kinds(each) for each in _annotations(make)]
    has_numbers = any(float in each for each in kinds)
    shapes: set[tuple[type, ...]] = set()
    for row in rows:
        shape = (*map(type, row),)
        if shape not in shapes:
            if not all(each in some for each, some in zip(shape, kinds, strict=True)):
                continue
            shapes.add(shape)
        if not has_numbers or _INFINITE.isdisjoint(row):
            with suppress(ValueError):
                yield make(*row)


def _annotations(make: Callable[..., object]) -> list[object]:
    if make in (bool, int, str):
        return [make]
    return [each for name, each in make.__annotations__.items() if name != "return"]


def _kinds(annotation: object) -> tuple[object, ...]:
    """The types of values that may stand where this is expected."""
    kinds = get_args(annotation) or (annotation,)
    return tuple(more for kind in kinds for more in {bool: (int,), float: (float, int)}.get(kind, (kind,)))


def _schema(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    """Everything that a file declares, without what sqlite keeps for itself."""
    query = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
    return {(*row[:2], " ".join(str(row[2]).split())) for row in connection.execute(query)}


def code_of(error: Exception) -> int:
    """The primary result code of sqlite (the low byte of the extended one)."""
    if isinstance(error, UnicodeDecodeError):
        return sqlite3.SQLITE_CORRUPT
    if isinstance(error, MemoryError):
        return sqlite3.SQLITE_NOMEM
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF


def reason_of(error: Exception) -> str:
    return _REASONS.get(code_of(error), str(error))


def _reason_of_system(error: OSError) -> str:
    """Why a file cannot be opened; where a folder should be made and a file stands in its place, that."""
    if isinstance(error, FileExistsError | NotADirectoryError):
        place: str = os.fsdecode(error.filename)
        while not os.path.lexists(place):
            place = os.path.dirname(place)
        return f"{printable(place)} is not a folder"
    return error.strerror or str(error)
