"""Forecasts of the push planner, held against the rules and the deadlock tests."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.planning import LandingRisk, ReachSearch, box_way, boxes_at_hand, landing_risks
from sokoterm.engine.bits import scan
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.check import DeadlockKind, FreezeCheck, check_of
from sokoterm.engine.level import Level
from sokoterm.engine.planner.box_reach import BoxReach, boxes_that_reach
from sokoterm.engine.planner.cut_vertices import CutVertices
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import goals_taking, legal_pushes, moved
from tests.unit.engine.drawn import levels, roomy_levels, varied_levels


@given(st.one_of(levels, roomy_levels))
def test_boxes_at_hand_are_those_that_can_be_pushed_the_nearest_first(level: Level) -> None:
    board, state = level.board, level.start
    nearest: dict[int, int] = {}
    for push in legal_pushes(board, state):
        walk = find_walk(board, state, push.box - board.offsets[push.direction])
        assert walk is not None
        nearest[push.box] = min(len(walk), nearest.get(push.box, len(walk)))
    assert boxes_at_hand(board, state) == sorted(nearest, key=lambda box: (nearest[box], box))


@given(st.one_of(levels, roomy_levels))
def test_marks_agree_with_the_deadlock_tests(level: Level) -> None:
    board, state = level.board, level.start
    check = FreezeCheck(board)
    for box in scan(state.boxes):
        reach = BoxReach(board, state, box)
        risks = landing_risks(check, state.boxes, box, reach.pushes)
        for square in reach.pushes:
            moved = state.boxes & ~(1 << box) | 1 << square
            found = check.find(moved)
            risk = risks.get(square)
            if risk is LandingRisk.DEAD:
                assert check.dead_squares >> square & 1
                assert found is not None
                assert found.kind is DeadlockKind.DEAD_SQUARE
            elif risk is LandingRisk.FREEZES:
                assert found is not None
                assert found.kind is DeadlockKind.DEAD_SQUARE or found.boxes >> square & 1
            else:
                assert found is None or not found.boxes >> square & 1


def test_a_box_that_freezes_on_a_goal_is_fine_and_one_beside_it_freezes() -> None:
    level = Level.from_xsb("########\n#.     #\n#$ $@. #\n#      #\n########")
    check, boxes = FreezeCheck(level.board), level.start.boxes
    box = level.board.square(2, 3)
    risks = landing_risks(check, boxes, box, BoxReach(level.board, level.start, box).pushes)
    assert level.board.square(2, 5) not in risks
    assert level.board.square(1, 3) not in risks


def test_other_boxes_that_are_lost_already_make_no_square_worse() -> None:
    level = Level.from_xsb("#########\n#$$    .#\n#$@ $  .#\n#      .#\n#     . #\n#########")
    state = State(level.start.boxes, level.start.player)
    box = level.board.square(2, 4)
    risks = landing_risks(FreezeCheck(level.board), state.boxes, box, [level.board.square(2, 5)])
    assert level.board.square(2, 5) not in risks


@given(levels | varied_levels(), st.sampled_from([0.0, 1.0]))
def test_boxes_that_reach_a_goal_that_takes_them_are_found_the_nearest_first(level: Level, seconds: float) -> None:
    board, state = level.board, level.start
    for goal in scan(board.goals & ~state.boxes):
        search = ReachSearch(board, state, CutVertices(board, state.boxes), boxes_at_hand(board, state), goal)
        slices = 0
        while not search.is_done:
            search.work(seconds)
            slices += 1
        reaching = {box for box, _ in boxes_that_reach(board, state, goal)}
        taken = {box for box in reaching if goals_taking(board, state.boxes, box) >> goal & 1}
        assert search.found == [box for box in boxes_at_hand(board, state) if box in taken]
        assert slices == search.looked_at == search.total or seconds


@given(varied_levels())
def test_marks_on_boards_with_colours_or_ice_are_proven(level: Level) -> None:
    """The tests of the new position prove that a box is lost which is said to be."""
    board, state = level.board, level.start
    check = check_of(board)
    for box in scan(state.boxes & board.floor):
        reach = BoxReach(board, state, box)
        risks = landing_risks(check, state.boxes, box, reach.pushes)
        for square in reach.pushes:
            found = check.find(moved(board, state.boxes, box, square))
            assert square not in risks or found is not None
            is_lost = found is not None and found.boxes >> square & 1 and found.kind is DeadlockKind.DEAD_SQUARE
            assert not is_lost or risks.get(square) is LandingRisk.DEAD


@given(varied_levels())
def test_the_way_of_a_box_leads_square_by_square_to_where_it_is_pushed(level: Level) -> None:
    board, state = level.board, level.start
    for box in scan(state.boxes & board.floor):
        reach = BoxReach(board, state, box)
        for square in reach.pushes:
            way = box_way(board, state, box, reach.plan(square).lurd)
            assert (way[0], way[-1]) == (box, square)
            assert all(other - one in board.offsets for one, other in pairwise(way))
            assert len(way) - 1 == reach.pushes[square] or board.ice
