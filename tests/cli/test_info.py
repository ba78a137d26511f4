"""``sokoterm info``."""

from pathlib import Path

from sokoterm.engine.game import Edit
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.library.progress import Progress
from tests.cli.command import ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command


def progress_in(folder: Path) -> Progress:
    return Progress.open(str(folder / "progress.db"), lambda: 1.0)


def test_figures_and_totals(command: Command) -> None:
    pack = command.folder / "levels.txt"
    pack.write_text(f"{SEED}\nTitle: Narrow\nAuthor: Ann\nComment: Mind the corner.\n", "utf-8")
    result = command("info", pack, "--json")
    assert result.status == 0
    assert result.objects == [
        {
            "pack": str(pack),
            "level": 1,
            "title": "Narrow",
            "author": "Ann",
            "comment": "Mind the corner.",
            "width": 8,
            "height": 8,
            "boxes": 4,
            "goals": 4,
            "floor": 23,
            "dead_squares": 10,
            "hash": level_hash(Level.from_xsb(SEED)),
            "solutions": 0,
            "records": [],
        }
    ]
    path, _, row, totals = command("info", pack).out.splitlines()
    assert path == str(pack)
    assert row.split() == ["1", "8x8", "4", "4", "23", "10", "0", level_hash(Level.from_xsb(SEED)), "Narrow,", "Ann"]
    assert totals == "1 level, 0 solved, 0 solutions; levels"


def test_open_play_of_one_level(command: Command) -> None:
    pack = command.pack("levels.txt", [TWO_PUSHES])
    folder = command.folder / "data"
    store = progress_in(folder)
    store.save_play(Level.from_xsb(TWO_PUSHES), [Edit(0, "", "R")], 1, {})
    store.close()
    assert "open play     1 move\n" in command("info", pack, "-l", "1", "--data-dir", folder).out


def test_solutions_of_the_progress_are_counted(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES])
    folder = command.folder / "data"
    progress = progress_in(folder)
    progress.record(Level.from_xsb(ONE_PUSH), "R")
    progress.close()
    turned = command.pack("turned.txt", ["\n".join("".join(row) for row in zip(*ONE_PUSH.split("\n"), strict=True))])
    arguments: list[str | Path] = ["--data-dir", folder, "--json"]
    assert [each["solutions"] for each in command("info", pack, *arguments).objects] == [1, 0]
    assert [each["solutions"] for each in command("info", turned, *arguments).objects] == [1]
    assert "2 levels, 1 solved, 1 solution;" in command("info", pack, "--data-dir", folder).out


def test_info_makes_no_progress_of_its_own(command: Command) -> None:
    folder = command.folder / "data"
    assert command("info", command.pack("levels.txt", [ONE_PUSH]), "--data-dir", folder).status == 0
    assert not folder.exists()


def test_level_that_is_not_there(command: Command) -> None:
    result = command("info", command.pack("levels.txt", [STUCK]), "-l", "2")
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
