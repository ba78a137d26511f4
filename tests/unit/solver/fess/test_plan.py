"""Plans: the partial order of their steps, and the boxes assigned to them."""

from itertools import pairwise

import pytest
from hypothesis import given

from sokoterm.engine.bits import Bitboard, Square, lowest, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.solver.common.board_tables import FAR
from sokoterm.solver.common.state_space import Perimeter
from sokoterm.solver.fess.features import PlanPaths
from sokoterm.solver.fess.plan import Assignment, ExitRule, PackingPlan, StepOrder, make_assignment, make_step_order
from sokoterm.solver.fess.search import Forward, SearchSettings
from sokoterm.solver.fess.tree import Node
from tests.unit.engine.drawn import roomy_levels
from tests.unit.solver.cases import meter_of
from tests.unit.solver.exhaustive import reachable
from tests.unit.solver.fess.test_fess import plan_for, positions_of, tables_of


def order_of(level: Level, masks: list[Bitboard]) -> StepOrder:
    return finish(make_step_order(tables_of(level.board), masks, level.start.boxes, meter_of(level.board)))


@pytest.mark.parametrize(
    ("text", "of_the_first"),
    [
        # A goal at the end of a corridor comes first.
        ("#########\n#  #    #\n# $# ####\n#@$   ..#\n#   #####\n#########", 0),
        # Goals in different corners wait for none.
        ("#######\n#.    #\n# $ $ #\n#  @  #\n#    .#\n#######", 1),
    ],
)
def test_a_goal_waits_for_those_behind_it(text: str, of_the_first: int) -> None:
    level = Level.from_xsb(text)
    first, second = (1 << goal for goal in scan(level.board.goals))
    order = order_of(level, [0, second, first | second])
    assert [order.count(boxes) for boxes in (0, second, first, first | second)] == [0, 1, of_the_first, 2]


def test_a_square_on_which_a_box_is_parked_for_a_while() -> None:
    level = Level.from_xsb("#########\n#  $  ..#\n# @$    #\n#       #\n#########")
    one, other = (1 << goal for goal in scan(level.board.goals))
    parked = other << level.board.stride
    # A box past its parking square has done the parking step.
    order = order_of(level, [0, parked, parked | one, other | one])
    assert [order.count(boxes) for boxes in (parked, other, other | one)] == [1, 2, 3]
    # A reused square waits for the box parked there to leave.
    masks = [0, parked, one, one | parked, one | other]
    order = order_of(level, masks)
    assert [order.count(mask) for mask in masks] == [0, 1, 2, 3, 4]


@given(roomy_levels)
def test_each_step_of_the_plan_counts(level: Level) -> None:
    _, plan = plan_for(level, ExitRule(1, anywhere=True), 20)
    order = order_of(level, list(plan.masks))
    counts = [order.count(mask) for mask in plan.masks]
    assert all(before < after for before, after in pairwise(counts)), counts
    assert (counts[0], counts[-1]) == (plan.masks[0].bit_count(), order.steps)


# The door is a goal, another is in the room to the left.
_ONE_ON_EACH_SIDE = Level.from_xsb("#########\n#   #   #\n# $ . $ #\n#.  #  @#\n#########")
_LEVEL = Level.from_xsb("##########\n#   #    #\n#   . $  #\n#   #  $ #\n#.  #   @#\n##########")
_DOOR, _CORNER = scan(_LEVEL.board.goals)
_LEFT, _RIGHT = _DOOR - 2, _DOOR + 2
_FIRST_THE_DOOR = [0, 1 << _DOOR, 1 << _DOOR | 1 << _CORNER]


def plan_of(level: Level, masks: list[Bitboard]) -> PackingPlan:
    return PackingPlan(masks, [0] * len(masks), [FAR] * level.board.stride * level.board.height)


def assignment_of(level: Level, masks: list[Bitboard]) -> Assignment:
    return finish(make_assignment(tables_of(level.board), plan_of(level, masks), meter_of(level.board)))


def test_steps_that_no_box_can_do_any_more_are_counted() -> None:
    first_the_corner = [0, 1 << _CORNER, 1 << _DOOR | 1 << _CORNER]
    unmatched = [
        assignment_of(_LEVEL, each).unmatched(_LEVEL.start.boxes) for each in (_FIRST_THE_DOOR, first_the_corner)
    ]
    assert unmatched == [1, 0]


def test_a_box_that_has_crossed_the_door_can_do_more_steps() -> None:
    assignment = assignment_of(_LEVEL, _FIRST_THE_DOOR)
    assert (assignment.steps_from[_LEFT] & ~assignment.steps_from[_RIGHT]).bit_count() == 1
    assert not assignment.steps_from[_RIGHT] & ~assignment.steps_from[_LEFT]
    pairs = ((_LEFT, _RIGHT), (_DOOR, _RIGHT), (_DOOR, _LEFT), (_DOOR, _CORNER))
    assert [assignment.unmatched(1 << one | 1 << other) for one, other in pairs] == [0, 1, 0, 0]


def test_pushing_a_packed_box_off_reopens_its_step() -> None:
    corner_packed, door_packed = (assignment_of(_LEVEL, [1 << each, _LEVEL.board.goals]) for each in (_CORNER, _DOOR))
    for box in (_CORNER, _CORNER + 1, _DOOR + 1):
        assert corner_packed.unmatched(1 << box | 1 << _RIGHT) == 0
    assert door_packed.unmatched(1 << _DOOR + 1 | 1 << _RIGHT) == 1
    assert corner_packed.unmatched(1 << lowest(_LEVEL.board.floor) | 1 << _DOOR) == 1


def test_the_step_goes_to_a_box_the_other_steps_can_do_without() -> None:
    level, boxes = _ONE_ON_EACH_SIDE, _ONE_ON_EACH_SIDE.start.boxes
    door, corner = scan(level.board.goals)
    assignment = assignment_of(level, [0, 1 << door, 1 << door | 1 << corner])
    assert assignment.unmatched(boxes) == 0
    assert assignment.movers(boxes, boxes, door) == 1 << door + 2


def test_any_box_may_be_parked() -> None:
    level = _ONE_ON_EACH_SIDE
    door, corner = scan(level.board.goals)
    parked = assignment_of(level, [0, 1 << door, 0, 1 << corner, 1 << corner | 1 << door])
    for boxes in (level.start.boxes, 1 << lowest(level.board.floor) | 1 << door + 2):
        assert parked.movers(boxes, boxes, door) == boxes


def test_a_step_that_crosses_its_own_square_goes_to_boxes_that_can_cross() -> None:
    level = Level.from_xsb("########\n####   #\n#..$ $@#\n####   #\n########")
    together = assignment_of(level, [0, level.board.goals])
    assert together.unmatched(level.start.boxes) == 0
    assert together.unmatched(1 << lowest(level.start.boxes)) == 1


def test_the_path_is_that_of_a_box_the_other_steps_can_do_without() -> None:
    level = Level.from_xsb("#########\n#   #   #\n# $ . $ #\n#@  #  .#\n#########")
    board, boxes = level.board, level.start.boxes
    door, corner = scan(board.goals)
    masks = [0, 1 << door, 1 << door | 1 << corner]
    paths = [
        PlanPaths(positions_of(tables_of(board), level.start), plan_of(level, masks), each)
        for each in (None, assignment_of(level, masks))
    ]
    free, led = (path.find(boxes, reachable_area(board, level.start), door) for path in paths)
    assert free is not None
    assert led is not None
    assert free.squares >> door + 1 & 1
    assert led.squares >> door - 1 & 1


def test_a_box_without_a_path_is_replaced_by_another() -> None:
    level = Level.from_xsb("#########\n#.$ #   #\n#   . $ #\n#@  #   #\n#########")
    board, boxes = level.board, level.start.boxes
    corner, door = scan(board.goals)
    plan = plan_of(level, [0, 1 << door, 1 << door | 1 << corner])
    able = [0b11 if square == lowest(boxes) else 0 for square in range(board.stride * board.height)]
    assignment = Assignment(plan, {door: 0b01, corner: 0b10}, able)
    assert assignment.movers(boxes, boxes, door) == 1 << lowest(boxes)
    path = PlanPaths(positions_of(tables_of(board), level.start), plan, assignment).find(
        boxes, reachable_area(board, level.start), door
    )
    assert path is not None
    assert path.squares >> door + 1 & 1


def advised(level: Level, masks: list[Bitboard], *, counts_unmatched: bool) -> set[tuple[Square, Square]]:
    """Return the moves of weight 0 at the start, as the box's squares before and after."""
    assignment = assignment_of(level, masks) if counts_unmatched else None
    settings = SearchSettings(counts_unmatched=counts_unmatched)
    positions = positions_of(tables_of(level.board), level.start)
    forward = Forward(
        positions, plan_of(level, masks), None, assignment, settings, Perimeter().from_goals, level.board.goals
    )
    (root,) = finish(forward.roots())
    node = Node(None, root, positions.start_region)
    assert len(forward.standing(node)) == len(node.score) + 1 + counts_unmatched
    assert forward.cell_size == 4 + counts_unmatched
    return {(move.origin, move.square) for move in finish(forward.moves(node)) if move.weight == 0}


def test_a_box_is_advised_to_cross_while_a_step_lacks_one() -> None:
    door_column = _DOOR % _LEVEL.board.stride
    for counts_unmatched in (False, True):
        moves = advised(_LEVEL, _FIRST_THE_DOOR, counts_unmatched=counts_unmatched)
        assert any(square % _LEVEL.board.stride < door_column for _, square in moves) == counts_unmatched


def test_any_box_will_do_if_none_can_do_the_step() -> None:
    right = 1 << _RIGHT
    assert assignment_of(_LEVEL, _FIRST_THE_DOOR).movers(1 << _DOOR | right, right, _CORNER) == right


@given(roomy_levels)
def test_squares_before_a_wall_agree_with_all_pushes_of_a_box(level: Level) -> None:
    board = level.board
    wall = next(iter(scan(board.goals)))
    frozen_board = board._replace(floor=board.floor & ~(1 << wall), goals=0, walls=board.walls | 1 << wall)
    before = LoneBox(board, 1 << wall).squares_before(wall)
    for box in scan(frozen_board.floor):
        starts = [State(1 << box, box + offset) for offset in board.offsets if frozen_board.floor >> box + offset & 1]
        states = {state for start in starts for state in reachable(frozen_board, start.normalized(frozen_board))}
        comes = any(
            state.boxes == 1 << wall + offset and reachable_area(frozen_board, state) >> wall + 2 * offset & 1
            for state in states
            for offset in board.offsets
        )
        assert comes == bool(before >> box & 1)
