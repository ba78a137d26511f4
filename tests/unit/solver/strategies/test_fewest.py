"""Proofs of fewest moves, and levels of one box, against exhaustive searches."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoterm.engine.bits import lowest
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.common.lower_bound import LowerBound
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.registry import PROVERS, STRATEGIES
from sokoterm.solver.search import Found, LimitReached, Limits, Outcome, Progress, Reason, Status, Strategy, solve
from sokoterm.solver.strategies import fewest
from tests.present import present
from tests.slow import others_slow
from tests.unit.commands.command import FEWER_MOVES, STUCK
from tests.unit.engine.drawn import plain_of
from tests.unit.engine.plain_variants import plain_costs
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, SEED_PUSHES, run, ticking
from tests.unit.solver.common.test_prunings import grown_at_once
from tests.unit.solver.exhaustive import check_answer, fewest_pushes, least, random_levels, status_without_solution

# Fewer moves cost more pushes here: the box on the left is the nearer one.
TWO_WAYS = Level.from_xsb("########\n#  .   #\n#   #  #\n#  $ $ #\n# #@#  #\n#    . #\n########")


def assert_best(level: Level) -> None:
    expected = least(level, Objective.MOVES)
    solution, outcome = run("fewest moves", level)
    if expected is None:
        assert (solution, outcome.status) == (None, status_without_solution(level)), level.xsb()
        return
    assert solution is not None, level.xsb()
    assert verify(level.board, level.start, solution.lurd) == solution
    assert Objective.MOVES.key(solution) == expected, level.xsb()
    assert (outcome.status, outcome.optimal) == (Status.SOLVED, "moves")


@given(seed=st.integers(0, 1_000_000))
@settings(max_examples=20)
def test_random_levels_are_solved_in_the_fewest_moves_and_then_pushes(seed: int) -> None:
    for level in random_levels(seed, 4, size=6, boxes=3):
        assert_best(level)


@given(seed=st.integers(0, 1_000_000))
@settings(max_examples=10)
def test_pair_penalties_from_the_first_node_on_lose_no_optimum(seed: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(LowerBound, "grow", grown_at_once)
        for level in random_levels(seed, 4, size=6, boxes=3):
            assert_best(level)


BEGINS_SOLVED = Level.from_xsb("########\n#      #\n# @*   #\n#   *  #\n#      #\n########")


@pytest.mark.parametrize("level", [SEED_CASE, TWO_WAYS, BEGINS_SOLVED], ids=["seed case", "two ways", "begins solved"])
def test_the_fewest_moves_come_first(level: Level) -> None:
    assert_best(level)


def test_a_solution_found_before_the_end_is_not_proven() -> None:
    search = PROVERS["fewest moves"](TWO_WAYS.board, TWO_WAYS.start, NO_LIMITS)
    found = next(event for event in search if isinstance(event, Found))
    with pytest.raises(StopIteration) as stopped:
        search.throw(LimitReached(Reason.NODES))
    outcome: Outcome = stopped.value.value
    assert outcome.status is Status.SOLVED
    assert outcome.optimal is None or Objective.MOVES.key(found.solution) == least(TWO_WAYS, Objective.MOVES)


# Levels of one box

LEVEL = Level.from_xsb(FEWER_MOVES)
SEARCHES = (fewest.search_pushes, fewest.search_moves)


def serpentine(width: int) -> Level:
    """Make a level with a long path on a board of ``width`` columns and 13 rows."""
    rows = ["#" * width]
    for row in range(11):
        blank = " " * (width - 2)
        if row % 4 == 3:
            blank = "#" * (width - 5) + "   " if row % 8 == 3 else "   " + "#" * (width - 5)
        rows.append(f"#{blank}#")
    rows.append("#" * width)
    rows[1] = "#@" + rows[1][2:]
    rows[2] = "# $" + rows[2][3:]
    rows[-3] = rows[-3][:-3] + ".##"
    return Level.from_xsb("\n".join(rows))


@pytest.mark.parametrize("seed", others_slow(range(4)))
def test_random_levels_of_one_box_are_solved_or_proven_unsolvable(seed: int) -> None:
    for level in random_levels(seed, 150, boxes=1):
        expected = fewest_pushes(level.board, level.start)
        by_pushes, outcome = solve(level.board, level.start, fewest.search_pushes, NO_LIMITS)
        by_moves, other = solve(level.board, level.start, fewest.search_moves, NO_LIMITS)
        assert outcome.strategy == other.strategy == "one box"
        check_answer(level, by_pushes, outcome, expected)
        check_answer(level, by_moves, other, expected)
        if by_pushes is None or by_moves is None:
            continue
        assert (outcome.optimal, other.optimal) == ("pushes", "moves")
        if level.start.boxes != level.board.goals:
            box, goal = lowest(level.start.boxes), lowest(level.board.goals)
            costs = plain_costs(plain_of(level, level.start), level.board.row_column(box), by_pushes=False)
            assert (by_moves.moves, by_moves.pushes) == costs[level.board.row_column(goal)]


def test_auto_uses_the_planner_for_one_box_and_searches_for_several() -> None:
    for strategy in (STRATEGIES["auto"], PROVERS["fewest pushes"]):
        for level, name, pushes in ((LEVEL, "one box", 2), (SEED_CASE, "astar", SEED_PUSHES)):
            solution, outcome = solve(level.board, level.start, strategy, NO_LIMITS)
            assert solution is not None
            assert (outcome.strategy, outcome.optimal, solution.pushes) == (name, "pushes", pushes)
    assert not fewest.has_one_box(SEED_CASE.board, SEED_CASE.start)
    stuck = Level.from_xsb(STUCK)
    _, outcome = solve(stuck.board, stuck.start, STRATEGIES["auto"], NO_LIMITS)
    assert (outcome.status, outcome.strategy) == (Status.UNSOLVABLE, "one box")


def test_a_level_that_begins_solved_takes_the_cheapest_way_back() -> None:
    level = Level.from_xsb("########\n#      #\n# @*   #\n#      #\n########")
    for strategy in SEARCHES:
        solution = present(solve(level.board, level.start, strategy, NO_LIMITS)[0])
        assert (solution.pushes, solution.moves) == (2, 6)


@pytest.mark.parametrize("strategy", SEARCHES)
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (NO_LIMITS._replace(nodes=3), Reason.NODES),
        (NO_LIMITS._replace(states=3), Reason.STATES),
        (ticking(3.0), Reason.TIME),
    ],
    ids=["nodes", "states", "seconds"],
)
def test_each_limit_stops_the_search(strategy: Strategy, limits: Limits, reason: Reason) -> None:
    solution, outcome = solve(LEVEL.board, LEVEL.start, strategy, limits)
    assert (solution, outcome.status, outcome.reason) == (None, Status.GAVE_UP, reason)
    assert outcome.repeatable == (reason is not Reason.TIME)


def test_a_solution_too_long_for_any_replay_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoterm.solver.strategies.fewest.MOST_STEPS", 9)
    solution, outcome = solve(LEVEL.board, LEVEL.start, fewest.search_pushes, NO_LIMITS)
    assert (solution, outcome.status, outcome.reason) == (None, Status.GAVE_UP, Reason.SIZE)


def test_a_solution_found_counts_whatever_happens_then() -> None:
    search = fewest.search_pushes(LEVEL.board, LEVEL.start, NO_LIMITS)
    next(event for event in search if isinstance(event, Found))
    with pytest.raises(StopIteration) as stopped:
        search.throw(MemoryError())
    outcome: Outcome = stopped.value.value
    assert (outcome.status, outcome.optimal) == (Status.SOLVED, "pushes")


@pytest.mark.parametrize("strategy", SEARCHES)
def test_a_long_plan_yields_all_along(strategy: Strategy) -> None:
    level = serpentine(190)
    events = list(strategy(level.board, level.start, NO_LIMITS))
    solution = next(event.solution for event in events if isinstance(event, Found))
    progress = [event for event in events if isinstance(event, Progress)]
    # At least one yield for each push of the search, and one for each thousand moves of the replay.
    assert len(progress) >= solution.pushes + solution.moves // 1024
    assert max(later.nodes - earlier.nodes for earlier, later in itertools.pairwise(progress)) <= 512
    assert [each.nodes for each in progress] == sorted(each.nodes for each in progress)


@pytest.mark.parametrize("strategy", SEARCHES)
def test_places_take_little_memory_on_a_large_board_where_it_cannot_be_measured(strategy: Strategy) -> None:
    level = serpentine(300)
    limits = NO_LIMITS._replace(memory=2_000_000, resident=lambda: 0)
    found, outcome = solve(level.board, level.start, strategy, limits)
    assert found is not None
    assert outcome.reason is None
    _, outcome = solve(level.board, level.start, strategy, limits._replace(memory=200_000))
    assert outcome.reason is Reason.MEMORY
