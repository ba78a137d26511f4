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
from sokoterm.solver.search import Cores, Found, Limits, News, Outcome, Progress, Reason, Status, game_limits
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
    assert present(service.watched).strategies


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
    monkeypatch.setattr(lanes, "lanes_for", lambda _board: {"": endless})
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
HALL = Level.from_xsb("#######\n#@ $ .#\n#  $ .#\n#  $ .#\n#######")
HOME = [sum(1 << HALL.board.square(row, 5 if row <= home else 3) for row in (1, 2, 3)) for home in range(4)]
GAVE_UP = Outcome(Status.GAVE_UP, "fess", Reason.TIME, None, 5, 5, 3.0)

End = Callable[[SearchMonitor], None]
ENDS: tuple[End, ...] = (lambda search: search.ended(GAVE_UP), SearchMonitor.ended)


class _Watching:
    """A search with a clock that is set by hand."""

    def __init__(self) -> None:
        self._now = 0.0
        limits = Limits(60.0, 0, 0, lambda: self._now, 0, lambda: 0)
        self.search = SearchMonitor("auto", HALL.board, HALL.start, limits)

    def look(self, now: float, home: int, strategy: str = "fess") -> int:
        """How many boxes are home on the picture after a report of so many."""
        self._now = now
        self.search.look(Progress(strategy, 1, best=HOME[home]))
        return self.search.home

    def share(self, now: float, *shares: tuple[str, int], cores: int = 1) -> None:
        """Look at a report of strategies and their nodes."""
        self._now = now
        parts = tuple(Progress(name, nodes) for name, nodes in shares)
        self.search.look(parts[0]._replace(cores=cores, shares=parts))

    @property
    def strategies(self) -> list[str]:
        """The strategy whose position is shown, and the others."""
        return [self.search.strategy, *self.search.others]


@pytest.fixture
def watching() -> _Watching:
    return _Watching()


def test_the_best_position_is_the_start_until_one_has_more_boxes_home(watching: _Watching) -> None:
    assert (watching.search.best, watching.search.home) == (HALL.start.boxes, 0)
    assert watching.look(0.25, 0) == 0
    assert watching.look(0.5, 1) == 1
    assert watching.search.reached_after == 0.5


def test_a_better_position_is_shown_at_once_and_the_next_one_three_seconds_later(watching: _Watching) -> None:
    assert watching.look(0.5, 1) == 1
    assert watching.look(1.0, 2) == 1
    assert watching.look(2.0, 0) == 1
    assert watching.look(3.5, 0) == 2  # the best one there was meanwhile
    assert watching.search.reached_after == 1.0


def test_no_position_goes_for_one_that_is_not_better_whatever_strategy_reports_it(watching: _Watching) -> None:
    assert watching.look(0.5, 2, "fess") == 2
    assert watching.look(9.0, 1, "astar") == 2
    assert watching.look(19.0, 2, "greedy") == 2
    assert watching.strategies == ["fess", "astar", "greedy"]
    assert watching.look(29.0, 3, "greedy") == 3
    assert watching.strategies == ["greedy", "astar", "fess"]


@pytest.mark.parametrize("end", ENDS)
def test_the_last_best_position_is_shown_when_the_search_is_over(watching: _Watching, end: End) -> None:
    watching.look(0.5, 1, "fess")
    assert watching.look(0.75, 2, "astar") == 1
    end(watching.search)
    assert watching.search.home == 2
    assert watching.strategies == ["astar", "fess"]


def test_before_any_report_the_strategy_is_what_was_asked_and_at_the_end_what_ended(watching: _Watching) -> None:
    assert watching.strategies == ["auto"]
    watching.search.ended(GAVE_UP)
    assert (watching.search.strategy, watching.search.latest.nodes) == ("fess", 5)


def test_with_a_solution_no_strategies_take_turns(watching: _Watching) -> None:
    watching.look(0.5, 1, "fess")
    watching.look(0.75, 2, "astar")
    assert watching.strategies == ["fess", "astar"]
    solved = verify(HALL.board, HALL.start, "rRRlldRRlldRR")
    watching.search.found(solved)
    assert watching.strategies == ["astar"]
    watching.search.ended(GAVE_UP._replace(status=Status.SOLVED, strategy="fess"))
    assert watching.strategies == ["fess"]


def test_each_strategy_has_its_nodes_and_the_history_of_its_pace(watching: _Watching) -> None:
    watching.share(0.25, ("astar", 100), ("fess", 0))
    watching.share(0.5, ("astar", 200), ("fess", 0))
    watching.share(1.0, ("astar", 200), ("fess", 50))
    astar, fess = watching.search.strategies.values()
    assert [*watching.search.strategies] == ["astar", "fess"]
    assert (astar.nodes, [*astar.paces], astar.highest, astar.is_at_work) == (200, [400, 0], 400, False)
    assert (fess.nodes, [*fess.paces], fess.highest, fess.is_at_work) == (50, [0, 100], 100, True)


def test_a_strategy_in_two_processes_is_one_and_that_with_most_nodes_tells_how_far_it_is(watching: _Watching) -> None:
    watching.share(0.5, ("backward", 10), ("astar", 5), ("backward", 300), cores=2)
    backward, _ = watching.search.strategies.values()
    assert (backward.nodes, backward.latest.nodes) == (310, 300)


def test_the_memory_of_a_search_is_that_of_all_its_processes() -> None:
    limits = Limits(60.0, 0, 0, lambda: 1.0, 0, lambda: 40)
    search = SearchMonitor("auto", CORRIDOR.board, CORRIDOR.start, limits)
    search.look(None)
    assert search.memory == 40
    search.look(Progress("fess", 1, 1, 0, 0, 1.0, cores=2, lanes_memory=60))
    assert search.memory == 100
