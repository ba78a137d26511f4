"""The measure by which recipes choose levels: what it was, and its bound on box lines."""

from sokoterm.engine.level import Level
from sokoterm.engine.rules import is_solved
from sokoterm.engine.steps import finish
from sokoterm.generator.measure import Measure, least_lines, measure
from sokoterm.solver.common.lower_bound import make_distances
from sokoterm.solver.difficulty import Rating
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.store.packs import bundled_packs, open_pack
from tests.unit.commands.command import TWO_PUSHES
from tests.unit.solver.cases import SEED_CASE, meter_of, run
from tests.unit.solver.exhaustive import least, random_levels
from tests.unit.solver.test_difficulty import CROWDED, ONE_PUSH


def measured(level: Level) -> Measure:
    rating = Rating(level)
    finish(rating.search(1.0, lambda: 0.0))
    assert rating.figures is not None
    return finish(measure(rating, rating.figures))


def test_the_measure_never_changes() -> None:
    """If this fails, days and floors are other levels: see ``recipes.RECIPE``."""
    levels = open_pack(bundled_packs()[0]).levels
    assert [measured(level).number for level in levels] == [
        0, 4, 12, 14, 9, 16, 9, 24, 20, 27, 21, 28, 23, 31, 36, 38, 34, 32, 41, 48, 51, 41, 40, 44, 43, 36, 39, 75, 75,
        62, 73, 78,
    ]  # fmt: skip
    assert measured(CROWDED) == (83, 0, 0)


def _least(level: Level) -> int:
    meter = meter_of(level.board)
    return finish(least_lines(finish(make_distances(level.board, meter)), level.start, meter))


def test_the_bound_of_a_lone_box() -> None:
    assert _least(ONE_PUSH) == _least(Level.from_xsb(TWO_PUSHES)) == 1
    checked = 0
    for level in random_levels(11, 60, boxes=1):
        fewest = None if is_solved(level.board, level.start) else least(level, Objective.LINES)
        assert _least(level) == (fewest or (0,))[0]
        checked += fewest is not None
    assert checked > 10


def test_no_solution_has_fewer() -> None:
    for level in (SEED_CASE, *random_levels(12, 60, boxes=3)):
        solution, _ = run("astar", level)
        if solution is not None:
            assert _least(level) <= solution.box_lines
