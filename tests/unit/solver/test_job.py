"""The background thread: messages, cancel, crash, a newer job."""

import threading
import time
from collections.abc import Generator

import pytest

from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver import job as job_module
from sokoterm.solver.job import BackgroundTask, JobCancelled, JobCrashed, JobEnded, JobSolved, Message, SolverJob
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Found, Limits, Progress, Reason, Search, Status
from sokoterm.solver.strategies import bfs

LEVEL = Level.from_xsb("######\n#@ $.#\n######")
LIMITS = Limits(60.0, 10**9, 10**9, time.monotonic)
PATIENCE = 20.0  # seconds, for a machine under load


def endless(_board: Board, _start: State, limits: Limits) -> Search:
    """A search that never ends by itself."""
    nodes = 0
    while True:
        nodes += 1
        yield Progress("endless", nodes, nodes, 0, 0, limits.clock())


def broken(_board: Board, _start: State, limits: Limits) -> Search:
    """A search that raises after its first progress."""
    yield Progress("broken", 1, 1, 0, 0, limits.clock())
    raise ZeroDivisionError("a mistake in a search")


class Bell:
    """A notify function that can be waited for."""

    def __init__(self) -> None:
        self.rings = threading.Semaphore(0)

    def __call__(self) -> None:
        self.rings.release()

    def wait(self) -> None:
        assert self.rings.acquire(timeout=PATIENCE), "no message came"


def collect(job: SolverJob, bell: Bell, count: int) -> list[Message]:
    """Wait for the next ``count`` messages."""
    for _ in range(count):
        bell.wait()
    messages = job.messages()
    assert len(messages) == count
    return messages


def until_progress(job: SolverJob) -> None:
    deadline = time.monotonic() + PATIENCE
    while job.latest() is None:
        assert time.monotonic() < deadline, "no progress came"
        time.sleep(0.001)


def test_a_solution_and_the_end_come_as_messages_with_the_id_of_the_job() -> None:
    bell = Bell()
    job = SolverJob(bell)
    number = job.start(bfs.search, LEVEL.board, LEVEL.start, LIMITS)
    solved, ended = collect(job, bell, 2)
    assert isinstance(solved, JobSolved)
    assert isinstance(ended, JobEnded)
    assert (solved.job, solved.found.solution.lurd) == (number, "rR")
    assert (ended.job, ended.outcome.status) == (number, Status.SOLVED)
    latest = job.latest()
    assert latest is not None
    assert latest.job == number


def test_cancel_ends_the_search_at_its_next_yield() -> None:
    bell = Bell()
    job = SolverJob(bell)
    number = job.start(endless, LEVEL.board, LEVEL.start, LIMITS)
    until_progress(job)
    assert job.running
    job.cancel()
    assert collect(job, bell, 1) == [JobCancelled(number)]
    job.join(PATIENCE)
    assert not job.running


def test_cancel_closes_the_generator_in_the_thread_that_ran_it() -> None:
    closed_in: list[str] = []

    def watched(board: Board, start: State, limits: Limits) -> Search:
        try:
            yield from endless(board, start, limits)
        finally:
            closed_in.append(threading.current_thread().name)
        raise AssertionError("unreachable")

    bell = Bell()
    job = SolverJob(bell)
    number = job.start(watched, LEVEL.board, LEVEL.start, LIMITS)
    until_progress(job)
    job.cancel()
    collect(job, bell, 1)
    assert closed_in == [f"solver-{number}"]


def test_a_paused_search_makes_no_steps_until_it_goes_on_or_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "LONGEST_PAUSE", PATIENCE)
    steps: list[int] = []

    def counted(board: Board, start: State, limits: Limits) -> Search:
        for event in endless(board, start, limits):
            steps.append(len(steps))
            yield event
        raise AssertionError("unreachable")

    bell = Bell()
    job = SolverJob(bell)
    job.start(counted, LEVEL.board, LEVEL.start, LIMITS)
    until_progress(job)
    job.pause()
    job.join(0.05)  # the step under way ends
    made = len(steps)
    job.join(0.05)
    assert len(steps) == made
    job.go_on()
    while len(steps) == made:
        time.sleep(0.001)
    job.pause()
    job.cancel()
    job.join(PATIENCE / 2)
    assert not job.running


def test_a_crash_becomes_a_message_with_its_traceback() -> None:
    bell = Bell()
    job = SolverJob(bell)
    number = job.start(broken, LEVEL.board, LEVEL.start, LIMITS)
    (message,) = collect(job, bell, 1)
    assert isinstance(message, JobCrashed)
    assert message.job == number
    assert message.error == "ZeroDivisionError: a mistake in a search"
    assert "in broken" in message.traceback


def test_a_search_out_of_memory_ends_with_what_it_found() -> None:
    def starved(board: Board, start: State, limits: Limits) -> Search:
        yield Progress("starved", 7, 8, 0, 0, limits.clock())
        if starved_after_a_solution:
            yield Found(verify(board, start, "rR"))
        raise MemoryError

    for starved_after_a_solution in (False, True):
        bell = Bell()
        job = SolverJob(bell)
        job.start(starved, LEVEL.board, LEVEL.start, LIMITS)
        *_, ended = collect(job, bell, 1 + starved_after_a_solution)
        assert isinstance(ended, JobEnded)
        expected = (Status.SOLVED, None) if starved_after_a_solution else (Status.GAVE_UP, Reason.MEMORY)
        assert (ended.outcome.status, ended.outcome.reason) == expected
        assert (ended.outcome.strategy, ended.outcome.nodes, ended.outcome.stored) == ("starved", 7, 8)


def test_a_search_that_ends_in_the_step_of_the_cancel_reports_its_end() -> None:
    stepping, cancelled = threading.Event(), threading.Event()

    def slow(board: Board, _start: State, limits: Limits) -> Search:
        meter = Meter("slow", board, limits, 100)
        yield meter.progress()
        stepping.set()
        assert cancelled.wait(PATIENCE)
        return meter.unsolvable(LEVEL.start)

    bell = Bell()
    job = SolverJob(bell)
    job.start(slow, LEVEL.board, LEVEL.start, LIMITS)
    assert stepping.wait(PATIENCE)
    job.cancel()
    cancelled.set()
    (ended,) = collect(job, bell, 1)
    assert isinstance(ended, JobEnded)


def test_a_newer_job_ends_the_older_one() -> None:
    bell = Bell()
    job = SolverJob(bell)
    older = job.start(endless, LEVEL.board, LEVEL.start, LIMITS)
    until_progress(job)
    newer = job.start(bfs.search, LEVEL.board, LEVEL.start, LIMITS)
    assert newer != older
    messages = collect(job, bell, 3)
    assert messages[0] == JobCancelled(older)
    assert [message.job for message in messages[1:]] == [newer, newer]


def test_the_newest_progress_is_that_of_the_newest_job() -> None:
    job = SolverJob()
    job.start(endless, LEVEL.board, LEVEL.start, LIMITS)
    until_progress(job)
    newer = job.start(endless, LEVEL.board, LEVEL.start, LIMITS)
    until_progress(job)
    latest = job.latest()
    assert latest is not None
    assert latest.job == newer
    job.cancel()
    job.join(PATIENCE)


def test_a_cancel_before_any_job_sends_nothing() -> None:
    job = SolverJob()
    job.cancel()
    assert not job.running
    assert job.messages() == []
    assert job.latest() is None


def counting(numbers: int) -> Generator[None, None, int]:
    """Work of ``count`` steps."""
    done = 0
    for _ in range(numbers):
        done += 1
        yield
    return done


def test_a_task_ends_with_its_result_and_a_notification() -> None:
    over = threading.Event()
    task = BackgroundTask(counting(3), over.set)
    assert over.wait(10)
    assert (task.is_over, task.result, task.crash) == (True, 3, "")


def test_a_paused_task_makes_no_steps() -> None:
    let_go = threading.Event()

    def waiting() -> Generator[None, None, str]:
        yield
        let_go.wait(10)
        for _ in range(3):
            yield
        return "done"

    over = threading.Event()
    task = BackgroundTask(waiting(), over.set)
    task.pause()
    let_go.set()
    assert not over.wait(0.05)
    assert not task.is_over
    task.go_on()
    assert over.wait(10)
    assert task.result == "done"


def test_a_cancelled_task_closes_its_work_without_a_notification() -> None:
    closed, said = threading.Event(), threading.Event()

    def endless() -> Generator[None, None, None]:
        try:
            while True:
                yield
        finally:
            closed.set()

    task = BackgroundTask(endless(), said.set)
    task.pause()
    task.cancel()
    task.join(10)
    assert closed.is_set()
    assert not said.is_set()
    assert not task.is_over


def test_a_task_that_fails_ends_with_its_traceback() -> None:
    def failing() -> Generator[None, None, None]:
        yield
        raise ZeroDivisionError("on purpose")

    over = threading.Event()
    task = BackgroundTask(failing(), over.set)
    assert over.wait(10)
    assert task.is_over
    assert task.result is None
    assert "on purpose" in task.crash
