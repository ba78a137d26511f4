"""Objectives of the optimizer: the metric to minimize, what may change, and costs that compare accordingly.

A cost packs three counts into one int, most significant first, so that costs are added and compared as ints.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.lurd import Solution
from sokoterm.engine.value import Value

# Enough bits for the moves of any solution.
_BITS = 24


class Objective(StrEnum):
    """Metric to minimize; ties are decided by moves, then pushes (for MOVES: by pushes only)."""

    MOVES = "moves"
    PUSHES = "pushes"
    LINES = "lines"
    CHANGES = "changes"
    SESSIONS = "sessions"

    def key(self, solution: Solution) -> tuple[int, int, int]:
        """Return the sort key of a solution; the lowest is best.

        >>> Objective.PUSHES.key(Solution("rR", 2, 1, 1, 1, 1, 1))
        (1, 2, 1)
        """
        return (self.measure(solution), solution.moves, solution.pushes)

    def measure(self, solution: Solution) -> int:
        measure: int = getattr(solution, _FIELDS[self])
        return measure


_FIELDS: Mapping[Objective, str] = MappingProxyType(
    {
        Objective.MOVES: "moves",
        Objective.PUSHES: "pushes",
        Objective.LINES: "box_lines",
        Objective.CHANGES: "box_changes",
        Objective.SESSIONS: "pushing_sessions",
    }
)


class Steering(Value):
    """Restrictions set by a person; by default everything may change.

    ``first`` and ``last``: moves between which the solution may change (``last``: None for the end).  ``kept``: squares
    at the start whose boxes keep their pushes.  ``barred``: squares that no box may be pushed to, unless the known
    solution does.  ``others``: further solutions from the same start, whose best parts are adopted.
    """

    first: int = 0
    last: int | None = None
    kept: Bitboard = 0
    barred: Bitboard = 0
    others: tuple[Solution, ...] = ()

    @property
    def is_free(self) -> bool:
        """True if everything may change."""
        return self == Steering(others=self.others)


class Costs:
    """Costs of one objective.

    ``walk``: a step without a push.  ``push``: a step with one.  ``extra``: added for a push that begins a box line,
    box change or session, 0 if the objective counts none of them.  ``unit``: one unit of the objective.
    """

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self.unit = 1 << (_BITS if objective in (Objective.MOVES, Objective.PUSHES) else 2 * _BITS)
        self.extra = 0 if objective in (Objective.MOVES, Objective.PUSHES) else self.unit
        self.walk = 1 if objective is Objective.PUSHES else 1 << _BITS
        self.push = self.walk + (1 << _BITS if objective is Objective.PUSHES else 1)

    def of(self, count: int, moves: int, pushes: int) -> int:
        """Return the cost of moves; ``count``: box lines, box changes or sessions, if the objective counts them."""
        return count * self.extra + (moves - pushes) * self.walk + pushes * self.push
