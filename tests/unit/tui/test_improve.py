"""The screen of the choices before a solution is improved."""

from pathlib import Path

import pytest

from sokoterm.app.play import PlayModel
from tests.unit.tui.fake_terminal import Session, play

HALL = "########\n#      #\n#@$   .#\n#      #\n#      #\n########\n"
DETOUR = (*"lkljhjlllj", "right", "k")


def chosen(folder: Path, *keys: str) -> Session:
    return play(folder, HALL, [*DETOUR, "O", *keys])


def test_the_lines_change_by_the_arrows_and_a_range_is_typed(tmp_path: Path) -> None:
    assert chosen(tmp_path, "right").shows("for     < fewest pushes >")
    assert chosen(tmp_path, "down", "right").shows("change  < the whole solution >")
    assert chosen(tmp_path, "4", "-", "9").shows("change  < moves 4-9_ >")
    assert chosen(tmp_path, "4", "backspace").shows("change  < the whole solution >")


def test_what_is_no_range_is_told_and_starts_nothing(tmp_path: Path) -> None:
    told = chosen(tmp_path, "9", "-", "4", "enter")
    assert told.shows("found moves 9-4, expected a range of moves within 0-12: 3-9")
    assert told.shows("Improve  ")


def test_boxes_and_squares_are_marked_on_the_board_by_keys_and_clicks(tmp_path: Path) -> None:
    assert chosen(tmp_path, "tab", "space").shows("box 1 of 1: keeps its pushes; keeps 1 box (%)")
    assert chosen(tmp_path, "tab", "space", "space").shows("box 1 of 1: may change; any box may move, to any square")
    assert chosen(tmp_path, "tab", "up", "space", "esc").shows("board     bars 1 square (!)")
    assert chosen(tmp_path, "tab", "up", "up", "space").shows("row 1 column 3: a wall")


def test_enter_starts_from_the_board_too_and_esc_goes_back_by_the_lines(tmp_path: Path) -> None:
    assert not chosen(tmp_path, "tab", "space", "enter").shows("Improve  ")
    assert chosen(tmp_path, "tab", "esc").shows("Improve  ")
    assert not chosen(tmp_path, "tab", "esc", "esc").shows("Improve  ")


def test_while_a_solved_level_is_improved_the_footer_stops_that_and_plans_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlayModel, "is_improving", True)  # here an improvement is over before the next picture
    footers = [screen.splitlines()[-1] for screen in play(tmp_path, HALL, DETOUR).screens]
    assert "O stop  Tab plan" in footers[-2]
    assert footers[-1] == "u undo  R replay  O stop  r reset  b list  ? help  q quit"
