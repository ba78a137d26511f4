"""Greedy search: states proven dead do not mislead it."""

from sokoterm.engine.level import Level
from sokoterm.solver.search import Status
from tests.unit.solver.cases import run


def test_a_state_proven_dead_is_not_expanded() -> None:
    level = Level.from_xsb("######\n#.$  #\n#@*  #\n#  *##\n######")
    _, outcome = run("greedy", level)
    assert outcome.status is Status.UNSOLVABLE
    assert outcome.nodes == 0
    _, untested = run("astar", level)
    assert untested.nodes > 0
