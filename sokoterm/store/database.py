"""One sqlite3 file that survives kill -9, full disks, locks and damage, and reports each in one line.

The file is in WAL mode if the file system allows it, with synchronous=NORMAL: a commit survives any end of the program,
at the cost of one write (https://www.sqlite.org/wal.html).
"""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from errno import EACCES
from functools import partial
from time import localtime, monotonic, sleep, strftime
from typing import TypeVar, get_args, get_origin

from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.language import N_, _
from sokoterm.store.paths import require_file

_Result = TypeVar("_Result")
RowValue = str | int | float | None

FAULTS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""Exceptions of sqlite3: a damaged schema can also raise UnicodeDecodeError."""

# A key press waits for a lock at most this long (twice if the commit needs another lock).
_BUSY_SECONDS = 0.1
_RETRY_SECONDS = 0.01
# The default of sqlite.
_CHECKPOINT_PAGES = 1000
# Size to which the journal is cut after a checkpoint.
_JOURNAL_BYTES = 1 << 20
_SCHEMA = "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
_REASONS = {
    **dict.fromkeys(_BUSY, N_("the database is locked by another program")),
    sqlite3.SQLITE_FULL: N_("the disk is full"),
    sqlite3.SQLITE_READONLY: N_("the database is read-only"),
    sqlite3.SQLITE_CANTOPEN: N_("the database cannot be opened"),
    sqlite3.SQLITE_CORRUPT: N_("the database is damaged"),
    sqlite3.SQLITE_NOMEM: N_("out of memory"),
}
_JOURNALS = ("-wal", "-shm", "-journal")

ROWS_LEFT_OUT = N_("damaged rows are left out")


class DatabaseWords(Value):
    """Notices that a database cannot be read, or that its file is unusable, so its content lasts only this session."""

    not_read: str
    not_kept: str


OF_PROGRESS = DatabaseWords(N_("progress cannot be read: {reason}"), N_("{path}: {reason}: progress is not saved"))
OF_LIBRARY = DatabaseWords(N_("the library cannot be read: {reason}"), N_("{path}: {reason}: the library is not saved"))


class NotReadError(Exception):
    """Rows cannot be read at the moment; the text is one line that says why."""


class NotWrittenError(Exception):
    """Nothing of a job was written; the text is a short reason."""


class _ForeignSchemaError(Exception):
    """The file is from a later version or another program; the text is a short reason."""


class Database:
    """A connection to the file at ``path``, or to a database in memory if the file cannot be used.

    ``migrations[n]`` are the statements from version n to n + 1; an empty file has version 0. ``notices`` collects
    lines for the user; the caller shows and clears them. ``on_new_file`` is called when another file, or memory,
    replaces the one used so far.
    """

    def __init__(
        self,
        path: str,
        migrations: Sequence[Sequence[str]],
        clock: Callable[[], float],
        words: DatabaseWords = OF_PROGRESS,
        patience: float = _BUSY_SECONDS,
        quota: int | None = None,
    ) -> None:
        """``patience`` is the seconds to wait for a lock; at ``quota`` MB (None: no limit) the file stops growing."""
        self.notices: list[str] = []
        self.on_new_file: Callable[[], None] = lambda: None
        self._path = path
        self._migrations = migrations
        self._clock = clock
        self._words = words
        self._patience = patience
        self._quota = quota
        # Device and inode, None for a database in memory.
        self._file: tuple[int, int] | None = None
        self._is_ready = False
        self._has_told_of_rows = False
        self._connection = _memory()
        self._open()

    @property
    def is_on_disk(self) -> bool:
        return self._file is not None

    def read(self, query: str, parameters: Sequence[RowValue], make: Callable[..., _Result]) -> list[_Result]:
        """Return ``make(*row)`` for every valid row; none, with a notice, if the database cannot be read now."""
        try:
            return self.read_surely(query, parameters, make)
        except NotReadError as error:
            self.notices.append(str(error))
        return []

    def read_surely(self, query: str, parameters: Sequence[RowValue], make: Callable[..., _Result]) -> list[_Result]:
        """Return ``make(*row)`` for every valid row (a damaged file, set aside, has none); raises NotReadError."""
        try:
            rows = self._run(lambda: self._connection.execute(query, parameters).fetchall())
        except FAULTS as error:
            raise NotReadError(_(self._words.not_read, reason=reason_of(error))) from None
        found = fitting(rows, make)
        if len(found) < len(rows) and not self._has_told_of_rows:
            self._has_told_of_rows = True
            self.notices.append(f"{printable(self._path)}: {_(ROWS_LEFT_OUT)}")
        return found

    def write(self, job: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Return the result of ``job`` once it is safe, in a new file if the old is lost; raises NotWrittenError."""
        if self._file is not None and self._file != _file_at(self._path):
            self.notices.append(_("{path} was moved or deleted: starting a new one", path=printable(self._path)))
            self._open()
        try:
            return self._run(partial(self._transaction, job))
        except FAULTS as error:
            reason = reason_of(error)
            if self._quota is not None and code_of(error) == sqlite3.SQLITE_FULL:
                reason = _("the quota of {quota} MB is used up, or the disk is full", quota=self._quota)
            raise NotWrittenError(reason) from None

    def close(self) -> None:
        self._connection.close()

    def _run(self, job: Callable[[], _Result]) -> _Result:
        """Return the result of a job, run again on a new file if the old one is damaged; raises other FAULTS."""
        for __ in range(3):
            try:
                self._prepare()
                return job()
            except _ForeignSchemaError as error:
                self._use_memory(str(error), is_copy=False)
            except FAULTS as error:
                if "decode" in str(error) and self._connection.text_factory is not repaired:
                    # Only from the first text that is not UTF-8: sqlite itself decodes much faster.
                    self._connection.text_factory = repaired
                elif self._is_damage(error):
                    self._replace_damaged()
                else:
                    raise
        raise sqlite3.DatabaseError(_("the database keeps getting damaged"))

    def _is_damage(self, error: Exception) -> bool:
        """True if the file should be set aside: a flipped bit in its schema can leave it without one of its tables."""
        if not str(error).startswith("no such "):
            return code_of(error) in _DAMAGE
        with closing(_memory()) as memory:
            for statements in self._migrations:
                for statement in statements:
                    memory.execute(statement)
            own = set(memory.execute(_SCHEMA))
        return not own <= set(self._connection.execute(_SCHEMA))

    def _transaction(self, job: Callable[[sqlite3.Connection], _Result]) -> _Result:
        with self._connection as connection:  # commits, or rolls back
            connection.execute("BEGIN IMMEDIATE")
            return job(connection)

    def _open(self) -> None:
        """Open the file, after setting a damaged one aside, or else a database in memory."""
        try:
            self._connect()
            self._run(lambda: None)
        except OSError as error:
            self._use_memory(_reason_of_system(error))
        except FAULTS as error:
            if code_of(error) in _BUSY:  # the tables are checked before the next read or write
                self.notices.append(_(self._words.not_read, reason=reason_of(error)))
            else:
                self._use_memory(reason_of(error))

    def _connect(self) -> None:
        folder = os.path.dirname(self._path) or "."
        os.makedirs(folder, mode=0o700, exist_ok=True)
        require_file(self._path)
        if os.path.exists(self._path) and not (os.access(self._path, os.W_OK) and os.access(folder, os.W_OK)):
            raise PermissionError(EACCES, _("it is not writable"))
        _keep_private(self._path)
        self._use(connect(self._path, "mode=rw", self._patience))
        self._file = _file_at(self._path)

    def _use(self, connection: sqlite3.Connection) -> None:
        self._connection.close()
        self._connection = connection
        self._file = None
        self._is_ready = False
        self.on_new_file()

    def _use_memory(self, problem: str, *, is_copy: bool = True) -> None:
        """Switch to a database in memory, filled from the file if it can be read."""
        self.notices.append(_(self._words.not_kept, path=printable(self._path), reason=problem))
        self._use(_memory())
        try:
            if is_copy and os.path.isfile(self._path):
                self._copy_from_disk()
            self._run(lambda: None)
        except (*FAULTS, OSError):
            self._use(_memory())
            self._prepare()

    def _copy_from_disk(self) -> None:
        try:
            with closing(connect(self._path, "mode=ro", _BUSY_SECONDS)) as source:
                # A backup would wait for a lock forever; an open read transaction keeps locks away.
                source.execute("BEGIN")
                source.execute("SELECT count(*) FROM sqlite_master")
                source.backup(self._connection)
        except FAULTS:
            # Immutable needs neither locks nor the shared-memory file, but ignores the journal.
            with closing(connect(self._path, "mode=ro&immutable=1", _BUSY_SECONDS)) as source:
                source.backup(self._connection)

    def _prepare(self) -> None:
        if self._is_ready:
            return
        version = self._version()
        self._set_journal()
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute(f"PRAGMA journal_size_limit = {_JOURNAL_BYTES}")
        if version < len(self._migrations):
            self._transaction(self._migrate)
        if self._quota is not None:
            pages = (self._quota << 20) // self._pragma("page_size")
            self._connection.execute(f"PRAGMA max_page_count = {max(pages, 1)}")
            # The journal is written back before it reaches a quarter of these pages.
            self._connection.execute(f"PRAGMA wal_autocheckpoint = {min(max(pages // 4, 1), _CHECKPOINT_PAGES)}")
        self._is_ready = True

    def _version(self) -> int:
        # In this order: another session may be creating the tables, and sets the version along with them.
        has_tables = self._connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None
        version = self._pragma("user_version")
        if version > len(self._migrations):
            raise _ForeignSchemaError(_("it was written by a newer sokoterm"))
        if not version and has_tables:
            raise _ForeignSchemaError(_("it was made by another program"))
        return version

    def _migrate(self, connection: sqlite3.Connection) -> None:
        for statements in self._migrations[self._version() :]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(self._migrations)}")

    def _pragma(self, name: str) -> int:
        value: int = self._connection.execute(f"PRAGMA {name}").fetchone()[0]
        return value

    def _set_journal(self) -> None:
        """Switch to WAL if possible; otherwise the journal stays as it is, slower but just as safe."""
        end = monotonic() + self._patience  # sqlite's own timeout does not cover this statement
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if code_of(error) not in _BUSY or monotonic() >= end:
                    raise
            sleep(_RETRY_SECONDS)

    def _replace_damaged(self) -> None:
        if self._file is None:
            self._use_memory(_("it is damaged"), is_copy=False)
        elif not self._set_aside():
            self._use_memory(_("it is damaged and cannot be renamed"), is_copy=False)
        else:
            try:
                self._connect()
            except OSError as error:
                self._use_memory(_reason_of_system(error))

    def _set_aside(self) -> bool:
        """Rename the file and its journals, unless another session did; True on success."""
        if self._file != _file_at(self._path):
            return True
        base = f"{self._path}.corrupt-{strftime('%Y%m%d-%H%M%S', localtime(self._clock()))}"
        target = base
        number = 1
        while os.path.exists(target):
            number += 1
            target = f"{base}-{number}"
        try:
            # The journal first: sqlite would apply it to a new file.
            for suffix in (*_JOURNALS, ""):
                if os.path.exists(self._path + suffix):
                    os.rename(self._path + suffix, target + suffix)
        except OSError:
            return False
        name = printable(os.path.basename(target))
        path = printable(self._path)
        self.notices.append(_("{path} was damaged: set aside as {name}, starting a new one", path=path, name=name))
        return True


def connect(path: str, query: str, patience: float) -> sqlite3.Connection:
    """Connect to a file of any name, with an SQLite URI ``query``; raises OSError for anything but a file."""
    require_file(path)
    for suffix in _JOURNALS:
        require_file(path + suffix, _("the journal {name}", name=printable(os.path.basename(path)) + suffix))
    name = "".join(f"%{byte:02x}" for byte in os.fsencode(os.path.abspath(path)))
    return _careful(sqlite3.connect(f"file:{name}?{query}", uri=True, timeout=patience, isolation_level=None))


def _memory() -> sqlite3.Connection:
    return _careful(sqlite3.connect(":memory:", isolation_level=None))


def _careful(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Forbid functions with side effects in the schema, if sqlite supports this, and return the connection."""
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def repaired(data: bytes) -> str:
    """Decode bytes that may not be UTF-8."""
    return data.decode("utf-8", "replace")


def _file_at(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _keep_private(path: str) -> None:
    """Create the file if missing; make it and its journals private, if ours: early versions left that to the umask."""
    with suppress(FileExistsError):
        # For a dangling link, create the file it points to.
        os.close(os.open(os.path.realpath(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    if sys.platform == "win32" or not hasattr(os, "geteuid"):
        return
    for suffix in ("", *_JOURNALS):
        with suppress(OSError):
            status = os.stat(path + suffix)
            if status.st_uid == os.geteuid() and status.st_mode & 0o077:
                os.chmod(path + suffix, status.st_mode & 0o700)


def fitting(rows: Iterable[tuple[object, ...]], make: Callable[..., _Result]) -> list[_Result]:
    """Return ``make(*row)`` for the rows whose values have the types that ``make`` takes: sqlite stores any.

    Rows for which ``make`` raises ValueError are left out too. ``make`` may be a tuple type.

    >>> fitting([(1,), ("x",), (None,), (b"x",), (2.5,)], int)
    [1]
    >>> fitting([("a", 1), ("b", None)], tuple[str, int])
    [('a', 1)]
    """
    is_tuple = get_origin(make) is tuple
    columns = get_args(make) if is_tuple else (make,) if make in (int, str) else make.__annotations__.values()
    kinds = [kind | int if kind in (bool, float, float | None) else kind for kind in columns]
    found = []
    for row in rows:
        try:
            if all(map(isinstance, row, kinds)):
                found.append(make(row) if is_tuple else make(*row))
        except ValueError:
            continue
    return found


def code_of(error: Exception) -> int:
    """Return the primary result code of sqlite (the low byte of the extended one)."""
    if isinstance(error, UnicodeDecodeError):
        return sqlite3.SQLITE_CORRUPT
    if isinstance(error, MemoryError):
        return sqlite3.SQLITE_NOMEM
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF


def reason_of(error: Exception) -> str:
    reason = _REASONS.get(code_of(error))
    return _(reason) if reason is not None else str(error)


def _reason_of_system(error: OSError) -> str:
    """Return why a file cannot be opened, naming the file that is in the way of a folder."""
    if isinstance(error, FileExistsError | NotADirectoryError):
        place: str = os.fsdecode(error.filename)
        while not os.path.lexists(place):
            place = os.path.dirname(place)
        return _("{path} is not a folder", path=printable(place))
    return error.strerror or str(error)
