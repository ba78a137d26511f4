"""What the mouse does on each screen, how moves that were found are shown, and boards that are turned."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.keymap import PLAY, help_lines
from sokoterm.app.request import Note
from sokoterm.engine.bits import DIRECTIONS, SYMMETRIES, Direction, Symmetry
from sokoterm.engine.level import Level
from sokoterm.store.progress import ChosenLooks
from sokoterm.store.settings import Settings
from sokoterm.terminal.events import Event, Pointer
from sokoterm.tui.event_loop import AppearanceControl
from sokoterm.tui.widgets.board_view import BoardPlace, Origin, SquareSize
from sokoterm.tui.widgets.frame import Area
from sokoterm.tui.widgets.theme import THEMES
from tests.present import present
from tests.unit.tui.fake_terminal import Session, line_for, play
from tests.unit.tui.kinds import SHOWN

PACK = """\
##########\n#@ $   . #\n#        #\n##########\nTitle: One box

#######\n#@$. .#\n#  $  #\n# #####\n# #\n# #####\n#     #\n#######\nTitle: Two boxes and a corridor
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


BESIDE = Pointer(0, 0, "left", True)


@pytest.mark.parametrize(
    ("events", "moves", "pushes"),
    [
        (click(1, 8), 9, 0),  # the floor: a walk
        (click(1, 1), 0, 0),  # the player
        (click(0, 0), 0, 0),  # a wall
        (click(3, 9), 0, 0),
        ([BESIDE, Pointer(999, 999, "left", True)], 0, 0),
        ([press(2, 5, "middle"), press(2, 5, "wheel up"), release(2, 5), release(1, 3)], 0, 0),
        ([*click(1, 3), *click(1, 7)], 5, 4),  # a box, and then its square
        ([*click(1, 3), *click(0, 0)], 0, 0),  # elsewhere, which leaves the planner
        ([*click(1, 3), BESIDE, "l"], 1, 0),
        ([press(1, 3), release(1, 6)], 4, 3),  # a drag
        *(([press(1, 3), end, "esc", "esc"], 0, 0) for end in (release(0, 0), BESIDE, release(1, 3))),  # to nowhere
        ([*click(1, 7, "right"), *click(1, 3)], 5, 4),  # a goal, and then the box for it
        *((click(*square, "right"), 0, 0) for square in ((1, 3), (2, 2), (0, 0), (1, 1))),
        (["g", *click(2, 1), "1"], 1, 0),  # takes back the question
        (["size 4 10", *click(1, 8), Pointer(1, 1, "left", True), "size 24 80"], 0, 0),  # too small a window
        (["size 4 10", "size 24 80", *click(1, 8)], 9, 0),  # before the picture of the new size is painted
    ],
)
def test_what_clicks_do_is_one_undo_group(tmp_path: Path, events: list[Event], moves: int, pushes: int) -> None:
    seen = session(tmp_path, events).saved()
    assert (seen.moves, seen.pushes) == (moves, pushes)
    assert session(tmp_path, ["u"]).saved().moves == 0


@pytest.mark.parametrize(
    ("board", "events", "said"),
    [
        ("##########\n#@ $   . #\n#  #     #\n##########\n", click(1, 6), Note.NO_WAY),
        ("##########\n#@ $   .*#\n#        #\n##########\n", click(1, 8, "right"), Note.GOAL_FILLED),
    ],
)
def test_a_click_that_cannot_do_anything_says_so(tmp_path: Path, board: str, events: list[Event], said: Note) -> None:
    seen = play(tmp_path, board, events)
    assert seen.shows(line_for(said))
    assert seen.saved().moves == 0


def test_wheel_and_middle_button_leave_questions_and_what_is_shown_alone(tmp_path: Path) -> None:
    for button in ("wheel up", "wheel down", "middle"):
        assert session(tmp_path, ["g", press(1, 3, button)]).shows("level number")
        assert session(tmp_path, [press(3, 8), press(1, 3, button)], animation=10).last.count("moves 0 ")
        session(tmp_path, ["u"])
    under_the_player = ["j", *(["l"] * 6), "k", *click(1, 7, "right")]
    assert not session(tmp_path, under_the_player).shows("moves 8 ")
    assert session(tmp_path, ["M"]).shows("mouse off: the terminal selects text again")
    assert session(tmp_path, ["M", "M"]).shows("mouse on")


# Wide cells and viewports


def test_both_columns_of_a_wide_cell_are_its_square(tmp_path: Path) -> None:
    for half in (0, 1):
        events: list[Event] = ["r", Pointer(TOP + 1, 30 + 2 * 8 + half, "left", True)]
        assert play(tmp_path, PACK.split("\n\n")[0], events, cell=2).saved().moves == 9


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
    rows = ["#@" + " " * 117 + "#", "#" + " " * 77 + "$" + " " * 38 + ". #", "#" + " " * 118 + "#"]
    hall = "\n".join(["#" * 120, *rows, "#" * 120])
    events: list[Event] = [Pointer(11, 78, "left", True), Pointer(11, 78, "left", False)]
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
    st.sampled_from(SYMMETRIES),
)


@given(places, st.integers(-2, 40), st.integers(-2, 100))
def test_squares_and_cells_agree(place: BoardPlace, row: int, column: int) -> None:
    square = place.square_at(row, column)
    if square is not None:
        cell = present(place.cell_of(square))
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


def test_a_solution_that_is_shown_is_solved_at_its_end_or_with_a_key_and_recorded_at_once(tmp_path: Path) -> None:
    assert not session(tmp_path, [*click(1, 8), "wait"], animation=10).shows("moves 9 ")  # the release ends nothing
    drag: list[Event] = [press(1, 3), release(1, 7)]
    assert not session(tmp_path, ["r", *drag], animation=10).shows("level solved")
    assert session(tmp_path, ["b"]).shows("***  1")
    assert session(tmp_path, ["r", *drag, "C-c"], animation=10).shows("level solved")


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

FIRST, SECOND = Pointer(2, 4, "left", True), Pointer(3, 4, "left", True)
DOWN, UP = (Pointer(5, 5, f"wheel {way}", True) for way in ("down", "up"))


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([SECOND], "##@ []..  ..##"),
        ([SECOND, SECOND], "test 2/2"),
        ([FIRST, FIRST], "test 1/2"),
        ([Pointer(9, 4, "left", True), Pointer(3, 70, "left", True), Pointer(0, 4, "left", True), "enter"], "test 1/2"),
        ([Pointer(9, 9, "right", True)], "─ Packs ─"),
        ([Pointer(9, 9, "right", True), Pointer(4, 4, "right", True)], "##@   []      ..  ##"),
    ],
)
def test_rows_are_clicked_in_the_browser(tmp_path: Path, events: list[Event], words: str) -> None:
    assert session(tmp_path, ["b", *events]).shows(words)


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([DOWN, DOWN], "7-25 of 60"),
        ([DOWN] * 50, "42-60 of 60"),
        ([DOWN, DOWN, UP, UP, UP], "1-19 of 60"),
        ([DOWN, DOWN, "enter"], "test 7/60"),
    ],
)
def test_the_wheel_scrolls_a_list_and_keeps_the_chosen_row_on_it(
    tmp_path: Path, events: list[Event], words: str
) -> None:
    assert play(tmp_path, "\n".join(["#####\n#@$.#\n#####\n"] * 60), ["b", *events]).shows(words)


def test_the_wheel_scrolls_the_help_and_a_click_closes_it(tmp_path: Path) -> None:
    assert session(tmp_path, ["?", *[DOWN] * 12]).shows(help_lines(PLAY)[-1].keys)
    assert session(tmp_path, ["?", DOWN, UP]).shows("run: walk or push")
    assert session(tmp_path, ["?", Pointer(5, 5, "left", True)]).shows("moves 0")


def test_a_replay_is_paused_by_a_click_and_stepped_by_the_wheel(tmp_path: Path) -> None:
    shown, click_on_it = ["S", "R", "home"], Pointer(5, 5, "left", True)
    assert session(tmp_path, [*shown, DOWN, DOWN, UP]).shows("move 1/")
    assert session(tmp_path, [*shown, click_on_it]).shows("moves/s")
    assert session(tmp_path, [*shown, click_on_it, click_on_it]).shows("paused")


# Boards that are turned and mirrored: keys, mouse, labels and pictures follow the view

TWO_BOXES = "#########\n#@  $  .#\n#   #   #\n#  $   .#\n#########\n"
TURNED = Level.from_xsb(TWO_BOXES)
# The keys that lead to each view from the one as written.
VIEWS = ((), ("t",), ("t", "t"), ("t", "t", "t"), ("x",), ("x", "t"), ("x", "t", "t"), ("x", "t", "t", "t"))
KEYS = ("up", "right", "down", "left")


def board_in(session: Session) -> list[str]:
    """The rows of the board in the last picture, without what is around them."""
    rows = [line for line in session.last.splitlines()[1:-2] if "#" in line]
    left = min(len(row) - len(row.lstrip()) for row in rows)
    return [row[left:].rstrip() for row in rows]


def view_of(keys: tuple[str, ...]) -> Symmetry:
    control = AppearanceControl(THEMES, Settings(), ChosenLooks(), shows_tiles=True)
    for key in keys:
        control.act("mirror view" if key == "x" else "turn view")
    return control.now.view


def rows_of(view: Symmetry, rows: list[str]) -> list[str]:
    width = max(map(len, rows))
    return [row.rstrip() for row in view.rows([row.ljust(width) for row in rows])]


def test_every_view_is_there() -> None:
    assert {view_of(keys) for keys in VIEWS} == set(SYMMETRIES)


@given(st.sampled_from(SYMMETRIES), st.sampled_from(SYMMETRIES), st.sampled_from(DIRECTIONS))
def test_one_view_after_another_is_what_both_do(one: Symmetry, other: Symmetry, direction: Direction) -> None:
    picture = ["abc", "def"]
    assert other.rows(one.rows(picture)) == one.then(other).rows(picture)
    assert other.direction(one.direction(direction)) == one.then(other).direction(direction)


@pytest.mark.parametrize("keys", VIEWS)
def test_the_picture_is_turned_and_the_arrows_follow_it(tmp_path: Path, keys: tuple[str, ...]) -> None:
    view = view_of(keys)
    shown = play(tmp_path, TWO_BOXES, keys)
    assert board_in(shown) == rows_of(view, TWO_BOXES.splitlines())
    row, column = shown.frames[-1].cursor
    for key, (down, right) in zip(KEYS, ((-1, 0), (0, 1), (1, 0), (0, -1)), strict=True):
        after = play(tmp_path, TWO_BOXES, [*keys, "r", key])
        at = after.frames[-1].cursor
        blocked = at == (row, column)
        assert at == (row + down, column + right) or blocked
        assert blocked == (shown.last.splitlines()[row + down][column + right] == "#")


@pytest.mark.parametrize("keys", VIEWS)
def test_a_click_means_the_square_that_is_seen_there(tmp_path: Path, keys: tuple[str, ...]) -> None:
    view, board = view_of(keys), TURNED.board
    shown = play(tmp_path, TWO_BOXES, keys)
    row, column = shown.frames[-1].cursor
    start = view.place(*board.row_column(TURNED.start.player), board.height, board.width)
    there = view.place(3, 1, board.height, board.width)
    click = Pointer(row + there[0] - start[0], column + there[1] - start[1], "left", True)
    assert play(tmp_path, TWO_BOXES, [*keys, click]).saved().lurd == "dd"


def test_colours_and_ice_are_turned_too(tmp_path: Path) -> None:
    upright, *others = (board_in(play(tmp_path, SHOWN["both"], [*keys, "r"], size=(40, 80))) for keys in VIEWS)
    assert others == [rows_of(view_of(keys), upright) for keys in VIEWS[1:]]


def test_planner_replay_and_reverse_play_are_turned_as_the_board_is(tmp_path: Path) -> None:
    pack = "#####\n#@$.#\n#####\n"
    for keys in (["t", "tab"], ["t", "B"], ["t", "down", "R"]):
        assert len(board_in(play(tmp_path, pack, keys))) == 5, keys
    assert play(tmp_path, pack, ["t", "r", "B", "down", "J", "K", "enter"]).shows("Enter other packs")
    # Elsewhere boards are as written.
    assert play(tmp_path, pack, ["e"]).shows("#@$.#")
    assert play(tmp_path, pack, ["b", "right"]).shows("##@ []..##")


def test_the_cursor_of_the_planner_goes_where_the_arrow_points(tmp_path: Path) -> None:
    for keys in VIEWS:
        for key, (down, right) in zip(KEYS, ((-1, 0), (0, 1), (1, 0), (0, -1)), strict=True):
            shown = play(tmp_path, TWO_BOXES, [*keys, "tab", "enter", key])
            before, after = shown.frames[-2].cursor, shown.frames[-1].cursor
            moved = after[0] - before[0], after[1] - before[1]
            assert moved == (0, 0) or moved[0] * down + moved[1] * right > 0, (keys, key)


def test_the_view_is_named() -> None:
    control = AppearanceControl(THEMES, Settings(), ChosenLooks(view=99), shows_tiles=True)
    assert control.now.view == SYMMETRIES[3], "a number of a later version is one of these"
    assert control.act("turn view") == "view: turned to the left"
    assert control.act("turn view") == "view: as written"
    told = [control.act("turn view") for _ in range(4)]
    assert told == [f"view: {name}" for name in
                    ("turned to the right", "turned by 180 degrees", "turned to the left", "as written")]  # fmt: skip
    assert control.act("mirror view") == "view: mirrored left to right"
