"""Levels with colours and ice, line by line."""

from pathlib import Path

import pytest

from sokoterm.engine.lurd import direction_of
from sokoterm.engine.rules import step
from sokoterm.linemode.speech import BoxNames
from tests.unit.linemode.fake_lines import play
from tests.unit.tui.kinds import SHOWN, SOLVED, level_of

CROSSED = """\
#########
#       #
#@$  .  #
# $  .  #
#       #
#########
Title: Crossed
Boxorder: 1 2
Goalorder: 2 1
"""
RINK = """\
########
#      #
#@$  $ #
#.    .#
########
Title: Rink
Ice: -
Ice: -
Ice: -~~~~~~
Ice: -~~~~~~
"""


AROUND = (
    "you are at row 3 column 3, on ice; up 1 free, then a wall; right 1 free, then box a, blocked; "
    "down 1 free, then a wall; left 1 free, then a wall"
)


def test_the_board_has_names_for_boxes_and_numbers_for_the_colours_of_goals(tmp_path: Path) -> None:
    told = play(tmp_path, CROSSED, [])
    assert told.lines[1:] == [
        "test1, level 1 of 1: Crossed",
        "6 rows, 9 columns, 2 boxes; you are at row 3 column 2",
        "colours: a coloured box belongs on a goal of its colour, or on one without a colour",
        "#########",
        "#       #",
        "#@c  2  #",
        "# d  1  #",
        "#       #",
        "#########",
        "colours: 1 orange (A), box c; 2 blue (B), box d",
    ]


def test_boxes_and_goals_are_called_by_their_colours(tmp_path: Path) -> None:
    told = play(tmp_path, CROSSED, ["where c", "goals", "reach c", "push c to 3,6", "boxes", "where 4,6", "right"])
    assert told.lines[11:14] + told.lines[15:] == [
        "orange box c at row 3 column 3; can be pushed right and left",
        "blue goal at row 3 column 6: empty",
        "orange goal at row 4 column 6: empty",
        "orange box c pushed 3 right to row 3 column 6, on a blue goal, 0 of 2 home",
        "orange box c at row 3 column 6, on a blue goal",
        "blue box d at row 4 column 3",
        "row 4 column 6: an orange goal; you can walk there",
        "orange box c pushed right to row 3 column 7, 0 of 2 home",
    ]
    assert (
        "; goals: row 4 column 6; others: row 3 columns 4 to 7, row 4 columns 4, 5 and 7; dead ends: " in told.lines[14]
    )


def test_only_boxes_that_a_goal_takes_fill_it(tmp_path: Path) -> None:
    told = play(tmp_path, CROSSED, ["fill 4,6", "fill 3,6"])
    assert told.lines[11:] == ["orange box c in 4 pushes", "blue box d in 4 pushes"]


def test_ice_is_told_and_boxes_slide_to_where_they_are_said_to_be(tmp_path: Path) -> None:
    told = play(tmp_path, RINK, ["right", "where", "where 4,4", "undo", "board"])
    assert told.lines[1:] == [
        "test1, level 1 of 1: Rink",
        "5 rows, 8 columns, 2 boxes; you are at row 3 column 2",
        "sliding: on ice, a pushed box slides until something stops it",
        "########",
        "#      #",
        "#@a~~b~#",
        "#.~~~~.#",
        "########",
        "box a pushed right to row 3 column 5, 0 of 2 home",
        AROUND,
        "row 4 column 4: ice; you can walk there",
        "undone: box a back to row 3 column 3, 0 of 2 home",
        "########",
        "#      #",
        "#@a~~b~#",
        "#.~~~~.#",
        "########",
    ]


@pytest.mark.parametrize("kind", SOLVED)
def test_a_level_is_played_to_its_end(tmp_path: Path, kind: str) -> None:
    """By the push planner's line, a push at a time."""
    pack, lurd = SOLVED[kind]
    level = level_of(pack)
    names, state, lines = BoxNames(level), level.start, list[str]()
    for number, letter in enumerate(lurd):
        called = names.situation(lurd[:number]).names
        after = step(level.board, state, direction_of(letter))
        assert after is not None
        if letter.isupper():
            landing = (after.boxes & ~state.boxes & level.board.floor).bit_length() - 1
            row, column = level.board.row_column(landing)
            lines.append(f"push {called[after.player]} to {row + 1},{column + 1}")
        state = after
    told = play(tmp_path, pack, lines)
    pushes = sum(map(str.isupper, lurd))
    assert told.says(f"Solved in {pushes} pushes")


@pytest.mark.parametrize("kind", SOLVED)
def test_names_follow_boxes_that_slide_there_and_back(kind: str) -> None:
    pack, lurd = SOLVED[kind]
    level = level_of(pack)
    names, state = BoxNames(level), level.start
    begun = [*names.situation("").names.items()]
    for number, letter in enumerate(lurd, start=1):
        after = step(level.board, state, direction_of(letter))
        assert after is not None
        state = after
        here = names.situation(lurd[:number])
        assert sum(1 << square for square in here.names) == state.boxes & level.board.floor
    for number in range(len(lurd), -1, -1):
        last = names.situation(lurd[:number]).names
    assert [*last.items()] == begun


def test_boxes_without_a_colour_have_none_in_their_name() -> None:
    level = level_of(SHOWN["both"])
    start = BoxNames(level).situation("")
    assert [*map(start.box, start.names)][:4] == [
        "blue box e", "orange box f", "box g", "yellow box h",
    ]  # fmt: skip
