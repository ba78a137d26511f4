"""The optimizer: never worse, replayed by the rules, and what it calls optimal is so; shortened solutions."""

from collections import Counter
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from levels.make.choose_packs import LEVELS
from sokoterm.engine.bits import DIRECTIONS, lowest, scan, squares_of
from sokoterm.engine.level import Level, varied
from sokoterm.engine.lurd import Solution, verify
from sokoterm.engine.rules import step
from sokoterm.formats.registry import parse
from sokoterm.solver.optimizer import driver
from sokoterm.solver.optimizer.driver import optimize
from sokoterm.solver.optimizer.objective import Objective, Steering
from sokoterm.solver.optimizer.shorten import shorten
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Found, LimitReached, Limits, Meter, Outcome, Progress, Reason, Status, solve
from tests.present import present
from tests.slow import others_slow
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, SEED_PUSHES, run_through, ticking
from tests.unit.solver.exhaustive import least
from tests.unit.solver.optimizer.known import Small, long_solution, small_levels, small_varied_levels

FEW = NO_LIMITS._replace(nodes=30_000)


def optimized(
    level: Level, known: Solution, objective: Objective, limits: Limits = FEW, steering: Steering | None = None
) -> tuple[Solution, Outcome]:
    """Optimize a solution; check that each one yielded is valid and better than the one before."""
    events, outcome = run_through(optimize(level.board, level.start, known, objective, limits, steering))
    assert outcome.status is Status.SOLVED
    assert outcome.nodes <= limits.nodes
    best = known
    for event in events:
        if isinstance(event, Found):
            assert objective.key(event.solution) < objective.key(best)
            assert verify(level.board, level.start, event.solution.lurd) == event.solution
            assert event.method
            best = event.solution
    return best, outcome


@cache
def tiny_levels() -> list[Small]:
    """Return the smallest levels, some of each kind."""
    tiny = [each for each in (*small_levels(), *small_varied_levels()) if each.level.board.floor.bit_count() <= 13]
    kinds = Counter(each.level.board.kinds for each in tiny)
    assert len(kinds) == 4
    assert min(kinds.values()) >= 8
    return tiny


@pytest.mark.parametrize("objective", Objective)
def test_small_levels_are_solved_best_and_proven_so(objective: Objective) -> None:
    for index, small in enumerate(tiny_levels()):
        known = small.solution([index * step for step in range(7)])
        best, outcome = optimized(small.level, known, objective)
        assert outcome.optimal == objective.value
        assert objective.key(best) == least(small.level, objective)


@pytest.mark.parametrize("positions", [2, 5])
def test_a_search_of_the_whole_level_that_is_cut_short_proves_nothing(
    positions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    methods = [method._replace(positions=positions) for method in driver.METHODS if method.whole]
    monkeypatch.setattr(driver, "METHODS", (driver.METHODS[0], *methods))
    proven = 0
    for small in tiny_levels():
        best, outcome = optimized(small.level, small.solution(range(7)), Objective.MOVES)
        proven += outcome.optimal is not None
        if outcome.optimal is not None:
            assert Objective.MOVES.key(best) == least(small.level, Objective.MOVES)
    assert proven


@given(st.data())
def test_needless_pushes_are_taken_out_again(data: st.DataObject) -> None:
    small = data.draw(st.sampled_from(small_levels()) | st.sampled_from(small_varied_levels()))
    known = small.solution(data.draw(st.lists(st.integers(0, 50), max_size=12)))
    objective = data.draw(st.sampled_from(Objective))
    limits = NO_LIMITS._replace(nodes=data.draw(st.sampled_from((20, 300, 30_000))))
    best, outcome = optimized(small.level, known, objective, limits)
    assert best.pushes >= (small.fewest or 0)
    if outcome.optimal == "pushes":
        assert best.pushes == small.fewest


def test_a_long_solution_gets_to_fewest_pushes() -> None:
    best, _ = optimized(SEED_CASE, long_solution(), Objective.PUSHES, NO_LIMITS._replace(nodes=60_000))
    assert best.pushes == SEED_PUSHES


def test_the_same_limits_give_the_same_events() -> None:
    def told() -> list[Progress | Found]:
        steps = optimize(SEED_CASE.board, SEED_CASE.start, long_solution(), Objective.MOVES, FEW)
        return [each._replace(seconds=0.0) if isinstance(each, Progress) else each for each in steps]

    events = told()
    assert events == told()
    methods = [each.method for each in events if isinstance(each, Found)]
    assert any(before == after for before, after in pairwise(methods))  # each gain is yielded when it is made


def test_the_best_so_far_is_yielded_at_a_limit_of_time() -> None:
    cut_short = 0
    for seconds in range(5, 60, 3):
        best, outcome = optimized(SEED_CASE, long_solution(), Objective.MOVES, ticking(seconds))
        assert outcome.repeatable is (outcome.optimal is not None)
        cut_short += outcome.optimal is None and best.moves < long_solution().moves
    assert cut_short


def pushes_of(level: Level, known: Solution, box: int) -> list[int]:
    """Return the squares that the box on a square of the start comes to."""
    state, squares = level.start, [box]
    for each in known.lurd:
        after = present(step(level.board, state, DIRECTIONS["urdl".index(each.lower())]))
        if lowest(state.boxes & ~after.boxes) == squares[-1]:
            squares.append(lowest(after.boxes & ~state.boxes))
        state = after
    return squares


def test_the_best_parts_of_two_solutions_are_put_together() -> None:
    known = long_solution()
    half = known.moves // 2
    one, _ = optimized(SEED_CASE, known, Objective.MOVES, FEW, Steering(last=half))
    other, _ = optimized(SEED_CASE, known, Objective.MOVES, FEW, Steering(first=half))
    steering = Steering(others=(other,))
    few = NO_LIMITS._replace(nodes=150)
    alone, _ = optimized(SEED_CASE, one, Objective.MOVES, few)
    crossed, _ = optimized(SEED_CASE, one, Objective.MOVES, few, steering)
    assert crossed.moves < min(one.moves, other.moves, alone.moves)


@pytest.mark.parametrize("objective", [Objective.MOVES, Objective.PUSHES])
def test_a_solution_that_is_solved_on_the_way_ends_there(objective: Objective) -> None:
    """Steered, so that only searches of parts see it: those that begin where the level is solved already."""
    hall = Level.from_xsb("#########\n#       #\n#@ $ .  #\n#       #\n#########")
    known = verify(hall.board, hall.start, "rRRRurrdL")
    assert known.moves == 9
    best, _ = optimized(hall, known, objective, FEW, Steering(first=2))
    assert best.lurd == "rRR"


TWO = Level.from_xsb("#############\n#.$  @    $.#\n#           #\n#############")


@pytest.mark.parametrize(
    ("lurd", "first", "last", "better"),
    [
        ("lrllLrldurrrrrrdurR", 5, None, "lrllLrrrrrrrR"),  # what comes before stays
        ("llLrldurrrrrrdurR", 0, 9, "llLrrrrrrdurR"),  # a range that ends in a walk
        ("llLrldurrrrrrdurR", 4, None, "llLrrrrrrrR"),  # one that begins in a walk
        ("llLrldurrrrrrdurR", 5, 7, "llLrlrrrrrrdurR"),  # one without a push
        ("llLrldurrrrrrdurR", 16, None, "llLrldurrrrrrdurR"),
    ],
)
def test_walks_are_straightened_in_the_range_alone(lurd: str, first: int, last: int | None, better: str) -> None:
    known = verify(TWO.board, TWO.start, lurd)
    best, _ = optimized(TWO, known, Objective.MOVES, FEW, Steering(first=first, last=last))
    assert best.lurd == better


HALL = Level.from_xsb("##########\n#@ $   . #\n#        #\n#  $   . #\n##########")


def test_a_bar_leaves_the_pushes_of_the_solution_itself() -> None:
    known = verify(HALL.board, HALL.start, "rRRRRdllullddRRRR")
    barred = sum(1 << HALL.board.square(1, column) for column in range(1, 9))
    best, _ = optimized(HALL, known, Objective.MOVES, FEW, Steering(barred=barred))
    assert best.moves < known.moves
    assert [each for each in best.lurd if each.isupper()] == [*"RRRRRRRR"]


def test_kept_boxes_are_known_where_a_range_begins() -> None:
    known = verify(HALL.board, HALL.start, "rRRRRdllullddRRRR")
    [box, _] = scan(HALL.start.boxes)
    free, kept = (
        optimized(HALL, known, Objective.MOVES, FEW, Steering(first=3, kept=boxes))[0] for boxes in (0, 1 << box)
    )
    assert free == kept
    assert kept.moves < known.moves


@given(st.data())
def test_what_is_to_stay_stays(data: st.DataObject) -> None:
    small = data.draw(st.sampled_from(small_levels()) | st.sampled_from(small_varied_levels()))
    choices = st.lists(st.integers(0, 50), max_size=12)
    known, other = (small.solution(data.draw(choices)) for _ in range(2))
    level, start = small.level, small.level.start
    boxes = squares_of(start.boxes & level.board.floor)
    floor = squares_of(level.board.floor)
    first = data.draw(st.integers(0, known.moves - 1))
    last = data.draw(st.integers(first, known.moves))
    kept, barred = (data.draw(st.sets(st.sampled_from(some), max_size=3)) for some in (boxes, floor))
    steering = Steering(first, last, sum(1 << box for box in kept), sum(1 << square for square in barred), (other,))
    objective = data.draw(st.sampled_from(Objective))
    best, outcome = optimized(level, known, objective, NO_LIMITS._replace(nodes=300), steering)
    assert outcome.optimal is None
    assert best.lurd[:first] == known.lurd[:first]
    assert best.lurd.endswith(known.lurd[last:])
    assert [pushes_of(level, best, box) for box in kept] == [pushes_of(level, known, box) for box in kept]
    pushes, known_pushes = (
        {pair for box in boxes for pair in pairwise(pushes_of(level, each, box)) if pair[1] in barred}
        for each in (best, known)
    )
    assert pushes <= known_pushes


# Boards with colours or ice that are too large to be searched whole

_ROOM = Level.from_xsb("#######\n#@$ . #\n#     #\n#######")
PAIR = varied(_ROOM, {_ROOM.board.square(1, 2): 0}, {_ROOM.board.square(1, 4): 0})

# Six moves too many before the first push, two before the second.
WALKED = verify(PAIR.board, PAIR.start, "drrlluRlrR")


def test_the_best_of_several_solutions_is_taken() -> None:
    other = verify(PAIR.board, PAIR.start, "RR")
    best, _ = optimized(PAIR, WALKED, Objective.LINES, FEW, Steering(others=(other,)))
    assert best == other


def test_a_level_with_colours_that_begins_solved_keeps_its_solution() -> None:
    level = Level.from_xsb("#######\n#     #\n# @*  #\n#     #\n#######")
    level = varied(level, {level.board.square(2, 3): 0}, {level.board.square(2, 3): 0})
    known = verify(level.board, level.start, "udRurrdL")
    best, outcome = optimized(level, known, Objective.MOVES)
    assert (best, outcome.optimal) == (known, None)


@pytest.mark.parametrize("name", others_slow(("forty-cold-colours", "forty-colours", "forty-on-ice")))
def test_parts_get_better_for_each_objective_without_a_search_of_the_whole_level(name: str) -> None:
    file = f"variants-{name}.txt"
    level = parse((LEVELS / file).read_bytes(), file).levels[36]
    known = present(solve(level.board, level.start, STRATEGIES["greedy"], NO_LIMITS)[0])
    for objective in Objective:
        best, outcome = optimized(level, known, objective, FEW, Steering(last=known.moves))
        assert best != known
        assert outcome.optimal is None


# Shortened solutions

NODES = 5_000

ROOM = Level.from_xsb("#######\n#@ $ .#\n#     #\n#######")


def shorten_meter(level: Level, limits: Limits = NO_LIMITS) -> Meter:
    return Meter("shorten", level.board, limits, bytes_per_state=250)


def shortened(level: Level, known: Solution, nodes: int = NODES) -> Solution:
    """Shorten a solution; check that each one yielded is valid and better than the one before."""
    meter = shorten_meter(level)
    events, best = run_through(shorten(level.board, level.start, known, meter, nodes))
    found = [event.solution for event in events if isinstance(event, Found)]
    costs = [(each.pushes, each.moves) for each in [known, *found]]
    assert costs == sorted(set(costs), reverse=True)
    assert best == [known, *found][-1]
    assert all(verify(level.board, level.start, each.lurd) == each for each in found)
    assert meter.nodes <= nodes
    return best


def test_a_detour_of_a_box_is_removed() -> None:
    detour = verify(ROOM.board, ROOM.start, "rRdrruLdlluRR")
    assert detour.pushes == 4
    assert shortened(ROOM, detour).lurd == "rRR"


def test_two_boxes_swap_goals_if_each_is_nearer_to_the_others() -> None:
    rows = ["##########", *2 * ["#        #"], "# .$ @ $.#", *2 * ["#        #"], "##########"]
    level = Level.from_xsb("\n".join(rows))
    crossed = verify(level.board, level.start, "drrUdllllluRRRRRluurrdLLLLLulD")
    assert crossed.pushes == 12
    assert shortened(level, crossed).pushes == 2


def test_the_fewest_moves_among_fewest_pushes_are_found() -> None:
    level = Level.from_xsb("###########\n#.$ @   $.#\n#         #\n#.$     $.#\n###########")
    to_and_fro = verify(level.board, level.start, "lLrrrrrRdllllldLrrrrrR")
    assert to_and_fro.pushes == 4
    assert Objective.PUSHES.key(shortened(level, to_and_fro)) == least(level, Objective.PUSHES)


def test_a_level_that_begins_solved_keeps_its_solution() -> None:
    level = Level.from_xsb("######\n#    #\n# @* #\n#    #\n######")
    known = verify(level.board, level.start, "urrdLulldR")
    assert shortened(level, known) == known


def test_a_greedy_solution_is_shortened_to_fewest_pushes() -> None:
    assert shortened(SEED_CASE, long_solution()).pushes == SEED_PUSHES


@given(st.data())
def test_small_levels_with_needless_pushes_get_no_worse_and_never_below_the_optimum(data: st.DataObject) -> None:
    small = data.draw(st.sampled_from(small_levels()))
    known = small.solution(data.draw(st.lists(st.integers(0, 50), max_size=12)))
    best = shortened(small.level, known, data.draw(st.sampled_from((100, 2_000))))
    assert (small.fewest or 0) <= best.pushes <= known.pushes


def test_most_small_levels_get_to_fewest_pushes() -> None:
    at_best = 0
    for index, small in enumerate(small_levels()):
        known = small.solution([index * step for step in range(7)])
        at_best += shortened(small.level, known).pushes == small.fewest
    assert at_best >= 0.9 * len(small_levels())


@pytest.mark.parametrize(
    ("limits", "reason"), [(NO_LIMITS._replace(nodes=400), Reason.NODES), (ticking(500.0), Reason.TIME)]
)
def test_a_limit_ends_it(limits: Limits, reason: Reason) -> None:
    meter = shorten_meter(SEED_CASE, limits)
    with pytest.raises(LimitReached) as end:
        list(shorten(SEED_CASE.board, SEED_CASE.start, long_solution(), meter, 10**6))
    assert end.value.reason is reason
    assert reason is Reason.TIME or meter.nodes == 400
