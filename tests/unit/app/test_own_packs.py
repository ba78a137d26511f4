"""Packs of the player's own: renamed and removed in the library folder, and nowhere else."""

from pathlib import Path

import pytest

from sokoterm.app.lists import OwnPacks
from sokoterm.store.named_packs import added_packs
from sokoterm.store.packs import PackError, PackFile, bundled_packs, find_packs, open_pack
from tests.unit.store.archived import zipped
from tests.unit.store.stores import ROOM, open_store

TEXT = ROOM.xsb()


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "packs"
    (folder / "sub").mkdir(parents=True)
    for name in ("a.txt", "c.xsb", "sub/b.txt"):
        (folder / name).write_text(TEXT)
    return folder


def own_packs(folder: Path) -> OwnPacks:
    return OwnPacks(str(folder), open_store(folder.parent), lambda *_: None)


def packs(folder: Path) -> list[PackFile]:
    return added_packs(str(folder), {})


def test_a_pack_is_renamed_in_its_folder_and_in_the_list(folder: Path) -> None:
    files = packs(folder)
    renamed = own_packs(folder).rename(files[0], " dd ", files)
    assert [file.name for file in files] == ["c", "dd", "sub/b"]
    assert files == packs(folder)
    assert open_pack(renamed).levels[0].boxes == 1
    own_packs(folder).rename(files[2], "z", files)
    assert [file.name for file in files] == ["c", "dd", "sub/z"]
    assert (folder / "sub" / "z.txt").exists()


def test_the_place_in_a_pack_stays(folder: Path) -> None:
    store, files = open_store(folder.parent), packs(folder)
    store.save_place(files[0].key, 7)
    renamed = OwnPacks(str(folder), store, lambda *_: None).rename(files[0], "new", files)
    assert store.load_place(renamed.key) == 7
    assert store.load_place(files[0].key) is None or files[0] == renamed
    store.close()


def test_the_pack_played_last_stays_that_under_any_name(folder: Path) -> None:
    store, files = open_store(folder.parent), packs(folder)
    first, other = files[0], files[1]
    own = OwnPacks(str(folder), store, lambda *_: None)
    store.save_place(first.key, 3)
    store.save_place(other.key, 5)
    renamed = own.rename(first, "new", files)
    assert store.last_pack == other.key
    assert own.rename(other, "last", files).key == store.last_pack
    store.close()
    store = open_store(folder.parent)
    assert (store.load_place(renamed.key), store.load_place(first.key)) == (3, None)
    assert store.load_place(store.last_pack or "") == 5
    store.close()


@pytest.mark.parametrize("name", ["", "..", ".hidden", "a/b", "../a", "x\\y", "sub\0", "c\n", "b" * 300, "c"])
def test_a_name_that_is_no_file_name_or_taken_is_refused(folder: Path, name: str) -> None:
    (folder / "c.txt").write_text(TEXT)
    files = packs(folder)
    before = files[:]
    with pytest.raises(PackError):
        own_packs(folder).rename(files[0], name, files)
    assert files == before == packs(folder)


def test_a_pack_is_removed(folder: Path) -> None:
    files = packs(folder)
    own_packs(folder).remove(files[0], files)
    assert [file.name for file in files] == ["c", "sub/b"]
    assert not (folder / "a.txt").exists()


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
    own = own_packs(folder)
    assert [file.name for file in files if own.has(file)] == ["a", "c", "sub/b"]
    for file in files:
        if not own.has(file):
            with pytest.raises(PackError):
                own.remove(file, files)
            with pytest.raises(PackError):
                own.rename(file, "new", files)
    assert outside.exists()
    assert (folder / "link.txt").is_symlink()
