"""Skins and what is drawn with them, PNG files read back by Pillow."""

import io
import re
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Stance
from sokoterm.pictures import SKINS, draw
from sokoterm.pictures.draw import Thing, View, board_picture, sheet, sprite, thing_on
from sokoterm.pictures.png import Picture, png
from sokoterm.pictures.skins import SkinError, named, read
from tests.unit.tui.kinds import SHOWN, level_of

HALL = """\
    #####
    #   #
    #$  #
  ###  $##
  #  $ $ #
### # ## #   ######
#   # ## #####  ..#
# $  $          ..#
##### ### #@##  ..#
    #     #########
    #######"""
ALL = [pytest.param(name, dark, id=f"{name}-{'dark' if dark else 'light'}") for name in SKINS for dark in (True, False)]


def rgba(picture: Picture) -> list[tuple[int, ...]]:
    return [picture.colors[index] if picture.colors[index][3] else (0, 0, 0, 0) for index in picture.pixels]


def read_back(data: bytes) -> tuple[tuple[int, int], list[tuple[int, ...]]]:
    """The size and the pixels of a PNG file, transparent ones without a colour."""
    image = Image.open(io.BytesIO(data)).convert("RGBA")
    raw = image.tobytes()
    pixels = [tuple(raw[at : at + 4]) for at in range(0, len(raw), 4)]
    return image.size, [pixel if pixel[3] else (0, 0, 0, 0) for pixel in pixels]


@pytest.mark.parametrize(("name", "dark"), ALL)
@pytest.mark.parametrize("kind", SHOWN)
def test_another_program_sees_the_board_that_is_drawn(name: str, dark: bool, kind: str) -> None:
    board = level_of(SHOWN[kind]).board
    picture = board_picture(board, named(name, dark=dark))
    assert read_back(png(picture)) == ((board.width * 16, board.height * 16), rgba(picture))


@pytest.mark.parametrize(("name", "dark"), ALL)
def test_pictures_are_small(name: str, dark: bool) -> None:
    """At most 15 colours and transparency, so that two pixels are a byte; the walls of a board compress well."""
    skin = named(name, dark=dark)
    for thing in map(Thing, skin.sprites):
        if not thing.name.startswith("wall"):
            picture = sprite(skin, thing)
            assert len(picture.trimmed.colors) <= 16
            assert len(png(picture)) < 260
    poses = [Thing(each) for each in skin.sprites if each.startswith("player-")]
    picture, places = sheet(skin, poses)
    assert len(png(picture)) < 620
    for pose in poses:
        assert picture.pixels[16 * places[pose] :][:256] == sprite(skin, pose).pixels
    board = Level.from_xsb(HALL).board
    picture = board_picture(board, skin)
    assert len(picture.trimmed.colors) <= 16
    assert len(png(picture)) < 1000
    part = board_picture(board, skin, View(2, 3, 4, 5))
    whole = [picture.pixels[at : at + picture.width] for at in range(0, len(picture.pixels), picture.width)]
    assert part.pixels == b"".join(row[3 * 16 : 8 * 16] for row in whole[2 * 16 : 6 * 16])


@pytest.mark.parametrize(("name", "dark"), ALL)
def test_what_means_something_else_looks_different(name: str, dark: bool) -> None:
    """Without colour too, for those of no colour."""
    skin = named(name, dark=dark)
    stance = Stance(is_pushing=True)
    plain = [thing_on(cell, is_dead=dead) for cell, dead in (("$", False), ("*", False), ("$", True))]
    colored = [thing_on("$", 1), thing_on("*", 1), thing_on("$", 13), thing_on("$", 1, 2), thing_on("$", 2, 1)]
    others = [thing_on("@"), thing_on("@", stance=stance), thing_on("+", goal=1), Thing("goal"), Thing("goal", 1)]
    pictures = [sprite(skin, thing) for thing in [*plain, *colored, *others] if thing]
    assert len({png(picture) for picture in pictures}) == 13
    light = [bytes(sum(picture.colors[index][:3]) // 3 for index in picture.pixels) for picture in pictures[:3]]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert sum(abs(a - b) > 40 for a, b in zip(light[one], light[other])) >= 24


def changed(*changes: tuple[str, str]) -> str:
    """The text of the dungeon with some parts replaced."""
    text = (Path(draw.__file__).parent / "dungeon.toml").read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("size = 16", "size = 15", ":2: found 15, expected an even number from 8 to 32"),
        ("size = 16", "size = '16'", ":2: found '16', expected an even number from 8 to 32"),
        ("size = 16", "size = 16.0", ":2: found 16.0, expected an even number from 8 to 32"),
        ("size = 16", "", ": found 0, expected an even number from 8 to 32"),
        ("size = 16", "size = ", ":2:8: found invalid TOML: Invalid value"),
        ("[colors]", "[colours]", ": found 0, expected 1-64"),
        ('k = "#15131d"', 'k = "black"', ":9: found 'k = black', expected a = \"#rrggbb\""),
        ('k = "#15131d"', 'kk = "#15131d"', ":9: found 'kk = #15131d', expected a = \"#rrggbb\""),
        ('k = "#15131d"', "k = 7", ":9: found {'k': 7}, expected a = \"#rrggbb\""),
        ('"nbB ghG oO"', '"nbB ghG"', ":5: found 'nbB ghG', expected 8 letters of [colors]"),
        ('"nbB ghG oO"', '"nbB ghG o?"', ":5: found 'nbB ghG o?', expected 8 letters of [colors]"),
        ('"nbB ghG oO"', '"nbB ghG .O"', ":5: found 'nbB ghG .O', expected 8 letters of [colors]"),
        ('k = "#15131d"', '"." = "#15131d"', ":8: found '. = #15131d', expected a = \"#rrggbb\""),
        ('k = "#15131d"', f"k = 0x{'f' * 5000}", ":9: found a number with thousands of digits, expected a"),
        ('k = "#15131d"', f"k{'.a' * 2000} = 1", ":8: found {...}, expected a"),
        ('"nbB ghG oO"', "7", ":5: found 7, expected 8 letters of [colors]"),
        ("\nbox = '''", "\ncrate = '''", "found None, expected box"),
        ("\nhint = '''", "\nhnt = '''", "found 'hnt', expected floor wall wall-inner"),
        ("\nhint = '''\n", "\nhint = '''\n...\n", "found '...', expected 16 rows of 16 letters"),
        ("\nhint = '''\n................\n", "\nhint = '''\n", "found 15, expected 16 rows of 16 letters"),
        ("\nhint = '''\n................\n", "\nhint = '''\n.......!........\n", "found '!', expected . k m d f v"),
    ],
)
def test_a_skin_with_a_fault_is_refused_with_its_line(old: str, new: str, said: str) -> None:
    text = changed((old, new))
    with pytest.raises(SkinError) as caught:
        read(text, "mine.toml")
    message = str(caught.value)
    assert message.startswith("mine.toml")
    assert said in message
    assert "\n" not in message


def test_a_row_is_named_by_its_line() -> None:
    text = changed(("\nhint = '''\n................\n", "\nhint = '''\n................\n...\n"))
    with pytest.raises(SkinError) as caught:
        read(text, "mine.toml")
    line = int(str(caught.value).split(":")[1])
    assert text.splitlines()[line - 1] == "..."


def test_what_a_skin_leaves_out_is_made_of_the_rest() -> None:
    skin = named("dungeon")
    for pose in ("", "-step", "-push"):
        left, right = (sprite(skin, Thing(f"player-{way}{pose}")).pixels for way in ("left", "right"))
        assert [left[at : at + 16] for at in range(0, 256, 16)] == [
            right[at : at + 16][::-1] for at in range(0, 256, 16)
        ]
    text = re.sub(r"(?s)\n(dead|lit|hint|shade-up|player-up-step|ice)\b[^\n]*\n.*?'''\n", "\n", changed())
    bare = read(text, "bare.toml")
    assert len(text) < len(changed()) - 6 * 256
    for name, other in (("dead", "box"), ("lit", "home"), ("player-up-step", "player-up")):
        assert bare.sprites[name] == bare.sprites[other] != skin.sprites[name]
    for name in ("hint", "shade-up", "ice"):
        assert not any(bare.sprites[name])


@given(st.text(max_size=60), st.integers(0, 5000), st.integers(0, 60))
def test_no_file_does_anything_else_than_be_refused(junk: str, at: int, length: int) -> None:
    text = changed()
    with suppress(SkinError):
        read(text[:at] + junk + text[at + length :], "junk")


def test_nothing_of_a_file_reaches_the_terminal_as_it_is() -> None:
    text = changed(("\nk = ", '\n"\\u001b" = '))
    for faulty in (text, text.replace('"#15131d"', "'\x9b'", 1)):
        with pytest.raises(SkinError) as caught:
            read(faulty, "\x1b[2J.toml")
        assert str(caught.value).isprintable()


def test_a_skin_of_the_players_own_is_found_in_his_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    tmp_path = tmp_path / "sokoterm" / "skins"
    tmp_path.mkdir(parents=True)
    (tmp_path / "mine.toml").write_text(changed(("#15131d", "#ff00ff")), "utf-8")
    assert (255, 0, 255, 255) in named("mine").colors
    for name in ("nowhere", "../mine", "", "mine.toml"):
        with pytest.raises(SkinError, match="expected dungeon, warehouse, paper, "):
            named(name)
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    for name in ("folder", "bytes"):
        with pytest.raises(SkinError, match=rf"{name}.toml: cannot be read: "):
            named(name)


def test_the_skin_in_the_documents_is_a_whole_one() -> None:
    text = (Path(__file__).parents[3] / "docs" / "skins.md").read_text("utf-8")
    [example] = re.findall(r"(?s)```toml\n(.*?)```", text)
    skin = read(example, "example.toml", dark=False)
    assert skin.colors[2] == (0xE4, 0xDF, 0xD3, 255)
    board = level_of(SHOWN["both"]).board
    picture = board_picture(board, skin)
    assert (picture.width, picture.height) == (board.width * 8, board.height * 8)
    # Every sprite that a skin may have is in the table, and those of the example are the required ones.
    named_there = {*re.findall(r"`([a-z-]+)`", text[text.index("| sprite |") :])}
    known = {re.sub(r"-(step|push)$", "", name) for name in skin.sprites}
    assert known <= named_there
    required = re.findall(r"(?m)^([a-z-]+) = '''", example)
    for name in required:
        with pytest.raises(SkinError, match=f"expected {name}$"):
            read(re.sub(rf"(?ms)^{name} = '''.*?'''$", "", example), "example.toml")


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 256), st.randoms(use_true_random=False))
def test_another_program_sees_any_picture(width: int, height: int, count: int, random: Random) -> None:
    colors = tuple((number, 255 - number, number * 7 % 256, random.choice((0, 99, 255))) for number in range(count))
    picture = Picture(width, height, bytes(random.randrange(count) for _ in range(width * height)), colors)
    assert read_back(png(picture)) == ((width, height), rgba(picture))
