"""The matching against brute force, from scratch and updated; the distances against the rules."""

import random
from collections.abc import Sequence
from itertools import permutations

import pytest

from sokoterm.engine.bits import DIRECTIONS, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.rules import legal_pushes, push
from sokoterm.engine.steps import finish
from sokoterm.solver.common.lower_bound import UNREACHABLE, Distances, LowerBound, Matching, Matchings, make_distances
from tests.present import present
from tests.slow import others_slow
from tests.unit.solver.cases import SEED_CASE, meter_of
from tests.unit.solver.exhaustive import pushes_to_solve, random_levels, reachable


def distances_of(board: Board) -> Distances:
    return finish(make_distances(board, meter_of(board)))


def places_of(distances: Distances, state: State) -> list[int]:
    """Return the place of each box of a state, by ascending square."""
    return [distances.place(box, state.player) for box in scan(state.boxes)]


def pairs_of(distances: Distances) -> LowerBound:
    """Return the lower bound of a board with its table of pairs."""
    bound = LowerBound(distances)
    bound.pairs_at = 0
    finish(bound.grow(meter_of(distances.board)))
    return bound


def cheapest(rows: Sequence[Sequence[int]]) -> int | None:
    """Return the least sum of one entry per row, in different columns, over all permutations."""
    sums = (sum(row[goal] for row, goal in zip(rows, order)) for order in permutations(range(len(rows))))
    return min((each for each in sums if each < UNREACHABLE), default=None)


def cost(matching: Matching | None) -> int | None:
    return None if matching is None else matching.cost


def random_rows(rng: random.Random, count: int, goals: int) -> list[tuple[int, ...]]:
    gaps = rng.choice((0.0, 0.2, 0.5))
    return [
        tuple(UNREACHABLE if rng.random() < gaps else rng.randint(0, 12) for _ in range(goals)) for _ in range(count)
    ]


@pytest.mark.parametrize("seed", others_slow(range(3)))
def test_a_matching_is_the_cheapest_and_stays_so_while_boxes_move(seed: int) -> None:
    rng = random.Random(seed)
    moves = 0
    for _ in range(150):
        goals = rng.randint(1, 6)
        rows = random_rows(rng, 4 * goals, goals)
        bound = Matchings(rows)
        boxes = rng.sample(range(len(rows)), goals)
        matching = finish(bound.match(boxes, meter_of(SEED_CASE.board)))
        assert cost(matching) == cheapest([rows[box] for box in boxes])
        for _ in range(10):
            if matching is None:
                break
            assert_sound(rows, matching)
            goal, place = rng.randrange(goals), rng.randrange(len(rows))
            places = [*matching.places]
            places[goal] = place
            matching = bound.moved(matching, goal, place)
            assert cost(matching) == cheapest([rows[each] for each in places])
            moves += 1
    assert moves > 400


def assert_sound(rows: Sequence[Sequence[int]], matching: Matching) -> None:
    """Assert that the potentials prove the matching minimal, and that its cost is that of its pairs."""
    assert matching.cost == sum(rows[place][goal] for goal, place in enumerate(matching.places))
    for goal, place in enumerate(matching.places):
        reduced = [each - potential for each, potential in zip(rows[place], matching.potentials)]
        assert reduced[goal] == min(reduced)


def test_the_distances_are_those_of_a_lone_box_by_the_rules() -> None:
    for level in random_levels(30, 60, boxes=1):
        distances = distances_of(level.board)
        states = reachable(level.board, level.start)
        pushes = pushes_to_solve(level.board, states)
        for state in states:
            (place,) = places_of(distances, state)
            assert distances.to_goals[place] == (pushes.get(state, UNREACHABLE),), level.xsb(state)


def test_the_place_of_a_box_agrees_with_its_pushes() -> None:
    for level in random_levels(31, 40):
        board, distances = level.board, distances_of(level.board)
        for state in reachable(board, level.start):
            places = dict(zip(scan(state.boxes), places_of(distances, state)))
            for each in legal_pushes(board, state):
                after = present(push(board, state, each))
                assert distances.behind[each.direction][each.box] == places[each.box]
                landing = each.box + board.offsets[each.direction]
                moved = dict(zip(scan(after.boxes), places_of(distances, after)))
                assert distances.behind[each.direction][landing] == moved.pop(landing)
                assert moved.items() <= places.items()


def test_live_squares_are_those_with_a_way_to_some_goal() -> None:
    for level in random_levels(32, 30):
        distances = distances_of(level.board)
        for direction in DIRECTIONS:
            for square in scan(level.board.floor):
                place = distances.behind[direction][square]
                reaches = place >= 0 and min(distances.to_goals[place]) < UNREACHABLE
                assert reaches == bool(distances.live[direction] >> square & 1)


@pytest.mark.parametrize("seed", others_slow(range(40, 43)))
def test_the_bound_is_never_above_the_pushes_needed_and_falls_by_one_at_most(seed: int) -> None:
    compared = 0
    for level in random_levels(seed, 60):
        board, distances = level.board, distances_of(level.board)
        bound = Matchings(distances.to_goals)
        states = reachable(board, level.start)
        pushes = pushes_to_solve(board, states)
        bounds = {
            state: cost(finish(bound.match(places_of(distances, state), meter_of(SEED_CASE.board)))) for state in states
        }
        for state, successors in states.items():
            known = bounds[state]
            if known is None:
                assert state not in pushes
                continue
            assert known <= pushes.get(state, known)
            for each in successors:
                after = bounds[each]
                assert after is None or after >= known - 1
                compared += 1
    assert compared > 3000
