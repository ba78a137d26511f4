"""``sokoterm progress``: from one data folder to another."""

import io
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.game import Edit
from sokoterm.engine.level import Level
from sokoterm.formats.registry import parse, write
from sokoterm.store.exchange import export, merge
from sokoterm.store.progress import ProgressStore
from tests.unit.commands.command import ONE_PUSH, SEED, TWO_PUSHES, Command
from tests.unit.store.stores import turn_back

TITLE = "Two pushes"
LEVEL = Level.from_xsb(TWO_PUSHES).replace(title=TITLE)


def progress_in(folder: Path) -> ProgressStore:
    return ProgressStore.open(str(folder / "progress.db"), lambda: 1000.0)


@pytest.fixture
def here(command: Command) -> Path:
    """A data folder with a solved level, an open play and bookmarks."""
    folder = command.folder / "here"
    store = progress_in(folder)
    store.save_play(LEVEL, [], 0, {}, 90.0)
    store.record(LEVEL, "rlRR")
    store.record(LEVEL, "RR")
    seed = Level.from_xsb(SEED).replace(title="Seed")
    edits = [Edit(0, "", "l"), Edit(1, "", "r")]
    assert store.save_play(seed, edits, 1, {"a": "", "b": "l"}) is None
    store.close()
    return folder


def test_there_and_back_again_gives_the_same_file(command: Command, here: Path) -> None:
    there = command.folder / "there"
    first, second = command.folder / "first.sok", command.folder / "second.sok"
    result = command("progress", "export", first, "--data-dir", here)
    assert result == (0, "2 levels, 1 solution, 1 unfinished game, 2 bookmarks\n", "")
    result = command("progress", "import", first, "--data-dir", there)
    assert result == (0, "2 levels, 1 solution: 1 new or better, 1 unfinished game, 2 bookmarks\n", "")
    assert command("progress", "export", second, "--data-dir", there).status == 0
    assert first.read_bytes() == second.read_bytes()
    result = command("progress", "import", first, "--data-dir", there)
    assert result == (0, "2 levels, 1 solution: 0 new or better, 0 unfinished games\n", "")


def test_standard_output_and_input(command: Command, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = command.done("progress", "export", "-", "--data-dir", here)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(result.out.encode())))
    there = command.folder / "there"
    assert command("progress", "import", "-", "--data-dir", there).out.startswith("2 levels, 1 solution: 1 new")
    best = progress_in(there).best(LEVEL)
    assert best.by_moves is not None
    assert (best.by_moves.lurd, best.dates.first_solved, best.dates.seconds) == ("RR", 1000.0, 90.0)


def test_nothing_is_a_file_too(command: Command) -> None:
    path = command.folder / "none.sok"
    nowhere = command.folder / "nowhere"
    assert command("progress", "export", path, "--data-dir", nowhere) == (
        0,
        "0 levels, 0 solutions, 0 unfinished games\n",
        "",
    )
    assert not nowhere.exists()
    assert path.read_text().startswith("Collection: sokoterm progress\n")
    imported = command("progress", "import", path, "--data-dir", nowhere)
    assert imported == (0, "0 levels, 0 solutions: 0 new or better, 0 unfinished games\n", "")


def test_export_replaces_an_export_and_no_other_file(command: Command, here: Path) -> None:
    path = command.folder / "my.sok"
    for _ in range(2):
        assert command("progress", "export", path, "--data-dir", here).status == 0
    pack = command.pack("levels.txt", [ONE_PUSH])
    before = pack.read_bytes()
    assert command.refusal("progress", "export", pack, "--data-dir", here)
    assert pack.read_bytes() == before


def test_what_does_not_solve_is_told_and_the_rest_is_imported(command: Command) -> None:
    pack = command.file(
        "levels.sok",
        f"A\n\n{ONE_PUSH}\n\nSolution 1/1\nR\n\nSolution 2/2\nRd\n\nB\n\n####\n#@ #\n####\n\nSolution\nr\n",
    )
    there = command.folder / "there"
    result = command("progress", "import", pack, "--data-dir", there)
    assert (result.status, result.out) == (2, "1 level, 1 solution: 1 new or better, 0 unfinished games\n")
    result = command("info", pack, "-l", "1", "--data-dir", there)
    assert "own best      1 move, 1 push" in result.out


def test_solutions_are_counted_as_info_counts_them(command: Command) -> None:
    pack = command.file("levels.sok", f"A\n\n{TWO_PUSHES}\n\nSolution\nRR\n\nSolution\nrr\n")
    there = command.folder / "there"
    assert command("progress", "import", pack, "--data-dir", there).out.startswith("1 level, 1 solution: 1 new or")
    assert "1 level, 1 solved, 1 solution;" in command("info", pack, "--data-dir", there).out


def test_packs_of_a_folder_are_named(command: Command) -> None:
    folder = command.folder / "packs"
    for name in "ab":
        command.file(f"packs/{name}.sok", f"A\n\n{ONE_PUSH}\n\nSolution\nR\n")
    assert command("progress", "import", folder, "--data-dir", command.folder / "there").out.splitlines() == [
        f"{folder / 'a.sok'}: 1 level, 1 solution: 1 new or better, 0 unfinished games",
        f"{folder / 'b.sok'}: 1 level, 1 solution: 0 new or better, 0 unfinished games",
    ]


def test_progress_that_cannot_be_kept_is_not_imported(command: Command, here: Path) -> None:
    path = command.folder / "my.sok"
    command("progress", "export", path, "--data-dir", here)
    command.file("file", "")
    result = command("progress", "import", path, "--data-dir", command.folder / "file")
    assert (result.status, result.out, "nothing imported" in result.err) == (2, "", True)


_MARKS = "Solution,Savegame,####,; 3,Title: x,Comment:,12,rrr,#@$.#,::,a\nb,sokoterm progress"
LINES = st.text(st.characters(blacklist_categories=["Cs"]), max_size=30) | st.sampled_from(_MARKS.split(","))


@given(st.lists(LINES, min_size=1, max_size=4))
def test_any_title_comes_back(titles: list[str]) -> None:
    with TemporaryDirectory() as here, TemporaryDirectory() as there:
        store, other = progress_in(Path(here)), progress_in(Path(there))
        for width, title in enumerate(titles, start=1):
            edge = "#" * (width + 4)
            level = Level.from_xsb(f"{edge}\n#@{' ' * width}$.#\n{edge}#").replace(title=title)
            store.save_play(level, [Edit(0, "", "r")], 1, {})
        first = write(export(store).pack, "sok").data
        assert merge(other, parse(first, "file"), "file", 1.0).problems == ()
        assert write(export(other).pack, "sok").data == first
        store.close()
        other.close()


def test_boards_of_older_progress_come_from_the_library(command: Command, here: Path) -> None:
    turn_back(here, 1)
    path = command.folder / "my.sok"
    result = command("progress", "export", path, "--data-dir", here)
    assert (result.status, result.out) == (2, "0 levels, 0 solutions, 0 unfinished games\n")
    assert result.err.count("\n") == 2
    assert command("add", command.pack("levels.txt", [SEED, TWO_PUSHES]), "--data-dir", here).status == 0
    result = command("progress", "export", path, "--data-dir", here)
    assert result == (0, "2 levels, 1 solution, 1 unfinished game, 2 bookmarks\n", "")


@pytest.mark.parametrize("damage", [b"garbage", b""])
def test_export_is_not_replaced_by_less_where_progress_cannot_be_read(
    command: Command, here: Path, damage: bytes
) -> None:
    path = command.folder / "my.sok"
    assert command("progress", "export", path, "--data-dir", here).status == 0
    before = path.read_bytes()
    database = here / "progress.db"
    if damage:
        database.write_bytes(damage * 1000)
        result = command("progress", "export", path, "--data-dir", here)
    else:
        with closing(sqlite3.connect(database, isolation_level=None)) as blocker:
            blocker.execute("PRAGMA journal_mode = delete")
            blocker.execute("BEGIN EXCLUSIVE")
            result = command("progress", "export", path, "--data-dir", here)
    assert (result.status, result.out) == (2, "")
    assert f"{database}: nothing exported: it cannot be read\n" in result.err
    assert path.read_bytes() == before


def test_damaged_rows_are_not_in_the_export_and_the_rest_is(command: Command, here: Path) -> None:
    with closing(sqlite3.connect(here / "progress.db")) as connection, connection:
        connection.execute("UPDATE bookmark SET lurd = x'00' WHERE name = 'b'")
    result = command("progress", "export", command.folder / "my.sok", "--data-dir", here)
    assert result.status == 2
    assert result.out == "2 levels, 1 solution, 1 unfinished game, 1 bookmark\n"
    assert result.err == f"sokoterm: {here}/progress.db: damaged rows are left out\n"
    assert command("progress", "import", command.folder / "my.sok", "--data-dir", here).status == 0


def test_export_on_a_terminal_cannot_act_on_it(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = command.folder / "data"
    store = progress_in(folder)
    store.record(LEVEL.replace(title="A\u202eB"), "RR")
    store.close()
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    result = command("progress", "export", "-", "--data-dir", folder)
    assert "\u202e" not in result.out
    assert TWO_PUSHES in result.out


def test_only_an_export_may_be_beyond_the_limits(command: Command, here: Path) -> None:
    there, path = command.folder / "there", command.folder / "first.sok"
    command("progress", "export", path, "--data-dir", here)
    with path.open("ab") as file:
        file.truncate(65 << 20)
    result = command("progress", "import", path, "--data-dir", there)
    assert "found a binary file (a NUL byte)" in result.err
    path.write_bytes(path.read_bytes().replace(b"sokoterm progress", b"something else"))
    result = command("progress", "import", path, "--data-dir", there)
    assert (result.status, result.out) == (2, "")
    assert result.err == f"sokoterm: {path}: found more than 64 MB (--max-file raises the limit)\n"
    result = command("progress", "import", path, "--data-dir", there, "--max-file", "66")
    assert "found a binary file (a NUL byte)" in result.err


def test_what_was_solved_is_shown_by_day_and_by_pack(command: Command, here: Path) -> None:
    result = command.done("progress", "show", "--data-dir", here)
    assert result.out.splitlines()[1] == "time: 1 min 30 s (1:30 per level)"
    assert any(line.startswith("day ") for line in result.out.splitlines())
    assert command("progress", "show", "--data-dir", command.folder / "empty").out == "nothing yet: solve a level\n"
    assert not (command.folder / "empty").exists()
