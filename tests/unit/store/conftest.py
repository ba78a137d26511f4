"""Fixtures: a store and a player in the folder of the test, and the connections to sqlite that it opens."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sokoterm.store.progress import ProgressStore
from tests.unit.store.stores import ROOM, Player, open_store


@pytest.fixture(autouse=True)
def connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[sqlite3.Connection]]:
    """All connections, in the order of their opening; those that a test drops as a kill would are closed after it."""
    opened: list[sqlite3.Connection] = []

    class Connection(sqlite3.Connection):
        def __init__(self, *arguments: object, **named: object) -> None:
            super().__init__(*arguments, **named)  # type: ignore[arg-type]  # whatever connect takes
            opened.append(self)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *some, **named: connect(*some, **named, factory=Connection))
    yield opened
    for connection in opened:
        with suppress(sqlite3.ProgrammingError):  # opened and closed by another thread
            connection.close()


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements run by connections opened from now on, with their values."""
    run: list[str] = []
    connect = sqlite3.connect

    def traced(*some: object, **named: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*some, **named)  # type: ignore[call-overload]  # whatever it takes
        connection.set_trace_callback(run.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", traced)
    return run


@pytest.fixture
def store(tmp_path: Path) -> ProgressStore:
    return open_store(tmp_path)


@pytest.fixture
def player(store: ProgressStore) -> Player:
    """A player of the room, whose play is in ``store``."""
    return Player(store, ROOM)
