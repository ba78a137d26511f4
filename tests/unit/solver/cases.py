"""Common parts of the tests of the strategies."""

import time
from collections.abc import Generator
from itertools import count
from typing import TypeVar

from sokoterm.engine.board import Board
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.solver.registry import PROVERS, STRATEGIES
from sokoterm.solver.search import Limits, Meter, Outcome, solve
from tests.unit.commands.command import SEED

_Event = TypeVar("_Event")
_Result = TypeVar("_Result")

# Far more than any test needs: a test must not depend on the speed of the machine.
NO_LIMITS = Limits(3600.0, 10**9, 10**9, time.monotonic)

SEED_CASE = Level.from_xsb(SEED)
SEED_PUSHES = 43


def run(strategy: str, level: Level, limits: Limits = NO_LIMITS) -> tuple[Solution | None, Outcome]:
    """Solve a level from its start by a strategy or prover."""
    return solve(level.board, level.start, {**STRATEGIES, **PROVERS}[strategy], limits)


def meter_of(board: Board) -> Meter:
    """Return the meter of a search without limits."""
    return Meter("test", board, NO_LIMITS, 1)


def run_through(steps: Generator[_Event, None, _Result]) -> tuple[list[_Event], _Result]:
    """Run a search to its end; return all that it yields, and its result."""
    events: list[_Event] = []
    while True:
        try:
            events.append(next(steps))
        except StopIteration as end:
            result: _Result = end.value
            return events, result


def ticking(seconds: float) -> Limits:
    """Return a limit of seconds, one of which passes each time the clock is read."""
    return NO_LIMITS._replace(seconds=seconds, clock=map(float, count()).__next__)
