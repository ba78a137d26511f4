"""Open plays in the database, with one row per edit, and the bookmarks of their levels.

A play is stored under the Exact-Id of its level. Several sessions may have it open: each save names the revision it is
based on, and a session that finds another revision writes its own history as a new play. Whoever opens the level next
resumes the play saved last and gets the others as bookmarks.
"""

import sqlite3
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import count, takewhile

from sokoterm.engine.game import Edit
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import RunLengthError, expand, run_lengths
from sokoterm.engine.value import Value
from sokoterm.store.database import Database, NotReadError, fitting
from sokoterm.store.solutions import SAVE_BOARD, StoredBoard

_DIGITS = "123456789"
# The most letters that one text may expand to.
_LONGEST = 2_000_000

_INSERT_PLAY = "INSERT INTO play (exact_id, revision, cursor, is_solved, saved) VALUES (?, 0, ?, ?, ?)"
_UPDATE_PLAY = """UPDATE play SET revision = revision + 1, cursor = ?, is_solved = ?, saved = ?
    WHERE id = ? AND revision = ? AND exact_id = ?"""
_INSERT_EDIT = "INSERT INTO edit VALUES (?, ?, ?, ?)"
_INSERT_BOOKMARK = "INSERT OR REPLACE INTO bookmark VALUES (?, ?, ?)"
# Deletes a play with its edits, by id and revision, unless another session has written it since.
DROP_PLAY = (
    "DELETE FROM edit WHERE play = ?1 AND EXISTS (SELECT 1 FROM play WHERE id = ?1 AND revision = ?2)",
    "DELETE FROM play WHERE id = ? AND revision = ?",
)
_EDITS = "SELECT number, at, added FROM edit WHERE play = ?"
_BOOKMARKS = "SELECT name, lurd FROM bookmark WHERE exact_id = ?"


PlayStamp = tuple[int, int, int]
"""Identity of a play: its id (negative while only in memory), its revision and the number of edits done."""


class OpenPlay(Value):
    """A play as a session has it; ``others`` names the ``bookmarks`` that are positions of other sessions."""

    edits: Sequence[Edit]
    cursor: int
    bookmarks: Mapping[str, str]
    is_solved: bool = False
    others: tuple[str, ...] = ()

    @property
    def lurd(self) -> str:
        return lurd_of(self.edits[: self.cursor])


class PlayRow(Value):
    id: int
    revision: int
    cursor: int
    is_solved: int
    saved: float


class SavedPlay:
    """A session's view of a stored play (``row`` 0: none; ``kept``: its content), and a snapshot to be written."""

    def __init__(self, exact_id: str, level: Level) -> None:
        self.exact_id = exact_id
        self._level = level
        self.waiting: OpenPlay | None = None
        self._forget()

    def _forget(self) -> None:
        self.row = self.revision = 0
        self._edits: list[Edit] = []
        self.kept = OpenPlay(self._edits, 0, {})
        # Plays of other sessions that were offered as bookmarks, by bookmark name.
        self._adopted: dict[str, PlayRow] = {}

    def load(self, database: Database) -> tuple[OpenPlay | None, list[PlayRow]]:
        """Return the open play saved last, with the bookmarks of its level, and the rows of leftover solved plays."""
        self._forget()
        rows = database.read(
            "SELECT id, revision, cursor, is_solved, saved FROM play WHERE exact_id = ? ORDER BY saved DESC, id DESC",
            (self.exact_id,),
            PlayRow,
        )
        bookmarks = dict(database.read(_BOOKMARKS, (self.exact_id,), _bookmark))
        solved = [row for row in rows if row.is_solved]
        rows = [row for row in rows if not row.is_solved]
        cursor = 0
        if rows:
            self.row, self.revision = rows[0].id, rows[0].revision
            self._edits = edits_of(database, self.row)
            cursor = min(rows[0].cursor, len(self._edits))
        elif not bookmarks:
            return None, solved
        self.kept = OpenPlay(self._edits, cursor, dict(bookmarks))
        known = {self.kept.lurd, *bookmarks.values()}
        for row in rows[1:]:
            lurd = moves_of(database, row.id, row.cursor)
            name = _free_digit(bookmarks)
            if lurd and lurd not in known and name:
                known.add(lurd)
                bookmarks[name] = lurd
                self._adopted[name] = row
        return OpenPlay(tuple(self._edits), cursor, bookmarks, others=tuple(self._adopted)), solved

    def save(self, snapshot: OpenPlay) -> None:
        """Queue a snapshot, unless writing it would change nothing."""
        is_kept = self._is_position_kept(snapshot) and self.kept.bookmarks == snapshot.bookmarks
        self.waiting = None if is_kept else snapshot

    def write(self, connection: sqlite3.Connection, now: float) -> Callable[[], None]:
        """Write the changes in the waiting snapshot; return a callback to be called after the commit."""
        assert self.waiting is not None
        snapshot = self.waiting
        row, revision = self.row, self.revision
        if not row:
            connection.execute(SAVE_BOARD, StoredBoard.of(self.exact_id, self._level))
        common = self._common(snapshot.edits)
        if not self._is_position_kept(snapshot):
            values = (snapshot.cursor, snapshot.is_solved, now)
            first, revision = common, revision + 1
            if not row or not connection.execute(_UPDATE_PLAY, (*values, row, self.revision, self.exact_id)).rowcount:
                first, revision = 0, 0
                row = _insert_play(connection, self.exact_id, *values)
            else:
                connection.execute("DELETE FROM edit WHERE play = ? AND number >= ?", (row, common))
            edits = enumerate(snapshot.edits[first:], start=first)
            rows = ((row, number, edit.at, run_lengths(edit.added)) for number, edit in edits)
            connection.executemany(_INSERT_EDIT, rows)
        if self.kept.bookmarks != snapshot.bookmarks:
            self._write_bookmarks(connection, snapshot.bookmarks)

        def committed() -> None:
            self._edits[common:] = snapshot.edits[common:]
            self.row, self.revision, self.waiting = row, revision, None
            self.kept = snapshot._replace(edits=self._edits, bookmarks=dict(snapshot.bookmarks))

        return committed

    def detach(self) -> None:
        """Copy the waiting snapshot, because the caller will change its history."""
        if self.waiting is not None:
            edits, bookmarks = list(self.waiting.edits), dict(self.waiting.bookmarks)
            self.waiting = self.waiting._replace(edits=edits, bookmarks=bookmarks)

    def renew(self) -> None:
        """Queue what was stored as a new play, since nothing of it is on disk any more."""
        if self.waiting is None and (self.kept.edits or self.kept.bookmarks):
            self.waiting = self.kept
        self._forget()

    def is_overwritten(self, database: Database) -> bool:
        """True if another session took over this play and nothing is left of the position saved here."""
        try:
            revisions = database.read_surely("SELECT revision FROM play WHERE id = ?", (self.row,), int)
        except NotReadError:
            return False
        if revisions == [self.revision]:
            return False
        cursor = self.kept.cursor
        if revisions:
            return edits_of(database, self.row)[:cursor] != self.kept.edits[:cursor]
        # The other session solved it, perhaps from another position, or made it a bookmark.
        lurd = self.kept.lurd
        bookmarks = dict(database.read(_BOOKMARKS, (self.exact_id,), _bookmark))
        return bool(lurd) and not self.kept.is_solved and lurd not in bookmarks.values()

    def _is_position_kept(self, snapshot: OpenPlay) -> bool:
        if not self.row and not snapshot.edits:
            return True
        return (
            self._common(snapshot.edits) == len(snapshot.edits) == len(self.kept.edits)
            and self.kept.cursor == snapshot.cursor
            and self.kept.is_solved == snapshot.is_solved
        )

    def _common(self, edits: Sequence[Edit]) -> int:
        """Return how many of the edits on disk are still the first of ``edits``.

        A history is only ever cut and extended by new Edits, so the last common one decides, at the cost of the change.
        """
        kept = self.kept.edits
        common = min(len(edits), len(kept))
        while common and edits[common - 1] is not kept[common - 1]:
            common -= 1
        return common

    def _write_bookmarks(self, connection: sqlite3.Connection, bookmarks: Mapping[str, str]) -> None:
        """Write all bookmarks of the level; an adopted play that has become one is deleted."""
        wanted = merged_bookmarks(_bookmarks_of(connection, self.exact_id), self.kept.bookmarks, bookmarks)
        for name, row in self._adopted.items():
            if name in bookmarks:
                for statement in DROP_PLAY:
                    connection.execute(statement, (row.id, row.revision))
        connection.execute("DELETE FROM bookmark WHERE exact_id = ?", (self.exact_id,))
        rows = ((self.exact_id, name, run_lengths(lurd)) for name, lurd in wanted.items())
        connection.executemany(_INSERT_BOOKMARK, rows)


def merged_bookmarks(on_disk: Mapping[str, str], before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """Return the bookmarks on disk with a session's changes to those it read ``before``.

    A bookmark that another session set meanwhile moves to a free digit.

    >>> merged_bookmarks({"a": "r", "b": "rr"}, {"b": "rr"}, {"a": "d"})
    {'a': 'd', '1': 'r'}
    """
    wanted = {name: lurd for name, lurd in on_disk.items() if name in after or name not in before}
    for name, lurd in after.items():
        if lurd == before.get(name):
            continue
        theirs = on_disk.get(name)
        digit = _free_digit(wanted.keys() | after.keys())
        if theirs is not None and theirs not in (lurd, before.get(name)) and digit:
            wanted[digit] = theirs
        wanted[name] = lurd
    return wanted


def edits_of(database: Database, row: int) -> list[Edit]:
    """Return the edits of a play, in order, up to the first damaged one."""
    return _edits(database.read(_EDITS, (row,), _numbered))


def moves_of(database: Database, row: int, cursor: int) -> str:
    """Return the moves so far of a play, by its number and cursor."""
    return lurd_of(edits_of(database, row)[:cursor])


def merge_play(
    connection: sqlite3.Connection,
    exact_id: str,
    play: tuple[str, str] | None,
    bookmarks: Mapping[str, str],
    now: float,
) -> tuple[bool, int, int]:
    """Import a play, as its moves so far and those to redo, and its bookmarks.

    Return whether the play was new, the number of new bookmarks, and of those left out because no digit was free.

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
        if not here:  # each move is undone separately
            row = _insert_play(connection, exact_id, len(play[0]), False, now)
            steps = ((row, number, number, step) for number, step in enumerate("".join(play)))
            connection.executemany(_INSERT_EDIT, steps)
            is_new = True
        elif play[0] and play[0] not in here:
            is_new = play[0] not in wanted.values()
            waiting.append(play[0])
    left = 0
    for lurd in dict.fromkeys(waiting):
        if lurd in wanted.values():
            continue
        if name := _free_digit(wanted):
            wanted[name] = lurd
        else:
            left += 1
    new = [(exact_id, name, run_lengths(lurd)) for name, lurd in wanted.items() if name not in ours]
    connection.executemany(_INSERT_BOOKMARK, new)
    return is_new, len(new), left


def lurd_of(edits: Iterable[Edit]) -> str:
    """Return the moves from the start that result from the edits."""
    letters: list[str] = []
    for edit in edits:
        letters[edit.at :] = edit.added
    return "".join(letters)


def _open_positions(connection: sqlite3.Connection, exact_id: str) -> list[str]:
    rows = connection.execute("SELECT id, cursor FROM play WHERE exact_id = ? AND NOT is_solved", (exact_id,))
    edits = f"{_EDITS} AND number < ?"
    return [
        lurd_of(_edits(fitting(connection.execute(edits, row), _numbered)))
        for row in fitting(rows.fetchall(), tuple[int, int])
    ]


def _bookmarks_of(connection: sqlite3.Connection, exact_id: str) -> dict[str, str]:
    return dict(fitting(connection.execute(_BOOKMARKS, (exact_id,)), _bookmark))


def _insert_play(connection: sqlite3.Connection, exact_id: str, cursor: int, is_solved: bool, now: float) -> int:
    row = connection.execute(_INSERT_PLAY, (exact_id, cursor, is_solved, now)).lastrowid or 0
    # A damaged file may have edits whose play is gone.
    connection.execute("DELETE FROM edit WHERE play = ?", (row,))
    return row


def _edits(rows: Iterable[tuple[int, tuple[int, str]]]) -> list[Edit]:
    """Return the edits up to the first missing number, each with the moves it removed."""
    numbered = dict(rows)
    letters: list[str] = []
    edits = []
    for at, added in (numbered[number] for number in takewhile(numbered.__contains__, count())):
        edits.append(Edit(at, "".join(letters[at:]), added))
        letters[at:] = added
    return edits


def _free_digit(names: Container[str]) -> str:
    return next((digit for digit in _DIGITS if digit not in names), "")


def _bookmark(name: str, text: str) -> tuple[str, str]:
    return name, _expanded(text)


def _numbered(number: int, at: int, text: str) -> tuple[int, tuple[int, str]]:
    return number, (at, _expanded(text))


def _expanded(text: str) -> str:
    """Expand repeat counts; unreadable moves are returned unchanged, and fit no level."""
    try:
        return expand(text, _LONGEST)
    except RunLengthError:
        return text
