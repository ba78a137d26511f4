"""Packs whose levels are generated when they are wanted: daily levels, and runs from floor to floor."""

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Protocol

from sokoterm.app.background import BuildJob
from sokoterm.app.catalog import Catalog
from sokoterm.app.pack_session import Aid, PackSession
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.lurd import measure
from sokoterm.generator.recipes import RECIPE, Recipe
from sokoterm.store.packs import bundled_hashes
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.series import Effort, MadeLevel, RunScore
from sokoterm.store.solutions import Summary


class GeneratedPack(PackSession):
    """A pack session that begins empty; the figures of a level are those of its first solution.

    A level is built when the player comes to it. The effort put into it is counted until it is solved.
    """

    def __init__(
        self,
        key: str,
        store: ProgressStore,
        catalog: Catalog,
        scores: ScoreTable | None,
        clock: Callable[[], float],
    ) -> None:
        """``clock`` gives seconds since 1970."""
        super().__init__(Pack("", ()), key, key.title(), store, catalog, None, scores)
        self._clock = clock

    # The interface of a generated pack

    @abstractmethod
    def recipe(self, number: int) -> Recipe:
        """The recipe of a level, with its title."""

    @abstractmethod
    def is_making(self, number: int) -> bool:
        """True if a level can be played and is still to be built."""

    @abstractmethod
    def jobs(self, number: int) -> Sequence[BuildJob]:
        """The levels to build for a player who is at a level, or waits for it; the first is wanted most."""

    @abstractmethod
    def find_made(self, number: int) -> MadeLevel | None:
        """A level as it was generated; None if it is not there."""

    @abstractmethod
    def find_effort(self, number: int) -> Effort | None:
        """The effort put into a level; None if it is not there."""

    @abstractmethod
    def keep_effort(self, number: int, effort: Effort) -> None:
        """Queue the effort put into a level for the next save."""

    @abstractmethod
    def has_result(self, number: int) -> bool:
        """True if there is a result to share at a level that is solved."""

    # A pack session all the same

    def has_level(self, number: int) -> bool:
        return self.is_making(number) or super().has_level(number)

    def is_solved(self, number: int) -> bool:
        effort = self.find_effort(number)
        return effort is not None and effort.solved is not None

    def read_figures(self, levels: Sequence[Level]) -> None:
        for level in levels:
            effort = self.find_effort(level.number)
            if effort is None or effort.solved is None:
                self._figures[level.number] = None
            else:
                self._figures[level.number] = Summary(effort.moves, effort.pushes, effort.is_helped)

    def note_aid(self, level: Level, aid: Aid, lurd: str) -> None:
        super().note_aid(level, aid, lurd)
        effort = self._open_effort(level)
        if effort is None:
            return
        match aid:
            case "undo":
                effort = effort._replace(undos=effort.undos + 1)
            case "hint":
                effort = effort._replace(hints=effort.hints + 1)
            case "solution":
                effort = effort._replace(shown=effort.shown + 1)
        self.keep_effort(level.number, effort)

    def save(self, level: Level, game: Game, seconds: float, *, is_over: bool) -> str | None:
        effort = self._open_effort(level)
        if effort is not None and seconds:
            effort = effort._replace(seconds=effort.seconds + seconds)
            self.keep_effort(level.number, effort)
        if effort is not None and is_over and game.is_solved:
            solution = measure(game.lurd)
            solved = effort._replace(solved=self._clock(), pushes=solution.pushes, moves=solution.moves)
            self.keep_effort(level.number, solved)
        return super().save(level, game, seconds, is_over=is_over)

    def _open_effort(self, level: Level) -> Effort | None:
        """The effort put into a level so far; None once it is solved."""
        return None if self.is_solved(level.number) else self.find_effort(level.number)

    def _show_levels(self, levels: Iterable[Level]) -> None:
        """Have these levels, in the order of their numbers."""
        self.pack = Pack(self.name, tuple(levels))
        self._numbers = [level.number for level in self.pack.levels]
        self._entries = None
        self._figures.clear()

    def _level_of(self, made: MadeLevel, number: int) -> Level:
        """A generated level with its title; raises LevelError if the row that kept it is damaged."""
        return Level.from_xsb(made.xsb)._replace(title=self.recipe(number).title, number=number)


class RunPack(GeneratedPack):
    """A generated pack that is one run from floor to floor, until the player ends it."""

    @property
    @abstractmethod
    def depth(self) -> int:
        """The floor that the player is on: the first that is not solved."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """True once the run has ended."""

    @property
    @abstractmethod
    def score(self) -> RunScore:
        """The score of the run so far."""

    @property
    @abstractmethod
    def runs(self) -> "RunTable":
        """The table of runs that this one is in."""

    @abstractmethod
    def end(self) -> None:
        """End the run for good: it stays in the table of runs if a floor of it was solved."""


class RunTable(Protocol):
    """The runs of a player, and those of others if all accounts share a table; raises PackError if unreadable."""

    def open_last(self) -> RunPack:
        """The open run that was played last, else a new one."""

    def of_seed(self, seed: int) -> RunPack:
        """The open run of a seed that was played last, else a new one."""

    def table(self) -> Sequence[RunScore]:
        """All runs, the best first."""

    def resume(self, run: RunScore) -> RunPack:
        """Go on with a run of the player's own."""

    def begin(self, seed: int | None = None) -> RunPack:
        """A new run with a seed, or with any."""


def build_job(key: tuple[object, ...], recipe: Recipe, take: Callable[[MadeLevel], None]) -> BuildJob:
    """A level to build, and the function that takes it; ``key`` tells the job from others."""

    def steps() -> Generator[None, None, Callable[[], None]]:
        from sokoterm.generator.make import made_by  # loads the generator, to make a level

        made = yield from made_by(recipe, bundled_hashes())
        kept = MadeLevel(RECIPE, "\n".join(made.level.rows), made.solution.lurd)
        return lambda: take(kept)

    return BuildJob(key, steps)
