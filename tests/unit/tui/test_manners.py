"""The cursor, the title of the window and the bell."""

from pathlib import Path

import pytest

from sokoterm.solver.search import Reason, Status
from sokoterm.store.progress import ChosenLooks
from sokoterm.store.settings import Settings
from sokoterm.terminal.events import PICTURES_SHOWN
from sokoterm.tui.event_loop import AppearanceControl
from sokoterm.tui.widgets.theme import THEMES
from tests.unit.app.searches import EASY, FIRST, LONG, SHORT, SOLVED, Said
from tests.unit.tui.fake_terminal import TWO_LEVELS, play, scripted
from tests.unit.tui.made import descent, play_made

PAINTED = [theme.name for theme in THEMES if theme.is_painted]


def test_the_cursor_is_seen_in_text_themes_and_where_text_is_typed(tmp_path: Path) -> None:
    seen = play(tmp_path, TWO_LEVELS, [PICTURES_SHOWN, *["T"] * len(THEMES)])
    themes = {theme.name: shown for theme in THEMES for screen, shown in zip(seen.screens, seen.cursors)
              if f"theme {theme.name}\n" in f"{screen}\n"}  # fmt: skip
    assert themes == {theme.name: not theme.is_painted for theme in THEMES}
    typing = play(tmp_path, TWO_LEVELS, [PICTURES_SHOWN, *["T"] * (len(THEMES) - 1), "g", "2", "esc"])
    assert typing.cursors[-3:] == [True, True, False]


@pytest.mark.parametrize("theme", [THEMES[0].name, PAINTED[0]])
@pytest.mark.parametrize("cursor", [True, False])
def test_the_settings_decide_on_the_cursor_in_all_themes(theme: str, cursor: bool) -> None:
    settings = Settings(theme=theme, cursor=cursor)
    appearance = AppearanceControl(THEMES, settings, ChosenLooks(), shows_tiles=True)
    assert appearance.shows_cursor is cursor


def test_the_window_is_called_by_pack_and_level(tmp_path: Path) -> None:
    assert play(tmp_path / "one", TWO_LEVELS, ["n", "h"]).titles == [
        "sokoterm",
        "sokoterm: Golden 1",
        "sokoterm: Golden 2",
    ]
    assert play_made(tmp_path / "made", descent, ["wait"]).titles[-1] == "sokoterm: Descent 7, floor 1"


@pytest.mark.parametrize(
    ("keys", "script", "rings"),
    [
        (["S", "wait 12", "wait"], [FIRST, FIRST, SHORT], 1),
        (["S", "wait 12", *["wait"] * 3], [FIRST, FIRST, LONG, SHORT, SOLVED], 1),  # once for a search
        ([".", "wait 12", "wait"], [FIRST, FIRST, SHORT], 1),
        (["S", "wait 12", "wait"], [FIRST, FIRST, SOLVED._replace(status=Status.GAVE_UP, reason=Reason.TIME)], 1),
        (["S", "wait 1"], [FIRST, SHORT], 0),
        (["S", "wait 12", "esc", "h"], [*[FIRST] * 9], 0),  # stopped by the player
    ],
)
def test_the_bell_rings_once_a_search_of_over_ten_seconds_ends(
    tmp_path: Path, keys: list[str], script: list[Said], rings: int
) -> None:
    assert scripted(tmp_path / "on", keys, script, EASY, has_bell=True).rings == rings
    assert scripted(tmp_path / "off", keys, script, EASY).rings == 0
