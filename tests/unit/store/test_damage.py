"""Damaged, moved and foreign files of the store: nothing confirmed is lost."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sokoterm.engine.game import Edit
from sokoterm.engine.levelhash import exact_id
from sokoterm.store import plays
from sokoterm.store.plays import OpenPlay
from sokoterm.store.progress import ProgressStore
from sokoterm.store.series import MadeLevel
from tests.present import present
from tests.unit.store.stores import (
    FEWEST_MOVES,
    FEWEST_PUSHES,
    ROOM,
    ROOM_SOLUTION,
    TWO_WAYS,
    Player,
    corrupt_files,
    open_store,
    spoil,
    ticking,
)


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 8000])
def test_corrupt_file_is_set_aside_at_the_start(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "progress.db"
    path.write_bytes(content)
    (tmp_path / "progress.db-wal").write_bytes(b"journal")
    store = ProgressStore.open(str(path), ticking())
    (notice,) = store.notices
    assert notice.startswith(f"{path} was damaged: set aside as progress.db.corrupt-")
    assert notice.endswith(", starting a new one")
    aside, *journals = corrupt_files(tmp_path)
    assert (tmp_path / aside).read_bytes() == content
    assert f"{aside}-wal" in journals
    assert Player(store, ROOM).moves("rr") is None
    assert Player(open_store(tmp_path), ROOM).game.lurd == "rr"


@pytest.mark.parametrize("inside", ["progress.db", "deeper/progress.db"])
def test_a_file_in_place_of_the_folder_is_said_to_be_none(tmp_path: Path, inside: str) -> None:
    file = tmp_path / "file"
    file.touch()
    store = ProgressStore.open(str(file / inside), ticking())
    (notice,) = store.notices
    assert f": {file} is not a folder: " in notice


def test_a_form_of_file_that_sqlite_does_not_know_is_told(tmp_path: Path) -> None:
    Player(open_store(tmp_path), ROOM).store.close()
    path = tmp_path / "progress.db"
    content = bytearray(path.read_bytes())
    content[47] ^= 2  # the form of its schema: there are 1 to 4
    path.write_bytes(content)
    store = ProgressStore.open(str(path), ticking())
    assert store.notices == [f"{path}: unsupported file format: progress is not saved"]
    assert Player(store, ROOM).moves("rr") is None
    assert path.read_bytes() == content


def test_files_set_aside_never_take_the_place_of_one_another(tmp_path: Path) -> None:
    path = tmp_path / "progress.db"
    for number in range(3):
        path.write_bytes(b"garbage %d" % number)
        store = ProgressStore.open(str(path), lambda: 0.0)
        assert len(store.notices) == 1
        store.close()
        path.unlink()
    kept = {(tmp_path / name).read_bytes() for name in corrupt_files(tmp_path)}
    assert kept == {b"garbage 0", b"garbage 1", b"garbage 2"}


def damage(path: Path) -> None:
    """Overwrite the file in place, as a failing disk would, after a checkpoint."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.write(b"\xff" * path.stat().st_size)


def test_file_that_is_damaged_during_the_session(tmp_path: Path) -> None:
    path = tmp_path / "progress.db"
    store = open_store(tmp_path)
    other = Player(store, TWO_WAYS)
    other.moves("rU")
    player = Player(store, ROOM)
    player.moves("rr")
    player.game.set_bookmark("a")
    store.save_place("pack", 5)
    player.moves("Dl")
    player.game.undo()
    damage(path)
    assert player.moves("r") is None
    (notice,) = store.notices
    assert f"{path} was damaged: set aside as progress.db.corrupt-" in notice
    assert len([name for name in corrupt_files(tmp_path) if not name.endswith(("-wal", "-shm"))]) == 1
    assert player.moves("l") is None
    store = open_store(tmp_path)
    again = Player(store, ROOM)
    assert (again.game.edits, again.game.lurd) == (player.game.edits, player.game.lurd)
    assert again.game.bookmarks == {"a": "rr"}
    assert Player(store, TWO_WAYS).game.lurd == "rU"


@pytest.mark.parametrize("is_locked", [False, True])
def test_bookmarks_without_a_play_outlive_damage(tmp_path: Path, is_locked: bool, store: ProgressStore) -> None:
    assert store.save_play(TWO_WAYS, [], 0, {"a": "r"}) is None
    player = Player(store, ROOM)
    player.game.set_bookmark("b")
    player.moves(ROOM_SOLUTION)
    with closing(sqlite3.connect(tmp_path / "progress.db", isolation_level=None)) as blocker:
        if is_locked:
            blocker.execute("BEGIN EXCLUSIVE")
        assert (store.record(ROOM, ROOM_SOLUTION).problem is not None) == is_locked
    damage(tmp_path / "progress.db")
    assert store.save_place("pack", 5) is None
    assert len(store.notices) == 1
    store = open_store(tmp_path)
    assert store.load_play(TWO_WAYS) == OpenPlay((), 0, {"a": "r"})
    assert store.load_play(ROOM) == OpenPlay((), 0, {"b": ""})
    assert store.best(ROOM).by_moves is not None


def test_positions_adopted_from_a_damaged_file_delete_no_play_of_the_new_one(tmp_path: Path) -> None:
    one, two = Player(open_store(tmp_path), ROOM), Player(open_store(tmp_path), ROOM)
    one.moves("r")
    two.moves("d")
    player = Player(open_store(tmp_path, 2_000_000.0), ROOM)
    assert present(player.play).others == ("1",)
    other = Player(player.store, TWO_WAYS)
    damage(tmp_path / "progress.db")
    # It gets the id that an adopted play had in the damaged file.
    other.moves("r")
    player.moves("u" if player.game.lurd == "d" else "l")
    assert Player(open_store(tmp_path), TWO_WAYS).game.lurd == "r"


@pytest.mark.parametrize("read", ["best", "load_play", "summaries", "load_place", "close"])
def test_damage_found_by_reading_or_at_the_end_loses_nothing(tmp_path: Path, read: str, store: ProgressStore) -> None:
    player = Player(store, TWO_WAYS)
    player.moves("rU")
    store.record(ROOM, ROOM_SOLUTION)
    damage(tmp_path / "progress.db")
    match read:
        case "best":
            assert store.best(TWO_WAYS).by_moves is None
        case "load_play":
            assert store.load_play(ROOM) is None
        case "summaries":
            assert store.summaries(["0" * 32]) == {}
        case "load_place":
            assert store.load_place("pack") is None
    assert len(store.notices) == (read != "close")
    assert read == "close" or player.moves("r") is None
    assert store.close() is None
    store = open_store(tmp_path)
    assert Player(store, TWO_WAYS).game.lurd == "rU" + "r" * (read != "close")


def test_the_file_that_another_session_began_in_place_of_a_damaged_one_stays(tmp_path: Path) -> None:
    one, two = Player(open_store(tmp_path), TWO_WAYS), open_store(tmp_path)
    damage(tmp_path / "progress.db")
    assert one.moves("rU") is None
    assert len(one.store.notices) == 1
    assert two.load_place("pack") is None
    assert two.notices == []
    assert two.close() is None
    assert Player(open_store(tmp_path), TWO_WAYS).game.lurd == "rU"


def test_statement_that_fails_does_not_set_a_good_file_aside(
    tmp_path: Path, connections: list[sqlite3.Connection], store: ProgressStore
) -> None:
    connection = connections[-1]
    connection.execute("CREATE TEMP TRIGGER fails BEFORE INSERT ON puzzle BEGIN SELECT absent; END")
    problem = store.record(ROOM, ROOM_SOLUTION).problem
    connection.execute("DROP TRIGGER temp.fails")
    assert problem == "progress not saved yet: no such column: absent"
    assert corrupt_files(tmp_path) == store.notices == []
    assert store.save_place("pack", 1) is None
    assert open_store(tmp_path).best(ROOM).by_moves is not None


def test_second_session_finds_the_new_file_after_damage(tmp_path: Path) -> None:
    one, two = open_store(tmp_path), open_store(tmp_path)
    first, second = Player(one, ROOM), Player(two, TWO_WAYS)
    first.moves("rr")
    second.moves("rU")
    damage(tmp_path / "progress.db")
    assert first.moves("D") is None
    assert second.moves("r") is None
    assert len([name for name in corrupt_files(tmp_path) if not name.endswith(("-wal", "-shm"))]) == 1
    store = open_store(tmp_path)
    assert (Player(store, ROOM).game.lurd, Player(store, TWO_WAYS).game.lurd) == ("rrD", "rUr")


@pytest.mark.parametrize("is_folder", [True, False])
def test_file_that_is_moved_away_during_the_session(tmp_path: Path, is_folder: bool) -> None:
    folder = tmp_path / "data"
    store = open_store(folder)
    player = Player(store, ROOM)
    player.moves("rr")
    if is_folder:
        folder.rename(tmp_path / "elsewhere")
    else:
        for file in folder.iterdir():
            file.unlink()
    assert player.moves("D") is None
    assert store.notices == [f"{folder / 'progress.db'} was moved or deleted: starting a new one"]
    assert Player(open_store(folder), ROOM).game.lurd == "rrD"


ILL_FORMED = "CAST(x'80ff' AS TEXT)"
MADE = MadeLevel(1, "\n".join(ROOM.rows), ROOM_SOLUTION)


@pytest.mark.parametrize("value", ["x'00'", ILL_FORMED, "7"])
def test_damaged_rows_are_left_out_and_the_rest_is_kept(
    tmp_path: Path, value: str, store: ProgressStore, player: Player
) -> None:
    for name in "ab":
        player.game.set_bookmark(name)
        player.moves("r")
    store.record(TWO_WAYS, FEWEST_MOVES)
    store.record(TWO_WAYS, FEWEST_PUSHES)
    store.close()
    # What is no UTF-8 is repaired, and a number in a text column becomes text: well-formed, but not a solution.
    spoil(tmp_path, f"UPDATE bookmark SET lurd = {value} WHERE name = 'a'")
    spoil(tmp_path, f"UPDATE solution SET lurd = {value} WHERE moves = 8")
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking())
    opened = present(store.load_play(ROOM))
    assert dict(opened.bookmarks, a="") == {"a": "", "b": "r"}
    assert ("a" in opened.bookmarks) == (value != "x'00'")
    best = present(store.best(TWO_WAYS).by_moves)
    assert best.lurd == FEWEST_PUSHES
    assert store.notices == ([f"{tmp_path}/progress.db: damaged rows are left out"] if value == "x'00'" else [])
    assert corrupt_files(tmp_path) == []


@pytest.mark.parametrize("column", ["at", "added", "number"])
def test_a_play_goes_on_from_before_its_first_damaged_edit(tmp_path: Path, column: str) -> None:
    Player(open_store(tmp_path), ROOM).moves("rrDl")
    spoil(tmp_path, f"UPDATE edit SET {column} = x'07' WHERE number = 2")
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking())
    player = Player(store, ROOM)
    assert player.game.lurd == "rr"
    assert player.moves("d") is None
    assert Player(open_store(tmp_path), ROOM).game.lurd == "rrD", "what is damaged is written over"


@pytest.mark.parametrize("is_import", [False, True])
def test_edits_whose_play_is_gone_get_in_no_way(tmp_path: Path, is_import: bool) -> None:
    Player(open_store(tmp_path), ROOM).moves("rrDl")
    spoil(tmp_path, "DELETE FROM play")
    spoil(tmp_path, "DELETE FROM sqlite_sequence")
    store = open_store(tmp_path)
    if is_import:
        store.write(lambda connection: plays.merge_play(connection, exact_id(ROOM), ("d", ""), {}, 0.0))
    else:
        assert Player(store, ROOM).moves("d") is None
    assert Player(open_store(tmp_path), ROOM).game.edits == [Edit(0, "", "d")]


def test_a_bookmark_takes_the_place_of_a_damaged_one(tmp_path: Path, store: ProgressStore) -> None:
    store.save_play(ROOM, [], 0, {"a": "r", "b": "d"})
    spoil(tmp_path, "UPDATE bookmark SET lurd = x'00' WHERE name = 'a'")
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking())
    store.load_play(ROOM)
    assert store.save_play(ROOM, [], 0, {"a": "rr", "b": "d"}) is None
    assert open_store(tmp_path).load_play(ROOM) == OpenPlay((), 0, {"a": "rr", "b": "d"})


def test_dates_that_no_calendar_has_are_left_out(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.record(TWO_WAYS, FEWEST_MOVES)
    Player(store, ROOM).moves("rrD")
    spoil(tmp_path, "UPDATE puzzle SET first_solved = 1e300, last_solved = 9e999")
    spoil(tmp_path, "UPDATE play SET saved = 1e300")
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking())
    best = store.best(TWO_WAYS)
    assert best.by_moves is not None
    assert (best.dates.first_solved, best.dates.last_solved) == (None, None)
    assert store.last_played() == {}
    assert Player(store, ROOM).game.lurd == "rrD"


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TRIGGER no BEFORE INSERT ON play BEGIN SELECT RAISE(ABORT, 'no'); END",
        "ALTER TABLE edit ADD COLUMN more",
        "CREATE UNIQUE INDEX one ON edit (play)",
    ],
)
def test_tables_that_another_program_has_changed_are_told_once_they_are_in_the_way(tmp_path: Path, change: str) -> None:
    open_store(tmp_path).close()
    spoil(tmp_path, change)
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking())
    problem = present(Player(store, ROOM).moves("rr"))
    assert problem.startswith("progress not saved yet: ")
    assert Player(store, ROOM).game.lurd == "rr"
    assert store.close() == problem.replace("not saved yet", "is lost")
    assert corrupt_files(tmp_path) == []


@pytest.mark.parametrize("change", ["DROP TABLE edit", "ALTER TABLE play RENAME COLUMN cursor TO cursos"])
def test_a_file_without_one_of_its_tables_or_columns_is_set_aside(tmp_path: Path, change: str) -> None:
    open_store(tmp_path).close()
    spoil(tmp_path, change)
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking())
    assert Player(store, ROOM).moves("rr") is None
    assert len(store.notices) == 1
    assert corrupt_files(tmp_path) != []
    assert Player(open_store(tmp_path), ROOM).game.lurd == "rr"


def test_what_another_program_adds_and_is_in_no_way_stays(tmp_path: Path, player: Player) -> None:
    player.moves("r")
    spoil(tmp_path, "CREATE VIEW mine AS SELECT count(*) FROM play")
    assert player.moves("r") is None
    assert Player(open_store(tmp_path), ROOM).game.lurd == "rr"
    assert corrupt_files(tmp_path) == []


def test_a_version_in_the_file_that_does_not_fit_its_tables(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    spoil(tmp_path, "PRAGMA user_version = 1")
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking())
    assert store.notices == [f"{tmp_path}/progress.db: table board already exists: progress is not saved"]


@pytest.mark.parametrize("tables", [["play"], ["play", "sqlite_schema"]])
def test_damage_in_a_copy_that_is_kept_until_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tables: list[str]
) -> None:
    Player(open_store(tmp_path), ROOM).moves("rr")
    path = tmp_path / "progress.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'play'").fetchone()
    with path.open("r+b") as file:
        for place in [4096 * (page - 1), *([100] if "sqlite_schema" in tables else [])]:
            file.seek(place)
            file.write(b"\xff" * 100)
    monkeypatch.setattr(os, "access", lambda *_: False)  # as for users other than root
    store = ProgressStore.open(str(path), ticking())
    player = Player(store, ROOM)
    assert player.moves("rr") is None
    assert Player(store, ROOM).game.lurd == "rr"
    assert [notice.rpartition(": ")[0] for notice in store.notices] == [
        f"{path}: it is not writable",
        f"{path}: it is damaged",
    ]
