"""Faults of the store's file and disk: nothing confirmed is lost."""

import inspect
import os
import re
import resource
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sokoterm.engine.game import Edit
from sokoterm.engine.level import Level
from sokoterm.store import database, plays, progress, solutions
from sokoterm.store.database import Database
from sokoterm.store.journal import Journal, JournalError
from sokoterm.store.packs import PackError
from sokoterm.store.progress import ProgressStore
from sokoterm.store.progress_tables import MIGRATIONS
from tests.present import present
from tests.unit.store.stores import ROOM, ROOM_SOLUTION, TWO_WAYS, Player, corrupt_files, open_store, ticking, turned


@pytest.fixture
def blocker(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Connect to the same database as another program."""
    open_store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "progress.db", isolation_level=None)) as connection:
        yield connection


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_locked_database_is_written_later(tmp_path: Path, blocker: sqlite3.Connection, mode: str) -> None:
    assert blocker.execute(f"PRAGMA journal_mode = {mode}").fetchone() == (mode,)
    store = open_store(tmp_path)
    player = Player(store, ROOM)
    player.moves("r")
    blocker.execute("BEGIN EXCLUSIVE")
    locked = "progress not saved yet: the database is locked by another program"
    assert player.moves("r") == locked
    player.game.set_bookmark("a")
    assert player.moves("D") == locked
    other = Player(store, TWO_WAYS)
    assert other.moves("r") == locked
    assert store.record(TWO_WAYS, "rUrULulD").problem == locked
    assert store.save_place("pack", 2) == locked
    waiting = present(store.load_play(ROOM))
    assert (waiting.cursor, waiting.bookmarks) == (3, {"a": "rr"})
    assert store.load_place("pack") == 2
    best = present(store.best(TWO_WAYS).by_moves)
    assert best.moves == 8
    blocker.execute("ROLLBACK")
    assert other.moves("U") is None
    store.notices.clear()
    store = open_store(tmp_path)
    assert Player(store, ROOM).game.lurd == "rrD"
    assert Player(store, ROOM).game.bookmarks == {"a": "rr"}
    assert Player(store, TWO_WAYS).game.lurd == "rU"
    assert store.best(TWO_WAYS).by_moves == best
    assert store.load_place("pack") == 2


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_database_that_is_locked_when_it_is_opened(
    tmp_path: Path, blocker: sqlite3.Connection, mode: str, player: Player
) -> None:
    player.moves("rr")
    player.store.close()
    assert blocker.execute(f"PRAGMA journal_mode = {mode}").fetchone() == (mode,)
    blocker.execute("BEGIN EXCLUSIVE")
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking(2_000_000.0))
    player = Player(store, ROOM)
    assert player.moves("r") == "progress not saved yet: the database is locked by another program"
    locked = "progress cannot be read: the database is locked by another program"
    assert set(store.notices) <= {locked}
    if mode == "delete":
        with pytest.raises(PackError, match=locked):
            store.drawing("pack", 1)
        assert store.notices == []  # it is told once, by who asked
    assert store.is_on_disk
    blocker.execute("ROLLBACK")
    assert player.moves("d") is None
    third = Player(open_store(tmp_path), ROOM)
    # A lock in WAL mode still lets others read.
    expected = ("rrrd", {}) if mode == "wal" else ("rd", {"1": "rr"})
    assert (third.game.lurd, third.game.bookmarks) == expected


def test_each_play_that_waits_has_an_identity_of_its_own(blocker: sqlite3.Connection, store: ProgressStore) -> None:
    Player(store, TWO_WAYS).moves("r")
    blocker.execute("BEGIN IMMEDIATE")
    stamps = set()
    for letter in "lr":
        store.save_play(TWO_WAYS, [Edit(0, "", letter)], 1, {})
        stamps.add(store.open_plays([TWO_WAYS])[0])
    assert len(stamps) == 2
    assert {each[0] for each in stamps if each} == {-1}
    blocker.execute("ROLLBACK")


def test_history_that_is_cut_while_the_database_is_locked(
    tmp_path: Path, blocker: sqlite3.Connection, player: Player
) -> None:
    player.moves("rrr")
    blocker.execute("BEGIN EXCLUSIVE")
    player.moves("r")
    for _ in range(3):
        player.game.undo()
    player.moves("d")
    player.game.undo()
    player.save()
    blocker.execute("ROLLBACK")
    assert player.moves("l") is None
    again = Player(open_store(tmp_path), ROOM)
    assert (again.game.edits, again.game.lurd) == (player.game.edits, "rl")


def test_quitting_while_the_database_is_locked_alarms_no_one(
    blocker: sqlite3.Connection, connections: list[sqlite3.Connection], player: Player
) -> None:
    player.moves("rr")
    # As on a file system without shared memory, where readers wait too.
    assert connections[-1].execute("PRAGMA journal_mode = delete").fetchone() == ("delete",)
    blocker.execute("BEGIN EXCLUSIVE")
    assert player.store.close() is None


def test_play_that_goes_on_after_it_was_solved_while_the_database_is_locked(
    tmp_path: Path, blocker: sqlite3.Connection, player: Player
) -> None:
    player.moves(ROOM_SOLUTION)
    blocker.execute("BEGIN EXCLUSIVE")
    assert player.store.record(ROOM, ROOM_SOLUTION).problem is not None
    player.game.undo()
    assert player.save() is not None
    blocker.execute("ROLLBACK")
    assert player.save() is None
    assert player.moves("l") is None
    assert blocker.execute("SELECT count(*) FROM play").fetchone() == (1,)
    store = open_store(tmp_path)
    assert Player(store, ROOM).game.lurd == player.game.lurd
    assert store.best(ROOM).by_moves is not None


def test_bookmarks_of_a_level_that_is_solved_and_opened_again_while_the_database_is_locked(
    tmp_path: Path, blocker: sqlite3.Connection, player: Player
) -> None:
    blocker.execute("BEGIN EXCLUSIVE")
    player.game.set_bookmark("a")
    player.moves(ROOM_SOLUTION)
    assert player.store.record(ROOM, ROOM_SOLUTION).problem is not None
    again = Player(player.store, ROOM)
    assert again.game.lurd == ""
    blocker.execute("ROLLBACK")
    assert player.store.close() is None
    store = open_store(tmp_path)
    assert Player(store, ROOM).game.bookmarks == {"a": ""}
    assert store.best(ROOM).by_moves is not None


def test_a_solved_play_that_waits_to_be_dropped_takes_none_of_a_new_file_along(
    tmp_path: Path, blocker: sqlite3.Connection
) -> None:
    """A new file numbers its plays anew."""
    one_push = Level.from_xsb("#####\n#@$.#\n#####")
    first = Player(open_store(tmp_path), one_push)
    first.moves("R")
    blocker.execute("BEGIN IMMEDIATE")
    assert first.store.record(one_push, "R").problem is not None
    Player(first.store, one_push)
    Player(first.store, ROOM).moves("rrD")
    for file in tmp_path.iterdir():
        file.unlink()
    assert first.store.close() is None
    store = open_store(tmp_path)
    assert Player(store, ROOM).game.lurd == "rrD"
    assert store.best(one_push).by_moves is not None


def test_boards_that_cannot_be_added_to_old_progress_are_no_loss(
    blocker: sqlite3.Connection, store: ProgressStore
) -> None:
    store.record(ROOM, ROOM_SOLUTION)
    blocker.execute("DELETE FROM board")
    blocker.execute("BEGIN IMMEDIATE")
    assert store.best(ROOM).by_moves is not None
    assert store.close() is None


def test_save_does_not_wait_longer_than_a_blink(tmp_path: Path, blocker: sqlite3.Connection, player: Player) -> None:
    """The lock is released long after a save must have given up; a save that waited would be written."""
    blocker.execute("BEGIN EXCLUSIVE")
    results: list[str | None] = []
    saving = threading.Event()

    def save() -> None:
        saving.set()
        store = open_store(tmp_path)
        results.append(Player(store, ROOM).moves("r"))

    thread = threading.Thread(target=save)
    thread.start()
    saving.wait()
    thread.join(timeout=30)
    assert results == ["progress not saved yet: the database is locked by another program"]
    blocker.execute("ROLLBACK")
    assert player.moves("r") is None


def test_full_disk_loses_nothing(tmp_path: Path, connections: list[sqlite3.Connection], player: Player) -> None:
    connection = connections[-1]
    connection.execute(f"PRAGMA max_page_count = {connection.execute('PRAGMA page_count').fetchone()[0]}")
    problems = [player.moves("rl" * 50) for _ in range(10)]
    assert problems[-1] == "progress not saved yet: the disk is full"
    saved = Player(open_store(tmp_path), ROOM).game
    assert saved.edits == player.game.edits[: len(saved.edits)]
    connection.execute("PRAGMA max_page_count = 1000000")
    assert player.moves("r") is None
    assert Player(open_store(tmp_path), ROOM).game.edits == player.game.edits


def test_progress_grows_to_its_quota_and_no_further(tmp_path: Path) -> None:
    """Refused writes stay in the session, and smaller ones are saved."""
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking(), quota=1)
    rounds = "rdlu" * 100_000
    problems = [store.save_play(turned(ROOM, turn), [Edit(0, "", rounds)], 1, {}) for turn in range(3)]
    assert problems[0] is None
    assert problems[-1] == "progress not saved yet: the quota of 1 MB is used up, or the disk is full"
    refused = turned(ROOM, 2)
    assert present(store.load_play(refused)).lurd == rounds
    assert store.save_play(refused, [Edit(0, "", "r")], 1, {}) is None
    assert (tmp_path / "progress.db").stat().st_size <= 1 << 20
    store.close()
    assert ProgressStore.open(str(tmp_path / "progress.db"), ticking(), quota=1).notices == []


@contextmanager
def files_of(most: int) -> Iterator[None]:
    """No file grows beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_file_that_may_not_grow_loses_nothing(tmp_path: Path, player: Player) -> None:
    player.moves("r")
    size = max(path.stat().st_size for path in tmp_path.iterdir())
    with files_of(size):
        assert present(player.moves("lr" * 20)).startswith("progress not saved yet: ")
    assert player.moves("r") is None
    assert Player(open_store(tmp_path), ROOM).game.edits == player.game.edits


def test_newer_schema_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "progress.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE future (x)")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = path.read_bytes()
    store = ProgressStore.open(str(path), ticking())
    assert store.notices == [f"{path}: it was written by a newer sokoterm: progress is not saved"]
    assert not store.is_on_disk
    player = Player(store, ROOM)
    assert player.moves("rr") is None
    assert Player(store, ROOM).game.lurd == "rr"
    assert store.close() is None
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["progress.db"]


def test_tables_are_brought_to_a_later_version(tmp_path: Path) -> None:
    Player(open_store(tmp_path), ROOM).moves("rr")
    later = (*MIGRATIONS, ("ALTER TABLE puzzle ADD COLUMN note TEXT", "UPDATE place SET level = level"))
    for _ in range(2):
        database = Database(str(tmp_path / "progress.db"), later, ticking())
        assert Player(ProgressStore(database, ticking()), ROOM).game.lurd == "rr"
        assert database.notices == []
    with closing(sqlite3.connect(tmp_path / "progress.db")) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(later),)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("SELECT note FROM puzzle").fetchall() == []


def test_database_that_may_not_be_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: ProgressStore
) -> None:
    Player(store, ROOM).moves("rr")
    store.record(TWO_WAYS, "rUrULulD")
    store.close()
    path = tmp_path / "progress.db"
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: False)  # as for users other than root
    store = ProgressStore.open(str(path), ticking())
    assert store.notices == [f"{path}: it is not writable: progress is not saved"]
    player = Player(store, ROOM)
    assert player.game.lurd == "rr"
    assert player.moves("D") is None
    assert store.best(TWO_WAYS).by_moves is not None
    assert store.close() is None
    assert path.read_bytes() == before


def test_database_that_is_locked_and_may_not_be_written_is_read(
    tmp_path: Path, blocker: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, store: ProgressStore
) -> None:
    Player(store, ROOM).moves("rr")
    store.close()
    assert blocker.execute("PRAGMA journal_mode = delete").fetchone() == ("delete",)
    blocker.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert Player(ProgressStore.open(str(tmp_path / "progress.db"), ticking()), ROOM).game.lurd == "rr"


def test_database_is_read_where_no_file_can_be_made(tmp_path: Path, store: ProgressStore) -> None:
    Player(store, ROOM).moves("rr")
    store.close()
    assert os.listdir(tmp_path) == ["progress.db"]
    with files_of(0):
        store = ProgressStore.open(str(tmp_path / "progress.db"), ticking())
        player = Player(store, ROOM)
        problem = player.moves("D")
    (notice,) = store.notices
    assert notice.endswith(": progress is not saved")
    assert (player.game.lurd, problem) == ("rrD", None)


def test_two_sessions_begin_at_once(tmp_path: Path) -> None:
    together = threading.Barrier(4)

    def play(level_moves: str) -> None:
        together.wait()
        store = ProgressStore.open(str(tmp_path / "progress.db"), ticking())
        player = Player(store, ROOM)
        together.wait()
        player.moves(level_moves)
        while player.save() is not None:
            pass
        store.close()

    threads = [threading.Thread(target=play, args=(moves,)) for moves in ("rlrl", "dudu", "rldu", "durl")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking(2_000_000.0))
    last = Player(store, ROOM)
    assert {last.game.lurd, *last.game.bookmarks.values()} == {"rlrl", "dudu", "rldu", "durl"}
    assert corrupt_files(tmp_path) == []


def test_another_session_makes_the_tables_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, connect = str(tmp_path / "progress.db"), sqlite3.connect

    def play_first(statement: str) -> None:
        if "sqlite_master" in statement:
            monkeypatch.setattr(sqlite3, "connect", connect)
            Player(ProgressStore.open(path, ticking()), ROOM).moves("rrD")

    def connect_traced(*some: Any, **named: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*some, **named)
        connection.set_trace_callback(lambda sql: play_first(sql) if sqlite3.connect is connect_traced else None)
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_traced)
    store = ProgressStore.open(path, ticking())
    assert store.notices == []
    assert Player(store, ROOM).game.lurd == "rrD"


@pytest.mark.parametrize("module", [database, plays, progress, solutions])
def test_statements_are_those_of_old_builds_of_sqlite(module: ModuleType) -> None:
    """Anything newer than 3.24, the version of the upsert, is a syntax error there."""
    newer = r"ON CONFLICT(?! \()|RETURNING|\) STRICT|MATERIALIZED|DROP COLUMN|GENERATED|NULLS |IIF\(|FILTER \(|->>"
    assert re.findall(newer, inspect.getsource(module)) == []


def test_a_database_of_another_program_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "progress.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE mail (text TEXT)")
    before = path.read_bytes()
    store = ProgressStore.open(str(path), ticking())
    assert store.notices == [f"{path}: it was made by another program: progress is not saved"]
    assert Player(store, ROOM).moves("r") is None
    store.close()
    with pytest.raises(JournalError, match="cannot be written: it was made by another program"):
        Journal(str(path), "job", ticking())
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["progress.db"]


def test_a_journal_that_is_moved_away_is_not_begun_anew_beside_the_file_of_results(tmp_path: Path) -> None:
    path = tmp_path / "results.journal"
    journal = Journal(str(path), "job", ticking())
    journal.announce(b"results")
    path.rename(tmp_path / "away")
    with pytest.raises(JournalError, match="was replaced while it was in use"):
        journal.announce(b"more")
    journal.close()


def test_the_journal_of_an_account_counts_for_little_beside_its_quota(tmp_path: Path) -> None:
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking(), quota=1)
    player = Player(store, ROOM)
    for _ in range(300):
        player.moves("rl")
    assert (tmp_path / "progress.db-wal").stat().st_size < 1 << 19
