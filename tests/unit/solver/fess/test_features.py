"""Features of FESS: scores, plan steps, regions, and the path to the next square."""

from itertools import product

from hypothesis import given

from sokoterm.engine.bits import flood, regions, scan
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.solver.fess.features import DISTANCE, PACKED, Features, Rooms, find_rooms, off_the_path
from sokoterm.solver.fess.macro import lifted, macro_moves, touching
from sokoterm.solver.fess.plan import ExitRule, PackingPlan, make_plan, make_step_order, search_packing
from sokoterm.solver.fess.positions import BoxPath, find_path
from sokoterm.solver.fess.tree import Move
from sokoterm.solver.search import Meter
from tests.unit.engine.drawn import roomy_levels
from tests.unit.solver.cases import NO_LIMITS
from tests.unit.solver.fess.test_fess import finished, tables_of


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
    tables = tables_of(board)
    meter = Meter("fess", board, NO_LIMITS, 1)
    plan = finished(make_plan(tables, finished(search_packing(tables, boxes, ExitRule(1), meter, 20)), meter))
    region = reachable_area(board, level.start)
    loose = finished(make_step_order(tables, plan.masks, boxes, meter))
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
    path = find_path(tables, level.start.boxes, region, 0, 1 << near, 1 << goal)
    assert path is not None
    assert path.blockers == 1 << far
    assert path.squares >> goal & 1
    free = find_path(tables, 1 << near, region, 0, 1 << near, 1 << goal)
    assert free is not None
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
    path = find_path(tables_of(board), boxes, reachable_area(board, level.start), 0, 1 << box, first)
    assert path is not None
    return path.blockers == 1 << door


def test_the_players_walk_around_a_box_counts_too() -> None:
    assert is_door_in_the_way("########\n#  $@ .#\n# #### #\n# $  . #\n########")


def test_the_players_walk_counts_where_the_box_turns() -> None:
    assert is_door_in_the_way("#########\n#####. ##\n#####  ##\n#@ $   ##\n# ###  ##\n#   $ .##\n#########")


def test_rooms_are_linked_through_corridors_unless_a_box_is_there() -> None:
    level = Level.from_xsb(
        """
############
#   ####   #
#@  $      #
#   ####.  #
############
"""
    )
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
