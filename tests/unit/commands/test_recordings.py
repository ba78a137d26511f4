"""``sokoterm replay --cast`` and ``--svg``: the files read again by others' eyes, a terminal's and an XML parser's."""

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pyte
import pytest

from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import end_of, parse_lurd, play
from sokoterm.engine.rules import slide
from sokoterm.tui.widgets.sights import Sights, text_of
from sokoterm.tui.widgets.theme import THEMES, Theme
from sokoterm.tui.widgets.tiles import DARK, FLOOR, PALETTES, SIZES, VARIANT_LETTERS, Palette, draw_pixels, things_on
from tests.present import present
from tests.slow import others_slow
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, SEED, TWO_PUSHES, Command
from tests.unit.tui.kinds import SOLVED, level_of

NAMES = [theme.name for theme in THEMES]
ORANGE = "#d75f00"  # 166 of the 256 colours
SVG = "{http://www.w3.org/2000/svg}"
BOARD = """\
#########
#       #
# $ $.@ #
#  .    #
#########"""
MOVES = "lLulDLurrrdldLr"


def _boards(board: str, lurd: str) -> Iterator[list[str]]:
    """The board at the start and after each move."""
    level = Level.from_xsb(board)
    game = Game(level)
    yield level.picture(game.state)
    for step in parse_lurd(lurd):
        game.play([step])
        yield level.picture(game.state)


class Cast:
    """A recording, as it is played."""

    def __init__(self, data: str) -> None:
        header, *events = map(json.loads, data.splitlines())
        self.header = header
        self.times = [event[0] for event in events]
        self.kinds = {event[1] for event in events}
        self.data = [event[2] for event in events]

    def pictures(self) -> Iterator[list[str]]:
        """The screen after each event."""
        screen = pyte.Screen(self.header["width"], self.header["height"])
        stream = pyte.Stream(screen)
        for data in self.data:
            stream.feed(data)
            yield [line.rstrip() for line in screen.display]


def replayed(command: Command, board: str, lurd: str, *flags: str) -> str:
    """What a replay of moves prints."""
    return command.done("replay", command.pack("levels.txt", [board]), "-l", "1", "--moves", lurd, *flags).out


def _shown_board(picture: list[str], width: int) -> list[str]:
    """The rows of a board on a screen, which has no other ``#``; its first row is a wall from end to end."""
    rows = [line for line in picture[1:-1] if "#" in line]
    left = rows[0].index("#")
    return [row[left : left + width].rstrip() for row in rows]


def test_a_recording_shows_every_board_on_the_way(command: Command) -> None:
    result = replayed(command, BOARD, MOVES, "--cast", "-", "--cell", "1")
    cast = Cast(result)
    pictures = list(cast.pictures())
    assert [_shown_board(each, 9) for each in pictures[:-1]] == list(_boards(BOARD, MOVES))
    assert pictures[-1] == pictures[-2]
    assert pictures[0][0] == "levels 1  A"
    assert pictures[-1][23].startswith(f"move {len(MOVES)}/{len(MOVES)} push ")


def test_the_header_is_that_of_asciicast_2_and_the_file_the_same_each_time(command: Command) -> None:
    pack = command.pack("levels.txt", [TWO_PUSHES])
    arguments = ["replay", str(pack), "-l", "1", "--lurd", "rR", "--cast", "-"]
    first = command(*arguments).out
    assert Cast(first).header == {"version": 2, "width": 80, "height": 24, "title": "levels 1  A"}
    assert command(*arguments).out == first
    assert first.isascii()
    assert first.endswith("\n")
    command.monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert Cast(command(*arguments).out).header["timestamp"] == 1700000000
    for odd in ("soon", "-1", "9" * 5000):
        command.monkeypatch.setenv("SOURCE_DATE_EPOCH", odd)
        assert command(*arguments).out == first


def test_moves_follow_each_other_at_the_speed_that_was_asked_for(command: Command) -> None:
    cast = Cast(replayed(command, BOARD, "lrlr", "--cast", "-", "--animation", "10"))
    assert cast.times == [0.0, 1.0, 1.1, 1.2, 1.3, 3.3]
    assert cast.kinds == {"o"}
    fast = Cast(replayed(command, BOARD, "50(lr)", "--cast", "-", "--animation", "1000"))
    assert min(b - a for a, b in pairwise(fast.times)) >= 0.02
    assert "move 100/100" in list(fast.pictures())[-1][23]


def test_only_what_changed_is_written(command: Command) -> None:
    for flags in ([], ["--no-color"]):
        cast = Cast(replayed(command, BOARD, MOVES, "--cast", "-", *flags))
        assert max(map(len, cast.data[1:])) < 120
        assert (";5;166m" in "".join(cast.data)) == (not flags)


@pytest.mark.parametrize(
    ("flags", "size"), [([], (80, 60)), (["--cell", "2"], (160, 60)), (["--size", "40x12"], (40, 12))]
)
def test_the_window_is_that_which_was_asked_for_or_large_enough(
    command: Command, flags: list[str], size: tuple[int, int]
) -> None:
    board = "\n".join(["#" * 80, "#@$." + " " * 75 + "#", *["#" + " " * 78 + "#"] * 55, "#" * 80])
    cast = Cast(replayed(command, board, "r", "--cast", "-", *flags))
    assert (cast.header["width"], cast.header["height"]) == size
    assert "@" in "".join(list(cast.pictures())[-1])


@pytest.mark.parametrize("theme", THEMES, ids=NAMES)
def test_a_recording_is_drawn_by_the_theme(command: Command, theme: Theme) -> None:
    cast = Cast(replayed(command, TWO_PUSHES, "r", "--cast", "-", "--theme", theme.name, "--cell", "2"))
    last = "\n".join(list(cast.pictures())[-1])
    assert theme.glyph("$", 2) in last
    assert theme.glyph("#", 2) * 6 in last


def test_tiles_are_recorded_in_their_colours(command: Command) -> None:
    cast = Cast(replayed(command, TWO_PUSHES, "r", "--cast", "-", "--theme", "tiles"))
    data, wood = "".join(cast.data), DARK.number("b")
    assert "▀" in "".join(list(cast.pictures())[-1])
    assert f"48;5;{wood}m" in data or f"38;5;{wood};" in data
    assert f"48;5;{DARK.number('f')}m" in data
    plain = replayed(command, TWO_PUSHES, "r", "--cast", "-", "--theme", "tiles", "--no-color")
    assert "38;5" not in "".join(Cast(plain).data)


# The picture


class Picture:
    """An SVG picture, as a browser would draw it at a time; its squares are ``width`` times ``height`` pixels."""

    def __init__(self, data: str, width: int = 18, height: int = 18) -> None:
        self.root = ET.fromstring(data)
        self._size = width, height
        self._uses = list(self.root.iter(f"{SVG}use"))
        self._left = min(int(each.attrib["x"]) for each in self._uses)
        self._top = min(int(each.attrib["y"]) for each in self._uses)

    def board(self, part: float) -> dict[tuple[int, int], str]:
        """The names of glyphs by place after a part of the whole time, empty squares aside."""
        shown: dict[tuple[int, int], str] = {}
        for use in self._uses:
            if _value(use, "visibility", part) == "hidden":
                continue
            x, y = int(use.attrib["x"]) - self._left, int(use.attrib["y"]) - self._top
            row, column = y // self._size[1], x // self._size[0]
            assert (row, column) not in shown
            name = use.attrib["href"][1:]
            shown[row, column] = CELLS[name[0]] + name[1:]
        return shown


CELLS = {"w": "#", "p": "@", "q": "+", "b": "$", "c": "*", "g": ".", "i": "i"}


def _value(element: ET.Element, name: str, part: float) -> str:
    """An attribute at a part of the time (SMIL, discrete)."""
    animation = element.find(f"{SVG}animate")
    if animation is None:
        return element.get(name, "")
    assert (animation.get("attributeName"), animation.get("calcMode")) == (name, "discrete")
    times = [float(time) for time in animation.attrib["keyTimes"].split(";")]
    values = animation.attrib["values"].split(";")
    assert times[0] == 0
    assert all(a < b for a, b in pairwise(times))
    assert len(times) == len(values)
    assert element.get(name) == values[0]
    return [value for time, value in zip(times, values, strict=True) if time <= part][-1]


def _cells(board: list[str]) -> dict[tuple[int, int], str]:
    return {(r, c): cell for r, row in enumerate(board) for c, cell in enumerate(row) if cell != " "}


@pytest.mark.parametrize(
    ("board", "lurd"), [(BOARD, MOVES), (FEWER_MOVES, "llRuld"), (ONE_PUSH, "R"), (SEED, "lrlrlr")]
)
@pytest.mark.parametrize("cell", [1, 2])
def test_a_picture_shows_every_board_on_the_way(command: Command, board: str, lurd: str, cell: int) -> None:
    flags = ["--svg", "-", "--animation", "4", "--cell", str(cell)]
    result = replayed(command, board, lurd, *flags)
    picture = Picture(result, 9 * cell)
    seconds = 1 + (len(lurd) - 1) / 4 + 3
    for k, expected in enumerate(_boards(board, lurd)):
        middle = (1 + (k - 0.5) / 4 if k else 0.5) / seconds
        assert picture.board(middle) == _cells(expected), k
    durations = {each.get("dur") for each in picture.root.iter(f"{SVG}animate")}
    assert durations == {f"{seconds:.6g}s"}


def test_a_picture_at_a_move_stands_still(command: Command) -> None:
    for k, expected in enumerate(_boards(BOARD, MOVES)):
        text = replayed(command, BOARD, MOVES, "--svg", "-", "--at", str(k))
        assert Picture(text).board(0) == _cells(expected)
        assert "<animate" not in text
        assert f"move {k}/{len(MOVES)} push" in text
    without = command("replay", command.pack("levels.txt", [BOARD]), "-l", "1", "--svg", "-", "--at", "0").out
    assert Picture(without).board(0) == _cells(BOARD.splitlines())
    assert "move" not in without


def test_a_picture_loads_and_runs_nothing(command: Command) -> None:
    text = replayed(command, BOARD, MOVES, "--svg", "-")
    assert {element.tag for element in ET.fromstring(text).iter()} <= {
        SVG + name for name in ("svg", "title", "style", "defs", "g", "text", "rect", "use", "animate")
    }
    links = [value for element in ET.fromstring(text).iter() for key, value in element.items() if "href" in key]
    assert set(links) <= {f"#{name}" for name in CELLS}
    assert not re.search(r"url|@import|on[a-z]+=", text)
    assert re.findall('https?:[^"]*', text) == ["http://www.w3.org/2000/svg"]


def test_titles_are_escaped_and_nothing_in_them_acts(command: Command) -> None:
    path = command.folder / "odd.txt"
    path.write_bytes(f"{ONE_PUSH}\nTitle: <b>&\"'</title>\x1b[2J\x07\x85 \ud7ff\ufffe]]>\n".encode())
    for flags in ([], ["--at", "1"]):
        text = command("replay", path, "-l", "1", "--lurd", "r", "--svg", "-", *flags).out
        root = ET.fromstring(text)
        title = root.findtext(f"{SVG}title") or ""
        assert "<b>&\"'</title>?[2J? " in title
        assert all(character.isprintable() for character in text.replace("\n", ""))
    cast = Cast(command("replay", path, "-l", "1", "--lurd", "r", "--cast", "-").out)
    assert "<b>&\"'</title>?[2J?" in cast.header["title"]
    assert "\x1b[2J" not in "".join(cast.data)[len("\x1b[?25l\x1b[2J") :]


def test_a_picture_of_500_moves_is_small(command: Command) -> None:
    board = "\n".join(["#" * 30, *["#" + " " * 28 + "#"] * 8, "#" + " " * 13 + "@$." + " " * 12 + "#", "#" * 30])
    lurd = "2(l8u12r12l8dr)" + "200(lr)" + "17(ud)" + "R"
    text = replayed(command, board, lurd, "--svg", "-")
    assert len(list(parse_lurd(lurd))) >= 500
    assert len(text) < 100_000


@pytest.mark.parametrize("theme", THEMES, ids=NAMES)
def test_a_picture_is_drawn_by_the_theme(command: Command, theme: Theme) -> None:
    text = replayed(command, TWO_PUSHES, "r", "--svg", "-", "--theme", theme.name, "--no-color")
    glyphs = {each.get("id"): each.findtext(f"{SVG}text") for each in ET.fromstring(text).iter(f"{SVG}g")}
    assert glyphs["b"] == theme.glyph("$", 2).strip()
    ascii_text = replayed(command, TWO_PUSHES, "r", "--svg", "-")
    assert (ORANGE in text, ORANGE in ascii_text) == (False, True)


def _pixels(glyph: ET.Element) -> dict[tuple[int, int], str]:
    """The colour letters of a glyph of pixels, drawn as lines a pixel thick."""
    found: dict[tuple[int, int], str] = {}
    for path in glyph.iter(f"{SVG}path"):
        for x, y, length in re.findall(r"M(\d+) (\d+)\.5h(\d+)", path.attrib["d"]):
            found |= {(int(y), int(x) + right): path.attrib["class"] for right in range(int(length))}
    return found


@pytest.mark.parametrize("palette", PALETTES.values(), ids=list(PALETTES))
@pytest.mark.parametrize("pixels", SIZES)
def test_tiles_are_drawn_pixel_by_pixel(command: Command, palette: Palette, pixels: int) -> None:
    flags = ["--svg", "-", "--theme", "tiles", "--cell", str(pixels), "--palette", palette.name]
    text = replayed(command, BOARD, MOVES, *flags)
    glyphs = {each.get("id"): _pixels(each) for each in ET.fromstring(text).iter(f"{SVG}g")}
    expected = draw_pixels(pixels, things_on("+", "left"), is_floor=True)
    assert glyphs["ql"] == {
        (y, x): letter for y, row in enumerate(expected) for x, letter in enumerate(row) if letter != FLOOR
    }
    for letter, (_, (red, green, blue)) in palette.colors.items():
        assert letter in FLOOR + VARIANT_LETTERS or f".{letter}{{stroke:#{red:02x}{green:02x}{blue:02x}}}" in text


def test_the_player_of_tiles_faces_where_he_went(command: Command) -> None:
    text = replayed(command, BOARD, MOVES, "--svg", "-", "--theme", "tiles", "--animation", "4")
    picture = Picture(text, 24, 24)
    seconds = 1 + (len(MOVES) - 1) / 4 + 3
    for k, (board, letter) in enumerate(zip(_boards(BOARD, MOVES), "d" + MOVES.lower(), strict=True)):
        expected = {place: cell + letter if cell in "@+" else cell for place, cell in _cells(board).items()}
        assert picture.board((1 + (k - 0.5) / 4 if k else 0.5) / seconds) == expected


def test_small_painted_squares_are_text_on_their_ground(command: Command) -> None:
    text = replayed(command, BOARD, "l", "--svg", "-", "--at", "0", "--theme", "modern")
    box = next(each for each in ET.fromstring(text).iter(f"{SVG}g") if each.get("id") == "b")
    assert present(box.find(f"{SVG}rect")).get("fill") == "#{:02x}{:02x}{:02x}".format(*DARK.colors["b"][1])
    assert box.findtext(f"{SVG}text") == "[]"


# Files


def test_both_are_written_whole_over_their_own_kind_alone(command: Command) -> None:
    pack = command.pack("levels.txt", [TWO_PUSHES])
    cast, svg = command.folder / "a.cast", command.folder / "a.svg"
    arguments = ["replay", str(pack), "-l", "1", "--lurd", "rR", "--cast", str(cast), "--svg", str(svg)]
    assert command(*arguments) == (0, "", "")
    assert command(*arguments) == (0, "", "")
    written = cast.read_bytes(), svg.read_bytes()
    result = command("replay", pack, "-l", "1", "--lurd", "rRR", "--cast", cast, "--svg", svg)
    assert (result.status, result.err.count("\n")) == (2, 1)
    wrong_flags: list[list[str | Path]] = [["--cast", svg], ["--svg", cast], ["--cast", cast, "--svg", pack]]
    for wrong in wrong_flags:
        assert "not replaced: it is no" in command.refusal("replay", pack, "-l", "1", "--lurd", "r", *wrong)
    assert (cast.read_bytes(), svg.read_bytes()) == written
    assert TWO_PUSHES in pack.read_text()


def test_without_moves_the_best_solution_is_recorded(command: Command) -> None:
    pack = command.file("known.sok", f"{TWO_PUSHES}\nTitle: A\n\nSolution 4/2\nrlrR\n\n{SEED}\nTitle: B\n")
    assert "move 4/4 push 2/2" in list(Cast(command("replay", pack, "-l", "1", "--cast", "-").out).pictures())[-1][23]
    mine = command.file("mine.sok", f"{TWO_PUSHES}\nTitle: A\n\nSolution\nRR\n")
    assert command("progress", "import", mine).status == 0
    assert "move 2/2 push 2/2" in list(Cast(command("replay", pack, "-l", "1", "--cast", "-").out).pictures())[-1][23]
    assert "no solution is known; use --moves" in command("replay", pack, "-l", "2", "--svg", "-").err


def test_a_pack_from_standard_input_is_recorded_with_its_own_solution(command: Command) -> None:
    text = f"{TWO_PUSHES}\nTitle: A\n\nSolution\nRR\n"
    for flags in (["--cast", "-"], ["--svg", "-"], ["--print"]):
        command.feed(text)
        command.done("replay", "-", "-l", "1", *flags)
    assert "requires --moves" in command("replay", "-", "-l", "1").err


# Colours and ice


def _seen(level: Level, lurd: str) -> list[list[str]]:
    """The boards of moves as text in one column, those in which a box slides among them."""
    states = [level.start]
    for after, _ in play(level.board, level.start, parse_lurd(lurd)):
        states += [*slide(level.board, states[-1], after), after]
    return [
        ["".join([text_of(sights.at(level.board.square(row, column)), THEMES[0], 1)[0]
                  for column in range(level.board.width)]).rstrip()
         for row in range(level.board.height)]
        for sights in [Sights(level, state) for state in states]
    ]  # fmt: skip


@pytest.mark.parametrize("kind", SOLVED)
def test_a_recording_shows_colours_and_slides(command: Command, kind: str) -> None:
    pack, lurd = SOLVED[kind]
    flags = ["--theme", "ascii", "--cell", "1", "--animation", "4"]
    result = command.done(
        "replay", command.pack("levels.txt", [pack]), "-l", "1", "--moves", lurd, "--cast", "-", *flags
    )
    cast, level = Cast(result.out), level_of(pack)
    boards = [[line.strip() for line in each[1:-1] if line.strip()] for each in cast.pictures()][:-1]
    assert boards == [[row.strip() for row in board] for board in _seen(level, lurd)]
    assert cast.times == sorted(set(cast.times))
    assert 1 + (len(lurd) - 1) / 4 <= cast.times[-2] < 1 + len(lurd) / 4


@pytest.mark.parametrize("theme", others_slow(THEMES, 2), ids=lambda theme: str(theme.name))
@pytest.mark.parametrize("kind", SOLVED)
def test_a_picture_shows_colours_and_ice(command: Command, kind: str, theme: Theme) -> None:
    pack, lurd = SOLVED[kind]
    flags = ["--svg", "-", "--theme", theme.name, "--at", str(len(lurd) // 2)]
    result = replayed(command, pack, lurd, *flags)
    root, level = ET.fromstring(result), level_of(pack)
    state = end_of(level.board, level.start, lurd[: len(lurd) // 2])
    glyphs = {each.attrib["id"]: each for each in root.iter(f"{SVG}g") if "id" in each.attrib}
    shown = [glyphs[use.attrib["href"][1:]] for use in root.iter(f"{SVG}use")]
    letters = Counter(
        text.text for glyph in shown for text in glyph.iter(f"{SVG}text") if text.text and text.text.isalpha()
    )
    sights = [*map(Sights(level, state).at, range(level.board.size))]
    for letter in "ABab":
        assert letters[letter] >= sum(sight.letter == letter for sight in sights if sight.cell in "$*.")
    assert sum(sight.is_ice for sight in sights) == sum("i" in use.attrib["href"] for use in root.iter(f"{SVG}use"))
