"""Reverse play: pulls are pushes taken back, and what they yield is a solution by the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.pulling import Pulling, why_no_pulling
from sokoterm.app.request import Note
from sokoterm.engine.bits import DIRECTIONS
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import parse_lurd, verify
from sokoterm.engine.lurd import play as play_moves
from sokoterm.engine.rules import legal_moves, pull, solved_boxes, step
from sokoterm.formats.text import from_picture

HALL = Level.from_xsb("########\n#      #\n#@$   .#\n#  $  .#\n#      #\n########")
COLORED = from_picture("#######\n#@$$  #\n# ..  #\n#     #\n#######\nboxorder: 1 2\ngoalorder: 2 1")
ACTIONS = [f"{verb}{towards}" for verb in ("", "pull ") for towards in ("up", "down", "left", "right")]


@given(st.sampled_from([HALL, COLORED]), st.lists(st.sampled_from(DIRECTIONS), max_size=60))
def test_a_pull_takes_back_a_push_and_nothing_else(level: Level, directions: list[int]) -> None:
    """From every position of a walk: the pull against a push leads back, and no pull is there without such a push."""
    board, state = level.board, level.start
    for direction in directions:
        after = step(board, state, DIRECTIONS[direction])
        if after is None:
            continue
        if after.boxes != state.boxes:
            assert pull(board, after, DIRECTIONS[direction].opposite) == state
        for each in DIRECTIONS:
            before = pull(board, after, each)
            if before is not None:
                assert step(board, before, each.opposite) == after
        state = after


@given(st.sampled_from([HALL, COLORED]), st.lists(st.sampled_from([*ACTIONS, "next area"]), max_size=80))
def test_the_moves_of_a_reverse_play_solve_the_position_it_has_come_to(level: Level, actions: list[str]) -> None:
    pulling = Pulling(level, is_free=True)
    for action in actions:
        pulling.act(action)
    positions = [state for state, _ in play_moves(level.board, pulling.state, parse_lurd(pulling.lurd))]
    assert (positions or [pulling.state])[-1].boxes == solved_boxes(level.board, level.start.boxes)
    assert sum(map(str.isupper, pulling.lurd)) == pulling.pulls


@given(st.lists(st.sampled_from([*ACTIONS, "next area"]), max_size=40))
def test_all_can_be_undone_and_redone(actions: list[str]) -> None:
    pulling = Pulling(HALL)
    seen = [(pulling.state, pulling.lurd)]
    for action in actions:
        pulling.act(action)
        if (pulling.state, pulling.lurd) != seen[-1]:
            seen.append((pulling.state, pulling.lurd))
    for expected in reversed(seen[:-1]):
        pulling.act("undo")
        assert (pulling.state, pulling.lurd) == expected
    assert pulling.act("undo") is Note.NOTHING_TO_UNDO
    pulling.act("redo all")
    assert (pulling.state, pulling.lurd) == seen[-1]


def test_a_level_is_solved_by_pulling_its_boxes_back() -> None:
    level = Level.from_xsb("#######\n#@ $ .#\n#######")
    pulling = Pulling(level)
    for action in ("right", "right", "right", "pull left", "pull left"):
        assert pulling.solution is None
        pulling.act(action)
    assert pulling.solution == verify(level.board, level.start, "rRR")


def test_the_player_must_come_out_on_his_own_side() -> None:
    pulling = Pulling(Level.from_xsb("########\n# $@.  #\n########"))
    for action in ("pull left", "pull left"):
        assert not pulling.are_boxes_home
        assert pulling.act(action) is None
    assert pulling.are_boxes_home
    assert pulling.solution is None


def test_the_player_changes_sides_before_the_first_pull() -> None:
    level = Level.from_xsb("########\n#@ $.  #\n########")
    pulling = Pulling(level)
    pulling.act("next area")
    assert pulling.state.player == level.board.square(1, 5)
    assert pulling.act("pull left") is Note.NOTHING_TO_PULL
    assert pulling.act("pull right") is None
    assert level.board.row_column(pulling.state.player) == (1, 6)
    assert pulling.lurd == "L"


def test_the_player_stands_anywhere_before_the_first_pull_only() -> None:
    pulling = Pulling(HALL)
    square = HALL.board.square(4, 6)
    pulling.go_to(square)
    assert (pulling.state.player, pulling.lurd) == (square, "")
    for action in ("up", "left", "left", "up"):
        pulling.act(action)
    pulling.go_to(HALL.board.square(2, 5))
    pulling.act("pull left")
    assert pulling.act("next area") is Note.PLAYER_STAYS
    pulling.go_to(HALL.board.square(4, 1))
    assert pulling.lurd.endswith("R")
    assert pulling.lurd[:-1].islower()


def test_the_squares_on_which_boxes_begin_are_the_goals_of_the_picture() -> None:
    shown = Pulling(COLORED).shown
    assert shown.board.goals == COLORED.start.boxes & COLORED.board.floor
    assert not shown.board.is_ordinary
    assert [each.bit_count() for each in shown.board.colors] == [1, 1]


def test_the_player_on_a_goal_begins_elsewhere() -> None:
    level = Level.from_xsb("######\n#+$  #\n######")
    assert Pulling(level).state == State(level.board.goals, level.board.square(1, 2))


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ("ice: -\nice: -~~", Note.NO_PULLING_ON_ICE),
        ("boxorder: 1 2\ngoalorder: 1 99", Note.GOALS_LEFT_OPEN),
        ("boxorder: 1 2\ngoalorder: 2 1", None),
    ],
)
def test_what_cannot_be_reversed_is_said(keys: str, why: Note | None) -> None:
    level = from_picture(f"#######\n#@$$  #\n# ..  #\n#     #\n#######\n{keys}")
    assert why_no_pulling(level) is why
    assert legal_moves(level.board, level.start)
