"""Assignment of boxes to the steps of a plan, and the steps left without a box."""

from hypothesis import given

from sokoterm.engine.bits import Bitboard, Square, lowest, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.reach import reachable_area
from sokoterm.solver.common.board_tables import FAR
from sokoterm.solver.common.state_space import Perimeter
from sokoterm.solver.fess.features import PlanPaths
from sokoterm.solver.fess.plan import Assignment, PackingPlan, make_assignment
from sokoterm.solver.fess.search import Forward, SearchSettings
from sokoterm.solver.fess.tree import Node
from sokoterm.solver.search import Meter
from tests.unit.engine.drawn import roomy_levels
from tests.unit.solver.cases import NO_LIMITS
from tests.unit.solver.exhaustive import reachable
from tests.unit.solver.fess.test_fess import finished, positions_of, tables_of

# The door is a goal, another is in the room to the left.
_ONE_ON_EACH_SIDE = "#########\n#   #   #\n# $ . $ #\n#.  #  @#\n#########"
_BOTH_TO_THE_RIGHT = "##########\n#   #    #\n#   . $  #\n#   #  $ #\n#.  #   @#\n##########"


def door_and_corner(level: Level) -> tuple[Square, Square]:
    door, corner = scan(level.board.goals)
    return door, corner


def plan_of(level: Level, masks: list[Bitboard]) -> PackingPlan:
    return PackingPlan(masks, [0] * len(masks), [FAR] * level.board.stride * level.board.height)


def assignment_of(level: Level, masks: list[Bitboard]) -> Assignment:
    meter = Meter("fess", level.board, NO_LIMITS, 1)
    return finished(make_assignment(tables_of(level.board), plan_of(level, masks), meter))


def test_steps_that_no_box_can_do_any_more_are_counted() -> None:
    level = Level.from_xsb(_BOTH_TO_THE_RIGHT)
    door, corner = door_and_corner(level)
    first_the_door = assignment_of(level, [0, 1 << door, 1 << door | 1 << corner])
    assert first_the_door.unmatched(level.start.boxes) == 1
    first_the_corner = assignment_of(level, [0, 1 << corner, 1 << door | 1 << corner])
    assert first_the_corner.unmatched(level.start.boxes) == 0


def test_a_box_that_has_crossed_the_door_can_do_more_steps() -> None:
    level = Level.from_xsb(_BOTH_TO_THE_RIGHT)
    door, corner = door_and_corner(level)
    assignment = assignment_of(level, [0, 1 << door, 1 << door | 1 << corner])
    left, right = door - 2, door + 2
    assert (assignment.steps_from[left] & ~assignment.steps_from[right]).bit_count() == 1
    assert not assignment.steps_from[right] & ~assignment.steps_from[left]
    assert assignment.unmatched(1 << left | 1 << right) == 0
    assert assignment.unmatched(1 << door | 1 << right) == 1
    assert assignment.unmatched(1 << door | 1 << left) == 0
    assert assignment.unmatched(level.board.goals) == 0


def test_pushing_a_packed_box_off_reopens_its_step() -> None:
    level = Level.from_xsb(_BOTH_TO_THE_RIGHT)
    door, corner = door_and_corner(level)
    packed_from_the_beginning = assignment_of(level, [1 << corner, 1 << door | 1 << corner])
    assert packed_from_the_beginning.unmatched(1 << corner | 1 << door + 2) == 0
    assert packed_from_the_beginning.unmatched(1 << corner + 1 | 1 << door + 2) == 0
    assert packed_from_the_beginning.unmatched(1 << door + 1 | 1 << door + 2) == 0
    blocked = assignment_of(level, [1 << door, 1 << door | 1 << corner])
    assert blocked.unmatched(1 << door + 1 | 1 << door + 2) == 1
    assert packed_from_the_beginning.unmatched(1 << lowest(level.board.floor) | 1 << door) == 1


def test_the_step_goes_to_a_box_the_other_steps_can_do_without() -> None:
    level = Level.from_xsb(_ONE_ON_EACH_SIDE)
    door, corner = door_and_corner(level)
    boxes = level.start.boxes
    assignment = assignment_of(level, [0, 1 << door, 1 << door | 1 << corner])
    assert assignment.unmatched(boxes) == 0
    assert assignment.movers(boxes, boxes, door) == 1 << door + 2


def test_any_box_may_be_parked() -> None:
    level = Level.from_xsb(_ONE_ON_EACH_SIDE)
    door, corner = door_and_corner(level)
    boxes = level.start.boxes
    in_the_corner = 1 << lowest(level.board.floor)
    parked = assignment_of(level, [0, 1 << door, 0, 1 << corner, 1 << corner | 1 << door])
    assert parked.movers(boxes, boxes, door) == boxes
    boxes = in_the_corner | 1 << door + 2
    assert parked.movers(boxes, boxes, door) == boxes


def test_a_step_that_crosses_its_own_square_goes_to_boxes_that_can_cross() -> None:
    level = Level.from_xsb("########\n####   #\n#..$ $@#\n####   #\n########")
    together = assignment_of(level, [0, level.board.goals])
    assert together.unmatched(level.start.boxes) == 0
    assert together.unmatched(1 << lowest(level.start.boxes)) == 1


def test_the_path_is_that_of_a_box_the_other_steps_can_do_without() -> None:
    level = Level.from_xsb("#########\n#   #   #\n# $ . $ #\n#@  #  .#\n#########")
    board, boxes = level.board, level.start.boxes
    door, corner = door_and_corner(level)
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
    (root,) = finished(forward.roots())
    node = Node(None, root, positions.start_region)
    assert len(forward.standing(node)) == len(node.score) + 1 + counts_unmatched
    assert forward.cell_size == 4 + counts_unmatched
    return {(move.origin, move.square) for move in finished(forward.moves(node)) if move.weight == 0}


def test_a_box_is_advised_to_cross_while_a_step_lacks_one() -> None:
    level = Level.from_xsb(_BOTH_TO_THE_RIGHT)
    door, corner = door_and_corner(level)
    masks = [0, 1 << door, 1 << door | 1 << corner]
    to_the_left = {
        square for square in scan(level.board.floor) if square % level.board.stride < door % level.board.stride
    }
    assert not [move for move in advised(level, masks, counts_unmatched=False) if move[1] in to_the_left]
    assert [move for move in advised(level, masks, counts_unmatched=True) if move[1] in to_the_left]


def test_any_box_will_do_if_none_can_do_the_step() -> None:
    level = Level.from_xsb(_BOTH_TO_THE_RIGHT)
    door, corner = door_and_corner(level)
    assignment = assignment_of(level, [0, 1 << door, 1 << door | 1 << corner])
    right = 1 << door + 2
    assert assignment.movers(1 << door | right, right, corner) == right


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
