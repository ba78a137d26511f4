"""The push planner against brute force, on random levels and positions of real ones."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import Bitboard, lowest, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import end_of
from sokoterm.engine.planner.box_reach import BoxReach, Fewest, boxes_that_reach
from sokoterm.engine.planner.cut_vertices import JOINED_SIDES, CutVertices
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import legal_pushes, push
from tests.bench.naive_planner import naive_pushes
from tests.unit.engine.drawn import levels, roomy_levels
from tests.unit.engine.plain_planner import plain_costs

CORRIDOR = "#######\n#@ $ .#\n#######"
WALLED_IN = "########\n#@ $*$.#\n#. $ $.#\n#.   $.#\n########"
DOORWAY = """\
#########
#   #   #
# @ $ . #
#   #   #
#########"""


def check_plans(board: Board, state: State, box: int, some: int | None = None) -> None:
    """Compare the squares, pushes and plans of one box with brute force."""
    reach = BoxReach(board, state, box)
    assert dict(reach.pushes) == naive_pushes(board, state, box)
    for fewest in Fewest:
        costs = plain_costs(board, state, box, pushes_first=fewest is Fewest.PUSHES)
        for square in list(reach.pushes)[:some]:
            plan = reach.plan(square, fewest)
            assert (plan.pushes, plan.moves) == costs[square]
            assert (plan.moves, plan.pushes) == (len(plan.lurd), sum(map(str.isupper, plan.lurd)))
            end = end_of(board, state, plan.lurd)
            assert end.boxes == state.boxes & ~(1 << box) | 1 << square


@given(levels)
def test_every_box_of_a_random_level_against_brute_force(level: Level) -> None:
    for box in scan(level.start.boxes):
        check_plans(level.board, level.start, box)


@given(roomy_levels, st.randoms(use_true_random=False))
def test_positions_after_pushes_against_brute_force(level: Level, random: Random) -> None:
    state = level.start
    for _ in range(random.randrange(8)):
        if pushes := legal_pushes(level.board, state):
            state = push(level.board, state, random.choice(pushes)) or state
    box = random.choice(list(scan(state.boxes)))
    check_plans(level.board, state, box)


@given(roomy_levels, st.sampled_from([1, 2, 3, 8]), st.sampled_from([0, 1, 3, 128]))
def test_sides_are_joined_where_the_player_can_walk_between(level: Level, window: int, rounds: int) -> None:
    board, boxes = level.board, level.start.boxes
    check_sides(board, boxes, CutVertices(board, boxes, window, rounds))


def check_sides(board: Board, boxes: Bitboard, blocks: CutVertices) -> None:
    """Compare the joined sides on every square with the player's area."""
    for box in scan(boxes):
        free = board.floor & ~boxes | 1 << box
        pairs = blocks.joined_pairs(box)
        for square in scan(free):
            for side, offset in enumerate(board.offsets):
                if free >> (square + offset) & 1:
                    area = reachable_area(board, State(board.floor & ~free | 1 << square, square + offset))
                    walkable = sum(1 << other for other in range(4) if area >> (square + board.offsets[other]) & 1)
                    assert JOINED_SIDES[side][pairs[square]] == walkable


@given(levels)
def test_the_boxes_that_reach_a_square(level: Level) -> None:
    board, state = level.board, level.start
    reaches = {box: naive_pushes(board, state, box) for box in scan(state.boxes)}
    for square in scan(board.floor):
        expected = {box: pushes[square] for box, pushes in reaches.items() if square in pushes}
        assert dict(boxes_that_reach(board, state, square)) == expected


def test_a_box_in_a_corridor_goes_on_but_not_back() -> None:
    level = Level.from_xsb(CORRIDOR)
    (box,) = scan(level.start.boxes)
    reach = BoxReach(level.board, level.start, box)
    assert reach.pushes == {box: 0, box + 1: 1, box + 2: 2}
    assert reach.plan(box + 2) == ("rRR", 3, 2)
    assert reach.plan(box) == ("", 0, 0)


def test_a_box_in_a_doorway_comes_back_from_the_room_behind() -> None:
    level = Level.from_xsb(DOORWAY)
    (box,) = scan(level.start.boxes)
    # Into the room and one square on, so that the player can get past it: RR, around it, and LLL.
    plan = BoxReach(level.board, level.start, box).plan(box - 1)
    assert (plan.lurd, plan.pushes) == ("rRRurrdLLL", 5)


@given(roomy_levels)
def test_a_box_of_a_roomy_level_against_brute_force(level: Level) -> None:
    check_plans(level.board, level.start, lowest(level.start.boxes))


def test_search_and_plan_in_steps_can_be_abandoned_and_resumed() -> None:
    level = Level.from_xsb(DOORWAY)
    (box,) = scan(level.start.boxes)
    at_once = BoxReach(level.board, level.start, box)
    reach = BoxReach(level.board, level.start, box, at_once=False)
    assert reach.pushes == {box: 0}
    assert sum(reach.explore()) >= len(at_once.pushes) - 1
    assert reach.pushes == at_once.pushes
    for fewest in Fewest:
        next(reach.plan_in_steps(box - 1, fewest), None)
        for square in at_once.pushes:
            assert reach.plan(square, fewest) == at_once.plan(square, fewest)


def test_squares_out_of_reach_and_squares_without_a_box_are_errors() -> None:
    level = Level.from_xsb(CORRIDOR)
    (box,) = scan(level.start.boxes)
    with pytest.raises(ValueError, match="cannot be pushed"):
        BoxReach(level.board, level.start, box).plan(box - 1)
    with pytest.raises(ValueError, match="no box stands"):
        BoxReach(level.board, level.start, box + 1)


def test_a_box_that_the_player_cannot_get_to_stays() -> None:
    level = Level.from_xsb(WALLED_IN)
    for box in scan(level.start.boxes):
        assert BoxReach(level.board, level.start, box).pushes == naive_pushes(level.board, level.start, box)
