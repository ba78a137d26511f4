"""Daily levels: the same for everyone, one for each day of UTC."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from sokoterm.app.background import BuildJob
from sokoterm.app.catalog import Catalog
from sokoterm.app.options import DAILY
from sokoterm.app.series.generated_pack import GeneratedPack, build_job
from sokoterm.engine.level import Level, LevelError
from sokoterm.generator.recipes import RECIPE, Recipe, day_recipe
from sokoterm.store.packs import PackError
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.series import (
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


class DailyPack(GeneratedPack):
    """The days whose levels were generated; a level has the number of its day."""

    def __init__(
        self, store: ProgressStore, catalog: Catalog, scores: ScoreTable | None, clock: Callable[[], float]
    ) -> None:
        """Raises PackError if the days cannot be read."""
        super().__init__(DAILY, store, catalog, scores, clock)
        self._days: dict[int, Day] = {}
        self._levels: dict[int, Level] = {}
        for day in self._kept_days():
            self._add(day)
        self._show_levels(self._levels.values())

    @property
    def today(self) -> int:
        """The number of this day."""
        return number_of(day_of(self._clock()))

    @property
    def streak(self) -> Streak:
        return streak(days_on_time(self._days.values()), day_of(self._clock()))

    def day(self, number: int) -> Day:
        """A day whose level was generated."""
        return self._days[number]

    # Levels

    def find_number(self, text: str) -> int:
        return find_number(text) or super().find_number(text)

    def start_number(self) -> int | None:
        return self.today

    def next_number(self, number: int) -> int | None:
        return number + 1 if number < self.today else None

    def previous_number(self, number: int) -> int | None:
        return number - 1 if number > 1 else None

    def next_unsolved(self, number: int) -> int | None:
        """Today, if that is another day and open; earlier days are played only on request."""
        return self.today if number != self.today and not self.is_solved(self.today) else None

    # Generated levels

    def recipe(self, number: int) -> Recipe:
        day = day_of_number(number)
        return day_recipe(number, day.weekday(), day.isoformat())

    def is_making(self, number: int) -> bool:
        return 1 <= number <= self.today and number not in self._days

    def jobs(self, number: int) -> Sequence[BuildJob]:
        if not self.is_making(number):
            return ()
        date = day_of_number(number)

        def take(made: MadeLevel) -> None:
            # Another session may have built it by now; the effort kept with that one is never overwritten.
            with suppress(PackError):
                for kept in self._kept_days():
                    if kept.date == date:
                        self._add(kept)
            if number not in self._days:
                self._add(Day(date, made))
                keep_day(self._store, self._days[number])
            self._show_levels(self._levels[each] for each in sorted(self._levels))

        return [build_job((number,), self.recipe(number), take)]

    def _kept_days(self) -> Iterator[Day]:
        """The days on disk; a level of an older recipe is generated again unless it was solved."""
        return (day for day in all_days(self._store) if day.stands(RECIPE))

    def _add(self, day: Day) -> bool:
        """Add a day and its level, unless the row that kept it is damaged."""
        number = number_of(day.date)
        try:
            self._levels[number] = self._level_of(day.made, number)
        except LevelError:
            return False
        self._days[number] = day
        return True

    def find_made(self, number: int) -> MadeLevel | None:
        day = self._days.get(number)
        return day.made if day is not None else None

    def find_effort(self, number: int) -> Effort | None:
        day = self._days.get(number)
        return day.effort if day is not None else None

    def keep_effort(self, number: int, effort: Effort) -> None:
        self._days[number] = self._days[number]._replace(effort=effort)
        keep_day(self._store, self._days[number])

    def has_result(self, number: int) -> bool:
        return self.is_solved(number)
