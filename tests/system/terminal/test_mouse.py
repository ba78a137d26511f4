"""The mouse on a real pseudo-terminal: reports of the form of mode 1006, and of the older one, are sent to it."""

from pathlib import Path

import pytest

from tests.slow import others_slow
from tests.system.terminal.screen import Screen, sokoterm, write_settings

ON, OFF = (b"\x1b[?1000h", b"\x1b[?1006h"), (b"\x1b[?1000l", b"\x1b[?1006l")
PACK = """\
##########
#@       #
#  $  .  #
#   $  . #
#        #
##########
Title: Two to bring home
"""


def open_pack(folder: Path, text: str, *arguments: str, **options: object) -> Screen:
    path = folder / "pack.txt"
    path.write_text(text)
    return sokoterm(folder, "--ascii", str(path), *arguments, **options)  # type: ignore[arg-type]


def report(row: int, column: int, button: int = 0, *, is_press: bool = True) -> bytes:
    return f"\x1b[<{button};{column + 1};{row + 1}{'M' if is_press else 'm'}".encode()


def old_report(row: int, column: int, button: int = 0) -> bytes:
    return b"\x1b[M" + bytes([32 + button, 33 + column, 33 + row])


def click(screen: Screen, row: int, column: int, words: str, button: int = 0) -> None:
    """Press and let go a button, and wait for words."""
    screen.write(report(row, column, button) + report(row, column, button, is_press=False))
    screen.wait_for(words)


def corner(screen: Screen) -> tuple[int, int]:
    """Where the upper left square of a board stands that begins with ten walls."""
    lines = screen.text.split("\n")
    top = next(number for number, line in enumerate(lines) if "#" * 10 in line)
    return top, lines[top].index("#")


@pytest.mark.parametrize("cell", others_slow([2, 1]))
def test_a_level_is_solved_by_clicks_alone(tmp_path: Path, cell: int) -> None:
    with open_pack(tmp_path, PACK, "--cell", str(cell)) as screen:
        top, left = corner(screen)
        click(screen, top + 4, left + 8 * cell + cell - 1, "moves 10")
        click(screen, top + 2, left + 3 * cell, "squares in reach")
        click(screen, top + 2, left + 6 * cell + cell - 1, "pushes 3")
        click(screen, top + 3, left + 7 * cell, "Boxes that reach", button=2)
        click(screen, top + 3, left + 4 * cell, "level solved")
        screen.leave()


@pytest.mark.parametrize("term", others_slow(["screen", "screen-256color", "linux"]))
def test_reports_of_the_older_form_act_and_are_no_keys(tmp_path: Path, term: str) -> None:
    with open_pack(tmp_path, PACK, environ={"TERM": term}) as screen:
        top, left = corner(screen)
        # The newer form is asked for all the same: what such a terminal runs in may well know it.
        assert b"\x1b[?1000h\x1b[?1006h" in screen.output
        # Beyond column and row 223 the older form has no bytes: what terminals send then is none of our squares.
        for lost in (b"\x1b[M \xff\xff", b"\x1b[M \x00\x00", b"\x1b[M \x1f\x05", b"\x1b[M \xc4\xbf"):
            screen.write(lost)
        screen.read(0.2)
        assert "moves 0" in screen.text
        screen.write(old_report(top + 4, left + 8))
        screen.wait_for("moves ")
        screen.write(old_report(top + 4, left + 8, 3))
        for piece in (b"\x1b[<0;", b"9", b"999;1M", b"\x1b[M", b"qqq", b"\x1b[<" + b"q", b"\x1b[<0;1;1;1;1M"):
            screen.write(piece)
            screen.read(0.2)
        screen.type("g", "level number")


def test_the_mouse_is_given_back_at_the_end_and_taken_again_after_a_stop(tmp_path: Path) -> None:
    with open_pack(tmp_path, PACK) as screen:
        assert all(each in screen.output for each in ON)
        assert not any(each in screen.output for each in (b"?1002h", b"?1003h", b"?9h", b"?1015h"))
        assert not any(each in screen.output for each in OFF)
        screen.leave()
        assert all(screen.output.count(each) == 1 for each in (*ON, *OFF))


@pytest.mark.parametrize(
    ("arguments", "environ"), [(["--no-mouse"], {}), ([], {"TERM": "vt100"}), ([], {"TERM": "dumb"})]
)
def test_the_mouse_is_left_alone_where_it_is_not_wanted_or_not_there(
    tmp_path: Path, arguments: list[str], environ: dict[str, str]
) -> None:
    with open_pack(tmp_path, PACK, *arguments, environ=environ) as screen:
        screen.type("M", "mouse on" if arguments else "no mouse support known for this terminal")
        assert (ON[0] in screen.output) == bool(arguments)
        screen.leave()
        assert screen.output.count(ON[0]) == screen.output.count(OFF[0])


def test_the_settings_turn_the_mouse_off_and_a_key_turns_it_on(tmp_path: Path) -> None:
    write_settings(tmp_path, "mouse = false\nanimation = 0\n")
    with open_pack(tmp_path, PACK) as screen:
        assert ON[0] not in screen.output
        screen.type("M", "mouse on")
        assert all(each in screen.output for each in ON)
        screen.type("M", "mouse off: the terminal selects text again")
        assert all(each in screen.output for each in OFF)
