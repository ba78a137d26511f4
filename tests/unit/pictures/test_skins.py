"""Skins and what is drawn with them, PNG files read back by Pillow."""

import io

import pytest
from PIL import Image

from sokoterm.engine.lurd import Stance
from sokoterm.pictures.draw import Thing, board_picture, sheet, sprite, thing_on
from sokoterm.pictures.png import Picture, png
from sokoterm.pictures.skins import SKINS, named
from tests.unit.tui.kinds import SHOWN, level_of

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
def test_all_sprites_of_an_ordinary_level_are_one_small_picture_of_fifteen_colours(name: str, dark: bool) -> None:
    skin = named(name, dark=dark)
    things = [Thing(each) for each in skin.sprites if each.startswith("player-")]
    things += map(Thing, ("box", "home", "dead", "lit", "hint", "target"))
    picture, places = sheet(skin, things)
    assert len(picture.trimmed.colors) <= 16
    assert len(png(picture)) < 1100
    for thing in things:
        size, at = skin.size, places[thing] * skin.size
        assert picture.pixels[at : at + size * size] == sprite(skin, thing).pixels


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
