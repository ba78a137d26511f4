"""Choices before a solution is improved: the objective, what may change, and which other solutions to take parts of."""

from collections.abc import Sequence
from enum import Enum, auto

from sokoterm.app.improvement import Improvement, Task
from sokoterm.app.pack_session import FoundBy
from sokoterm.engine.bits import Bitboard, Square
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import whole_number
from sokoterm.engine.value import Value
from sokoterm.solver.optimizer.objective import Objective

_LONGEST_RANGE = 13  # characters typed


class Scope(Enum):
    """The part of a solution that may change."""

    ALL = auto()
    FROM_HERE = auto()
    UP_TO_HERE = auto()
    STRETCH = auto()
    TYPED = auto()


class Other(Value):
    """Another solution of the level, and who found it."""

    solution: Solution
    found_by: FoundBy
    credit: str


class ImproveChoices:
    """What the player may choose before an improvement; by default everything may change.

    ``kept`` are boxes at the start that keep their pushes, ``barred`` squares that no box may be pushed to unless the
    solution does.  ``here`` is the number of moves shown of the solution, None where it is not shown; ``stretch`` are
    the moves between which it parts from another one there.
    """

    def __init__(
        self,
        level: Level,
        solutions: Sequence[Solution],
        before: Improvement | None,
        others: Sequence[Other] = (),
        here: int | None = None,
        stretch: tuple[int, int] | None = None,
    ) -> None:
        """``solutions`` are those to choose from, at least one; ``before`` is the level's improvement before.

        ``others`` may be among them.
        """
        self.level = level
        self.kept: Bitboard = 0
        self.barred: Bitboard = 0
        self.here = here
        self.stretch = stretch
        self.typed = ""
        self.scope = Scope.ALL
        self.objective = before.objective if before is not None else Objective.MOVES
        self._before = before
        self._solutions = solutions
        self._others = others
        self._crossing = 0

    @property
    def yours(self) -> Solution:
        """The solution that gains are told of: if one is shown that was made better, the one before."""
        solution = min(self._solutions, key=self.objective.key)
        return self._before.yours if self._before is not None and self._before.best == solution else solution

    @property
    def solution(self) -> Solution:
        """The solution to make better: if that was done before and the whole may change, what came of it."""
        solution = min(self._solutions, key=self.objective.key)
        before = self._before
        if self.scope is not Scope.ALL or before is None or before.best is None or before.yours != solution:
            return solution
        return min(solution, before.best, key=self.objective.key)

    @property
    def scopes(self) -> list[Scope]:
        """The parts that there are to choose from; one that is typed comes last."""
        scopes = [Scope.ALL]
        if self.here is not None and 0 < self.here < self.solution.moves:
            scopes += [Scope.FROM_HERE, Scope.UP_TO_HERE]
        if self.stretch is not None:
            scopes.append(Scope.STRETCH)
        return [*scopes, Scope.TYPED] if self.typed else scopes

    @property
    def range(self) -> tuple[int, int | None] | None:
        """The moves between which the solution may change, None for its end; None if what is typed is no range."""
        match self.scope:
            case Scope.FROM_HERE:
                return self.here or 0, None
            case Scope.UP_TO_HERE:
                return 0, self.here
            case Scope.STRETCH if self.stretch is not None:
                return self.stretch
            case Scope.TYPED:
                return _range_in(self.typed, self.solution.moves)
        return 0, None

    @property
    def others(self) -> list[Other]:
        """The other solutions whose parts may be taken over."""
        return [each for each in self._others if each.solution != self.solution]

    @property
    def crossed(self) -> list[Other]:
        """Those of the others that are chosen: at first all of them."""
        others = self.others
        return others if self._crossing == 0 else others[self._crossing - 2 : self._crossing - 1]

    @property
    def task(self) -> Task | None:
        """What these choices come to; None if what is typed is no range."""
        if self.range is None:
            return None
        others = tuple(each.solution for each in self.crossed)
        return Task(self.solution, self.objective, *self.range, self.kept, self.barred, others)

    def next_objective(self, by: int) -> None:
        """Choose another objective."""
        every = [*Objective]
        self.objective = every[(every.index(self.objective) + by) % len(every)]

    def next_scope(self, by: int) -> None:
        """Choose another part."""
        self.scope = self.scopes[(self.scopes.index(self.scope) + by) % len(self.scopes)]

    def next_crossing(self, by: int) -> None:
        """Choose all others, none, or each of them in turn."""
        self._crossing = (self._crossing + by) % (len(self.others) + 2)

    def cross_nothing(self) -> None:
        """Choose none of the others."""
        self._crossing = 1

    def type(self, text: str) -> None:
        """Add to a range of moves that is typed: ``40-90``, ``40-``, ``-90``."""
        self.typed = (self.typed + text)[:_LONGEST_RANGE]
        self.scope = Scope.TYPED

    def rub_out(self) -> None:
        """Take the last sign of a typed range back."""
        self.typed = self.typed[:-1]
        if not self.typed and self.scope is Scope.TYPED:
            self.scope = Scope.ALL

    def mark(self, square: Square) -> bool:
        """Keep a box of the start, or bar a square, or no longer; False for a wall."""
        bit = 1 << square
        if not self.level.board.floor & bit:
            return False
        if self.level.start.boxes & bit:
            self.kept ^= bit
        else:
            self.barred ^= bit
        return True


def _range_in(text: str, moves: int) -> tuple[int, int | None] | None:
    """Return the range of moves that a text names, None if it is none of a solution of so many moves.

    >>> _range_in("40-90", 97), _range_in("40-", 97), _range_in("-90", 97), _range_in("40-200", 97)
    ((40, 90), (40, None), (0, 90), (40, None))
    >>> _range_in("90-40", 97), _range_in("40", 97), _range_in("120-", 97)
    (None, None, None)
    """
    begin, dash, end = text.partition("-")
    first, last = whole_number(begin or "0"), whole_number(end) if end else moves
    if not dash or first is None or last is None or not first < min(last, moves):
        return None
    return first, None if last >= moves else last
