"""Features of FESS: scores, plan steps, regions, the path to the next square, and the moves advised by them."""

from itertools import product

import pytest
from hypothesis import given

from sokoterm.engine.bits import flood, regions, scan
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.solver.fess.features import (
    DISTANCE,
    PACKED,
    Advisors,
    Features,
    PlanPaths,
    Rooms,
    find_rooms,
    off_the_path,
)
from sokoterm.solver.fess.macro import lifted, macro_moves, touching
from sokoterm.solver.fess.plan import ExitRule, PackingPlan, make_step_order
from sokoterm.solver.fess.positions import BoxPath, find_path
from sokoterm.solver.fess.tree import Move, Node, Score
from tests.present import present
from tests.unit.engine.drawn import roomy_levels
from tests.unit.solver.cases import SEED_CASE, meter_of
from tests.unit.solver.fess.test_fess import plan_for, positions_of, tables_of


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
        features = Features(tables, plan, order, spreads=spreads, rooms=spreads)
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


def test_rooms_are_linked_through_corridors_unless_a_box_is_there() -> None:
    level = Level.from_xsb("############\n#   ####   #\n#@  $      #\n#   ####.  #\n############")
    board = level.board
    rooms = find_rooms(board)
    assert [room.bit_count() for room in rooms] == [9, 9]
    assert Rooms(board).broken(level.start.boxes) == 1
    assert Rooms(board).broken(0) == 0
    beside = rooms[0] & -rooms[0]
    assert Rooms(board).broken(beside) == 0
    assert Rooms(board).broken(rooms[0]) == 1


def test_rooms_that_touch_are_linked() -> None:
    level = Level.from_xsb("#######\n#  #  #\n#@    #\n#$ #. #\n#######")
    assert len(find_rooms(level.board)) == 2
    assert Rooms(level.board).broken(0) == 0


BEFORE: Score = (-2, 3, 4, 5, 6, 7)


def after(**changes: int) -> Score:
    """Return the score before, with some of its features changed."""
    names = ("packed", "regions", "out_of_plan", "rooms", "hotspots", "distance")
    return tuple(figure + changes.get(name, 0) for name, figure in zip(names, BEFORE, strict=True))


def advised(*moves: tuple[Score, bool]) -> set[int | None]:
    """Return the advised moves among some with given scores, which open doors or not, for a plan without steps."""
    board, start = SEED_CASE.board, SEED_CASE.start
    positions = positions_of(tables_of(board), start)
    plan = PackingPlan([0], [0], [0] * (board.stride * board.height))
    advisors = Advisors(positions, PlanPaths(positions, plan), clears=False)
    node = Node(None, Move(0, BEFORE, start.boxes, 0, 0, 0, start.player), reachable_area(board, start))
    found = finish(advisors.advise(node, [Move(1, score, start.boxes, 0, 0, 0, 0, opens) for score, opens in moves]))
    return found - {None}


FEATURES = ("packed", "regions", "out_of_plan", "rooms", "hotspots")


@pytest.mark.parametrize("feature", FEATURES)
def test_the_best_move_that_improves_a_feature_is_advised(feature: str) -> None:
    better, best = after(**{feature: -1}), after(**{feature: -1, "distance": -1})
    assert advised((BEFORE, False), (better, False), (best, False), (better, False)) == {2}


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
    assert advised(*moves) == expected


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
