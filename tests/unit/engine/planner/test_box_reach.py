"""The push planner on boards of every kind, against steps of the plain game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import Bitboard, Direction, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import end_of
from sokoterm.engine.planner.box_reach import BoxReach, Fewest, boxes_that_might_reach, boxes_that_reach
from sokoterm.engine.planner.cut_vertices import JOINED_SIDES, CutVertices
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import color_at, goals_taking, step
from tests.unit.engine.drawn import levels, paths, plain_of, roomy_levels, varied_levels
from tests.unit.engine.plain_variants import plain_costs

ALL_LEVELS = levels | roomy_levels | varied_levels()
CORRIDOR = "#######\n#@ $ .#\n#######"
WALLED_IN = "########\n#@ $*$.#\n#. $ $.#\n#.   $.#\n########"
DOORWAY = "#########\n#   #   #\n# @ $ . #\n#   #   #\n#########"


@given(ALL_LEVELS, paths, st.data())
def test_squares_and_plans_are_those_of_the_plain_game(
    level: Level, steps: list[Direction], data: st.DataObject
) -> None:
    board, state = level.board, level.start
    for direction in steps:
        state = step(board, state, direction) or state
    box = data.draw(st.sampled_from([*scan(state.boxes & board.floor)]))
    reach = BoxReach(board, state, box)
    game = plain_of(level, state)
    for fewest in Fewest:
        by_pushes = fewest is Fewest.PUSHES
        costs = plain_costs(game, board.row_column(box), by_pushes=by_pushes)
        assert {board.row_column(square) for square in reach.pushes} == costs.keys()
        for square, pushes in reach.pushes.items():
            plan = reach.plan(square, fewest)
            cost = costs[board.row_column(square)]
            assert ((plan.pushes, plan.moves) if by_pushes else (plan.moves, plan.pushes)) == cost
            assert not by_pushes or pushes == plan.pushes
            end = end_of(board, state, plan.lurd)
            assert end.boxes & board.floor == state.boxes & board.floor ^ 1 << box ^ 1 << square or square == box
            assert color_at(board, end.boxes, square) == color_at(board, state.boxes, box)


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


@given(ALL_LEVELS, st.data())
def test_boxes_that_reach_a_square(level: Level, data: st.DataObject) -> None:
    board, state = level.board, level.start
    square = data.draw(st.sampled_from([*scan(board.floor)]))
    reaching = dict(boxes_that_reach(board, state, square))
    for box in scan(state.boxes & board.floor):
        assert BoxReach(board, state, box).pushes.get(square) == reaching.get(box)
        assert box not in reaching or boxes_that_might_reach(board, state, square) >> box & 1


@given(varied_levels())
def test_goals_that_take_a_box(level: Level) -> None:
    board, state = level.board, level.start
    game = plain_of(level, state)
    for box in scan(state.boxes & board.floor):
        color = game.boxes[board.row_column(box)]
        taking = {place for place, of_goal in game.goals.items() if color is None or of_goal in (None, color)}
        assert {board.row_column(goal) for goal in scan(goals_taking(board, state.boxes, box))} == taking


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
    with pytest.raises(ValueError, match="there is no box"):
        BoxReach(level.board, level.start, box + 1)
