"""The looks of boards by terminal and line, of levels with colours and ice too, and what is remembered of them."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.slow import others_slow, slow
from tests.system.terminal.modem import Modem
from tests.system.terminal.screen import PYTHON, ROOT, Screen, sokoterm, write_settings
from tests.unit.tui.kinds import SHOWN

FIRST_STEPS = str(ROOT / "levels" / "first-steps.txt")
DARK_FLOOR, LIGHT_FLOOR = b"48;5;236", b"48;5;253"
ASCII_ROW, TILE = "##", "▀"
ASKED = b"\x1b]11;?"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with settings that say nothing, where the player of other tests is told to draw text."""
    write_settings(tmp_path, "# nothing\n")
    return tmp_path


def is_painted(screen: Screen, floor: bytes) -> bool:
    return bool(re.search(floor + rb"[;m]", screen.output))


def test_a_terminal_with_256_colours_shows_tiles(home: Path) -> None:
    with sokoterm(home, "-l", "1", FIRST_STEPS) as screen:
        assert TILE in screen.text
        assert is_painted(screen, DARK_FLOOR)
        screen.leave()


@pytest.mark.parametrize(
    ("environ", "arguments"),
    [
        ({"NO_COLOR": "1"}, ()),
        ({"LC_ALL": "C"}, ()),
        ({}, ("--slow-link",)),
        slow({"TERM": "vt100"}, ()),
        slow({"TERM": "linux"}, ()),
        slow({}, ("--no-color",)),
    ],
)
def test_other_terminals_and_slow_lines_show_ascii(
    home: Path, environ: dict[str, str], arguments: tuple[str, ...]
) -> None:
    with sokoterm(home, *arguments, "-l", "1", FIRST_STEPS, environ=environ) as screen:
        assert ASCII_ROW in screen.text
        assert TILE not in screen.text
        assert ASKED not in screen.output or "--slow-link" in arguments
        screen.leave()


def test_a_light_terminal_gets_the_light_palette_and_is_remembered(home: Path) -> None:
    with sokoterm(home, "-l", "1", FIRST_STEPS, begins="") as screen:
        screen.wait_for_output(ASKED)
        screen.write(b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[0n")
        screen.wait_for("moves 0")
        screen.settle()
        assert is_painted(screen, LIGHT_FLOOR)
        screen.leave()
    with sokoterm(home, "-l", "1", FIRST_STEPS) as screen:
        assert is_painted(screen, LIGHT_FLOOR)
        assert not is_painted(screen, DARK_FLOOR)
        screen.leave()


def test_theme_zoom_and_warnings_are_remembered(home: Path) -> None:
    with sokoterm(home, "-l", "1", FIRST_STEPS) as screen:
        screen.type("T", "theme ascii")
        screen.type("-", "zoom: 1 column per square")
        screen.type("D", "warnings off")
        screen.leave()
    with sokoterm(home, "-l", "1", FIRST_STEPS) as screen:
        assert "#@$.#" in screen.text.replace(" ", "")
        assert TILE not in screen.text
        screen.type("D", "warnings on")
        screen.leave()


def test_a_line_that_is_measured_to_be_slow_gets_small_boards_and_says_so_once(home: Path) -> None:
    with sokoterm(home, "-l", "1", FIRST_STEPS, modem=Modem(2000.0), begins="slow line") as screen:
        screen.wait_for(" #####")
        assert TILE not in screen.text
        screen.type("l", "moves 1")
        screen.idle(1.5)
        assert "slow line" not in screen.text
        screen.leave()


ROWS = ["#~+B Ab $   #", "#  CBc  ~~~~#", "#~D   $ d   #"]


def shown(folder: Path, environ: Mapping[str, str]) -> Screen:
    """The player with a level that has all there is."""
    path = folder / "pack.txt"
    path.write_text(SHOWN["both"])
    return sokoterm(folder, "--ascii", "--cell", "1", str(path), environ=environ)


@pytest.mark.parametrize(
    "environ",
    others_slow(
        [{}, {"TERM": "vt100"}, {"TERM": "linux"}, {"TERM": "xterm-256color", "NO_COLOR": "1"}, {"LC_ALL": "C"}]
    ),
    ids=str,
)
def test_letters_are_seen_and_boxes_at_home_marked(tmp_path: Path, environ: Mapping[str, str]) -> None:
    with shown(tmp_path, environ) as screen:
        for row in ROWS:
            screen.wait_for(row)
        lines = screen.text.splitlines()
        top = next(number for number, line in enumerate(lines) if ROWS[0] in line)
        left = lines[top].index(ROWS[0])
        marked = {
            (row, column)
            for row in range(3)
            for column in range(len(ROWS[0]))
            if (cell := screen.emulated.buffer[top + row][left + column]).reverse and cell.underscore
        }
        assert marked == {(0, 5), (1, 4)}
        screen.leave()


def test_signs_mark_boxes_at_home_where_pictures_are_printed(tmp_path: Path) -> None:
    with shown(tmp_path, {"TERM": "dumb"}) as screen:
        for row in (ROWS[0].replace("A", "*"), ROWS[1].replace("B", "*"), ROWS[2]):
            screen.wait_for_output(row.encode())
        screen.leave()


# Starts the player with room for some pairs of colours.
_ROOM = "import sys; from sokoterm.tui import curses_terminal as c; c._MOST_PAIRS = {}; from sokoterm import cli"


def test_when_all_pairs_of_colours_are_taken_those_of_other_pictures_make_room(home: Path) -> None:
    """Four levels of colours and ice, each with its planner, need more than 60 pairs, none of them alone."""
    seen = list[set[tuple[str, str]]]()
    pack = str(ROOT / "levels" / "variants-ice-and-colours.txt")
    for most in (256, 60):
        command = [PYTHON, "-c", f"{_ROOM.format(most)}; sys.exit(cli.main(['-l', '11', '--zoom', '8', {pack!r}]))"]
        with Screen(command, home) as screen:
            screen.wait_for("moves 0")
            for _ in range(3):
                screen.type("\t\r", "where?")
                screen.type("\x1b")
                screen.settle()
                screen.type("\x1b", "moves 0")
                screen.type("n")
                screen.settle()
            screen.type("\t\r", "where?")
            screen.settle()
            rows = screen.emulated.buffer.values()
            seen.append({(cell.fg, cell.bg) for row in rows for cell in row.values()})
            screen.leave("\x1b\x1bq")
    assert seen[0] == seen[1]
