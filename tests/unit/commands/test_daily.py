"""``sokoterm daily``, and what of ``sokoterm descend`` needs no terminal."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.registry import parse
from sokoterm.generator.recipes import RECIPE
from sokoterm.store.progress import ProgressStore
from sokoterm.store.series import Day, Effort, Floor, MadeLevel, Run, keep_day, keep_floor, keep_run
from tests.unit.commands.command import Command
from tests.unit.store.stores import locked

# A Thursday and a Friday.
DATE = "2026-01-01"


@pytest.fixture
def here(command: Command) -> Path:
    """The data folder of the command line."""
    return command.folder / "sokoterm_data"


def test_a_day_is_printed_as_a_level_and_as_json(command: Command, here: Path) -> None:
    printed = command("daily", DATE, "--print")
    (level,) = parse(printed.out.encode(), "a day").levels
    assert level.title == f"Daily {DATE}"
    found = json.loads(command("daily", DATE, "--json").out)
    assert level_hash(Level.from_xsb(found["xsb"])) == level_hash(level) == found["hash"]
    assert (found["date"], found["level"], found["solved"], found["streak"]) == (DATE, 1, False, 0)
    assert found["par"] > 3
    assert not (here / "progress.db").exists()  # a look makes no file


def test_a_day_that_was_solved_as_another_recipe_made_it_stays_so(command: Command, here: Path) -> None:
    today = datetime.now(UTC)
    made = MadeLevel(RECIPE + 1, "#####\n#@$.#\n#####", "R")
    here.mkdir()
    store = ProgressStore.open(str(here / "progress.db"), today.timestamp)
    keep_day(store, Day(today.date(), made, Effort(3.0, 1, 0, 0, today.timestamp(), 1, 1)))
    assert store.close() is None
    found = json.loads(command("daily", f"{today.date()}", "--json").out)
    assert (found["xsb"], found["par"]) == (made.xsb, 1)
    assert (found["solved"], found["on_time"], found["undos"], found["streak"]) == (True, True, 1, 1)


def test_a_day_without_a_level_is_told(command: Command) -> None:
    for date in ("2025-12-31", f"{datetime.now(UTC).date() + timedelta(days=2)}"):
        found = command("daily", date, "--print")
        assert (found.status, found.out) == (2, "")
        assert found.err.startswith(f"sokoterm: found {date}, expected a day from 2026-01-01 to today, ")
        assert found.err.count("\n") == 1


@pytest.mark.parametrize("date", ["yesterday", "2026-1-1", "20260101", "2026-02-30", "2026-W01-1"])
def test_what_is_no_date_is_told(command: Command, date: str) -> None:
    found = command("daily", date)
    assert (found.status, found.out) == (2, "")
    assert f"found '{date}', expected a date as YYYY-MM-DD" in found.err


def test_a_floor_is_printed(command: Command) -> None:
    printed = command("descend", "--seed", "7", "--print", "1")
    (level,) = parse(printed.out.encode(), "a floor").levels
    assert level.title == "Descent 7, floor 1"
    assert command("descend", "--seed", "7", "--print", "1").out == printed.out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--seed", "x"], "found 'x', expected a whole number from 0 to 999,999,999"),
        (["--seed", "-1"], "found '-1', expected a whole number from 0 to 999,999,999"),
        (["--seed", "1000000000"], "found '1000000000', expected a whole number"),
        (["--print", "1"], "found --print without --seed, expected both"),
    ],
)
def test_what_is_no_seed_is_told(command: Command, arguments: list[str], problem: str) -> None:
    found = command("descend", *arguments)
    assert (found.status, found.out) == (2, "")
    assert problem in found.err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["daily", "--print", "--json"], "found --print and --json, expected one of them"),
        (["daily", "--json", "--ascii"], "found --theme, which has no effect on what is printed"),
        (["daily", "--print", "--scores", "x"], "found --scores, which has no effect on what is printed"),
        (["daily", "--json", "--host"], "found --host, which has no effect on what is printed"),
        (["daily", "--print", "-c", "ls"], "found a command, expected none"),
        (["descend", "--seed", "3", "--print", "1", "--runs"], "found --print and --runs, expected one of them"),
        (["descend", "--seed", "3", "--print", "1", "--json"], "found --print and --json, expected one of them"),
        (["descend", "--seed", "3", "--print", "1", "--account", "ann"], "found --account, which has no effect on"),
        (["descend", "--runs", "--seed", "4"], "found --seed, but all runs are printed"),
        (["descend", "--runs", "--idle", "4"], "found --idle, which has no effect on what is printed"),
        (["descend", "--json", "--stats"], "found --stats, which has no effect on what is printed"),
        (["descend", "--runs", "-c", "ls"], "found a command, expected none"),
    ],
)
def test_a_flag_that_does_nothing_to_what_is_printed_is_told(
    command: Command, arguments: list[str], problem: str
) -> None:
    found = command(*arguments)
    assert (found.status, found.out) == (2, "")
    assert problem in found.err


def test_a_run_below_par_is_listed_as_such(command: Command, here: Path) -> None:
    here.mkdir()
    store = ProgressStore.open(str(here / "progress.db"), lambda: 0.0)
    run = Run(7, 1_000_000_000.0, 1_000_000_000.0)
    keep_run(store, run)
    made = MadeLevel(1, "#######\n#@$  .#\n#######", "RRR")
    keep_floor(store, run, Floor(1, made, 20.0, Effort(30.0, 0, 0, 0, 20.0, 1, 1)))
    store.close()
    heading, row = command("descend", "--runs").out.splitlines()
    assert heading.split() == ["seed", "floors", "over", "undos", "hints", "seen", "time", "begun", "who"]
    assert row.split()[:3] == ["7", "1", "-2"]
    assert [row[heading.index(name) + len(name) - 1] for name in ("seed", "floors", "over")] == ["7", "1", "2"]
    assert row.endswith("  2001-09-09  you, open")


def test_there_are_no_runs_yet(command: Command, here: Path) -> None:
    found = command("descend", "--runs")
    assert (found.status, found.out, found.err) == (0, "no runs yet: sokoterm descend begins one\n", "")
    assert command("descend", "--json").out == ""
    assert not (here / "progress.db").exists()


@pytest.mark.parametrize(
    "arguments", [["descend", "--runs"], ["descend", "--plain"], ["daily", "--plain"], ["daily", DATE, "--json"]]
)
def test_what_cannot_be_read_is_not_taken_for_none(command: Command, here: Path, arguments: list[str]) -> None:
    here.mkdir()
    store = ProgressStore.open(str(here / "progress.db"), lambda: 0.0)
    keep_run(store, Run(7, 1_000_000_000.0, 1_000_000_000.0))
    store.close()
    with locked(here):
        found = command(*arguments)
    said = "sokoterm: progress cannot be read: the database is locked by another program\n"
    assert (found.status, found.out, found.err) == (2, "", said)


def test_without_a_terminal_it_says_so(command: Command) -> None:
    assert "standard output is not a terminal" in command("daily", DATE).err
    assert "standard output is not a terminal" in command("descend", "--seed", "7").err
