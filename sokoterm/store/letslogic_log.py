"""Log of what was fetched from letslogic.com and sent there: rows of the progress database (``generated.Store``)."""

from typing import NamedTuple

from sokoterm.store.generated import Store

TABLES = (
    """CREATE TABLE letslogic_collection (
        server TEXT NOT NULL,
        id INTEGER NOT NULL,
        title TEXT NOT NULL,
        PRIMARY KEY (server, id)
    ) WITHOUT ROWID""",
    """CREATE TABLE letslogic_sent (
        person TEXT NOT NULL,
        level INTEGER NOT NULL,
        moves INTEGER NOT NULL,
        pushes INTEGER NOT NULL,
        is_accepted INTEGER NOT NULL,
        date REAL NOT NULL,
        PRIMARY KEY (person, level, moves, pushes)
    ) WITHOUT ROWID""",
)

_SAVE_COLLECTION = "INSERT OR REPLACE INTO letslogic_collection VALUES (?, ?, ?)"
_COLLECTIONS = "SELECT id, title FROM letslogic_collection WHERE server = ? ORDER BY id"
_SAVE_SENT = "INSERT OR REPLACE INTO letslogic_sent VALUES (?, ?, ?, ?, ?, ?)"
_SENT = "SELECT level, moves, pushes, is_accepted FROM letslogic_sent WHERE person = ?"


class Sent(NamedTuple):
    """A solution that the server has accepted or refused, by the id of its level and its figures."""

    level: int
    moves: int
    pushes: int
    is_accepted: int


def keep_collection(store: Store, server: str, collection: int, title: str) -> None:
    """Queue a collection as fetched for the next save."""
    store.keep(_SAVE_COLLECTION, (server, collection), (server, collection, title))


def kept_collections(store: Store, server: str) -> dict[int, str]:
    """Return the titles of the collections fetched from a server, by their ids; raises PackError."""
    return dict(store.rows(_COLLECTIONS, (server,), _titled))


def keep_sent(store: Store, person: str, sent: Sent, date: float) -> None:
    """Queue a solution as sent for the next save; ``date`` is in seconds since 1970."""
    store.keep(_SAVE_SENT, (person, *sent[:3]), (person, *sent, date))


def sent_by(store: Store, person: str) -> list[Sent]:
    """Return what a person has sent; raises PackError."""
    return store.rows(_SENT, (person,), Sent)


def _titled(collection: int, title: str) -> tuple[int, str]:
    return collection, title
