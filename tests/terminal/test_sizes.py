"""Windows of any size, that say none, or that change faster than pictures are painted."""

from pathlib import Path
from random import Random

import pytest

from tests.terminal.screen import sokoterm

PACK = "##########\n#@ $   . #\n#        #\n##########\n"
# The same way forth and back, so that any number of these keys leaves the game somewhere on the floor.
KEYS = ["j", "k", "\x1b[B", "\x1bOA", "?", "\x1b", "b", "\x1b", "\t", "\x1b", "\x0c", "\x7f"]


@pytest.fixture
def pack(tmp_path: Path) -> str:
    path = tmp_path / "pack.txt"
    path.write_text(PACK)
    return str(path)


@pytest.mark.parametrize("size", [(2, 4), (1, 1), (2, 500), (200, 4), (6, 20), (200, 500)], ids=str)
def test_a_window_of_any_size_is_filled_and_left(tmp_path: Path, pack: str, size: tuple[int, int]) -> None:
    with sokoterm(tmp_path, pack, size=size) as screen:
        before = screen.mode
        screen.wait_for("moves 0" if size >= (6, 20) and size[1] >= 20 else "n")
        for key in ("l", "?", "\x1b", "b", "\x1b", "\t", "\x1b"):
            screen.type(key)
            screen.settle()
        assert len(screen.emulated.display) == size[0]
        screen.type("q")
        assert screen.wait() == 0
        assert screen.mode == before
        assert "Traceback" not in screen.text


def test_a_storm_of_resizes_ends_with_the_right_picture(tmp_path: Path, pack: str) -> None:
    random = Random(5)
    with sokoterm(tmp_path, pack) as screen:
        screen.wait_for("moves 0")
        for _ in range(200):
            screen.resize(random.randint(2, 200), random.randint(4, 500))
            screen.type(random.choice(KEYS))
            screen.read(0.0)
        screen.resize(24, 80)
        screen.type("\x1b\x1b\x1b")
        screen.settle()
        screen.type("\x1b[H", "moves 0")
        screen.settle()
        storm = screen.text
        screen.type("\x0c")
        screen.settle()
        assert screen.text == storm
        assert screen.text.count("#") == 48
        screen.type("q")
        assert screen.wait() == 0


@pytest.mark.parametrize(
    ("environ", "size"),
    [
        ({}, (24, 80)),
        ({"LINES": "12", "COLUMNS": "60"}, (12, 60)),
        ({"LINES": "-5", "COLUMNS": "many"}, (24, 80)),
        ({"LINES": "99999999999", "COLUMNS": "\u0662"}, (24, 80)),
    ],
    ids=str,
)
@pytest.mark.parametrize("term", ["vt100", "dumb"])
def test_a_terminal_that_says_no_size(
    tmp_path: Path, pack: str, environ: dict[str, str], size: tuple[int, int], term: str
) -> None:
    with sokoterm(tmp_path, pack, size=(0, 0), emulated=size, environ={"TERM": term, **environ}) as screen:
        screen.wait_for("moves 0")
        screen.type("l", "moves 1")
        if term != "dumb":
            lines = screen.text.split("\n")
            assert lines[size[0] - 1].startswith("arrows move")
            assert lines[size[0] - 2].startswith("moves 1")
        screen.type("q")
        assert screen.wait() == 0


def test_variables_do_not_stand_against_the_terminal(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack, environ={"LINES": "10", "COLUMNS": "30"}) as screen:
        screen.wait_for("moves 0")
        assert screen.text.split("\n")[23].startswith("arrows move")
        screen.type("q")
        assert screen.wait() == 0
