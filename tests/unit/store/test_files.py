"""Files of one person: names of arbitrary bytes, other things in their place, and their permissions."""

import os
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from sokoterm.store import database
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import added_packs, find_packs, open_pack, stamp_of
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable, Standing
from sokoterm.store.settings import read_config
from tests.unit.store.stores import ROOM, ROOM_SOLUTION, Player, enter, open_store, ticking

# Characters special in a URI, the start of one, and bytes that are not UTF-8.
NAMES = ["a?mode=memory", "50%41 #1", "file:x", "ü ☃", "new\nline", os.fsdecode(b"\xff\xfe")]


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listener(path: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(str(path))


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def circle(path: Path) -> None:
    path.symlink_to(path)


KINDS = [
    (pipe, "found a pipe, expected a file"),
    (listener, "found a socket, expected a file"),
    (device, "found a device, expected a file"),
    (Path.mkdir, "found a folder, expected a file"),
    (circle, "Too many levels of symbolic links"),
]


@pytest.mark.parametrize("name", NAMES)
def test_any_folder_holds_the_databases(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    player = Player(open_store(folder), ROOM)
    player.moves("rr")
    player.store.close()
    assert Player(open_store(folder), ROOM).game.lurd == "rr"
    (folder / "pack.txt").write_text("\n".join(ROOM.rows))
    (file,) = find_packs(str(folder / "pack.txt"))
    for stamp in (stamp_of(file), None):
        index = LibraryIndex.open(str(folder / "library.db"), ticking())
        assert (index.entry(file) is None) == (stamp is not None)
        if stamp is not None:
            index.learn(file, open_pack(file), stamp)
        assert index.notices == []
        index.close()
    path = str(folder / "scores.db")
    enter(ScoreTable(path, "ann", ticking(), pytest.fail), ROOM, ROOM_SOLUTION)
    assert ScoreTable(path, "ann", ticking(), pytest.fail).standing(ROOM) != Standing()
    assert sorted(os.listdir(tmp_path)) == [name]


@pytest.mark.parametrize("name", NAMES)
def test_any_file_is_read_where_it_may_not_be_written(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Player(open_store(tmp_path / name), ROOM).moves("rr")
    monkeypatch.setattr(os, "access", lambda *_: False)  # as for users other than root
    store = ProgressStore.open(str(tmp_path / name / "progress.db"), ticking())
    assert not store.is_on_disk
    assert Player(store, ROOM).game.lurd == "rr"


def test_two_slashes_lead_to_the_same_file(tmp_path: Path) -> None:
    Player(open_store(tmp_path), ROOM).moves("rr")
    assert Player(open_store(Path(f"/{tmp_path}")), ROOM).game.lurd == "rr"


@pytest.mark.parametrize(("make", "problem"), KINDS)
def test_what_is_no_file_is_not_opened(tmp_path: Path, make: Callable[[Path], None], problem: str) -> None:
    progress, table, config = (tmp_path / name for name in ("progress.db", "scores.db", "config.toml"))
    for path in (progress, table, config):
        make(path)
    store = ProgressStore.open(str(progress), ticking())
    assert store.notices == [f"{progress}: {problem}: progress is not saved"]
    assert Player(store, ROOM).moves("rr") is None
    assert Player(store, ROOM).game.lurd == "rr"
    assert store.close() is None
    told: list[str] = []
    scores = ScoreTable(str(table), "ann", ticking(), told.append)
    enter(scores, ROOM, ROOM_SOLUTION)
    assert scores.standing(ROOM) == Standing()
    assert told == [f"{table}: {problem}: the score table is off"]
    assert read_config(str(config), ()).problems == (f"{config}: cannot be read: {problem}",)


@pytest.mark.parametrize("make", [make for make, _ in KINDS])
def test_what_is_no_file_is_no_pack_that_was_added(tmp_path: Path, make: Callable[[Path], None]) -> None:
    (tmp_path / "pack.txt").write_text("\n".join(ROOM.rows))
    make(tmp_path / "other.txt")
    assert [pack.name for pack in added_packs(str(tmp_path), {})] == ["pack"]


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_a_pipe_in_place_of_a_journal_holds_nobody_up(tmp_path: Path, suffix: str) -> None:
    open_store(tmp_path).close()
    os.mkfifo(tmp_path / f"progress.db{suffix}")
    store = ProgressStore.open(str(tmp_path / "progress.db"), ticking())
    (notice,) = store.notices
    assert f"progress.db: found a pipe, expected the journal progress.db{suffix}: " in notice
    assert Player(store, ROOM).moves("rr") is None
    assert Player(store, ROOM).game.lurd == "rr"


def test_a_link_leads_to_a_file_that_is_still_to_be_made(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "progress.db").symlink_to(tmp_path / "elsewhere" / "mine.db")
    Player(open_store(tmp_path), ROOM).moves("rr")
    assert Player(open_store(tmp_path), ROOM).game.lurd == "rr"
    assert (tmp_path / "elsewhere" / "mine.db").is_file()
    assert mode_of(tmp_path / "elsewhere" / "mine.db") == 0o600


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.mark.parametrize("is_link", [False, True])
def test_nobody_else_may_read_progress(tmp_path: Path, is_link: bool) -> None:
    folder = tmp_path / "data"
    if is_link:
        (tmp_path / "real").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "real")
    before = os.umask(0o022)
    try:
        store = open_store(folder)
        Player(store, ROOM).moves("rr")
        index = LibraryIndex.open(str(folder / "library.db"), ticking())
        modes = {path.name: mode_of(path) for path in folder.iterdir()}
    finally:
        os.umask(before)
    names = [f"{name}.db{suffix}" for name in ("progress", "library") for suffix in ("", "-wal", "-shm")]
    assert modes == dict.fromkeys(names, 0o600)
    assert mode_of(folder) == 0o700
    index.close()


def test_files_of_earlier_versions_are_closed_to_others(tmp_path: Path) -> None:
    Player(open_store(tmp_path), ROOM).moves("rr")
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    assert Player(open_store(tmp_path), ROOM).game.lurd == "rr"
    assert {mode_of(path) for path in tmp_path.iterdir()} == {0o600}


def test_files_of_others_stay_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_store(tmp_path).close()
    (tmp_path / "progress.db").chmod(0o664)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    open_store(tmp_path).close()
    assert mode_of(tmp_path / "progress.db") == 0o664


@pytest.mark.skipif(sqlite3.sqlite_version_info < (3, 31), reason="this sqlite trusts every schema")
def test_the_schema_of_a_file_is_not_trusted(tmp_path: Path, connections: list[sqlite3.Connection]) -> None:
    with closing(database.connect(str(tmp_path / "new.db"), "mode=rwc", 0.0)) as connection:
        assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
    open_store(tmp_path)
    assert connections[-1].execute("PRAGMA trusted_schema").fetchone() == (0,)
