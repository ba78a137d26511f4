"""Greedy search: it is not led astray by states that the tests for deadlocks prove lost."""

from sokoterm.engine.level import Level
from sokoterm.solver.protocol import Status
from tests.solver.cases import run


def test_a_state_that_the_tests_for_deadlocks_prove_lost_is_not_expanded() -> None:
    level = Level.from_xsb("######\n#.$  #\n#@*  #\n#  *##\n######")
    _, outcome = run("greedy", level)
    assert outcome.status is Status.UNSOLVABLE
    assert outcome.nodes == 0
    _, untested = run("astar", level)
    assert untested.nodes > 0
