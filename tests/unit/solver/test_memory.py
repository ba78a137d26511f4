"""Memory limit: a search ends cleanly below it, as the system measures the process."""

import subprocess
import sys

import pytest

from sokoterm.solver.search import resident_bytes

# A level too hard for any proof.
LEVEL = """
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
    assert gives_up_below(name, LEVEL, limit)
