"""Solutions of the level in play: their sources, improvements in the background, and the player's choices for one."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import TypeVar

from sokoterm.engine.bits import Bitboard, Square
from sokoterm.engine.guide import Stretch, stretches
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import range_in
from sokoterm.engine.value import Value
from sokoterm.solver.optimizer.objective import Objective, Steering
from sokoterm.store.known_levels import KnownSolution, Source

_Choice = TypeVar("_Choice")

# Comparing the positions of longer solutions would delay the next frame too much.
_MOST_COMPARED = 20_000


class ShowReplay(Value):
    """A solution to replay: ``lurd``, played after the moves ``before`` from the start of the level.

    ``credit`` is the finder named in the file that the solution comes from.
    """

    before: str
    lurd: str
    source: Source
    credit: str = ""

    @property
    def moves(self) -> str:
        return self.before + self.lurd


class Gain(Value):
    """Gain of a better solution: it saves ``count`` units of a ``metric``, ``share`` of them on one ``stretch``.

    For metrics other than moves and pushes, the stretch spans all differences. It is None if the solutions are too
    long to compare.
    """

    metric: Objective
    count: int
    share: int
    stretch: Stretch | None


class Task(Value):
    known: Solution
    objective: Objective
    steering: Steering = Steering()


class Improvement:
    """A running or finished improvement of a solution.

    ``known`` is the solution to improve, ``best`` the best one found so far, if any. ``has_news``: something was found
    that has not been shown yet. ``seconds`` and ``gain`` are as of the last ``tell``.
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
        self.gain: Gain | None = None
        self._told: Solution | None = None

    def found(self, solution: Solution) -> None:
        self.best = solution
        self.has_news = True

    @property
    def shown(self) -> ShowReplay | None:
        return ShowReplay("", self.best.lurd, Source.OPTIMIZER) if self.best is not None else None

    def tell(self, seconds: float) -> None:
        self.seconds = seconds
        if self.best is not None and self.best is not self._told:
            self._told = self.best
            self.gain = gain_of(self.level, self.known, self.best, self.objective)

    def ended(self, seconds: float, *, is_proven: bool = False) -> None:
        self.is_running = False
        self.is_proven = is_proven
        self.tell(seconds)


def gain_of(level: Level, known: Solution, better: Solution, objective: Objective) -> Gain | None:
    """Return what a solution saves by an objective, else in moves, else in pushes; None if it saves nothing."""
    for metric in (objective, Objective.MOVES, Objective.PUSHES):
        count = metric.measure(known) - metric.measure(better)
        if count > 0:
            break
    else:
        return None
    apart = parting(level, known, better)
    if not apart:
        return Gain(metric, count, count, None)
    if metric not in (Objective.MOVES, Objective.PUSHES):
        whole = Stretch(apart[0].first, apart[-1].last, apart[0].other_first, apart[-1].other_last, 0, 0)
        return Gain(metric, count, count, whole)
    shares = [each.pushes if metric is Objective.PUSHES else each.moves for each in apart]
    share = max(shares)
    return Gain(metric, count, share, apart[shares.index(share)])


def parting(level: Level, solution: Solution, other: Solution) -> list[Stretch]:
    """Return the stretches on which two solutions differ in moves or pushes; none if they are too long to compare."""
    if max(solution.moves, other.moves) > _MOST_COMPARED:
        return []
    apart = stretches(level.board, level.start, solution, other)
    return [each for each in apart if each.moves or each.pushes]


_LONGEST_RANGE = 13  # characters typed


class Scope(Enum):
    ALL = auto()
    FROM_HERE = auto()
    UP_TO_HERE = auto()
    STRETCH = auto()
    TYPED = auto()


class Shown(Value):
    """The position of a replay: ``here`` is the number of moves shown.

    ``stretch`` is the range of moves around it that differs from another solution, if any.
    """

    solution: Solution
    here: int
    stretch: tuple[int, int] | None = None


class ImproveChoices:
    """Choices of the player before an improvement; by default everything may change.

    ``known`` are the solutions to choose from, ``kept`` the boxes (by starting square) that keep their pushes, and
    ``barred`` the squares that no box may be pushed to unless the solution already does so.
    """

    def __init__(
        self,
        level: Level,
        known: Sequence[KnownSolution],
        objective: Objective = Objective.MOVES,
        shown: Shown | None = None,
    ) -> None:
        """``known`` has at least one solution and no two alike; it includes the one ``shown``, if any."""
        self.level = level
        self.known = known
        self.objective = objective
        self.kept: Bitboard = 0
        self.barred: Bitboard = 0
        self.typed = ""
        self.scope = Scope.ALL
        self._shown = shown
        self._picked: KnownSolution | None = None
        self._crossing = 0

    @property
    def chosen(self) -> KnownSolution:
        """The solution to improve: by default the one shown, else the best of the player and the optimizer."""
        if self._picked is not None:
            return self._picked
        shown = self._shown.solution if self._shown is not None else None
        owns = [each for each in self.known if (_is_own(each) if shown is None else each.solution == shown)]
        return min(owns or self.known, key=lambda each: self.objective.key(each.solution))

    @property
    def solution(self) -> Solution:
        return self.chosen.solution

    @property
    def shown(self) -> Shown | None:
        return self._shown if self._shown is not None and self._shown.solution == self.solution else None

    @property
    def scopes(self) -> dict[Scope, tuple[int, int | None] | None]:
        """The available scopes with their ranges of moves; an end of None is the end of the solution.

        The typed range comes last, and is None if it is not valid.
        """
        scopes: dict[Scope, tuple[int, int | None] | None] = {Scope.ALL: (0, None)}
        if self.shown is not None and 0 < self.shown.here < self.solution.moves:
            scopes |= {Scope.FROM_HERE: (self.shown.here, None), Scope.UP_TO_HERE: (0, self.shown.here)}
        if self.shown is not None and self.shown.stretch is not None:
            scopes[Scope.STRETCH] = self.shown.stretch
        if self.typed:
            scopes[Scope.TYPED] = _range_in(self.typed, self.solution.moves)
        return scopes

    @property
    def range(self) -> tuple[int, int | None] | None:
        """The range of moves that may change; None if the typed range is not valid."""
        return self.scopes[self.scope]

    @property
    def others(self) -> list[KnownSolution]:
        return [each for each in self.known if each is not self.chosen]

    @property
    def crossed(self) -> list[KnownSolution]:
        """The chosen ones of the others: by default all."""
        others = self.others
        return others if self._crossing == 0 else others[self._crossing - 2 : self._crossing - 1]

    @property
    def task(self) -> Task | None:
        if self.range is None:
            return None
        others = tuple(each.solution for each in self.crossed)
        return Task(self.solution, self.objective, Steering(*self.range, self.kept, self.barred, others))

    def turn(self, what: str, by: int) -> None:
        """Choose another ``solution``, ``objective``, ``scope`` or ``crossing`` (all others, none, or a single one)."""
        before = self.chosen
        match what:
            case "solution":
                self._picked = _turned(self.known, before, by)
            case "objective":
                self.objective = _turned([*Objective], self.objective, by)
            case "scope":
                self.scope = _turned([*self.scopes], self.scope, by)
            case "crossing":
                count = len(self.others)
                self._crossing = (self._crossing + by) % (count + 2 if count > 1 else count + 1)
        # Choices that depend on the solution may not be available for another one.
        if self.scope not in self.scopes:
            self.scope = Scope.ALL
        if self._crossing > 1 and self.chosen is not before:
            self._crossing = 0

    def cross_nothing(self) -> None:
        self._crossing = 1

    def type(self, text: str) -> None:
        """Append to the typed range of moves: ``40-90``, ``40-``, ``-90``."""
        before = self.typed if self.scope is Scope.TYPED else ""
        self.typed = (before + text)[:_LONGEST_RANGE]
        self.scope = Scope.TYPED

    def rub_out(self) -> None:
        """Delete the last character of the typed range, if that is the chosen scope."""
        if self.scope is not Scope.TYPED:
            return
        self.typed = self.typed[:-1]
        if not self.typed:
            self.scope = Scope.ALL

    def mark(self, square: Square) -> bool:
        """Toggle whether a box keeps its pushes, or whether a square is barred; False for a wall."""
        bit = 1 << square
        if not self.level.board.floor & bit:
            return False
        if self.level.start.boxes & bit:
            self.kept ^= bit
        else:
            self.barred ^= bit
        return True


def _is_own(known: KnownSolution) -> bool:
    return known.source in (Source.OWN, Source.OPTIMIZER) or known.credit == Source.OPTIMIZER


def _turned(every: Sequence[_Choice], now: _Choice, by: int) -> _Choice:
    return every[(every.index(now) + by) % len(every)]


def _range_in(text: str, moves: int) -> tuple[int, int | None] | None:
    """Return the range given by a text; None if it is not valid for a solution with this number of moves.

    >>> _range_in("40-90", 97), _range_in("40-", 97), _range_in("-90", 97), _range_in("40-97", 97)
    ((40, 90), (40, None), (0, 90), (40, None))
    >>> _range_in("90-40", 97), _range_in("40", 97), _range_in("120-", 97), _range_in("40-98", 97)
    (None, None, None, None)
    """
    found = range_in(text)
    if found is None or not found[0] < (found[1] or moves) <= moves:
        return None
    first, last = found
    return first, None if last == moves else last
