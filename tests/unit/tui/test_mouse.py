"""What the mouse does on each screen, and how moves that were found are shown."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.keymap import PLAY, help_lines
from sokoterm.app.request import Note
from sokoterm.terminal.events import Event, Pointer
from sokoterm.tui.widgets.board_view import Area, BoardPlace, Origin, SquareSize
from tests.unit.tui.fake_terminal import Session, line_for, play

PACK = """\
##########
#@ $   . #
#        #
##########
Title: One box

#######
#@$. .#
#  $  #
# #####
# #
# #####
#     #
#######
Title: Two boxes and a corridor
"""
# In a window of 24 rows and cells of one column; a comment takes no row here.
TOP, LEFT = 9, 35


def press(row: int, column: int, button: str = "left") -> Pointer:
    """A press on a square of the first level."""
    return Pointer(TOP + row, LEFT + column, button, True)


def release(row: int, column: int, button: str = "left") -> Pointer:
    return press(row, column, button)._replace(is_press=False)


def click(row: int, column: int, button: str = "left") -> list[Event]:
    return [press(row, column, button), release(row, column, button)]


def session(folder: Path, events: Iterable[Event], *, animation: int = 0, size: tuple[int, int] = (24, 80)) -> Session:
    return play(folder, PACK, events, animation=animation, size=size)


def test_the_board_of_these_tests_stands_where_they_say(tmp_path: Path) -> None:
    lines = session(tmp_path, []).last.split("\n")
    assert lines[TOP + 1][LEFT:] == "#@ $   . #"


def test_a_click_on_the_floor_walks_there_as_one_undo_group(tmp_path: Path) -> None:
    seen = session(tmp_path, click(1, 8))
    assert seen.saved().moves == 9
    assert seen.saved().pushes == 0
    assert session(tmp_path, ["u"]).saved().moves == 0


def test_a_click_on_the_player_a_wall_or_beside_the_board_does_nothing(tmp_path: Path) -> None:
    for events in (
        click(1, 1),
        click(0, 0),
        click(3, 9),
        [Pointer(0, 0, "left", True), Pointer(999, 999, "left", True)],
    ):
        assert session(tmp_path, events).saved().moves == 0


def test_a_click_out_of_reach_says_so(tmp_path: Path) -> None:
    frozen_board = "##########\n#@ $   . #\n#  #     #\n##########\n"
    seen = play(tmp_path, frozen_board, click(1, 6))
    assert seen.shows(line_for(Note.NO_WAY))
    assert seen.saved().moves == 0


def test_wheel_and_middle_button_and_lone_releases_do_nothing_on_the_board(tmp_path: Path) -> None:
    events = [press(2, 5, "middle"), press(2, 5, "wheel up"), release(2, 5), release(1, 3)]
    assert session(tmp_path, events).saved().moves == 0


def test_wheel_and_middle_button_leave_questions_and_what_is_shown_alone(tmp_path: Path) -> None:
    for button in ("wheel up", "wheel down", "middle"):
        assert session(tmp_path, ["g", press(1, 3, button)]).shows("level number")
        assert session(tmp_path, [press(3, 8), press(1, 3, button)], animation=10).last.count("moves 0 ")
        session(tmp_path, ["u"])


def test_a_box_is_clicked_and_then_its_square(tmp_path: Path) -> None:
    assert session(tmp_path, click(1, 3)).shows("squares in reach")
    seen = session(tmp_path, [*click(1, 3), *click(1, 7)])
    assert seen.saved().solution
    assert session(tmp_path, ["u"]).saved().moves == 0


def test_a_box_is_dragged(tmp_path: Path) -> None:
    seen = session(tmp_path, [press(1, 3), release(1, 6)])
    assert seen.saved().pushes == 3
    assert session(tmp_path, ["u"]).saved().pushes == 0


def test_a_drag_to_where_the_box_cannot_go_changes_nothing(tmp_path: Path) -> None:
    for end in (release(0, 0), Pointer(0, 0, "left", False), release(1, 3)):
        assert session(tmp_path, [press(1, 3), end, "esc", "esc"]).saved().moves == 0


def test_a_click_elsewhere_leaves_the_planner(tmp_path: Path) -> None:
    seen = session(tmp_path, [*click(1, 3), *click(0, 0)])
    assert seen.saved().moves == 0
    seen = session(tmp_path, [*click(1, 3), Pointer(0, 0, "left", True), "l"])
    assert seen.saved().moves == 1


def test_a_right_click_on_a_goal_asks_which_box_reaches_it(tmp_path: Path) -> None:
    seen = session(tmp_path, [*click(1, 7, "right"), *click(1, 3)])
    assert seen.saved().solution


def test_a_right_click_elsewhere_does_nothing(tmp_path: Path) -> None:
    for square in ((1, 3), (2, 2), (0, 0), (1, 1)):
        assert session(tmp_path, click(*square, "right")).saved().moves == 0


def test_a_right_click_on_a_goal_under_the_player_asks_too(tmp_path: Path) -> None:
    assert not session(tmp_path, ["j", *(["l"] * 6), "k", *click(1, 7, "right")]).shows("moves 8 ")


def test_keys_open_the_planner_too(tmp_path: Path) -> None:
    for key in ("tab", "S-tab", "G"):
        assert not session(tmp_path, [key]).shows("moves 0 "), key
        assert session(tmp_path, [key, "esc"]).shows("moves 0 "), key


def test_a_click_while_a_question_is_asked_takes_it_back(tmp_path: Path) -> None:
    seen = session(tmp_path, ["g", *click(2, 1), "1"])
    assert seen.saved().moves == 1
    assert not seen.shows("level number")


def test_clicks_in_a_window_that_is_too_small_do_nothing(tmp_path: Path) -> None:
    assert session(tmp_path, ["size 4 10", *click(1, 8), Pointer(1, 1, "left", True), "size 24 80"]).saved().moves == 0


def test_a_click_before_the_picture_of_the_new_size_is_painted_names_no_wrong_square(tmp_path: Path) -> None:
    seen = session(tmp_path, ["size 4 10", "size 24 80", *click(1, 8)])
    assert seen.saved().moves == 9


# Wide cells and viewports


@pytest.mark.parametrize("half", [0, 1])
def test_both_columns_of_a_wide_cell_are_its_square(tmp_path: Path, half: int) -> None:
    board = PACK.split("\n\n")[0]
    seen = play(tmp_path, board, [Pointer(TOP + 1, 30 + 2 * 8 + half, "left", True)], cell=2)
    assert seen.saved().moves == 9


WIDE = "#" * 120 + "\n#@" + " " * 117 + "#\n#" + " " * 100 + "$.#" + " " * 16 + "#\n" + "#" * 120 + "\n"


@pytest.mark.parametrize("cell", [1, 2])
def test_on_a_scrolled_board_the_square_under_the_pointer_acts(tmp_path: Path, cell: int) -> None:
    shown = play(tmp_path, WIDE, ["L"], cell=cell).last.split("\n")
    row = next(index for index, line in enumerate(shown) if "$" in line or "[" in line)
    box = min(column for column in (shown[row].find("$"), shown[row].find("[")) if column >= 0)
    left_of_it = Pointer(row, box - cell, "left", True)
    seen = play(tmp_path, WIDE, ["u", "L", left_of_it, "l"], cell=cell)
    assert seen.saved().solution


def test_a_click_is_no_drag_where_the_picture_scrolls_under_the_pointer(tmp_path: Path) -> None:
    hall = (
        "#" * 120 + "\n#@" + " " * 117 + "#\n#" + " " * 77 + "$" + " " * 38 + ". #\n#" + " " * 118 + "#\n" + "#" * 120
    )
    box = Pointer(11, 78, "left", True)
    events: list[Event] = [box, box._replace(is_press=False)]
    chosen = play(tmp_path, hall, events)
    assert not chosen.shows("moves")
    assert "@" not in chosen.last
    assert play(tmp_path, hall, [*events, "esc", "esc"]).saved().moves == 0


places = st.builds(
    BoardPlace,
    st.builds(Area, st.integers(0, 3), st.integers(0, 5), st.integers(1, 30), st.integers(1, 90)),
    st.builds(Origin, st.integers(-10, 40), st.integers(-10, 40)),
    st.sampled_from([SquareSize(1, 1), SquareSize(2, 1), SquareSize(4, 2), SquareSize(8, 4)]),
    st.just(51),
    st.just(50),
    st.integers(1, 50),
)


@given(places, st.integers(-2, 40), st.integers(-2, 100))
def test_squares_and_cells_agree(place: BoardPlace, row: int, column: int) -> None:
    square = place.square_at(row, column)
    if square is not None:
        cell = place.cell_of(square)
        assert cell is not None
        assert 0 <= row - cell[0] < place.size.rows
        assert 0 <= column - cell[1] < place.size.columns


@given(places, st.integers(0, 51 * 50 - 1))
def test_cells_and_squares_agree(place: BoardPlace, square: int) -> None:
    cell = place.cell_of(square)
    if cell is not None and square % 51 < 50 and square // 51 < place.height:
        assert place.square_at(*cell) == square


# Showing moves


def test_a_walk_is_shown_move_by_move_and_any_key_ends_that_and_acts(tmp_path: Path) -> None:
    seen = session(tmp_path, [press(1, 8), *["wait"] * 20], animation=10)
    shown = [screen for screen in seen.screens if "moves 9 " not in screen]
    assert [f"moves {k} " in screen for k, screen in zip(range(1, 9), shown[-8:])] == [True] * 8
    assert seen.shows("moves 9 ")
    assert session(tmp_path, ["u", press(1, 8), "wait", "u", "v"], animation=10).shows("moves 0 ")
    assert session(tmp_path, ["u", press(1, 8), "wait", press(2, 8)], animation=10).shows("moves 10 ")
    assert session(tmp_path, ["U", "r", press(1, 8), "wait", "C-c", "j"], animation=10).shows("moves 10 ")


def test_a_release_does_not_end_what_is_shown(tmp_path: Path) -> None:
    seen = session(tmp_path, [*click(1, 8), "wait"], animation=10)
    assert not seen.shows("moves 9 ")


def test_a_solution_that_is_shown_is_solved_at_its_end_and_recorded_at_once(tmp_path: Path) -> None:
    seen = session(tmp_path, [press(1, 3), release(1, 7)], animation=10)
    assert not seen.shows("level solved")
    assert session(tmp_path, ["b"]).shows("*    1")


def test_what_is_shown_stops_with_a_key_at_its_end(tmp_path: Path) -> None:
    seen = session(tmp_path, [press(1, 3), release(1, 7), "C-c"], animation=10)
    assert seen.shows("level solved")


def test_all_is_saved_before_it_is_shown(tmp_path: Path) -> None:
    """The terminal hangs up in the middle; a kill is tried on a real one."""
    session(tmp_path, [press(1, 3), release(1, 6), "wait"], animation=5)
    assert session(tmp_path, []).saved().pushes == 3


# Packs without walk-to and push-to


def test_walk_to_and_push_to_are_off_for_a_pack_until_they_are_turned_on(tmp_path: Path) -> None:
    told = line_for(Note.PLANNING_IS_OFF)
    assert session(tmp_path, ["P"]).shows(line_for(Note.PLANNING_OFF))
    for events in (click(1, 8), click(1, 3), click(1, 7, "right"), ["tab"], ["G"]):
        seen = session(tmp_path, events)
        assert seen.shows(told)
        assert seen.saved().moves == 0
    assert not session(tmp_path, click(0, 0)).shows(told)
    assert session(tmp_path, ["n", "tab"]).shows(told)
    assert play(tmp_path, PACK.replace("One box", "Another pack"), click(1, 8)).saved().moves == 9
    assert session(tmp_path, ["p", "P"]).shows(line_for(Note.PLANNING_ON))
    assert session(tmp_path, click(1, 8)).saved().moves == 9


# Other screens


def test_a_key_turns_the_mouse_off_and_on(tmp_path: Path) -> None:
    assert session(tmp_path, ["M"]).shows("mouse off: the terminal selects text again")
    assert session(tmp_path, ["M", "M"]).shows("mouse on")


def test_rows_are_clicked_in_the_browser(tmp_path: Path) -> None:
    browse: list[Event] = ["b"]
    second, first = Pointer(3, 4, "left", True), Pointer(2, 4, "left", True)
    assert session(tmp_path, [*browse, second]).shows("#@$. .#")
    assert session(tmp_path, [*browse, second, second]).shows("test 2/2")
    assert session(tmp_path, ["b", first, first]).shows("test 1/2")
    beside = [Pointer(9, 4, "left", True), Pointer(3, 70, "left", True), Pointer(0, 4, "left", True)]
    assert session(tmp_path, ["b", *beside, "enter"]).shows("test 1/2")
    packs = session(tmp_path, ["b", Pointer(9, 9, "right", True)])
    assert packs.shows("sokoterm: packs")
    back = session(tmp_path, ["b", Pointer(9, 9, "right", True), Pointer(2, 4, "right", True)])
    assert not back.shows("sokoterm: packs")


def test_the_wheel_scrolls_a_list_and_keeps_the_chosen_row_on_it(tmp_path: Path) -> None:
    many = "\n".join("#####\n#@$.#\n#####\n" for _ in range(60))
    down, up = (Pointer(5, 5, f"wheel {way}", True) for way in ("down", "up"))
    assert play(tmp_path, many, ["b", down, down]).shows("7-26 of 60")
    assert play(tmp_path, many, ["b", *[down] * 50]).shows("41-60 of 60")
    assert play(tmp_path, many, ["b", down, down, up, up, up]).shows("1-20 of 60")
    assert play(tmp_path, many, ["b", down, down, "enter"]).shows("test 7/60")


def test_the_wheel_scrolls_the_help_and_a_click_closes_it(tmp_path: Path) -> None:
    down, up = (Pointer(5, 5, f"wheel {way}", True) for way in ("down", "up"))
    assert session(tmp_path, ["?", *[down] * 9]).shows(help_lines(PLAY)[-1].text)
    assert session(tmp_path, ["?", down, up]).shows("run: walk or push until blocked")
    assert session(tmp_path, ["?", Pointer(5, 5, "left", True)]).saved().moves == 0


def test_a_replay_is_paused_by_a_click_and_stepped_by_the_wheel(tmp_path: Path) -> None:
    down, up = (Pointer(5, 5, f"wheel {way}", True) for way in ("down", "up"))
    shown: list[Event] = ["S", "R", "home"]
    assert session(tmp_path, [*shown, down, down, up]).shows("move 1/")
    assert session(tmp_path, [*shown, Pointer(5, 5, "left", True)]).shows("moves/s")
    assert session(tmp_path, [*shown, *[Pointer(5, 5, "left", True)] * 2]).shows("paused")


def test_a_right_click_on_a_filled_goal_says_so(tmp_path: Path) -> None:
    seen = play(tmp_path, "##########\n#@ $   .*#\n#        #\n##########\n", click(1, 8, "right"))
    assert seen.shows(line_for(Note.GOAL_FILLED))
