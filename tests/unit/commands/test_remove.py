"""``sokoterm remove``: packs that were added are taken out of the library; progress stays."""

import io
import sys
from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import added_packs, find_packs
from sokoterm.store.progress import ProgressStore
from tests.unit.commands.command import ONE_PUSH, TWO_PUSHES, Command
from tests.unit.commands.test_letslogic import answering
from tests.unit.store.archived import zipped


@pytest.fixture(name="packs")
def _packs(command: Command, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a library with the packs ``a`` and ``b``, and ``slc/c`` and ``slc/deep/d`` in folders."""
    folder = command.folder / "data"
    monkeypatch.setenv("SOKOTERM_DATA", str(folder))
    (command.folder / "slc" / "deep").mkdir(parents=True)
    packs = [command.pack(name, [ONE_PUSH, TWO_PUSHES]) for name in ("a.txt", "b.sok", "slc/c.xsb", "slc/deep/d.txt")]
    assert command("add", *packs[:2], command.folder / "slc").status == 0
    return folder / "packs"


def names(packs: Path) -> list[str]:
    return [file.name for file in added_packs(str(packs), {})]


def test_packs_go_by_the_names_that_lists_show(command: Command, packs: Path) -> None:
    result = command("remove", "A", "b.sok", "slc/deep/e", "--yes")
    assert (result.status, result.out) == (2, "a.txt: removed\nb.sok: removed\n")
    assert result.err == "sokoterm: slc/deep/e: found no pack of this name in your library; is it slc/deep/d?\n"
    assert names(packs) == ["slc/c", "slc/deep/d"]
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
    assert (refused.status, refused.out, names(packs)) == (2, "", ["b"])


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("Yes\n", 0), ("н\n", 0), ("n\n", 1), ("\n", 1), ("", 1)])
def test_it_asks_first(
    command: Command, packs: Path, monkeypatch: pytest.MonkeyPatch, answer: str, status: int
) -> None:
    answering(monkeypatch, answer)
    result = command("remove", "slc", "a")
    question = "Remove slc with 2 packs, a.txt from your library? [y/N] "
    assert (result.status, result.err) == (status, question)
    assert names(packs) == (["a", "b", "slc/c", "slc/deep/d"] if status else ["b"])
    assert ("nothing removed" in result.out) is (status == 1)


def test_without_a_terminal_it_removes_nothing(command: Command, packs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    expected = "sokoterm: nothing removed: found no terminal to ask on, expected --yes\n"
    assert command("remove", "a") == (2, "", expected)
    assert len(names(packs)) == 4


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
        ("mixed", "mixed/link: is no file of its own in your library folder"),
        ("nowhere", "nowhere: found no pack of this name in your library"),
    ):
        assert command("remove", name, "--yes") == (2, "", f"sokoterm: {words}\n")
    assert sorted(packs.rglob("*")) == before


def test_progress_stays_and_is_there_again_with_the_pack(command: Command, packs: Path) -> None:
    path = str(packs.parent / "progress.db")
    store = ProgressStore.open(path, lambda: 0.0)
    store.record(Level.from_xsb(TWO_PUSHES), "RR")
    store.save_place(find_packs(str(packs / "a.txt"))[0].key, 2)
    store.close()
    assert command("remove", "a", "--yes").status == 0
    assert command("add", command.folder / "a.txt").status == 0
    assert [each["level"] for each in command("list", "solved", "a", "--json").objects] == [2]
    store = ProgressStore.open(path, lambda: 0.0)
    key = find_packs(str(packs / "a.txt"))[0].key
    assert (store.load_place(key), store.last_pack) == (2, key)
    store.close()


def test_the_index_forgets_what_is_removed(command: Command, packs: Path) -> None:
    command("remove", "slc", "b", "--yes")
    index = LibraryIndex.open(str(packs.parent / "library.db"), lambda: 0.0)
    assert [key for key in index.titles() if not key.startswith("bundled:")] == [str(packs / "a.txt")]
    index.close()


def test_an_unknown_name_makes_no_data_folder(command: Command) -> None:
    result = command("remove", "a", "--yes", "--data-dir", command.folder / "none")
    assert (result.status, result.out) == (2, "")
    assert not (command.folder / "none").exists()
