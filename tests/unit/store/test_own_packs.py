"""The folder of the player's own packs, and levels written into them, which keep everything else that is there."""

import os
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from sokoterm.engine.level import Level
from sokoterm.store import packs as packs_module
from sokoterm.store.library_folder import free_name, named_own, safe_name
from sokoterm.store.own_levels import put_level
from sokoterm.store.packs import PackError, PackFile, added_packs, find_packs, open_pack, stamp_of
from sokoterm.store.whole_files import lock, move_to_free
from tests.unit.store.stores import ROOM
from tests.unit.store.writers import writer

ROW = "#####\n#@$.#\n#####\n"
LEVEL = Level.from_xsb("######\n#@$ .#\n######").replace(title="New", author="Me")


def file_with(folder: Path, name: str, data: bytes) -> PackFile:
    path = folder / name
    path.write_bytes(data)
    (file,) = find_packs(str(path))
    return file


def rows_in(file: PackFile) -> list[str]:
    return [level.rows[1] for level in open_pack(file).levels]


def test_a_locale_without_the_letters_of_a_name_has_a_file_all_the_same() -> None:
    """``add -`` of a pack with an accent in its title ended with an internal error."""
    with patch("sys.getfilesystemencoding", return_value="ascii"):
        assert safe_name("Été") == "_t_"


def test_a_pack_is_begun_and_grows(tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    file = named_own(str(folder), " Mine ")
    assert put_level(str(folder), file, LEVEL) == 1
    assert put_level(str(folder), file, LEVEL) == 2
    pack = open_pack(file)
    assert (pack.title, [each.title for each in pack.levels], rows_in(file)) == ("Mine", ["New"] * 2, ["#@$ .#"] * 2)
    assert [each.name for each in folder.iterdir()] == ["Mine.sok"]


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


def test_a_level_beside_one_that_cannot_be_read_is_replaced_and_one_is_added(tmp_path: Path) -> None:
    """The whole file was written anew for it, which such a level has no place in."""
    first, others = f"{ROW}\nTitle: One\n\n", f"#####\n#@$ #\n#####\n\n{ROW}"
    file = file_with(tmp_path, "a.txt", (first + others).encode())
    assert put_level(str(tmp_path), file, LEVEL, 1, Level.from_xsb(ROW)) == 1
    assert put_level(str(tmp_path), file, LEVEL) == 4
    assert others.rstrip() in Path(file.path).read_text("utf-8")
    assert rows_in(file) == ["#@$ .#", "#@$.#", "#@$ .#"]


def test_a_pack_in_another_encoding_than_utf_8_becomes_utf_8(tmp_path: Path) -> None:
    file = file_with(tmp_path, "a.txt", "; Gr\u00fc\u00dfe\n\n".encode("latin-1") + ROW.encode())
    assert put_level(str(tmp_path), file, LEVEL) == 2
    assert [level.title for level in open_pack(file).levels] == ["Gr\u00fc\u00dfe", "New"]


@pytest.mark.parametrize(
    ("name", "data", "place"),
    [
        ("a.rle", b"5#|#@$.#|5#\n", ()),
        # In another encoding than the guess, it cannot be written anew.
        ("a.txt", "; Склад\n\n".encode("cp1251") + ROW.encode(), (1, Level.from_xsb(ROW))),
        ("a.txt", b"; A \x81\n\n" + ROW.encode(), (1, Level.from_xsb(ROW))),
    ],
)
def test_what_is_no_plain_text_stays_as_it_is(
    tmp_path: Path, name: str, data: bytes, place: tuple[()] | tuple[int, Level]
) -> None:
    file = file_with(tmp_path, name, data)
    with pytest.raises(PackError, match="this file cannot be changed without a loss"):
        put_level(str(tmp_path), file, LEVEL, *place)
    assert Path(file.path).read_bytes() == data


def test_a_level_with_a_stray_box_is_added_and_takes_a_place(tmp_path: Path) -> None:
    file = file_with(tmp_path, "a.txt", ROW.encode())
    stray = Level.from_xsb("$\n  ######\n  #@$ .#\n  ######\n.")
    assert put_level(str(tmp_path), file, stray) == 2
    assert put_level(str(tmp_path), file, stray, 1, Level.from_xsb(ROW)) == 1
    assert rows_in(file) == ["#@$ .#"] * 2


def test_the_last_text_of_a_pack_is_not_taken_for_the_title_of_a_new_level(tmp_path: Path) -> None:
    file = file_with(tmp_path, "a.txt", f"{ROW}\nsee example.org\n".encode())
    assert put_level(str(tmp_path), file, LEVEL.replace(title="")) == 2
    assert [(each.title, each.comment) for each in open_pack(file).levels] == [("", "see example.org"), ("", "")]


def test_a_pack_to_which_nothing_can_be_added_without_a_loss_stays_as_it_is(tmp_path: Path) -> None:
    data = f"{ROW}\n#####\n#@$ #\n#####\n\nsee example.org\n".encode()
    file = file_with(tmp_path, "a.txt", data)
    with pytest.raises(PackError, match="this file cannot be changed without a loss"):
        put_level(str(tmp_path), file, LEVEL.replace(title=""))
    assert Path(file.path).read_bytes() == data


def test_sessions_that_save_at_the_same_time_lose_no_level(tmp_path: Path) -> None:
    sessions = [writer("put", tmp_path, "Mine", 20) for _ in range(2)]
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
    assert sorted(os.listdir(tmp_path)) == [written.name, "Mine.sok"]


def test_a_pack_outside_of_the_folder_is_left_alone(tmp_path: Path) -> None:
    file = file_with(tmp_path, "a.txt", ROW.encode())
    with pytest.raises(PackError, match="is not a separate file in your library folder"):
        put_level(str(tmp_path / "packs"), file, LEVEL, 1)


def test_what_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "packs").write_text("a file")
    with pytest.raises(PackError, match="cannot be created"):
        put_level(str(tmp_path / "packs"), named_own(str(tmp_path / "packs"), "a"), LEVEL)


def test_a_file_that_cannot_leave_its_folder_gets_no_second_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"levels")
    unlink = os.unlink

    def guarded(path: str) -> None:
        if path == str(old):
            raise PermissionError
        unlink(path)

    monkeypatch.setattr(os, "unlink", guarded)
    with pytest.raises(PermissionError):
        move_to_free(str(old), str(new))
    assert os.listdir(tmp_path) == ["old"]


# The folder


def _fill(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(ROOM.xsb() if path.suffix == ".txt" else "Read me!", "utf-8")


def test_packs_are_listed_in_natural_order_with_their_folders(tmp_path: Path) -> None:
    _fill(tmp_path, "pack 10.txt", "pack 9.txt", "sub/b.txt", "README.md", ".hidden.txt")
    packs = added_packs(str(tmp_path), {})
    assert [pack.name for pack in packs] == ["pack 9", "pack 10", "sub/b"]
    assert {pack.key for pack in packs} == {file.key for file in find_packs(str(tmp_path))}


def test_a_folder_that_is_not_there_holds_none(tmp_path: Path) -> None:
    assert added_packs(str(tmp_path / "packs"), {}) == []


def test_what_is_known_is_not_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(tmp_path, "a.txt", "sub/b.txt", "new.txt")
    files = {file.name: file for file in find_packs(str(tmp_path))}
    stamps = {file.key: stamp for name, file in files.items() if (stamp := stamp_of(file)) and name != "new"}
    looked: list[str] = []

    def look(path: str, *, is_archive_too: bool) -> bool:
        looked.append(os.path.basename(path))
        return is_archive_too

    monkeypatch.setattr(packs_module, "is_pack", look)
    packs = added_packs(str(tmp_path), stamps)
    assert [(pack.name, pack.key) for pack in packs] == [(name, files[name].key) for name in ("a", "new", "sub/b")]
    assert looked == ["new.txt"]


def test_an_archive_that_is_damaged_is_listed_with_its_problem(tmp_path: Path) -> None:
    _fill(tmp_path, "a.txt", "c.txt")
    (tmp_path / "b.zip").write_bytes(b"PK\3\4 and no more")
    packs = added_packs(str(tmp_path), {})
    problems = ["", "cannot be read: the archive is damaged", ""]
    assert [(pack.name, pack.problem) for pack in packs] == list(zip("abc", problems, strict=True))


def test_a_link_in_a_circle_ends(tmp_path: Path) -> None:
    _fill(tmp_path, "sub/b.txt")
    (tmp_path / "sub" / "round").symlink_to(tmp_path)
    (tmp_path / "circle").symlink_to("circle")
    assert [pack.name for pack in added_packs(str(tmp_path), {})] == ["sub/b"]


def test_the_same_content_keeps_its_place_and_another_gets_a_number(tmp_path: Path) -> None:
    folder = str(tmp_path)
    path, is_there = free_name(folder, "Pack", "https://example.org/Pack.sok", b"one")
    assert (path, is_there) == (str(tmp_path / "Pack.sok"), False)
    Path(path).write_bytes(b"one")
    assert free_name(folder, "Pack", "Pack.sok", b"one") == (path, True)
    second, is_there = free_name(folder, "Pack", "Pack.sok", b"two")
    assert (second, is_there) == (str(tmp_path / "Pack 2.sok"), False)
    Path(second).write_bytes(b"two")
    assert free_name(folder, "Pack", "Pack.sok", b"two") == (second, True)


def test_names_that_would_lead_astray_are_made_safe(tmp_path: Path) -> None:
    for name, source, expected in [
        ("../../etc/pass", "x.txt", "etc/pass.txt"),
        ("a\x1b[31m:b", "x.xsb.gz", "a?[31m_b.xsb".replace("?", "_")),
        (".hidden", "levels", "hidden.txt"),
        ("..", "-", "pack.txt"),
        ("sub/x", "a.zip", "sub/x.txt"),
        ("aux/Con.old", "a.txt", "_aux/_Con.old.txt"),
        ("console", "a.txt", "console.txt"),
    ]:
        assert free_name(str(tmp_path), name, source, b"")[0] == str(tmp_path / expected)
