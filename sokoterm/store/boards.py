"""The boards of levels that were solved or are open, in the database: without them progress could not be shown to
another program.

A board is kept under the level hash for solutions and under the Exact-Id for the open play, as it was when its level
was met first.
"""

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.store.database import Database

TABLES = ("CREATE TABLE board (id TEXT PRIMARY KEY, xsb TEXT NOT NULL, title TEXT NOT NULL) WITHOUT ROWID",)


class StoredBoard(NamedTuple):
    """A row of the table: a level hash or an Exact-Id, and the picture and the title of a level that has it."""

    id: str
    xsb: str
    title: str

    @classmethod
    def of(cls, key: str, level: Level) -> "StoredBoard":
        """The row of a level; its title takes one line."""
        return cls(key, "\n".join(level.rows), " ".join(level.title.split()))

    def level(self) -> Level:
        """The level of the row; raises LevelError where the row is damaged."""
        return Level.from_xsb(self.xsb)._replace(title=self.title)


def all_boards(database: Database) -> dict[str, StoredBoard]:
    """Every board by its id."""
    return {board.id: board for board in database.read("SELECT id, xsb, title FROM board", (), StoredBoard)}


def has_board(database: Database, key: str) -> bool:
    """Whether there is a board of this id."""
    return bool(database.read("SELECT 1 FROM board WHERE id = ?", (key,), int))


def save_boards(connection: sqlite3.Connection, boards: Iterable[StoredBoard]) -> None:
    """Write those that are not there."""
    connection.executemany("INSERT OR IGNORE INTO board VALUES (?, ?, ?)", boards)
