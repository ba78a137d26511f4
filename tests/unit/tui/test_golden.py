"""Whole pictures, kept as text: a change of one is a decision.  Delete a file to have it drawn anew.

A view draws and changes nothing: what scrolls is moved by ``fit`` before it.
"""

from collections.abc import Callable
from functools import wraps
from pathlib import Path

import pytest

from sokoterm.tui.screens.browser import BrowserScreen
from sokoterm.tui.screens.copied import CopiedScreen
from sokoterm.tui.screens.pages import HelpScreen
from sokoterm.tui.screens.planner import PlannerScreen
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.replay import ReplayScreen
from sokoterm.tui.screens.runs import MakingScreen, RunsScreen
from sokoterm.tui.screens.screen import Screen
from sokoterm.tui.screens.solver import SolverScreen
from sokoterm.tui.screens.statistics import StatisticsScreen
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.frame import Frame, Size
from sokoterm.tui.widgets.theme import THEMES
from tests.unit.app.searches import SlowSearch
from tests.unit.tui.fake_terminal import TO_TILES, play
from tests.unit.tui.made import browse, descent, play_made
from tests.unit.tui.planned import PILLARS

GOLDEN = Path(__file__).parent / "golden"
PACK = f"""\
Collection: Golden

{PILLARS}
Title: Three boxes and a pillar
Author: A. Person
Comment: The first line stands under the title.

######\n#.$@ #\n######\nTitle: Short

######\n#.$@ #\n######\nTitle: Short too
"""
ON_GOAL = "########\n#+$ $* #\n#.$  . #\n########\n"
HALL = "########\n#      #\n#@$   .#\n#      #\n#      #\n########\n"
DETOUR = (*"lkljhjlllj", "right", "k")
MARKS = ("space", "space", "right", "space", "right")
_ROWS = ["#" * 30, *["#" + " " * 28 + "#"] * 12, "#" * 30]
_ROWS[3] = "#  @" + " " * 25 + "#"
_ROWS[6] = "#" + " " * 9 + "$" + " " * 18 + "#"
_ROWS[8] = "#" + " " * 19 + "." + " " * 8 + "#"
HALL_WITH_A_BOX = "\n".join(_ROWS)
WIDE = "#" * 120 + "\n#@ $ ." + " " * 113 + "#\n" + "#" * 120 + "\nTitle: Wider than the screen\n"


@pytest.mark.parametrize(
    ("name", "pack", "keys", "size", "cell"),
    [
        ("play", PACK, ["h"], (24, 80), 0),
        ("play-narrow-cells", PACK, ["h"], (24, 80), 1),
        ("play-small", PACK, ["h"], (8, 30), 0),
        ("play-smallest", PACK, ["h"], (6, 20), 0),
        ("play-large", PACK, ["h"], (50, 200), 0),
        ("play-panel", PACK, ["h", "m", "a"], (35, 120), 0),
        ("play-panel-tiles", PACK, TO_TILES, (35, 120), 0),
        ("play-panel-large-tiles", PACK, TO_TILES, (50, 200), 0),
        ("win-panel", PACK, ["n", "h"], (35, 120), 0),
        ("dead-panel", "#######\n# $@ .#\n#######\n", ["h"], (35, 120), 0),
        ("planner-panel", PACK, ["tab", "a"], (35, 120), 0),
        ("play-wide-board", WIDE, ["L"], (24, 80), 0),
        ("solved", PACK, ["n", "h"], (24, 80), 0),
        ("solved-before", PACK, ["n", "h", "enter", "p"], (24, 80), 0),
        ("dead", "#######\n# $@ .#\n#######\n", ["h"], (24, 80), 0),
        ("prompt", PACK, ["g", "2"], (24, 80), 0),
        ("improve-board", HALL, [*DETOUR, "O", *MARKS], (24, 80), 0),
        ("improve-small-board", HALL, [*DETOUR, "O", *MARKS], (8, 30), 0),
        ("improve-large", HALL, [*TO_TILES, *DETOUR, "O", *MARKS], (35, 120), 0),
        ("browser-levels", PACK, ["n", "h", "b"], (24, 80), 0),
        ("browser-packs", PACK, ["n", "h", "b", "left", *["wait"] * 9], (24, 80), 0),
        ("browser-panes", PACK, ["n", "h", "b"], (35, 120), 0),
        ("browser-panes-packs", PACK, ["n", "h", "b", "left"], (35, 120), 0),
        ("browser-panes-tiles", PACK, [*TO_TILES, "n", "h", "b", "home"], (35, 120), 0),
        ("browser-small", PACK, ["n", "h", "b"], (8, 30), 0),
        ("browser-search", PACK, ["b", "/", "s", "h"], (24, 80), 0),
        ("help", PACK, ["?"], (24, 80), 0),
        ("help-small", PACK, ["?"], (8, 30), 0),
        ("help-narrow", PACK, ["?"], (12, 40), 0),
        ("help-panel", PACK, ["?"], (35, 120), 0),
        ("help-large", PACK, [*TO_TILES, "?"], (50, 200), 0),
        ("help-reverse", PACK, ["B", "?"], (24, 80), 0),
        ("browser-large", PACK, ["n", "h", "b"], (50, 200), 0),
        ("planner-large", PACK, ["tab", "a"], (50, 200), 0),
        ("planner-two-letters", HALL_WITH_A_BOX, ["tab", "a"], (24, 80), 2),
        ("planner-two-letters-begun", HALL_WITH_A_BOX, ["tab", "a", "t"], (24, 80), 2),
        ("planner-two-letters-narrow", HALL_WITH_A_BOX, ["tab", "a", "t"], (24, 80), 1),
        ("planner-boxes", PACK, ["tab"], (24, 80), 2),
        ("planner-boxes-narrow", PACK, ["tab"], (24, 80), 1),
        ("planner-squares", PACK, ["tab", "a"], (24, 80), 2),
        ("planner-squares-narrow", PACK, ["tab", "a", "right"], (24, 80), 1),
        ("planner-squares-letters", PACK, ["tab", "a", "space"], (24, 80), 1),
        ("planner-squares-unicode", PACK, ["T", "T", "tab", "a", "e"], (24, 80), 2),
        ("planner-squares-unicode-narrow", PACK, ["T", "T", "tab", "a", "e"], (24, 80), 1),
        ("planner-turned", PACK, ["t", "tab", "a", "e"], (24, 80), 2),
        ("planner-small", PACK, ["tab", "a", "e"], (8, 30), 0),
        ("planner-smallest", PACK, ["tab", "a", "e"], (6, 20), 0),
        ("planner-goals", PACK, ["G"], (24, 80), 0),
        ("planner-senders", PACK, ["G", "a"], (24, 80), 0),
        ("help-planner", PACK, ["tab", "?"], (24, 80), 0),
        ("too-small", PACK, [], (5, 30), 0),
        ("too-small-for-a-line", PACK, [], (3, 12), 0),
        ("too-small-for-anything", PACK, [], (2, 4), 0),
        *(
            (f"theme-{theme.name}{cell}", ON_GOAL, ["T"] * number, (10, 40), cell)
            for number, theme in enumerate(THEMES)
            for cell in (1, 2)
        ),
        *(
            (f"theme-{theme.name}-{columns}x{rows}", PACK, ["T"] * number + ["l", "l"], (rows, columns), 0)
            for number, theme in enumerate(THEMES)
            for rows, columns in ((24, 80), (50, 200))
        ),
        *((f"theme-tiles{cell}", ON_GOAL, TO_TILES, (28, 80), cell) for cell in (4, 6, 8, 10, 12, 16)),
        ("tiles-facing", ON_GOAL, [*TO_TILES, "l", "u", "j"], (24, 80), 0),
        ("tiles-planner", PACK, [*TO_TILES, "tab", "a"], (35, 120), 0),
        ("tiles-pushing", ON_GOAL, [*TO_TILES, "l", "j", "l"], (24, 100), 12),
        ("tiles-rulers", PACK, [*TO_TILES, ":", "l"], (24, 80), 0),
        ("tiles-edges", HALL_WITH_A_BOX, [*TO_TILES, "j", "L"], (24, 80), 6),
        ("rulers-turned", HALL_WITH_A_BOX, ["t", ":"], (24, 80), 0),
        ("rulers-edges", WIDE, [":", "L"], (24, 80), 1),
        ("rulers-planner", PACK, [":", "tab", "a"], (24, 80), 2),
        ("tiles-zoomed", ON_GOAL, [*TO_TILES, "+", "-", "-"], (24, 80), 0),
        ("statistics", PACK, ["i"], (24, 80), 0),
        ("statistics-figures", PACK, ["n", "h", "p", "S", "R", "end", "enter", "i"], (20, 80), 0),
        ("statistics-small", PACK, ["b", "i"], (8, 30), 0),
        ("help-second-page", PACK, ["?", "space"], (24, 80), 0),
        ("help-replay", PACK, ["n", "S", "R", "home", "?"], (24, 80), 0),
    ],
)
def test_picture(tmp_path: Path, name: str, pack: str, keys: list[str], size: tuple[int, int], cell: int) -> None:
    check_golden(name, play(tmp_path, pack, keys, size=size, cell=cell).last)


@pytest.mark.parametrize("size", [(24, 80), (30, 100), (35, 120), (50, 200), (8, 30)])
@pytest.mark.parametrize("code", ["en", "de"], indirect=True)
@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("improve", [*DETOUR, "O", "3", "-"]),
        ("replay", [*DETOUR, "O", "enter", "wait", "wait", "R", "n"]),
    ],
)
def test_picture_in_each_size(tmp_path: Path, name: str, keys: list[str], size: tuple[int, int], code: str) -> None:
    check_golden(f"{name}-{code}-{size[1]}x{size[0]}", play(tmp_path, HALL, keys, size=size).last)


def check_golden(name: str, picture: str) -> None:
    """Compare a picture with the one that is kept, or keep it for someone to look at."""
    drawn = picture.rstrip("\n") + "\n"
    kept = GOLDEN / f"{name}.txt"
    if not kept.exists():
        kept.write_text(drawn, encoding="utf-8")
        pytest.fail(f"{kept.name} was not there and has been drawn: look at it")
    assert drawn == kept.read_text(encoding="utf-8")


# A view changes nothing

SCREENS: tuple[type[Screen], ...] = (
    BrowserScreen, CopiedScreen, HelpScreen, MakingScreen, PlannerScreen, PlayScreen, ReplayScreen, RunsScreen,
    SolverScreen, StatisticsScreen,
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
    keys = ["right", "Y", "esc", "tab", "a", "end", "?", "pgdn", *["esc"] * 3, "b", "down", "left", "down", "esc"]
    keys += ["i", "left", "down", "esc"]
    play(tmp_path, PACK, [*keys, "S", "wait", "wait", "S", "wait", "enter", "right", "wait"], make_solver=SlowSearch)
    play(tmp_path, PACK, keys, size=(8, 30))
    play_made(tmp_path, descent, ["wait"])
    play_made(tmp_path, browse, ["home", "j", "j", "l", "j"])
    assert seen == {*SCREENS}
