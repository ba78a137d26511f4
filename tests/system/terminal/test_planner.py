"""The push planner on a real pseudo-terminal, by keys alone."""

from pathlib import Path

import pytest

from tests.slow import others_slow
from tests.system.terminal.screen import Screen, sokoterm

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


def place_of(screen: Screen, row: int, column: int) -> tuple[int, int]:
    """Where a square of the board stands on the screen, in cells of one column."""
    lines = screen.text.split("\n")
    walls = [number for number, line in enumerate(lines) if line.strip() == "#" * 10]
    top = walls[-2]  # a terminal that scrolls still shows the picture before
    return top + row, lines[top].index("#") + column


def board_cell(screen: Screen, row: int, column: int) -> str:
    """What stands on a square of the board."""
    row, column = place_of(screen, row, column)
    return screen.text.split("\n")[row][column]


def mouse(screen: Screen, square: tuple[int, int], *, is_press: bool) -> None:
    """Press the left button on a square of the board, or let it go there."""
    row, column = place_of(screen, *square)
    screen.write(f"\x1b[<0;{column + 1};{row + 1}{'M' if is_press else 'm'}".encode())


@pytest.mark.parametrize(
    "environ",
    others_slow([{}, {"TERM": "dumb"}, {"TERM": "vt100"}, {"TERM": "linux", "NO_COLOR": "1"}, {"LC_ALL": "C"}], 2),
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


def test_a_box_is_clicked_to_its_square_and_another_dragged(tmp_path: Path) -> None:
    path = tmp_path / "pack.txt"
    path.write_text(PACK)
    with sokoterm(tmp_path, "--ascii", "--cell", "1", str(path)) as screen:
        screen.wait_for("moves 0")
        for square, words in (((2, 3), "squares in reach"), (GOALS[0], "pushes 3")):
            mouse(screen, square, is_press=True)
            mouse(screen, square, is_press=False)
            screen.wait_for(words)
        mouse(screen, (3, 4), is_press=True)
        screen.wait_for("squares in reach")
        mouse(screen, GOALS[1], is_press=False)
        screen.wait_for("level solved")
        screen.type("q")
        assert screen.wait() == 0
