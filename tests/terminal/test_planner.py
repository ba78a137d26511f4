"""The push planner on a real pseudo-terminal, by keys alone."""

from pathlib import Path

import pytest

from tests.terminal.screen import Screen, sokoterm

PACK = """\
##########
#@       #
#  $  .  #
#   $  . #
#        #
##########
Title: Two to bring home
"""
GOALS = ((2, 6), (3, 7))


def board_cell(screen: Screen, row: int, column: int) -> str:
    """What stands on a square of the board in cells of one column."""
    lines = screen.text.split("\n")
    walls = [number for number, line in enumerate(lines) if line.strip() == "#" * 10]
    top = walls[-2]  # a terminal that scrolls still shows the picture before
    return lines[top + row][lines[top].index("#") + column]


@pytest.mark.parametrize(
    "environ",
    [{}, {"TERM": "vt100"}, {"TERM": "linux", "NO_COLOR": "1"}, {"LC_ALL": "C"}, {"TERM": "dumb"}],
    ids=str,
)
def test_a_level_is_solved_by_tab_letters_and_enter(tmp_path: Path, environ: dict[str, str]) -> None:
    path = tmp_path / "pack.txt"
    path.write_text(PACK)
    with sokoterm(tmp_path, "--ascii", "--cell", "1", "--no-mouse", str(path), environ=environ) as screen:
        screen.wait_for("moves 0")
        for done, (box, goal) in enumerate(zip("ab", reversed(GOALS), strict=True)):
            screen.type("\t", "Push planner")
            screen.type(box, f"Where to with box {box}?")
            screen.wait_for("squares in reach")  # the status line is written last
            label = board_cell(screen, *goal)
            assert label.isupper()
            screen.type(label, f"to row {goal[0] + 1} column {goal[1] + 1}")
            screen.type("\r", "moves")
            screen.wait_for("level solved" if done else "Tab")
        screen.type("q")
        assert screen.wait() == 0
