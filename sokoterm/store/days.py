"""Daily levels: those generated, the effort put into each, and the streak of days solved.

Days are in UTC and numbered from 1, which is 1 January 2026.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from sokoterm.store.rows import Effort, MadeLevel, Store, is_date, made_level, upsert

FIRST_DAY = date(2026, 1, 1)

_SAVE = upsert("day", ["date"], [*MadeLevel._fields, *Effort._fields])
_ALL = f"SELECT date, {', '.join([*MadeLevel._fields, *Effort._fields])} FROM day ORDER BY date"


class Day(NamedTuple):
    """A day whose level was generated, and the effort put into it."""

    date: date
    made: MadeLevel
    effort: Effort = Effort()

    @property
    def is_on_time(self) -> bool:
        """True if it was solved on its own day."""
        return self.effort.solved is not None and day_of(self.effort.solved) == self.date

    def stands(self, recipe: int) -> bool:
        """True if it is kept under a recipe: levels of other recipes are kept only if they are solved."""
        return self.made.recipe == recipe or self.effort.solved is not None


class _DayRow(NamedTuple):
    """A row of the table of days."""

    date: str
    recipe: int
    xsb: str
    lurd: str
    seconds: float
    undos: int
    hints: int
    shown: int
    solved: float | None
    pushes: int
    moves: int

    def day(self) -> Day | None:
        """Return the day, None if the row is damaged."""
        day = day_from_text(self.date)
        made = made_level(self.recipe, self.xsb, self.lurd)
        if day is None or made is None or not (self.solved is None or is_date(self.solved)):
            return None
        return Day(day, made, Effort(*self[4:]))


class Streak(NamedTuple):
    """The number of consecutive days solved on their own day: the current streak, and the longest."""

    now: int
    longest: int


def day_of(seconds: float) -> date:
    """Return the day of a moment."""
    return datetime.fromtimestamp(seconds, UTC).date()


def number_of(day: date) -> int:
    """Return the number of a day, 1 for the first with a level."""
    return (day - FIRST_DAY).days + 1


def day_of_number(number: int) -> date:
    """Return the day with a number."""
    return FIRST_DAY + timedelta(days=number - 1)


def day_from_text(text: str) -> date | None:
    """Return the day of a date YYYY-MM-DD, None for other text."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None


def find_number(text: str) -> int | None:
    """Return the number of the day of a date, None for other text."""
    day = day_from_text(text)
    return number_of(day) if day is not None else None


def all_days(store: Store) -> list[Day]:
    """Return the days whose levels were generated, in order; damaged rows are skipped."""
    return [day for row in store.rows(_ALL, (), _DayRow) if (day := row.day()) is not None]


def keep_day(store: Store, day: Day) -> None:
    """Queue a day for the next save."""
    key = day.date.isoformat()
    store.keep(_SAVE, (key,), (key, *day.made, *day.effort))


def streak(days: Iterable[Day], today: date) -> Streak:
    """Return the streaks; a day that can still be solved today does not break one."""
    longest = run = 0
    before: date | None = None
    for day in sorted(each.date for each in days if each.is_on_time):
        run = run + 1 if before is not None and day == before + timedelta(days=1) else 1
        longest = max(longest, run)
        before = day
    is_unbroken = before is not None and before >= today - timedelta(days=1)
    return Streak(run if is_unbroken else 0, longest)
