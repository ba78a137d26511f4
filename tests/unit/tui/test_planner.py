"""The push planner by keys, clicks and drags: what is chosen, what is said of it, and what is done in the end."""

import itertools
from functools import partial
from pathlib import Path
from string import ascii_letters

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sokoterm.app import planning
from sokoterm.app.planning import LandingRisk, boxes_at_hand
from sokoterm.app.request import Ask, Note, Perform
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import parse_lurd
from sokoterm.engine.planner.box_reach import BoxReach, boxes_that_reach
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens import planner
from sokoterm.tui.screens.planner import PlannerScreen, Stage
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.frame import Size
from sokoterm.tui.widgets.theme import CHOSEN, PICKED, THEMES
from tests.present import present
from tests.unit.engine.drawn import levels
from tests.unit.tui.fake_terminal import line_for, play
from tests.unit.tui.planned import PILLARS, Play, click, picture, press, text_of, typed
from tests.unit.tui.test_golden import HALL_WITH_A_BOX, PACK

CORRIDOR = "#########\n#@ $   .#\n#########"
LONG_HALL = "\n".join(["#" * 300, "#@ $" + " " * 294 + ".#", "#" * 300])
STUCK = "######\n#@ $#\n#. ##\n######"


# By keys, in the player


def chosen(*keys: str) -> tuple[Stage, str]:
    """The stage of the planner after some keys, with the label of its box, or that under the cursor."""
    screen = PlannerScreen(Play(PILLARS))
    typed(screen, [*keys])
    at = present(screen.box if screen.box is not None else screen.choices.cursor)
    return screen.stage, screen.box_label(at)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (["tab"], "a]  c]"),
        (["tab", "c"], "Push box c where?"),
        (["tab", "a", "e"], "box a to row 6 column 4: 3 pushes, 16 moves; Enter pushes"),
        (["tab", "a", "e", "z"], "no square z"),
        (["G", "z"], "no goal z"),
        # Goals are labelled, and the boxes that reach one light up.
        (["G"], "##c.a."),
        (["G", "enter"], "Boxes that reach the goal at row 6 column 3"),
        (["G", "enter"], "box a to row 6 column 3: 4 pushes, 17 moves; Enter pushes"),
        (["tab", "a", "?"], "Keys: push planner"),
        (["tab", "a", "f1"], "Keys: push planner"),
        (["tab", "a"], "choose by letter or arrows"),
        (["tab", "?"], "Meaning"),
    ],
)
def test_what_is_shown_after_keys(tmp_path: Path, keys: list[str], words: str) -> None:
    assert play(tmp_path, PACK, keys, cell=2).shows(words)


def test_tab_goes_on_to_the_next_box_and_shift_tab_back() -> None:
    for keys, label in (("", "a"), ("tab", "b"), ("tab tab", "c"), ("tab tab tab", "a"), ("S-tab", "c")):
        assert chosen(*keys.split()) == (Stage.BOXES, label)
        assert chosen(*keys.split(), "enter") == (Stage.SQUARES, label)
    assert chosen("a", "tab") == (Stage.SQUARES, "b")
    assert chosen("a", "S-tab") == (Stage.SQUARES, "c")


def test_a_level_is_solved_by_tab_letters_and_enter(tmp_path: Path) -> None:
    pack = CORRIDOR + "\nTitle: Push right\n"
    session = play(tmp_path, pack, ["tab", "enter", "d", "enter", *["wait"] * 20])
    assert session.saved().solution
    assert play(tmp_path, pack, ["tab"]).shows("the level is solved: Esc goes back")
    assert play(tmp_path, pack, ["tab", "esc"]).saved().solution
    asked = play(tmp_path, pack, ["G"])
    assert asked.shows("the level is solved: Esc goes back")
    assert not asked.shows("Which boxes")


def test_esc_goes_back_a_stage_and_then_leaves() -> None:
    assert chosen("c", "esc") == (Stage.BOXES, "c")
    for asks_goal, first, then in ((False, Stage.BOXES, Stage.SQUARES), (True, Stage.GOALS, Stage.BOXES_FOR_GOAL)):
        screen = PlannerScreen(Play(PILLARS), asks_goal=asks_goal)
        assert press(screen, "a") is None
        assert (screen.stage, press(screen, "esc")) == (then, None)
        assert screen.stage is first
        assert press(screen, "esc") is Ask.CLOSE
    square = Level.from_xsb(CORRIDOR).board.square
    for screen in (PlannerScreen(Play(CORRIDOR), square(1, 3)), PlannerScreen(Play(CORRIDOR), goal=square(1, 7))):
        assert screen.stage in (Stage.SQUARES, Stage.BOXES_FOR_GOAL)
        assert press(screen, "esc") is Ask.CLOSE


def test_letters_are_labels_and_not_commands() -> None:
    for letter in ascii_letters:
        screen = PlannerScreen(Play(PILLARS))
        assert press(screen, letter) is None
        if letter.lower() in "abc":
            assert screen.stage is Stage.SQUARES
        else:
            assert screen.stage is Stage.BOXES
            assert f"no box {letter.lower()}" in text_of(screen)


def test_ctrl_c_saves_and_quits_and_others_redraw(tmp_path: Path) -> None:
    planned, redrawn, helps, back = play(tmp_path, PACK, ["tab", "a", "C-l", "?", "esc"]).screens[2:]
    assert redrawn == planned == back != helps
    assert len(play(tmp_path, PACK, ["tab", "C-c", "a", "a"]).frames) <= 3


def test_a_window_that_changes_its_size_keeps_what_was_chosen(tmp_path: Path) -> None:
    keys = ["tab", "a", "e", "size 8 30", "size 5 19", "size 2 4", "size 50 200", "size 24 80"]
    session = play(tmp_path, PACK, keys)
    assert session.shows("box a to row 6 column 4: 3 pushes, 16 moves")
    assert any("needs" in screen for screen in session.screens)


# What is drawn


@pytest.mark.parametrize(
    ("board", "keys", "size"), [(PILLARS, ("a", "e", "left", "down"), (24, 80)), (LONG_HALL, ("a", "end"), (8, 30))]
)
@pytest.mark.parametrize("cell", [1, 2])
def test_the_cursor_of_the_terminal_stands_on_the_square_and_the_viewport_follows_it(
    board: str, keys: tuple[str, ...], size: tuple[int, int], cell: int
) -> None:
    screen = PlannerScreen(Play(board))
    for key in keys:
        press(screen, key)
        frame = picture(screen, Size(*size), Appearance(THEMES[0], cell))
        assert screen.place is not None
        row, column = frame.cursor
        assert (row, column) == screen.place.cell_of(present(screen.choices.cursor))
        style = PICKED if screen.choices.cursor == screen.box else CHOSEN * cell
        assert frame.rows[row].styles[column : column + cell].startswith(style)


def hall_with_a_box() -> PlannerScreen:
    screen = PlannerScreen(Play(HALL_WITH_A_BOX))
    press(screen, "a")
    return screen


def test_labels_of_two_letters_begin_with_a_capital_in_two_columns() -> None:
    screen = hall_with_a_box()
    text, goal = text_of(screen), screen.level.board.square(8, 20)
    for square, label in screen.choices.labels.items():
        if screen.risk(square) is LandingRisk.FINE and square not in (goal, screen.state.player):
            assert (label.capitalize() if len(label) == 2 else f"{label} ") in text


@pytest.mark.parametrize("cell", [1, 2])
def test_part_of_a_label_shows_what_is_left_to_type(cell: int) -> None:
    screen = hall_with_a_box()
    label = max(screen.choices.labels.values(), key=len)
    assert len(label) == 2
    before = text_of(screen, cell=cell)
    press(screen, label[0])
    after = text_of(screen, cell=cell)
    assert f"{label[0]}: next letter?" in after
    begun_so = [each for each in screen.choices.labels.values() if each[0] == label[0]]
    board_rows = "".join(after.split("\n")[1:15])
    assert sum(character.isalpha() for character in board_rows) == len(begun_so)
    press(screen, "backspace")
    assert text_of(screen, cell=cell) == before
    typed(screen, list(label))
    assert screen.choices.labels[screen.choices.cursor or 0] == label


# What is chosen


def test_squares_where_the_box_is_lost_come_last_and_nearer_ones_first() -> None:
    screen = PlannerScreen(Play(PILLARS))
    press(screen, "a")
    reach = BoxReach(screen.level.board, screen.state, screen.box or 0)
    keys = [(screen.risk(each) is not LandingRisk.FINE, reach.pushes[each]) for each in screen.choices.squares]
    assert keys == sorted(keys)
    assert set(screen.choices.squares) == set(reach.pushes) - {screen.box}
    for key, at in (("end", -1), ("home", 0)):
        press(screen, key)
        assert screen.choices.cursor == screen.choices.squares[at]


def test_enter_takes_the_only_square_in_reach_and_without_one_the_line_says_what_to_do() -> None:
    assert typed(PlannerScreen(Play("#####\n#@$.#\n#####")), ["enter", "enter"]) == [None, Perform("R")]
    screen = PlannerScreen(Play(PILLARS))
    assert typed(screen, ["a", "enter"]) == [None, None]
    assert "choose by letter or arrows" in text_of(screen)


def test_a_square_that_loses_the_box_says_so() -> None:
    screen = PlannerScreen(Play(PILLARS))
    typed(screen, ["a", "end"])
    assert "dead end; Enter pushes" in text_of(screen)
    typed(screen, ["esc", "a", "right"])
    assert "freezes there; Enter pushes" in text_of(screen)
    assert "freezes there..." in text_of(screen, (8, 20), 1)
    assert isinstance(press(screen, "enter"), Perform)
    lost = PlannerScreen(Play("########\n#@ $   #\n#    . #\n#      #\n########"))
    press(lost, "a")
    assert "squares in reach, all dead ends" in text_of(lost)
    assert "6 squares in reach" not in text_of(lost)


def test_no_box_to_push_says_so() -> None:
    screen = PlannerScreen(Play(STUCK))
    assert "no box can be pushed from here: Esc, then undo with u" in text_of(screen)
    assert typed(screen, ["a", "tab", "left", "enter", "home"]) == [None] * 5
    assert press(screen, "esc") is Ask.CLOSE


def test_a_goal_that_no_box_reaches_says_so() -> None:
    screen = PlannerScreen(Play("########\n#@ $ #.#\n#   . $#\n########"), asks_goal=True)
    reached = {
        goal: [box for box, _ in boxes_that_reach(screen.level.board, screen.state, goal)]
        for goal in screen.choices.squares
    }
    for goal, boxes in reached.items():
        press(screen, screen.choices.labels[goal])
        assert set(screen.choices.squares) == set(boxes)
        assert ("no box can reach it" in text_of(screen)) == (not boxes)
        press(screen, "esc")
    assert [] in reached.values()
    full = PlannerScreen(Play("#######\n#@$. *#\n#######", "R"), asks_goal=True)
    assert full.choices.squares == []
    assert "Esc goes back" in text_of(full)


@given(levels, st.data())
def test_the_plan_that_is_shown_is_the_one_that_is_made(level: Level, data: st.DataObject) -> None:
    of_level = Play(level)
    board, game = level.board, of_level.game
    at_hand = boxes_at_hand(board, level.start)
    assume(at_hand)
    box = data.draw(st.sampled_from(at_hand))
    screen = PlannerScreen(of_level, box)
    assert screen.stage is Stage.SQUARES
    square = data.draw(st.sampled_from(screen.choices.squares))
    typed(screen, list(screen.choices.labels[square]))
    while screen.wake_after() == 0.0:  # a busy machine does not find it in the time of a key
        screen.tick()
    task, plan = screen.task, screen.plan
    assert task is not None
    assert plan is not None
    assert f"{plan.pushes} push" in text_of(screen)
    assert f"{plan.moves} move" in text_of(screen)
    check = FreezeCheck(board)
    assert (task.risk is LandingRisk.DEAD) == bool(check.dead_squares >> square & 1)
    reaction = press(screen, "enter")
    assert reaction == Perform(plan.lurd)
    game.play(parse_lurd(plan.lurd))
    assert game.state.boxes == level.start.boxes & ~(1 << box) | 1 << square
    assert (game.moves, game.pushes) == (plan.moves, plan.pushes)
    assert game.undo()
    assert game.state == level.start


def test_the_help_is_the_last_key_to_leave_a_short_foot(tmp_path: Path) -> None:
    for size in ((12, 40), (8, 30), (8, 20)):
        for keys in (["tab"], ["tab", "a"], ["G"], ["G", "a"]):
            foot = play(tmp_path, PACK, [*keys], size=size).last.split("\n")[-1]
            assert "? help" in foot
            assert "Esc back" in foot


# What takes time


# Only the farther box reaches the farther goal.
TWO_ROWS = "########\n#@$ .# #\n#    $.#\n########"


def slow_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have more time pass at each look at the clock than a slice has."""
    ticks = partial(next, itertools.count(0.0, 0.03))
    for module in (planner, planning):
        monkeypatch.setattr(module, "monotonic", ticks)


def test_boxes_are_looked_at_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    slow_down(monkeypatch)
    screen = PlannerScreen(Play(PILLARS), asks_goal=True)
    press(screen, "a")
    assert screen.search is not None
    assert screen.search.looked_at == 1
    assert "checking which boxes reach it: 0 of" in text_of(screen)
    slices = 1
    while not screen.search.is_done:
        assert screen.wake_after() == 0.0
        screen.tick()
        slices += 1
    assert slices == screen.search.total
    boxes = {box for box, _ in boxes_that_reach(screen.level.board, screen.state, screen.goal or 0)}
    assert set(screen.choices.squares) == boxes
    assert not screen.interrupt()


def test_a_box_keeps_its_letters_when_a_goal_asks_for_it() -> None:
    letters = PlannerScreen(Play(TWO_ROWS)).choices.labels
    screen = PlannerScreen(Play(TWO_ROWS), asks_goal=True)
    press(screen, "b")
    while screen.wake_after() == 0.0:
        screen.tick()
    [box] = screen.choices.squares
    assert letters[box] == "b"
    assert screen.choices.labels == {box: "b"}
    press(screen, "b")
    assert screen.task is not None
    assert screen.task.box == box


def test_ctrl_c_and_esc_stop_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    slow_down(monkeypatch)
    screen = PlannerScreen(Play(PILLARS), asks_goal=True)
    press(screen, "a")
    assert screen.interrupt()
    assert screen.stage is Stage.GOALS
    press(screen, "a")
    assert press(screen, "esc") is None
    assert screen.wake_after() is None


def test_the_moves_of_a_long_plan_are_told_a_little_later(monkeypatch: pytest.MonkeyPatch) -> None:
    slow_down(monkeypatch)
    screen = hall_with_a_box()
    press(screen, "end")
    pushes = screen.task.pushes if screen.task is not None else 0
    if screen.plan is None:
        assert f"{pushes} pushes, ... moves" in text_of(screen)
    while screen.wake_after() == 0.0:
        screen.tick()
    assert screen.plan is not None
    assert f"{pushes} pushes, {screen.plan.moves} moves" in text_of(screen)
    press(screen, "home")
    assert isinstance(press(screen, "enter"), Perform)


# By clicks and drags


def test_a_click_on_another_box_chooses_that_and_one_elsewhere_leaves() -> None:
    screen = PlannerScreen(Play(PILLARS))
    first, second = screen.choices.squares[:2]
    assert click(screen, first) is None
    assert click(screen, second) is None
    assert screen.box == second
    assert click(screen, 0) is Ask.CLOSE
    assert screen.point(Pointer(0, 0, "left", True)) is Ask.CLOSE
    assert [click(screen, first, button) for button in ("middle", "wheel up")] == [None, None]


def test_a_drag_that_ends_before_the_first_picture_is_carried_out() -> None:
    play = Play(PILLARS)
    seen = PlannerScreen(play)
    text_of(seen)
    play.place = seen.place
    box = seen.choices.squares[0]
    screen = PlannerScreen(play, box)
    assert play.place is not None
    at = present(play.place.cell_of(screen.choices.squares[0]))
    assert isinstance(screen.point(Pointer(*at, "left", False)), Perform)


def test_a_right_click_on_a_goal_with_a_box_says_so() -> None:
    screen = PlannerScreen(Play("########\n#@ $ .*#\n########"))
    click(screen, screen.board.square(1, 6), "right")
    assert screen.stage is Stage.BOXES
    assert line_for(Note.GOAL_FILLED) in text_of(screen)


def test_a_box_that_is_out_of_reach_says_so() -> None:
    screen = PlannerScreen(Play("########\n#@ $ $$#\n#   .#.#\n#   .###\n########"))
    frozen_board = screen.level.board.square(1, 6)
    click(screen, frozen_board)
    assert screen.stage is Stage.BOXES
    assert "that box cannot be pushed from here" in text_of(screen)
    assert click(screen, frozen_board + 1, is_press=False) is None
    assert "that box cannot be pushed from here" in text_of(screen)
    assert press(screen, "enter") is None
    assert screen.stage is Stage.BOXES
    press(screen, "left")
    assert screen.choices.cursor in screen.choices.labels


def test_a_drag_to_where_the_box_cannot_go_says_so_and_may_be_tried_again() -> None:
    screen = PlannerScreen(Play(PILLARS))
    box = screen.choices.squares[0]
    for _ in range(2):
        click(screen, box)
        assert click(screen, 0, is_press=False) is None
        assert "it cannot be pushed there" in text_of(screen)
        assert screen.box == box
    click(screen, box)
    assert isinstance(click(screen, screen.choices.squares[0], is_press=False), Perform)


def test_the_legend_in_the_help_makes_room_for_what_is_searched_there(tmp_path: Path) -> None:
    assert not play(tmp_path, CORRIDOR, ["tab", "?", "/", *"letters"]).shows("Meaning")
