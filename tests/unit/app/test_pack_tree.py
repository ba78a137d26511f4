"""Folders of a library as a tree."""

from sokoterm.app.lists import Folder, folders_of, tree_of
from sokoterm.store.packs import PackFile

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
    assert [row.depth for row in folders] == [0, 1, 0]
    assert [row.name for row in folders] == ["x", "y", "z"]


def test_folders_around_a_pack() -> None:
    assert folders_of("x/y/c") == ["x", "x/y"]
    assert folders_of("x\\c") == ["x"]
    assert folders_of("c") == []
