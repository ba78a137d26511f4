"""Which boxes reach a square, looked for a little at a time."""

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.landing_risk import boxes_at_hand
from sokoterm.app.reaching_boxes import ReachSearch
from sokoterm.engine.bits import scan
from sokoterm.engine.level import Level
from sokoterm.engine.planner.box_reach import boxes_that_reach
from sokoterm.engine.planner.cut_vertices import CutVertices
from tests.unit.engine.drawn import levels


@given(levels, st.sampled_from([0.0, 1.0]))
def test_all_boxes_that_reach_a_goal_are_found_the_nearest_to_the_player_first(level: Level, seconds: float) -> None:
    board, state = level.board, level.start
    for goal in scan(board.goals & ~state.boxes):
        search = ReachSearch(board, state, CutVertices(board, state.boxes), boxes_at_hand(board, state), goal)
        slices = 0
        while not search.is_done:
            search.work(seconds)
            slices += 1
        reaching = {box for box, _ in boxes_that_reach(board, state, goal)}
        assert search.found == [box for box in boxes_at_hand(board, state) if box in reaching]
        assert slices == search.looked_at == search.total or seconds
