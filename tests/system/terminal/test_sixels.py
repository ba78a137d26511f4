"""The theme ``pictures`` on a terminal that shows sixels: the pixels in its cells are those of the board."""

from functools import cache
from itertools import product
from pathlib import Path

import pytest

from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.pictures.draw import BoardPainter, Thing
from sokoterm.pictures.png import Picture
from sokoterm.pictures.skins import named
from tests.slow import slow
from tests.system.terminal import test_pictures
from tests.system.terminal.pictures import OK
from tests.system.terminal.screen import KEYS, PYTHON, ROOT, write_settings
from tests.system.terminal.sixels import ANSWER, HEIGHT, WIDTH, Color, SixelScreen
from tests.system.terminal.test_pictures import HALL, TWO, after, wandering

FIRST, SECOND = (Level.from_xsb("\n".join(rows)) for rows in (TWO.split("\n")[:3], TWO.split("\n")[5:9]))
WIDE = Level.from_xsb("\n".join(["#" * 60, f"#@{' ' * 57}#", f"#  {' $ . ' * 11} #", f"#{' # ' * 19} #", "#" * 60]))
_POSES = [f"player-{facing}{pose}" for facing in ("up", "down", "left", "right") for pose in ("", "-push")]
_BOXES = ["box", "home", "dead", "lit"]
_Pixels = list[list[Color]]


def playing(folder: Path, text: str, *arguments: str, **options: object) -> SixelScreen:
    """The player with a pack, in a terminal with sixels."""
    folder.mkdir(exist_ok=True)
    pack = folder / "pack.txt"
    pack.write_text(text)
    if not (folder / "XDG_CONFIG_HOME").exists():
        write_settings(folder, "# nothing\n")
    screen = SixelScreen([PYTHON, "-m", "sokoterm", *arguments, str(pack)], folder, **options)  # type: ignore[arg-type]
    screen.wait_for("arrows")
    if options.get("answer", ANSWER) == ANSWER:
        screen.wait_for_output(b"\x1b\\\x1b8")
    screen.settle(0.3)
    return screen


@cache
def square_of(board: Board, square: int, name: str, size: tuple[int, int], dark: bool) -> _Pixels:
    """The pixels of a square with something on it, in a size."""
    painter = BoardPainter(board, named("dungeon", dark=dark))
    picture = painter.picture({square: Thing(name)} if name else {})
    across = picture.width // board.width
    top, left = (each * across for each in divmod(square, board.stride))
    rows = [[_color(picture, top + y, left + x) for x in range(across)] for y in range(across)]
    height, width = size
    return [[rows[y * across // height][x * across // width] for x in range(width)] for y in range(height)]


def _color(picture: Picture, y: int, x: int) -> Color:
    red, green, blue, alpha = picture.colors[picture.pixels[y * picture.width + x]]
    return (round(red / 2.55), round(green / 2.55), round(blue / 2.55)) if alpha else None


def assert_shows(screen: SixelScreen, board: Board, state: State, *, dark: bool = True) -> None:
    """The cells have the pixels of the board, squares under text those that can be seen, and no other cell has any."""
    cells = screen.pictures
    drawn = {cell for cell, pixels in cells.items() if any(any(line) for line in pixels)}
    top, left = (min(cell[axis] for cell in drawn) for axis in (0, 1))
    rows = (max(row for row, _ in drawn) + 1 - top) // board.height
    columns = (max(column for _, column in drawn) + 1 - left) // board.width
    blank: _Pixels = [[None] * WIDTH] * HEIGHT
    for square in range(board.size):
        row, column = divmod(square, board.stride)
        names = _POSES if square == state.player else _BOXES if state.boxes >> square & 1 else [""]
        size = rows * HEIGHT, columns * WIDTH
        pictures = [square_of(board, square, name, size, dark) for name in names if column < board.width]
        for down, right in product(range(rows), range(columns)):
            cell = top + row * rows + down, left + column * columns + right
            lines = slice(down * HEIGHT, (down + 1) * HEIGHT)
            parts = [[line[right * WIDTH : (right + 1) * WIDTH] for line in picture[lines]] for picture in pictures]
            assert not parts or cells.get(cell, blank) in parts, (cell, names)
            drawn.discard(cell if parts else (-1, -1))
    assert not drawn


def assert_is_as_drawn_anew(screen: SixelScreen) -> None:
    """Drawn anew, the screen looks the same."""
    words, before = screen.text.split(), {**screen.pictures}
    screen.write(b"\x0c")
    screen.settle(0.4)
    assert screen.text.split() == words
    assert screen.pictures == before


@pytest.mark.slow
@pytest.mark.parametrize("size", [(24, 80), (35, 120), (50, 200)])
def test_after_200_pushes_the_pixels_are_those_of_the_board(tmp_path: Path, size: tuple[int, int]) -> None:
    moves = wandering(HALL, 200)
    with playing(tmp_path, HALL.xsb(), "--theme", "pictures", size=size) as screen:
        assert_shows(screen, HALL.board, HALL.start)
        for at in range(0, len(moves), 150):
            done = min(at + 150, len(moves))
            screen.type(moves[at:done].translate(KEYS))
            screen.settle(0.3)
            assert_shows(screen, HALL.board, after(HALL, moves[:done]))
        screen.type("r", "moves 0" if size == (24, 80) else "")
        screen.settle(0.3)
        assert_shows(screen, HALL.board, HALL.start)
        screen.leave()


def test_only_squares_that_changed_are_sent(tmp_path: Path) -> None:
    with playing(tmp_path, TWO, "--theme", "pictures", "--zoom", "4") as screen:
        assert len(screen.text) > 0
        first = screen.bytes_of_pictures
        screen.type("l", "moves 1")
        screen.settle()
        sizes = [screen.bytes_of_pictures - first]
        screen.type("l", "moves 2")
        screen.settle()
        sizes.append(screen.bytes_of_pictures - first - sizes[0])
        assert 0 < sizes[0] < 1000
        assert 0 < sizes[1] < 1500
        assert screen.idle(0.5) == 0


@pytest.mark.slow
@pytest.mark.parametrize("size", [(24, 80), (30, 100), (35, 120), (12, 40)])
def test_text_over_the_board_and_other_screens_leave_no_ghost(tmp_path: Path, size: tuple[int, int]) -> None:
    with playing(tmp_path, TWO, "--theme", "pictures", size=size) as screen:
        for key, words in (("?", "Keys"), ("\t", "lanner" if size[1] > 40 else ""), ("g", ""), (".", "")):
            screen.type(key, words)
            screen.settle(0.3)
            if key == "?":
                assert screen.pictures == {}
            for choice in "\r\r" if key == "\t" else "":
                assert_is_as_drawn_anew(screen)
                screen.type(choice)
                screen.settle(0.3)
            assert_is_as_drawn_anew(screen)
            screen.type("\x1b")
            screen.settle(0.3)
            screen.type("\x1b")
            screen.settle(0.3)
            screen.type("r")
            screen.settle(0.3)
            assert_shows(screen, FIRST.board, FIRST.start)
        screen.write(b"\x0c")
        screen.settle()
        assert_shows(screen, FIRST.board, FIRST.start)
        screen.type("lll")
        screen.settle(0.6)
        screen.type("\r")
        screen.settle(0.3)
        assert_shows(screen, SECOND.board, SECOND.start)
        screen.type("p")
        screen.settle(0.3)
        assert_shows(screen, FIRST.board, FIRST.start)
        screen.type("T", "theme ascii")
        screen.settle()
        assert screen.pictures == {}
        screen.leave()


def test_windows_of_other_sizes_and_zoom(tmp_path: Path) -> None:
    with playing(tmp_path, TWO, "--theme", "pictures") as screen:
        for size in (30, 100), (12, 40), (50, 200), (8, 30), (24, 80):
            screen.resize(*size)
            screen.settle(0.4)
            assert_shows(screen, FIRST.board, FIRST.start)
        for key in "---++":
            screen.type(key)
            screen.settle(0.3)
            if "@" not in screen.text:  # the smallest squares are text
                assert_shows(screen, FIRST.board, FIRST.start)
        screen.leave()


def test_boards_that_scroll_look_as_if_they_were_drawn_anew(tmp_path: Path) -> None:
    with playing(tmp_path, WIDE.xsb(), "--theme", "pictures", "--zoom", "8") as screen:
        before = dict(screen.pictures)
        screen.type("l" * 12, "moves 12")
        screen.settle(0.4)
        assert dict(screen.pictures) != before
        assert_is_as_drawn_anew(screen)
        screen.leave()


def test_suspended_it_draws_all_again(tmp_path: Path) -> None:
    write_settings(tmp_path, "# nothing\n")
    pack = tmp_path / "pack.txt"
    pack.write_text(HALL.xsb())
    job = str(ROOT / "tests" / "system" / "terminal" / "job.py")
    with SixelScreen([PYTHON, job, PYTHON, "-m", "sokoterm", "--theme", "pictures", str(pack)], tmp_path) as screen:
        screen.wait_for("moves 0")
        screen.settle()
        screen.write(b"\x1a")
        screen.settle(0.4)
        assert_shows(screen, HALL.board, HALL.start)
        screen.leave()


# What a terminal answers

NO_SIZE = b"\x1b[?62;4;22c"
HOSTILE = [
    b"", b"\x1b[?62;22c", b"\x1b[?4c", b"\x1b[?62;44c", NO_SIZE, b"\x1b[6;20;10t", b"\x1b[6;0;0t" + NO_SIZE,
    b"\x1b[6;999;999t" + NO_SIZE, b"\x1b[6;99999;99999t" + NO_SIZE, b"\x1b[6;20;t" + NO_SIZE, b"\x1b[6;20t" + NO_SIZE,
    b"\x1b[4;480;800t" + NO_SIZE, b"\x1b[6;20;10t\x1b[?62;" + b"4;" * 90 + b"4c",
]  # fmt: skip


@pytest.mark.parametrize("answer", [HOSTILE[1], HOSTILE[4], HOSTILE[6], *map(slow, HOSTILE)])
def test_without_whole_answers_no_sixel_is_sent_and_half_blocks_are_shown(tmp_path: Path, answer: bytes) -> None:
    with playing(tmp_path, TWO, "--theme", "pictures", answer=answer) as screen:
        screen.wait_for("▀")
        screen.wait_for("theme pictures needs a terminal that shows pictures")
        screen.resize(30, 100)
        screen.settle()
        screen.leave()
        assert b"\x1bP" not in screen.output


def test_a_late_answer_brings_pictures_and_the_size_may_come_after_it(tmp_path: Path) -> None:
    with playing(tmp_path, TWO, answer=NO_SIZE) as screen:
        screen.wait_for("▀")
        screen.write(ANSWER)
        screen.settle(0.3)
        assert "▀" not in screen.text
        assert_shows(screen, FIRST.board, FIRST.start)
        screen.write(OK)  # too late: the terminal has said what it has
        screen.type("T", "theme ascii")
        screen.leave()
        assert b"a=t" not in screen.output


def test_the_pixels_of_the_window_tell_the_size_of_a_cell_where_nothing_else_does(tmp_path: Path) -> None:
    with playing(tmp_path, TWO, answer=NO_SIZE, cell=(HEIGHT, WIDTH)) as screen:
        screen.wait_for_output(b"\x1b\\\x1b8")
        screen.settle()
        assert_shows(screen, FIRST.board, FIRST.start)
        screen.leave()


def test_where_the_terminal_has_both_the_protocol_of_kitty_is_taken(tmp_path: Path) -> None:
    with test_pictures.playing(tmp_path, TWO, answer=lambda: OK + ANSWER) as screen:
        screen.wait_for_output(b"a=t")
        screen.leave()
        assert b"\x1bP" not in screen.output


def test_slow_lines_have_no_sixels(tmp_path: Path) -> None:
    with playing(tmp_path, TWO, "--slow-link", "--theme", "pictures", answer=b"\x1b[5n" + ANSWER) as screen:
        screen.settle(0.4)
        screen.leave()
        assert b"\x1bP" not in screen.output


def test_a_light_terminal_gets_the_light_colours(tmp_path: Path) -> None:
    with playing(tmp_path, TWO, "--theme", "pictures") as screen:
        screen.write(b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
        screen.settle(0.3)
        assert_shows(screen, FIRST.board, FIRST.start, dark=False)
        screen.leave()
