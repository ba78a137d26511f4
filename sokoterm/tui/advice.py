"""What the solver and the solutions that are kept have to say of a level while it is played."""

from collections.abc import Sequence

from sokoterm.engine.bits import Direction
from sokoterm.engine.game import Game
from sokoterm.engine.guide import Guide
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, end_of
from sokoterm.engine.value import Value
from sokoterm.tui.course import Course
from sokoterm.tui.keymap import Keymap
from sokoterm.tui.reactions import ShowReplay, Solve

NO_SOLUTION = "no solution from there (proven): undo goes back"
"""What is said of a position that was proven to have none."""
_UNSOLVABLE = "this level cannot be solved (proven)"


class Search(Value):
    """What the solver was asked for from this level, where, and whether a solution has been shown."""

    before: str
    is_hint: bool
    was_shown: bool = False


class Advice:
    """One search at a time, solutions that it finds, and the way from a position to the end of a known one.

    ``search`` is what was asked for, ``progress`` how far that is in words; ``has_offer`` says that a solution was
    found which has not been shown yet.
    """

    def __init__(self, course: Course, level: Level, game: Game, keymap: Keymap) -> None:
        self.search: Search | None = None
        self.progress = ""
        self.has_offer = False
        self._course = course
        self._level = level
        self._game = game
        self._keymap = keymap
        self._found: ShowReplay | None = None
        self._lost_from: str | None = None
        self._known: dict[str, Guide] = {}

    @property
    def is_searching(self) -> bool:
        return self.search is not None

    # What the player asks for

    def solve(self, *, is_hint: bool = False) -> Solve | str:
        """Ask the solver, or say why not."""
        if self._game.is_solved:
            return "the level is solved already"
        if self.search is not None:
            return f"searching already: {self._keymap.key_of('solve')} watches"
        self.search = Search(self._game.lurd, is_hint)
        self.progress = ""
        return Solve(self._game.state)

    def next_push(self) -> Sequence[Direction]:
        """The next push of a known solution and the walk to it, empty where the position does not lie on one."""
        if steps := self._next_known_push():
            return steps
        best = self._course.best(self._level).by_pushes
        if best is None or best.lurd in self._known:
            return ()
        self._learn("", best.lurd)
        return self._next_known_push()

    def replay(self) -> ShowReplay | str:
        """The solution to show, or why there is none."""
        best = self._course.best(self._level).by_moves
        if self._found and (self.has_offer or best is None or self._found_is_better(best)):
            return self._found
        from sokoterm.tui.offers import kept_solutions

        kept = kept_solutions(self._course, self._level)
        if kept:
            return kept[0]
        if self._lost_from is not None and self._game.lurd.startswith(self._lost_from):
            return _no_solution(self._lost_from)
        return f"no solution yet: {self._keymap.key_of('solve')} asks the solver"

    def find_offer(self) -> ShowReplay | None:
        """A solution that was found and has not been shown yet."""
        return self._found if self.has_offer else None

    # What the solver says

    def found(self, solution: Solution) -> ShowReplay | None:
        """The search found a solution, which is offered unless a hint was all that was asked for."""
        search = self.search
        if search is None:
            return None
        self._learn(search.before, solution.lurd)
        if search.is_hint:
            return None
        from sokoterm.tui.offers import solver_solution

        self.search = Search(search.before, search.is_hint, was_shown=True)
        self.has_offer = True
        self._found = solver_solution(search.before, solution)
        return self._found

    def search_stopped(self, why: str) -> str:
        """No search runs any more; what there is to say of that."""
        if self.search is not None and why == NO_SOLUTION:
            self._lost_from = self.search.before
            why = _no_solution(self._lost_from)
        self.search = None
        self.progress = ""
        return why

    def _found_is_better(self, best: Solution) -> bool:
        found = self._found
        return found is not None and not found.before and len(found.lurd) < best.moves

    def _next_known_push(self) -> Sequence[Direction]:
        pushes = (guide.find_next_push(self._game.state) for guide in reversed(self._known.values()))
        return next(filter(None, pushes), ())

    def _learn(self, before: str, lurd: str) -> None:
        """Remember a solution from the position that ``before`` leads to."""
        board = self._level.board
        self._known[lurd] = Guide(board, end_of(board, self._level.start, before), lurd)


def _no_solution(before: str) -> str:
    """What is said after moves that lead to a position without a solution: before the first push undo is of no use."""
    return NO_SOLUTION if any(map(str.isupper, before)) else _UNSOLVABLE
