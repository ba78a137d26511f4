import os
from pathlib import Path

import pytest

from sokoterm.store import packs as packs_module
from sokoterm.store.library_folder import free_name
from sokoterm.store.packs import added_packs, find_packs, stamp_of
from tests.unit.store.stores import ROOM


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


def test_a_link_round_in_a_circle_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "a.txt").write_text("#####\n#@$.#\n#####\n", "ascii")
    assert [pack.name for pack in added_packs(str(tmp_path), {})] == ["a"]
