"""Daily levels and streaks; descents in the store, and their totals."""

import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from sokoterm.store.progress import ProgressStore
from sokoterm.store.series import (
    FIRST_DAY,
    Day,
    Effort,
    Floor,
    MadeLevel,
    Run,
    RunScore,
    Streak,
    all_days,
    all_floors,
    all_runs,
    day_of,
    day_of_number,
    days_on_time,
    find_number,
    floors_of,
    keep_day,
    keep_floor,
    keep_run,
    number_of,
    rank,
    score_of,
    streak,
)
from tests.unit.store.stores import open_store, spoil

MADE = MadeLevel(1, "######\n#@$ .#\n######", "RR")
TODAY = date(2026, 11, 22)


def solved(day: date, hour: float = 12.0) -> Day:
    """Return a day that was solved so many hours after it began."""
    moment = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(hours=hour)
    return Day(day, MADE, Effort(1.0, 0, 0, 0, moment.timestamp(), 1, 1))


def ago(days: int) -> date:
    return TODAY - timedelta(days=days)


def test_days_are_numbered_from_the_first_one() -> None:
    assert number_of(FIRST_DAY) == 1
    assert day_of_number(number_of(TODAY)) == TODAY
    assert find_number("2026-01-31") == 31
    assert find_number("2026-02-30") is None


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([], Streak(0, 0)),
        ([0], Streak(1, 1)),
        ([1, 2, 3], Streak(3, 3)),  # today can still be solved
        ([2, 3, 4], Streak(0, 3)),
        ([0, 1, 3, 4, 5, 6], Streak(2, 4)),
    ],
)
def test_a_streak_is_of_days_in_a_row(days: list[int], expected: Streak) -> None:
    assert streak(days_on_time(solved(ago(day)) for day in days), TODAY) == expected


def test_a_day_that_is_solved_later_does_not_count() -> None:
    days = [solved(ago(0)), solved(ago(1), hour=24.01), solved(ago(2))]
    assert [day.is_on_time for day in days] == [True, False, True]
    assert streak(days_on_time(days), TODAY) == Streak(1, 1)
    assert streak(days_on_time([solved(ago(0), hour=0.0), solved(ago(1), hour=23.99)]), TODAY) == Streak(2, 2)


def test_days_are_those_of_utc() -> None:
    assert day_of(datetime(2026, 11, 22, 23, 59, 59, tzinfo=UTC).timestamp()) == TODAY


def test_days_are_kept_with_what_was_put_into_them(tmp_path: Path) -> None:
    days = [Day(ago(1), MADE, Effort(61.5, 2, 1, 1)), solved(TODAY)]
    store = open_store(tmp_path)
    for day in days:
        keep_day(store, day)
    assert store.close() is None
    store = open_store(tmp_path)
    assert all_days(store) == days


@pytest.mark.parametrize("hurt", ["solved = 999999999999", "lurd = 'Rx'", "lurd = x'ff'", "date = 'never'"])
def test_a_day_that_is_damaged_is_as_good_as_none(tmp_path: Path, hurt: str, store: ProgressStore) -> None:
    keep_day(store, solved(TODAY))
    assert store.close() is None
    spoil(tmp_path, f"UPDATE day SET {hurt}")
    store = open_store(tmp_path)
    assert all_days(store) == []


def test_a_day_that_is_made_anew_keeps_what_was_put_into_it(store: ProgressStore) -> None:
    keep_day(store, Day(TODAY, MADE, Effort(5.0, 2, 1)))
    assert store.save_rows() is None
    keep_day(store, Day(TODAY, MADE))
    assert store.save_rows() is None
    assert all_days(store) == [Day(TODAY, MADE, Effort(5.0, 2, 1))]
    newer = Day(TODAY, MADE._replace(recipe=2))
    keep_day(store, newer)
    assert store.save_rows() is None
    assert all_days(store) == [newer]


def test_a_day_once_solved_stays_as_it_is(tmp_path: Path) -> None:
    store, other = open_store(tmp_path), open_store(tmp_path)
    keep_day(store, solved(TODAY))
    assert store.save_rows() is None
    keep_day(other, Day(TODAY, MADE, Effort(5.0, 9)))
    assert other.close() is None
    assert all_days(store) == [solved(TODAY)]


# Descents

FLOORS = [
    Floor(1, MADE, 10.0, Effort(30.0, 2, 0, 0, 20.0, 3, 5)),
    Floor(2, MADE, 20.0, Effort(60.0, 1, 1, 1, 30.0, 2, 2)),
    Floor(3, MADE, 30.0, Effort(15.0, 0, 2)),
    Floor(4, MADE),
]


def test_a_run_comes_to_what_its_floors_took() -> None:
    assert score_of(Run(7, 5.0, 6.0), FLOORS) == RunScore("", 7, 5.0, False, 2, 1, 3, 3, 1, 5, 7, 105.0)
    assert score_of(Run(7, 5.0, 6.0, 8.0), []) == RunScore("", 7, 5.0, True, 0, 0, 0, 0, 0, 0, 0, 0.0)


def run_of(*figures: int, begun: float = 5.0) -> RunScore:
    """A run by floors, pushes over par, undos, hints, solutions shown, pushes and moves."""
    floors, over, undos, hints, shown, pushes, moves = figures
    return RunScore("", 7, begun, False, floors, over, undos, hints, shown, pushes, moves, 9.0)


def test_the_deepest_run_is_the_best_and_then_the_one_that_needed_least() -> None:
    deep, alone = run_of(3, 9, 9, 0, 0, 9, 9), run_of(2, 4, 4, 0, 0, 9, 9)
    helped, shown = run_of(2, 0, 0, 1, 0, 9, 9), run_of(2, 0, 0, 0, 1, 9, 9)
    later = run_of(2, 4, 4, 0, 0, 9, 9, begun=6.0)
    assert sorted([shown, helped, alone, deep, later], key=rank) == [deep, later, alone, helped, shown]


def test_runs_and_floors_are_kept(tmp_path: Path, store: ProgressStore) -> None:
    runs = [Run(7, 1.0, 5.0), Run(7, 2.0, 3.0, 4.0)]
    for run in runs:
        keep_run(store, run)
    for floor in FLOORS:
        keep_floor(store, runs[0], floor)
    assert store.close() is None
    store = open_store(tmp_path)
    assert all_runs(store) == runs
    assert [*floors_of(store, runs[0]).values()] == FLOORS
    assert floors_of(store, runs[1]) == {}
    assert all_floors(store) == {(7, 1.0): FLOORS}


def test_what_is_damaged_is_as_good_as_none(tmp_path: Path) -> None:
    store, run = open_store(tmp_path), Run(7, 1.0, 5.0)
    for each in (run, Run(7, 999999999999.0, 5.0)):
        keep_run(store, each)
    for floor in FLOORS[:2]:
        keep_floor(store, run, floor)
    assert store.close() is None
    spoil(tmp_path, "UPDATE floor SET lurd = 'Rx' WHERE number = 2")
    store = open_store(tmp_path)
    assert all_runs(store) == [run]
    assert floors_of(store, run) == {1: FLOORS[0]}
    assert all_floors(store) == {(7, 1.0): FLOORS[:1]}


def test_a_run_that_has_ended_and_a_floor_that_is_solved_stay_so(tmp_path: Path) -> None:
    store, other = open_store(tmp_path), open_store(tmp_path)
    keep_run(store, Run(7, 1.0, 5.0, 5.0))
    keep_floor(store, Run(7, 1.0, 5.0), FLOORS[0])
    assert store.save_rows() is None
    keep_run(other, Run(7, 1.0, 9.0))
    keep_floor(other, Run(7, 1.0, 9.0), Floor(1, MADE, 10.0, Effort(99.0, 9)))
    assert other.close() is None
    assert all_runs(store) == [Run(7, 1.0, 9.0, 5.0)]
    assert floors_of(store, Run(7, 1.0, 5.0)) == {1: FLOORS[0]}


def test_a_floor_that_is_made_anew_stays_entered(tmp_path: Path) -> None:
    store, run = open_store(tmp_path), Run(7, 1.0, 5.0)
    for floor in (FLOORS[2], Floor(3, MADE)):
        keep_floor(store, run, floor)
        assert store.save_rows() is None
    assert floors_of(store, run) == {3: FLOORS[2]}


def test_rows_wait_for_a_database_that_is_locked(tmp_path: Path, store: ProgressStore) -> None:
    with closing(sqlite3.connect(tmp_path / "progress.db", isolation_level=None)) as blocker:
        blocker.execute("BEGIN EXCLUSIVE")
        keep_run(store, Run(7, 1.0, 5.0))
        assert store.save_rows() == "progress not saved yet: the database is locked by another program"
    assert store.save_rows() is None
    assert all_runs(store) == [Run(7, 1.0, 5.0)]
