"""Proof of fewest moves, against a search over single steps."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, verify
from sokoterm.solver.common.lower_bound import LowerBound
from sokoterm.solver.registry import PROVERS
from sokoterm.solver.search import Found, LimitReached, Limits, Outcome, Reason, Status, solve
from tests.unit.hash_seeds import printed_under_all
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE
from tests.unit.solver.common.test_prunings import grown_at_once
from tests.unit.solver.exhaustive import fewest_moves, random_levels, status_without_solution
from tests.unit.solver.strategies.test_strategies import lattice

# Fewer moves cost more pushes here: the box on the left is the nearer one.
TWO_WAYS = Level.from_xsb("########\n#  .   #\n#   #  #\n#  $ $ #\n# #@#  #\n#    . #\n########")


def run(level: Level, limits: Limits = NO_LIMITS) -> tuple[Solution | None, Outcome]:
    return solve(level.board, level.start, PROVERS["fewest moves"], limits)


def assert_best(level: Level) -> None:
    expected = fewest_moves(level.board, level.start)
    solution, outcome = run(level)
    if expected is None:
        assert (solution, outcome.status) == (None, status_without_solution(level)), level.xsb()
        return
    assert solution is not None, level.xsb()
    assert verify(level.board, level.start, solution.lurd) == solution
    assert (solution.moves, solution.pushes) == expected, level.xsb()
    assert (outcome.status, outcome.optimal) == (Status.SOLVED, "moves")


@given(seed=st.integers(0, 1_000_000))
@settings(max_examples=40)
def test_random_levels_are_solved_in_the_fewest_moves_and_then_pushes(seed: int) -> None:
    for level in random_levels(seed, 4, size=6, boxes=3):
        assert_best(level)


@given(seed=st.integers(0, 1_000_000))
@settings(max_examples=20)
def test_pair_penalties_from_the_first_node_on_lose_no_optimum(seed: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(LowerBound, "grow", grown_at_once)
        for level in random_levels(seed, 4, size=6, boxes=3):
            assert_best(level)


@pytest.mark.parametrize("level", [SEED_CASE, TWO_WAYS], ids=["seed case", "two ways"])
def test_the_fewest_moves_come_first(level: Level) -> None:
    assert_best(level)


def test_a_level_that_begins_solved_needs_a_push() -> None:
    assert_best(Level.from_xsb("########\n#      #\n# @*   #\n#   *  #\n#      #\n########"))


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (NO_LIMITS._replace(nodes=20), Reason.NODES),
        (NO_LIMITS._replace(states=30), Reason.STATES),
        (NO_LIMITS._replace(memory=1), Reason.MEMORY),
    ],
    ids=["nodes", "states", "memory"],
)
def test_each_limit_stops_the_search(limits: Limits, reason: Reason) -> None:
    solution, outcome = run(SEED_CASE, limits)
    assert (solution, outcome.status, outcome.reason) == (None, Status.GAVE_UP, reason)


def test_the_limit_of_seconds_stops_the_search() -> None:
    ticks = itertools.count()
    _, outcome = run(SEED_CASE, NO_LIMITS._replace(seconds=4.0, clock=lambda: float(next(ticks))))
    assert (outcome.status, outcome.reason) == (Status.GAVE_UP, Reason.TIME)


def test_a_table_that_would_be_too_large_is_not_begun() -> None:
    solution, outcome = run(lattice(200))
    assert (solution, outcome.status, outcome.reason) == (None, Status.GAVE_UP, Reason.SIZE)


def test_a_solution_found_before_the_end_is_not_proven() -> None:
    search = PROVERS["fewest moves"](TWO_WAYS.board, TWO_WAYS.start, NO_LIMITS)
    found = next(event for event in search if isinstance(event, Found))
    with pytest.raises(StopIteration) as stopped:
        search.throw(LimitReached(Reason.NODES))
    outcome: Outcome = stopped.value.value
    best = fewest_moves(TWO_WAYS.board, TWO_WAYS.start)
    assert outcome.status is Status.SOLVED
    assert outcome.optimal in (None, "moves")
    assert outcome.optimal is None or (found.solution.moves, found.solution.pushes) == best


def test_the_node_count_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "from tests.unit.solver.strategies.test_fewest_moves import SEED_CASE, run\n"
        "solution, outcome = run(SEED_CASE)\n"
        "print(solution.lurd, outcome.nodes, outcome.stored)"
    )
    assert printed_under_all("-c", program, seeds=("0", "12345"))
