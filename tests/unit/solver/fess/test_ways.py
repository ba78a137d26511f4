"""Boxes in the way of the next step of a plan."""

from sokoterm.engine.bits import scan
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.solver.fess.plan import PackingPlan
from sokoterm.solver.fess.ways import BoxWays
from tests.unit.solver.fess.test_fess import positions_of, tables_of


def in_the_way(text: str) -> int:
    """Count the boxes in the way for a plan that fills the last goal first."""
    level = Level.from_xsb(text)
    board, boxes = level.board, level.start.boxes
    goals = list(scan(board.goals))
    plan = PackingPlan([0, 1 << goals[-1], board.goals], [0, 0, 0], [0] * board.stride * board.height)
    return BoxWays(positions_of(tables_of(board)), plan).in_the_way(boxes, reachable_area(board, level.start))


def test_the_boxes_in_the_way_of_the_plan_are_counted() -> None:
    assert in_the_way("#########\n#@$    .#\n#      .#\n#  $    #\n#       #\n#########") == 0
    assert in_the_way("#########\n#@$ $...#\n# #######\n#       #\n#     $ #\n#       #\n#########") == 1


def test_all_boxes_are_in_the_way_if_there_is_no_path() -> None:
    assert in_the_way("#######\n#@$$  #\n##### #\n#..   #\n#######\n") == 2
