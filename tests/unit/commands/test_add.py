import gzip
import io
import os
import sqlite3
import sys
import threading
from pathlib import Path
from zipfile import ZipFile

import pytest

from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import added_packs, bundled_packs, find_packs, open_pack
from tests.unit.commands.command import ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command
from tests.unit.store.archived import zipped

BROKEN = "####\n#@$#\n####"


@pytest.fixture(name="data")
def _data(command: Command, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = command.folder / "data"
    monkeypatch.setenv("SOKOTERM_DATA", str(folder))
    return folder


def _packs(data: Path) -> list[str]:
    return [pack.name for pack in added_packs(str(data / "packs"), {})]


def test_a_pack_is_copied_and_known(command: Command, data: Path) -> None:
    pack = command.pack("small.txt", [ONE_PUSH, TWO_PUSHES])
    result = command("add", pack)
    assert (result.status, result.out, result.err) == (0, "small.txt: 2 levels, all new\n", "")
    copy = data / "packs" / "small.txt"
    assert copy.read_bytes() == pack.read_bytes()
    assert os.listdir(copy.parent) == ["small.txt"]
    index = LibraryIndex.open(str(data / "library.db"), lambda: 0.0)
    (file,) = added_packs(str(copy.parent), index.stamps())
    entry = index.entry(file)
    index.close()
    assert entry is not None
    assert (entry.levels, entry.unreadable) == (2, 0)


def test_the_same_pack_is_not_copied_twice_and_another_gets_a_number(command: Command, data: Path) -> None:
    pack = command.pack("small.txt", [ONE_PUSH])
    command("add", pack)
    again = command("add", pack)
    assert (again.status, again.out) == (0, "small.txt: 1 level, already there\n")
    command.pack("small.txt", [ONE_PUSH, TWO_PUSHES])
    other = command("add", pack)
    assert other.out == "small 2.txt: 2 levels, 1 of them new\n"
    assert _packs(data) == ["small", "small 2"]


def test_what_a_killed_add_left_is_removed_where_the_next_one_writes(command: Command, data: Path) -> None:
    left = [data / "packs" / ".sokoterm-0123456789ab.tmp", data / "packs" / "many" / ".sokoterm-0123456789ab.tmp"]
    (command.folder / "many").mkdir()
    paths = [command.pack("a.txt", [ONE_PUSH]), command.pack("many/b.txt", [TWO_PUSHES])]
    left[1].parent.mkdir(parents=True)
    for path in left:
        path.write_bytes(b"")
        os.utime(path, (0, 0))
    assert command("add", paths[0]).status == 0
    assert [path.exists() for path in left] == [False, True]
    assert command("add", paths[1].parent).status == 0
    assert [path.exists() for path in left] == [False, False]


def test_what_cannot_be_read_is_named(command: Command, data: Path) -> None:
    pack = command.pack("small.txt", [ONE_PUSH, BROKEN])
    result = command("add", pack, command.folder / "missing")
    assert result.status == 2
    assert result.out == "small.txt: 1 level, 1 cannot be read, all new\n"
    missing, unreadable = result.err.splitlines()
    assert "missing" in missing
    assert "level 2" in unreadable
    assert _packs(data) == ["small"]


def test_a_pack_without_a_level_is_refused(command: Command, data: Path) -> None:
    result = command("add", command.pack("broken.txt", [BROKEN]))
    assert (result.status, result.out) == (2, "")
    assert "no readable level" in result.err
    assert _packs(data) == []


def test_folders_and_archives_keep_their_names(command: Command, data: Path) -> None:
    source = command.folder / "source"
    (source / "sub").mkdir(parents=True)
    (source / "a.xsb").write_text(ONE_PUSH)
    (source / "sub" / "b.txt").write_text(TWO_PUSHES)
    with ZipFile(source / "many.zip", "w") as archive:
        archive.writestr("inner/c.sok", STUCK)
    (source / "d.txt.gz").write_bytes(gzip.compress(ONE_PUSH.encode()))
    result = command("add", source)
    assert (result.status, result.err) == (0, "")
    assert _packs(data) == ["source/a", "source/d", "source/many/inner/c", "source/sub/b"]
    assert (data / "packs" / "source" / "d.txt").read_text() == ONE_PUSH
    assert (data / "packs" / "source" / "many" / "inner" / "c.sok").read_text() == STUCK


@pytest.mark.parametrize("path", ["source", "source/", "source/sub/..", "source.zip", "many.zip"])
def test_what_holds_several_packs_gives_them_its_name(command: Command, data: Path, path: str) -> None:
    source = command.folder / "source"
    (source / "sub").mkdir(parents=True)
    (source / "a.xsb").write_text(ONE_PUSH)
    (source / "sub" / "b.xsb").write_text(TWO_PUSHES)
    for name, above in (("source.zip", "source/"), ("many.zip", "")):
        with ZipFile(command.folder / name, "w") as archive:
            archive.writestr(f"{above}a.xsb", ONE_PUSH)
            archive.writestr(f"{above}b.xsb", TWO_PUSHES)
    assert command("add", f"{command.folder}/{path}").status == 0
    above = "many" if path == "many.zip" else "source"
    assert _packs(data) == [f"{above}/a", f"{above}/b" if path.endswith("zip") else f"{above}/sub/b"]


def test_an_archive_of_one_pack_is_that_pack(command: Command, data: Path) -> None:
    with ZipFile(command.folder / "one.zip", "w") as archive:
        archive.writestr("small.xsb", ONE_PUSH)
    command("add", command.folder / "one.zip")
    assert _packs(data) == ["small"]


def test_a_pack_of_which_no_level_is_new_is_added_and_that_is_said(command: Command, data: Path) -> None:
    command("add", command.pack("small.txt", [ONE_PUSH, TWO_PUSHES]))
    turned = command.pack("turned.txt", ["#####\n#.$@#\n#####", "######\n#. $@#\n######"])
    assert command("add", turned) == (0, "turned.txt: 2 levels, added, though no level is new\n", "")
    one = command.pack("one.txt", [TWO_PUSHES])
    assert command("add", one) == (0, "one.txt: 1 level, added, though its level is not new\n", "")
    assert _packs(data) == ["one", "small", "turned"]
    assert command("add", one).out == "one.txt: 1 level, already there\n"


def test_a_pack_may_be_given_a_name(command: Command, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ONE_PUSH.encode())))
    assert command("add", "-", "--name", "Mine/first") == (
        0,
        f"{os.path.join('Mine', 'first.txt')}: 1 level, all new\n",
        "",
    )
    assert command("add", command.pack("small.txt", [TWO_PUSHES]), "--name", "second").status == 0
    assert _packs(data) == ["Mine/first", "second"]
    index = LibraryIndex.open(str(data / "library.db"), lambda: 0.0)
    assert {"first", "second"} <= set(index.titles().values())
    index.close()
    result = command("add", command.folder, "--name", "all")
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)


def test_help_says_where_packs_lie_and_how_they_are_taken_out(command: Command, data: Path) -> None:
    text = " ".join(command("add", "--help").out.split())
    assert "`sokoterm remove` takes packs out" in text
    assert f"packs {data / 'packs'}" in text


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
@pytest.mark.parametrize("is_first", [False, True])
def test_another_session_that_writes_is_waited_for(command: Command, data: Path, is_first: bool, lock: str) -> None:
    if is_first:
        data.mkdir()
    else:
        command("add", command.pack("small.txt", [ONE_PUSH]))
    blocker = sqlite3.connect(data / "library.db", isolation_level=None, check_same_thread=False)
    blocker.execute(f"BEGIN {lock}")
    release = threading.Timer(0.5, lambda: blocker.execute("ROLLBACK"))
    release.start()
    result = command("add", command.pack("other.txt", [TWO_PUSHES]))
    release.join()
    blocker.close()
    assert result == (0, "other.txt: 1 level, all new\n", "")
    index = LibraryIndex.open(str(data / "library.db"), lambda: 0.0)
    assert "other" in index.titles().values()
    index.close()


def test_what_is_listed_already_is_not_copied(command: Command, data: Path) -> None:
    command("add", command.pack("small.txt", [ONE_PUSH]))
    assert command("add", data / "packs").out == "small.txt: 1 level, already there\n"
    bundled = Path(__file__).parents[3] / "levels" / "first-steps.txt"
    assert command("add", bundled).out.endswith("listed already: it ships with sokoterm\n")
    assert _packs(data) == ["small"]


def test_json_tells_each_pack(command: Command, data: Path) -> None:
    pack = command.pack("small.txt", [ONE_PUSH, BROKEN])
    (added,) = command("add", "--json", "--data-dir", command.folder / "other", pack).objects
    assert added["file"] == str(command.folder / "other" / "packs" / "small.txt")
    assert [added[key] for key in ("levels", "unreadable", "new", "added")] == [1, 1, 1, True]
    assert not data.exists()


def test_a_folder_that_cannot_be_written_is_said(command: Command, data: Path) -> None:
    data.mkdir()
    (data / "packs").write_text("in the way")
    result = command("add", command.pack("small.txt", [ONE_PUSH]))
    assert (result.status, result.out) == (2, "")
    assert "cannot be" in result.err


def test_limits_and_the_encoding_can_be_set(command: Command, data: Path) -> None:
    pack = command.folder / "named.txt"
    pack.write_bytes(f"{ONE_PUSH}\nTitle: 推箱子\n\n{TWO_PUSHES}\n".encode("gb18030"))
    result = command("add", pack, "--max-levels", "1")
    assert (result.status, result.out) == (2, "")
    assert "expected at most 1" in result.err
    assert command("add", pack, "--encoding", "gb18030").status == 0
    assert "推箱子" in command("info", data / "packs" / "named.txt").out
    assert "already there" in command("add", pack, "--encoding", "gb18030").out


def test_levels_that_were_only_looked_at_are_new(command: Command, data: Path) -> None:
    folder = command.folder / "looked at"
    folder.mkdir()
    pack = command.pack("looked at/a.txt", [ONE_PUSH, TWO_PUSHES])
    index = LibraryIndex.open(str(data / "library.db"), lambda: 0.0)
    (file,) = find_packs(str(folder))
    index.learn(file, open_pack(file), None)  # as the list of packs does when a folder is opened
    index.close()
    assert command("add", folder).out == "looked at/a.txt: 2 levels, all new\n"
    pack.write_text(f"{TWO_PUSHES}\n\n{SEED}")
    assert command("add", pack).out == "a.txt: 2 levels, 1 of them new\n"


@pytest.mark.parametrize(
    "text",
    ["# A program\n\nIt is for `boxes` and *goals*.\n\n| key | |\n|---|---|\n| `#` | wall |\n", "Title: A\n"],
)
def test_a_text_without_levels_is_refused(command: Command, data: Path, text: str) -> None:
    pack = command.folder / "README.md"
    pack.write_text(text)
    result = command("add", pack)
    assert (result.status, result.out) == (2, "")
    assert result.err == f"sokoterm: {pack}: found no levels, expected boards of # @ $ . characters\n"
    assert _packs(data) == []


def test_a_collection_without_levels_is_refused(command: Command, data: Path) -> None:
    pack = command.folder / "empty.slc"
    pack.write_text("<SokobanLevels><Title>A</Title><LevelCollection></LevelCollection></SokobanLevels>")
    result = command("add", pack)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert "found no level" in result.err
    assert _packs(data) == []


def test_a_pack_that_ships_is_listed_already(command: Command, data: Path) -> None:
    result = command("add", bundled_packs()[0].path)
    assert (result.status, result.err) == (0, "")
    assert result.out == "first-steps.txt: 32 levels, listed already: it ships with sokoterm\n"
    assert _packs(data) == []


@pytest.mark.parametrize("name", ["all.sok", "all.txt", "all.xsb.gz", "all.zip"])
def test_a_pack_whose_boards_are_far_down_stays_in_the_library(command: Command, data: Path, name: str) -> None:
    """Longer texts than a file is judged by; fenced code in them is no reason to pass it over."""
    shelf = command.folder / "shelf"
    shelf.mkdir()
    text = (":: terms\n" * 10_000 + f"::\n```\n\n{ONE_PUSH}\n\n{TWO_PUSHES}\n").encode()
    packed = {"all.zip": zipped({"all.txt": text}), "all.xsb.gz": gzip.compress(text)}
    (shelf / name).write_bytes(packed.get(name, text))
    assert command("add", shelf).out.startswith("shelf/all")
    (data / "library.db").unlink()
    assert command("list", "pack:all").out.endswith("2 levels of 1 pack, 0 solved\n")
    assert command("info", "shelf/all").status == 0
    assert command("rename", "all", "none").status == 0
    assert command("remove", "none", "--yes").status == 0


def test_a_file_named_as_packs_alone_are_is_listed_though_it_is_damaged(command: Command, data: Path) -> None:
    packs = data / "packs"
    packs.mkdir(parents=True)
    for name in ("lost.sok", "notes.txt"):
        (packs / name).write_text("")
    result = command("list", "boxes:1")
    assert (result.status, result.err.count("\n"), "lost.sok: found an empty file" in result.err) == (2, 1, True)
