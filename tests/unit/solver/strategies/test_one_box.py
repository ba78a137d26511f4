"""Levels of one box: the push planner against exhaustive search, and its limits."""

import itertools

import pytest

from sokoterm.engine.bits import lowest
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.registry import PROVERS, STRATEGIES
from sokoterm.solver.search import Found, Outcome, Progress, Reason, Status, Strategy, solve
from sokoterm.solver.strategies import fewest
from tests.unit.commands.command import FEWER_MOVES, SEED, STUCK
from tests.unit.engine.plain_planner import plain_costs
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, SEED_PUSHES
from tests.unit.solver.exhaustive import fewest_pushes, random_levels, status_without_solution

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


@pytest.mark.parametrize("seed", range(4))
def test_random_levels_of_one_box_are_solved_or_proven_unsolvable(seed: int) -> None:
    for level in random_levels(seed, 150, boxes=1):
        expected = fewest_pushes(level.board, level.start)
        by_pushes, outcome = solve(level.board, level.start, fewest.search_pushes, NO_LIMITS)
        by_moves, other = solve(level.board, level.start, fewest.search_moves, NO_LIMITS)
        assert outcome.strategy == other.strategy == "one box"
        if expected is None:
            assert (by_pushes, by_moves) == (None, None)
            assert outcome.status is other.status is status_without_solution(level)
            continue
        assert by_pushes is not None
        assert by_moves is not None
        assert (outcome.optimal, other.optimal) == ("pushes", "moves")
        assert verify(level.board, level.start, by_pushes.lurd) == by_pushes
        assert verify(level.board, level.start, by_moves.lurd) == by_moves
        assert by_pushes.pushes == expected
        if level.start.boxes != level.board.goals:
            box, goal = lowest(level.start.boxes), lowest(level.board.goals)
            costs = plain_costs(level.board, level.start, box, pushes_first=False)[goal]
            assert (by_moves.pushes, by_moves.moves) == costs


def test_fewest_moves_are_not_always_fewest_pushes() -> None:
    by_pushes, _ = solve(LEVEL.board, LEVEL.start, fewest.search_pushes, NO_LIMITS)
    by_moves, _ = solve(LEVEL.board, LEVEL.start, fewest.search_moves, NO_LIMITS)
    assert by_pushes is not None
    assert by_moves is not None
    assert [(each.pushes, each.moves) for each in (by_pushes, by_moves)] == [(2, 10), (4, 8)]


def test_auto_uses_the_planner_for_one_box_and_searches_for_several() -> None:
    for strategy in (STRATEGIES["auto"], PROVERS["fewest pushes"]):
        for level, name, pushes in ((LEVEL, "one box", 2), (SEED_CASE, "astar", SEED_PUSHES)):
            solution, outcome = solve(level.board, level.start, strategy, NO_LIMITS)
            assert solution is not None
            assert (outcome.strategy, outcome.optimal, solution.pushes) == (name, "pushes", pushes)
    level = Level.from_xsb(SEED)
    assert not fewest.has_one_box(level.board, level.start)
    stuck = Level.from_xsb(STUCK)
    _, outcome = solve(stuck.board, stuck.start, STRATEGIES["auto"], NO_LIMITS)
    assert (outcome.status, outcome.strategy) == (Status.UNSOLVABLE, "one box")


def test_a_level_that_begins_solved_takes_the_cheapest_way_back() -> None:
    level = Level.from_xsb("########\n#      #\n# @*   #\n#      #\n########")
    for strategy in SEARCHES:
        solution, _ = solve(level.board, level.start, strategy, NO_LIMITS)
        assert solution is not None
        assert (solution.pushes, solution.moves) == (2, 6)


@pytest.mark.parametrize("strategy", SEARCHES)
def test_limits_of_nodes_and_states(strategy: Strategy) -> None:
    for limits, reason in ((NO_LIMITS._replace(nodes=3), Reason.NODES), (NO_LIMITS._replace(states=3), Reason.STATES)):
        solution, outcome = solve(LEVEL.board, LEVEL.start, strategy, limits)
        assert (solution, outcome.status, outcome.reason) == (None, Status.GAVE_UP, reason)


@pytest.mark.parametrize("strategy", SEARCHES)
def test_the_limit_of_seconds(strategy: Strategy) -> None:
    ticks = itertools.count()  # a second passes each time the clock is read
    limits = NO_LIMITS._replace(seconds=3.0, clock=lambda: float(next(ticks)))
    solution, outcome = solve(LEVEL.board, LEVEL.start, strategy, limits)
    assert (solution, outcome.status, outcome.reason) == (None, Status.GAVE_UP, Reason.TIME)
    assert not outcome.repeatable


def test_a_search_out_of_memory_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(*_arguments: object, **_keywords: object) -> None:
        raise MemoryError

    monkeypatch.setattr("sokoterm.solver.strategies.fewest.BoxReach", run_out)
    solution, outcome = solve(LEVEL.board, LEVEL.start, fewest.search_pushes, NO_LIMITS)
    assert (solution, outcome.status, outcome.reason) == (None, Status.GAVE_UP, Reason.MEMORY)


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
