"""Whole pictures, kept as text: a change of one is a decision.  Delete a file to have it drawn anew."""

from pathlib import Path

import pytest

from sokoterm.tui.widgets.theme import THEMES
from tests.unit.tui.fake_terminal import play

GOLDEN = Path(__file__).parent / "golden"
PACK = """\
Collection: Golden

    #####
    #   #####
    # # #   #
  ### #   $ #
###   # # # #
#..   $ $   #
#. @  #######
#######
Title: Three boxes and a pillar
Author: A. Person
Comment: The first line stands under the title.

######
#.$@ #
######
Title: Short

######
#.$@ #
######
Title: Short too
"""
ON_GOAL = """\
########
#+$ $* #
#.$  . #
########
"""
HALL = "########\n#      #\n#@$   .#\n#      #\n#      #\n########\n"
DETOUR = (*"lkljhjlllj", "right", "k")
MARKS = ("space", "space", "right", "space", "right")
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
        ("play-panel-tiles", PACK, ["T"] * (len(THEMES) - 1), (35, 120), 0),
        ("play-panel-large-tiles", PACK, ["T"] * (len(THEMES) - 1), (50, 200), 0),
        ("win-panel", PACK, ["n", "h"], (35, 120), 0),
        ("dead-panel", "#######\n# $@ .#\n#######\n", ["h"], (35, 120), 0),
        ("replay-panel", PACK, ["n", "S", "R", "home"], (35, 120), 0),
        ("planner-panel", PACK, ["tab", "a"], (35, 120), 0),
        ("play-wide-board", WIDE, ["L"], (24, 80), 0),
        ("solved", PACK, ["n", "h"], (24, 80), 0),
        ("solved-before", PACK, ["n", "h", "enter", "p"], (24, 80), 0),
        ("dead", "#######\n# $@ .#\n#######\n", ["h"], (24, 80), 0),
        ("prompt", PACK, ["g", "2"], (24, 80), 0),
        ("replay", PACK, ["n", "S", "R", "home"], (24, 80), 0),
        ("improve", HALL, [*DETOUR, "O", "3", "-"], (24, 80), 0),
        ("improve-board", HALL, [*DETOUR, "O", *MARKS], (24, 80), 0),
        ("improve-small", HALL, [*DETOUR, "O"], (8, 30), 0),
        ("improve-small-board", HALL, [*DETOUR, "O", *MARKS], (8, 30), 0),
        ("improve-large", HALL, [*["T"] * (len(THEMES) - 1), *DETOUR, "O", *MARKS], (35, 120), 0),
        ("replay-parts", HALL, [*DETOUR, "O", "enter", "wait", "wait", "R", "n"], (24, 80), 0),
        ("replay-small", PACK, ["n", "S", "R", "home"], (8, 30), 0),
        ("browser-levels", PACK, ["n", "h", "b"], (24, 80), 0),
        ("browser-packs", PACK, ["n", "h", "b", "left", *["wait"] * 9], (24, 80), 0),
        ("browser-panes", PACK, ["n", "h", "b"], (35, 120), 0),
        ("browser-panes-packs", PACK, ["n", "h", "b", "left"], (35, 120), 0),
        ("browser-panes-tiles", PACK, ["T"] * (len(THEMES) - 1) + ["n", "h", "b", "home"], (35, 120), 0),
        ("browser-small", PACK, ["n", "h", "b"], (8, 30), 0),
        ("browser-search", PACK, ["b", "/", "s", "h"], (24, 80), 0),
        ("help", PACK, ["?"], (24, 80), 0),
        ("help-small", PACK, ["?"], (8, 30), 0),
        ("help-large", PACK, ["?"], (50, 200), 0),
        ("browser-large", PACK, ["n", "h", "b"], (50, 200), 0),
        ("replay-large", PACK, ["n", "S", "R", "home"], (50, 200), 0),
        ("planner-large", PACK, ["tab", "a"], (50, 200), 0),
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
            for rows, columns in ((8, 30), (24, 80), (35, 120), (50, 200))
        ),
        *((f"theme-tiles{cell}", ON_GOAL, ["T"] * (len(THEMES) - 1), (24, 80), cell) for cell in (4, 6, 8)),
        ("tiles-facing", ON_GOAL, ["T"] * (len(THEMES) - 1) + ["l", "u", "j"], (24, 80), 0),
        ("tiles-planner", PACK, ["T"] * (len(THEMES) - 1) + ["tab", "a"], (24, 120), 0),
        ("tiles-zoomed", ON_GOAL, ["T"] * (len(THEMES) - 1) + ["+", "-", "-"], (24, 80), 0),
        ("statistics", PACK, ["i"], (24, 80), 0),
        ("statistics-figures", PACK, ["n", "h", "p", "S", "R", "end", "enter", "i"], (24, 80), 0),
        ("statistics-small", PACK, ["b", "i"], (8, 30), 0),
        ("help-second-page", PACK, ["?", "space"], (24, 80), 0),
        ("help-replay", PACK, ["n", "S", "R", "home", "?"], (24, 80), 0),
    ],
)
def test_picture(tmp_path: Path, name: str, pack: str, keys: list[str], size: tuple[int, int], cell: int) -> None:
    check_golden(name, play(tmp_path, pack, keys, size=size, cell=cell).last)


def check_golden(name: str, picture: str) -> None:
    """Compare a picture with the one that is kept, or keep it for someone to look at."""
    drawn = picture.rstrip("\n") + "\n"
    kept = GOLDEN / f"{name}.txt"
    if not kept.exists():
        kept.write_text(drawn, encoding="utf-8")
        pytest.fail(f"{kept.name} was not there and has been drawn: look at it")
    assert drawn == kept.read_text(encoding="utf-8")
