"""Beam search: cuts, proofs, and a plateau that annealing passes and the plain cut does not; evaluations."""

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple

import pytest

from sokoterm.engine.bits import flood
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, end_of, verify
from sokoterm.engine.steps import finish
from sokoterm.solver.common.dice import Dice, draws
from sokoterm.solver.common.lower_bound import Matching, make_distances
from sokoterm.solver.domain import Successors
from sokoterm.solver.search import Found, Meter, Outcome, Progress, Reason, Status, solve
from sokoterm.solver.strategies.beam import (
    Anneal,
    BestStates,
    Candidate,
    Cut,
    Evaluation,
    Weights,
    make_evaluation,
    search,
)
from tests.present import present
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, SEED_PUSHES, run
from tests.unit.solver.exhaustive import check_answer, fewest_pushes, random_levels

# In an open hall most pushes are equally good: whole layers tie, and the plain cut drops them together.
PLATEAU = Level.from_xsb("########\n#.   $ #\n#.    .#\n#     $#\n# @.   #\n# $  $ #\n#      #\n#      #\n########")
LOTS = pytest.mark.parametrize(
    "anneal",
    [
        None,
        *(Anneal(each, each) for each in (0.5, 2.0, 1e-320, 1e308)),
        Anneal(0.2, 5.0),
        Anneal(1e-320, 1e308),
        Anneal(1e308, 1e-320),
    ],
)


class Run(NamedTuple):
    """A search run, with the widths of its passes."""

    solution: Solution | None
    outcome: Outcome
    widths: set[int | None]


def beam(level: Level, cut: Cut, nodes: int = 10**9) -> Run:
    """Search from the start."""
    widths: set[int | None] = set()

    def note(event: Progress | Found) -> None:
        if isinstance(event, Progress):
            widths.update(each.of for each in event.features if each.name == "width")

    limits = NO_LIMITS._replace(nodes=nodes)
    return Run(*solve(level.board, level.start, partial(search, cut=cut), limits, note), widths)


def sound(level: Level, cut: Cut) -> Run:
    """Search a small level; check the answer against exhaustive search."""
    found = beam(level, cut)
    check_answer(level, found.solution, found.outcome, fewest_pushes(level.board, level.start))
    return found


def kept(width: int, ranks: Sequence[float]) -> tuple[list[int], bool]:
    """Return the indices of the candidates that stay, and whether some were cut."""
    best = BestStates(width)
    for index, rank in enumerate(ranks):
        best.put(rank, Candidate(index, 0, Matching(0, (), ())))
    return [each.key for each in best.kept()], best.has_cut


def test_candidates_that_tie_with_the_first_one_cut_are_cut_too_in_any_order() -> None:
    for width, some, expected in (
        (3, [], []), (3, [2, 1], [1, 0]), (3, [2, 3, 3, 3, 1], [4, 0]),  # the third place is shared by three
        (3, [3, 3, 3, 3, 3, 1, 1, 1, 1], [5, 6, 7]),  # all that would stay tie
        (2, [math.inf, math.inf, math.inf], [0, 1]),
    ):  # fmt: skip
        assert kept(width, some) == (expected, len(expected) < len(some))
    numbers = draws(3)
    for _ in range(300):
        width = 1 + int(next(numbers) * 6)
        ranks = [int(next(numbers) * 6) for _ in range(int(next(numbers) * 20))]
        by_rule = sorted(ranks)
        if len(ranks) > width:
            by_rule = [each for each in by_rule if each < by_rule[width]] or by_rule[:width]
        assert [ranks[index] for index in kept(width, ranks)[0]] == by_rule


def test_the_temperature_falls_as_the_bound_does() -> None:
    anneal = Anneal(0.2, 5.0)
    assert [anneal.between(done) for done in (0.0, 0.5, 1.0)] == pytest.approx([0.2, 1.0, 5.0])
    assert [Anneal(0.2, 0.2).between(done) for done in (0.0, 0.3, 1.0)] == [0.2, 0.2, 0.2]


def test_the_draws_are_those_of_splitmix64() -> None:
    numbers = draws(1234567)
    published = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431)
    assert [next(numbers) for _ in published] == [(word + 1) / 2**64 for word in published]
    assert all(0 < next(numbers) <= 1 for _ in range(1000))


@LOTS
@pytest.mark.parametrize("width", [1, 7, 100_000])
def test_small_levels_end_as_exhaustive_search_says(anneal: Anneal | None, width: int) -> None:
    for level in random_levels(31, 40):
        solution, outcome, widths = sound(level, Cut(width, anneal))
        if solution is not None and width == 100_000:
            assert outcome.optimal == "pushes"
            assert widths <= {width}


def test_a_beam_that_cut_proves_nothing() -> None:
    longer = 0
    for level in random_levels(42, 60, size=9, boxes=4):
        narrow, (fewest, _) = beam(level, Cut(width=3)), run("bfs", level)
        if narrow.solution is None or fewest is None:
            assert narrow.solution is fewest
        elif narrow.solution.pushes > fewest.pushes:
            longer += 1
            assert narrow.outcome.optimal is None
    assert longer
    wide = beam(SEED_CASE, Cut(width=40))
    assert wide.solution is not None
    assert (wide.solution.pushes, wide.outcome.optimal, wide.widths) == (SEED_PUSHES, "pushes", {40})


def test_a_beam_without_progress_restarts_before_it_runs_out_of_states() -> None:
    once = [beam(SEED_CASE, Cut(width), nodes=700) for width in (25, 50)]
    assert once[0].widths == {25, 50}  # at 25 there is a solution after 588 nodes, and no sign of it for 40 layers
    assert once[1].outcome.status is Status.SOLVED
    assert beam(PLATEAU, Cut(width=12)).widths == {12, 24, 48}  # out of states, twice


@pytest.mark.parametrize("width", [8, 12, 16])
def test_annealing_passes_a_plateau_where_the_plain_cut_loses_every_useful_line(width: int) -> None:
    plain = beam(PLATEAU, Cut(width))
    assert plain.widths > {width}
    great = beam(PLATEAU, Cut(width, anneal=Anneal(1e300, 1e300), seed=5))
    assert (plain.solution, plain.outcome.nodes) == (great.solution, great.outcome.nodes)
    for seed in range(1, 9):
        solution, outcome, widths = beam(PLATEAU, Cut(width, anneal=Anneal(1.0, 1.0), seed=seed))
        assert solution is not None
        assert verify(PLATEAU.board, PLATEAU.start, solution.lurd) == solution
        assert widths == {width}
        assert outcome.nodes < plain.outcome.nodes / 2


def test_the_seed_determines_the_result() -> None:
    runs = [beam(SEED_CASE, Cut(width=30, anneal=Anneal(0.3, 0.3), seed=seed)) for seed in (1, 1, 2, 3)]
    assert runs[0].solution == runs[1].solution
    assert runs[0].outcome.nodes == runs[1].outcome.nodes
    assert len({each.outcome.nodes for each in runs}) > 1


@LOTS
def test_a_limit_ends_each_pass(anneal: Anneal | None) -> None:
    for nodes in (1, 7, 16):
        _, outcome, _ = beam(PLATEAU, Cut(width=2, anneal=anneal), nodes)
        assert (outcome.status, outcome.reason, outcome.nodes) == (Status.GAVE_UP, Reason.NODES, nodes)
        assert outcome.repeatable


def test_progress_tells_the_best_position_and_the_width() -> None:
    events = list(search(SEED_CASE.board, SEED_CASE.start, NO_LIMITS, Cut(width=50)))
    last = [each for each in events if isinstance(each, Progress)][-1]
    assert last.best.bit_count() == SEED_CASE.boxes
    assert [(each.name, each.of) for each in last.features] == [("width", 50), ("pushes to the end, at least", None)]
    assert 0 < last.features[0].value <= 50


# Evaluation of positions: each term counts what its name says

# The box in the doorway cuts off twelve squares and keeps the other two from the goals; the one in the corner is stuck.
ROOMS = Level.from_xsb("#########\n#   #   #\n# @ $ . #\n#   #   #\n#$$ # ..#\n#   #####\n#########")
NOTHING = Weights(distance=0.0)
BOUND = 7


@cache
def evaluation_of(level: Level, weights: Weights) -> Evaluation:
    board, meter = level.board, Meter("test", level.board, NO_LIMITS, 100)
    successors = Successors(board, finish(make_distances(board, meter)).live)
    return finish(make_evaluation(board, level.start, weights, successors, meter))


def value(level: Level, state: State, weights: Weights) -> float:
    """The value of a position with a bound of BOUND, less the part that breaks ties."""
    board, evaluation = level.board, evaluation_of(level, weights)
    region = flood(1 << state.player, board.floor & ~state.boxes, board.stride)
    off = (state.boxes & ~board.goals).bit_count()
    return evaluation(BOUND, state.boxes, region) - off / (level.boxes + 1)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (NOTHING, 0),
        (Weights(), BOUND),
        (NOTHING._replace(distance=0.5), BOUND / 2),
        (NOTHING._replace(home=1.0), 3),
        (NOTHING._replace(home=-2.0), -6),
        (NOTHING._replace(regions=1.0), 1),
        (NOTHING._replace(enclosed=1.0), 12),
        (NOTHING._replace(mobility=1.0), 1),
        (NOTHING._replace(hotspots=1.0), 1),
        (Weights(home=1.0, enclosed=0.25), BOUND + 3 + 3),
    ],
    ids=str,
)
def test_a_weight_counts_what_its_name_says(weights: Weights, expected: float) -> None:
    assert value(ROOMS, ROOMS.start, weights) == pytest.approx(expected)


@pytest.mark.parametrize("name", [name for name in Weights._fields if name != "distance"])
def test_nothing_is_left_to_count_when_all_boxes_are_home(name: str) -> None:
    solution = present(run("astar", SEED_CASE)[0])
    end = end_of(SEED_CASE.board, SEED_CASE.start, solution.lurd)
    assert value(SEED_CASE, end, NOTHING._replace(**{name: 1.0})) == pytest.approx(0) or name in ("regions", "enclosed")


def test_the_steps_of_the_plan_are_counted_down() -> None:
    weights = NOTHING._replace(packed=1.0)
    solution = present(run("astar", SEED_CASE)[0])
    ends = [end_of(SEED_CASE.board, SEED_CASE.start, solution.lurd[:moves]) for moves in range(solution.moves + 1)]
    left = [round(value(SEED_CASE, each, weights)) for each in ends]
    assert left[0] > 0
    assert left[-1] == 0
    assert min(left) == 0


@pytest.mark.parametrize(
    "weights",
    [
        Weights(0.0),
        Weights(-1.0, home=5.0),
        Weights(regions=3.0, enclosed=0.1, mobility=2.0),
        Weights(hotspots=4.0, packed=10.0, out_of_plan=10.0),
    ],
    ids=str,
)
def test_any_weights_leave_the_beam_sound(weights: Weights) -> None:
    for level in random_levels(31, 30):
        sound(level, Cut(7, weights=weights))
    assert str(Weights(distance=0.5, out_of_plan=3.0)) == "distance=0.5,out_of_plan=3"


# Reproducible random choices


def test_every_choice_comes_up() -> None:
    rolls = [Dice.of(7, 1).below(1000) for _ in range(3)]
    assert rolls == [rolls[0]] * 3
    assert len({Dice.of(7, number).below(1 << 40) for number in range(200)}) == 200
    assert Dice.of(7, 1).below(1 << 40) != Dice.of(1, 7).below(1 << 40)
    dice = Dice.of(3)
    counts = Counter(dice.below(6) for _ in range(6_000))
    assert set(counts) == set(range(6))
    assert all(800 < count < 1_200 for count in counts.values())
    assert Dice(iter([1.0])).below(6) == 5
    items = list(range(20))
    assert (mixed := Dice.of(5).shuffled(items)) != items == sorted(mixed)
