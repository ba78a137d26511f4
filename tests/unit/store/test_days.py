"""Daily levels and streaks."""

import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from sokoterm.store.series import (
    FIRST_DAY,
    Day,
    Effort,
    MadeLevel,
    Streak,
    all_days,
    day_of,
    day_of_number,
    days_on_time,
    find_number,
    keep_day,
    number_of,
    streak,
)
from tests.unit.store.stores import open_store

MADE = MadeLevel(1, "#####\n#@$.#\n#####", "R")
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
    store.close()


@pytest.mark.parametrize("hurt", ["solved = 999999999999", "lurd = 'Rx'", "lurd = x'ff'", "date = 'never'"])
def test_a_day_that_is_damaged_is_as_good_as_none(tmp_path: Path, hurt: str) -> None:
    store = open_store(tmp_path)
    keep_day(store, solved(TODAY))
    assert store.close() is None
    with closing(sqlite3.connect(tmp_path / "progress.db")) as connection, connection:
        connection.execute(f"UPDATE day SET {hurt}")
    store = open_store(tmp_path)
    assert all_days(store) == []
    store.close()


def test_a_day_that_is_made_anew_keeps_what_was_put_into_it(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    keep_day(store, Day(TODAY, MADE, Effort(5.0, 2, 1)))
    assert store.save_rows() is None
    keep_day(store, Day(TODAY, MADE))
    assert store.save_rows() is None
    assert all_days(store) == [Day(TODAY, MADE, Effort(5.0, 2, 1))]
    newer = Day(TODAY, MADE._replace(recipe=2))
    keep_day(store, newer)
    assert store.save_rows() is None
    assert all_days(store) == [newer]
    store.close()


def test_a_day_once_solved_stays_as_it_is(tmp_path: Path) -> None:
    store, other = open_store(tmp_path), open_store(tmp_path)
    keep_day(store, solved(TODAY))
    assert store.save_rows() is None
    keep_day(other, Day(TODAY, MADE, Effort(5.0, 9)))
    assert other.close() is None
    assert all_days(store) == [solved(TODAY)]
    store.close()
