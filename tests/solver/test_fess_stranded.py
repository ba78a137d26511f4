"""Which boxes can do no step of a plan from where they stand."""

from hypothesis import given

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.reach import reachable_area
from sokoterm.solver.fess.ground import FAR
from sokoterm.solver.fess.plan import Plan
from sokoterm.solver.fess.stranded import Stranding, make_stranding
from sokoterm.solver.meter import Meter
from tests.engine.drawn import roomy_levels
from tests.solver.cases import NO_LIMITS
from tests.solver.exhaustive import reachable
from tests.solver.test_fess import finished, ground_of

# The door is a goal, another is in the room to the left.
_ONE_ON_EACH_SIDE = "#########\n#   #   #\n# $ . $ #\n#.  #  @#\n#########"
_BOTH_TO_THE_RIGHT = "##########\n#   #    #\n#   . $$ #\n#.  #   @#\n##########"


def door_and_corner(level: Level) -> tuple[Square, Square]:
    door, corner = scan(level.board.goals)
    return door, corner


def stranding_of(level: Level, masks: list[Bitboard]) -> Stranding:
    plan = Plan(masks, [0] * len(masks), [FAR] * level.board.stride * level.board.height)
    meter = Meter("fess", level.board, NO_LIMITS, 1)
    return finished(make_stranding(ground_of(level.board), plan, meter))


def test_boxes_that_the_next_step_cuts_off_from_their_goals_are_counted() -> None:
    level = Level.from_xsb(_BOTH_TO_THE_RIGHT)
    door, corner = door_and_corner(level)
    first_the_door = stranding_of(level, [0, 1 << door, 1 << door | 1 << corner])
    assert first_the_door.count(level.start.boxes) == 1
    first_the_corner = stranding_of(level, [0, 1 << corner, 1 << door | 1 << corner])
    assert first_the_corner.count(level.start.boxes) == 0


def test_a_box_that_has_come_over_is_stranded_no_more() -> None:
    level = Level.from_xsb(_BOTH_TO_THE_RIGHT)
    door, corner = door_and_corner(level)
    stranding = stranding_of(level, [0, 1 << door, 1 << door | 1 << corner])
    left, right = door - 2, door + 2
    assert stranding.can_do_more(right, left)
    assert not stranding.can_do_more(left, right)
    assert stranding.count(1 << left | 1 << right) == 0
    assert stranding.count(1 << door | 1 << right) == 1
    assert stranding.count(1 << door | 1 << left) == 0
    assert stranding.count(level.board.goals) == 0


def test_a_box_that_the_others_can_do_without_does_the_step() -> None:
    level = Level.from_xsb(_ONE_ON_EACH_SIDE)
    door, corner = door_and_corner(level)
    boxes = level.start.boxes
    stranding = stranding_of(level, [0, 1 << door, 1 << door | 1 << corner])
    assert stranding.count(boxes) == 0
    assert stranding.movers(boxes, boxes, door) == 1 << door + 2
    assert stranding.movers(boxes, boxes, corner) == 1 << door - 2


def test_any_box_will_do_where_none_can_do_the_step() -> None:
    level = Level.from_xsb(_BOTH_TO_THE_RIGHT)
    door, corner = door_and_corner(level)
    stranding = stranding_of(level, [0, 1 << door, 1 << door | 1 << corner])
    assert stranding.movers(level.start.boxes, level.start.boxes, corner) == level.start.boxes


@given(roomy_levels)
def test_a_box_is_pushed_to_beside_a_wall_as_by_all_of_its_pushes(level: Level) -> None:
    board = level.board
    wall = next(iter(scan(board.goals)))
    walled = board._replace(floor=board.floor & ~(1 << wall), goals=0, walls=board.walls | 1 << wall)
    before = LoneBox(board, 1 << wall).squares_before(wall)
    for box in scan(walled.floor):
        starts = [State(1 << box, box + offset) for offset in board.offsets if walled.floor >> box + offset & 1]
        states = {state for start in starts for state in reachable(walled, start.normalized(walled))}
        comes = any(
            state.boxes == 1 << wall + offset and reachable_area(walled, state) >> wall + 2 * offset & 1
            for state in states
            for offset in board.offsets
        )
        assert comes == bool(before >> box & 1)
