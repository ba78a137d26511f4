"""``sokoterm remove`` and ``rename``: packs and folders of the library, with all that is kept of them."""

import gzip
import io
import os
import shutil
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackFile, added_packs, find_packs
from sokoterm.store.progress import ProgressStore
from tests.unit.commands.command import ONE_PUSH, TWO_PUSHES, WIDE, Command
from tests.unit.commands.test_letslogic import answering
from tests.unit.store.archived import zipped

pytestmark = pytest.mark.usefixtures("first_steps_alone")


@pytest.fixture(name="data")
def _data(command: Command) -> Path:
    """A library with the packs ``a`` and ``more``, and ``slc/b`` and ``slc/deep/c`` in folders."""
    packs = [command.pack("a.txt", [ONE_PUSH]), command.pack("more.sok", [ONE_PUSH, TWO_PUSHES, WIDE])]
    command.pack("slc/b.xsb", [TWO_PUSHES])
    command.pack("slc/deep/c.txt", [WIDE])
    assert command("add", *packs, command.folder / "slc").status == 0
    return command.data


def pack(data: Path, path: str) -> PackFile:
    (file,) = find_packs(str(data / "packs" / path))
    return file


def opened(data: Path) -> closing[ProgressStore]:
    return closing(ProgressStore.open(str(data / "progress.db"), lambda: 0.0))


def test_a_pack_gets_another_name_and_keeps_its_suffix(command: Command, data: Path) -> None:
    before = (data / "packs" / "more.sok").read_bytes()
    result = command("rename", "more", "Many levels")
    assert result == (0, "more.sok: now Many levels.sok\n", "")
    assert (data / "packs" / "Many levels.sok").read_bytes() == before
    assert command.added() == ["a", "Many levels", "slc/b", "slc/deep/c"]
    assert command("info", "many-levels").status == 0


@pytest.mark.parametrize(("new", "path"), [("b.sok", "b.sok"), ("b.txt", "b.sok"), ("v1.2", "v1.2.sok")])
def test_the_suffix_of_a_format_is_no_part_of_the_name(command: Command, data: Path, new: str, path: str) -> None:
    assert command("rename", "more.sok", new).out == f"more.sok: now {path}\n"
    assert (data / "packs" / path).exists()


_HEADER = "\ufeff:: kept\r\n\r\nCollection: {}\r\nAuthor: Ann\r\n\r\n"
_SLC = (
    "<SokobanLevels><Title>{}</Title><LevelCollection>"
    '<Level Id="x"><L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection></SokobanLevels>'
)


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("Ann 1.xsb", f"{_HEADER}{ONE_PUSH}\n\n", "Ann 2"),
        ("Ann 1.sok.gz", f"{_HEADER}Ann 1\n\n{ONE_PUSH}\n", "Ann 2"),
        ("Ann 1.txt", f"Title: {{}}\n\n; Ann 1\n{ONE_PUSH}\n\n; B\n{WIDE}", "Ann 2"),
        ("Ann 1.slc", _SLC, "Ann 2"),
        ("Ann 1.xsb", f"{_HEADER.replace('{}', '{} and more')}{ONE_PUSH}", "Ann 1 and more"),
        ("Other.xsb", f"{_HEADER}{ONE_PUSH}", "Ann 1"),
        ("Ann 1.xsb", f"; {{}}\n{ONE_PUSH}", "Ann 2"),
    ],
)
def test_a_title_that_is_the_old_name_becomes_the_new_one(command: Command, name: str, text: str, title: str) -> None:
    packs = command.data / "packs"
    packs.mkdir(parents=True)
    unpack, pack_again = (gzip.decompress, gzip.compress) if name.endswith(".gz") else (bytes, bytes)
    (packs / name).write_bytes(pack_again(text.format("Ann 1").encode()))
    command("rename", name.partition(".")[0], "Ann 2")
    (path,) = packs.iterdir()
    is_marked = text.startswith(";")  # the title of a level
    assert unpack(path.read_bytes()).decode() == text.format("Ann 1" if is_marked else title.removesuffix(" and more"))
    assert command.done("info", "--json", path).objects[0]["pack_title"] == title


def test_a_pack_moves_into_a_folder_and_out_again(command: Command, data: Path) -> None:
    assert command("rename", "a", "new/inner/A").out == "a.txt: now new/inner/A.txt\n"
    assert command.added() == ["more", "new/inner/A", "slc/b", "slc/deep/c"]
    assert command("rename", "new/inner/a", "a").status == 0
    assert command.added() == ["a", "more", "slc/b", "slc/deep/c"]
    assert not (data / "packs" / "new").exists()


def test_a_folder_moves_as_a_whole(command: Command, data: Path) -> None:
    (data / "packs" / "slc" / "note").write_text("mine")
    result = command.done("rename", "SLC", "collections/s", "--json")
    packs = data / "packs"
    assert result.objects == [
        {
            "pack": f"collections/s/{name}",
            "file": str(packs / "collections" / "s" / file),
            "old_pack": f"slc/{name}",
            "old_file": str(packs / "slc" / file),
        }
        for name, file in (("b", "b.xsb"), ("deep/c", "deep/c.txt"))
    ]
    assert command.added() == ["a", "collections/s/b", "collections/s/deep/c", "more"]
    assert (packs / "collections" / "s" / "note").read_text() == "mine"
    assert command("rename", "collections", "all").out == "collections: now all, 2 packs\n"
    assert command.added() == ["a", "all/s/b", "all/s/deep/c", "more"]


def test_a_name_may_mean_a_folder_or_the_pack_beside_it(command: Command, data: Path) -> None:
    command("rename", "a", "other/a")
    command("rename", "slc/b", "b")
    shutil.copy(data / "packs" / "b.xsb", data / "packs" / "slc.txt")
    assert command("rename", "slc", "pack").out == "slc.txt: now pack.txt\n"
    shutil.copy(data / "packs" / "b.xsb", data / "packs" / "slc.txt")
    assert command("rename", "slc/", "folder").out == "slc: now folder, 1 pack\n"
    assert command("rename", data / "packs" / "slc.txt", "pack 2").status == 0
    assert command("rename", data / "packs" / "folder", "folder 2").status == 0
    assert command.added() == ["b", "folder 2/deep/c", "more", "other/a", "pack", "pack 2"]


def test_what_cannot_be_done_is_told_in_one_line_and_changes_nothing(command: Command, data: Path) -> None:
    (command.folder / "out").mkdir()
    (data / "packs" / "linked").symlink_to(command.folder / "out")
    (data / "packs" / "link.txt").symlink_to(data / "packs" / "a.txt")
    (data / "packs" / ".hidden").mkdir()
    (data / "packs" / "z.zip").write_bytes(zipped({"in.txt": ONE_PUSH}))
    before = sorted(data.rglob("*"))
    for old, new, words in (
        ("a", "more", "more: there is already a pack of this name"),
        ("a", "a", "a: there is already a pack of this name"),
        ("a", "slc/b.txt", "slc/b: there is already a pack of this name"),
        ("a", "slc", "slc: is a folder; choose another name, or one inside it"),
        ("slc", "a", "a: there is already a pack of this name"),
        ("slc", "slc/new", "slc/new: is inside slc itself"),
        ("a", "first-steps", "first-steps: a pack of this name ships with sokoterm"),
        ("a", "First Steps.txt", "First Steps: a pack of this name ships with sokoterm"),
        ("a", "../a", "found ../a, expected a name in your library folder"),
        ("a", "/tmp/a", "found /tmp/a, expected a name in your library folder"),
        ("a", "/a", "found /a, expected a name in your library folder"),
        ("a", "slc/../b", "found slc/../b, expected a name in your library folder"),
        ("a", "slc//b", "found slc//b, expected a name in your library folder"),
        ("a", "slc/", "found no name, expected up to 80 characters"),
        ("a", ".hidden", "found .hidden, expected up to 80 characters"),
        ("a", ".hidden/a", "found .hidden, expected up to 80 characters"),
        ("a", "what?/a", "found what?, expected up to 80 characters"),
        ("a", "linked/a", "linked: is reached through a link"),
        ("a", "more.sok/a", "more.sok: cannot be listed: Not a directory"),
        ("moree", "b", "moree: found no pack of this name in your library; is it more?"),
        ("First Steps", "b", "first-steps: ships with sokoterm, and stays as it is"),
        ("z/in", "b", "z/in: is in the archive z.zip, which stays as it is"),
        ("z", "b", "z/in: is in the archive z.zip, which stays as it is"),
        ("link", "b", "link: is not a separate file in your library folder"),
    ):
        assert words in command.refusal("rename", old, new)
        assert sorted(data.rglob("*")) == before


def test_two_packs_of_one_name_are_told_apart_by_their_suffix(command: Command, data: Path) -> None:
    shutil.copy(data / "packs" / "more.sok", data / "packs" / "more.txt")
    assert "found 2 packs of this name, expected one of more.sok, more.txt" in command("rename", "more", "b").err
    assert command("rename", "more.txt", "b").out == "more.txt: now b.txt\n"


def test_the_index_knows_the_new_name_and_not_the_old_one(command: Command, data: Path) -> None:
    with command.monkeypatch.context() as patch:
        patch.setattr(LibraryIndex, "learn", None)  # the packs of a folder are not read again
        assert command("rename", "slc", "other").status == 0
    assert command("rename", "a", "b").status == 0
    files = added_packs(str(data / "packs"), {})
    with command.index() as index:
        titles = {key: title for key, title in index.titles().items() if not key.startswith("bundled:")}
        entries = index.entries(files)
    assert titles == {file.key: os.path.basename(file.name) for file in files}
    assert entries.keys() == titles.keys()
    assert [each["title"] for each in command("list", "pack:other", "boxes:1", "--json").objects] == ["A"]
    assert command("list", "pack:slc", "--json").objects == []


def test_progress_goes_with_the_pack(command: Command, data: Path) -> None:
    level, wide = Level.from_xsb(TWO_PUSHES), Level.from_xsb(WIDE)
    game, old = Game(wide), pack(data, "more.sok").key
    game.go_to("l")
    with opened(data) as store:
        store.record(level, "RR")
        store.save_play(wide, game.edits, game.cursor, {"1": "l"}, 7.0)
        store.save_place(old, 3)
        store.save_planning_off(old, is_planning_off=True)
    assert command("rename", "more", "slc/many").status == 0
    with opened(data) as store:
        new = pack(data, "slc/many.sok").key
        assert (store.load_place(new), store.load_planning_off(new), store.last_pack) == (3, True, new)
        assert (store.load_place(old), store.load_planning_off(old)) == (None, False)
        play = store.load_play(wide)
        assert play is not None
        assert (play.cursor, play.bookmarks) == (1, {"1": "l"})
        assert store.best(level).by_moves is not None
    assert [each["level"] for each in command("list", "solved", "slc/many", "--json").objects] == [2]


def test_every_account_keeps_its_place(command: Command, data: Path) -> None:
    accounts = [data / "accounts" / name for name in ("ann", "bob")]
    (data / "accounts" / "nobody").mkdir(parents=True)
    for number, folder in enumerate(accounts, start=2):
        folder.mkdir()
        with opened(folder) as store:
            store.save_place(pack(data, "slc/b.xsb").key, number)
    assert command("rename", "slc", "s").status == 0
    for number, folder in enumerate(accounts, start=2):
        key = pack(data, "s/b.xsb").key
        with opened(folder) as store:
            assert (store.load_place(key), store.last_pack) == (number, key)
    assert not (data / "progress.db").exists()
    assert not (data / "accounts" / "nobody" / "progress.db").exists()


def test_a_removed_pack_leaves_no_place_to_one_that_gets_its_name(command: Command, data: Path) -> None:
    with opened(data) as store:
        store.save_place(pack(data, "more.sok").key, 3)
    key = pack(data, "more.sok").key
    assert command("remove", "more", "--yes").status == 0
    shutil.copy(data / "packs" / "a.txt", data / "packs" / "b.sok")
    assert command("rename", "b", "more").status == 0
    with opened(data) as store:
        assert (pack(data, "more.sok").key, store.load_place(key)) == (key, None)


def refuse(*_: object) -> None:
    raise OSError(28, "No space left on device")


def killed(command: Command, data: Path, monkeypatch: pytest.MonkeyPatch, step: str, *, is_moved: bool) -> None:
    """Leave the data folder as a rename of ``more`` to ``b`` leaves it that is killed before or after a step."""
    move, left = getattr(os, step), data.parent / "left"

    def stepped(*paths: str) -> None:
        if is_moved:
            move(*paths)
        shutil.copytree(data, left)
        if not is_moved:
            move(*paths)

    with monkeypatch.context() as patch:
        if step == "rename":  # in a file system without links
            patch.setattr("os.link", refuse)
        patch.setattr(f"os.{step}", stepped)
        assert command("rename", "more", "b").status == 0
    shutil.rmtree(data)
    left.rename(data)


@pytest.mark.parametrize("is_moved", [False, True])
@pytest.mark.parametrize("step", ["link", "rename"])
def test_a_killed_rename_loses_no_place(command: Command, data: Path, step: str, is_moved: bool) -> None:
    with opened(data) as store:
        store.save_place(pack(data, "more.sok").key, 3)
        store.save_planning_off(pack(data, "more.sok").key, is_planning_off=True)
    killed(command, data, command.monkeypatch, step, is_moved=is_moved)
    key = pack(data, "b.sok" if is_moved else "more.sok").key
    with opened(data) as store:
        assert (store.load_place(key), store.load_planning_off(key)) == (3, True)
    if not is_moved:
        assert command("rename", "more", "b").status == 0
    key = pack(data, "b.sok").key
    with opened(data) as store:
        assert (store.load_place(key), store.last_pack) == (3, key)


def test_a_pack_that_takes_the_name_in_the_meantime_is_not_replaced(command: Command, data: Path) -> None:
    copy = ProgressStore.copy_packs

    def slowly(store: ProgressStore, keys: Mapping[str, str]) -> None:
        copy(store, keys)
        shutil.copy(data / "packs" / "a.txt", data / "packs" / "b.sok")

    with opened(data):
        pass
    before = (data / "packs" / "more.sok").read_bytes()
    command.monkeypatch.setattr(ProgressStore, "copy_packs", slowly)
    assert "cannot be renamed: File exists" in command.refusal("rename", "more", "b")
    assert (data / "packs" / "more.sok").read_bytes() == before
    assert (data / "packs" / "b.sok").read_bytes() == (data / "packs" / "a.txt").read_bytes()


def test_a_file_that_cannot_be_moved_keeps_its_place(command: Command, data: Path) -> None:
    key = pack(data, "more.sok").key
    with opened(data) as store:
        store.save_place(key, 3)

    with command.monkeypatch.context() as patch:
        patch.setattr("os.link", refuse)
        patch.setattr("os.rename", refuse)
        result = command("rename", "more", "new/b")
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert result.err.endswith("more.sok: cannot be renamed: No space left on device\n")
    assert not (data / "packs" / "new").exists()
    with opened(data) as store:
        assert (store.load_place(key), store.last_pack) == (3, key)


def test_without_progress_that_can_be_written_nothing_moves(command: Command, data: Path) -> None:
    ann, bob = data / "accounts" / "ann", data / "accounts" / "bob"
    key = pack(data, "more.sok").key
    for folder in (ann, bob):
        folder.mkdir(parents=True)
        with opened(folder) as store:
            store.save_place(key, 3)
    later = sqlite3.connect(bob / "progress.db")
    later.execute("PRAGMA user_version = 999")  # of a later version of the program
    later.close()
    before = sorted(data.rglob("*"))
    result = command("rename", "more", "b")
    assert (result.status, "nothing renamed: progress cannot be saved" in result.err) == (2, True)
    assert sorted(data.rglob("*")) == before
    with opened(ann) as store:
        assert (store.load_place(key), store.last_pack) == (3, key)


@pytest.fixture(name="packs")
def _packs(command: Command) -> Path:
    """The folder of a library with the packs ``a`` and ``b``, and ``slc/c`` and ``slc/deep/d`` in folders."""
    packs = [command.pack(name, [ONE_PUSH, TWO_PUSHES]) for name in ("a.txt", "b.sok", "slc/c.xsb", "slc/deep/d.txt")]
    assert command("add", *packs[:2], command.folder / "slc").status == 0
    return command.data / "packs"


def test_packs_go_by_the_names_that_lists_show(command: Command, packs: Path) -> None:
    result = command("remove", "A", "b.sok", "slc/deep/e", "--yes")
    assert (result.status, result.out) == (2, "a.txt: removed\nb.sok: removed\n")
    assert result.err == "sokoterm: slc/deep/e: found no pack of this name in your library; is it slc/deep/d?\n"
    assert command.added() == ["slc/c", "slc/deep/d"]
    original = command("remove", command.folder / "slc" / "c.xsb", "--yes")
    assert (original.status, original.out) == (2, "")
    (command.folder / "link").symlink_to(packs)
    assert command("remove", command.folder / "link" / "slc" / "c.xsb", packs / "slc" / "deep", "--yes").status == 0
    assert list(packs.iterdir()) == []


def test_a_folder_goes_with_all_its_packs(command: Command, packs: Path) -> None:
    assert command("remove", "slc", "slc/c", "a", "--yes") == (0, "slc: 2 packs removed\na.txt: removed\n", "")
    assert [path.name for path in packs.iterdir()] == ["b.sok"]


def test_other_files_in_a_folder_stay(command: Command, packs: Path) -> None:
    (packs / "slc" / "note").write_text("mine")
    assert command("remove", "slc", "--yes").status == 0
    assert [path.name for path in (packs / "slc").iterdir()] == ["note"]


def test_json_tells_each_pack(command: Command, packs: Path) -> None:
    result = command("remove", "slc", "a", "--yes", "--json")
    assert result.objects == [
        {"pack": name, "file": str(packs / path)}
        for name, path in (("slc/c", "slc/c.xsb"), ("slc/deep/d", "slc/deep/d.txt"), ("a", "a.txt"))
    ]
    refused = command("remove", "b", "--json")
    assert (refused.status, refused.out, command.added()) == (2, "", ["b"])


@pytest.mark.usefixtures("packs")
@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("Yes\n", 0), ("н\n", 0), ("n\n", 1), ("\n", 1), ("", 1)])
def test_it_asks_first(command: Command, monkeypatch: pytest.MonkeyPatch, answer: str, status: int) -> None:
    answering(monkeypatch, answer)
    result = command("remove", "slc", "a")
    question = "Remove slc with 2 packs, a.txt from your library? [y/N] "
    assert (result.status, result.err) == (status, question)
    assert command.added() == (["a", "b", "slc/c", "slc/deep/d"] if status else ["b"])
    assert ("nothing removed" in result.out) is (status == 1)


@pytest.mark.usefixtures("packs")
def test_without_a_terminal_it_removes_nothing(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    expected = "sokoterm: nothing removed: there is no terminal to ask on; use --yes\n"
    assert command("remove", "a") == (2, "", expected)
    assert len(command.added()) == 4


def test_what_is_not_of_the_player_stays(command: Command, packs: Path) -> None:
    (packs / "z.zip").write_bytes(zipped({"in.txt": ONE_PUSH}))
    (packs / "mixed").mkdir()
    (packs / "mixed" / "own.txt").write_text(ONE_PUSH)
    (packs / "mixed" / "link.txt").symlink_to(packs / "a.txt")
    before = sorted(packs.rglob("*"))
    for name, words in (
        ("first-steps", "first-steps: ships with sokoterm, and stays as it is"),
        ("z/in", "z/in: is in the archive z.zip, which stays as it is"),
        ("z", "z/in: is in the archive z.zip, which stays as it is"),
        ("mixed", "mixed/link: is not a separate file in your library folder"),
        ("nowhere", "nowhere: found no pack of this name in your library"),
    ):
        assert command("remove", name, "--yes") == (2, "", f"sokoterm: {words}\n")
    assert sorted(packs.rglob("*")) == before


def test_progress_stays_and_is_there_again_with_the_pack(command: Command, packs: Path) -> None:
    key = pack(packs.parent, "a.txt").key
    with command.progress() as store:
        store.record(Level.from_xsb(TWO_PUSHES), "RR")
        store.save_place(key, 2)
    assert command("remove", "a", "--yes").status == 0
    assert command("add", command.folder / "a.txt").status == 0
    assert [each["level"] for each in command("list", "solved", "a", "--json").objects] == [2]
    with command.progress() as store:
        assert (store.load_place(key), store.last_pack) == (2, key)


def test_the_index_forgets_what_is_removed(command: Command, packs: Path) -> None:
    command("remove", "slc", "b", "--yes")
    with command.index() as index:
        assert [key for key in index.titles() if not key.startswith("bundled:")] == [str(packs / "a.txt")]


def test_an_unknown_name_makes_no_data_folder(command: Command) -> None:
    result = command("remove", "a", "--yes", "--data-dir", command.folder / "none")
    assert (result.status, result.out) == (2, "")
    assert not (command.folder / "none").exists()
