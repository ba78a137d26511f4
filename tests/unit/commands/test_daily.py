"""``sokoterm daily``, and what of ``sokoterm descend`` needs no terminal."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.registry import parse
from sokoterm.generator.recipes import RECIPE
from sokoterm.store.series import Day, Effort, Floor, MadeLevel, Run, keep_day, keep_floor, keep_run
from tests.unit.app.generated import made_once
from tests.unit.commands.command import Command
from tests.unit.store.stores import locked

# A Thursday and a Friday.
DATE = "2026-01-01"


@pytest.fixture
def here(command: Command) -> Path:
    """The data folder of the command line."""
    return command.data


def test_a_day_is_printed_as_a_level_and_as_json(command: Command, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoterm.generator.make.made_by", lambda recipe, *_: made_once(recipe))
    printed = command("daily", DATE, "--print")
    (level,) = parse(printed.out.encode(), "a day").levels
    assert level.title == f"Daily {DATE}"
    found = json.loads(command("daily", DATE, "--json").out)
    assert level_hash(Level.from_xsb(found["xsb"])) == level_hash(level) == found["hash"]
    assert (found["date"], found["level"], found["solved"], found["streak"]) == (DATE, 1, False, 0)
    assert found["par"] > 3
    assert not (here / "progress.db").exists()  # a look makes no file


def test_a_day_that_was_solved_as_another_recipe_made_it_stays_so(command: Command) -> None:
    today = datetime.now(UTC)
    made = MadeLevel(RECIPE + 1, "#####\n#@$.#\n#####", "R")
    with command.progress(today.timestamp()) as store:
        keep_day(store, Day(today.date(), made, Effort(3.0, 1, 0, 0, today.timestamp(), 1, 1)))
    found = json.loads(command("daily", f"{today.date()}", "--json").out)
    assert (found["xsb"], found["par"]) == (made.xsb, 1)
    assert (found["solved"], found["on_time"], found["undos"], found["streak"]) == (True, True, 1, 1)


def test_a_day_without_a_level_is_told(command: Command) -> None:
    for date in ("2025-12-31", f"{datetime.now(UTC).date() + timedelta(days=2)}"):
        assert command.refusal("daily", date, "--print").startswith(
            f"found {date}, expected a day from 2026-01-01 to today, "
        )


def test_a_floor_is_printed(command: Command) -> None:
    printed = command("descend", "--seed", "7", "--print", "1")
    (level,) = parse(printed.out.encode(), "a floor").levels
    assert level.title == "Descent 7, floor 1"
    assert command("descend", "--seed", "7", "--print", "1", "--data-dir", command.folder).out == printed.out


def test_a_run_below_par_is_listed_as_such(command: Command) -> None:
    run = Run(7, 1_000_000_000.0, 1_000_000_000.0)
    made = MadeLevel(1, "#######\n#@$  .#\n#######", "RRR")
    with command.progress() as store:
        keep_run(store, run)
        keep_floor(store, run, Floor(1, made, 20.0, Effort(30.0, 0, 0, 0, 20.0, 1, 1)))
    heading, row = command("descend", "--runs").out.splitlines()
    assert heading.split() == ["seed", "floors", "over", "undos", "hints", "seen", "time", "started", "who"]
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
    with command.progress() as store:
        keep_run(store, Run(7, 1_000_000_000.0, 1_000_000_000.0))
    with locked(here):
        found = command(*arguments)
    said = "sokoterm: progress cannot be read: the database is locked by another program\n"
    assert (found.status, found.out, found.err) == (2, "", said)
