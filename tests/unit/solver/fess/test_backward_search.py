"""Backward search: clearing the start, pulling boxes to it, and the positions that forward searches may meet."""

from contextlib import suppress
from itertools import islice, pairwise

import pytest
from hypothesis import given

from sokoterm.engine.bits import flood, lowest, scan
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.level import Level
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.solver.common.state_space import Packing, solution
from sokoterm.solver.fess.backward_search import BackwardSearch, search_clearing
from sokoterm.solver.fess.macro import movable
from sokoterm.solver.fess.plan import make_return_plan
from sokoterm.solver.fess.tree import ExhaustedError
from sokoterm.solver.search import Status
from tests.present import present
from tests.unit.engine.drawn import roomy_levels
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, run
from tests.unit.solver.fess.test_fess import positions_of, tables_of

TWO_BOXES = Level.from_xsb("#######\n#@ $ .#\n#  $ .#\n#     #\n#######\n")

# The player cannot get behind the box on the right, and never could.
TWO_IN_A_ROW = Level.from_xsb("########\n#@ $$..#\n########\n")


def backward_search(level: Level) -> BackwardSearch:
    return BackwardSearch(positions_of(tables_of(level.board), level.start))


@given(roomy_levels)
def test_a_box_is_pulled_if_the_player_has_two_squares(level: Level) -> None:
    board, boxes = level.board, level.start.boxes
    region = reachable_area(board, level.start)
    for offset, pulled in zip(board.offsets, movable(tables_of(board), boxes, region, pulls=True), strict=True):
        by_hand = [box for box in scan(boxes) if region >> box + offset & 1 and region >> box + 2 * offset & 1]
        assert list(scan(pulled)) == by_hand


@given(roomy_levels)
def test_the_fewest_pushes_from_several_squares_are_those_from_the_nearest(level: Level) -> None:
    lone = LoneBox(level.board)
    single = [lone.pushes_from(box) for box in scan(level.start.boxes)]
    assert lone.pushes_from(*scan(level.start.boxes)) == {
        square: min(pushes[square] for pushes in single if square in pushes)
        for square in {square for pushes in single for square in pushes}
    }


@given(roomy_levels)
def test_a_clearing_takes_one_box_at_a_time_off_the_board(level: Level) -> None:
    board, start = level.board, level.start
    tables = tables_of(board)
    positions = positions_of(tables, start)
    found = finish(search_clearing(positions, 20))
    for before, after in pairwise(found.line()):
        gone = before.boxes & ~after.boxes
        assert gone.bit_count() <= 1
        assert (after.boxes & ~before.boxes).bit_count() == gone.bit_count() - (before.bases - after.bases)
        assert after.region == flood(1 << lowest(after.region), board.floor & ~after.boxes, board.stride)
    plan = finish(make_return_plan(tables, found, start.boxes, positions.meter))
    assert plan.masks[-1] == start.boxes
    assert not any(zone & later for zone, later in zip(plan.zones, plan.packed, strict=True))


@pytest.mark.parametrize(
    ("text", "boxes"),
    [("########\n#  $@ .#\n# #### #\n# $  . #\n########", 1), ("########\n# @$  .#\n# #### #\n# $  . #\n########", 0)],
)
def test_a_clearing_counts_the_boxes_in_the_way_to_the_nearest_goal(text: str, boxes: int) -> None:
    level = Level.from_xsb(text)
    positions = positions_of(tables_of(level.board), level.start, DeadlockDetector(level.board))
    (root,) = finish(search_clearing(positions, 1)).line()
    assert root.standing[1] == boxes


def test_a_level_is_solved_from_its_end() -> None:
    for level in (SEED_CASE, TWO_BOXES):
        boxes = present(finish(backward_search(level).turn(5_000)))
        assert solution(level.board, level.start, boxes).pushes >= level.start.boxes.bit_count()


@given(roomy_levels)
def test_the_trail_of_every_met_position_leads_to_the_goals(level: Level) -> None:
    board, packing = level.board, Packing(level.board)
    home = backward_search(level)
    with suppress(ExhaustedError):
        if (boxes := finish(home.turn(10))) is not None:
            solution(board, level.start, boxes)
    for key in islice(home.met, 40):
        state = State(packing.boxes(key), key & packing.mask)
        solution(board, state, home.trail(key)[::-1])


def test_each_region_the_player_may_end_in_has_its_own_search() -> None:
    """With all goals filled, the door is shut."""
    rooms = ["###########", "#@   #    #", "# $  # .. #", "# $  . .. #", "#  $ #    #", "# $$ #    #", "###########"]
    level = Level.from_xsb("\n".join(rooms))
    home = backward_search(level)
    finish(home.turn(60))
    expanded = [tree.expanded for tree in home.trees]
    assert len(expanded) == 2
    assert max(expanded) - min(expanded) <= 1


def test_every_turn_reports_its_best_position() -> None:
    positions = positions_of(tables_of(SEED_CASE.board), SEED_CASE.start)
    home, meter = BackwardSearch(positions), positions.meter
    for _ in range(2):
        meter.features = ()
        finish(home.turn(5))
        names = ["home", "regions", "out of plan", "box moves"]
        assert [feature.name for feature in meter.report().features] == names
        assert meter.nearest == 0  # a position that is reached from the goals is none to be shown


def test_a_level_without_a_solution_is_exhausted_backwards() -> None:
    with pytest.raises(ExhaustedError):
        finish(backward_search(TWO_IN_A_ROW).turn(1_000))


def test_a_clearing_with_very_many_boxes_that_can_leave_ends() -> None:
    hall = ["#" * 40, "#@" + " " * 37 + "#", "# " + "* " * 18 + "  #", "#" + " " * 38 + "#"]
    # The boxes behind the door can never be pulled to the start.
    behind = [
        "##### ##################################",
        "#       ################################",
        "#... #  ################################",
        "#. $$$$#################################",
        "#$#  $  ################################",
        "#  # $ .################################",
        "#   $  .################################",
        "## #  ..################################",
        "#" * 40,
    ]
    level = Level.from_xsb("\n".join([*hall, *behind]))
    _, outcome = run("fess", level, NO_LIMITS._replace(nodes=5_000))
    assert outcome.status is Status.UNSOLVABLE
    assert outcome.nodes < 5_000
