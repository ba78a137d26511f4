"""Pack sessions whose levels the program makes when they are wanted, with what the player puts into each."""

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence

from sokoterm.app.catalog import Catalog
from sokoterm.app.level_builder import BuildJob
from sokoterm.app.pack_session import PackSession
from sokoterm.app.scoreboard import Scoreboard
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.lurd import measure
from sokoterm.engine.text import counted
from sokoterm.generator.recipes import RECIPE, Recipe
from sokoterm.store.progress import ProgressStore
from sokoterm.store.rows import Effort, MadeLevel
from sokoterm.store.run_score import RunScore
from sokoterm.store.solutions import Summary

_USUAL_COLUMNS = 80


class GeneratedPack(PackSession):
    """A pack session that begins empty; its figures are those of the first time that each level was solved."""

    def __init__(
        self,
        key: str,
        name: str,
        store: ProgressStore,
        catalog: Catalog,
        scores: Scoreboard | None,
        clock: Callable[[], float],
    ) -> None:
        """``clock`` gives seconds since 1970."""
        super().__init__(Pack(name, ()), key, name, store, catalog, None, scores)
        self._clock = clock

    @abstractmethod
    def find_effort(self, number: int) -> Effort | None:
        """What was put into a level; None where it does not count."""

    @abstractmethod
    def keep_effort(self, number: int, effort: Effort) -> None:
        """Have it written with the next save."""

    @abstractmethod
    def find_par(self, number: int) -> int:
        """The fewest pushes of a level that was made."""

    def label(self, level: Level) -> str:
        return self.heading(level)

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

    def note(self, level: Level, what: str, lurd: str) -> None:
        super().note(level, what, lurd)
        effort = self._open_effort(level)
        match what:
            case "undo" if effort is not None:
                self.keep_effort(level.number, effort._replace(undos=effort.undos + 1))
            case "hint" if effort is not None:
                self.keep_effort(level.number, effort._replace(hints=effort.hints + 1))
            case "solution" if effort is not None:
                self.keep_effort(level.number, effort._replace(shown=effort.shown + 1))

    def note_time(self, level: Level, seconds: float) -> None:
        effort = self._open_effort(level)
        if effort is not None and seconds:
            self.keep_effort(level.number, effort._replace(seconds=effort.seconds + seconds))

    def note_solved(self, level: Level, lurd: str) -> None:
        effort = self._open_effort(level)
        if effort is not None:
            solution = measure(lurd)
            solved = effort._replace(solved=self._clock(), pushes=solution.pushes, moves=solution.moves)
            self.keep_effort(level.number, solved)

    def _open_effort(self, level: Level) -> Effort | None:
        """What is still being put into a level; None once it is solved."""
        return None if self.is_solved(level.number) else self.find_effort(level.number)

    def _show_levels(self, levels: Iterable[Level]) -> None:
        """Have these levels, in the order of their numbers."""
        self.pack = Pack(self.name, tuple(levels))
        self._numbers = [level.number for level in self.pack.levels]
        self._entries = None
        self._figures.clear()


def build_job(key: str, recipe: Recipe, take: Callable[[MadeLevel], None]) -> BuildJob:
    """A level to be made, and who takes it."""

    def steps() -> Generator[None, None, Callable[[], None]]:
        from sokoterm.generator.make import made_by

        made = yield from made_by(recipe)
        kept = MadeLevel(RECIPE, "\n".join(made.level.rows), made.solution.lurd)
        return lambda: take(kept)

    return BuildJob(key, steps)


def level_of(made: MadeLevel, title: str, number: int) -> Level:
    """The level that was made; raises LevelError where the row that kept it is damaged."""
    return Level.from_xsb(made.xsb)._replace(title=title, number=number)


def over_par(over: int) -> str:
    """``3 over par``, ``on par``, or ``2 under par``, which no proven par allows.

    >>> over_par(3), over_par(0)
    ('3 over par', 'on par')
    """
    return f"{abs(over)} {'over' if over > 0 else 'under'} par" if over else "on par"


def over_briefly(over: int) -> str:
    """``+3``, or ``par``."""
    return f"{over:+}" if over else "par"


def helped(effort: Effort, *, is_brief: bool = False) -> str:
    """``2 undos, 1 hint``: the help that was used; ``no undo`` for none.  ``is_brief``: ``1 seen`` for a solution."""
    used = [counted(effort.undos, "undo")] if effort.undos else []
    if effort.hints:
        used.append(counted(effort.hints, "hint"))
    if effort.shown:
        used.append(f"{effort.shown} seen" if is_brief else f"{counted(effort.shown, 'solution')} seen")
    return ", ".join(used) or "no undo"


def fitting(*texts: str) -> str:
    """The first of some texts, each briefer than the one before, that has room in the usual window, else the last."""
    return next((text for text in texts if len(text) <= _USUAL_COLUMNS), texts[-1])


def spoken_run(run: RunScore) -> str:
    """``seed 4711: 6 floors, 12 over par, 3 undos, 41:07, yours, open``."""
    needed = helped(Effort(0, run.undos, run.hints, run.shown))
    whose = f"by {run.name}" if run.name else "yours"
    over = [over_par(run.over)] if run.floors else []
    parts = [counted(run.floors, "floor"), *over, needed, clock_time(run.seconds), whose]
    return f"seed {run.seed}: {', '.join(parts)}{'' if run.is_over else ', open'}"


def clock_time(seconds: float) -> str:
    """``2:41`` or ``1:02:41``.

    >>> clock_time(161), clock_time(3761)
    ('2:41', '1:02:41')
    """
    whole = round(seconds)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
