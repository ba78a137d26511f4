"""A damaged, moved or foreign file of the store, and that nothing confirmed is lost by it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sokoterm.library import solutions
from sokoterm.library.plays import OpenPlay
from sokoterm.library.progress import Progress
from tests.library.stores import ROOM, ROOM_SOLUTION, TWO_WAYS, Player, corrupt_files, open_store, ticking


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 8000])
def test_corrupt_file_is_set_aside_at_the_start(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "progress.db"
    path.write_bytes(content)
    (tmp_path / "progress.db-wal").write_bytes(b"journal")
    store = Progress.open(str(path), ticking())
    (notice,) = store.notices
    assert notice.startswith(f"{path} was damaged: set aside as progress.db.corrupt-")
    assert notice.endswith(", a new one is begun")
    aside, *journals = corrupt_files(tmp_path)
    assert (tmp_path / aside).read_bytes() == content
    assert f"{aside}-wal" in journals
    assert Player(store, ROOM).moves("rr") is None
    assert Player(open_store(tmp_path), ROOM).game.lurd == "rr"


@pytest.mark.parametrize("inside", ["progress.db", "deeper/progress.db"])
def test_a_file_in_place_of_the_folder_is_said_to_be_none(tmp_path: Path, inside: str) -> None:
    file = tmp_path / "file"
    file.touch()
    store = Progress.open(str(file / inside), ticking())
    (notice,) = store.notices
    assert f": {file} is not a folder: " in notice


def test_files_set_aside_never_take_the_place_of_one_another(tmp_path: Path) -> None:
    path = tmp_path / "progress.db"
    for number in range(3):
        path.write_bytes(b"garbage %d" % number)
        store = Progress.open(str(path), lambda: 0.0)
        assert len(store.notices) == 1
        store.close()
        path.unlink()
    assert {(tmp_path / name).read_bytes() for name in corrupt_files(tmp_path)} == {
        b"garbage 0",
        b"garbage 1",
        b"garbage 2",
    }


def damage(path: Path) -> None:
    """Overwrite the file in place, as a failing disk would, after the journal was written back."""
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


def test_damage_found_at_the_end_loses_nothing(tmp_path: Path) -> None:
    player = Player(open_store(tmp_path), ROOM)
    player.moves("rr")
    damage(tmp_path / "progress.db")
    assert player.store.close() is None
    assert Player(open_store(tmp_path), ROOM).game.lurd == "rr"


@pytest.mark.parametrize("is_locked", [False, True])
def test_bookmarks_without_a_play_outlive_damage(tmp_path: Path, is_locked: bool) -> None:
    store = open_store(tmp_path)
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
    assert player.play is not None
    assert player.play.others == ("1",)
    other = Player(player.store, TWO_WAYS)
    damage(tmp_path / "progress.db")
    # It gets the number that an adopted play had in the damaged file.
    other.moves("r")
    player.moves("u" if player.game.lurd == "d" else "l")
    assert Player(open_store(tmp_path), TWO_WAYS).game.lurd == "r"


@pytest.mark.parametrize("read", ["best", "load_play", "summaries", "load_place"])
def test_damage_found_by_reading(tmp_path: Path, read: str) -> None:
    store = open_store(tmp_path)
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
        case _:
            assert store.load_place("pack") is None
    assert len(store.notices) == 1
    assert player.moves("r") is None
    store.close()
    store = open_store(tmp_path)
    assert Player(store, TWO_WAYS).game.lurd == "rUr"
    assert store.best(ROOM).by_moves is not None, "what was recorded in this session is written anew"


def test_tables_that_are_not_ours_are_set_aside(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    player = Player(store, ROOM)
    player.moves("r")
    with closing(sqlite3.connect(tmp_path / "progress.db")) as connection, connection:
        connection.execute("DROP TABLE edit")
    assert player.moves("r") is None
    assert "was damaged" in store.notices[0]
    assert Player(open_store(tmp_path), ROOM).game.lurd == "rr"


def test_tables_that_are_not_ours_are_set_aside_once(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    player = Player(store, ROOM)
    for expected in (None, "progress not saved yet: no such table: edit"):
        player.moves("r")
        with closing(sqlite3.connect(tmp_path / "progress.db")) as connection, connection:
            connection.execute("DROP TABLE edit")
        assert player.moves("l") == expected
    assert len([name for name in corrupt_files(tmp_path) if not name.endswith(("-wal", "-shm"))]) == 1


def test_statement_that_fails_does_not_set_a_good_file_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(solutions, "_SAVE_DATES", "UPSERT")
        problem = store.record(ROOM, ROOM_SOLUTION).problem
    assert problem == 'progress not saved yet: near "UPSERT": syntax error'
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
    store.record(TWO_WAYS, "rUrULulD")
    if is_folder:
        folder.rename(tmp_path / "elsewhere")
    else:
        for file in folder.iterdir():
            file.unlink()
    assert player.moves("D") is None
    assert store.notices == [f"{folder / 'progress.db'} was moved away: a new one is begun"]
    store = open_store(folder)
    assert Player(store, ROOM).game.lurd == "rrD"
    assert store.best(TWO_WAYS).by_moves is not None
