"""Properties of every strategy: solutions, proofs, limits, repeatability; best-first and breadth-first search."""

import itertools
import time
from collections import Counter
from collections.abc import Iterator
from types import GeneratorType

import pytest

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Push
from sokoterm.engine.deadlock import check as deadlock
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import parse_lurd, play, verify
from sokoterm.solver.common.lower_bound import UNREACHABLE, LowerBound
from sokoterm.solver.common.state_space import pushes_between
from sokoterm.solver.domain import Successor, Successors
from sokoterm.solver.registry import PROVERS, STRATEGIES
from sokoterm.solver.search import (
    Found,
    LimitReached,
    Limits,
    Meter,
    Outcome,
    Progress,
    Reason,
    Search,
    Status,
    Strategy,
    game_limits,
    solve,
)
from sokoterm.solver.strategies.best_first import astar
from sokoterm.store.packs import bundled_packs, open_pack
from tests.bench.made_boards import crowded_board
from tests.present import present
from tests.slow import others_slow, slow
from tests.unit.hash_seeds import printed_under_all
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, SEED_PUSHES, run, run_through, ticking
from tests.unit.solver.exhaustive import check_answer, fewest_pushes, random_levels, reachable

OPTIMAL = ("bfs", "astar")
NAMES = tuple(STRATEGIES)
ALL = (*NAMES, "fewest moves")
# They begin with tables that grow with the square of the board.
WITH_TABLES = ("fewest moves", "auto", "astar", "backward", "beam", "fess", "greedy")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", others_slow(range(10, 14)))
def test_random_levels_are_solved_or_proven_unsolvable_as_exhaustive_search_says(name: str, seed: int) -> None:
    for level in random_levels(seed, 60):
        expected = fewest_pushes(level.board, level.start)
        solution, outcome = run(name, level)
        check_answer(level, solution, outcome, expected)
        assert solution is None or outcome.optimal == "pushes" or name not in OPTIMAL
        if name == "bfs" and outcome.status is Status.UNSOLVABLE:  # each state is expanded once at most
            assert outcome.nodes <= outcome.stored <= len(reachable(level.board, level.start))


@pytest.mark.parametrize("name", NAMES)
def test_the_search_starts_from_any_position(name: str) -> None:
    half = parse_lurd(present(run("astar", SEED_CASE)[0]).lurd)[:60]
    *_, (later, _) = play(SEED_CASE.board, SEED_CASE.start, half)
    rest, outcome = solve(SEED_CASE.board, later, STRATEGIES[name], NO_LIMITS)
    assert outcome.status is Status.SOLVED
    assert verify(SEED_CASE.board, later, present(rest).lurd) == rest


@pytest.mark.parametrize("name", NAMES)
def test_a_level_that_begins_solved_needs_a_push_and_without_one_is_not_called_unsolvable(name: str) -> None:
    solution, outcome = run(name, Level.from_xsb("#######\n#     #\n# @*  #\n#     #\n#######"))
    assert solution is not None
    assert (solution.pushes, outcome.status) == (2, Status.SOLVED)
    assert run(name, Level.from_xsb("####\n#@*#\n####"))[1].status is Status.BEGINS_SOLVED


@pytest.mark.parametrize("name", ALL)
def test_each_limit_stops_the_search_and_lost_memory_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for reason, few in (
        (Reason.NODES, NO_LIMITS._replace(nodes=20)), (Reason.STATES, NO_LIMITS._replace(states=30)),
        (Reason.TIME, ticking(4.0)), (Reason.TIME, NO_LIMITS._replace(seconds=0.0)),
    ):  # fmt: skip
        solution, outcome = run(name, SEED_CASE, few)
        assert (solution, outcome.status, outcome.reason) == (None, Status.GAVE_UP, reason)
        assert reason is not Reason.NODES or outcome.nodes <= 20
        assert reason is not Reason.STATES or 30 <= outcome.stored < 60

    def run_out(*_arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Meter, "check", run_out)
    solution, outcome = run(name, SEED_CASE)
    assert (solution, outcome.status, outcome.reason) == (None, Status.GAVE_UP, Reason.MEMORY)
    assert not outcome.repeatable


@pytest.mark.parametrize("end", [LimitReached(Reason.NODES), MemoryError()], ids=["limit", "memory"])
@pytest.mark.parametrize(("name", "optimal"), [("bfs", "pushes"), ("astar", "pushes"), ("greedy", None)])
def test_a_solution_found_before_the_end_counts_and_is_proven_by_the_lower_bound(
    name: str, optimal: str | None, end: Exception
) -> None:
    search = STRATEGIES[name](SEED_CASE.board, SEED_CASE.start, NO_LIMITS)
    found = next(event for event in search if isinstance(event, Found))
    assert (found.solution.pushes == SEED_PUSHES) == (optimal is not None)
    with pytest.raises(StopIteration) as stopped:
        search.throw(end)
    outcome: Outcome = stopped.value.value
    assert (outcome.status, outcome.reason, outcome.optimal) == (Status.SOLVED, None, optimal)


@pytest.mark.parametrize("name", sorted({*NAMES} - {"fess", "backward"}))  # their children are no pushes
def test_a_search_yields_at_least_every_256_children(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pushes = Successors.pushes_from
    children = longest = total = 0

    def counted(self: Successors, boxes: Bitboard, region: Bitboard, among: Bitboard = -1) -> Iterator[Successor]:
        nonlocal children, longest, total
        for each in pushes(self, boxes, region, among):
            total += 1
            children += 1
            longest = max(longest, children)
            yield each

    monkeypatch.setattr(Successors, "pushes_from", counted)
    for _ in STRATEGIES[name](SEED_CASE.board, SEED_CASE.start, NO_LIMITS):
        children = 0
    assert total > 256
    assert longest <= 256


def hall(size: int, boxes: int) -> Level:
    """Make a square hall with boxes in a column and goals in another."""
    rows = [["#" if {row, column} & {0, size - 1} else " " for column in range(size)] for row in range(size)]
    for each in range(boxes):
        rows[5 + 2 * each][5], rows[5 + 2 * each][size // 2] = "$", "."
    rows[1][1] = "@"
    return Level.from_xsb("\n".join("".join(row) for row in rows))


def yields_by_function(search: Search) -> Counter[str]:
    """Count how often each function yielded by itself, not through another that it drives."""
    yields: Counter[str] = Counter()
    for _ in search:
        inner: object = search
        while isinstance(inner, GeneratorType) and isinstance(inner.gi_yieldfrom, GeneratorType):
            inner = inner.gi_yieldfrom
        assert isinstance(inner, GeneratorType)
        yields[inner.gi_code.co_name] += 1
    return yields


def test_all_precomputation_yields_in_proportion_to_the_floor() -> None:
    boxes = 5
    level = hall(200, boxes)
    yields = yields_by_function(STRATEGIES["astar"](level.board, level.start, NO_LIMITS._replace(nodes=1)))
    rows = level.board.floor.bit_count() // 256
    assert rows == 153
    assert yields["_number_places"] >= rows
    assert yields["_sources"] >= 4 * rows
    assert yields["_pushes_to"] >= boxes * 198  # layers
    assert yields["make_distances"] >= rows + 4  # directions
    assert yields["match"] >= 2 * boxes  # the places, and the matching itself


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [50, slow(150)])
def test_a_search_yields_on_a_huge_board_too(name: str, size: int) -> None:
    level = crowded_board(size)
    assert level.boxes == ((size - 5) // 2) ** 2
    limits = NO_LIMITS._replace(states=3)
    events = list(itertools.islice(STRATEGIES[name](level.board, level.start, limits), 40))
    assert all(isinstance(event, Progress) for event in events)
    assert len(events) == 40 or (size == 150 and name in WITH_TABLES) or name in {"fess", "backward"}


@pytest.mark.parametrize("name", others_slow(WITH_TABLES))
def test_a_table_that_would_be_too_large_is_not_begun(name: str) -> None:
    solution, outcome = run(name, crowded_board(200))
    assert (solution, outcome.status, outcome.reason) == (None, Status.GAVE_UP, Reason.SIZE)


def test_the_node_count_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "from tests.unit.solver.cases import SEED_CASE, run\n"
        "from tests.unit.solver.strategies.test_beam import PLATEAU, Anneal, Cut, beam\n"
        f"for name in {ALL}:\n"
        "    solution, outcome = run(name, SEED_CASE)\n"
        "    print(name, solution.lurd, outcome.nodes, outcome.stored)\n"
        "for anneal in (None, Anneal(0.5, 0.5)):\n"
        "    outcome = beam(PLATEAU, Cut(12, anneal)).outcome\n"
        "    print(outcome.nodes, outcome.stored)"
    )
    assert printed_under_all("-c", program, seeds=("0", "12345")).count("\n") == len(ALL) + 2


def test_the_default_limits() -> None:
    game, command = game_limits(time.monotonic), Limits(clock=time.monotonic)
    assert (game.seconds, game.states) == (60.0, 2_000_000)
    assert (command.seconds, command.states) == (600.0, 50_000_000)
    assert 0 < game.nodes < command.nodes


@pytest.mark.parametrize("name", [*NAMES, *PROVERS])
@pytest.mark.parametrize("side", [64, 256])
def test_a_start_that_is_dead_at_sight_takes_no_table(name: str, side: int) -> None:
    block = "$" * (side // 2 - 2), "." * (side // 2 - 2)
    rows = [f"#@{'':{side - 3}}#", *[f"# {block[0]} {block[1]} #"] * (side // 2), f"#{'':{side - 2}}#"]
    level = Level.from_xsb("\n".join(["#" * side, *rows, "#" * side]))
    strategy = STRATEGIES.get(name) or PROVERS[name]
    solution, outcome = solve(level.board, level.start, strategy, NO_LIMITS)
    assert (solution, outcome.status, outcome.stored) == (None, Status.UNSOLVABLE, 0)


def test_greedy_search_expands_no_state_proven_dead() -> None:
    level = Level.from_xsb("######\n#.$  #\n#@*  #\n#  *##\n######")
    _, outcome = run("greedy", level)
    assert outcome.status is Status.UNSOLVABLE
    assert outcome.nodes == 0
    _, untested = run("astar", level)
    assert untested.nodes > 0


def test_the_position_nearest_to_a_solution_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Meter, "is_due", lambda _meter: True)
    events, _ = run_through(astar(SEED_CASE.board, SEED_CASE.start, NO_LIMITS))
    progress = [each for each in events if isinstance(each, Progress)]
    bounds = [each.features[0].value for each in progress if each.features]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < bounds[0]
    last = progress[-1]
    assert [each.name for each in last.features] == ["bound", "home"]
    assert last.best.bit_count() == SEED_CASE.boxes
    assert last.features[1].value == (last.best & SEED_CASE.board.goals).bit_count()


@pytest.mark.parametrize(("way", "count"), [(1, 1), (3, 3), (-2, 2), (16, 2), (-24, 3)])
def test_pushes_between_the_ends_of_a_straight_run(way: int, count: int) -> None:
    board = Level.from_xsb("#######\n#@ $  #\n#     #\n#    .#\n#     #\n#     #\n#######").board
    assert board.stride == 8
    box = 3 * 8 + 3
    before: Bitboard = 1 << box
    pushes = pushes_between(board, before, 1 << box + way)
    assert len(pushes) == count
    assert pushes[0] == Push(box, pushes[0].direction)
    assert pushes[-1].box + board.offsets[pushes[-1].direction] == box + way


@pytest.mark.parametrize("strategy", [STRATEGIES["astar"], PROVERS["fewest moves"]])
@pytest.mark.parametrize("penalty", [1, UNREACHABLE])
def test_requeued_and_dead_states_are_not_all_handled_between_two_yields(
    strategy: Strategy, penalty: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = present(open_pack(bundled_packs()[4]).find_level(20))
    looked = 0
    latest = -1

    def penalty_once_grown(_bound: LowerBound, _boxes: Bitboard, _region: Bitboard) -> int:
        nonlocal looked
        looked += 1
        return penalty if latest >= 1_000 else 0

    monkeypatch.setattr(LowerBound, "penalty", penalty_once_grown)
    between = []
    for event in strategy(level.board, level.start, NO_LIMITS._replace(nodes=2_000)):
        if isinstance(event, Progress):
            between.append(looked)
            looked, latest = 0, event.nodes
    assert latest >= 1_000
    assert max(*between, looked) <= 260


def test_no_box_set_is_found_dead_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    found_dead: list[Bitboard] = []
    frozen = deadlock.FreezeCheck.frozen

    def watched(self: deadlock.FreezeCheck, boxes: Bitboard) -> Bitboard:
        fixed = frozen(self, boxes)
        if fixed & ~self.board.goals:
            found_dead.append(boxes)
        return fixed

    monkeypatch.setattr(deadlock.FreezeCheck, "frozen", watched)
    run("bfs", SEED_CASE)
    assert found_dead
    assert len(found_dead) == len(set(found_dead))
