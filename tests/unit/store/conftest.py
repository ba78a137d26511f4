"""Fixture that closes stores which a test drops as a kill would."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress

import pytest


@pytest.fixture(autouse=True)
def _close_connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    opened: list[sqlite3.Connection] = []

    class Connection(sqlite3.Connection):
        def __init__(self, *arguments: object, **named: object) -> None:
            super().__init__(*arguments, **named)  # type: ignore[arg-type]  # whatever connect takes
            opened.append(self)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *some, **named: connect(*some, **named, factory=Connection))
    yield
    for connection in opened:
        with suppress(sqlite3.ProgrammingError):  # opened and closed by another thread
            connection.close()
