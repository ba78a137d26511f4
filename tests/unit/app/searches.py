"""Searches on the spot: a strategy that is run when it is asked for news, and reports from a script."""

from collections.abc import Callable, Iterable, Iterator
from itertools import count

from sokoterm.app.deadlock_warning import Prover, Question
from sokoterm.app.improvement import Task
from sokoterm.app.session import Services
from sokoterm.app.solver import SearchMonitor, Solver
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.search import MEGABYTE, Found, Limits, News, Outcome, Progress, Status, Strategy, solve
from sokoterm.solver.strategies.bfs import search

LIMITS = Limits(60.0, 100_000, 100_000, lambda: 0.0, resident=lambda: 0)
"""Limits of these searches; the clock stands still."""


class ForegroundProver(Prover):
    """A Prover that thinks on the spot, when it is to answer; keeps what it was asked for."""

    def __init__(self, wake: Callable[[], None]) -> None:
        super().__init__(wake, LIMITS.clock)
        self.asked: list[Question] = []

    def seek(self, question: Question | None) -> None:
        if question is not None and (self.question is None or question.key != self.question.key):
            self.asked.append(question)
        self.question = question

    def answer(self) -> None:
        if self.question is not None:
            solution, outcome = solve(self.question.board, self.question.state, self.question.strategy(), LIMITS)
            self.question.answer(solution, outcome.optimal)


class IdleProver(Prover):
    """A Prover that proves nothing."""

    def __init__(self, wake: Callable[[], None]) -> None:
        super().__init__(wake, LIMITS.clock)

    def seek(self, question: Question | None) -> None:
        """Nobody gets an answer."""


class ForegroundSearch(Solver):
    """A Solver that searches on the spot, and tells when it is asked."""

    limits = LIMITS

    def __init__(self, wake: Callable[[], None]) -> None:
        super().__init__(wake, self.limits)
        self.asked: tuple[Board, State, Strategy] | None = None

    def start(self, board: Board, state: State, task: Task | None = None) -> None:
        self.asked = (board, state, search if task is None else self.strategy(task))
        self.watched = SearchMonitor("auto", board, state, self.limits)
        self.is_busy = True

    def news(self) -> Iterator[News]:
        if self.asked is None or self.watched is None or not self.is_busy:
            return
        solution, outcome = solve(*self.asked, LIMITS)
        self.is_busy = False
        if solution is not None:
            self.watched.found(solution)
            yield Found(solution)
        self.watched.ended(outcome)
        yield outcome

    def until_progress(self) -> float:
        return 0.0


def on_the_spot(given: Services) -> Services:
    """The same services with searches on the spot and no proofs; each look at the clock takes a second."""
    ticks = count()
    changed = {"clock": lambda: float(next(ticks)), "make_solver": ForegroundSearch, "make_prover": IdleProver}
    return Services(**vars(given) | changed)


class SlowSearch(ForegroundSearch):
    """Finds the same solution at the second, the fourth, ... time it is asked, and never comes to an end."""

    times = 0

    def news(self) -> Iterator[News]:
        if self.asked is None or self.watched is None or not self.is_busy:
            return
        self.times += 1
        if self.times % 2 == 0:
            solution, _ = solve(*self.asked, LIMITS)
            assert solution is not None
            self.watched.found(solution)
            yield Found(solution)


Said = Progress | Found | Outcome


class ScriptedSearch(ForegroundSearch):
    """Says what a script has, one piece each time it is asked; the clock goes on by two seconds before each."""

    def __init__(self, wake: Callable[[], None], script: Iterable[Said]) -> None:
        self.limits = Limits(60.0, 0, 0, lambda: self.seconds, 256 * MEGABYTE, lambda: 143 * MEGABYTE)
        self.seconds = 0.0
        super().__init__(wake)
        self._script = iter(script)

    def news(self) -> Iterator[News]:
        watched, said = self.watched, next(self._script, None) if self.is_busy else None
        self.seconds += 2
        if watched is None or said is None:
            return
        match said:
            case Progress():
                watched.look(said)
            case Found(solution):
                watched.found(solution)
            case Outcome():
                self.is_busy = False
                watched.ended(said)
        yield said


def saying(*script: Said) -> Callable[[Callable[[], None]], ScriptedSearch]:
    """Return a maker of searches that say these pieces."""
    return lambda wake: ScriptedSearch(wake, script)


def found_by(level: Level, lurd: str) -> Found:
    """Return the words of a search on the solution that these moves are."""
    return Found(verify(level.board, level.start, lurd))


FIRST = Progress("astar", 4000, 5200, 17, 41, 1.0)
EASY = "#######\n#@$ . #\n#     #\n#######\n"
EASY_LEVEL = Level.from_xsb(EASY)
SHORT = found_by(EASY_LEVEL, "RR")
LONG = found_by(EASY_LEVEL, "duRR")
SOLVED = Outcome(Status.SOLVED, "astar", None, "pushes", 12, 20, 0.1)
