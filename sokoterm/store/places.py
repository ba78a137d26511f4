"""The player's place in each pack, the pack played last, and the packs without planning, by the keys of packs."""

import sqlite3
from collections.abc import Mapping

from sokoterm.store.database import Database

PLACES = "CREATE TABLE place (pack TEXT PRIMARY KEY, level INTEGER NOT NULL) WITHOUT ROWID"
PLAIN_PACKS = "CREATE TABLE plain_pack (pack TEXT PRIMARY KEY, is_plain INTEGER NOT NULL) WITHOUT ROWID"
# One row at most.
LAST_PACK = "CREATE TABLE last_pack (row INTEGER PRIMARY KEY CHECK (row = 1), pack TEXT NOT NULL)"


class Places:
    """The state of packs, by key; changes wait for ``write``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # The pack being played comes last.
        self._levels: dict[str, int] = {}
        self._planning_off: dict[str, bool] = {}
        # Old and new keys, to be written before the others.
        self._renamed: list[tuple[str, str]] = []

    @property
    def is_waiting(self) -> bool:
        return bool(self._levels or self._planning_off or self._renamed)

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

    def is_planning_off(self, pack: str) -> bool:
        """True if the player has turned walk-to and push-to off in a pack."""
        if pack in self._planning_off:
            return self._planning_off[pack]
        return any(self._database.read("SELECT is_plain FROM plain_pack WHERE pack = ?", (pack,), bool))

    def set_planning_off(self, pack: str, is_planning_off: bool) -> None:
        self._planning_off[pack] = is_planning_off

    def rename(self, old: str, new: str) -> None:
        """Give a pack another key."""
        self._levels = {new if pack == old else pack: level for pack, level in self._levels.items() if pack != new}
        if old in self._planning_off:
            self._planning_off[new] = self._planning_off.pop(old)
        self._renamed.append((old, new))

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the changes."""
        for table in ("place", "plain_pack", "last_pack", "drawing"):
            renamed = ((new, old) for old, new in self._renamed)
            connection.executemany(f"UPDATE OR REPLACE {table} SET pack = ? WHERE pack = ?", renamed)
        connection.executemany("INSERT OR REPLACE INTO place VALUES (?, ?)", self._levels.items())
        connection.executemany("INSERT OR REPLACE INTO last_pack VALUES (1, ?)", ((pack,) for pack in self._levels))
        connection.executemany("INSERT OR REPLACE INTO plain_pack VALUES (?, ?)", self._planning_off.items())

    def written(self) -> None:
        """Mark the changes as written."""
        self._levels.clear()
        self._planning_off.clear()
        self._renamed.clear()


def copy_places(connection: sqlite3.Connection, keys: Mapping[str, str]) -> None:
    """Write the state of packs under other keys as well, by old key; the pack played last has its new key alone."""
    pairs = [(new, old) for old, new in keys.items()]
    for table, columns in (("place", "level"), ("plain_pack", "is_plain"), ("drawing", "level, text")):
        connection.executemany(f"DELETE FROM {table} WHERE pack = ?", [(new,) for new, _ in pairs])
        connection.executemany(f"INSERT INTO {table} SELECT ?, {columns} FROM {table} WHERE pack = ?", pairs)
    connection.executemany("UPDATE last_pack SET pack = ? WHERE pack = ?", pairs)
