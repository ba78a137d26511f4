"""The solver beside the game, in a thread of its own."""

import gc
import os
import sys
import time

import pytest

from sokoterm.app.background import ThreadSwitching
from sokoterm.app.deadlock_warning import DeadlockWarning, LostQuestion, Prover
from sokoterm.app.improvement import Task
from sokoterm.app.solver import Solver
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.process import lane_command
from sokoterm.solver import lanes
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.protocol import Cores, Found, News, Outcome, Progress, Status, game_limits
from sokoterm.solver.strategies import auto
from tests.unit.app.searches import EASY_LEVEL
from tests.unit.solver.lane_searches import PATIENCE, endless, is_alive

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
TIMELESS = game_limits(lambda: 0.0)


def test_a_search_in_the_background_is_watched_and_leaves_the_interpreter_as_it_was() -> None:
    before = sys.getswitchinterval(), gc.isenabled()
    service, heard = Solver(lambda: None, TIMELESS, ThreadSwitching()), list[News]()
    service.start(EASY_LEVEL.board, EASY_LEVEL.start)
    while service.is_busy:
        heard += service.news()
    found, end = heard[-2:]
    assert isinstance(found, Found)
    assert isinstance(end, Outcome)
    assert (found.solution.lurd, end.status, end.optimal) == ("RR", Status.SOLVED, "pushes")
    assert (sys.getswitchinterval(), gc.isenabled()) == before
    service.start(LEVEL.board, LEVEL.start)
    assert not gc.isenabled()
    service.close()
    assert (sys.getswitchinterval(), gc.isenabled()) == before


def test_an_improvement_in_the_background_hastens_threads_and_ends_with_its_proof() -> None:
    before = sys.getswitchinterval(), gc.isenabled()
    service, heard = Solver(lambda: None, TIMELESS, ThreadSwitching()), list[News]()
    known = verify(EASY_LEVEL.board, EASY_LEVEL.start, "duRR")
    service.start(EASY_LEVEL.board, EASY_LEVEL.start, Task(known, Objective.MOVES))
    assert sys.getswitchinterval() < before[0]
    while service.is_busy:
        heard += service.news()
    assert [each.solution.lurd for each in heard if isinstance(each, Found)] == ["RR"]
    end = heard[-1]
    assert isinstance(end, Outcome)
    assert end.optimal == "moves"
    assert (sys.getswitchinterval(), gc.isenabled()) == before


def test_the_last_report_of_a_search_in_the_background_is_seen_however_soon_it_ends() -> None:
    service = Solver(lambda: None, TIMELESS, ThreadSwitching())
    service.start(LEVEL.board, LEVEL.start)
    while service.is_busy:
        list(service.news())
    assert service.watched is not None
    assert service.watched.reached.strategy


@pytest.mark.parametrize("is_stopped_first", [False, True])
def test_a_search_beside_the_thinker_leaves_the_interpreter_as_it_was(is_stopped_first: bool) -> None:
    before = sys.getswitchinterval()
    switching = ThreadSwitching()
    prover = Prover(lambda: None, TIMELESS.clock, switching, memory=1 << 40)
    prover.seek(LostQuestion(DeadlockWarning(LEVEL.board), LEVEL.start))
    service = Solver(lambda: None, TIMELESS, switching)
    if is_stopped_first:
        prover.seek(None)
    service.start(LEVEL.board, LEVEL.start)
    assert sys.getswitchinterval() < before
    prover.seek(None)
    assert sys.getswitchinterval() < before
    service.cancel()
    assert sys.getswitchinterval() == before
    prover.close()
    service.close()
    assert sys.getswitchinterval() == before


def test_the_thread_only_waits_for_a_search_on_two_cores_and_a_cancelled_one_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(auto, "search", endless)
    monkeypatch.setattr(lanes, "lanes_for", lambda _board: (endless,))
    cores = Cores(2, lane_command(), only_waits=True, alone=0.0)
    service = Solver(lambda: None, game_limits(time.monotonic), ThreadSwitching(), 0.0, cores)
    service.start(LEVEL.board, LEVEL.start)
    processes: set[int] = set()
    deadline = time.monotonic() + PATIENCE
    while len(processes) < 2:
        assert time.monotonic() < deadline, "no lanes"
        processes |= {each.depth for each in service.news() if isinstance(each, Progress)} - {0, os.getpid()}
    assert service.watched is not None
    assert service.watched.latest.cores == 2
    service.close()
    assert not any(map(is_alive, processes))
