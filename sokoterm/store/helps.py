"""Help in open plays: the moves up to each hint, and up to where a solution was shown.

They are kept under the Exact-Id of the level as long as its play is open.  Those of one play have a bound: above it,
what they all begin with stands for them.
"""

import sqlite3

from sokoterm.engine.game import common_prefix
from sokoterm.store.database import Database
from sokoterm.store.held import keep_last

TABLES = ("CREATE TABLE help (exact_id TEXT NOT NULL, lurd TEXT NOT NULL, PRIMARY KEY (exact_id, lurd)) WITHOUT ROWID",)

# Letters of one play: several hints far into one of full length.
_MOST_LETTERS = 4_000_000


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
        if sum(map(len, known)) <= _MOST_LETTERS:
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
