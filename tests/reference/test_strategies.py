"""The strategies against each other and against the known solutions, on real levels."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.formats.registry import parse
from sokoterm.solver.search import Status
from tests.present import present
from tests.reference.known import KnownSolution, known_solutions
from tests.slow import slow
from tests.unit.solver.cases import NO_LIMITS, run
from tests.unit.solver.optimizer.test_driver import shortened
from tests.unit.solver.test_search import gives_up_below, measured

ALL = ("bfs", "astar", "greedy")


def assert_agreement(levels: Sequence[KnownSolution], names: Sequence[str], nodes: int) -> int:
    """Solve each level by each strategy; return the number of levels solved with fewest pushes."""
    solved = 0
    for known in levels:
        optimal: dict[str, int] = {}
        for name in names:
            solution, outcome = run(name, known.level, NO_LIMITS._replace(nodes=nodes))
            assert outcome.status is not Status.UNSOLVABLE, known.name
            if solution is not None:
                assert verify(known.level.board, known.level.start, solution.lurd) == solution
            if solution is not None and outcome.optimal == "pushes":
                optimal[name] = solution.pushes
        assert len(set(optimal.values())) <= 1, (known.name, optimal)
        assert all(pushes <= known.pushes for pushes in optimal.values()), (known.name, optimal)
        solved += bool(optimal)
    return solved


@pytest.mark.parametrize(("every", "solved"), [(360, 1), slow(90, 3)])
def test_a_sample_of_known_levels(shared: Path, every: int, solved: int) -> None:
    assert assert_agreement(known_solutions(shared)[::every], ALL, 1_000) >= solved


@pytest.mark.long
def test_every_known_level(shared: Path) -> None:
    assert assert_agreement(known_solutions(shared), ALL, 2_000) >= 250


@pytest.mark.long
def test_all_but_a_few_levels_of_microban_are_solved_with_fewest_pushes(shared: Path) -> None:
    levels = parse((shared / "levels" / "microban1.txt").read_bytes(), "microban1.txt").levels
    assert len(levels) == 155
    known = {each.name: each.pushes for each in known_solutions(shared)}
    proven = both = 0
    for level in levels:
        by_astar, by_bfs = (fewest_pushes(name, level, 300_000) for name in ("astar", "bfs"))
        proven += by_astar is not None
        both += None not in (by_astar, by_bfs)
        assert by_astar == by_bfs or None in (by_astar, by_bfs), level.number
        best_known = known.get(f"microban1 {level.number}")
        assert all(each is None or best_known is None or each <= best_known for each in (by_astar, by_bfs))
    assert proven >= 151
    assert both >= 144


def fewest_pushes(name: str, level: Level, nodes: int) -> int | None:
    """Return the pushes of the solution that a strategy proves optimal, or None if it gives up."""
    solution, outcome = run(name, level, NO_LIMITS._replace(nodes=nodes))
    assert outcome.status is not Status.UNSOLVABLE, level.number
    if solution is None:
        return None
    assert outcome.optimal == "pushes"
    assert verify(level.board, level.start, solution.lurd) == solution
    return solution.pushes


@measured
@pytest.mark.long
@pytest.mark.parametrize("name", ["auto", "fess"])
def test_fess_gives_up_below_its_memory(name: str, shared: Path) -> None:
    """FESS solves most levels, and proves most others dead, long before it has stored much."""
    pack = parse((shared / "levels" / "xsokoban.txt").read_bytes(), "xsokoban.txt")
    level = present(pack.find_level(89))
    assert gives_up_below(name, level.xsb(), 60)


def test_fess_solves_levels_that_astar_does_not_solve_soon(shared: Path) -> None:
    pack = parse((shared / "levels" / "xsokoban.txt").read_bytes(), "xsokoban.txt")
    for number in (3, 4, 5, 12, 78):
        level = present(pack.find_level(number))
        _, outcome = run("fess", level, NO_LIMITS._replace(nodes=3_000))
        assert outcome.status is Status.SOLVED, number


def test_known_solutions_are_bettered_or_kept(shared: Path) -> None:
    for known in known_solutions(shared)[::40]:
        shortened(known.level, verify(known.level.board, known.level.start, known.lurd), 1_000)
