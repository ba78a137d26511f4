"""Descents: floor after floor, each a little harder, the next ones built while the player is on this one."""

from collections.abc import Callable, Sequence

from sokoterm.app.background import BuildJob
from sokoterm.app.catalog import Catalog
from sokoterm.app.options import DESCENT
from sokoterm.app.series.generated_pack import RunPack, build_job
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level, LevelError
from sokoterm.generator.recipes import Recipe, floor_recipe
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.series import (
    Effort,
    Floor,
    MadeLevel,
    Run,
    RunScore,
    all_floors,
    all_runs,
    floors_of,
    keep_floor,
    keep_run,
    rank,
    score_of,
)

# Floors built ahead, so that the next is there at once even after one that is solved in no time.
_AHEAD = 2


class DescentPack(RunPack):
    """One run; floors count from 1, and those the player has reached are its levels."""

    def __init__(
        self,
        run: Run,
        store: ProgressStore,
        catalog: Catalog,
        scores: ScoreTable | None,
        clock: Callable[[], float],
        runs: "Descents",
    ) -> None:
        """A run that is not in the store begins with its first floor; until then nothing is kept of it.

        Raises PackError if the store cannot be read.
        """
        super().__init__(DESCENT, store, catalog, scores, clock)
        self.run = run
        self._runs = runs
        self._floors = floors_of(store, run)
        self._levels: dict[int, Level] = {}
        for number, floor in [*self._floors.items()]:
            try:
                self._levels[number] = self._level_of(floor.made, number)
            except LevelError:
                del self._floors[number]
        self._show_reached()

    # The run

    @property
    def depth(self) -> int:
        return next(number for number in range(1, len(self._floors) + 2) if not self.is_solved(number))

    @property
    def is_over(self) -> bool:
        return self.run.ended is not None

    @property
    def score(self) -> RunScore:
        return score_of(self.run, self._floors.values())

    @property
    def runs(self) -> "Descents":
        return self._runs

    def end(self) -> None:
        if not self.is_over:
            self.run = self.run._replace(ended=self._clock(), played=self._clock())
            keep_run(self._store, self.run)
            self._enter_run()

    def _enter_run(self) -> None:
        """Enter the run in the table of all accounts, if there is one."""
        if self._scores is not None:
            self._scores.record_run(self.score)

    # Levels

    def find_level(self, number: int) -> Level | None:
        """A floor that the player may be on."""
        return self._levels.get(number) if number <= self.depth else None

    def start_number(self) -> int | None:
        return self.depth if not self.is_over else max(1, self.depth - (self.depth not in self._levels))

    def next_unsolved(self, number: int) -> int | None:
        depth = self.depth
        return depth if number != depth and not self.is_over else None

    def next_number(self, number: int) -> int | None:
        return number + 1 if number < (self.depth if not self.is_over else max(self._numbers, default=0)) else None

    def take_up(self, level: Level, game: Game) -> str | None:
        """Enter a floor: the first time at its start, whatever another run of the same seed has left."""
        now, floor = self._clock(), self._floors[level.number]
        if not self.is_over:
            self.run = self.run._replace(played=now)
            keep_run(self._store, self.run)
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
        return number == self.depth and number not in self._floors and not self.is_over

    def jobs(self, number: int) -> Sequence[BuildJob]:  # noqa: ARG002 - the next floors are wanted in any case
        if self.is_over:
            return ()
        depth = self.depth
        return [self._job(each) for each in range(depth, depth + _AHEAD + 1) if each not in self._floors]

    def _job(self, number: int) -> BuildJob:
        def take(made: MadeLevel) -> None:
            self._levels[number] = self._level_of(made, number)
            self._keep(Floor(number, made))
            self._show_reached()

        # Another run of the same seed has floors of its own.
        return build_job((self.run.seed, self.run.begun, number), self.recipe(number), take)

    def find_made(self, number: int) -> MadeLevel | None:
        floor = self._floors.get(number)
        return floor.made if floor is not None else None

    def find_effort(self, number: int) -> Effort | None:
        floor = self._floors.get(number)
        return floor.effort if floor is not None else None

    def keep_effort(self, number: int, effort: Effort) -> None:
        if not self.is_over:
            self._keep(self._floors[number]._replace(effort=effort))

    def has_result(self, number: int) -> bool:  # noqa: ARG002 - the result is that of the run
        return self.score.floors > 0

    def _keep(self, floor: Floor) -> None:
        self._floors[floor.number] = floor
        keep_floor(self._store, self.run, floor)

    def _show_reached(self) -> None:
        reached = (number for number, floor in sorted(self._floors.items()) if floor.entered is not None)
        self._show_levels(self._levels[number] for number in reached)


class Descents:
    """The descents of a player: a RunTable."""

    def __init__(
        self,
        store: ProgressStore,
        catalog: Catalog,
        scores: ScoreTable | None,
        clock: Callable[[], float],
        draw_seed: Callable[[], int],
    ) -> None:
        """``clock`` gives seconds since 1970, ``draw_seed`` any seed."""
        self._store = store
        self._catalog = catalog
        self._scores = scores
        self._clock = clock
        self._draw_seed = draw_seed
        # Runs of this session, which need not be on disk yet.
        self._pack_sessions: dict[tuple[int, float], DescentPack] = {}

    def open_last(self) -> DescentPack:
        run = next(iter(self._open_runs()), None)
        return self._pack_session(run) if run is not None else self.begin()

    def of_seed(self, seed: int) -> DescentPack:
        run = next((run for run in self._open_runs() if run.seed == seed), None)
        return self._pack_session(run) if run is not None else self.begin(seed)

    def begin(self, seed: int | None = None) -> DescentPack:
        now = self._clock()
        return self._pack_session(Run(self._draw_seed() if seed is None else seed, now, now))

    def resume(self, run: RunScore) -> DescentPack:
        return self._pack_session(Run(run.seed, run.begun, self._clock()))

    def table(self) -> list[RunScore]:
        self._store.save_rows()
        return run_table(own_runs(self._store), self._scores)

    def _open_runs(self) -> list[Run]:
        """The open runs, the one played last first, those of this session that wait to be written among them."""
        self._store.save_rows()
        runs = {(run.seed, run.begun): run for run in all_runs(self._store)}
        for key, pack_session in self._pack_sessions.items():
            if pack_session.numbers and (key not in runs or runs[key].ended is None):
                runs[key] = pack_session.run
        still_open = [run for run in runs.values() if run.ended is None]
        return sorted(still_open, key=lambda run: (run.played, run.begun), reverse=True)

    def _pack_session(self, run: Run) -> DescentPack:
        key = (run.seed, run.begun)
        if key not in self._pack_sessions:
            self._pack_sessions[key] = DescentPack(run, self._store, self._catalog, self._scores, self._clock, self)
        return self._pack_sessions[key]


def own_runs(store: ProgressStore) -> list[RunScore]:
    """The scores of all runs in a player's store."""
    floors = all_floors(store)
    return [score_of(run, floors.get((run.seed, run.begun), ())) for run in all_runs(store)]


def run_table(own: Sequence[RunScore], scores: ScoreTable | None) -> list[RunScore]:
    """All runs, the best first, with those of other accounts; one that ended on its first floor is left out.

    The player's own runs are taken from his progress, which knows more of them.
    """
    others = [run for run in scores.runs() if run.name != scores.name] if scores is not None else []
    return sorted([run for run in (*own, *others) if run.floors or not run.is_over], key=rank)
