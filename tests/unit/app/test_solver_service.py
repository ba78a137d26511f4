"""The solver beside the game, in a thread of its own."""

import gc
import sys

import pytest

from sokoterm.app.deadlock_warning import DeadlockWarning, ThreadProver
from sokoterm.app.improvement import Task
from sokoterm.app.solver_service import BackgroundSolver, News, SearchEnd
from sokoterm.app.thread_switching import ThreadSwitching
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, verify
from sokoterm.solver.optimizer.objective import Objective
from tests.unit.app.searches import EASY_LEVEL

LEVEL = Level.from_xsb(
    """
    #####
    #   #####
    # # #   #
  ### #   $ #
###   # # # #
#..   $ $   #
#. @  #######
#######
"""
)


def test_a_search_in_the_background_is_watched_and_leaves_the_interpreter_as_it_was() -> None:
    before = sys.getswitchinterval(), gc.isenabled()
    service, heard = BackgroundSolver(lambda: None, lambda: 0.0, ThreadSwitching()), list[News]()
    service.start(EASY_LEVEL.board, EASY_LEVEL.start)
    while service.is_busy:
        heard += service.news()
    assert isinstance(heard[-2], Solution)
    assert (heard[-2].lurd, heard[-1]) == ("RR", SearchEnd(None, optimal="pushes"))
    assert (sys.getswitchinterval(), gc.isenabled()) == before
    service.start(LEVEL.board, LEVEL.start)
    assert not gc.isenabled()
    service.close()
    assert (sys.getswitchinterval(), gc.isenabled()) == before


def test_an_improvement_in_the_background_hastens_threads_and_ends_with_its_proof() -> None:
    before = sys.getswitchinterval(), gc.isenabled()
    service, heard = BackgroundSolver(lambda: None, lambda: 0.0, ThreadSwitching()), list[News]()
    known = verify(EASY_LEVEL.board, EASY_LEVEL.start, "duRR")
    service.start(EASY_LEVEL.board, EASY_LEVEL.start, Task(known, Objective.MOVES))
    assert sys.getswitchinterval() < before[0]
    while service.is_busy:
        heard += service.news()
    assert [each.lurd for each in heard if isinstance(each, Solution)] == ["RR"]
    assert heard[-1] == SearchEnd(None, optimal="moves")
    assert (sys.getswitchinterval(), gc.isenabled()) == before


def test_the_last_report_of_a_search_in_the_background_is_seen_however_soon_it_ends() -> None:
    service = BackgroundSolver(lambda: None, lambda: 0.0, ThreadSwitching())
    service.start(LEVEL.board, LEVEL.start)
    while service.is_busy:
        list(service.news())
    assert service.watched is not None
    assert service.watched.reached.strategy


@pytest.mark.parametrize("is_stopped_first", [False, True])
def test_a_search_beside_the_thinker_leaves_the_interpreter_as_it_was(is_stopped_first: bool) -> None:
    before = sys.getswitchinterval()
    switching = ThreadSwitching()
    prover = ThreadProver(lambda: None, lambda: 0.0, switching, memory=1 << 40)
    prover.start(DeadlockWarning(LEVEL.board), LEVEL.start)
    service = BackgroundSolver(lambda: None, lambda: 0.0, switching)
    if is_stopped_first:
        prover.stop()
    service.start(LEVEL.board, LEVEL.start)
    assert sys.getswitchinterval() < before
    prover.stop()
    assert sys.getswitchinterval() < before
    service.cancel()
    assert sys.getswitchinterval() == before
    prover.close()
    service.close()
    assert sys.getswitchinterval() == before
