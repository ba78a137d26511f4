"""The panel beside the board."""

from pathlib import Path

import pytest

from sokoterm.app.keymap import KEYMAPS
from sokoterm.app.options import Series
from sokoterm.tui.screens.panel import draw_panel
from sokoterm.tui.widgets.board_view import Area
from sokoterm.tui.widgets.frame import Canvas
from tests.unit.app.player import Player, SeriesPlayer, SessionPlayer

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
