"""Words for the panel beside the board."""

from pathlib import Path

import pytest

from sokoterm.app.options import Series
from sokoterm.wording.side_panel import PanelWords
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


def words(player: SessionPlayer, *, has_timer: bool = False) -> PanelWords:
    return PanelWords(player.model, "X", has_timer=has_timer)


@pytest.mark.parametrize(
    ("title", "author", "expected"),
    [
        ("One box", "A. Person", ("One box", "by A. Person")),
        ("1", "A. Person", ("", "by A. Person")),
        ("One box", "", ("One box", "by B. Person")),
    ],
)
def test_a_level_has_its_title_and_author(tmp_path: Path, title: str, author: str, expected: tuple[str, str]) -> None:
    with Player(tmp_path, PACK.format(title=title, author=author)) as player:
        assert words(player).heading.endswith("1/1")
        assert (words(player).title, words(player).author) == expected


def test_the_comment_is_whole_and_wrapped(tmp_path: Path) -> None:
    with Player(tmp_path, PACK.format(title="", author="")) as player:
        assert words(player).comment(40) == ["The first line is long.", "The second."]
        assert words(player).comment(14) == ["The first line", "is long.", "The second."]


def test_bookmarks_are_named(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        assert words(player).bookmarks == ""
        player.model.set_bookmark("b")
        player.model.set_bookmark("a")
        assert words(player).bookmarks == "bookmarks: a b"


def test_the_time_is_shown_if_it_is_wanted(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        player.model.seconds = 161.0
        assert words(player).time == ""
        assert words(player, has_timer=True).time == "time 2:41"


def test_a_generated_level_has_its_remark(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, Series(is_descent=True)) as player:
        assert "X" in " ".join(words(player).comment(40))
