"""Searches, plans and deadlock tests of boards with colours or ice, against all positions of small boards."""

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from levels.make.choose_packs import LEVELS
from sokoterm.engine.bits import scan
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.level import Level, varied
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.formats.registry import parse
from sokoterm.solver.common.lower_bound import make_lower_bound
from sokoterm.solver.domain import Domain
from sokoterm.solver.fess.colored import ColoredPositions, make_colored_positions
from sokoterm.solver.fess.plan import ExitRule, Unpacking
from sokoterm.solver.fess.tree import search_farthest
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.registry import PROVERS, STRATEGIES, DoesNotApply
from sokoterm.solver.search import Meter, Status, solve
from tests.present import present
from tests.slow import others_slow, slow
from tests.unit.engine.drawn import levels, roomy_levels, varied_levels
from tests.unit.engine.test_rules import CROSSED
from tests.unit.solver.cases import NO_LIMITS, meter_of
from tests.unit.solver.exhaustive import (
    Positions,
    check_answer,
    least,
    positions_of,
    random_varied,
    status_without_solution,
)

OPTIMAL = ("bfs", "astar")
NAMES = tuple(name for name, each in STRATEGIES.items() if each.knows_colors)


def check_tests_and_bound(positions: Positions) -> tuple[int, int]:
    """Compare every position with the detector and the bound; return how many can be solved, and how many are dead."""
    board = positions.level.board
    detector, domain, meter = DeadlockDetector(board), Domain(board), meter_of(board)
    bound, _ = finish(make_lower_bound(board, positions.level.start, meter))
    dead = 0
    for state in positions.successors:
        pushes = positions.pushes.get(state)
        region = reachable_area(board, state)
        matching = finish(bound.match(state, meter))
        for found in (detector.find(state.boxes, region), detector.explain(state.boxes, region)):
            dead += found is not None
            assert found is None or pushes is None
            assert found is None or (found.boxes and not found.boxes & ~(state.boxes & board.floor))
        assert (state.boxes & domain.telling == board.goals) == (pushes == 0)
        if pushes is not None:
            assert matching is not None
            assert matching.cost <= pushes
    return len(positions.pushes), dead


def check_searches(positions: Positions) -> None:
    """Compare the answer of every strategy with all positions."""
    level, expected = positions.level, positions.fewest
    for name in NAMES:
        if not STRATEGIES[name].applies(level.board):
            continue
        solution, outcome = solve(level.board, level.start, STRATEGIES[name], NO_LIMITS)
        check_answer(level, solution, outcome, expected)
        assert solution is None or outcome.optimal == "pushes" or name not in OPTIMAL


def test_the_strategies_that_apply() -> None:
    assert NAMES == ("auto", "astar", "bfs", "greedy", "backward", "fess")
    with pytest.raises(DoesNotApply, match="strategy beam: not for levels with colours or ice"):
        STRATEGIES["beam"](CROSSED.board, CROSSED.start, NO_LIMITS)
    icy = varied(CROSSED, {}, {}, CROSSED.board.floor)
    with pytest.raises(DoesNotApply, match="strategy fess: not for levels with ice"):
        STRATEGIES["fess"](icy.board, icy.start, NO_LIMITS)


@settings(deadline=None)
@given(st.sampled_from((levels, roomy_levels)).flatmap(varied_levels))
def test_drawn_levels(level: Level) -> None:
    assume(not level.board.is_ordinary)
    positions = positions_of(level, 1_000)
    assume(positions is not None)
    assert positions is not None
    check_tests_and_bound(positions)
    check_searches(positions)


@pytest.mark.parametrize("seed", others_slow(range(4)))
def test_random_levels_with_more_room(seed: int) -> None:
    solvable = dead = 0
    kinds = set()
    for level in random_varied(seed, 30, size=8):
        positions = positions_of(level, 2_000)
        if positions is not None:
            counts = check_tests_and_bound(positions)
            solvable, dead = solvable + counts[0], dead + counts[1]
            check_searches(positions)
            kinds.add(level.board.kinds)
    assert solvable > 50
    assert dead > 300
    assert kinds == {("colors",), ("sliding",), ("colors", "sliding")}


def test_fewest_moves() -> None:
    proven = 0
    for level in random_varied(7, 60, size=7):
        expected = least(level, Objective.MOVES)
        solution, outcome = solve(level.board, level.start, PROVERS["fewest moves"], NO_LIMITS)
        if solution is None:
            assert (outcome.status, expected) == (status_without_solution(level), None)
            continue
        assert Objective.MOVES.key(solution) == expected
        assert outcome.optimal == "moves"
        proven += 1
    assert proven > 5


def one_color(level: Level) -> Level:
    """Return a level with the same colour for all boxes and goals, which changes nothing."""
    boxes, goals = (dict.fromkeys(scan(squares), 0) for squares in (level.start.boxes, level.board.goals))
    return varied(level, boxes, goals)


# A box that comes home through the door alone, with the player on its other side.
DOOR = Level.from_xsb("#########\n# $. # *#\n#.  @   #\n#    #$ #\n######  #\n#########")


@settings(deadline=None)
@given(roomy_levels)
@example(DOOR)
def test_one_colour_changes_nothing(level: Level) -> None:
    limits, colored = NO_LIMITS._replace(nodes=5_000), one_color(level)
    for metric, search in (("moves", PROVERS["fewest moves"]), ("pushes", STRATEGIES["astar"])):
        plain, told = solve(level.board, level.start, search, limits)
        found, outcome = solve(colored.board, colored.start, search, limits)
        if Status.GAVE_UP not in (told.status, outcome.status):  # fewer prunings may take more nodes
            assert outcome.status is told.status
        if plain is not None and found is not None and told.optimal == outcome.optimal == metric:
            assert getattr(found, metric) == getattr(plain, metric)


# The left box belongs on the right goal.
CHANGED = varied(
    Level.from_xsb("##########\n#        #\n# $ @  $ #\n#        #\n# .    . #\n##########"),
    {2 * 11 + 2: 0, 2 * 11 + 7: 1},
    {4 * 11 + 2: 1, 4 * 11 + 7: 0},
)


@pytest.mark.parametrize(
    ("pack", "every"), [("first-colours", 4), ("forty-colours", 8), slow("first-colours", 1), slow("forty-colours", 1)]
)
def test_levels_of_all_packs_with_colours_are_solved(pack: str, every: int) -> None:
    name = f"variants-{pack}.txt"
    for level in parse((LEVELS / name).read_bytes(), name).levels[::every]:
        assert STRATEGIES["fess"].applies(level.board)
        present(solve(level.board, level.start, STRATEGIES["fess"], NO_LIMITS._replace(nodes=3_000))[0])


def positions_and_meter(level: Level) -> tuple[ColoredPositions, Meter]:
    board, start, meter = level.board, level.start, meter_of(level.board)
    found = present(finish(make_colored_positions(board, start, reachable_area(board, start), meter)))
    return found, meter


def test_a_plan_says_which_box_goes_where() -> None:
    positions, meter = positions_and_meter(CHANGED)
    tables = positions.tables
    unpacking = Unpacking(tables, positions.start_boxes, ExitRule(1, anywhere=True), meter)
    line = finish(search_farthest(unpacking, 100)).line()
    assert line[0].boxes == tables.goals
    assert line[-1].boxes == line[-1].bases
    gone = [(node.move.origin // tables.size, node.move.square // tables.size) for node in line[1:] if node.move.bases]
    assert gone
    assert all(before == after for before, after in gone)


def test_moves_keep_colours_and_end_on_live_squares() -> None:
    positions, _ = positions_and_meter(CHANGED)
    boxes, tables = positions.start_boxes, positions.tables
    moves = list(finish(positions.pushes(boxes, positions.start_region, prunes=False)))
    assert {box for box, *_ in moves} == set(scan(boxes))
    for box, square, *_ in moves:
        assert box // tables.size == square // tables.size
        assert tables.live >> square & 1
