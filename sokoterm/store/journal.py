"""Journal of work on many levels: the result of each, and how much has been written to the results file.

Results are texts, stored by job and level key: a job never does a level twice, however the program ended.
"""

from collections.abc import Callable, Sequence
from sqlite3 import Connection
from typing import NamedTuple, TypeVar

from sokoterm.language import N_, _
from sokoterm.store.database import Database, DatabaseWords, NotReadError, NotWrittenError, RowValue

_Row = TypeVar("_Row")

_MIGRATIONS = (
    (
        """CREATE TABLE results (
            job TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL, pack TEXT NOT NULL, level INTEGER NOT NULL,
            PRIMARY KEY (job, key)
        ) WITHOUT ROWID""",
        """CREATE TABLE entries (
            pack TEXT NOT NULL, level INTEGER NOT NULL, key TEXT NOT NULL, figures TEXT NOT NULL,
            PRIMARY KEY (pack, level, key)
        ) WITHOUT ROWID""",
        "CREATE TABLE output (job TEXT NOT NULL, size INTEGER NOT NULL, tail TEXT NOT NULL)",
    ),
)
_WORDS = DatabaseWords(N_("the journal cannot be read: {reason}"), N_("{path}: cannot be written: {reason}"))
# Seconds; another program locks the file for a moment at most.
_PATIENCE = 10.0


class JournalError(Exception):
    """The journal cannot be used; the error's text is one line that says why."""


class KeptResult(NamedTuple):
    """The result of a level, with the pack and number of the level for which it was found."""

    text: str
    pack: str
    level: int


class WrittenPart(NamedTuple):
    """The complete part of the results file: its job and form, its size, and its last (or next) bytes in hex."""

    job: str
    size: int
    tail: str


class Journal:
    """The journal in the file at ``path``, created if missing; every call may raise JournalError."""

    def __init__(self, path: str, job: str, clock: Callable[[], float], form: str = "") -> None:
        """``job`` identifies all that results depend on besides the level, ``form`` what else the results file does."""
        self._path = path
        self._job = job
        self._form = form
        self._database = Database(path, _MIGRATIONS, clock, _WORDS, _PATIENCE)
        self.notices = self._database.notices
        if not self._database.is_on_disk:
            self._database.close()
            raise JournalError("; ".join(self.notices) or path)
        self._database.on_new_file = self._refuse_new_file

    def close(self) -> None:
        self._database.close()

    def result(self, key: str) -> KeptResult | None:
        """Return this job's result for a key, None before there is one."""
        query = "SELECT text, pack, level FROM results WHERE job = ? AND key = ?"
        return self._read(query, (self._job, key), KeptResult)

    def figures(self, pack: str, level: int, key: str) -> str | None:
        """Return the figures of the result written for a level, None before one was."""
        query = "SELECT figures FROM entries WHERE pack = ? AND level = ? AND key = ?"
        return self._read(query, (pack, level, key), str)

    def written(self) -> WrittenPart | None:
        """Return the state of the results file, None before it was started."""
        return self._read("SELECT job, size, tail FROM output", (), WrittenPart)

    def begin(self) -> None:
        """Start a new, empty results file; the results themselves stay."""
        self._write(0, "", [("DELETE FROM entries", [()])])

    def add(
        self,
        results: Sequence[tuple[str, KeptResult]],
        entries: Sequence[tuple[str, int, str, str]],
        size: int,
        tail: str,
    ) -> None:
        """Store results by key, and the entries with which the results file has grown to ``size`` bytes.

        An entry is the pack and number of a level, the key of its result, and the figures of it that go into totals.
        """
        kept = [(self._job, key, *result) for key, result in results]
        keep = "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)"
        enter = "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)"
        self._write(size, tail, [(keep, kept), (enter, entries)])

    def announce(self, begin: bytes) -> None:
        """Note the bytes with which the results file is about to start."""
        self._write(0, begin.hex(), [])

    def _read(self, query: str, parameters: tuple[str | int, ...], make: Callable[..., _Row]) -> _Row | None:
        try:
            rows = self._database.read_surely(query, parameters, make)
        except NotReadError as error:
            raise JournalError(str(error)) from None
        return rows[0] if rows else None

    def _write(self, size: int, tail: str, statements: Sequence[tuple[str, Sequence[Sequence[RowValue]]]]) -> None:
        """Run statements, each with rows of values, and note how much of the results file is then complete."""

        def job(connection: Connection) -> None:
            for statement, rows in statements:
                connection.executemany(statement, rows)
            connection.execute("DELETE FROM output")
            connection.execute("INSERT INTO output VALUES (?, ?, ?)", (self._job + self._form, size, tail))

        try:
            self._database.write(job)
        except NotWrittenError as error:
            raise JournalError(_("{path}: cannot be written: {reason}", path=self._path, reason=error)) from None

    def _refuse_new_file(self) -> None:
        raise JournalError(_("{path}: was replaced while it was in use", path=self._path))
