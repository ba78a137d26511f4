"""Work in processes: results in order, what is told on the way, and faults."""

import os
import signal
import sys

import pytest

from sokoterm.commands.support.levels import Done, Job
from sokoterm.commands.support.workers import Lost, Processes, Reported, Tell, in_processes


def square(number: int) -> int:
    if number < 0:
        raise ValueError(f"found {number}")
    return number * number


def told_square(number: int, tell: Tell) -> int:
    tell(number)
    return number * number


def process_of() -> int:
    return os.getpid()


def killed(tell: Tell) -> None:
    tell("so far")
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("jobs", [1, 2, 9])
def test_results_come_in_order_and_what_is_told_is_heard(jobs: int) -> None:
    assert [*in_processes(square, range(5), jobs)] == [0, 1, 4, 9, 16]
    heard: list[object] = []
    assert [*in_processes(told_square, range(5), jobs, hear=heard.append)] == [0, 1, 4, 9, 16]
    assert sorted(map(str, heard)) == ["0", "1", "2", "3", "4"]


def test_a_fault_of_the_work_is_raised_with_its_traceback() -> None:
    with pytest.raises(ValueError, match="found -1") as raised:
        list(in_processes(square, [1, -1], 2))
    assert "in square" in raised.value.__notes__[0]


@pytest.mark.parametrize(("fresh", "processes"), [(True, 3), (False, 1)])
def test_a_process_is_used_again_unless_each_job_has_its_own(fresh: bool, processes: int) -> None:
    with Processes(1, fresh=fresh) as pool:
        said = [each for some in pool.run(Job(key, process_of) for key in range(3)) for each in some]
    assert [type(each) for each in said] == [Done] * 3
    assert len({each.result for each in said if isinstance(each, Done)}) == processes


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_process_that_is_killed_costs_its_job_alone() -> None:
    with Processes(1) as pool:
        said = [each for some in pool.run(iter([Job("a", killed, tells=True), Job("b", process_of)])) for each in some]
    assert said[:2] == [Reported("a", "so far"), Lost("a", -signal.SIGKILL)]
    assert isinstance(said[2], Done)
