"""Results of a person on a level: the best solutions, their figures for a list, and the rank of a new one."""

from sokoterm.engine.lurd import Solution
from sokoterm.engine.value import Value


class Dates(Value):
    """Dates of a level, in seconds since 1970, None if it was never solved.

    ``seconds`` is the time played; ``is_helped`` is true if the level was never solved without help.
    """

    first_solved: float | None = None
    last_solved: float | None = None
    seconds: float = 0.0
    is_helped: bool = False


class Best(Value):
    """The best solutions of a level, transformed to fit it and replayed by the rules, and its ``Dates``."""

    by_moves: Solution | None = None
    by_pushes: Solution | None = None
    first_solved: float | None = None
    last_solved: float | None = None
    seconds: float = 0.0
    is_helped: bool = False


class Summary(Value):
    """The fewest moves and the fewest pushes of a solved level, possibly of two solutions, for a list.

    ``is_helped`` is true if the level was never solved without help.
    """

    moves: int
    pushes: int
    is_helped: bool = False


class Recorded(Value):
    """A recorded solution, the best before it, and one line if it could not be written yet."""

    solution: Solution
    before: Best
    problem: str | None

    @property
    def is_best_by_moves(self) -> bool:
        before = self.before.by_moves
        return before is None or (self.solution.moves, self.solution.pushes) < (before.moves, before.pushes)

    @property
    def is_best_by_pushes(self) -> bool:
        before = self.before.by_pushes
        return before is None or (self.solution.pushes, self.solution.moves) < (before.pushes, before.moves)
