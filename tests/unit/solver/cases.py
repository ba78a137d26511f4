"""Common parts of the tests of the strategies."""

import time

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Limits, Outcome, solve

# Far more than any test needs: a test must not depend on the speed of the machine.
NO_LIMITS = Limits(3600.0, 10**9, 10**9, time.monotonic)

SEED_CASE = Level.from_xsb(
    """
########
##  @###
## #$  #
# *. . #
#  $$ ##
### #.##
###   ##
########
"""
)
SEED_PUSHES = 43


def run(strategy: str, level: Level, limits: Limits = NO_LIMITS) -> tuple[Solution | None, Outcome]:
    """Solve a level from its start."""
    return solve(level.board, level.start, STRATEGIES[strategy], limits)
