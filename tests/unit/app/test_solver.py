"""The solver beside the game, in a thread of its own; what is told of a search, and how often."""

import gc
import os
import sys
import time
from collections.abc import Callable

import pytest

from sokoterm.app.background import ThreadSwitching
from sokoterm.app.deadlock_warning import DeadlockWarning, Prover
from sokoterm.app.improvement import Task
from sokoterm.app.solver import SearchMonitor, Solver
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.process import lane_command
from sokoterm.solver import lanes
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.search import Cores, Feature, Found, Limits, News, Outcome, Progress, Reason, Status, game_limits
from sokoterm.solver.strategies import auto
from tests.present import present
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
# However much memory the process of the tests has taken.
TIMELESS = game_limits(lambda: 0.0)._replace(memory=1 << 38)


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
    assert present(service.watched).reached.strategy


@pytest.mark.parametrize("is_stopped_first", [False, True])
def test_a_search_beside_the_thinker_leaves_the_interpreter_as_it_was(is_stopped_first: bool) -> None:
    before = sys.getswitchinterval()
    switching = ThreadSwitching()
    prover = Prover(lambda: None, TIMELESS.clock, switching, memory=1 << 40)
    prover.seek(DeadlockWarning(LEVEL.board).lost(LEVEL.start))
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
    service = Solver(lambda: None, game_limits(time.monotonic)._replace(memory=1 << 38), ThreadSwitching(), 0.0, cores)
    service.start(LEVEL.board, LEVEL.start)
    processes: set[int] = set()
    deadline = time.monotonic() + PATIENCE
    while len(processes) < 2:
        assert time.monotonic() < deadline, "no lanes"
        processes |= {each.depth for each in service.news() if isinstance(each, Progress)} - {0, os.getpid()}
    assert present(service.watched).latest.cores == 2
    service.close()
    assert not any(map(is_alive, processes))


CORRIDOR = Level.from_xsb("#####\n#@$.#\n#####")
GAVE_UP = Outcome(Status.GAVE_UP, "fess", Reason.TIME, None, 5, 5, 3.0)

End = Callable[[SearchMonitor], None]
ENDS: tuple[End, ...] = (lambda search: search.ended(GAVE_UP), SearchMonitor.ended)


class _Watching:
    """A search with a clock that is set by hand."""

    def __init__(self) -> None:
        self._now = 0.0
        limits = Limits(60.0, 0, 0, lambda: self._now, 0, lambda: 0)
        self.search = SearchMonitor("auto", CORRIDOR.board, CORRIDOR.start, limits)

    def look(self, now: float, nodes: int, best: int, strategy: str = "fess") -> tuple[int, int, int]:
        """What is shown after a report: nodes, the best position and a feature of it."""
        self._now = now
        self.search.look(Progress(strategy, nodes, 0, 0, 0, now, best, (Feature("packed", best),)))
        return self.search.latest.nodes, self.search.best, self.search.reached.features[0].value

    @property
    def strategies(self) -> list[str]:
        """The strategy whose position is shown, and the others."""
        return [self.search.strategy, *self.search.others]


@pytest.fixture
def watching() -> _Watching:
    return _Watching()


def test_the_first_best_position_is_shown_at_once_and_another_one_three_seconds_later(watching: _Watching) -> None:
    assert watching.look(0.25, 10, 0) == (10, 0, 0)
    assert watching.look(0.5, 20, 1) == (20, 1, 1)
    assert watching.look(0.75, 30, 2) == (30, 1, 1)
    assert watching.look(3.25, 40, 4) == (40, 1, 1)
    assert watching.look(3.5, 50, 4) == (50, 4, 4)
    assert watching.look(3.75, 60, 8) == (60, 4, 4)
    assert watching.look(6.5, 60, 8) == (60, 8, 8)


def test_strategies_that_take_turns_are_shown_for_three_seconds_each(watching: _Watching) -> None:
    watching.look(0.5, 10, 1, "astar")
    assert watching.strategies == ["astar"]
    assert watching.look(1.0, 20, 2, "fess") == (20, 1, 1)
    assert watching.look(1.5, 30, 4, "backward") == (30, 1, 1)
    assert watching.strategies == ["astar", "backward", "fess"]
    assert watching.look(3.5, 40, 2, "fess") == (40, 2, 2)
    assert watching.look(4.0, 50, 2, "backward") == (50, 2, 2)
    assert watching.strategies == ["fess", "astar", "backward"]


def test_a_best_position_does_not_go_for_a_strategy_without_one(watching: _Watching) -> None:
    watching.look(0.5, 10, 1, "fess")
    assert watching.look(9.0, 20, 0, "astar") == (20, 1, 1)
    assert watching.strategies == ["fess", "astar"]
    assert watching.look(9.25, 30, 0, "fess") == (30, 1, 1)
    assert watching.look(9.5, 40, 2, "backward") == (40, 2, 2)
    assert watching.look(9.75, 50, 0, "greedy") == (50, 2, 2)


def test_strategies_without_a_best_position_are_shown_for_three_seconds_each(watching: _Watching) -> None:
    shown = []
    for step in range(1, 16):
        watching.look(step / 2, 10 * step, 0, ("astar", "greedy")[step % 2])
        shown.append(watching.strategies[0])
    assert shown == ["greedy"] * 7 + ["astar"] * 7 + ["greedy"]
    assert watching.look(7.75, 200, 1, "fess") == (200, 1, 1)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    ("first", "second", "best", "strategies"),
    [
        ((1, "fess"), (2, "fess"), 2, ["fess"]),  # the last best position is shown
        ((1, "backward"), (0, "astar"), 1, ["backward", "astar"]),  # and does not go for none
        ((1, "backward"), (2, "astar"), 2, ["astar", "backward"]),  # its strategy is named, whatever ended
    ],
)
def test_the_last_best_position_is_shown_when_the_search_is_over(
    watching: _Watching, end: End, first: tuple[int, str], second: tuple[int, str], best: int, strategies: list[str]
) -> None:
    watching.look(0.5, 10, *first)
    assert watching.look(0.75, 20, *second)[1] == 1
    end(watching.search)
    assert (watching.search.best, watching.search.reached.features[0].value) == (best, best)
    assert watching.strategies[: len(strategies)] == strategies


def test_before_any_report_the_strategy_is_what_was_asked_and_at_the_end_what_ended(watching: _Watching) -> None:
    assert watching.strategies == ["auto"]
    watching.search.ended(GAVE_UP)
    assert (watching.search.strategy, watching.search.latest.nodes) == ("fess", 5)


def test_with_a_solution_no_strategies_take_turns(watching: _Watching) -> None:
    watching.look(0.5, 10, 1, "fess")
    watching.look(0.75, 20, 2, "astar")
    assert watching.strategies == ["fess", "astar"]
    watching.search.found(verify(CORRIDOR.board, CORRIDOR.start, "R"))
    assert watching.strategies == ["astar"]
    watching.look(1.0, 30, 0, "shorten")
    assert watching.strategies == ["shorten"]
    watching.search.ended(GAVE_UP._replace(status=Status.SOLVED, strategy="astar"))
    assert watching.strategies == ["astar"]


def test_the_memory_of_a_search_is_that_of_all_its_processes() -> None:
    limits = Limits(60.0, 0, 0, lambda: 1.0, 0, lambda: 40)
    search = SearchMonitor("auto", CORRIDOR.board, CORRIDOR.start, limits)
    search.look(None)
    assert search.memory == 40
    search.look(Progress("fess", 1, 1, 0, 0, 1.0, cores=2, lanes_memory=60))
    assert search.memory == 100
