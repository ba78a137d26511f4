"""What every search has in common: its end without memory, as counted and as measured."""

import subprocess
import sys
from itertools import count

import pytest

from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.search import (
    Found,
    LimitReached,
    Limits,
    Meter,
    Progress,
    Reason,
    Search,
    Status,
    resident_bytes,
    solve,
)

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


# A level too hard for any proof.
TOO_HARD = """
##############
#            #
# $ $ $ $ #  #
#   #   $    #
# $ $ $ $    #
#@    #   #  #
#### #########
#     #  #
#  ..... #
#  ....  #
##########
"""

# Runs a search of the level on standard input, limited only by memory, and reports on it.
PROGRAM = """
import sys
import time
from sokoterm.engine.level import Level
from sokoterm.solver.registry import PROVERS, STRATEGIES
from sokoterm.solver.search import solve
from sokoterm.solver.search import MEGABYTE, Limits

name, limit = sys.argv[1], int(sys.argv[2])
level = Level.from_xsb(sys.stdin.read())
limits = Limits(600.0, 10**9, 10**9, time.monotonic, limit * MEGABYTE)
_, outcome = solve(level.board, level.start, {**STRATEGIES, **PROVERS}[name], limits)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(outcome.status, outcome.reason, int(peak.split()[1]) // 1024)
"""

measured = pytest.mark.skipif(not resident_bytes(), reason="the system does not tell the memory of a process")


def gives_up_below(name: str, level: str, limit: int) -> bool:
    command = [sys.executable, "-c", PROGRAM, name, str(limit)]
    end = subprocess.run(command, input=level, capture_output=True, text=True, check=True)
    status, reason, peak = end.stdout.split()
    assert (status, reason) == ("gave_up", "memory")
    return int(peak) < limit + 64


@measured
@pytest.mark.long
@pytest.mark.parametrize("limit", [60, 100])
@pytest.mark.parametrize("name", ["astar", "bfs", "fewest moves"])
def test_a_search_gives_up_below_its_memory(name: str, limit: int) -> None:
    assert gives_up_below(name, TOO_HARD, limit)
