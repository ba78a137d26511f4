"""What every search has in common: its end without memory, and the check of the memory of its tables."""

from itertools import count

import pytest

from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.search import Found, LimitReached, Limits, Meter, Progress, Reason, Search, Status, solve

LEVEL = Level.from_xsb("######\n#@ $.#\n######")
LIMITS = Limits(60.0, 10**9, 10**9, lambda: 0.0)


def test_a_search_out_of_memory_ends_with_what_it_found() -> None:
    def starved(board: Board, start: State, limits: Limits) -> Search:
        yield Progress("starved", 7, 8, 0, 0, limits.clock())
        if starved_after_a_solution:
            yield Found(verify(board, start, "rR"))
        raise MemoryError

    for starved_after_a_solution in (False, True):
        solution, outcome = solve(LEVEL.board, LEVEL.start, starved, LIMITS)
        assert (solution is not None) == starved_after_a_solution
        expected = (Status.SOLVED, None) if starved_after_a_solution else (Status.GAVE_UP, Reason.MEMORY)
        assert (outcome.status, outcome.reason) == expected
        assert (outcome.strategy, outcome.nodes, outcome.stored) == ("starved", 7, 8)


def test_tables_are_watched_as_long_as_their_search_runs() -> None:
    board = Level.from_xsb("#####\n#@$.#\n#####").board
    clock = count().__next__
    meter = Meter("test", board, Limits(1e9, 10, 10, lambda: float(clock()), 1000, lambda: 900), 100)
    soon_larger = dict.fromkeys(range(20))
    with meter.watching(soon_larger), pytest.raises(LimitReached):
        meter.progress()
    meter.progress()
