"""Improvement of a solution in the background: what it found, and how much of that saves where."""

from collections.abc import Sequence

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.engine.stretches import Stretch, stretches
from sokoterm.engine.value import Value
from sokoterm.solver.optimizer.objective import Objective, Steering

# Comparing the positions of longer solutions takes too long between a key and its picture.
_MOST_COMPARED = 20_000


class Gain(Value):
    """Gain of a solution: it saves ``count`` of a ``metric``.

    ``share`` of it is saved on one ``stretch``: all, if that is the only one, or ``count`` is neither of moves nor of
    pushes; the stretch is None if the solutions are too long to compare.
    """

    metric: Objective
    count: int
    share: int
    stretch: Stretch | None


class Task(Value):
    """A solution to make better, from the start of its level."""

    known: Solution
    objective: Objective
    steering: Steering = Steering()


class Improvement:
    """An improvement of a solution of a level, under way or over.

    ``known`` is the solution that is made better, ``best`` the best one found so far, None before there is one.
    ``has_news``: something was found that has not been shown yet.  ``seconds``: how long it has been under way, as told
    last.
    """

    def __init__(self, level: Level, task: Task) -> None:
        self.level = level
        self.known = task.known
        self.objective = task.objective
        self.best: Solution | None = None
        self.has_news = False
        self.is_running = True
        self.is_proven = False
        self.seconds = 0.0
        self._gain: Gain | None = None
        self._told: Solution | None = None

    def found(self, solution: Solution) -> None:
        """Take in a solution, better than those before."""
        self.best = solution
        self.has_news = True

    @property
    def gain(self) -> Gain | None:
        """The gain of the best solution over the known one, as this was ``told`` last; None before there is one."""
        return self._gain

    def tell(self, seconds: float) -> None:
        """Bring ``seconds`` and ``gain`` up to date."""
        self.seconds = seconds
        if self.best is not None and self.best is not self._told:
            self._told = self.best
            self._gain = gain_of(self.level, self.known, self.best, self.objective)

    def ended(self, seconds: float, *, is_proven: bool = False) -> None:
        """Note that it is over."""
        self.is_running = False
        self.is_proven = is_proven
        self.tell(seconds)


def gain_of(level: Level, known: Solution, better: Solution, objective: Objective) -> Gain | None:
    """Return what a better solution saves by an objective, or else in moves or pushes; None if it saves nothing."""
    for metric in (objective, Objective.MOVES, Objective.PUSHES):
        count = metric.measure(known) - metric.measure(better)
        if count > 0:
            return _placed(metric, count, parting(level, known, better))
    return None


def _placed(metric: Objective, count: int, apart: Sequence[Stretch]) -> Gain:
    """Return the gain with the stretch that saves most of it, or that holds all stretches."""
    if not apart:
        return Gain(metric, count, count, None)
    if metric not in (Objective.MOVES, Objective.PUSHES):
        whole = Stretch(apart[0].first, apart[-1].last, apart[0].other_first, apart[-1].other_last, 0, 0)
        return Gain(metric, count, count, whole)
    best = max(apart, key=lambda each: saved(each, metric))
    return Gain(metric, count, saved(best, metric), best)


def saved(stretch: Stretch, metric: Objective) -> int:
    """Return the moves or pushes that the other way of a stretch saves."""
    return stretch.pushes if metric is Objective.PUSHES else stretch.moves


def parting(level: Level, solution: Solution, other: Solution) -> list[Stretch]:
    """Return the stretches on which two solutions part and one saves something; none if they are too long to compare.

    Both are from the start of the level.
    """
    if max(solution.moves, other.moves) > _MOST_COMPARED:
        return []
    apart = stretches(level.board, level.start, solution, other)
    return [each for each in apart if each.moves or each.pushes]
