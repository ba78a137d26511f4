"""Searches that optimize: requests for worker processes, and the flag for what is made least."""

from collections.abc import Sequence
from functools import partial

from sokoterm.commands.support.parser import Parser
from sokoterm.commands.support.search import Request
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.language import _
from sokoterm.solver.optimizer.driver import optimize
from sokoterm.solver.optimizer.objective import Objective, Steering
from sokoterm.solver.protocol import Found, Limits, Outcome, Search
from sokoterm.solver.registry import STRATEGIES


def add_objective(parser: Parser, objectives: Sequence[Objective]) -> None:
    """Add ``--for``, by default the moves."""
    text = _("what to make least: {names} (default: %(default)s)", names=", ".join(objectives))
    parser.add_argument(
        "--for",
        dest="objective",
        choices=[each.value for each in objectives],
        default=Objective.MOVES.value,
        metavar="WHAT",
        help=text,
    )


def optimizing(known: Solution | None, objective: Objective, limits: Limits, steering: Steering) -> Request:
    """Return the search that makes a solution better; without one, that of the solver, within limits of its own."""
    if known is None:
        return Request("auto", partial(_solve_and_optimize, objective=objective, steering=steering), limits)
    search = partial(_optimize, known=known, objective=objective, steering=steering)
    return Request("optimizer", search, limits)


def _optimize(
    board: Board, start: State, limits: Limits, *, known: Solution, objective: Objective, steering: Steering
) -> Search:
    return optimize(board, start, known, objective, limits, steering)


def _solve_and_optimize(
    board: Board, start: State, limits: Limits, *, objective: Objective, steering: Steering
) -> Search:
    """Solve, and then optimize within the same limits again; what the solver has shortened itself is its solution."""
    solved = yield from (solving := _Noted(STRATEGIES["auto"](board, start, limits), names_method=False)).run()
    if solving.last is None:
        return solved
    optimizing = _Noted(optimize(board, start, solving.last, objective, limits, steering), solved.seconds)
    outcome = yield from optimizing.run()
    proven = solved.optimal if solved.optimal == objective else None
    return outcome._replace(
        optimal=outcome.optimal or proven,
        nodes=solved.nodes + outcome.nodes,
        seconds=solved.seconds + outcome.seconds,
        repeatable=solved.repeatable and outcome.repeatable,
    )


class _Noted:
    """A search whose last solution is noted, and whose progress counts from ``before`` seconds."""

    def __init__(self, search: Search, before: float = 0.0, *, names_method: bool = True) -> None:
        self.last: Solution | None = None
        self._search = search
        self._before = before
        self._names_method = names_method

    def run(self) -> Search:
        while True:
            try:
                event = next(self._search)
            except StopIteration as end:
                outcome: Outcome = end.value
                return outcome
            if isinstance(event, Found):
                self.last = event.solution
                yield event if self._names_method else event._replace(method="")
            else:
                yield event._replace(seconds=event.seconds + self._before)
