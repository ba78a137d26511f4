"""Plans: the order of their steps, the boxes assigned to them; features of positions, and the moves advised by them."""

from itertools import pairwise, product

import pytest
from hypothesis import given

from sokoterm.engine.bits import Bitboard, Square, flood, lowest, regions, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.solver.common.board_tables import FAR
from sokoterm.solver.common.state_space import Perimeter
from sokoterm.solver.fess.features import (
    DISTANCE,
    PACKED,
    Advisors,
    Features,
    PlanPaths,
    off_the_path,
)
from sokoterm.solver.fess.macro import lifted, macro_moves, touching
from sokoterm.solver.fess.plan import Assignment, ExitRule, PackingPlan, StepOrder, make_assignment, make_step_order
from sokoterm.solver.fess.positions import BoxPath, find_path
from sokoterm.solver.fess.search import Forward, SearchSettings
from sokoterm.solver.fess.tree import Move, Node, Score
from tests.present import present
from tests.unit.engine.drawn import roomy_levels
from tests.unit.solver.cases import SEED_CASE, meter_of
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


# The boxes assigned to the steps of a plan

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


# Features


@given(roomy_levels)
def test_a_lifted_box_joins_the_regions_around_it(level: Level) -> None:
    board, boxes = level.board, level.start.boxes
    region = reachable_area(board, level.start)
    closed = regions(board.floor & ~boxes & ~region, board.stride)
    for box in touching(boxes, region, board.stride):
        vacant = board.floor & ~boxes | 1 << box
        area = flood(1 << box, vacant, board.stride)
        assert lifted(region, closed, box, board.stride) == (area, len(regions(vacant ^ area, board.stride)))


@given(roomy_levels)
def test_the_score_of_a_move_is_that_of_the_position_after_it(level: Level) -> None:
    board, boxes = level.board, level.start.boxes
    tables, region = tables_of(board), reachable_area(board, level.start)
    _, plan = plan_for(level, ExitRule(1), 20)
    loose = finish(make_step_order(tables, plan.masks, boxes, meter_of(board)))
    for spreads, order in product((True, False), (None, loose)):
        features = Features(plan, order, spreads=spreads)
        before = features.score(boxes, len(regions(board.floor & ~boxes, board.stride)))
        assert before[PACKED] == -(order.count(boxes) if order else plan.step(boxes))
        closed = regions(board.floor & ~boxes & ~region, board.stride)
        for box in touching(boxes & tables.live, region, board.stride):
            others = boxes ^ 1 << box
            area, beyond = lifted(region, closed, box, board.stride)
            score = features.lifting(others, before[DISTANCE], box)
            landings = tables.live & ~others
            for square, _, pieces in macro_moves(area, region, box, landings, board.stride, {}, pulls=False):
                there = others | 1 << square
                parts = len(regions(board.floor & ~there, board.stride))
                assert score(square, beyond + pieces, 3) == features.score(there, parts, 3)


def test_one_more_box_completes_the_last_step_it_can() -> None:
    plan = PackingPlan([0, 0b1, 0b11, 0b110, 0b111], [0] * 5, [0] * 4)
    for boxes in range(16):
        without, by_square = plan.step_by_one_more(boxes)
        for square in scan(~boxes & 0b1111):
            assert by_square.get(square, without) == plan.step(boxes | 1 << square)


def test_the_path_to_a_square_names_the_box_in_the_way() -> None:
    level = Level.from_xsb("#########\n#@$ $ ..#\n#########")
    near, far = scan(level.start.boxes)
    goal = max(scan(level.board.goals))
    region = reachable_area(level.board, level.start)
    tables = tables_of(level.board)
    path = present(find_path(tables, level.start.boxes, region, 0, 1 << near, 1 << goal))
    assert path.blockers == 1 << far
    assert path.squares >> goal & 1
    free = present(find_path(tables, 1 << near, region, 0, 1 << near, 1 << goal))
    assert not free.blockers
    assert find_path(tables, level.start.boxes, region, 1 << far, 1 << near, 1 << goal) is None


def test_clearing_moves_take_a_blocker_off_the_path() -> None:
    def moved(origin: int, square: int) -> Move:
        return Move(1, (), 0, 0, origin, square, 0)

    path = BoxPath(squares=0b1100, blockers=0b1001)
    off, along, other = moved(3, 5), moved(3, 2), moved(4, 5)
    assert off_the_path(path, [(0, along), (1, off), (2, other)]) == [(1, off)]
    assert off_the_path(path, [(0, along)], [(2, other), (1, off)]) == [(1, off)]
    assert off_the_path(path, [(0, along)], [(2, other)]) == []


def is_door_in_the_way(text: str) -> bool:
    """Return whether the second of two boxes, and only it, is in the way of the first to the first goal."""
    level = Level.from_xsb(text)
    board, boxes = level.board, level.start.boxes
    box, door = scan(boxes)
    first = board.goals & -board.goals
    path = present(find_path(tables_of(board), boxes, reachable_area(board, level.start), 0, 1 << box, first))
    return path.blockers == 1 << door


def test_the_players_walk_around_a_box_and_where_it_turns_counts_too() -> None:
    assert is_door_in_the_way("########\n#  $@ .#\n# #### #\n# $  . #\n########")
    assert is_door_in_the_way("#########\n#####. ##\n#####  ##\n#@ $   ##\n# ###  ##\n#   $ .##\n#########")


BEFORE: Score = (-2, 3, 4, 5, 6)


def after(**changes: int) -> Score:
    """Return the score before, with some of its features changed."""
    names = ("packed", "regions", "out_of_plan", "hotspots", "distance")
    return tuple(figure + changes.get(name, 0) for name, figure in zip(names, BEFORE, strict=True))


def advised_among(*moves: tuple[Score, bool]) -> set[int | None]:
    """Return the advised moves among some with given scores, which open doors or not, for a plan without steps."""
    board, start = SEED_CASE.board, SEED_CASE.start
    positions = positions_of(tables_of(board), start)
    plan = PackingPlan([0], [0], [0] * (board.stride * board.height))
    advisors = Advisors(positions, PlanPaths(positions, plan), clears=False)
    node = Node(None, Move(0, BEFORE, start.boxes, 0, 0, 0, start.player), reachable_area(board, start))
    found = finish(advisors.advise(node, [Move(1, score, start.boxes, 0, 0, 0, 0, opens) for score, opens in moves]))
    return found - {None}


FEATURES = ("packed", "regions", "out_of_plan", "hotspots")


@pytest.mark.parametrize("feature", FEATURES)
def test_the_best_move_that_improves_a_feature_is_advised(feature: str) -> None:
    better, best = after(**{feature: -1}), after(**{feature: -1, "distance": -1})
    assert advised_among((BEFORE, False), (better, False), (best, False), (better, False)) == {2}


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ([(BEFORE, False), (after(distance=-1), False)], set()),  # nothing gets better
        ([(BEFORE, False), (after(hotspots=-1), False), (after(hotspots=-1), False)], {1}),  # the first of equals
        ([(BEFORE, False), (BEFORE, True), (after(distance=1), True)], {1}),  # opens a door
        # A box is unpacked.
        *(([(after(packed=1, **{feature: -1}), True)], set()) for feature in FEATURES[1:]),
        # A region is cut off: only to pack a box, or to open a door.
        *(([(after(regions=1, **{feature: -1}), False)], set()) for feature in FEATURES[2:]),
        ([(after(regions=1, packed=-1), False)], {0}),
        ([(after(regions=1), True)], {0}),
    ],
)
def test_which_move_is_advised(moves: list[tuple[Score, bool]], expected: set[int]) -> None:
    assert advised_among(*moves) == expected


def in_the_way(text: str) -> int:
    """Count the boxes in the way for a plan that fills the last goal first."""
    level = Level.from_xsb(text)
    board, boxes = level.board, level.start.boxes
    goals = list(scan(board.goals))
    plan = PackingPlan([0, 1 << goals[-1], board.goals], [0, 0, 0], [0] * board.stride * board.height)
    paths = PlanPaths(positions_of(tables_of(board), level.start), plan)
    return paths.in_the_way(boxes, reachable_area(board, level.start))


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("#########\n#@$    .#\n#      .#\n#  $    #\n#       #\n#########", 0),
        ("#########\n#@$ $...#\n# #######\n#       #\n#     $ #\n#       #\n#########", 1),
        ("#######\n#@$$  #\n##### #\n#..   #\n#######\n", 2),  # all, where there is no path
    ],
)
def test_the_boxes_in_the_way_of_the_plan_are_counted(text: str, boxes: int) -> None:
    assert in_the_way(text) == boxes
