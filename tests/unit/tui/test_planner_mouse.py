"""The push planner by clicks and drags."""

from pathlib import Path

from sokoterm.app.request import Close, Note, Perform
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.planner import PlannerScreen, Stage
from tests.unit.tui.fake_terminal import line_for, play
from tests.unit.tui.planned import PILLARS, Play, click, press, text_of
from tests.unit.tui.test_golden import PACK


def test_a_clicked_box_shows_its_squares_and_a_clicked_square_gets_it() -> None:
    screen = PlannerScreen(Play(PILLARS), PlannerScreen(Play(PILLARS)).choices.squares[0])
    assert screen.stage is Stage.SQUARES
    target = screen.choices.squares[3]
    reaction = click(screen, target)
    assert isinstance(reaction, Perform)


def test_a_click_on_another_box_chooses_that_and_one_elsewhere_leaves() -> None:
    screen = PlannerScreen(Play(PILLARS))
    first, second = screen.choices.squares[:2]
    assert click(screen, first) is None
    assert click(screen, second) is None
    assert screen.box == second
    assert isinstance(click(screen, 0), Close)
    assert isinstance(screen.point(Pointer(0, 0, "left", True)), Close)


def test_a_box_may_be_dragged() -> None:
    screen = PlannerScreen(Play(PILLARS))
    click(screen, screen.choices.squares[0])
    assert screen.box is not None
    assert click(screen, screen.box, is_press=False) is None
    assert isinstance(click(screen, screen.choices.squares[0], is_press=False), Perform)


def test_a_drag_that_ends_before_the_first_picture_is_carried_out() -> None:
    play = Play(PILLARS)
    seen = PlannerScreen(play)
    text_of(seen)
    play.place = seen.place
    box = seen.choices.squares[0]
    screen = PlannerScreen(play, box)
    assert play.place is not None
    at = play.place.cell_of(screen.choices.squares[0])
    assert at is not None
    assert isinstance(screen.point(Pointer(*at, "left", False)), Perform)


def test_a_right_click_asks_which_boxes_reach_the_goal() -> None:
    screen = PlannerScreen(Play(PILLARS))
    goal = next(goal for goal in PlannerScreen(Play(PILLARS), asks_goal=True).choices.squares)
    assert click(screen, goal, "right") is None
    assert screen.stage is Stage.BOXES_FOR_GOAL
    assert isinstance(click(screen, screen.choices.squares[0]), Perform)


def test_the_wheel_and_other_buttons_do_nothing() -> None:
    screen = PlannerScreen(Play(PILLARS))
    assert [click(screen, screen.choices.squares[0], button) for button in ("middle", "wheel up")] == [None, None]
    assert screen.stage is Stage.BOXES


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
    assert "choose a box first, by letter or arrow" in text_of(screen)
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


def test_a_goal_with_a_box_is_filled() -> None:
    screen = PlannerScreen(Play("########\n#@ $ .*#\n########"))
    click(screen, screen.level.board.square(1, 6), "right")
    assert line_for(Note.GOAL_FILLED) in text_of(screen)


def test_a_click_is_spoken_of_where_there_is_a_mouse(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["tab", "a"]).shows("choose by letter, arrows or click")
    assert play(tmp_path, PACK, ["M", "tab", "a"]).shows("choose by letter or arrows")
