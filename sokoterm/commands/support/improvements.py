"""Results of ``optimize``: solutions before and after, as JSON, as records, and in totals."""

from collections.abc import Iterable, Sequence
from operator import add
from typing import NamedTuple

from sokoterm.commands.support.known import Source, Sourced, remember
from sokoterm.commands.support.levels import Chosen
from sokoterm.commands.support.output import json_line
from sokoterm.commands.support.search import Answer, ending_text, status_text
from sokoterm.engine.level import Level, Record
from sokoterm.engine.lurd import Solution
from sokoterm.engine.stretches import Stretch, stretches
from sokoterm.language import _, in_clauses, levels_text, listed, ngettext, number
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.store.known_levels import KnownSolution
from sokoterm.store.progress import ProgressStore

_NONE_STORED = "none stored"
# Objectives that titles of solutions name in SOK.
_TITLED = (Objective.MOVES, Objective.PUSHES)


class OptimizeResult(NamedTuple):
    """A solution of a level before and after; None without one: ``lack`` says why.

    ``proven``: no solution has less of the objective.
    """

    source: Source | None
    before: Solution | None
    after: Solution | None
    lack: str = ""
    method: str = ""
    proven: bool = False
    seconds: float = 0.0

    @property
    def is_better(self) -> bool:
        return self.after != self.before


def improvement(begin: Sourced | None, answer: Answer | None, objective: Objective) -> OptimizeResult:
    """Return what a search made of the solution to ``begin`` with; without a search there was none."""
    if answer is None:
        return OptimizeResult(None, None, None, _NONE_STORED)
    found, outcome = answer.found, answer.outcome
    before = begin.solution if begin else answer.given
    if before is None:
        return OptimizeResult(None, None, None, status_text(outcome.status, outcome.reason), seconds=outcome.seconds)
    source = begin.source if begin else Source.SOLVER
    is_proven = outcome.optimal == objective
    after, method = (found.solution, found.method) if found else (before, "")
    return OptimizeResult(source, before, after, "", method, is_proven, outcome.seconds)


def keep_improvement(progress: ProgressStore, level: Level, result: OptimizeResult) -> None:
    """Keep what was found as known."""
    found = []
    if result.before is not None and result.source is Source.SOLVER:
        found.append(KnownSolution(result.before, "solver"))
    if result.after is not None and result.is_better:
        found.append(KnownSolution(result.after, "optimizer"))
    remember(progress, level, *found)


def saved_at(level: Level, before: Solution, after: Solution) -> list[Stretch]:
    """Return the stretches on which a solution saves or loses something against another one."""
    return [each for each in stretches(level.board, level.start, before, after) if each.moves or each.pushes]


def counts_of(solution: Solution, objective: Objective) -> Sequence[int]:
    """Return moves and pushes, and the objective where it is neither."""
    counts = (solution.moves, solution.pushes)
    is_other = objective not in (Objective.MOVES, Objective.PUSHES)
    return (*counts, objective.measure(solution)) if is_other else counts


def joined(counts: Iterable[int]) -> str:
    """Return counts as in the columns of ``optimize``: ``97/23``."""
    return "/".join(number(each) for each in counts)


def lack_text(lack: str) -> str:
    """Return the ``lack`` of a result in the player's language."""
    return _("none stored") if lack == _NONE_STORED else ending_text(lack)


class ImprovementFigures(NamedTuple):
    """Figures for totals: ``counts_of`` the solutions before and after, empty without any."""

    before: Sequence[int]
    after: Sequence[int]
    is_better: bool
    is_proven: bool


def figures_of(result: OptimizeResult, objective: Objective) -> ImprovementFigures:
    """Return the figures of a result."""
    both = (result.before, result.after)
    before, after = ((*counts_of(each, objective),) if each is not None else () for each in both)
    return ImprovementFigures(before, after, result.is_better, result.proven)


class ImprovementTotals:
    """Totals of results, counted one by one; as text in one line."""

    def __init__(self, results: Iterable[ImprovementFigures] = ()) -> None:
        self.levels = 0
        self.lacking = 0
        self._better = 0
        self._proven = 0
        self._before: Sequence[int] = ()
        self._after: Sequence[int] = ()
        for each in results:
            self.add(each)

    def add(self, result: ImprovementFigures) -> None:
        """Count a result."""
        self.levels += 1
        self._better += result.is_better
        self._proven += result.is_proven
        if not result.before:
            self.lacking += 1
            return
        self._before = [*map(add, self._before or [0] * len(result.before), result.before)]
        self._after = [*map(add, self._after or [0] * len(result.after), result.after)]

    def __str__(self) -> str:
        counts = (
            levels_text(self.levels),
            ngettext("{n:,} better", "{n:,} better", self._better),
            ngettext("{n:,} proven", "{n:,} proven", self._proven),
            ngettext("{n:,} without a solution", "{n:,} without a solution", self.lacking) if self.lacking else "",
        )
        before, after = joined(self._before), joined(self._after)
        # Translators: sums of moves/pushes.
        sums = _("before {before}, after {after}", before=before, after=after) if self._before else ""
        return in_clauses([listed(counts), sums])


def record_of(solution: Solution, objective: Objective) -> Record:
    """Return a solution as a record whose title names what it has least of."""
    title = "Solution" if objective not in _TITLED else f"Solution/{objective.capitalize()}"
    return Record(f"{title} {solution.moves}/{solution.pushes}", solution.lurd)


def json_of(chosen: Chosen, result: OptimizeResult, objective: Objective, *, says_where: bool) -> str:
    """Return the JSON object of a level; ``says_where``: where a solution is better in place of what it is."""
    before, after = result.before, result.after
    where = saved_at(chosen.level, before, after) if says_where and before and after else ()
    return json_line(
        {
            **chosen.place,
            "objective": objective,
            "source": result.source,
            "moves_before": before.moves if before else None,
            "pushes_before": before.pushes if before else None,
            "count_before": objective.measure(before) if before else None,
            "moves": after.moves if after else None,
            "pushes": after.pushes if after else None,
            "count": objective.measure(after) if after else None,
            "lurd": after.lurd if after and not says_where else None,
            "where": [each._asdict() for each in where] if says_where else None,
            "lack": result.lack or None,
            "method": result.method or None,
            "proven": result.proven,
            "seconds": round(result.seconds, 3),
        }
    )
