"""Portfolio: its contenders by board, their turns, and their common limits."""

import itertools
from collections.abc import Sequence
from functools import partial

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
    contenders = [Contender("backward", STRATEGIES["backward"], 1, 100)]
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
        [Contender("fess", goes_on, 10_000, 100), Contender("fess", STRATEGIES["fess"], 10_000, 100)]
    )
    assert solution is not None
    assert solution.pushes == best.pushes
    assert (outcome.status, outcome.strategy, outcome.optimal) == (Status.SOLVED, "endless", None)
    assert outcome.nodes >= 100  # it had a second turn


def endless(name: str, made: list[str]) -> Strategy:
    """Return a search without end that notes its name at each node."""

    def search(_board: Board, _start: State, _limits: Limits) -> Search:
        for nodes in itertools.count(1):
            made.append(name)
            yield Progress(name, nodes, nodes, 0, 0, 0.0)
        raise AssertionError("a count without end")

    return search


def test_turns_grow_by_half_and_a_node_counts_as_the_time_that_it_takes() -> None:
    made: list[str] = []
    contenders = [contender("a", made, share=10, first_share=40), contender("b", made, share=20)]
    _, outcome = run_in_turns(contenders, NO_LIMITS._replace(nodes=17))
    assert outcome.reason is Reason.NODES
    assert "".join(made) == "aaaa" + "bb" + "a" + "bbb" + "aa" + "bbbb" + "a"


def test_a_strategy_that_is_left_out_gets_no_more_turns() -> None:
    made: list[str] = []
    left_out: set[str] = set()
    contenders = [contender("a", made, share=20), contender("b", made, share=20)]
    search = search_in_turns(SEED_CASE.board, SEED_CASE.start, NO_LIMITS, contenders, left_out)
    for event in search:
        if isinstance(event, Progress) and event.nodes == 5:
            left_out.add("a")
        if isinstance(event, Progress) and event.nodes == 12:
            left_out.add("b")
    assert "".join(made) == "aa" + "bb" + "aaa" + "bbb" + "bbbb"


def corridor(boxes: int) -> Board:
    """Make a board of one row: the player, some boxes and as many goals."""
    wall = "#" * (2 * boxes + 3)
    return Level.from_xsb(f"{wall}\n#@{'$' * boxes}{'.' * boxes}#\n{wall}").board


def test_on_boards_of_many_boxes_nodes_take_longer_and_backward_search_gets_less_time() -> None:
    small, large = contenders_for(corridor(4)), contenders_for(corridor(40))
    assert [each.name for each in small] == [each.name for each in large] == ["astar", "greedy", "backward", "fess"]
    assert all(mine.node_time < other.node_time for mine, other in zip(small, large))
    assert {each.name: each.share for each in small}["backward"] > {each.name: each.share for each in large}["backward"]


def contender(name: str, made: list[str], share: int, first_share: int | None = None) -> Contender:
    """Return a strategy that takes a tenth of the first round for a node."""
    return Contender(name, endless(name, made), 50_000, share, first_share)


def test_auto_tells_the_last_report_of_each_strategy_in_the_order_of_their_turns() -> None:
    contenders = [contender("a", [], share=20, first_share=70), contender("b", [], share=30)]
    events, _ = run_through(search_in_turns(SEED_CASE.board, SEED_CASE.start, NO_LIMITS._replace(nodes=12), contenders))
    shares = [[(share.strategy, share.nodes) for share in each.shares] for each in events if isinstance(each, Progress)]
    assert shares[0] == [("a", 1), ("b", 0)]
    assert shares[-1] == [("a", 9), ("b", 3)]


def test_the_states_stored_by_all_searches_of_auto_are_limited() -> None:
    contenders = [contender("a", [], share=70), contender("b", [], share=70)]
    limits = NO_LIMITS._replace(states=20)
    search = search_in_turns(SEED_CASE.board, SEED_CASE.start, limits, contenders)
    events, outcome = run_through(search)
    assert max(event.stored for event in events if isinstance(event, Progress)) == 20
    assert (outcome.status, outcome.reason) == (Status.GAVE_UP, Reason.STATES)
