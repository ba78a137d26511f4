"""Advisors: the best move that improves each feature, the best that opens a door, and boxes in the way of the plan."""

import pytest

from sokoterm.engine.bits import scan
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.solver.fess.features import Advisors, PlanPaths
from sokoterm.solver.fess.plan import PackingPlan
from sokoterm.solver.fess.tree import Move, Node, Score
from tests.unit.solver.cases import SEED_CASE
from tests.unit.solver.fess.test_fess import finished, positions_of, tables_of

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
    found = finished(advisors.advise(node, [Move(1, score, start.boxes, 0, 0, 0, 0, opens) for score, opens in moves]))
    return found - {None}


def test_a_move_that_improves_nothing_is_not_advised() -> None:
    assert not advised((BEFORE, False), (after(distance=-1), False))


@pytest.mark.parametrize("feature", ["packed", "regions", "out_of_plan", "rooms", "hotspots"])
def test_the_best_move_that_improves_a_feature_is_advised(feature: str) -> None:
    better, best = after(**{feature: -1}), after(**{feature: -1, "distance": -1})
    assert advised((BEFORE, False), (better, False), (best, False), (better, False)) == {2}


def test_the_first_of_equal_moves_is_advised() -> None:
    assert advised((BEFORE, False), (after(hotspots=-1), False), (after(hotspots=-1), False)) == {1}


def test_a_move_that_opens_a_door_is_advised() -> None:
    assert advised((BEFORE, False), (BEFORE, True), (after(distance=1), True)) == {1}


def test_a_move_that_unpacks_a_box_is_not_advised() -> None:
    for feature in ("regions", "out_of_plan", "rooms", "hotspots"):
        assert not advised((after(packed=1, **{feature: -1}), True))


def test_moves_that_cut_off_a_region_may_pack_and_open_doors_but_nothing_else() -> None:
    for feature in ("out_of_plan", "rooms", "hotspots"):
        assert not advised((after(regions=1, **{feature: -1}), False))
    assert advised((after(regions=1, packed=-1), False)) == {0}
    assert advised((after(regions=1), True)) == {0}


def in_the_way(text: str) -> int:
    """Count the boxes in the way for a plan that fills the last goal first."""
    level = Level.from_xsb(text)
    board, boxes = level.board, level.start.boxes
    goals = list(scan(board.goals))
    plan = PackingPlan([0, 1 << goals[-1], board.goals], [0, 0, 0], [0] * board.stride * board.height)
    return PlanPaths(positions_of(tables_of(board), level.start), plan).in_the_way(
        boxes, reachable_area(board, level.start)
    )


def test_the_boxes_in_the_way_of_the_plan_are_counted() -> None:
    assert in_the_way("#########\n#@$    .#\n#      .#\n#  $    #\n#       #\n#########") == 0
    assert in_the_way("#########\n#@$ $...#\n# #######\n#       #\n#     $ #\n#       #\n#########") == 1


def test_all_boxes_are_in_the_way_if_there_is_no_path() -> None:
    assert in_the_way("#######\n#@$$  #\n##### #\n#..   #\n#######\n") == 2
