"""The memory of a search: it ends cleanly below its limit, as the system counts the process."""

import subprocess
import sys

import pytest

from sokoterm.solver.memory import resident_bytes

# A level too hard for any proof, and what a process says of a search that has no limit but its memory.
PROGRAM = """
import sys
import time
from sokoterm.engine.level import Level
from sokoterm.solver import PROVERS, STRATEGIES
from sokoterm.solver.drive import solve
from sokoterm.solver.protocol import MEGABYTE, Limits

name, limit = sys.argv[1], int(sys.argv[2])
level = Level.from_xsb('''
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
''')
limits = Limits(600.0, 10**9, 10**9, time.monotonic, limit * MEGABYTE)
_, outcome = solve(level.board, level.start, {**STRATEGIES, **PROVERS}[name], limits)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(outcome.status, outcome.reason, outcome.stored > 10_000, int(peak.split()[1]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(not resident_bytes(), reason="the system does not tell the memory of a process")
@pytest.mark.parametrize("limit", [60, 100])
@pytest.mark.parametrize("name", ["astar", "bfs", "fewest moves"])
def test_a_search_gives_up_below_its_memory(name: str, limit: int) -> None:
    end = subprocess.run([sys.executable, "-c", PROGRAM, name, str(limit)], capture_output=True, text=True, check=True)
    status, reason, has_worked, peak = end.stdout.split()
    assert (status, reason, has_worked) == ("gave_up", "memory", "True")
    assert int(peak) < limit + 64
