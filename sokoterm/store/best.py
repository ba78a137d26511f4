"""What a person has made of a level: the best solutions, their figures for a list, and what a new one comes to."""

from sokoterm.engine.lurd import Solution
from sokoterm.engine.value import Value


class Dates(Value):
    """When a level was solved, in seconds since 1970, None where it never was.

    ``seconds`` is the time played, and ``is_helped`` says that the level was never solved without help.
    """

    first_solved: float | None = None
    last_solved: float | None = None
    seconds: float = 0.0
    is_helped: bool = False


class Best(Value):
    """The best solutions of a level, turned to fit it and replayed by the rules, and its ``Dates``."""

    by_moves: Solution | None = None
    by_pushes: Solution | None = None
    first_solved: float | None = None
    last_solved: float | None = None
    seconds: float = 0.0
    is_helped: bool = False


class Summary(Value):
    """The fewest moves and the fewest pushes of a solved level, maybe of two solutions, for a list.

    ``is_helped`` says that the level was never solved without help.
    """

    moves: int
    pushes: int
    is_helped: bool = False


class Recorded(Value):
    """A solution that was recorded, what was best before it, and one line where it waits to be written."""

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
