"""The replay on the screen, its keys and the line below the board; the panel beside a board."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sokoterm.app.improvement import FoundBy, ShowReplay
from sokoterm.app.keymap import KEYMAPS
from sokoterm.app.options import Series
from sokoterm.app.request import Note, TakeOver
from sokoterm.tui.screens.panel import draw_panel
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.replay import ReplayScreen
from sokoterm.tui.widgets.board_view import Area
from sokoterm.tui.widgets.frame import Canvas
from tests.unit.app.player import Player, SeriesPlayer, SessionPlayer
from tests.unit.tui.fake_terminal import line_for
from tests.unit.tui.planned import press, text_of

BOARD = "##########\n#@ $   . #\n#        #\n##########\n"
SOLUTION = "rRRRR"
SHOWN = ShowReplay("", SOLUTION, FoundBy.SOLVER)


class Replays:
    """Replays of the solution of one level."""

    def __init__(self, player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
        self._play = PlayScreen(player.model)
        self._monkeypatch = monkeypatch

    def __call__(self, *keys: str, better: ShowReplay | None = None) -> ReplayScreen:
        """A replay after some keys; ``better`` is found meanwhile."""
        self._monkeypatch.setattr(self._play.model.hints, "find_offer", lambda: better)
        screen = ReplayScreen(self._play, SHOWN)
        for key in keys:
            text_of(screen)
            press(screen, key)
        return screen


@pytest.fixture
def replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Replays]:
    with Player(tmp_path, BOARD) as player:
        yield Replays(player, monkeypatch)


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        (["home", "]"], 2),
        (["end"], 5),
        (["end", "u"], 4),
        (["end", "["], 4),
        (["3", "g"], 3),
        (["3", "enter"], 3),
        (["home", "g"], 0),
        (["home", "left"], 0),
        (["home", "right", "right", "home", "\u00b2", "g"], 0),
    ],
)
def test_keys_go_to_a_move(replay: Replays, keys: list[str], shown: int) -> None:
    assert press(replay(*keys), "enter") == TakeOver(SOLUTION[:shown], "")


def test_a_move_takes_the_position_over(replay: Replays) -> None:
    assert press(replay("home", "right"), "l") == TakeOver("r", "right")


def test_moves_and_pushes_are_counted_below_the_board(replay: Replays) -> None:
    assert "move 3/5 push 2/4 " in text_of(replay("3", "g"))


def test_a_better_solution_is_told_of_until_the_next_key(replay: Replays) -> None:
    better = ShowReplay("", SOLUTION, FoundBy.SOLVER)
    told = replay(better=better)
    assert "better: 4 pushes, 5 moves; R shows it" in text_of(told)
    assert "moves/s" not in text_of(told)
    assert "better: 4... R shows it" in text_of(told, (24, 44))
    assert "R shows it" in text_of(told, (12, 30))
    seen = replay("space", better=better)
    assert "paused" in text_of(seen)
    assert "R shows it" not in text_of(seen)
    assert "R other" in text_of(seen)
    assert press(seen, "R") == better


def test_without_another_solution_there_is_no_key_for_one_and_that_is_said_until_the_next_key(replay: Replays) -> None:
    only = replay("space")
    assert "R other" not in text_of(only)
    assert press(only, "R") is None
    assert line_for(Note.NO_OTHER_SOLUTION) in text_of(only)
    press(only, "space")
    assert line_for(Note.NO_OTHER_SOLUTION) not in text_of(only)


def test_the_speed_is_told_while_the_replay_is_paused(replay: Replays) -> None:
    assert "8 moves/s" in text_of(replay("space", "+"))
    assert "paused" in text_of(replay("space", "+", "-", "home"))


PACK = """\
Collection: Panels
Author: B. Person

#####
#@$.#
#####
Title: {title}
Author: {author}
Comment:
The first line is long.

The second.
Comment-End:
"""


def lines_of(player: SessionPlayer, columns: int = 40, *, has_timer: bool = False) -> list[str]:
    """The lines of a panel with text of so many columns."""
    canvas, area = Canvas(30, columns + 4), Area(0, 0, 30, columns + 4)
    draw_panel(canvas, area, player.model, [], KEYMAPS.play, has_lines=False, has_timer=has_timer)
    return [row.text.strip("| ") for row in canvas.frame().rows]


@pytest.mark.parametrize(
    ("title", "author", "expected"),
    [
        ("One box", "A. Person", ["Panels 1/1", "One box", "by A. Person"]),
        ("1", "A. Person", ["Panels 1/1", "by A. Person"]),
        ("One box", "", ["Panels 1/1", "One box", "by B. Person"]),
    ],
)
def test_a_level_has_its_title_and_author(tmp_path: Path, title: str, author: str, expected: list[str]) -> None:
    with Player(tmp_path, PACK.format(title=title, author=author)) as player:
        assert lines_of(player)[: len(expected) + 1] == [*expected, ""]


def test_the_comment_is_whole_and_wrapped(tmp_path: Path) -> None:
    with Player(tmp_path, PACK.format(title="", author="")) as player:
        assert "\nThe first line is long.\nThe second.\n" in "\n".join(lines_of(player))
        assert "\nThe first line\nis long.\nThe second.\n" in "\n".join(lines_of(player, 14))


def test_bookmarks_are_named(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        assert "bookmarks" not in "".join(lines_of(player))
        player.model.set_bookmark("b")
        player.model.set_bookmark("a")
        assert "bookmarks: a b" in lines_of(player)


def test_the_time_is_shown_if_it_is_wanted(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        player.model.seconds = 161.0
        assert "time 2:41" not in lines_of(player)
        assert "time 2:41" in lines_of(player, has_timer=True)


def test_a_generated_level_has_its_remark(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, Series(is_descent=True)) as player:
        assert "X" in " ".join(lines_of(player))
