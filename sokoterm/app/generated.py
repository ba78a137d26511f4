"""Packs whose levels are generated on demand.

Daily levels are the same for everyone, one per UTC day. A descent is a series of floors, each a little harder; the
next ones are built in the background.
"""

import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import SystemRandom

from sokoterm.app.background import BuildJob
from sokoterm.app.catalog import Catalog
from sokoterm.app.options import DAILY, DESCENT, Series
from sokoterm.app.pack_session import Aid, PackSession
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.lurd import parse_directions
from sokoterm.engine.rules import Replayer
from sokoterm.engine.steps import Events
from sokoterm.generator.recipes import RECIPE, Recipe, day_recipe, floor_recipe
from sokoterm.language import N_
from sokoterm.store import series as stored
from sokoterm.store.packs import PackError, bundled_hashes
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.series import Day, Effort, Floor, MadeLevel, Run, RunScore, Streak
from sokoterm.store.solutions import Summary

# Usual number of steps of one attempt at a level.
_USUAL_STEPS = 3_000


class GeneratedPack(PackSession):
    """A pack session that starts empty; the figures of a level come from its first solution.

    Levels are built on demand; ``share_made`` is the progress of the current one from 0 to 1, set by the worker thread.
    Effort is counted until a level is solved.
    """

    is_generated = True
    share_made = 0.0
    _rows: Mapping[int, Day | Floor]  # built levels by number

    def __init__(self, key: str, series: "GeneratedSeries") -> None:
        super().__init__(Pack("", ()), key, key.title(), series.store, series.catalog, None, series.scores)
        self.series = series
        self._clock = series.clock
        self._levels: dict[int, Level] = {}

    @abstractmethod
    def recipe(self, number: int) -> Recipe:
        """Return the recipe of a level, including its title."""

    @abstractmethod
    def keep_effort(self, number: int, effort: Effort) -> None:
        """Queue the effort spent on a level for the next save."""

    def effort_of(self, number: int) -> Effort:
        return self._rows[number].effort if number in self._rows else Effort()

    # Pack session

    def find_made(self, number: int) -> MadeLevel | None:
        return self._rows[number].made if number in self._rows else None

    def is_solved(self, number: int) -> bool:
        return self.effort_of(number).solved is not None

    def read_figures(self, levels: Sequence[Level]) -> None:
        for level in levels:
            effort = self.effort_of(level.number)
            summary = Summary(effort.moves, effort.pushes, effort.is_helped)
            self._figures[level.number] = summary if effort.solved is not None else None

    def note_aid(self, level: Level, aid: Aid, lurd: str) -> None:
        super().note_aid(level, aid, lurd)
        effort = self._open_effort(level)
        if effort is not None:
            self.keep_effort(level.number, effort._replace(**{aid: getattr(effort, aid) + 1}))

    def save(self, level: Level, game: Game, seconds: float, *, is_over: bool) -> str | None:
        effort = self._open_effort(level)
        if effort is not None and seconds:
            effort = effort._replace(seconds=effort.seconds + seconds)
            self.keep_effort(level.number, effort)
        if effort is not None and is_over and game.is_solved:
            effort = effort._replace(solved=self._clock(), pushes=game.pushes, moves=game.moves)
            self.keep_effort(level.number, effort)
        return super().save(level, game, seconds, is_over=is_over)

    def _open_effort(self, level: Level) -> Effort | None:
        row = self._rows.get(level.number)
        return row.effort if row is not None and row.effort.solved is None else None

    def _show_levels(self, levels: Iterable[Level]) -> None:
        self.pack = Pack(self.name, tuple(levels))
        self.numbers = [level.number for level in self.pack.levels]
        for of_the_last in ("entries", "_numbered"):
            self.__dict__.pop(of_the_last, None)
        self._figures.clear()

    def _job(self, number: int, *run: float) -> BuildJob:
        """Return the job that builds a level, of a certain ``run`` if given."""

        def steps() -> Generator[None, None, Callable[[], None]]:
            # Loads the generator.
            from sokoterm.generator.make import made_by
            from sokoterm.solver.common.dice import Dice

            recipe, tried, taken = self.recipe(number), 0, 0

            def dice_of(*numbers: int) -> Dice:
                nonlocal tried, taken
                tried, taken = numbers[len(recipe.dice)], 0
                return Dice.of(*numbers)

            making = Events(made_by(recipe, bundled_hashes(), dice_of))
            for __ in making:
                taken += 1
                self.share_made = (tried + taken / (taken + _USUAL_STEPS)) / recipe.tries
                yield
            made = making.result
            kept = MadeLevel(RECIPE, "\n".join(made.level.rows), made.solution.lurd)
            return partial(self._take, number, kept)

        return BuildJob((*run, number), steps)

    @abstractmethod
    def _take(self, number: int, made: MadeLevel) -> None:
        """Store a level that was built."""

    def _level_of(self, made: MadeLevel, number: int) -> Level:
        """Return a generated level with its title; raises LevelError if its row is damaged."""
        return Level.from_xsb(made.xsb).replace(title=self.recipe(number).title, number=number)


def _boxes_pushed(level: Level, lurd: str) -> list[int]:
    """Return the box of each push, identified by its starting square."""
    replayer = Replayer(level.board, level.start)
    replayer.take(parse_directions(lurd))
    begins, boxes = dict[int, int](), list[int]()
    for pushed, landing in zip(replayer.pushed, replayer.landings, strict=True):
        boxes.append(begins.pop(pushed, pushed))
        begins[landing] = boxes[-1]
    return boxes


_DAY_SECONDS = 24 * 3600


class DailyPack(GeneratedPack):
    """The daily levels generated so far, numbered by day."""

    def __init__(self, series: "GeneratedSeries") -> None:
        """Raises PackError if the days cannot be read."""
        super().__init__(DAILY, series)
        self._rows: dict[int, Day] = {}
        for day in self._kept_days():
            self._add(day)
        self._show_levels(self._levels.values())

    @property
    def today(self) -> int:
        return stored.number_of(stored.day_of(self._clock()))

    @property
    def streak(self) -> Streak:
        return stored.streak(stored.days_on_time(self._rows.values()), stored.day_of(self._clock()))

    date_of = staticmethod(stored.day_of_number)

    @property
    def seconds_left(self) -> int:
        return _DAY_SECONDS - int(self._clock()) % _DAY_SECONDS

    def day(self, number: int) -> Day:
        return self._rows[number]

    def week(self, number: int) -> list[int | None]:
        """Return the pushes over par for each day of a day's week, Monday first; None for unsolved days."""
        monday = number - stored.day_of_number(number).weekday()
        days = [self._rows.get(each) for each in range(monday, monday + 7)]
        return [day.effort.pushes - day.made.par if day and day.effort.solved is not None else None for day in days]

    def push_quality(self, level: Level) -> list[bool]:
        """Return for each push of a day's solution whether its box needs no more pushes than in the par solution.

        All True for a solution at par; empty if only a better solution is stored.
        """
        day, found = self._rows[level.number], self.best(level)
        figures, both = (day.effort.pushes, day.effort.moves), (found.by_pushes, found.by_moves)
        kept = next((each for each in both if each and (each.pushes, each.moves) == figures), None)
        if kept is None:
            return []
        needed, pushed = Counter(_boxes_pushed(level, day.made.lurd)), Counter[int]()
        quality = list[bool]()
        for box in _boxes_pushed(level, kept.lurd):
            pushed[box] += 1
            quality.append(kept.pushes <= day.made.par or pushed[box] <= needed[box])
        return quality

    # Levels

    def find_number(self, text: str) -> int:
        return stored.find_number(text) or super().find_number(text)

    def start_number(self) -> int | None:
        return self.today

    def next_number(self, number: int) -> int | None:
        return number + 1 if number < self.today else None

    def previous_number(self, number: int) -> int | None:
        return number - 1 if number > 1 else None

    def next_unsolved(self, number: int) -> int | None:
        """Today, if unsolved and not ``number``; earlier days are played only on request."""
        return self.today if number != self.today and not self.is_solved(self.today) else None

    # Generated levels

    def recipe(self, number: int) -> Recipe:
        day = stored.day_of_number(number)
        return day_recipe(number, day.weekday(), day.isoformat())

    def is_making(self, number: int) -> bool:
        return 1 <= number <= self.today and number not in self._rows

    def jobs(self, number: int) -> Sequence[BuildJob]:
        return [self._job(number)] if self.is_making(number) else ()

    def _take(self, number: int, made: MadeLevel) -> None:
        # Another session may have built it meanwhile; do not overwrite the effort stored there.
        date = stored.day_of_number(number)
        with suppress(PackError):
            for kept in self._kept_days():
                if kept.date == date:
                    self._add(kept)
        if number not in self._rows:
            self._add(Day(date, made))
            stored.keep_day(self.store, self._rows[number])
        self._show_levels(self._levels[each] for each in sorted(self._levels))

    def _kept_days(self) -> Iterator[Day]:
        """The stored days; an unsolved level of an older recipe is generated again."""
        return (day for day in stored.all_days(self.store) if day.stands(RECIPE))

    def _add(self, day: Day) -> None:
        number = stored.number_of(day.date)
        with suppress(LevelError):  # the row is damaged
            self._levels[number] = self._level_of(day.made, number)
            self._rows[number] = day

    def keep_effort(self, number: int, effort: Effort) -> None:
        self._rows[number] = self._rows[number]._replace(effort=effort)
        stored.keep_day(self.store, self._rows[number])

    def has_result(self, number: int) -> bool:
        return self.is_solved(number)


# Floors built ahead, so that the next one is ready even after a floor that is solved in seconds.
_AHEAD = 2

_SEEDS = 1_000_000  # short enough to tell a friend


class DescentPack(GeneratedPack):
    """One descent, until the player ends it; its levels are the floors reached so far, numbered from 1."""

    def __init__(self, run: Run, series: "GeneratedSeries") -> None:
        """Raises PackError if the store cannot be read. A new run is stored once its first floor is there."""
        super().__init__(DESCENT, series)
        self.run = run
        self._rows: dict[int, Floor] = {}
        for number, floor in stored.floors_of(self.store, run).items():
            with suppress(LevelError):  # the row is damaged
                self._levels[number] = self._level_of(floor.made, number)
                self._rows[number] = floor
        self._show_reached()

    # The run

    @property
    def run_of_levels(self) -> "DescentPack":
        return self

    @property
    def depth(self) -> int:
        """The floor that the player is on: the first unsolved one."""
        return next(number for number in range(1, len(self._rows) + 2) if not self.is_solved(number))

    @property
    def is_over(self) -> bool:
        return self.run.ended is not None

    @property
    def score(self) -> RunScore:
        return stored.score_of(self.run, self._rows.values())

    def end(self) -> None:
        """End the run for good; it stays in the table of runs if a floor was solved."""
        if not self.is_over:
            self.run = self.run._replace(ended=self._clock(), played=self._clock())
            stored.keep_run(self.store, self.run)
            self._enter_run()

    def _enter_run(self) -> None:
        if self.scores is not None:
            self.scores.record_run(self.score)

    # Levels

    def find_level(self, number: int) -> Level | None:
        """Return a floor that has been built and reached; None otherwise."""
        return self._levels.get(number) if number <= self.depth else None

    def start_number(self) -> int | None:
        return self.depth if not self.is_over else max(1, self.depth - (self.depth not in self._levels))

    def next_unsolved(self, number: int) -> int | None:
        depth = self.depth
        return depth if number != depth and not self.is_over else None

    def next_number(self, number: int) -> int | None:
        return number + 1 if number < (self.depth if not self.is_over else max(self.numbers, default=0)) else None

    def take_up(self, level: Level, game: Game) -> str | None:
        """Enter a floor: the first time from its start, even if another run of the same seed left a game there."""
        now, floor = self._clock(), self._rows[level.number]
        if not self.is_over:
            self.run = self.run._replace(played=now)
            stored.keep_run(self.store, self.run)
            if floor.entered is None:
                game.restart()
                self._keep(floor._replace(entered=now))
                self._show_reached()
        return super().take_up(level, game)

    def save(self, level: Level, game: Game, seconds: float, *, is_over: bool) -> str | None:
        was_solved = self.is_solved(level.number)
        problem = super().save(level, game, seconds, is_over=is_over)
        if not was_solved and self.is_solved(level.number):
            self._enter_run()
        return problem

    # Generated levels

    def recipe(self, number: int) -> Recipe:
        return floor_recipe(self.run.seed, number)

    def is_making(self, number: int) -> bool:
        return number == self.depth and number not in self._rows and not self.is_over

    def jobs(self, number: int) -> Sequence[BuildJob]:  # noqa: ARG002 - always the next floors
        if self.is_over:
            return ()
        wanted = range(self.depth, self.depth + _AHEAD + 1)
        return [self._job(each, self.run.seed, self.run.begun) for each in wanted if each not in self._rows]

    def _take(self, number: int, made: MadeLevel) -> None:
        self._levels[number] = self._level_of(made, number)
        self._keep(Floor(number, made))
        self._show_reached()

    def keep_effort(self, number: int, effort: Effort) -> None:
        if not self.is_over:
            self._keep(self._rows[number]._replace(effort=effort))

    def has_result(self, number: int) -> bool:  # noqa: ARG002 - the result of the run
        return self.score.floors > 0

    def _keep(self, floor: Floor) -> None:
        self._rows[floor.number] = floor
        stored.keep_floor(self.store, self.run, floor)

    def _show_reached(self) -> None:
        reached = (number for number, floor in sorted(self._rows.items()) if floor.entered is not None)
        self._show_levels(self._levels[number] for number in reached)


class GeneratedSeries:
    """The daily levels and the descents of a player; methods raise PackError if the store cannot be read now."""

    def __init__(
        self,
        store: ProgressStore,
        catalog: Catalog,
        scores: ScoreTable | None,
        clock: Callable[[], float] = time.time,
        draw_seed: Callable[[], int] = lambda: SystemRandom().randrange(_SEEDS),
    ) -> None:
        """``clock`` returns seconds since 1970, ``draw_seed`` a seed for a new descent."""
        self.store = store
        self.catalog = catalog
        self.scores = scores
        self.clock = clock
        self._draw_seed = draw_seed
        self._daily: DailyPack | None = None
        # Runs of this session, perhaps not on disk yet.
        self._runs: dict[tuple[int, float], DescentPack] = {}
        self.entries = (SeriesEntry(DAILY, N_("Daily"), self.daily), SeriesEntry(DESCENT, N_("Descent"), self.descent))
        """Their entries in a list of packs."""

    def start(self, series: Series) -> tuple[GeneratedPack, int]:
        if not series.is_descent:
            return self.daily(), series.number or self.daily().today
        descent = self.descent(series.number)
        return descent, descent.start_number() or 1

    def daily(self) -> DailyPack:
        if self._daily is None:
            self._daily = DailyPack(self)
        return self._daily

    # Descents

    def descent(self, seed: int | None = None) -> DescentPack:
        """Return the last played open descent, of the given seed if any; else a new one."""
        self.store.save_rows()
        runs = {(run.seed, run.begun): run for run in stored.all_runs(self.store)}
        # Runs of this session may not be written yet.
        for key, descent in self._runs.items():
            if descent.numbers and (key not in runs or runs[key].ended is None):
                runs[key] = descent.run
        still_open = [run for run in runs.values() if run.ended is None and seed in (None, run.seed)]
        last = max(still_open, key=lambda run: (run.played, run.begun), default=None)
        return self._run(last) if last is not None else self.begin(seed)

    def begin(self, seed: int | None = None) -> DescentPack:
        now = self.clock()
        return self._run(Run(self._draw_seed() if seed is None else seed, now, now))

    def resume(self, run: RunScore) -> DescentPack:
        return self._run(Run(run.seed, run.begun, self.clock()))

    def table(self) -> list[RunScore]:
        self.store.save_rows()
        return run_table(own_runs(self.store), self.scores)

    def rank_of(self, score: RunScore) -> tuple[int, int]:
        """Return the rank of a run among the player's runs with a solved floor, and the number of these runs."""
        own = [run for run in self.table() if run.is_own and run.floors]
        return 1 + sum(stored.rank(run) < stored.rank(score) for run in own), len(own)

    def _run(self, run: Run) -> DescentPack:
        key = (run.seed, run.begun)
        if key not in self._runs:
            self._runs[key] = DescentPack(run, self)
        return self._runs[key]


class SeriesEntry:
    """A series in a list of packs: the daily levels, or the last played descent.

    ``pack`` is the one opened last, if any; the list sets it to the pack in play. ``problem`` is the error of the last
    attempt to read it, or empty.
    """

    def __init__(self, key: str, name: str, open_pack: Callable[[], GeneratedPack]) -> None:
        """``open_pack`` raises PackError."""
        self.key = key
        self.name = name
        self._open = open_pack
        self.pack: GeneratedPack | None = None
        self.problem = ""

    def open(self) -> GeneratedPack | None:
        """Open the series, starting a new run if the last one is over; None if it cannot be read."""
        if self.pack is None or isinstance(self.pack, DescentPack) and self.pack.is_over:
            try:
                self.pack, self.problem = self._open(), ""
            except PackError as error:
                self.problem = str(error)
                return None
        return self.pack


def own_runs(store: ProgressStore) -> list[RunScore]:
    floors = stored.all_floors(store)
    return [stored.score_of(run, floors.get((run.seed, run.begun), ())) for run in stored.all_runs(store)]


def run_table(own: Sequence[RunScore], scores: ScoreTable | None) -> list[RunScore]:
    """Return all accounts' runs, best first, except those that ended on the first floor.

    The player's own runs come from ``own``, which has more details than the score table.
    """
    others = [run for run in scores.runs() if run.name != scores.name] if scores is not None else []
    return sorted([run for run in (*own, *others) if run.floors or not run.is_over], key=stored.rank)
