"""The push planner on boards with colours or ice, against steps of the plain game."""

from heapq import heappop, heappush

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import Direction, scan
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import end_of
from sokoterm.engine.planner.box_reach import BoxReach, Fewest, boxes_that_might_reach, boxes_that_reach
from sokoterm.engine.rules import color_at, goals_taking, step
from tests.unit.engine.drawn import paths, plain_of, varied_levels
from tests.unit.engine.plain_variants import STEPS, Place, PlainGame


def plain_costs(game: PlainGame, box: Place, *, by_pushes: bool) -> dict[Place, tuple[int, int]]:
    """The fewest pushes and moves to each square of a box, or moves and pushes, a step of the player at a time."""
    best: dict[Place, tuple[int, int]] = {}
    waiting = [((0, 0), box, game.player, game)]
    done = set[tuple[Place, Place]]()
    while waiting:
        cost, place, player, now = heappop(waiting)
        if (place, player) in done:
            continue
        done.add((place, player))
        best.setdefault(place, cost)
        for letter in STEPS:
            after = now.step(letter)
            moved = after.boxes.keys() - now.boxes.keys() if after is not None else set()
            if after is None or moved and place in after.boxes:
                continue
            extra = (bool(moved), 1) if by_pushes else (1, bool(moved))
            landing = next(iter(moved), place)
            if (landing, after.player) not in done:
                heappush(waiting, ((cost[0] + extra[0], cost[1] + extra[1]), landing, after.player, after))
    return best


@given(varied_levels(), paths, st.data())
def test_squares_and_plans_are_those_of_the_plain_game(
    level: Level, steps: list[Direction], data: st.DataObject
) -> None:
    board, state = level.board, level.start
    for direction in steps:
        state = step(board, state, direction) or state
    box = data.draw(st.sampled_from([*scan(state.boxes & board.floor)]))
    reach = BoxReach(board, state, box)
    game = plain_of(level, state)
    for fewest in Fewest:
        by_pushes = fewest is Fewest.PUSHES
        costs = plain_costs(game, board.row_column(box), by_pushes=by_pushes)
        assert {board.row_column(square) for square in reach.pushes} == costs.keys()
        for square, pushes in reach.pushes.items():
            plan = reach.plan(square, fewest)
            cost = costs[board.row_column(square)]
            assert ((plan.pushes, plan.moves) if by_pushes else (plan.moves, plan.pushes)) == cost
            assert not by_pushes or pushes == plan.pushes
            end = end_of(board, state, plan.lurd)
            assert end.boxes & board.floor == state.boxes & board.floor ^ 1 << box ^ 1 << square or square == box
            assert color_at(board, end.boxes, square) == color_at(board, state.boxes, box)


@given(varied_levels(), st.data())
def test_boxes_that_reach_a_square(level: Level, data: st.DataObject) -> None:
    board, state = level.board, level.start
    square = data.draw(st.sampled_from([*scan(board.floor)]))
    reaching = dict(boxes_that_reach(board, state, square))
    for box in scan(state.boxes & board.floor):
        assert BoxReach(board, state, box).pushes.get(square) == reaching.get(box)
        assert box not in reaching or boxes_that_might_reach(board, state, square) >> box & 1


@given(varied_levels())
def test_goals_that_take_a_box(level: Level) -> None:
    board, state = level.board, level.start
    game = plain_of(level, state)
    for box in scan(state.boxes & board.floor):
        color = game.boxes[board.row_column(box)]
        taking = {place for place, of_goal in game.goals.items() if color is None or of_goal in (None, color)}
        assert {board.row_column(goal) for goal in scan(goals_taking(board, state.boxes, box))} == taking
