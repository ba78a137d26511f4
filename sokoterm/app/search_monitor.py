"""One search as it can be watched: what it told last, and what it has found."""

from collections import deque

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, end_of
from sokoterm.solver.protocol import Limits, Outcome, Progress

_PACE_LOOKS = 8  # nodes a second are those since so many looks ago
# Another best position costs as much on the line as all counters in two seconds: one in three is the lesser part.
_SHOWN_SECONDS = 3.0


class SearchMonitor:
    """A search by the strategy ``name`` from a position; whoever drives it says what it does.

    ``memory`` is that of the process in bytes, 0 where it cannot be known; ``outcome`` is None while the search runs
    and where it was stopped.  ``reached`` tells of a strategy, its best position and the way there: it is the latest
    report, but one without a best position never takes the place of one that has it, and while the search runs no other
    strategy and no other best position takes the place of one that has not been shown for _SHOWN_SECONDS.
    """

    def __init__(self, name: str, board: Board, state: State, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        self.latest = self.reached = Progress("", 0, 0, 0, 0, 0.0)
        self.solutions: list[Solution] = []
        self.outcome: Outcome | None = None
        self.is_over = False
        self.seconds = 0.0
        self.memory = 0
        self._board = board
        self._state = state
        self._solved: Bitboard = 0
        self._began = limits.clock()
        self._reached_at = 0.0
        self._strategies: set[str] = set()
        self._looks: deque[tuple[float, int]] = deque([(0.0, 0)], _PACE_LOOKS)

    @property
    def nodes_per_second(self) -> int:
        """How fast it has been of late, and in all once it is over; 0 before that can be told."""
        (before, nodes_before), (now, nodes) = self._looks[0], self._looks[-1]
        return round((nodes - nodes_before) / (now - before)) if now > before and nodes > nodes_before else 0

    @property
    def best(self) -> Bitboard:
        """The boxes of the best position so far: of the solved one, once there is one; 0 where none is told."""
        return self._solved or self.reached.best

    @property
    def strategy(self) -> str:
        """The one ``reached`` tells of, or with a solution the one at work or at the end; at first what was asked."""
        ended = self.outcome.strategy if self.outcome else ""
        if self.solutions:
            return ended or self.latest.strategy or self.name
        return self.reached.strategy or ended or self.name

    @property
    def others(self) -> list[str]:
        """The other strategies that take turns, by name: those that have reported, until there is a solution."""
        return [] if self.solutions else sorted(self._strategies - {self.strategy})

    def look(self, latest: Progress | None) -> None:
        """Take down how far the search is; None where it has not reported yet."""
        self.seconds = self.limits.clock() - self._began
        self.memory = self.limits.resident()
        if latest is None:
            return
        self.latest = latest
        self._strategies.add(latest.strategy)
        self._looks.append((self.seconds, latest.nodes))
        shown, is_new = self.reached, self.seconds - self._reached_at < _SHOWN_SECONDS
        is_same = (latest.strategy, latest.best) == (shown.strategy, shown.best)
        is_first = not shown.strategy or (latest.best and not shown.best)
        if (is_same or is_first or not is_new) and self._show(latest) and not is_same:
            self._reached_at = self.seconds

    def found(self, solution: Solution) -> None:
        """A solution, better than those before."""
        self.solutions.append(solution)
        self._solved = end_of(self._board, self._state, solution.lurd).boxes

    def ended(self, outcome: Outcome) -> None:
        """The search has come to its end by itself."""
        self.outcome, self.is_over, self.seconds = outcome, True, outcome.seconds
        self.latest = self.latest._replace(nodes=outcome.nodes, stored=outcome.stored)
        self._show(self.latest)
        self._looks = deque([(0.0, 0), (outcome.seconds, outcome.nodes)])

    def stopped(self) -> None:
        """The search was stopped, or has failed."""
        self.is_over = True
        self._show(self.latest)

    def _show(self, latest: Progress) -> bool:
        """Whether it can be shown: the picture of a best position does not go."""
        is_shown = bool(latest.best or not self.reached.best)
        if is_shown:
            self.reached = latest
        return is_shown
