"""A view draws and changes nothing: what scrolls is moved by ``fit`` before it."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path

import pytest

from sokoterm.tui.screens.browser import BrowserScreen
from sokoterm.tui.screens.pages import HelpScreen, TextScreen
from sokoterm.tui.screens.planner import PlannerScreen
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.replay import ReplayScreen
from sokoterm.tui.screens.runs import MakingScreen, RunsScreen
from sokoterm.tui.screens.screen import Screen
from sokoterm.tui.screens.solver import SolverScreen
from sokoterm.tui.widgets.board_view import Appearance, Size
from sokoterm.tui.widgets.frame import Frame
from tests.unit.app.searches import SlowSearch
from tests.unit.tui.fake_terminal import play
from tests.unit.tui.made import browse, descent, play_made
from tests.unit.tui.scripted import PACK

SCREENS: tuple[type[Screen], ...] = (
    BrowserScreen, HelpScreen, MakingScreen, PlannerScreen, PlayScreen, ReplayScreen, RunsScreen, TextScreen,
    SolverScreen,
)  # fmt: skip


def state_of(thing: object) -> object:
    """The attributes of a screen, those of the widgets in it too; other objects as they are."""
    if type(thing).__module__.startswith("sokoterm.tui.") and hasattr(thing, "__dict__"):
        return {name: state_of(value) for name, value in vars(thing).items()}
    return thing[:] if isinstance(thing, list) else dict(thing) if isinstance(thing, dict) else thing


def watched(view: Callable[[Screen, Size, Appearance], Frame], seen: set[type]) -> object:
    """A view that fails where it changes its screen."""

    @wraps(view)
    def watching(screen: Screen, size: Size, appearance: Appearance) -> Frame:
        before = state_of(screen)
        frame = view(screen, size, appearance)
        assert state_of(screen) == before
        seen.add(type(screen))
        return frame

    return watching


def test_no_view_changes_its_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[type] = set()
    for screen in SCREENS:
        monkeypatch.setattr(screen, "view", watched(screen.view, seen))
    keys = [
        "right",
        "Y",
        "esc",
        "tab",
        "a",
        "end",
        "?",
        "pgdn",
        "esc",
        "esc",
        "esc",
        "b",
        "down",
        "left",
        "down",
        "esc",
    ]
    play(tmp_path, PACK, [*keys, "S", "wait", "wait", "S", "wait", "enter", "right", "wait"], make_solver=SlowSearch)
    play(tmp_path, PACK, keys, size=(8, 30))
    play_made(tmp_path, descent, ["wait"])
    play_made(tmp_path, browse, ["home", "j", "l", "j"])
    assert seen == {*SCREENS}
