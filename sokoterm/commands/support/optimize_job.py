"""``optimize`` with its results in a file: what is written of each level, and the totals."""

import json
from collections.abc import Callable
from functools import partial

from sokoterm.commands.support.answers import answer_of, lost_text, place_key, text_of, watched
from sokoterm.commands.support.files import level_in_sok
from sokoterm.commands.support.improvements import (
    ImprovementFigures,
    ImprovementTotals,
    OptimizeResult,
    figures_of,
    improvement,
    json_of,
    keep_improvement,
    record_of,
)
from sokoterm.commands.support.known import Source, Sourced
from sokoterm.commands.support.levels import Chosen, Look, Work
from sokoterm.commands.support.optimizing import optimizing
from sokoterm.commands.support.output import json_line, object_of
from sokoterm.commands.support.recorded import Result
from sokoterm.commands.support.search import Request
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.solver.optimizer.objective import Objective, Steering
from sokoterm.solver.protocol import Found, Limits
from sokoterm.store.progress import ProgressStore

# The result of a level for which there is nothing to begin with.
_NONE = ""


class OptimizeJob:
    """The searches of ``optimize``: a RecordedJob.

    Equal levels take the result of the first of them, unless a solution of their own is better.
    """

    def __init__(
        self,
        progress: ProgressStore | None,
        best_of: Callable[[Chosen], Sourced | None],
        objective: Objective,
        limits: Limits,
        source: str | None,
        writes_sok: bool,
        says_where: bool,
    ) -> None:
        """``progress`` is to keep what is found, if anything is.

        ``best_of`` returns the best known solution of ``source``; arguments else as the flags of the verb.
        """
        self._progress = progress
        self._best_of = best_of
        self._objective = objective
        self._limits = limits
        self._source = source
        self._writes_sok = writes_sok
        self._says_where = says_where
        self._totals = ImprovementTotals()
        self.form = (" --stretches" if says_where else "") + (" --no-remember" if progress is None else "")
        self.name = "optimize " + json_line({"for": objective, "from": source, "seconds": limits.seconds})

    def key(self, level: Level) -> str:
        """Return the level hash; with the place of the player where all moves count."""
        return place_key(level) if self._objective is Objective.MOVES else level_hash(level)

    def work(self, chosen: Chosen) -> Work | str:
        begin = self._best_of(chosen)
        if begin is None and self._source not in (None, Source.SOLVER):
            return _NONE
        solution = begin.solution if begin else None
        request = optimizing(solution, self._objective, self._limits, Steering())
        return partial(_optimized, request=request, begin=begin)

    def lost(self) -> str:
        return lost_text(optimizing(None, self._objective, self._limits, Steering()))

    def result(self, chosen: Chosen, text: str, is_copy: bool) -> Result:
        result = self._improvement(chosen, text, is_copy)
        if self._progress is not None:
            keep_improvement(self._progress, chosen.level, result)
        return Result(self._written(chosen, result), json_line(figures_of(result, self._objective)))

    def _improvement(self, chosen: Chosen, text: str, is_copy: bool) -> OptimizeResult:
        answer = answer_of(chosen.level, text) if text != _NONE else None
        given = answer.given if answer and not is_copy else None
        begin = Sourced(given, Source(str(object_of(text).get("source")))) if given else self._best_of(chosen)
        result = improvement(begin, answer, self._objective)
        if is_copy and begin is None and result.source is not None:
            result = result._replace(source=Source.KNOWN)
        before, after = result.before, result.after
        if before is not None and after is not None and self._objective.key(before) <= self._objective.key(after):
            result = result._replace(after=before, method="")
        return result

    def _written(self, chosen: Chosen, result: OptimizeResult) -> bytes:
        if self._writes_sok:
            record = record_of(result.after, self._objective) if result.after else None
            return level_in_sok(chosen, record, result.lack)
        line = json_of(chosen, result, self._objective, says_where=self._says_where)
        return line.encode("ascii") + b"\n"

    def count(self, figures: str) -> None:
        self._totals.add(ImprovementFigures(*json.loads(figures)))

    @property
    def status(self) -> int:
        return 1 if self._totals.lacking else 0

    def __str__(self) -> str:
        return str(self._totals)


def _optimized(level: Level, look: Look, request: Request, begin: Sourced | None) -> str:
    """Search for a better solution; the answer holds that of the beginning where there is none.

    It says where that of the beginning came from, since what is found later becomes the best known one.
    """
    answer = watched(level, look, request)
    if begin is not None:
        answer = answer._replace(found=answer.found or Found(begin.solution), given=begin.solution)
    source = begin.source if begin else Source.SOLVER
    return json_line(json.loads(text_of(level, answer)) | {"source": source})
