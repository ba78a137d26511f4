"""A descent: floor after floor, each a little harder, the next ones made while the player is on this one."""

from collections.abc import Callable, Sequence

from sokoterm.app.catalog import Catalog
from sokoterm.app.level_builder import BuildJob
from sokoterm.app.options import DESCENT
from sokoterm.app.scoreboard import RunTable, Scoreboard
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
from sokoterm.generator.recipes import floor_recipe
from sokoterm.store.progress import ProgressStore
from sokoterm.store.rows import Effort, MadeLevel
from sokoterm.store.run_score import RunScore
from sokoterm.store.runs import Account, Floor, Run, account, floors_of, keep_floor, keep_run

# Floors that are made ahead, so that the next is there at once even for who solves one in no time.
_AHEAD = 2


class DescentPack(GeneratedPack):
    """One run; floors count from 1, and those that were come to are its levels."""

    def __init__(
        self,
        run: Run,
        store: ProgressStore,
        catalog: Catalog,
        scores: Scoreboard | None,
        clock: Callable[[], float],
        run_table: "RunTable[DescentPack]",
    ) -> None:
        """A run that is not in the store begins with its first floor; until then nothing is kept of it.

        Raises PackError where it cannot be read whether it is there.
        """
        super().__init__(DESCENT, f"Descent {run.seed}", store, catalog, scores, clock)
        self.run = run
        self._run_table = run_table
        self._floors = floors_of(store, run)
        self._levels: dict[int, Level] = {}
        for number, floor in [*self._floors.items()]:
            try:
                self._levels[number] = level_of(floor.made, self._title(number), number)
            except LevelError:
                del self._floors[number]
        self._show_reached()

    @property
    def depth(self) -> int:
        """The floor that the player is on: the first that is not solved."""
        return next(number for number in range(1, len(self._floors) + 2) if not self.is_solved(number))

    @property
    def is_over(self) -> bool:
        return self.run.ended is not None

    @property
    def account(self) -> Account:
        """What the run comes to so far."""
        return account(self._floors.values())

    @property
    def standing(self) -> str:
        return f"floor {self.depth}" if self._floors and not self.is_over else "new"

    @property
    def run_question(self) -> str:
        return "" if self.is_over else f"end the run on floor {self.depth}? y ends it"

    @property
    def facts(self) -> str:
        if self._floors and not self.is_over:
            return f"{self.name}, floor {self.depth}: {self._so_far or 'begun'}"
        return "floor after floor, each a little harder than the last"

    @property
    def run_table(self) -> "RunTable[DescentPack]":
        return self._run_table

    @property
    def run_score(self) -> RunScore:
        return run_score("", self.run, self.account)

    def awaited_heading(self, number: int) -> str:
        return self._title(number)

    def end_run(self) -> None:
        """Give the run up: it stays in the table of runs, if a floor of it was solved."""
        if not self.is_over:
            self.run = self.run._replace(ended=self._clock(), played=self._clock())
            keep_run(self._store, self.run)
            self._enter_run()

    # As of every pack session

    def heading(self, level: Level) -> str:
        return self._title(level.number)

    spoken_heading = heading

    def listed_title(self, level: Level) -> str:
        return f"floor {level.number}"

    def remark(self, level: Level, key: str, *, is_solved: bool) -> str:
        floor = self._floors[level.number]
        effort, so_far, brief = floor.effort, self._so_far, self._so_far_briefly
        if not (floor.is_done and is_solved):
            par, ends = f"par {floor.made.par} pushes", "" if self.is_over else f"{key} ends the run"
            forms = ((par, ends, so_far), (par, ends, brief), (par, brief))
            return fitting(*("; ".join(filter(None, form)) for form in forms))
        over = over_briefly(effort.pushes - floor.made.par)
        took = f"{effort.pushes} pushes ({over}), {effort.moves} moves, {clock_time(effort.seconds)}"
        needed, briefly = helped(effort), helped(effort, is_brief=True)
        return fitting(f"{took}, {needed}; {so_far}", f"{took}, {needed}; {brief}", f"{took}, {briefly}; {brief}")

    @property
    def _so_far(self) -> str:
        """What the run has come to, once there is something to say."""
        total = self.account
        if not total.floors:
            return "the run is over" if self.is_over else ""
        needed = helped(Effort(0, total.undos, total.hints, total.shown))
        over = over_par(total.over)
        return f"run {over}, {needed}; it is over" if self.is_over else f"run {over} so far, {needed}"

    @property
    def _so_far_briefly(self) -> str:
        """The same where there is little room for it."""
        total = self.account
        if not total.floors:
            return "the run is over" if self.is_over else ""
        needed = helped(Effort(0, total.undos, total.hints, total.shown), is_brief=True)
        return f"run {over_briefly(total.over)}, {needed}{'; it is over' if self.is_over else ''}"

    def solved_text(self, level: Level, key: str) -> str:
        if level.number + 1 == self.depth and not self.is_over:
            return f"{key} goes down to floor {self.depth}"
        return self.why_no_next(level.number) if self.is_over else f"floor {self.depth} is still open"

    def result(self, level: Level) -> str:  # noqa: ARG002 - it is that of the run
        """``sokoterm descend --seed 4711: 6 floors, 12 over par, 3 undos, 1 hint, 41:07``."""
        total = self.account
        if not total.floors:
            return ""
        effort, time = Effort(0, total.undos, total.hints, total.shown), clock_time(total.seconds)
        reached = f"sokoterm descend --seed {self.run.seed}: {counted(total.floors, 'floor')}"
        return fitting(
            f"{reached}, {over_par(total.over)}, {helped(effort)}, {time}",
            f"{reached}, {over_par(total.over)}, {helped(effort, is_brief=True)}, {time}",
            f"{reached}, {over_briefly(total.over)}, {helped(effort, is_brief=True)}, {time}",
        )

    def start_number(self) -> int | None:
        return self.depth if not self.is_over else max(1, self.depth - (self.depth not in self._levels))

    def next_unsolved(self, number: int) -> int | None:
        depth = self.depth
        return depth if number != depth and not self.is_over else None

    def next_number(self, number: int) -> int | None:
        return number + 1 if number < (self.depth if not self.is_over else max(self._numbers, default=0)) else None

    def why_no_next(self, number: int) -> str:  # noqa: ARG002
        return "the run is over" if self.is_over else "the way down opens when this floor is solved"

    def why_no_unsolved(self, number: int) -> str:
        return self.why_no_next(number)

    @property
    def number_noun(self) -> str:
        return "floor"

    def why_missing(self, number: int) -> str:
        return f"no floor {number}: the deepest so far is {self.depth}"

    def find_level(self, number: int) -> Level | None:
        """A floor that the player may be on."""
        return self._levels.get(number) if number <= self.depth else None

    def take_up(self, level: Level) -> bool:
        """Come to a floor: the first time it begins at its start, whatever another run of the same seed has left."""
        now, floor = self._clock(), self._floors[level.number]
        if self.is_over:
            return False
        self.run = self.run._replace(played=now)
        keep_run(self._store, self.run)
        is_first = floor.entered is None
        if is_first:
            self._keep(floor._replace(entered=now))
            self._show_reached()
        return is_first

    def note_solved(self, level: Level, lurd: str) -> None:
        was_solved = self.is_solved(level.number)
        super().note_solved(level, lurd)
        if not was_solved and self.is_solved(level.number):
            self._enter_run()

    # What is made

    def is_making(self, number: int) -> bool:
        return number == self.depth and number not in self._floors and not self.is_over

    def jobs(self, number: int) -> Sequence[BuildJob]:  # noqa: ARG002 - the next floors are wanted in any case
        if self.is_over:
            return ()
        depth = self.depth
        return [self._job(each) for each in range(depth, depth + _AHEAD + 1) if each not in self._floors]

    def _job(self, number: int) -> BuildJob:
        def take(made: MadeLevel) -> None:
            self._levels[number] = level_of(made, self._title(number), number)
            self._keep(Floor(number, made))
            self._show_reached()

        # Another run of the same seed has floors of its own.
        return build_job(f"{self._title(number)} of {self.run.begun}", floor_recipe(self.run.seed, number), take)

    def find_par(self, number: int) -> int:
        return self._floors[number].made.par

    def find_effort(self, number: int) -> Effort | None:
        floor = self._floors.get(number)
        return floor.effort if floor is not None else None

    def keep_effort(self, number: int, effort: Effort) -> None:
        if not self.is_over:
            self._keep(self._floors[number]._replace(effort=effort))

    def _keep(self, floor: Floor) -> None:
        self._floors[floor.number] = floor
        keep_floor(self._store, self.run, floor)

    def _show_reached(self) -> None:
        reached = (number for number, floor in sorted(self._floors.items()) if floor.entered is not None)
        self._show_levels(self._levels[number] for number in reached)

    def _enter_run(self) -> None:
        """Enter the run in the table of all accounts, if there is one."""
        if self._scores is not None:
            self._scores.enter_run(self.run_score)

    def _title(self, number: int) -> str:
        return f"Descent {self.run.seed}, floor {number}"


def run_score(name: str, run: Run, total: Account) -> RunScore:
    """A run as the table of all shows it."""
    return RunScore(name, run.seed, run.begun, run.ended is not None, *total)
