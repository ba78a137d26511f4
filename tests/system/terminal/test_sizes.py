"""Windows of any size, that say none, or that change faster than pictures are painted."""

import re
from itertools import product
from pathlib import Path
from random import Random

import pytest

from sokoterm.tui.terminal import LARGEST
from tests.slow import others_slow, slow
from tests.system.terminal.pty_terminal import PtyTerminal
from tests.system.terminal.screen import PYTHON, Screen, sokoterm
from tests.system.terminal.test_plug import child_of

# The same way forth and back, so that any number of these keys leaves the game somewhere on the floor.
KEYS = ["j", "k", "\x1b[B", "\x1bOA", "?", "\x1b", "b", "\x1b", "\t", "\x1b", "\x0c", "\x7f"]


@pytest.mark.parametrize("size", others_slow([(1, 1), (6, 20), (200, 500), (2, 4), (2, 500), (200, 4)]), ids=str)
def test_a_window_of_any_size_is_filled_and_left(tmp_path: Path, pack: str, size: tuple[int, int]) -> None:
    begins = "moves 0" if size >= (6, 20) and size[1] >= 20 else "n"
    with sokoterm(tmp_path, pack, size=size, begins=begins) as screen:
        for key in ("l", "?", "\x1b", "b", "\x1b", "\t", "\x1b"):
            screen.type(key)
            screen.settle()
        assert len(screen.emulated.display) == size[0]
        screen.leave()
        assert screen.mode == screen.mode_before
        assert "Traceback" not in screen.text


def test_a_storm_of_resizes_ends_with_the_right_picture(tmp_path: Path, pack: str) -> None:
    random = Random(5)
    # Variables do not stand against the terminal.
    with sokoterm(tmp_path, pack, environ={"LINES": "10", "COLUMNS": "30"}) as screen:
        for _ in range(40):
            screen.resize(random.randint(2, 200), random.randint(4, 500))
            screen.type(random.choice(KEYS))
            screen.read(0.0)
        screen.resize(24, 80)
        screen.type("\x1b\x1b\x1b")
        screen.settle()
        screen.type("\x1b[H", "moves 0")
        screen.settle()
        storm = screen.text
        assert storm.split("\n")[23].startswith("arrows move")
        screen.type("\x0c")
        screen.settle()
        assert screen.text == storm
        assert screen.text.count("#") == 48
        screen.leave()


@pytest.mark.parametrize(
    ("environ", "size"),
    [
        ({}, (24, 80)),
        ({"LINES": "12", "COLUMNS": "60"}, (12, 60)),
        slow({"LINES": "-5", "COLUMNS": "many"}, (24, 80)),
        ({"LINES": "99999999999", "COLUMNS": "\u0662"}, (24, 80)),
    ],
    ids=str,
)
@pytest.mark.parametrize("term", others_slow(["vt100", "dumb"]))
def test_a_terminal_that_says_no_size(
    tmp_path: Path, pack: str, environ: dict[str, str], size: tuple[int, int], term: str
) -> None:
    with sokoterm(tmp_path, pack, size=(0, 0), emulated=size, environ={"TERM": term, **environ}) as screen:
        screen.type("l", "moves 1")
        if term != "dumb":
            lines = screen.text.split("\n")
            assert lines[size[0] - 1].startswith("arrows move")
            assert lines[size[0] - 2].startswith("moves 1")
        screen.leave()


# What a terminal may say and no screen has.
MOST = 65_535
IMPOSSIBLE = [(MOST, MOST), (5, MOST), (MOST, 80), (MOST, 5), (24, MOST), (32_768, 32_767)]
LEFT = b"\x1b[?1049l"
PEAK_MEGABYTES = 120  # with a picture of the largest size it is 70


def peak_megabytes(pid: int) -> float:
    """The most memory that a process has had."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        pytest.skip("the memory of processes is not to be seen here")
    return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024


@pytest.mark.parametrize(
    ("term", "size"),
    [
        ("xterm-256color", IMPOSSIBLE[0]),
        slow("dumb", IMPOSSIBLE[0]),
        *(slow("xterm-256color", size) for size in IMPOSSIBLE[1:]),
        *(slow(*each) for each in product(("vt100", "dumb"), IMPOSSIBLE[1:3])),
    ],
    ids=str,
)
def test_no_picture_is_larger_than_any_screen(tmp_path: Path, pack: str, size: tuple[int, int], term: str) -> None:
    with sokoterm(tmp_path, pack, size=size, emulated=(24, 80), environ={"TERM": term}, begins="") as screen:
        assert screen.read(20.0)
        for key in ("l", "?", "\x1b", "b", "\x1b", "T", "\x0c"):
            screen.type(key)
            screen.settle()
        assert peak_megabytes(screen.pid) < PEAK_MEGABYTES
        places = re.findall(rb"\x1b\[(\d+);(\d+)H", screen.output)
        assert all(int(row) <= LARGEST.rows and int(column) <= LARGEST.columns for row, column in places)
        assert max(map(len, screen.output.split(b"\n"))) < 200 * LARGEST.columns
        screen.leave()
        assert screen.mode == screen.mode_before
        assert (LEFT in screen.output) is (term == "xterm-256color")


@pytest.mark.parametrize("resizes", [40, pytest.param(1_000, marks=pytest.mark.slow)])
def test_resizes_to_what_no_screen_has_take_no_memory(tmp_path: Path, pack: str, resizes: int) -> None:
    random = Random(7)
    with sokoterm(tmp_path, pack) as screen:
        for _ in range(resizes):
            PtyTerminal.resize(screen, random.choice([1, 5, 300, MOST]), random.choice([1, 5, 500, MOST]))
            screen.type(random.choice(KEYS))
            screen.read(0.02)
        assert peak_megabytes(screen.pid) < PEAK_MEGABYTES
        screen.resize(24, 80)
        screen.type("\x1b\x1b\x1b")
        screen.settle()
        screen.type("\x1b[H\x0c", "moves 0")
        screen.leave()
        assert screen.mode == screen.mode_before
        assert LEFT in screen.output


def test_the_size_that_is_said_is_not_believed_after_a_stop_either(tmp_path: Path, pack: str) -> None:
    command = [PYTHON, str(Path(__file__).with_name("job.py")), PYTHON, "-m", "sokoterm", pack]
    with Screen(command, tmp_path, size=(MOST, MOST), emulated=(24, 80)) as screen:
        screen.wait_for_output(b"\x1b[?1049h")
        screen.settle()
        since = len(screen.output)
        screen.type("\x1a")
        screen.wait_for_output(b"\x1b[?1049h", since=since)
        screen.settle()
        assert peak_megabytes(child_of(screen.pid)) < PEAK_MEGABYTES
        screen.leave()


# Each is a step that gives the terminal back, or that comes before one.
STEPS = [
    "curses_terminal.CursesTerminal._ask_for_mouse",
    "curses_terminal.CursesTerminal._ask_for_pastes",
    "posix_keys.PosixKeys._drain",
    "posix_keys.Signals.stop",
    "line.Line.send",
    "line.Line.flush",
]
BREAKING = """
import sys
from sokoterm.cli import main
from sokoterm.tui import curses_terminal
from sokoterm.terminal import output_line as line
from sokoterm.terminal import posix_keys


def fail(*_, **__):
    raise MemoryError


def paint(self, frame):
    if self._shown is None:
        return painted(self, frame)
    {step} = fail
    raise MemoryError


painted = curses_terminal.CursesTerminal.paint
curses_terminal.CursesTerminal.paint = paint
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("step", others_slow(STEPS, 2))
def test_the_terminal_is_given_back_whatever_fails(tmp_path: Path, pack: str, step: str) -> None:
    with Screen([PYTHON, "-c", BREAKING.format(step=step), pack], tmp_path) as screen:
        screen.wait_for("moves 0")
        screen.type("l")
        assert screen.exit_status() == 70
        assert screen.mode == screen.mode_before
        assert b"sokoterm: internal error" in screen.output
        assert (LEFT in screen.output) is ("Line" not in step)
