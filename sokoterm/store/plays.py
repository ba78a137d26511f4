"""Open plays in the database: the edits of each play, row by row, and the bookmarks of its level.

A play is kept under the Exact-Id of its level. Several sessions may have the same play open: each save names the
revision it is based on, and a session that finds another revision writes its own history as a new play. Whoever opens
the level next resumes the play saved last and gets the others as bookmarks.

Help is kept with the play: the moves up to each hint, and up to where a solution was shown.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, takewhile
from typing import TypeVar

from sokoterm.engine.game import Edit, common_prefix
from sokoterm.engine.lurd import run_lengths
from sokoterm.engine.run_length import RunLengthError, expand
from sokoterm.engine.value import Value
from sokoterm.store.database import Database, fitting

_Key = TypeVar("_Key")
_Kept = TypeVar("_Kept")

_DIGITS = "123456789"
# The most letters that one text may expand to.
_LONGEST = 2_000_000

TABLES = (
    """CREATE TABLE play (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        exact_id TEXT NOT NULL,
        revision INTEGER NOT NULL,
        cursor INTEGER NOT NULL,
        is_solved INTEGER NOT NULL,
        saved REAL NOT NULL
    )""",
    "CREATE INDEX play_of_level ON play (exact_id, saved)",
    """CREATE TABLE edit (
        play INTEGER NOT NULL,
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        removed TEXT NOT NULL,
        added TEXT NOT NULL,
        PRIMARY KEY (play, number)
    ) WITHOUT ROWID""",
    """CREATE TABLE bookmark (
        exact_id TEXT NOT NULL,
        name TEXT NOT NULL,
        lurd TEXT NOT NULL,
        PRIMARY KEY (exact_id, name)
    ) WITHOUT ROWID""",
)

PACKED = (
    "ALTER TABLE edit RENAME TO edit_with_removed",
    """CREATE TABLE edit (
        play INTEGER NOT NULL,
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        added TEXT NOT NULL,
        PRIMARY KEY (play, number)
    ) WITHOUT ROWID""",
    "INSERT INTO edit SELECT play, number, at, added FROM edit_with_removed",
    "DROP TABLE edit_with_removed",
)
"""Drops what an edit removed, since earlier edits tell; from here on moves have repeat counts (``3rU``)."""

HELP_TABLE = (
    "CREATE TABLE help (exact_id TEXT NOT NULL, lurd TEXT NOT NULL, PRIMARY KEY (exact_id, lurd)) WITHOUT ROWID"
)

# Letters of the help of one play: several hints far into one of full length. Above it, what they all begin with stands
# for them.
_MOST_HELP = 4_000_000


class OpenPlay(Value):
    """The data from which ``engine.game.Game`` resumes a play.

    ``others`` names the ``bookmarks`` that are positions of other sessions on the same level.
    """

    edits: tuple[Edit, ...]
    cursor: int
    bookmarks: Mapping[str, str]
    others: tuple[str, ...] = ()


class Snapshot(Value):
    """The current state of a play, to be saved."""

    edits: Sequence[Edit]
    cursor: int
    bookmarks: Mapping[str, str]
    is_solved: bool


class PlayStamp(Value):
    """Identity of a play: its id, below 0 if it is held in memory, its revision and the number of edits done."""

    id: int
    revision: int
    cursor: int


class PlayRow(Value):
    """A row of the table of plays."""

    id: int
    revision: int
    cursor: int
    is_solved: int
    saved: float


class Merged(Value):
    """The outcome of an import: if the play was new, how many bookmarks were, and the moves left without a name."""

    is_new: bool
    bookmarks: int
    left: tuple[str, ...]


class SavedPlay:
    """This session's knowledge of one level's play on disk; ``row`` is 0 if there is none."""

    def __init__(self, exact_id: str) -> None:
        self.exact_id = exact_id
        self.row = 0
        self._revision = 0
        self._edits: list[Edit] = []
        self._cursor = 0
        self._is_solved = False
        self._bookmarks: dict[str, str] = {}
        self._adopted: dict[str, PlayRow] = {}

    @property
    def is_solved(self) -> bool:
        return self._is_solved

    @property
    def size(self) -> int:
        """The number of letters it holds."""
        return sum(edit.cost for edit in self._edits) + sum(map(len, self._bookmarks.values()))

    def load(self, database: Database) -> tuple[OpenPlay | None, list[PlayRow]]:
        """Return the open play saved last, with the bookmarks of its level, and the rows of leftover solved plays."""
        rows = database.read(
            "SELECT id, revision, cursor, is_solved, saved FROM play WHERE exact_id = ? ORDER BY saved DESC, id DESC",
            (self.exact_id,),
            PlayRow,
        )
        self._bookmarks = dict(
            database.read("SELECT name, lurd FROM bookmark WHERE exact_id = ?", (self.exact_id,), _bookmark)
        )
        solved = [row for row in rows if row.is_solved]
        rows = [row for row in rows if not row.is_solved]
        if rows:
            self.row, self._revision = rows[0].id, rows[0].revision
            self._edits = edits_of(database, self.row)
            self._cursor = min(rows[0].cursor, len(self._edits))
        elif not self._bookmarks:
            return None, solved
        bookmarks = dict(self._bookmarks)
        known = {lurd_of(self._edits[: self._cursor]), *bookmarks.values()}
        for row in rows[1:]:
            lurd = lurd_of(edits_of(database, row.id)[: row.cursor])
            name = _free_digit(bookmarks)
            if lurd and lurd not in known and name:
                known.add(lurd)
                bookmarks[name] = lurd
                self._adopted[name] = row
        return OpenPlay(tuple(self._edits), self._cursor, bookmarks, tuple(self._adopted)), solved

    def snapshot(self) -> Snapshot:
        """Return what is known to be on disk, to write it to another file: only the bookmarks if there is no play."""
        if not self.row:
            return Snapshot([], 0, dict(self._bookmarks), False)
        return Snapshot(list(self._edits), self._cursor, dict(self._bookmarks), self._is_solved)

    def forget(self) -> None:
        """Treat everything as unsaved: another file has replaced the old one."""
        self.row = 0
        self._edits = []
        self._bookmarks = {}
        self._adopted = {}

    def is_current(self, snapshot: Snapshot) -> bool:
        """True if a save would change nothing."""
        return self._is_current_position(snapshot) and self._bookmarks == snapshot.bookmarks

    def write(self, connection: sqlite3.Connection, snapshot: Snapshot, now: float) -> Callable[[], None]:
        """Write the changes in a snapshot; return a callback to be called after the commit."""
        kept = self._kept(snapshot.edits)
        row, revision = self.row, self._revision + 1
        if not self._is_current_position(snapshot):
            if not row or not self._update(connection, snapshot, now):
                row = _insert_play(connection, self.exact_id, snapshot.cursor, snapshot.is_solved, now)
                revision = new = 0
            else:
                connection.execute("DELETE FROM edit WHERE play = ? AND number >= ?", (row, kept))
                new = kept
            connection.executemany(
                _INSERT_EDIT,
                (
                    (row, number, edit.at, run_lengths(edit.added))
                    for number, edit in enumerate(snapshot.edits[new:], start=new)
                ),
            )
        else:
            revision = self._revision
        self._write_bookmarks(connection, snapshot.bookmarks)

        def committed() -> None:
            self.row, self._revision = row, revision
            self._edits[kept:] = snapshot.edits[kept:]
            self._cursor, self._is_solved = snapshot.cursor, snapshot.is_solved
            self._bookmarks = dict(snapshot.bookmarks)

        return committed

    def is_overwritten(self, database: Database) -> bool:
        """True if another session took this play over and nothing is left of the position saved here."""
        # The query always gives a row; without one the database cannot be read now.
        found = database.read("SELECT count(*), max(revision) FROM play WHERE id = ?", (self.row,), _count_and_revision)
        if not found or found[0] == (1, self._revision):
            return False
        if found[0][0]:
            return edits_of(database, self.row)[: self._cursor] != self._edits[: self._cursor]
        # The other session solved it, perhaps from another position, or made it a bookmark.
        bookmarks = database.read("SELECT lurd FROM bookmark WHERE exact_id = ?", (self.exact_id,), _expanded)
        lurd = lurd_of(self._edits[: self._cursor])
        return bool(lurd) and not self._is_solved and lurd not in bookmarks

    def delete(self, connection: sqlite3.Connection) -> Callable[[], None]:
        """Delete the play, unless another session has taken it over, once its solution is recorded."""
        delete_play(connection, self.row, self._revision)

        def committed() -> None:
            self.row = 0

        return committed

    def _is_current_position(self, snapshot: Snapshot) -> bool:
        if not self.row and not snapshot.edits:
            return True
        return (
            self._kept(snapshot.edits) == len(snapshot.edits) == len(self._edits)
            and self._cursor == snapshot.cursor
            and self._is_solved == snapshot.is_solved
        )

    def _kept(self, edits: Sequence[Edit]) -> int:
        """Return how many of the edits on disk are still the first of ``edits``.

        A history is only ever cut and extended by new Edits, so the last one in common decides: the cost is that of the
        change.
        """
        kept = min(len(edits), len(self._edits))
        while kept and edits[kept - 1] is not self._edits[kept - 1]:
            kept -= 1
        return kept

    def _update(self, connection: sqlite3.Connection, snapshot: Snapshot, now: float) -> bool:
        """Write the row of the play; False if another session has written it since."""
        cursor = connection.execute(
            "UPDATE play SET revision = revision + 1, cursor = ?, is_solved = ?, saved = ? "
            "WHERE id = ? AND revision = ?",
            (snapshot.cursor, snapshot.is_solved, now, self.row, self._revision),
        )
        return cursor.rowcount == 1

    def _write_bookmarks(self, connection: sqlite3.Connection, bookmarks: Mapping[str, str]) -> None:
        """Write the changed bookmarks; one that another session set meanwhile moves to a free digit."""
        if bookmarks == self._bookmarks:
            return
        on_disk = _bookmarks_of(connection, self.exact_id)
        wanted = dict(on_disk)
        for name in self._bookmarks.keys() - bookmarks.keys():
            wanted.pop(name, None)
        for name, lurd in bookmarks.items():
            if lurd == self._bookmarks.get(name):
                continue
            theirs = on_disk.get(name)
            digit = _free_digit(wanted.keys() | bookmarks.keys())
            if theirs is not None and theirs not in (lurd, self._bookmarks.get(name)) and digit:
                wanted[digit] = theirs
            wanted[name] = lurd
        for name, row in self._adopted.items():
            if name in bookmarks:
                delete_play(connection, row.id, row.revision)
        connection.execute("DELETE FROM bookmark WHERE exact_id = ?", (self.exact_id,))
        rows = ((self.exact_id, name, run_lengths(lurd)) for name, lurd in wanted.items())
        connection.executemany("INSERT OR REPLACE INTO bookmark VALUES (?, ?, ?)", rows)


class Helps:
    """The help given in every open play, read on first use; new help waits for ``write``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, set[str]] = {}
        self._new: set[tuple[str, str]] = set()
        self._over: set[str] = set()

    @property
    def is_waiting(self) -> bool:
        return bool(self._new or self._over)

    def note(self, key: str, lurd: str) -> None:
        """Record that help was given in the position after these moves; plays through it count as helped."""
        if self.led_to(key, lurd):
            return
        known = self._of(key)
        known.add(lurd)
        if sum(map(len, known)) <= _MOST_HELP:
            self._new.add((key, lurd))
        else:
            self.end(key)
            shared = min(known)[: common_prefix(min(known), max(known))]
            self._known[key] = {shared}
            self._new.add((key, shared))

    def led_to(self, key: str, lurd: str) -> bool:
        """True if the moves pass through a position reached by help, or begin where a solution was shown."""
        return any(lurd.startswith(helped) for helped in self._of(key))

    def end(self, key: str) -> None:
        """End the play of a level: the next one starts without help."""
        if self._of(key):
            self._known[key] = set()
            self._new = {each for each in self._new if each[0] != key}
            self._over.add(key)

    def write(self, connection: sqlite3.Connection) -> None:
        """Write new help and delete that of ended plays."""
        connection.executemany("DELETE FROM help WHERE exact_id = ?", ((key,) for key in self._over))
        connection.executemany("INSERT OR IGNORE INTO help VALUES (?, ?)", self._new)

    def written(self) -> None:
        """Mark everything as written."""
        self._new.clear()
        self._over.clear()

    def let_go(self, most: int) -> None:
        """Hold no more letters than that beside what waits: the help of the plays asked for first is on disk alone."""
        if not self.is_waiting:
            keep_last(self._known, lambda key: sum(map(len, self._known[key])), most)

    def begin_anew(self) -> None:
        """Queue all known help for the file that replaced the old one."""
        self._new = {(key, lurd) for key, some in self._known.items() for lurd in some}

    def _of(self, key: str) -> set[str]:
        if key not in self._known:
            self._known[key] = set(self._database.read("SELECT lurd FROM help WHERE exact_id = ?", (key,), str))
        return self._known[key]


def edits_of(database: Database, row: int) -> list[Edit]:
    """Return the edits of a play, in order, up to the first damaged one."""
    return _edits(database.read("SELECT number, at, added FROM edit WHERE play = ?", (row,), _numbered))


def open_moves(database: Database, exact_id: str) -> str:
    """Return the moves so far of the open play of a level that was saved last; none without a play."""
    query = "SELECT id, cursor FROM play WHERE exact_id = ? AND NOT is_solved ORDER BY saved DESC, id DESC LIMIT 1"
    edits = "SELECT number, at, added FROM edit WHERE play = ? AND number < ? ORDER BY number"
    letters: list[str] = []
    for row, cursor in database.read(query, (exact_id,), _row_and_cursor):
        for _, (at, added) in database.read(edits, (row, cursor), _numbered):
            letters[at:] = added
    return "".join(letters)


def stamps_of(database: Database, some: Sequence[str]) -> dict[str, PlayStamp]:
    """Return the stamps of the open plays saved last, for a screenful of levels; plays without a move are left out."""
    places = ", ".join("?" * len(some))
    query = f"""SELECT exact_id, id, revision, cursor FROM play
        WHERE exact_id IN ({places}) AND NOT is_solved ORDER BY saved, id"""
    last = dict(database.read(query, some, _stamped))
    return {exact_id: stamp for exact_id, stamp in last.items() if stamp.cursor}


def begun_of(database: Database) -> set[str]:
    """Return the levels whose open play saved last has a push."""
    query = """SELECT exact_id, EXISTS (
            SELECT 1 FROM edit WHERE play = play.id AND number < cursor AND added GLOB '*[LURD]*'
        ) FROM play WHERE NOT is_solved ORDER BY saved, id"""
    return {exact_id for exact_id, has_push in dict(database.read(query, (), _with_push)).items() if has_push}


def exact_ids(database: Database) -> list[str]:
    """Return the levels that have a play or bookmarks."""
    return database.read("SELECT exact_id FROM play UNION SELECT exact_id FROM bookmark ORDER BY 1", (), str)


def merge_play(
    connection: sqlite3.Connection,
    exact_id: str,
    play: tuple[str, str] | None,
    bookmarks: Mapping[str, str],
    now: float,
) -> Merged:
    """Import a play: its moves so far, those that can be redone, and its bookmarks.

    Nothing is overwritten: if the level has a play, or a bookmark of that name, the imported one becomes a bookmark on
    a free digit, unless its position is already there. So importing twice changes nothing. A name of more than one
    character gets a free digit too.
    """
    ours = _bookmarks_of(connection, exact_id)
    wanted = {name: lurd for name, lurd in bookmarks.items() if len(name) == 1} | ours
    waiting = [lurd for name, lurd in bookmarks.items() if wanted.get(name) != lurd]
    is_new = False
    if play is not None:
        here = _open_positions(connection, exact_id)
        if not here:
            _insert_moves(connection, exact_id, play, now)
            is_new = True
        elif play[0] and play[0] not in here:
            is_new = play[0] not in wanted.values()
            waiting.append(play[0])
    left = []
    for lurd in dict.fromkeys(waiting):
        if lurd not in wanted.values():
            name = _free_digit(wanted)
            if name:
                wanted[name] = lurd
            else:
                left.append(lurd)
    new = [(exact_id, name, run_lengths(lurd)) for name, lurd in wanted.items() if name not in ours]
    connection.executemany("INSERT OR REPLACE INTO bookmark VALUES (?, ?, ?)", new)
    return Merged(is_new, len(new), tuple(left))


def _open_positions(connection: sqlite3.Connection, exact_id: str) -> list[str]:
    """Return the moves so far of every open play of a level."""
    query = "SELECT id, cursor FROM play WHERE exact_id = ? AND NOT is_solved"
    edits = "SELECT number, at, added FROM edit WHERE play = ? AND number < ?"
    rows = list(fitting(connection.execute(query, (exact_id,)), _row_and_cursor))
    return [lurd_of(_edits(fitting(connection.execute(edits, row), _numbered))) for row in rows]


def _bookmarks_of(connection: sqlite3.Connection, exact_id: str) -> dict[str, str]:
    query = "SELECT name, lurd FROM bookmark WHERE exact_id = ?"
    return dict(fitting(connection.execute(query, (exact_id,)), _bookmark))


def _insert_moves(connection: sqlite3.Connection, exact_id: str, play: tuple[str, str], now: float) -> None:
    """Write a play of which only the moves are known: each is undone by itself."""
    done, undone = play
    row = _insert_play(connection, exact_id, len(done), False, now)
    steps = ((row, number, number, step) for number, step in enumerate(done + undone))
    connection.executemany(_INSERT_EDIT, steps)


def _insert_play(connection: sqlite3.Connection, exact_id: str, cursor: int, is_solved: bool, now: float) -> int:
    """Write a new play, still without edits; its number."""
    query = "INSERT INTO play (exact_id, revision, cursor, is_solved, saved) VALUES (?, 0, ?, ?, ?)"
    row = connection.execute(query, (exact_id, cursor, is_solved, now)).lastrowid or 0
    # In a damaged file there may be edits whose play has lost its number.
    connection.execute("DELETE FROM edit WHERE play = ?", (row,))
    return row


def delete_play(connection: sqlite3.Connection, row: int, revision: int) -> None:
    """Delete a play with its edits, unless another session has written it since ``revision``."""
    if connection.execute("DELETE FROM play WHERE id = ? AND revision = ?", (row, revision)).rowcount:
        connection.execute("DELETE FROM edit WHERE play = ?", (row,))


def lurd_of(edits: Iterable[Edit]) -> str:
    """Return the moves from the start that result from the edits."""
    letters: list[str] = []
    for edit in edits:
        letters[edit.at :] = edit.added
    return "".join(letters)


_INSERT_EDIT = "INSERT INTO edit VALUES (?, ?, ?, ?)"


def _edits(rows: Iterable[tuple[int, tuple[int, str]]]) -> list[Edit]:
    """Return the edits up to the first missing number, each with the moves it removed."""
    numbered = dict(rows)
    letters: list[str] = []
    edits = []
    for at, added in (numbered[number] for number in takewhile(numbered.__contains__, count())):
        edits.append(Edit(at, "".join(letters[at:]), added))
        letters[at:] = added
    return edits


def _expanded(text: str) -> str:
    """Return moves without repeat counts; unreadable ones are returned as they are, and fit no level."""
    try:
        return expand(text, _LONGEST)
    except RunLengthError:
        return text


def _free_digit(names: Iterable[str]) -> str:
    taken = set(names)
    return next((digit for digit in _DIGITS if digit not in taken), "")


def _bookmark(name: str, text: str) -> tuple[str, str]:
    return name, _expanded(text)


def _numbered(number: int, at: int, text: str) -> tuple[int, tuple[int, str]]:
    return number, (at, _expanded(text))


def _stamped(exact_id: str, row: int, revision: int, cursor: int) -> tuple[str, PlayStamp]:
    return exact_id, PlayStamp(row, revision, cursor)


def _with_push(exact_id: str, has_push: bool) -> tuple[str, bool]:
    return exact_id, has_push


def _row_and_cursor(row: int, cursor: int) -> tuple[int, int]:
    return row, cursor


def _count_and_revision(count: int, revision: int | None) -> tuple[int, int | None]:
    return count, revision


def keep_last(held: dict[_Key, _Kept], size: Callable[[_Key], int], most: int) -> None:
    """Drop the oldest entries, until those that are left have a size of ``most`` in all.

    >>> held = {"a": 30, "b": 50, "c": 20}
    >>> keep_last(held, held.__getitem__, 75)
    >>> held
    {'b': 50, 'c': 20}
    """
    total = 0
    for key in reversed(list(held)):
        total += size(key)
        if total > most:
            del held[key]
