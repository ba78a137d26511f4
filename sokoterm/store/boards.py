"""Boards of levels that were solved or are open, kept in the database so that progress can be exported.

A board is kept under the level hash for solutions and under the Exact-Id for the open play, as the level looked when it
was first met.
"""

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.store.database import Database

TABLES = ("CREATE TABLE board (id TEXT PRIMARY KEY, xsb TEXT NOT NULL, title TEXT NOT NULL) WITHOUT ROWID",)


class StoredBoard(NamedTuple):
    """A row of the table: a level hash or Exact-Id, and the picture and title of a level that has it."""

    id: str
    xsb: str
    title: str

    @classmethod
    def of(cls, key: str, level: Level) -> "StoredBoard":
        """Return the row of a level; its title is put on one line."""
        return cls(key, "\n".join(level.rows), " ".join(level.title.split()))

    def level(self) -> Level:
        """Return the level of the row; raises LevelError if the row is damaged."""
        return Level.from_xsb(self.xsb)._replace(title=self.title)


def all_boards(database: Database) -> dict[str, StoredBoard]:
    """Return every board by its id."""
    return {board.id: board for board in database.read("SELECT id, xsb, title FROM board", (), StoredBoard)}


def has_board(database: Database, key: str) -> bool:
    """True if a board has this id."""
    return bool(database.read("SELECT 1 FROM board WHERE id = ?", (key,), int))


def save_boards(connection: sqlite3.Connection, boards: Iterable[StoredBoard]) -> None:
    """Write the boards that are not there yet."""
    connection.executemany("INSERT OR IGNORE INTO board VALUES (?, ?, ?)", boards)
