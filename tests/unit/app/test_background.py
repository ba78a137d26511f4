"""Work in the background: events, cancel, crash, newer work, and levels that are built."""

import threading
import time
from collections.abc import Callable, Generator

from sokoterm.app.background import LONGEST_PAUSE, Background, BuildJob, LevelBuilder
from sokoterm.engine.level import Level
from sokoterm.solver.search import Crashed, Found, Limits, Outcome, Progress, Status
from sokoterm.solver.strategies import bfs

LEVEL = Level.from_xsb("######\n#@ $.#\n######")
LIMITS = Limits(60.0, 10**9, 10**9, time.monotonic)
PATIENCE = 20.0  # seconds, for a machine under load


def unending() -> Generator[Progress, None, str]:
    """Work that never ends by itself."""
    nodes = 0
    while True:
        nodes += 1
        yield Progress("endless", nodes, nodes, 0, 0, time.monotonic())


class Bell:
    """A function that wakes whoever waits for it."""

    def __init__(self) -> None:
        self.rings = threading.Semaphore(0)

    def __call__(self) -> None:
        self.rings.release()

    def wait(self) -> None:
        assert self.rings.acquire(timeout=PATIENCE), "no event came"


def nodes_of(background: Background[str], beyond: int = 0) -> int:
    """Wait until more than so many nodes are told of; return how many."""
    deadline = time.monotonic() + PATIENCE
    while (latest := background.latest) is None or latest.nodes <= beyond:
        assert time.monotonic() < deadline, "no progress came"
        time.sleep(0.001)
    return latest.nodes


def test_a_solution_and_the_end_are_events() -> None:
    bell = Bell()
    background = Background[Outcome](bell)
    background.begin(bfs.search(LEVEL.board, LEVEL.start, LIMITS))
    bell.wait()
    bell.wait()
    found, end = background.events()
    assert isinstance(found, Found)
    assert isinstance(end, Outcome)
    assert (found.solution.lurd, end.status) == ("rR", Status.SOLVED)
    assert background.latest is not None
    assert not background.is_busy
    assert [*background.events()] == []


def test_cancel_closes_the_work_at_its_next_step_in_the_thread_that_ran_it() -> None:
    closed_in: list[threading.Thread] = []

    def watched() -> Generator[Progress, None, str]:
        try:
            return (yield from unending())
        finally:
            closed_in.append(threading.current_thread())

    bell = Bell()
    background = Background[str](bell)
    background.begin(watched())
    nodes_of(background)
    background.cancel()
    assert not background.is_busy
    background.join(PATIENCE)
    assert closed_in != [threading.current_thread()]
    assert len(closed_in) == 1
    assert [*background.events()] == []
    assert not bell.rings.acquire(blocking=False)


def test_paused_work_makes_no_steps_until_it_goes_on_or_is_cancelled() -> None:
    background = Background[str](lambda: None)
    background.begin(unending())
    nodes_of(background)
    background.pause(PATIENCE)
    background.join(2 * LONGEST_PAUSE)  # the step under way ends, or the one that a shorter pause had begun to wait for
    made = nodes_of(background)
    background.join(0.05)
    assert nodes_of(background) == made
    background.go_on()
    nodes_of(background, beyond=made)
    background.pause(PATIENCE)
    background.cancel()
    begun = time.monotonic()
    background.join(PATIENCE)
    assert time.monotonic() - begun < PATIENCE / 2


def test_work_goes_on_by_itself_where_nobody_ends_its_pause() -> None:
    background = Background[str](lambda: None)
    background.begin(unending())
    nodes = nodes_of(background)
    background.pause()
    nodes_of(background, beyond=nodes + 1)
    background.close()


def test_a_crash_is_an_event_with_its_traceback() -> None:
    def broken() -> Generator[None, None, str]:
        yield
        raise ZeroDivisionError("a mistake in a search")

    bell = Bell()
    background = Background[str](bell)
    background.begin(broken())
    bell.wait()
    (event,) = background.events()
    assert isinstance(event, Crashed)
    assert "ZeroDivisionError: a mistake in a search" in event.traceback
    assert "in broken" in event.traceback
    assert not background.is_busy


def test_nothing_is_heard_of_work_that_ends_in_the_step_of_the_cancel() -> None:
    stepping, cancelled = threading.Event(), threading.Event()

    def slow() -> Generator[None, None, str]:
        yield
        stepping.set()
        assert cancelled.wait(PATIENCE)
        return "done"

    background = Background[str](lambda: None)
    background.begin(slow())
    assert stepping.wait(PATIENCE)
    background.cancel()
    cancelled.set()
    background.join(PATIENCE)
    assert [*background.events()] == []


def test_newer_work_ends_the_older_one_whose_events_are_heard_no_more() -> None:
    def short() -> Generator[None, None, str]:
        yield
        return "short"

    at_work = threading.Lock()

    def alone(work: Generator[Progress | None, None, str]) -> Generator[Progress | None, None, str]:
        assert at_work.acquire(blocking=False), "two at a time"
        try:
            return (yield from work)
        finally:
            at_work.release()

    bell = Bell()
    background = Background[str](bell)
    background.begin(alone(unending()))
    nodes_of(background)
    background.begin(alone(short()))
    bell.wait()
    assert [*background.events()] == ["short"]


def test_a_cancel_before_any_work_does_nothing() -> None:
    background = Background[str](lambda: None)
    background.cancel()
    background.close()
    assert not background.is_busy
    assert [*background.events()] == []
    assert background.latest is None


def test_a_floor_that_could_not_be_made_is_tried_again_by_who_comes_back() -> None:
    tries: list[int] = []
    builder = LevelBuilder(lambda: None)

    def steps() -> Generator[None, None, Callable[[], None]]:
        tries.append(1)
        yield
        raise ValueError

    jobs = [BuildJob(("a floor",), steps)]

    def told() -> str:
        end = time.monotonic() + 30
        while not (crash := builder.follow(jobs, gives_way=False)):
            assert time.monotonic() < end, "nothing is told"
            time.sleep(0.001)
        return crash

    assert "ValueError" in told()
    assert builder.follow(jobs, gives_way=False) == ""
    assert len(tries) == 1  # not again and again
    builder.follow([], gives_way=False)
    assert "ValueError" in told()
    assert len(tries) == 2
    builder.close()


def test_floors_are_made_in_the_background_one_after_the_other() -> None:
    made: list[str] = []
    woken = threading.Event()
    builder = LevelBuilder(woken.set)

    def order(name: str) -> BuildJob:
        def steps():  # type: ignore[no-untyped-def]
            yield
            return lambda: made.append(name)

        return BuildJob((name,), steps)

    jobs = [order("first"), order("second")]
    for number in (1, 2):
        assert builder.follow(jobs, gives_way=False) == ""
        assert woken.wait(10)
        woken.clear()
        assert builder.follow(jobs, gives_way=True) == ""
        assert len(made) == number
    assert made == ["first", "second"]
    assert builder.follow(jobs, gives_way=False) == ""
    builder.close()
