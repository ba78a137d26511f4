"""Terminals as they are described by terminfo: the board, the keys, the colours, and the terminal as it was before."""

import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pyte
import pytest

from sokoterm.tui.widgets.theme import COLORS
from tests.slow import others_slow, slow
from tests.system.terminal.screen import Screen, sokoterm, write_settings

PACK = "##########\n#@ $   . #\n#        #\n##########\nTitle: \u00dcn\u00efted\nComment: One.\n"
BOARD = ["##########", "#@ $   . #", "#        #", "##########"]
TERMS = [
    "xterm-256color", "linux", "vt100", "dumb", "tmux-256color",
    "xterm", "xterm-mono", "screen", "screen-256color", "vt220", "rxvt-unicode", "rxvt-unicode-256color", "ansi",
]  # fmt: skip
_COLOR = re.compile(rb"\x1b\[[0-9;]*\b(?:3[0-7]|4[0-7]|9[0-7]|38|48)(?:;[0-9;]*)?m")
_MODES = {"alternate screen": 1049, "mouse": 1000, "mouse form": 1006, "pastes": 2004}


@pytest.fixture
def pack(tmp_path: Path) -> str:
    path = tmp_path / "pack.txt"
    path.write_text(PACK, encoding="utf-8")
    return str(path)


# What begins something in a terminal, and what ends it.
_PAIRS = (("smcup", "rmcup"), ("smkx", "rmkx"), ("civis", "cnorm"))
_CAPABILITIES = """
import curses, sys
curses.setupterm(sys.argv[1], 1)
print(*((curses.tigetstr(name) or b"").hex() for name in sys.argv[2:]), sep=",")
"""


@cache
def capabilities(term: str) -> Mapping[str, bytes]:
    """What terminfo has of a terminal; empty for one that this machine does not know."""
    names = [name for pair in _PAIRS for name in pair]
    command = [sys.executable, "-S", "-c", _CAPABILITIES, term, *names]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        return {}
    return dict(zip(names, map(bytes.fromhex, found.stdout.strip().split(",")), strict=True))


def known(term: str) -> str:
    """The name of a terminal that this machine knows, else the test is skipped."""
    if not capabilities(term):
        pytest.skip(f"no terminfo entry for {term} here; ncurses-term has it")
    return term


def board(screen: Screen) -> list[str]:
    rows = [line.strip() for line in screen.text.split("\n")]
    first = rows.index("##########")
    return rows[first : first + 4]


def assert_given_back(screen: Screen, term: str) -> None:
    """The terminal is as it was: line mode, cursor, attributes, keypad, mouse, pastes and the first screen."""
    assert screen.mode == screen.mode_before
    emulated = screen.emulated
    assert not emulated.cursor.hidden
    blank = pyte.screens.Char(" ")
    assert emulated.cursor.attrs._replace(data=" ") == blank
    assert [name for name, number in _MODES.items() if number << 5 in emulated.mode] == []
    for begin, end in _PAIRS:
        on, off = capabilities(term)[begin], capabilities(term)[end]
        if on and off and on in screen.output:
            assert screen.output.rindex(off) > screen.output.rindex(on), end


@pytest.mark.parametrize("term", others_slow(TERMS, 5))
def test_the_board_is_shown_played_and_the_terminal_given_back(tmp_path: Path, pack: str, term: str) -> None:
    with sokoterm(tmp_path, "--cell", "1", pack, environ={"TERM": known(term)}) as screen:
        screen.wait_for("moves 0")
        assert board(screen) == BOARD
        moves = ["\x1b[C", "\x1bOC", "\x08", "\x7f", "\x1bOC", "\x1b[C"]  # both forms of arrows, both of Backspace
        for keys, count in zip(moves, (1, 2, 1, 0, 1, 2), strict=True):
            screen.type(keys, f"moves {count}")
        screen.type("lll", "level solved")
        screen.leave()
        assert_given_back(screen, term)


@pytest.mark.parametrize(
    "term", others_slow(["xterm-256color", "dumb", "xterm-of-tomorrow", "xterm", "xterm-mono", "linux", "vt100"], 2)
)
@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"LC_ALL": "C"}], ids=["no colour", "C locale"])
def test_without_colours_and_in_the_c_locale(tmp_path: Path, pack: str, term: str, environ: Mapping[str, str]) -> None:
    with sokoterm(tmp_path, "--cell", "1", pack, environ={"TERM": term, **environ}) as screen:
        assert board(screen) == BOARD
        assert ("?n?ted" if "LC_ALL" in environ else "\u00dcn\u00efted") in screen.text
        screen.type("lllll", "level solved")
        assert "LC_ALL" in environ or not _COLOR.search(screen.output)
        screen.leave()


@pytest.mark.parametrize(
    ("term", "color"),
    [
        ("xterm-256color", b"\x1b[38;5;%dm" % COLORS.many["$"].color),
        ("xterm", b"\x1b[3%dm" % COLORS.few["$"].color),
        slow("linux", b"\x1b[3%dm" % COLORS.few["$"].color),
        slow("ansi", b"\x1b[3%dm" % COLORS.few["$"].color),
        slow("rxvt-unicode", b"\x1b[38;5;%dm" % COLORS.few["$"].color),
        ("xterm-mono", b""),
        slow("vt100", b""),
    ],
)
def test_as_many_colours_as_there_are_and_no_background(tmp_path: Path, pack: str, term: str, color: bytes) -> None:
    with sokoterm(tmp_path, pack, environ={"TERM": known(term)}) as screen:
        screen.leave()
        assert color in screen.output
        assert bool(color) == bool(_COLOR.search(screen.output))
        assert not re.search(rb"\x1b\[(?:[0-9;]*;)?4[0-8](?:;[0-9;]*)?m", screen.output)


def test_colours_of_the_settings(tmp_path: Path, pack: str) -> None:
    write_settings(tmp_path, 'theme = "ascii"\n[colors]\nbox = 208\nwall = "bright-blue on black"\ngoal = "purple"\n')
    for term, codes in (("xterm-256color", [b"38;5;208", b"94", b"40"]), ("xterm", [b"34", b"40"])):
        with sokoterm(
            tmp_path,
            pack,
            environ={"TERM": known(term)},
            begins="config.toml:5: found goal = 'purple', expected a colour (",
        ) as screen:
            screen.leave()
            assert [code for code in codes if not re.search(rb"[\[;]%b[;m]" % code, screen.output)] == []


@pytest.mark.parametrize(
    ("term", "problem"),
    [
        ("foo", "sokoterm: unknown terminal 'foo'; try TERM=xterm sokoterm, or sokoterm --plain"),
        ("\x1b[31mfoo", "[31mfoo'; try TERM=xterm sokoterm, or sokoterm --plain"),
        ("", "sokoterm: TERM is not set; try TERM=xterm sokoterm, or sokoterm --plain"),
        (None, "sokoterm: TERM is not set; try TERM=xterm sokoterm, or sokoterm --plain"),
    ],
)
def test_a_terminal_that_is_not_known_is_one_line(tmp_path: Path, pack: str, term: str | None, problem: str) -> None:
    command = ["env", "-u", "TERM"] if term is None else ["env", f"TERM={term}"]
    with Screen([*command, sys.executable, "-m", "sokoterm", pack], tmp_path) as screen:
        assert screen.exit_status() == 2
        assert "".join(screen.text.split("\n")).endswith(problem)
        assert "Traceback" not in screen.text
        assert b"\x1b" not in screen.output
        assert screen.mode == screen.mode_before


@pytest.fixture(scope="module")
def latin1(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a locale in ISO-8859-1, made for the tests."""
    folder = tmp_path_factory.mktemp("locales")
    try:
        subprocess.run(
            ["localedef", "-i", "en_US", "-f", "ISO-8859-1", str(folder / "en_US.ISO-8859-1")],
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"localedef makes no locale in ISO-8859-1 here: {error}")
    return {"LOCPATH": str(folder), "LC_ALL": "en_US.ISO-8859-1"}


@pytest.mark.parametrize("term", others_slow(["xterm-256color", "dumb", "vt100"], 2))
def test_a_latin_1_locale_never_gets_utf_8(tmp_path: Path, pack: str, latin1: dict[str, str], term: str) -> None:
    with sokoterm(tmp_path, "--theme", "unicode", pack, environ={"TERM": term, **latin1}) as screen:
        screen.type("TTTTT", "theme")
        screen.type("b", "title")
        screen.leave()
        assert "\u00dc".encode() not in screen.output
        assert re.search(rb"(?:\xdc|\?)n(?:\xef|\?)ted", screen.output)
        assert not re.search(rb"[\xe2-\xef][\x80-\xbf]{2}", screen.output)  # a glyph of the Unicode theme


def test_letters_are_typed_in_the_encoding_of_the_locale(tmp_path: Path, pack: str, latin1: dict[str, str]) -> None:
    with sokoterm(tmp_path, pack, environ=latin1) as screen:
        screen.type("b", "search")
        screen.write("/\u00fcN".encode("latin-1"))
        screen.wait_for("/?N")
        assert "?n?ted" in screen.text
        screen.write("x".encode("latin-1"))
        screen.wait_for("nothing matches")


def test_a_terminal_of_millions_of_colours_gets_eight(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack, environ={"TERM": known("xterm-direct")}) as screen:
        screen.leave()
        assert b"\x1b[35m" in screen.output
        assert b"\x1b[38" not in screen.output


def test_high_contrast_is_bold_and_reversed_and_has_no_colour(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, "--theme", "contrast", pack) as screen:
        assert screen.emulated.buffer[screen.cursor[0]][screen.cursor[1]].reverse
        assert screen.emulated.buffer[screen.cursor[0]][screen.cursor[1] + 4].bold  # the box
        screen.leave()
        assert not _COLOR.search(screen.output)


@pytest.mark.parametrize(
    ("keys", "title", "end"),
    [
        ("", "Tall 1/1", "b list  ? help  q quit"),
        ("?", "╭─ Keys", "Esc  back   /  search"),
        ("b", "╭─ Tall ─", "/ search  ? help  q quit"),  # and its mark moves no edge of the pane
    ],
    ids=["board", "help", "list"],
)
def test_a_printed_picture_fits_the_window_to_its_title(tmp_path: Path, keys: str, title: str, end: str) -> None:
    rows = "\n".join(["#" * 12, "#@ $      .#", *["#          #"] * 30, "#" * 12])
    tall = tmp_path / "tall.txt"
    tall.write_text(f"Collection: Tall\n\n{rows}\nTitle: Tower\n")
    with sokoterm(tmp_path, str(tall), environ={"TERM": "dumb"}) as screen:
        screen.type(keys, f"{end}\n\n")
        # The picture after it may still be on its way.
        pictures = screen.output.decode(errors="replace").replace("\r\n", "\n").split("\n\n")
        whole = [picture for picture in pictures if picture.endswith(end)]
        assert whole[-1].lstrip("\n").startswith(title)
        assert whole[-1].count("\n") < 23
        assert keys != "b" or "\n│>" in whole[-1]
        screen.type("q")


def test_a_printed_list_is_no_wider_than_the_window(tmp_path: Path) -> None:
    levels = "".join(f"#####\n#@$.#\n#####\nTitle: Level {number}\n\n" for number in range(1, 10))
    many = tmp_path / "many.txt"
    many.write_text(f"Collection: Many\n\n{levels}")
    with sokoterm(tmp_path, str(many), size=(8, 30), environ={"TERM": "dumb"}, begins="Many 1/9") as screen:
        screen.type("l", "Enter other packs")
        # The whole of the second picture: another is printed once it is known that the levels are alike.
        screen.type("b", "also...\nEnter play  ? help  q quit\n\n")
        lines = screen.text.split("\n")
        assert lines[2].startswith(">*")
        assert lines[2].split()[-2:] == ["1", "1"]
        assert "Many" in lines[0]
        screen.type("q")
