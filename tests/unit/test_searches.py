"""Searches and generation under way: their news, their end by the caller, their cores, and strategies of one's own."""

import asyncio
import doctest
import inspect
import runpy
import threading
from collections.abc import Iterator
from typing import get_args

import pytest

import sokoterm
from sokoterm import searches
from sokoterm.solver.search import resident_bytes
from tests.unit.commands.command import ONE_PUSH, STUCK, TWO_PUSHES

HARD = sokoterm.Pack.load("levels/one-weekend.txt")[35]
PATIENCE = 30.0
breadth_first: sokoterm.OwnStrategy = runpy.run_path("examples/own_solver.py")["breadth_first"]


def endless(_start: sokoterm.Position) -> Iterator[None]:
    while True:
        yield None


def test_news_is_progress_and_each_solution() -> None:
    told: list[sokoterm.Progress | sokoterm.Solution] = []
    result = sokoterm.solve(HARD, limits=sokoterm.Limits(nodes=20_000), progress=told.append)
    solutions = [each for each in told if isinstance(each, sokoterm.Solution)]
    assert solutions[-1] == result.solution
    assert {each.level for each in solutions} == {HARD}
    assert {type(each) for each in told} <= {sokoterm.Progress, sokoterm.Solution}


def test_what_is_read_no_further_is_cancelled_and_keeps_what_it_found() -> None:
    with sokoterm.solving(HARD) as running:
        first = next(each for each in running if isinstance(each, sokoterm.Solution))
    solution, outcome = running.result()
    assert (solution, outcome.status, [*running]) == (first, "solved", [])
    with sokoterm.solving(HARD, strategy=endless) as endless_one:
        assert next(endless_one).strategy == "endless"  # type: ignore[union-attr]
    solution, outcome = endless_one.result()
    assert (solution, outcome.status, outcome.reason) == (None, "gave_up", None)
    assert outcome.nodes > 0
    with sokoterm.optimizing(HARD, first.lurd) as running, pytest.raises(ZeroDivisionError):
        raise ZeroDivisionError
    assert running.result().solution == first
    running = sokoterm.solving(HARD, strategy=endless)
    running.cancel()
    assert running.result().solution is None


def test_a_search_goes_on_from_a_position() -> None:
    for level in (sokoterm.Pack.load("levels/variants-ice-and-colours.txt")[0], HARD):
        whole = sokoterm.solve(level).solution
        assert whole is not None
        half = sokoterm.Position(level, whole.lurd[: whole.moves // 2])
        rest = sokoterm.solve(half).solution
        assert rest is not None
        assert rest.level is not None
        assert str(rest.level) == str(half)
        half.play(rest)
        assert half.is_solved
        assert sokoterm.optimize(level, half.lurd, limits=sokoterm.Limits(nodes=10)).solution is not None


def test_another_thread_cancels_a_search() -> None:
    with sokoterm.solving(HARD, strategy=endless) as running:
        thread = threading.Thread(target=running.result)
        thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert running.result().outcome.status is sokoterm.Status.GAVE_UP


def test_a_task_that_is_cancelled_ends_its_search() -> None:
    async def searched() -> sokoterm.SearchResult:
        with sokoterm.solving(HARD, strategy=endless) as running:
            try:
                await asyncio.wait_for(asyncio.to_thread(running.result), 0.05)
            except TimeoutError:
                running.cancel()
            return running.result()

    assert asyncio.run(searched()).outcome.status == "gave_up"


def test_levels_are_news_of_their_pack() -> None:
    told: list[object] = []
    pack = sokoterm.generate(3, count=2, size=(6, 6), boxes=2, nodes=500, progress=told.append)
    assert [each for each in told if isinstance(each, sokoterm.Level)] == [*pack]
    with sokoterm.generating(3, count=2, size=(6, 6), boxes=2, nodes=500) as running:
        first = next(each for each in running if isinstance(each, sokoterm.Level))
    assert [*running.result()] == [first] == [pack[0]]
    with sokoterm.generating(3, nodes=10_000_000) as running:
        assert isinstance(next(running), sokoterm.Progress)
    assert running.result() == sokoterm.Pack("Generated 3", ())


def test_a_search_on_several_cores() -> None:
    assert sokoterm.solve(HARD, cores=2).outcome.repeatable is False
    level = sokoterm.Level.from_xsb(TWO_PUSHES)
    assert sokoterm.solve(level, cores=2).solution == level.verify("rr")
    for cores, strategy in ((0, "auto"), (5, "auto"), (2, "bfs"), (2, breadth_first)):
        with pytest.raises(sokoterm.UsageError, match=f"found {cores} cores, expected 1 to 4"):
            sokoterm.solve(level, cores=cores, strategy=strategy)


def test_a_strategy_of_ones_own_is_searched_with_within_limits() -> None:
    for level in sokoterm.Pack.load("levels/first-steps.txt")[:12]:
        solution, outcome = sokoterm.solve(level, strategy=breadth_first)
        known = sokoterm.solve(level, strategy="astar").solution
        assert known is not None
        assert solution is not None
        assert (solution.pushes, solution.level, outcome.strategy) == (known.pushes, level, "breadth_first")
    stuck = sokoterm.Level.from_xsb("######\n#@   #\n#$$ .#\n#   .#\n######")
    assert sokoterm.solve(stuck, strategy=breadth_first).outcome.status == "unsolvable"
    limits = sokoterm.Limits(nodes=7)
    outcome = sokoterm.solve(HARD, strategy=endless, limits=limits).outcome
    assert (outcome.status, outcome.reason, outcome.nodes) == ("gave_up", "nodes", 7)
    assert sokoterm.solve(HARD, 0.05, strategy=endless).outcome.reason == "time"


def test_what_a_strategy_of_ones_own_says_is_checked() -> None:
    level = sokoterm.Level.from_xsb(ONE_PUSH)
    assert sokoterm.solve(level, strategy=lambda _: ["r"]).solution == level.verify("r")
    with pytest.raises(sokoterm.LurdError, match=r"step 1 \(l\) is blocked"):
        sokoterm.solve(level, strategy=lambda _: ["l"])

    def gives_up(_start: sokoterm.Position) -> Iterator[None]:
        yield None
        raise sokoterm.LimitReached(sokoterm.Reason.STATES)

    assert sokoterm.solve(level, strategy=gives_up).outcome.reason == "states"


def test_searches_name_what_they_expect() -> None:
    level = sokoterm.Level.from_xsb(TWO_PUSHES)
    solution, outcome = sokoterm.solve(level, seconds=20)
    assert solution is not None
    assert outcome.status is sokoterm.Status.SOLVED
    assert sokoterm.optimize(level, solution.lurd, "pushes").outcome.optimal == "pushes"
    assert sokoterm.solve(sokoterm.Level.from_xsb(STUCK)).outcome.status is sokoterm.Status.UNSOLVABLE
    with pytest.raises(ValueError, match="found the strategy 'luck', expected one of auto"):
        sokoterm.solving(level, strategy="luck")
    with pytest.raises(ValueError, match="found the objective 'beauty', expected one of moves"):
        sokoterm.optimizing(level, solution.lurd, "beauty")
    with pytest.raises(sokoterm.LurdError):
        sokoterm.optimize(level, "ud")
    with pytest.raises(sokoterm.UsageError, match="found NoneType, expected moves: LURD text or a Solution"):
        sokoterm.optimize(level, None)  # type: ignore[arg-type]


def test_each_search_at_once_is_the_same_under_way() -> None:
    for at_once, begun in (
        *((sokoterm.solve, sokoterm.solving), (sokoterm.optimize, sokoterm.optimizing)),
        (sokoterm.generate, sokoterm.generating),
    ):
        shape, other = inspect.signature(at_once), inspect.signature(begun)
        assert shape.parameters == other.parameters
        assert get_args(other.return_annotation)[1] is shape.return_annotation
        assert at_once.__doc__ == begun.__doc__


def test_memory_is_counted_from_what_the_process_held() -> None:
    held = bytearray(b"x" * (64 << 20))
    limits = sokoterm.Limits(memory=len(held))
    assert limits.memory < resident_bytes() or not resident_bytes()
    assert sokoterm.solve(sokoterm.Level.from_xsb(TWO_PUSHES), limits=limits).outcome.status == "solved"


def test_the_examples_hold() -> None:
    assert doctest.testmod(searches).failed == 0
