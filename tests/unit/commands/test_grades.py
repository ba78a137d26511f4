"""``info --difficulty`` over many levels: by several processes, and kept in the index of the library."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest

from sokoterm.app.catalog import Grading
from sokoterm.commands import info
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.solver import difficulty
from sokoterm.solver.figures import FIGURES_VERSION, DifficultyFigures
from sokoterm.store.known_levels import Grade
from sokoterm.store.packs import find_packs, open_pack, stamp_of
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command
from tests.unit.commands.test_output import fake_stderr, shown
from tests.unit.commands.test_recorded import TURNED, NearCluster, put_in_place, rows_of

LEVELS = [ONE_PUSH, SEED, TURNED, STUCK, FEWER_MOVES, ONE_PUSH]


@pytest.fixture
def rated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The level hashes of the levels that are rated in this process."""
    hashes: list[str] = []
    rate = difficulty.figures_in_time

    def noted(level: Level, clock: Callable[[], float]) -> DifficultyFigures | None:
        hashes.append(level_hash(level))
        return rate(level, clock)

    monkeypatch.setattr(difficulty, "figures_in_time", noted)
    return hashes


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["table", "json"])
def test_jobs_change_nothing_but_the_time(command: Command, form: list[str]) -> None:
    packs = [command.pack("levels.txt", LEVELS), command.pack("more.txt", [TWO_PUSHES, TURNED])]
    one, two = (
        command("info", *packs, "--difficulty", "--jobs", jobs, *form, "--data-dir", command.folder / jobs)
        for jobs in "12"
    )
    assert (one.status, one.err) == (0, "")
    assert one == two


def test_a_level_is_rated_once(command: Command, rated: list[str]) -> None:
    pack = command.pack("levels.txt", LEVELS)
    first = command("info", pack, "--difficulty")
    assert len(rated) == len(set(rated)) == 4
    assert command("info", pack, "--difficulty", "--jobs", "2") == first
    rows = command("info", pack, "--difficulty", "--json").objects
    assert command("info", pack, "-l", "2", "--json").objects == rows[1:2]
    assert "\ndifficulty" in command("info", command.pack("copy.txt", [TURNED]), "-l", "1").out
    assert len(rated) == 4


def test_a_level_alone_makes_no_library(command: Command, rated: list[str]) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH])
    assert command("info", pack, "-l", "1").status == 0
    assert len(rated) == 1
    assert not (command.data).exists()


def test_lists_and_info_take_each_others_ratings(command: Command, rated: list[str]) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, SEED])
    assert command("info", pack, "--difficulty", "-l", "2").status == 0
    listed = [each["difficulty"] for each in command("list", "--in", pack, "--json").objects]
    (row,) = command("info", pack, "--difficulty", "-l", "2", "--json").objects
    assert isinstance(row["difficulty"], dict)
    assert listed[1] == row["difficulty"]["number"]
    (file,) = find_packs(str(pack))
    with command.index() as index:
        index.learn(file, open_pack(file), stamp_of(file))
        for _ in Grading(index, open_pack, lambda _: True).grade_levels(file.key, open_pack(file).levels):
            pass
    assert len(command("info", pack, "--difficulty").out.splitlines()) == 5
    assert len(rated) == 1


@pytest.mark.parametrize("figures", ["", "solved 1 2", "gone 1 5 1 1 1 1 1 1 0 0", "solved 1 0 1 1 1 1 1 1 0 0"])
def test_a_rating_without_usable_figures_is_made_again(command: Command, rated: list[str], figures: str) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH])
    key = level_hash(Level.from_xsb(ONE_PUSH))
    with command.index() as index:
        index.keep_grades({key: Grade(9, "9", figures)}, FIGURES_VERSION)
    (row,) = command("info", pack, "--difficulty", "--json").objects
    assert isinstance(row["difficulty"], dict)
    assert (row["difficulty"]["number"], rated) == (0, [key])
    with command.index() as index:
        assert index.graded([key], FIGURES_VERSION)[key].number == 0


def test_ratings_of_an_earlier_version_stay(command: Command) -> None:
    """The index had no column for figures then."""
    key = level_hash(Level.from_xsb(ONE_PUSH))
    with command.index():
        pass
    with closing(sqlite3.connect(command.data / "library.db")) as connection, connection:
        for statement in ("DROP INDEX level_with_more", "ALTER TABLE level DROP COLUMN has_more"):
            connection.execute(statement)
        connection.execute("ALTER TABLE grade DROP COLUMN figures")
        connection.execute("INSERT INTO grade VALUES (?, ?, 9, '9')", (key, FIGURES_VERSION))
        connection.execute("PRAGMA user_version = 6")
    with command.index() as index:
        assert index.notices == []
        assert index.graded([key], FIGURES_VERSION) == {key: Grade(9, "9")}


def test_results_in_a_file_are_kept_and_known_ones_need_no_worker(command: Command, rated: list[str]) -> None:
    cluster = NearCluster()
    put_in_place(cluster, command.monkeypatch)
    pack = command.pack("levels.txt", LEVELS)
    outs = [command.folder / "one.jsonl", command.folder / "two.jsonl"]
    assert command("info", pack, "--difficulty", "-l", "1", "--json").status == 0
    for out in outs:
        assert command("info", pack, "--difficulty", "--cluster", "x", "-o", out).status == 0
        assert len(cluster.done) == 3
    expected = command("info", pack, "--difficulty", "--json").objects
    for out in outs:
        assert sorted(rows_of(out), key=lambda row: str(row["level"])) == expected
    assert len(rated) == 4


def test_results_of_another_version_of_the_figures_are_worked_out_again(command: Command) -> None:
    cluster = NearCluster()
    put_in_place(cluster, command.monkeypatch)
    arguments = ("info", command.pack("levels.txt", [ONE_PUSH]), "--difficulty", "--cluster", "x", "-o")
    out = command.folder / "out.jsonl"
    assert command(*arguments, out).status == 0
    command.monkeypatch.setattr(info, "FIGURES_VERSION", FIGURES_VERSION + 1)
    command.monkeypatch.setattr(info, "FIGURES_VERSION", FIGURES_VERSION + 1)
    assert command(*arguments, out).status == 0
    assert len(cluster.done) == 2


def test_a_bar_shows_how_many_are_rated(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = command.pack("levels.txt", LEVELS)
    terminal = fake_stderr(monkeypatch)
    assert command("info", pack, "--difficulty").status == 0
    assert [f"{done} of 4 levels rated" in terminal.getvalue() for done in range(5)] == [True] * 4 + [False]
    assert shown(terminal) == ""
    terminal = fake_stderr(monkeypatch)
    assert command("info", pack, "--difficulty").status == 0
    assert terminal.getvalue() == ""
