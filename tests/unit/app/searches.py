"""Searches on the spot: a strategy that is run when it is asked for news, and reports from a script."""

from collections.abc import Callable, Iterable, Iterator
from itertools import count

from sokoterm.app.deadlock_warning import Question
from sokoterm.app.improvement import Task
from sokoterm.app.search_monitor import SearchMonitor
from sokoterm.app.services import Services
from sokoterm.app.solver_service import News, SearchEnd, strategy_of, why_unsolved
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.job import solve
from sokoterm.solver.protocol import MEGABYTE, Found, Limits, Outcome, Progress, Status, Strategy
from sokoterm.solver.strategies.bfs import search

LIMITS = Limits(60.0, 100_000, 100_000, lambda: 0.0, resident=lambda: 0)
"""Limits of these searches; the clock stands still."""


class ForegroundProver:
    """A BackgroundProver that thinks on the spot, when it is to tell; keeps what it was asked for."""

    def __init__(self, wake: Callable[[], None]) -> None:  # noqa: ARG002
        self.asked: list[Question] = []
        self.question: Question | None = None

    def start(self, question: Question) -> None:
        self.question = question
        self.asked.append(question)

    def stop(self) -> None:
        self.question = None

    def close(self) -> None:
        self.stop()

    def tell(self) -> None:
        if self.question is not None:
            solution, outcome = solve(self.question.board, self.question.state, self.question.strategy, LIMITS)
            self.question.answer(solution, outcome.optimal)


class ForegroundSearch:
    """A SolverService that searches on the spot, and tells when it is asked."""

    def __init__(self, wake: Callable[[], None]) -> None:  # noqa: ARG002
        self._task: tuple[Board, State] | None = None
        self._strategy: Strategy = search
        self.watched: SearchMonitor | None = None

    @property
    def is_busy(self) -> bool:
        return self._task is not None

    def start(self, board: Board, state: State, task: Task | None = None) -> None:
        self._task = (board, state)
        self._strategy = search if task is None else strategy_of(task)
        self.watched = SearchMonitor("auto", board, state, LIMITS)

    def cancel(self) -> None:
        self._task = None
        if self.watched is not None:
            self.watched.stopped()

    def pause(self) -> None:
        """Nothing runs beside the caller."""

    def go_on(self) -> None:
        """Nothing was paused."""

    def close(self) -> None:
        self.cancel()

    def news(self) -> Iterator[News]:
        if self._task is None or self.watched is None:
            return
        solution, outcome = solve(*self._task, self._strategy, LIMITS)
        self._task = None
        if solution is not None:
            self.watched.found(solution)
            yield solution
        self.watched.ended(outcome)
        yield SearchEnd(why_unsolved(outcome), outcome.seconds, outcome.optimal)

    def until_progress(self) -> float:
        return 0.0


def on_the_spot(given: Services) -> Services:
    """The same services with searches on the spot and no proofs; each look at the clock takes a second."""
    ticks = count()
    changed = {"clock": lambda: float(next(ticks)), "make_solver": ForegroundSearch, "make_prover": None}
    return Services(**vars(given) | changed)


class SlowSearch(ForegroundSearch):
    """Finds the same solution at the second, the fourth, ... time it is asked, and never comes to an end."""

    def __init__(self, wake: Callable[[], None]) -> None:
        super().__init__(wake)
        self._asked = 0

    def news(self) -> Iterator[News]:
        if self._task is None or self.watched is None:
            return
        self._asked += 1
        if self._asked % 2 == 0:
            solution, _ = solve(*self._task, search, LIMITS)
            assert solution is not None
            self.watched.found(solution)
            yield solution


Said = Progress | Found | Outcome


class ScriptedSearch(ForegroundSearch):
    """Says what a script has, one piece each time it is asked; the clock goes on by two seconds before each."""

    def __init__(self, wake: Callable[[], None], script: Iterable[Said]) -> None:
        super().__init__(wake)
        self._script = iter(script)
        self._seconds = 0.0

    def start(self, board: Board, state: State, task: Task | None = None) -> None:
        super().start(board, state, task)
        limits = Limits(60.0, 0, 0, lambda: self._seconds, 256 * MEGABYTE, lambda: 143 * MEGABYTE)
        self.watched = SearchMonitor("auto", board, state, limits)

    def news(self) -> Iterator[News]:
        watched, said = self.watched, next(self._script, None) if self._task is not None else None
        self._seconds += 2
        if watched is None:
            return
        match said:
            case Progress():
                watched.look(said)
                yield said
            case Found(solution):
                watched.found(solution)
                yield solution
            case Outcome():
                self._task = None
                watched.ended(said)
                yield SearchEnd(why_unsolved(said), said.seconds, said.optimal)


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
