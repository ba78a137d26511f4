"""Lanes: searches of one level in several processes, which end with the search however that ends."""

import itertools
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Container, Iterator
from functools import partial
from pathlib import Path

import pytest

from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.process import lane_command
from sokoterm.solver import lanes
from sokoterm.solver.search import Cores, Found, Limits, Outcome, Progress, Reason, Search, Status, Strategy, solve
from sokoterm.solver.strategies import auto
from sokoterm.solver.strategies.best_first import astar
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, SEED_PUSHES, run_through
from tests.unit.solver.lane_searches import PATIENCE, broken, endless, is_alive, killed, never_done, silent

UNSOLVABLE = Level.from_xsb("######\n# * .#\n#  @ #\n#$ $ #\n#. # #\n######")

# A program with a search on two cores; it writes the number of the lane's process.
PARENT = """
import itertools, sys, time
from sokoterm.process import lane_command
from sokoterm.solver import lanes
from sokoterm.solver.strategies import auto
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE
from tests.unit.solver.lane_searches import endless, silent

auto.search = endless
cores = lanes.Cores(2, lane_command(), alone=0.0)
for event in lanes.search(SEED_CASE.board, SEED_CASE.start, NO_LIMITS, cores=cores, lanes={'': silent}):
    if event.strategy == "silent":
        print(event.depth, flush=True)
"""


@pytest.fixture(params=[False, True])
def only_waits(request: pytest.FixtureRequest) -> bool:
    """Whether the first process only waits for its lanes."""
    return bool(request.param)


@pytest.fixture(autouse=True)
def no_own_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep ``auto`` from solving a level before any lane has begun."""
    monkeypatch.setattr(auto, "search", endless)


def begin(
    *joining: Strategy, limits: Limits = NO_LIMITS, level: Level = SEED_CASE, only_waits: bool = False, cores: int = 0
) -> Search:
    """Search a level by ``auto`` and some lanes, which begin at once."""
    several = Cores(cores or 1 + len(joining), lane_command(), only_waits, alone=0.0)
    named = {str(number): each for number, each in enumerate(joining)}
    return lanes.search(level.board, level.start, limits, cores=several, lanes=named)


def progress(search: Search) -> Iterator[Progress]:
    """Yield the progress of a search, as long as a test can wait."""
    deadline = time.monotonic() + PATIENCE
    for event in search:
        assert time.monotonic() < deadline, "nothing came"
        if isinstance(event, Progress):
            yield event


def lanes_of(search: Search, count: int) -> set[int]:
    """Wait until a search has heard from its lanes; return their processes."""
    seen: set[int] = set()
    for each in progress(search):
        seen |= {each.depth} - {0, os.getpid()}
        if len(seen) == count:
            return seen
    raise AssertionError("the search has ended")


def test_the_first_solution_ends_the_other_searches(only_waits: bool) -> None:
    events, outcome = run_through(begin(endless, astar, only_waits=only_waits))
    assert (outcome.status, outcome.strategy, outcome.optimal) == (Status.SOLVED, "astar", "pushes")
    assert not outcome.repeatable
    solutions = [each.solution for each in events if isinstance(each, Found)]
    assert solutions[-1].pushes == SEED_PUSHES
    assert all(verify(SEED_CASE.board, SEED_CASE.start, each.lurd) == each for each in solutions)
    after = events[events.index(Found(solutions[0])) + 1 :]
    assert {each.cores for each in after if isinstance(each, Progress)} == {1}
    told = [each.shares for each in events if isinstance(each, Progress)]
    assert {share.strategy for shares in told for share in shares} == {"endless", "astar"}
    reports: list[Progress | Outcome] = [*(each for each in events if isinstance(each, Progress)), outcome]
    for earlier, later in itertools.pairwise(reports):
        assert earlier.nodes <= later.nodes
        assert earlier.seconds <= later.seconds
    processes = {each.depth for each in events if isinstance(each, Progress) and each.strategy == "endless"}
    assert not any(map(is_alive, processes - {os.getpid()}))


def test_a_proof_ends_the_other_searches(only_waits: bool) -> None:
    _, outcome = run_through(begin(endless, astar, level=UNSOLVABLE, only_waits=only_waits))
    assert (outcome.status, outcome.reason) == (Status.UNSOLVABLE, None)


def test_a_cancelled_search_leaves_no_process(only_waits: bool) -> None:
    search = begin(endless, silent, only_waits=only_waits)
    processes = lanes_of(search, 3 if only_waits else 2)
    assert all(map(is_alive, processes))
    search.close()
    assert not any(map(is_alive, processes))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_a_lane_ends_when_its_coordinator_is_killed() -> None:
    root = Path(__file__).parents[3]
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=root, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        assert is_alive(process)
        parent.kill()
    deadline = time.monotonic() + PATIENCE
    while is_alive(process):
        assert time.monotonic() < deadline, "the lane lives on"
        time.sleep(0.01)


@pytest.mark.parametrize("dying", [killed, broken])
def test_a_lane_that_dies_costs_itself_only(dying: Strategy) -> None:
    search = begin(dying)
    several = itertools.dropwhile(lambda each: each.cores == 1, progress(search))
    alone = itertools.dropwhile(lambda each: each.cores == 2, several)
    first, *others = itertools.islice(alone, 10)
    assert {each.cores for each in others} == {1}
    assert others[-1].nodes > first.nodes
    search.close()


def test_lanes_may_die_while_another_goes_on_to_a_solution(only_waits: bool) -> None:
    _, outcome = run_through(begin(killed, broken, astar, only_waits=only_waits))
    assert (outcome.status, outcome.strategy) == (Status.SOLVED, "astar")


def test_the_last_lane_that_fails_tells_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "search", broken)
    with pytest.raises(RuntimeError, match="a mistake in a search"):
        run_through(begin(broken))


@pytest.mark.parametrize(
    "command", [("/no such program",), (sys.executable, "-c", "")], ids=["no process", "it ends at once"]
)
def test_auto_goes_on_alone_where_there_are_no_lanes(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, only_waits: bool
) -> None:
    monkeypatch.setattr(auto, "search", astar)
    cores = Cores(2, command, only_waits, alone=0.0)
    solution, outcome = solve(SEED_CASE.board, SEED_CASE.start, partial(lanes.search, cores=cores), NO_LIMITS)
    assert solution is not None
    assert (outcome.status, solution.pushes) == (Status.SOLVED, SEED_PUSHES)


def test_the_limit_of_time_ends_all(only_waits: bool) -> None:
    now = 0.0
    search = begin(endless, limits=NO_LIMITS._replace(clock=lambda: now), only_waits=only_waits)
    processes = lanes_of(search, 2 if only_waits else 1)
    now = NO_LIMITS.seconds
    _, outcome = run_through(search)
    assert (outcome.status, outcome.reason) == (Status.GAVE_UP, Reason.TIME)
    assert not any(map(is_alive, processes))


def test_a_solution_is_that_of_the_strategy_that_found_it_where_time_ends_its_improvement(only_waits: bool) -> None:
    now = 0.0
    search = begin(never_done, limits=NO_LIMITS._replace(clock=lambda: now), only_waits=only_waits)
    assert any(isinstance(each, Found) for each in search)
    assert any(each.strategy == "endless" for each in progress(search))
    now = NO_LIMITS.seconds
    _, outcome = run_through(search)
    assert (outcome.status, outcome.strategy) == (Status.SOLVED, "astar")


def test_lanes_share_the_limits_of_memory_and_states() -> None:
    limits = NO_LIMITS._replace(memory=900 << 20, states=900)
    search = begin(endless, limits=limits, cores=3)
    for each in progress(search):
        if each.depth not in (0, os.getpid()):
            assert (each.lower_bound, each.stored) == (300 << 20, 2 * 300)
            break
    search.close()


def test_auto_alone_solves_what_takes_it_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "search", astar)
    cores = Cores(2, ("/no such program",), alone=PATIENCE)
    events, outcome = run_through(
        lanes.search(SEED_CASE.board, SEED_CASE.start, NO_LIMITS, cores=cores, lanes={"": endless})
    )
    assert outcome.status is Status.SOLVED
    assert {each.cores for each in events if isinstance(each, Progress)} == {1}


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="no such priorities")
def test_a_lane_of_the_game_gives_way_to_it() -> None:
    cores = Cores(2, lane_command(gives_way=True), alone=0.0)
    search = lanes.search(SEED_CASE.board, SEED_CASE.start, NO_LIMITS, cores=cores, lanes={"": endless})
    (process,) = lanes_of(search, 1)
    assert os.getpriority(os.PRIO_PROCESS, process) > os.getpriority(os.PRIO_PROCESS, 0)
    search.close()


def test_a_search_on_several_cores_can_be_sent_to_another_process() -> None:
    search = partial(lanes.search, cores=Cores(2, lane_command()))
    assert pickle.loads(pickle.dumps(search)).keywords == search.keywords


def test_auto_leaves_a_strategy_to_the_lane_that_has_begun_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Container[str]] = []

    def noting(board: Board, start: State, limits: Limits, left_out: Container[str]) -> Search:
        seen.append(left_out)
        return endless(board, start, limits)

    monkeypatch.setattr(auto, "search", noting)
    search = lanes.search(
        SEED_CASE.board,
        SEED_CASE.start,
        NO_LIMITS,
        cores=Cores(2, lane_command(), alone=0.1),
        lanes={"backward": endless, "greedy": endless},
    )
    next(search)
    assert "backward" not in seen[0]
    lanes_of(search, 1)
    assert "backward" in seen[0]
    assert "greedy" not in seen[0]
    search.close()
