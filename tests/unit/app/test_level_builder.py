"""Levels built in the background."""

from collections.abc import Callable, Generator
from time import monotonic, sleep

from sokoterm.app.level_builder import BuildJob, ThreadBuilder
from sokoterm.app.thread_switching import ThreadSwitching


def test_a_floor_that_could_not_be_made_is_tried_again_by_who_comes_back() -> None:
    tries: list[int] = []
    builder = ThreadBuilder(lambda: None, ThreadSwitching())

    def steps() -> Generator[None, None, Callable[[], None]]:
        tries.append(1)
        yield
        raise ValueError

    jobs = [BuildJob(("a floor",), steps)]

    def told() -> str:
        end = monotonic() + 30
        while not (crash := builder.follow(jobs, gives_way=False)):
            assert monotonic() < end, "nothing is told"
            sleep(0.001)
        return crash

    assert "ValueError" in told()
    assert builder.follow(jobs, gives_way=False) == ""
    assert len(tries) == 1  # not again and again
    builder.follow([], gives_way=False)
    assert "ValueError" in told()
    assert len(tries) == 2
    builder.close()


def test_floors_are_made_in_the_background_one_after_the_other() -> None:
    from threading import Event

    made: list[str] = []
    woken = Event()
    builder = ThreadBuilder(woken.set, ThreadSwitching())

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
