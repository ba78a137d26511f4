"""Portfolio: its contenders by board, their turns, and their common limits."""

import itertools
from collections.abc import Sequence
from functools import partial

import pytest

from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Found, Limits, Outcome, Progress, Reason, Search, Status, Strategy, solve
from sokoterm.solver.strategies.auto import Contender, contenders_for, search_in_turns
from tests.present import present
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, run, run_through, ticking


def run_in_turns(contenders: Sequence[Contender], limits: Limits = NO_LIMITS) -> tuple[Solution | None, Outcome]:
    """Solve the seed case by strategies that take turns."""
    return solve(SEED_CASE.board, SEED_CASE.start, partial(search_in_turns, contenders=contenders), limits)


def test_only_what_the_clock_ended_is_not_repeatable() -> None:
    _, whole = run("auto", SEED_CASE)
    assert whole.repeatable
    _, outcome = run("auto", SEED_CASE, ticking(20.0))
    assert (outcome.reason, outcome.repeatable) == (Reason.TIME, False)
    _, by_nodes = run("auto", SEED_CASE, NO_LIMITS._replace(nodes=80))
    assert (by_nodes.reason, by_nodes.repeatable) == (Reason.NODES, True)


def test_auto_yields_shorter_solutions_than_the_first() -> None:
    contenders = [Contender("backward", STRATEGIES["backward"], 100, 100)]
    search = search_in_turns(SEED_CASE.board, SEED_CASE.start, NO_LIMITS, contenders)
    pushes = [event.solution.pushes for event in search if isinstance(event, Found)]
    assert len(pushes) > 1
    assert pushes == sorted(pushes, reverse=True)
    _, outcome = run_in_turns(contenders)
    assert (outcome.strategy, outcome.optimal) == ("backward", None)


def test_auto_ends_with_a_solution_whose_proof_would_take_too_long() -> None:
    best = present(run("astar", SEED_CASE)[0])
    solved = best

    def goes_on(_board: Board, _start: State, _limits: Limits) -> Search:
        for nodes in itertools.count(1):
            yield Progress("endless", nodes, nodes, 0, 0, 0.0)
            if nodes == 10:
                yield Found(solved)
        raise AssertionError("a count without end")

    solution, outcome = run_in_turns(
        [Contender("fess", goes_on, 50, 50), Contender("fess", STRATEGIES["fess"], 50, 50)]
    )
    assert solution is not None
    assert solution.pushes == best.pushes
    assert (outcome.status, outcome.strategy, outcome.optimal) == (Status.SOLVED, "endless", None)
    assert outcome.nodes >= 100  # it had a second turn


def packed_room(size: int, boxes: int) -> Level:
    """Make a square room with boxes from the lower right corner on, and as many goals on the left."""
    squares = [(row, column) for column in range(size) for row in range(size)]
    marks = dict.fromkeys(squares[:boxes], ".") | dict.fromkeys(squares[-boxes:], "$")
    rows = ["".join(marks.get((row, column), " ") for column in range(size)) for row in range(size)]
    rows[0] = rows[0].replace(" ", "@", 1)
    return Level.from_xsb("\n".join(["#" * (size + 2), *(f"#{row}#" for row in rows), "#" * (size + 2)]))


def test_auto_begins_with_greedy_search_where_the_tables_of_fess_take_long() -> None:
    level = packed_room(30, 20)
    _, *contenders = contenders_for(level.board, level.start)
    strategies = [contender.strategy.func for contender in contenders if isinstance(contender.strategy, partial)]
    assert strategies == [STRATEGIES[name].search for name in ("greedy", "backward", "fess")]


@pytest.mark.parametrize(("size", "boxes", "at_once", "backwards"), [(5, 8, 0, 1), (9, 20, 1, 1), (14, 20, 1, 0)])
def test_auto_gives_backward_search_more_nodes_on_more_crowded_boards(
    size: int, boxes: int, at_once: int, backwards: int
) -> None:
    level = packed_room(size, boxes)
    _, fess, backward, _ = contenders_for(level.board, level.start)
    assert (fess.first > 500) == at_once
    assert (backward.later > 20_000) == backwards
    assert (backward.nodes(99) > 40_000) == backwards


def endless(name: str, made: list[str]) -> Strategy:
    """Return a search without end that notes its name at each node."""

    def search(_board: Board, _start: State, _limits: Limits) -> Search:
        for nodes in itertools.count(1):
            made.append(name)
            yield Progress(name, nodes, nodes, 0, 0, 0.0)
        raise AssertionError("a count without end")

    return search


def test_auto_gives_each_strategy_its_first_then_later_then_late_turns() -> None:
    made: list[str] = []
    contenders = [Contender("a", endless("a", made), 7, 2), Contender("b", endless("b", made), 3, 4, late=1)]
    _, outcome = run_in_turns(contenders, NO_LIMITS._replace(nodes=70))
    assert outcome.reason is Reason.NODES
    assert "".join(made) == "aaaaaaa" + "bbb" + ("aa" + "bbbb") * 9 + "aa" + "b" + "aa" + "b"


def test_auto_tells_the_last_report_of_each_strategy_in_the_order_of_their_turns() -> None:
    contenders = [Contender("a", endless("a", []), 7, 2), Contender("b", endless("b", []), 3, 4)]
    events, _ = run_through(search_in_turns(SEED_CASE.board, SEED_CASE.start, NO_LIMITS._replace(nodes=12), contenders))
    shares = [[(share.strategy, share.nodes) for share in each.shares] for each in events if isinstance(each, Progress)]
    assert shares[0] == [("a", 1), ("b", 0)]
    assert shares[-1] == [("a", 9), ("b", 3)]


def test_the_states_stored_by_all_searches_of_auto_are_limited() -> None:
    contenders = [Contender("a", endless("a", []), 7, 7), Contender("b", endless("b", []), 7, 7)]
    limits = NO_LIMITS._replace(states=20)
    search = search_in_turns(SEED_CASE.board, SEED_CASE.start, limits, contenders)
    events, outcome = run_through(search)
    assert max(event.stored for event in events if isinstance(event, Progress)) == 20
    assert (outcome.status, outcome.reason) == (Status.GAVE_UP, Reason.STATES)
