"""Packs in a list: their folders, those that are open, and the player's own."""

from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import cast

import pytest

from sokoterm.app.catalog import Catalog
from sokoterm.app.lists import Folder, LevelSort, Lists, folders_of, tree_of
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import Canonical, identified
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackError, PackFile, added_packs, bundled_packs, find_packs, open_pack, stamp_of
from sokoterm.store.progress import ProgressStore
from tests.present import present
from tests.unit.app.generated import Home
from tests.unit.store.archived import zipped
from tests.unit.store.conftest import connections as connections
from tests.unit.store.stores import ROOM, open_store

FILES = [PackFile(f"/{name}", name, name) for name in ("a", "x/b", "x/y/c", "x/d", "z/e", "f")]


def shown(folded: set[str]) -> list[str]:
    return [f"{row.path}/" if isinstance(row, Folder) else row.name for row in tree_of(FILES, folded)]


def test_packs_stand_in_their_folders() -> None:
    assert shown(set()) == ["a", "x/", "x/b", "x/y/", "x/y/c", "x/d", "z/", "z/e", "f"]


def test_a_folded_folder_shows_nothing_below_it() -> None:
    assert shown({"x"}) == ["a", "x/", "z/", "z/e", "f"]
    assert shown({"x/y", "z"}) == ["a", "x/", "x/b", "x/y/", "x/d", "z/", "f"]
    assert shown({"x", "x/y"}) == shown({"x"})


def test_a_folder_has_all_packs_below_it() -> None:
    folders = [row for row in tree_of(FILES, {"x/y"}) if isinstance(row, Folder)]
    assert [len(row.files) for row in folders] == [3, 1, 1]
    assert [row.path for row in folders] == ["x", "x/y", "z"]


def test_folders_around_a_pack() -> None:
    assert folders_of("x/y/c") == ["x", "x/y"]
    assert folders_of("x\\c") == ["x"]
    assert folders_of("c") == []


def test_a_pack_that_could_be_read_in_the_end_has_no_problem(tmp_path: Path) -> None:
    (tmp_path / "pack.txt").write_text("#####\n#@$.#\n#####\n")
    (file,) = find_packs(str(tmp_path / "pack.txt"))
    home = Home(tmp_path)
    problems = ["it is locked"]

    def open_pack_session(file: PackFile) -> PackSession:
        if problems:
            raise PackError(problems.pop())
        return cast(PackSession, SimpleNamespace(key=file.key, pack=open_pack(file), stamp=None))

    packs = Lists([file], open_pack_session, home.catalog)
    assert packs.open(file) is None
    assert "it is locked" in home.catalog.problem(file)
    assert packs.open(file) is not None
    assert home.catalog.problem(file) == ""


def test_a_pack_that_cannot_be_learned_is_no_hindrance_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    for name in ("broken", "whole"):
        (tmp_path / f"{name}.txt").write_text(f"; {name}\n\n#####\n#@$.#\n#####\n")
    broken, whole = files = find_packs(str(tmp_path))

    def fail(level: Level) -> tuple[Canonical, str]:
        if level.title == "broken":
            raise RecursionError("of the reader")
        return identified(level)

    monkeypatch.setattr("sokoterm.store.library.identified", fail)
    home = Home(tmp_path)
    library = home.catalog
    while library.has_work(files):
        library.work(files)
    (log,) = (state / "sokoterm").iterdir()
    problem = f"broken: cannot be read: internal error: see {log}"
    assert (library.problem(broken), library.problem(whole)) == (problem, "")
    assert list(library.figures(files)) == [whole.key]


def test_a_large_pack_that_is_being_read_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoterm.app.catalog.MOST_BYTES", 1)
    (tmp_path / "large.txt").write_text("#####\n#@$.#\n#####\n")
    (file,) = files = find_packs(str(tmp_path))
    read: list[PackFile] = []
    opened, may_end = Event(), Event()

    def slowly(file: PackFile) -> Pack:
        read.append(file)
        opened.set()
        may_end.wait(10.0)
        return open_pack(file)

    home = Home(tmp_path)
    index = home.catalog.open()
    catalog = Catalog(lambda: index, lambda: True, home.store, slowly)
    catalog.work(files)
    assert opened.wait(10.0)
    may_end.set()
    assert len(catalog.pack(file)) == 1
    assert read == [file]
    (tmp_path / "large.txt").write_text("#####\n#@$.#\n#####\n" * 2)
    assert len(catalog.pack(file)) == 2
    assert read == [file, file]


def test_of_many_packs_that_were_opened_the_last_wait_to_be_indexed_and_all_are_in_the_end(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number}.txt").write_text("#####\n#@$.#\n#####\n")
    files = find_packs(str(tmp_path))
    home = Home(tmp_path)
    for file in files:
        home.catalog.begin(file, open_pack(file), None)
    while home.catalog.has_work(()):
        home.catalog.work(())
    assert home.catalog.count_unknown(files) == 10
    while home.catalog.has_work(files):
        home.catalog.work(files)
    assert home.catalog.count_unknown(files) == 0
    home.close()


def test_the_pack_in_play_stays_open_however_many_were_opened_since(tmp_path: Path) -> None:
    """What was found and improved in a session is kept with its pack."""
    for number in range(10):
        (tmp_path / f"{number}.txt").write_text("#####\n#@$.#\n#####\n")
    files = find_packs(str(tmp_path))
    home = Home(tmp_path)
    lists = Lists(files, home.open_pack_session, home.catalog)
    in_play = lists.open(files[0])
    others = [lists.open(file) for file in files[1:]]
    assert None not in others
    lists.close_others(in_play)
    assert [lists.get(file) for file in files] == [in_play, *[None] * 9]
    home.close()


TEXT = ROOM.xsb()


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "packs"
    (folder / "sub").mkdir(parents=True)
    for name in ("a.txt", "c.xsb", "sub/b.txt"):
        (folder / name).write_text(TEXT)
    return folder


def lists_of(folder: Path, files: list[PackFile], store: ProgressStore | None = None) -> Lists:
    library = folder.parent / "library.db"
    catalog = Catalog(
        lambda: LibraryIndex.open(str(library), lambda: 0.0), library.exists, store or open_store(folder.parent)
    )
    return Lists(files, lambda file: pytest.fail(file.name), catalog, str(folder))


def packs(folder: Path) -> list[PackFile]:
    return added_packs(str(folder), {})


def test_a_pack_is_renamed_in_its_folder_and_in_the_list(folder: Path) -> None:
    lists = lists_of(folder, packs(folder))
    renamed = lists.rename(lists.files[0], " dd ")
    assert [file.name for file in lists.files] == ["c", "dd", "sub/b"]
    assert lists.files == packs(folder)
    assert open_pack(renamed).levels[0].boxes == 1
    lists.rename(lists.files[2], "z")
    assert [file.name for file in lists.files] == ["c", "dd", "sub/z"]
    assert (folder / "sub" / "z.txt").exists()


def test_the_pack_played_last_stays_that_under_any_name(folder: Path) -> None:
    store, files = open_store(folder.parent), packs(folder)
    first, other = files[0], files[1]
    lists = lists_of(folder, files, store)
    store.save_place(first.key, 3)
    store.save_place(other.key, 5)
    renamed = lists.rename(first, "new")
    assert store.last_pack == other.key
    assert lists.rename(other, "last").key == store.last_pack
    store.close()
    store = open_store(folder.parent)
    assert (store.load_place(renamed.key), store.load_place(first.key)) == (3, None)
    assert store.load_place(store.last_pack or "") == 5


@pytest.mark.parametrize("name", ["", "..", ".hidden", "a/b", "../a", "x\\y", "sub\0", "c\n", "b" * 300, "c"])
def test_a_name_that_is_no_file_name_or_taken_is_refused(folder: Path, name: str) -> None:
    (folder / "c.txt").write_text(TEXT)
    files = packs(folder)
    lists = lists_of(folder, files)
    with pytest.raises(PackError):
        lists.rename(files[0], name)
    assert lists.files == files == packs(folder)


def test_what_lies_elsewhere_is_left_alone(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    outside = tmp_path / "out" / "x.txt"
    outside.write_text(TEXT)
    (folder / "link.txt").symlink_to(outside)
    (folder / "linked").symlink_to(tmp_path / "out")
    (folder / "inner.txt").symlink_to(folder / "a.txt")
    (folder / "z.zip").write_bytes(zipped({"in.txt": TEXT}))
    files = [*packs(folder), *find_packs(str(outside)), *bundled_packs()]
    files += [PackFile(str(folder / "sub" / ".." / ".." / "out" / "x.txt"), "x", str(outside))]
    lists = lists_of(folder, files)
    assert [file.name for file in files if lists.is_own(file)] == ["a", "c", "sub/b"]
    for file in files:
        if not lists.is_own(file):
            with pytest.raises(PackError):
                lists.remove(file)
            with pytest.raises(PackError):
                lists.rename(file, "new")
    assert outside.exists()
    assert (folder / "link.txt").is_symlink()


def test_the_oldest_pasted_pack_leaves_a_sorted_list_too(tmp_path: Path) -> None:
    home = Home(tmp_path)
    lists = Lists([], home.open_pack_session, home.catalog)
    lists.set(LevelSort.TITLE)
    for width in range(1, 22):
        lists.paste(f"#{'#' * width}###\n#@{' ' * width}$.#\n#{'#' * width}####\n".encode())
        assert len(lists.packs()) == min(width, 20)
    assert {file.name for file in lists.packs()} == {f"pasted {number}" for number in range(2, 22)}
    home.close()


@pytest.mark.parametrize("sort", [LevelSort.DIFFICULTY, LevelSort.BOXES, LevelSort.SIZE])
def test_packs_that_are_not_indexed_come_last_in_an_order(folder: Path, sort: LevelSort) -> None:
    files = packs(folder)
    index = LibraryIndex.open(str(folder.parent / "library.db"), lambda: 0.0)
    index.learn(files[-1], open_pack(files[-1]), stamp_of(files[-1]))
    index.close()
    lists = lists_of(folder, files)
    lists.set(sort)
    assert list(lists.packs()) == [files[-1], *files[:-1]]


def test_a_few_packs_are_kept_open_and_the_only_unsolved_level_has_no_next_one(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for number in range(1, 10):
        (tmp_path / f"{number}.txt").write_text(TEXT)
    files = find_packs(str(tmp_path))
    lists = Lists(files, home.open_pack_session, home.catalog)
    first, *others = map(lists.open, files)
    assert [lists.get(file) for file in files] == [None, *others]
    lists.set(LevelSort.SIZE)
    assert lists.next_unsolved(present(first), 1) is None
    home.close()
