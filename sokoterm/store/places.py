"""A person's packs: the level where each was left, the one played last, and those played without path finding."""

import sqlite3

from sokoterm.store.database import Database

PLACES = "CREATE TABLE place (pack TEXT PRIMARY KEY, level INTEGER NOT NULL) WITHOUT ROWID"
PLAIN_PACKS = "CREATE TABLE plain_pack (pack TEXT PRIMARY KEY, is_plain INTEGER NOT NULL) WITHOUT ROWID"
LAST_PACK = "CREATE TABLE last_pack (row INTEGER PRIMARY KEY CHECK (row = 1), pack TEXT NOT NULL)"
"""One row at most."""


class Places:
    """The state of packs, by key; changes wait for ``write``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # The pack being played comes last.
        self._levels: dict[str, int] = {}
        self._plain: dict[str, bool] = {}

    @property
    def is_waiting(self) -> bool:
        return bool(self._levels or self._plain)

    @property
    def last(self) -> str | None:
        """The pack that was played last."""
        if self._levels:
            return next(reversed(self._levels))
        return next(iter(self._database.read("SELECT pack FROM last_pack", (), str)), None)

    def level(self, pack: str) -> int | None:
        """Return the number of the level where the player left a pack."""
        if pack in self._levels:
            return self._levels[pack]
        return next(iter(self._database.read("SELECT level FROM place WHERE pack = ?", (pack,), int)), None)

    def move(self, pack: str, number: int) -> bool:
        """Record the player's level in a pack; True if that is a change."""
        if self.level(pack) == number and self.last == pack:
            return False
        self._levels.pop(pack, None)
        self._levels[pack] = number
        return True

    def is_plain(self, pack: str) -> bool:
        """True if the player makes every move of a pack without path finding."""
        if pack in self._plain:
            return self._plain[pack]
        return any(self._database.read("SELECT is_plain FROM plain_pack WHERE pack = ?", (pack,), bool))

    def set_plain(self, pack: str, is_plain: bool) -> None:
        self._plain[pack] = is_plain

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the changes."""
        connection.executemany("INSERT OR REPLACE INTO place VALUES (?, ?)", self._levels.items())
        connection.executemany("INSERT OR REPLACE INTO last_pack VALUES (1, ?)", ((pack,) for pack in self._levels))
        connection.executemany("INSERT OR REPLACE INTO plain_pack VALUES (?, ?)", self._plain.items())

    def written(self) -> None:
        """Mark the changes as written."""
        self._levels.clear()
        self._plain.clear()
