"""Optimizer of solutions with colours or ice: shortest walks, then a search of the whole level.

The other methods know ordinary boards alone.  The whole level is searched for fewest moves and for fewest pushes, and
only if everything may change.
"""

from collections.abc import Generator

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, end_of, verify
from sokoterm.engine.rules import is_solved
from sokoterm.solver.meter import Meter
from sokoterm.solver.optimizer.objective import Costs, Objective
from sokoterm.solver.optimizer.walks import straighten
from sokoterm.solver.protocol import Feature, Found, Progress
from sokoterm.solver.variants.fewest_moves import Cheapest


class VariantImproving:
    """The work on one solution.  ``best``: the solution so far; ``is_proven``: no solution can be better."""

    def __init__(
        self,
        board: Board,
        start: State,
        known: Solution,
        objective: Objective,
        meter: Meter,
        *,
        first: int,
        last: int | None,
        is_free: bool,
        others: tuple[Solution, ...],
    ) -> None:
        """``first`` and ``last``: the moves between which it may change; ``is_free``: pushes may change as well."""
        self.best = min((known, *others), key=objective.key) if is_free else known
        self.is_proven = False
        self._known = known
        self._board = board
        self._start = start
        self._objective = objective
        self._meter = meter
        self._first, self._last = first, last
        self._is_free = is_free

    def run(self, until: int) -> Generator[Progress | Found, None, None]:
        """Improve the solution until nothing can be better, or the meter has ``until`` nodes."""
        # The shortest solution of a level that begins solved would be empty.
        if is_solved(self._board, self._start):
            return
        yield from self._straighten()
        if self._is_free and self._objective in (Objective.MOVES, Objective.PUSHES):
            yield from self._search_whole(until)

    def _straighten(self) -> Generator[Progress | Found, None, None]:
        """Shorten the walks between pushes."""
        before, rest = self.best.lurd[: self._first], self.best.lurd[self._first :]
        last = len(rest) if self._last is None else max(0, min(self.best.moves, self._last) - self._first)
        state = end_of(self._board, self._start, before)
        straight = yield from straighten(self._board, state, rest, last, self._meter)
        found = verify(self._board, self._start, before + straight)
        if self._objective.key(found) < self._objective.key(self.best):
            self.best = found
        if self.best != self._known:
            yield Found(self.best, "walks")

    def _search_whole(self, until: int) -> Generator[Progress | Found, None, None]:
        """Search the whole level, which proves its result if it comes to the end."""
        costs, meter = Costs(self._objective), self._meter
        meter.strategy = "whole level"
        meter.features = (Feature("shortened to", self._objective.measure(self.best)),)
        below = costs.of(0, self.best.moves, self.best.pushes)
        cheapest = Cheapest(self._board, self._start, meter, walk=costs.walk, push=costs.push, below=below)
        steps = cheapest.run(until)
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                self.is_proven = end.value
                return
            if isinstance(event, Found):
                self.best = event.solution
                event = event._replace(method="whole level")
            yield event
