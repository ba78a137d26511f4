"""The moment of a win: boxes that flash, and a card that says how it went and what comes next."""

from pathlib import Path

import pytest

from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.theme import THEMES
from tests.unit.tui.fake_terminal import Session, play
from tests.unit.tui.test_golden import check_golden

PACK = """\
Collection: Wins

######
#    #
#@$ .#
######
Title: One box
Solution: rdrR

######
#.$@ #
######
Title: Short

######
#    #
#@$ .#
#    #
######
Title: The third
"""
BIG = "\n".join(["#" * 18, *["#" + " " * 16 + "#"] * 15, "#@$." + " " * 13 + "#", "#" * 18])
TILES = ["T"] * (len(THEMES) - 1)
SIZE = (24, 80)


def card_of(session: Session) -> list[str]:
    """The lines of the card in the last picture, without its frame."""
    lines = [line.strip() for line in session.last.splitlines()]
    return [line.strip("|│").strip() for line in lines if line[:1] in ("|", "│") and line[-1:] in ("|", "│")]


@pytest.mark.parametrize(
    ("name", "pack", "keys", "size", "cell"),
    [
        ("win", PACK, ["l", "l"], SIZE, 0),
        ("win-new-best", PACK, ["k", "j", "l", "l", "r", "l", "l"], SIZE, 0),
        ("win-over-the-board", BIG, ["l"], SIZE, 0),
        ("win-beside-the-board", BIG, ["l"], (20, 100), 1),
        ("win-last-level", PACK, ["g", "3", "enter", "l", "l"], SIZE, 0),
        ("win-tiles", PACK, [*TILES, "l", "l"], SIZE, 0),
        ("win-small", PACK, ["l", "l"], (8, 30), 0),
    ],
)
def test_picture(tmp_path: Path, name: str, pack: str, keys: list[str], size: tuple[int, int], cell: int) -> None:
    check_golden(name, play(tmp_path, pack, keys, size=size, cell=cell).last)


@pytest.mark.parametrize(
    ("key", "stays"),
    [("l", True), ("L", True), ("h", False), ("esc", False), ("m", False), ("u", False), ("x", False)],
)
def test_the_card_stays_while_moves_are_blocked_and_goes_with_any_other_key(
    tmp_path: Path, key: str, stays: bool
) -> None:
    session = play(tmp_path, PACK, ["l", "l", "?", "esc", key])
    assert ["this time" in screen for screen in session.screens[2:]] == [True, False, True, stays]


def test_the_card_comes_back_with_the_solution(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["l", "l", "u", "y", "l"])
    assert not session.screens[-3].count("this time")
    assert session.shows("this time")


@pytest.mark.parametrize(
    ("key", "text"),
    [("n", "Wins 2/3"), ("enter", "Wins 2/3"), ("R", "Replay: Wins 1, your best"), ("u", "moves 1 "), ("Y", "RR\n")],
)
def test_every_key_does_what_it_does_without_the_card(tmp_path: Path, key: str, text: str) -> None:
    assert play(tmp_path, PACK, ["l", "l", key]).shows(text)


def test_a_level_that_was_solved_in_an_earlier_session_has_no_card(tmp_path: Path) -> None:
    play(tmp_path, PACK, ["l", "l", "q"])
    session = play(tmp_path, PACK, [])
    assert session.shows("level solved")
    assert not session.shows("this time")


def test_the_footer_of_a_solved_level_offers_what_it_can_do(tmp_path: Path) -> None:
    footers = [screen.splitlines()[-1] for screen in play(tmp_path, PACK, ["l", "l"]).screens]
    assert footers[1] == "arrows move  u undo  r reset  . hint  S solve  Tab plan  b list  ? help  q quit"
    assert footers[2] == "Enter next  u undo  R replay  O improve  r reset  b list  ? help  q quit"
    assert play(tmp_path, BIG, ["l"]).last.splitlines()[-1].startswith("u undo  R replay")


def test_the_boxes_flash_and_then_the_card_comes(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["l", "l", *["wait"] * 12], animation=40)
    lit = [any(styles.CHOSEN in row.styles for row in frame.rows) for frame in session.frames]
    has_card = ["this time" in screen for screen in session.screens]
    assert lit[2:10] == [True, False] * 4
    assert has_card[2:10] == [False] * 7 + [True]


@pytest.mark.parametrize("key", ["h", "T", "?", "x", "C-c"])
def test_any_key_ends_the_flash(tmp_path: Path, key: str) -> None:
    session = play(tmp_path, PACK, ["l", "l", key, "esc"], animation=40)
    assert any(styles.CHOSEN in row.styles for row in session.frames[2].rows)
    assert not any(styles.CHOSEN in row.styles for frame in session.frames[3:] for row in frame.rows)


def test_nothing_flashes_without_animation(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["l", "l", "wait", "wait"], animation=0)
    assert "this time" in session.screens[2]
    assert not any(styles.CHOSEN in row.styles for frame in session.frames for row in frame.rows)


def test_boxes_of_every_theme_light_up(tmp_path: Path) -> None:
    for number, theme in enumerate(THEMES):
        folder = tmp_path / theme.name
        folder.mkdir()
        keys = [*["T"] * number, "l", "l", *["wait"] * 20]
        frames = play(folder, PACK, keys, animation=40, cell=0).frames
        assert len({(frame.rows[10:14]) for frame in frames[number + 2 : number + 12]}) >= 2, theme.name
