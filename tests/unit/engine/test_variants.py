"""Boxes with colours and boxes that slide: the engine and a plain reference play the same games."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sokoterm.engine.bits import DIRECTIONS, Direction
from sokoterm.engine.board import State
from sokoterm.engine.level import Level, LevelError, varied
from sokoterm.engine.lurd import verify
from sokoterm.engine.rules import boxes_away, color_at, is_solved, perft, step, step_back
from tests.unit.engine.drawn import levels, paths
from tests.unit.engine.plain_variants import PlainGame


@st.composite
def varied_levels(draw: st.DrawFn) -> Level:
    """Draw a level with up to three colours and with ice, in any mix, sometimes with ice everywhere."""
    level = draw(levels)
    boxes = [square for square in range(level.board.size) if level.start.boxes >> square & 1]
    goals = [square for square in range(level.board.size) if level.board.goals >> square & 1]
    colors = st.sampled_from((None, 0, 1, 2) if draw(st.booleans()) else (None,))
    ice = draw(st.sampled_from((0, -1)) | st.integers(0, (1 << level.board.size) - 1))
    of_boxes, of_goals = (
        {each: color for each in some if (color := draw(colors)) is not None} for some in (boxes, goals)
    )
    try:
        return varied(level, of_boxes, of_goals, ice)
    except LevelError:
        assume(False)
        raise


def plain_of(level: Level, state: State) -> PlainGame:
    """Return a position in the words of the reference."""
    board = level.board
    places = [board.row_column(square) for square in range(board.size)]
    variant = board.variant

    def those(bits: int) -> list[int]:
        return [square for square in range(board.size) if bits >> square & 1]

    goals = {
        places[square]: next(
            (color for color, some in enumerate(variant.colors if variant else ()) if some >> square & 1), None
        )
        for square in those(board.goals)
    }
    return PlainGame(
        frozenset(places[square] for square in those(board.floor)),
        frozenset(places[square] for square in those(variant.ice if variant else 0)),
        goals,
        {places[square]: color_at(board, state.boxes, square) for square in those(state.boxes & board.floor)},
        places[state.player],
    )


@given(varied_levels(), paths)
def test_the_engine_and_the_reference_play_the_same_game(level: Level, steps: list[Direction]) -> None:
    board, state = level.board, level.start
    game = plain_of(level, state)
    for direction in steps:
        after, plain_after = step(board, state, direction), game.step(direction.letter)
        assert (after is None) == (plain_after is None)
        if after is None or plain_after is None:
            continue
        assert plain_of(level, after) == plain_after._replace(pushed=0)
        assert is_solved(board, after) == plain_after.is_solved
        assert (after.boxes != state.boxes) == (plain_after.pushed > 0)
        assert step_back(board, after, direction, plain_after.pushed > 0) == state
        state, game = after, plain_after


ICE_RINK = Level.from_xsb("########\n#@$    #\n#      #\n#   .  #\n########")
RINK = varied(ICE_RINK, {}, {}, ICE_RINK.board.floor)
TWO = Level.from_xsb("#######\n#.$@$.#\n#######")
CROSSED = varied(TWO, {TWO.board.square(1, 2): 0, TWO.board.square(1, 4): 1}, {TWO.board.square(1, 1): 1})


@pytest.mark.parametrize(("level", "counts"), [(RINK, (2, 6, 16, 51, 148, 481)), (CROSSED, (2, 2, 4, 4, 8, 8))])
def test_perft(level: Level, counts: tuple[int, ...]) -> None:
    game = plain_of(level, level.start)
    for depth, count in enumerate(counts, start=1):
        assert game.perft(depth) == count
        assert perft(level.board, level.start, depth) == count


def test_a_box_slides_to_the_wall_and_back_over_a_goal() -> None:
    after = step(RINK.board, RINK.start, DIRECTIONS[1])
    assert after is not None
    assert RINK.xsb(after).splitlines()[1] == "# @   $#"


def test_a_box_of_another_colour_is_not_home() -> None:
    board, square = CROSSED.board, CROSSED.board.square
    after = step(board, CROSSED.start, DIRECTIONS[3])
    assert after is not None
    assert boxes_away(board, after) == 1 << square(1, 1) | 1 << square(1, 4)


def test_more_boxes_of_a_colour_than_goals_are_an_error() -> None:
    first, second = (TWO.board.square(1, column) for column in (2, 4))
    with pytest.raises(LevelError, match="found 2 boxes of colour 1, expected no more than goals that take them"):
        varied(TWO, {first: 0, second: 0}, {TWO.board.square(1, 1): 1})


def test_the_metrics_of_slides() -> None:
    level = Level.from_xsb("########\n#@$  . #\n#      #\n########")
    rink = varied(level, {}, {}, 1 << level.board.square(1, 4))
    solution = verify(rink.board, rink.start, "RRR")
    assert (solution.pushes, solution.box_changes, solution.box_lines) == (2, 1, 1)
