"""The levels of days: which were made, what became of them, and how many were solved in a row.

A day is one of UTC, and counts from the first of 2026, which has the number 1.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from sokoterm.store.rows import Effort, MadeLevel, Store, is_date, made_level, upsert

FIRST_DAY = date(2026, 1, 1)

_SAVE = upsert("day", ["date"], [*MadeLevel._fields, *Effort._fields])
_ALL = f"SELECT date, {', '.join([*MadeLevel._fields, *Effort._fields])} FROM day ORDER BY date"


class Day(NamedTuple):
    """A day whose level was made, and what has been done of it."""

    date: date
    made: MadeLevel
    effort: Effort = Effort()

    @property
    def is_on_time(self) -> bool:
        """Whether it was solved on its own day."""
        return self.effort.solved is not None and day_of(self.effort.solved) == self.date

    def stands(self, recipe: int) -> bool:
        """Whether it stays when levels are made by a recipe: of those by another one only what was solved does."""
        return self.made.recipe == recipe or self.effort.solved is not None


class Streak(NamedTuple):
    """How many days in a row were solved on their own day: up to now, and at most."""

    now: int
    longest: int


def day_of(seconds: float) -> date:
    """The day of a moment."""
    return datetime.fromtimestamp(seconds, UTC).date()


def number_of(day: date) -> int:
    """The number of a day, 1 for the first one that has a level."""
    return (day - FIRST_DAY).days + 1


def day_of_number(number: int) -> date:
    """The day of a number."""
    return FIRST_DAY + timedelta(days=number - 1)


def day_from_text(text: str) -> date | None:
    """The day of a date, YYYY-MM-DD; None for what is none."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None


def find_number(text: str) -> int | None:
    """The number of a day by its date; None for what is no date."""
    day = day_from_text(text)
    return number_of(day) if day is not None else None


def all_days(store: Store) -> list[Day]:
    """The days whose levels were made, in order; a row that is damaged is as good as none."""
    return [day for day in store.rows(_ALL, (), _day) if day is not None]


def keep_day(store: Store, day: Day) -> None:
    """Have a day written with the next save."""
    key = day.date.isoformat()
    store.keep(_SAVE, (key,), (key, *day.made, *day.effort))


def streak(days: Iterable[Day], today: date) -> Streak:
    """The days in a row; one that can still be solved today does not break them."""
    longest = run = 0
    before: date | None = None
    for day in sorted(each.date for each in days if each.is_on_time):
        run = run + 1 if before is not None and day == before + timedelta(days=1) else 1
        longest = max(longest, run)
        before = day
    is_unbroken = before is not None and before >= today - timedelta(days=1)
    return Streak(run if is_unbroken else 0, longest)


def _day(
    text: str,
    recipe: int,
    xsb: str,
    lurd: str,
    seconds: float,
    undos: int,
    hints: int,
    shown: int,
    solved: float | None,
    pushes: int,
    moves: int,
) -> Day | None:
    day = day_from_text(text)
    made = made_level(recipe, xsb, lurd)
    if day is None or made is None or not (solved is None or is_date(solved)):
        return None
    return Day(day, made, Effort(seconds, undos, hints, shown, solved, pushes, moves))
