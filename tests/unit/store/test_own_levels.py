"""Levels written into packs of the player's own, which keep everything else that is in them."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.store.library_folder import named_own, put_level
from sokoterm.store.packs import PackError, PackFile, find_packs, open_pack
from sokoterm.store.whole_files import lock
from tests.unit.store import level_putter

ROW = "#####\n#@$.#\n#####\n"
LEVEL = Level.from_xsb("######\n#@$ .#\n######")._replace(title="New", author="Me")


def file_with(folder: Path, name: str, data: bytes) -> PackFile:
    path = folder / name
    path.write_bytes(data)
    (file,) = find_packs(str(path))
    return file


def rows_in(file: PackFile) -> list[str]:
    return [level.rows[1] for level in open_pack(file).levels]


def test_a_pack_is_begun_and_grows(tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    file = named_own(str(folder), " Mine ")
    assert put_level(str(folder), file, LEVEL) == 1
    assert put_level(str(folder), file, LEVEL) == 2
    pack = open_pack(file)
    assert (pack.title, [each.title for each in pack.levels], rows_in(file)) == ("Mine", ["New"] * 2, ["#@$ .#"] * 2)
    assert [each.name for each in folder.iterdir()] == ["Mine.txt"]


def test_a_level_takes_the_place_of_another_where_nothing_is_lost(tmp_path: Path) -> None:
    file = file_with(tmp_path, "a.txt", f"; One\n\n{ROW}\n; Two\n\n{ROW}Author: You\n".encode())
    assert put_level(str(tmp_path), file, LEVEL, 1, Level.from_xsb(ROW)) == 1
    assert [(each.title, each.author) for each in open_pack(file).levels] == [("New", "Me"), ("Two", "You")]


def test_a_level_that_took_the_number_in_the_meantime_stays(tmp_path: Path) -> None:
    other = "#######\n#@ $ .#\n#######\n"
    file = file_with(tmp_path, "a.txt", f"{other}\n{ROW}".encode())
    assert put_level(str(tmp_path), file, LEVEL, 1, Level.from_xsb(ROW)) == 3
    assert put_level(str(tmp_path), file, LEVEL, 1) == 4
    assert rows_in(file) == ["#@ $ .#", "#@$.#", "#@$ .#", "#@$ .#"]


def test_otherwise_it_comes_last_and_the_file_stays_as_it_was(tmp_path: Path) -> None:
    data = f"{ROW}\nTitle: One\n\n#####\n#@$ #\n#####\n\n{ROW}".encode()
    file = file_with(tmp_path, "a.txt", data)
    count = open_pack(file).size
    assert put_level(str(tmp_path), file, LEVEL, 1, Level.from_xsb(ROW)) == count + 1
    assert Path(file.path).read_bytes().startswith(data.rstrip())
    assert rows_in(file)[-1] == "#@$ .#"


@pytest.mark.parametrize("title", ["Склад".encode("cp1251"), b"A \x81"])
def test_a_file_in_another_encoding_than_the_guess_is_not_written_anew(tmp_path: Path, title: bytes) -> None:
    data = b"; " + title + b"\n\n" + ROW.encode() + b"\n" + ROW.encode()
    file = file_with(tmp_path, "a.txt", data)
    with pytest.raises(PackError, match="no level can be added to this file"):
        put_level(str(tmp_path), file, LEVEL, 2, Level.from_xsb(ROW))
    assert Path(file.path).read_bytes() == data


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.rle", b"5#|#@$.#|5#\n"),
        ("a.txt", "; Gr\u00fc\u00dfe\n\n".encode("latin-1") + ROW.encode()),
    ],
)
def test_what_is_no_plain_text_is_not_added_to(tmp_path: Path, name: str, data: bytes) -> None:
    file = file_with(tmp_path, name, data)
    with pytest.raises(PackError, match="no level can be added to this file"):
        put_level(str(tmp_path), file, LEVEL)
    assert Path(file.path).read_bytes() == data


def test_a_level_with_a_stray_box_is_added_and_takes_a_place(tmp_path: Path) -> None:
    file = file_with(tmp_path, "a.txt", ROW.encode())
    stray = Level.from_xsb("$\n  ######\n  #@$ .#\n  ######\n.")
    assert put_level(str(tmp_path), file, stray) == 2
    assert put_level(str(tmp_path), file, stray, 1, Level.from_xsb(ROW)) == 1
    assert rows_in(file) == ["#@$ .#"] * 2


def test_the_last_text_of_a_pack_is_not_taken_for_the_title_of_a_new_level(tmp_path: Path) -> None:
    file = file_with(tmp_path, "a.txt", f"{ROW}\nsee example.org\n".encode())
    assert put_level(str(tmp_path), file, LEVEL._replace(title="")) == 2
    assert [(each.title, each.comment) for each in open_pack(file).levels] == [("", "see example.org"), ("", "")]


def test_a_pack_to_which_nothing_can_be_added_without_a_loss_stays_as_it_is(tmp_path: Path) -> None:
    data = f"{ROW}\n#####\n#@$ #\n#####\n\nsee example.org\n".encode()
    file = file_with(tmp_path, "a.txt", data)
    with pytest.raises(PackError, match="not written: it would not be read back as it is"):
        put_level(str(tmp_path), file, LEVEL._replace(title=""))
    assert Path(file.path).read_bytes() == data


def test_sessions_that_save_at_the_same_time_lose_no_level(tmp_path: Path) -> None:
    arguments = [sys.executable, level_putter.__file__, str(tmp_path), "Mine", "20"]
    sessions = [subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    told = dict(line.split(" ", 1) for session in sessions for line in session.communicate()[0].splitlines())
    levels = open_pack(named_own(str(tmp_path), "Mine")).levels
    assert {str(level.number): level.title for level in levels} == told
    assert len(told) == 40


def test_what_a_killed_writer_left_goes_with_the_next_save(tmp_path: Path) -> None:
    left, written = (tmp_path / f".sokoterm-{name * 12}.tmp" for name in "ab")
    for path in (left, written):
        path.write_bytes(b"")
        os.utime(path, (time.time() - 60,) * 2)
    with written.open("rb") as file:
        assert lock(file.fileno())
        put_level(str(tmp_path), named_own(str(tmp_path), "Mine"), LEVEL)
    assert sorted(os.listdir(tmp_path)) == [written.name, "Mine.txt"]


def test_a_pack_outside_of_the_folder_is_left_alone(tmp_path: Path) -> None:
    file = file_with(tmp_path, "a.txt", ROW.encode())
    with pytest.raises(PackError, match="no file in your library folder"):
        put_level(str(tmp_path / "packs"), file, LEVEL, 1)


def test_what_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "packs").write_text("a file")
    with pytest.raises(PackError, match="cannot be made"):
        put_level(str(tmp_path / "packs"), named_own(str(tmp_path / "packs"), "a"), LEVEL)
