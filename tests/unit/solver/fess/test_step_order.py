"""Partial order of the steps of a plan."""

from itertools import pairwise

from hypothesis import given

from sokoterm.engine.bits import Bitboard, scan
from sokoterm.engine.level import Level
from sokoterm.solver.fess.plan import ExitRule, StepOrder, make_plan, make_step_order, search_packing
from sokoterm.solver.search import Meter
from tests.unit.engine.drawn import roomy_levels
from tests.unit.solver.cases import NO_LIMITS
from tests.unit.solver.fess.test_fess import finished, tables_of


def order_of(level: Level, masks: list[Bitboard]) -> StepOrder:
    meter = Meter("fess", level.board, NO_LIMITS, 1)
    return finished(make_step_order(tables_of(level.board), masks, level.start.boxes, meter))


def test_a_goal_at_the_end_of_a_corridor_comes_first() -> None:
    level = Level.from_xsb("#########\n#  #    #\n# $# ####\n#@$   ..#\n#   #####\n#########")
    near, far = (1 << goal for goal in scan(level.board.goals))
    order = order_of(level, [0, far, near | far])
    assert [order.count(boxes) for boxes in (0, far, near, near | far)] == [0, 1, 0, 2]


def test_goals_in_different_corners_wait_for_none() -> None:
    level = Level.from_xsb("#######\n#.    #\n# $ $ #\n#  @  #\n#    .#\n#######")
    one, other = (1 << goal for goal in scan(level.board.goals))
    order = order_of(level, [0, one, one | other])
    assert [order.count(boxes) for boxes in (0, one, other, one | other)] == [0, 1, 1, 2]


def test_a_box_past_its_parking_square_has_done_the_parking_step() -> None:
    level = Level.from_xsb("#########\n#  $  ..#\n# @$    #\n#       #\n#########")
    one, other = (1 << goal for goal in scan(level.board.goals))
    parked = other << level.board.stride
    order = order_of(level, [0, parked, parked | one, other | one])
    assert [order.count(boxes) for boxes in (parked, other, other | one)] == [1, 2, 3]


def test_a_reused_square_waits_for_the_box_parked_there_to_leave() -> None:
    level = Level.from_xsb("#########\n#  $  ..#\n# @$    #\n#       #\n#########")
    one, other = (1 << goal for goal in scan(level.board.goals))
    parked = other << level.board.stride
    masks = [0, parked, one, one | parked, one | other]
    order = order_of(level, masks)
    assert [order.count(mask) for mask in masks] == [0, 1, 2, 3, 4]


@given(roomy_levels)
def test_each_step_of_the_plan_counts(level: Level) -> None:
    tables = tables_of(level.board)
    meter = Meter("fess", level.board, NO_LIMITS, 1)
    found = finished(search_packing(tables, level.start.boxes, ExitRule(1, anywhere=True), meter, 20))
    plan = finished(make_plan(tables, found, meter))
    order = finished(make_step_order(tables, plan.masks, level.start.boxes, meter))
    counts = [order.count(mask) for mask in plan.masks]
    assert all(before < after for before, after in pairwise(counts)), counts
    assert (counts[0], counts[-1]) == (plan.masks[0].bit_count(), order.steps)
