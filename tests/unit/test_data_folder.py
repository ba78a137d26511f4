"""A player's library for programs: what is found in a data folder, in which nothing is written."""

import doctest
import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import sokoterm
from sokoterm import data_folder
from sokoterm.store.library import LibraryIndex
from sokoterm.store.progress import ProgressStore
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, TWO_PUSHES

NOW = 1_700_000_000.0
PACK = f"Collection: Made\n\n{FEWER_MOVES}\nSolution (Tomo)\n"
KEPT = sokoterm.Level.from_xsb(TWO_PUSHES)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A data folder in which a game is running, with one level of three solved and one begun."""
    folder = tmp_path / "data"
    packs = folder / "packs"
    packs.mkdir(parents=True)
    (packs / "made.xsb").write_text(f"{FEWER_MOVES}\n\n{TWO_PUSHES}\n\n{ONE_PUSH}\n")
    (packs / "empty.xsb").write_text("#####\n#@$ #\n#####\n")
    progress = ProgressStore.open(str(folder / "progress.db"), lambda: NOW)
    with closing(progress), closing(LibraryIndex.open(str(folder / "library.db"), lambda: NOW)):
        progress.record(KEPT, "rr")
        yield folder


def found(library: sokoterm.Library, query: str) -> list[tuple[str, int]]:
    return [(each.pack, each.level.number) for each in library.find(f"pack:made {query}")]


def state_of(folder: Path) -> dict[Path, tuple[object, ...]]:
    """All that a program could have changed in a folder."""
    return {
        path: (path.stat().st_mtime_ns, path.stat().st_ino, path.read_bytes() if path.is_file() else b"")
        for path in (folder, *folder.rglob("*"))
    }


def test_levels_are_found_while_the_game_runs_and_nothing_is_written(folder: Path) -> None:
    before = state_of(folder)
    assert {each.name for each in before} > {"progress.db-wal", "library.db-wal"}
    library = sokoterm.Library(folder)
    assert found(library, "") == [("made", 1), ("made", 2), ("made", 3)]
    assert found(library, "unsolved") == [("made", 1), ("made", 3)]
    assert found(library, "solved pushes<3 boxes:1") == [("made", 2)]
    (first,) = library.find("pack:made size:5x3")
    assert (first.level, first.path) == (sokoterm.Pack.load(first.path)[2], str(folder / "packs" / "made.xsb"))
    assert [problem.partition(": ")[0] for problem in library.problems] == [
        f"{folder / 'packs' / 'empty.xsb'}, line 1, level 1"
    ]
    library.known_solutions(KEPT)
    library.progress(KEPT)
    del library
    assert state_of(folder) == before


def test_progress_and_solutions_are_the_players_and_fit_the_level(folder: Path) -> None:
    library = sokoterm.Library(folder)
    turned = KEPT.turned(sokoterm.SYMMETRIES[3])
    progress = library.progress(turned)
    assert progress.by_moves == progress.by_pushes == turned.verify("ll")
    assert progress.first_solved == progress.last_solved
    assert progress.first_solved is not None
    assert (progress.first_solved.timestamp(), progress.stars, progress.moves) == (NOW, 1, "")
    assert [(each.source, each.solution) for each in library.known_solutions(turned)] == [("own", progress.by_moves)]
    came = sokoterm.Level.from_xsb(ONE_PUSH).replace(records=(sokoterm.Record("Solution (Tomo)", "R"),))
    assert library.known_solutions(came) == [sokoterm.LibrarySolution(came.verify("R"), "Tomo", "file")]
    assert library.progress(came).by_moves is None


def test_it_is_as_it_was_when_it_was_opened(folder: Path) -> None:
    before = sokoterm.Library(folder)
    with closing(ProgressStore.open(str(folder / "progress.db"), lambda: NOW)) as progress:
        progress.record(sokoterm.Level.from_xsb(ONE_PUSH), "r")
    assert found(before, "solved") == [("made", 2)]
    assert found(sokoterm.Library(folder), "solved") == [("made", 2), ("made", 3)]


def test_a_folder_without_databases_gets_none(tmp_path: Path) -> None:
    library = sokoterm.Library(tmp_path)
    assert next(library.find("pack:steps")).level == sokoterm.Pack.load("levels/first-steps.txt")[0]
    assert [*tmp_path.iterdir()] == []


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(sokoterm.UsageError, match="nowhere: is not a folder; expected the data folder"):
        sokoterm.Library(tmp_path / "nowhere")
    with pytest.raises(sokoterm.UsageError, match="column 1: found boxes:x, expected a number"):
        sokoterm.Library(tmp_path).find("boxes:x")
    damaged = b"this is no database, and longer than its head: " * 100
    (tmp_path / "progress.db").write_bytes(damaged)
    with pytest.raises(sokoterm.UsageError, match="cannot be read: "):
        sokoterm.Library(tmp_path)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"progress.db": damaged}
    os.unlink(tmp_path / "progress.db")
    os.mkfifo(tmp_path / "progress.db")
    with pytest.raises(sokoterm.UsageError, match=r"cannot be read: .* is a named pipe"):
        sokoterm.Library(tmp_path)


def test_a_pack_that_is_gone_is_named(folder: Path) -> None:
    library = sokoterm.Library(folder)
    shutil.rmtree(folder / "packs")
    assert found(library, "") == []
    assert "made.xsb: cannot be read: No such file" in library.problems[-1]


def test_the_examples_hold() -> None:
    assert doctest.testmod(data_folder).failed == 0
