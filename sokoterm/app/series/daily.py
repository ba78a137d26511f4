"""The level of a day: the same for everybody, one for each day of UTC."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from sokoterm.app.catalog import Catalog
from sokoterm.app.level_builder import BuildJob
from sokoterm.app.options import DAILY
from sokoterm.app.scoreboard import Scoreboard
from sokoterm.app.series.generated_pack import (
    GeneratedPack,
    build_job,
    clock_time,
    fitting,
    helped,
    level_of,
    over_briefly,
    over_par,
)
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.text import counted
from sokoterm.generator.recipes import RECIPE, day_recipe
from sokoterm.store.days import (
    FIRST_DAY,
    Day,
    Streak,
    all_days,
    day_of,
    day_of_number,
    find_number,
    keep_day,
    number_of,
    streak,
)
from sokoterm.store.packs import PackError
from sokoterm.store.progress import ProgressStore
from sokoterm.store.rows import Effort, MadeLevel


class DailyPack(GeneratedPack):
    """The days whose levels were made; a level has the number of its day."""

    def __init__(
        self, store: ProgressStore, catalog: Catalog, scores: Scoreboard | None, clock: Callable[[], float]
    ) -> None:
        """Raises PackError where it cannot be read which days there are."""
        super().__init__(DAILY, "Daily", store, catalog, scores, clock)
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
        return streak(self._days.values(), day_of(self._clock()))

    @property
    def standing(self) -> str:
        days = self.streak.now
        row = f"streak {days}" if days else ""
        return ", ".join(filter(None, ("solved" if self.is_solved(self.today) else "", row))) or "new"

    @property
    def facts(self) -> str:
        row = self.streak
        return f"{_title(self.today)}: one level a day for everybody; streak {row.now}, longest {row.longest}"

    # As of every pack session

    def heading(self, level: Level) -> str:
        return _title(level.number)

    spoken_heading = heading

    def listed_title(self, level: Level) -> str:
        return day_of_number(level.number).isoformat()

    def remark(self, level: Level, key: str, *, is_solved: bool) -> str:  # noqa: ARG002 - a day is no run
        day = self._days[level.number]
        if day.effort.solved is None or not is_solved:
            known = f", solved in {day.effort.pushes}" if day.effort.solved is not None else ""
            return f"par {day.made.par} pushes{known}; {counted(level.boxes, 'box')}"
        effort, row = day.effort, self.streak
        over = over_briefly(effort.pushes - day.made.par)
        took = f"{effort.pushes} pushes ({over}), {effort.moves} moves, {clock_time(effort.seconds)}"
        streaks = f"streak {row.now}, longest {row.longest}"
        return fitting(f"{took}, {helped(effort)}; {streaks}", f"{took}, {helped(effort, is_brief=True)}; {streaks}")

    def solved_text(self, level: Level, key: str) -> str:  # noqa: ARG002 - there is nothing to go on to
        return f"{over_par(self._days[level.number].effort.pushes - self.find_par(level.number))}"

    def result(self, level: Level) -> str:
        """``sokoterm daily 2026-11-22: 34 pushes (par 31), 87 moves, 2:41, no undo, streak 5``, briefer if too long."""
        day = self._days.get(level.number)
        if day is None or day.effort.solved is None:
            return ""
        effort, name = day.effort, f"sokoterm daily {day.date.isoformat()}"
        row = f", streak {self.streak.now}" if day.is_on_time and level.number == self.today else ""
        pushes, over = f"{effort.pushes} pushes", over_briefly(effort.pushes - day.made.par)
        took, time = f"{pushes} (par {day.made.par}), {effort.moves} moves", clock_time(effort.seconds)
        needed, briefly = helped(effort), helped(effort, is_brief=True)
        return fitting(
            f"{name}: {took}, {time}, {needed}{row}",
            f"{name}: {took}, {time}, {briefly}{row}",
            f"{name}: {pushes} ({over}), {effort.moves} moves, {time}, {briefly}{row}",
            *(f"{each}: {pushes} ({over}), {time}, {briefly}{row}" for each in (name, name.partition(" ")[2])),
        )

    def awaited_heading(self, number: int) -> str:
        return _title(number)

    def start_number(self) -> int | None:
        return self.today

    def next_number(self, number: int) -> int | None:
        return number + 1 if number < self.today else None

    def previous_number(self, number: int) -> int | None:
        return number - 1 if number > 1 else None

    def next_unsolved(self, number: int) -> int | None:
        """Today, where that is another day and open; the days before are for who asks for them."""
        return self.today if number != self.today and not self.is_solved(self.today) else None

    def why_no_next(self, number: int) -> str:  # noqa: ARG002
        return "the next level comes with the next day (UTC)"

    def why_no_unsolved(self, number: int) -> str:
        today = "today's level is solved: " if self.is_solved(self.today) else ""
        return today + self.why_no_next(number)

    @property
    def number_noun(self) -> str:
        return "day (YYYY-MM-DD)"

    def find_number(self, text: str) -> int:
        return find_number(text) or super().find_number(text)

    def why_missing(self, number: int) -> str:  # noqa: ARG002
        return f"no such day: levels go from {FIRST_DAY} to {day_of_number(self.today)}"

    # What is made

    def is_making(self, number: int) -> bool:
        return 1 <= number <= self.today and number not in self._days

    def jobs(self, number: int) -> Sequence[BuildJob]:
        if not self.is_making(number):
            return ()
        day = day_of_number(number)
        recipe = day_recipe(number, day.weekday(), day.isoformat())

        def take(made: MadeLevel) -> None:
            # Another session may have made it by now; what that has put into it is never written over.
            with suppress(PackError):
                for kept in self._kept_days():
                    if kept.date == day:
                        self._add(kept)
            if number not in self._days:
                self._add(Day(day, made))
                keep_day(self._store, self._days[number])
            self._show_levels(self._levels[each] for each in sorted(self._levels))

        return [build_job(_title(number), recipe, take)]

    def _kept_days(self) -> Iterator[Day]:
        """The days on disk; what an older state of the generator made is made anew, unless it was solved."""
        return (day for day in all_days(self._store) if day.stands(RECIPE))

    def _add(self, day: Day) -> bool:
        """Have a day and its level, unless the row that kept it is damaged."""
        number = number_of(day.date)
        try:
            self._levels[number] = level_of(day.made, _title(number), number)
        except LevelError:
            return False
        self._days[number] = day
        return True

    def find_par(self, number: int) -> int:
        return self._days[number].made.par

    def find_effort(self, number: int) -> Effort | None:
        day = self._days.get(number)
        return day.effort if day is not None else None

    def keep_effort(self, number: int, effort: Effort) -> None:
        self._days[number] = self._days[number]._replace(effort=effort)
        keep_day(self._store, self._days[number])


def _title(number: int) -> str:
    return f"Daily {day_of_number(number).isoformat()}"
