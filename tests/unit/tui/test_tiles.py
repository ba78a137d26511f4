"""Tiles: sprites that can be told apart, drawn as half blocks that show the same pixels."""

from itertools import combinations

import pytest

from sokoterm.engine.bits import Direction
from sokoterm.engine.level import Level
from sokoterm.tui.widgets.board_view import Appearance, Area, SquareSize, draw_board, place_board, square_size
from sokoterm.tui.widgets.frame import Canvas
from sokoterm.tui.widgets.theme import find_theme
from sokoterm.tui.widgets.tiles import (
    ASKED,
    BOX,
    DEAD,
    FINE,
    FREEZES,
    GOAL,
    GUILTY,
    HINTED,
    HOME,
    PALETTES,
    PICKED,
    PLAYER,
    SPRITES,
    WALL,
    Palette,
    colors_of,
    draw_tile,
    things_on,
)

# Machado, Oliveira and Fernandes 2009, severity 1.0: linear RGB as people without one kind of cones see it.
EYES = {
    "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}

_ONE_COLOR = {ord(letter): "x" for letter in PALETTES["dark"].colors if letter != "f"}


def pixels_of(columns: int, things: tuple[str, ...], *, is_floor: bool = True) -> list[str]:
    """Return the pixel rows of a tile as letters, read from its characters and styles."""
    rows = []
    for text, styles in draw_tile(columns, things, is_floor=is_floor):
        pairs = [colors_of(style) for style in styles]
        shown = []
        for character, pair in zip(text, pairs, strict=True):
            assert pair is not None
            front, back = pair
            shown.append({"▀": (front, back), "▄": (back, front), "█": (front, front), " ": (back, back)}[character])
        rows += ["".join(part) for part in zip(*shown, strict=True)]
    return rows


def seen(palette: Palette, letter: str, eyes: str) -> tuple[float, ...]:
    linear = [(value / 255) ** 2.2 for value in palette.colors[letter][1]]
    mixed = (sum(part * value for part, value in zip(row, linear, strict=True)) for row in EYES[eyes])
    return tuple(255 * max(0.0, value) ** (1 / 2.2) for value in mixed)


@pytest.mark.parametrize("columns", SPRITES)
def test_every_sprite_is_square_and_has_colours_in_both_palettes(columns: int) -> None:
    for name, sprite in SPRITES[columns].items():
        assert [len(row) for row in sprite] == [columns] * columns, name
        for palette in PALETTES.values():
            assert {*"".join(sprite)} - {"."} <= palette.colors.keys(), name


@pytest.mark.parametrize("columns", SPRITES)
@pytest.mark.parametrize("is_floor", [True, False])
def test_half_blocks_show_the_pixels(columns: int, is_floor: bool) -> None:
    ground = "f" if is_floor else " "
    for name, sprite in SPRITES[columns].items():
        assert pixels_of(columns, (name,), is_floor=is_floor) == [row.replace(".", ground) for row in sprite]
    plain = [ground * columns] * columns
    assert pixels_of(columns, (), is_floor=is_floor) == plain


@pytest.mark.parametrize("columns", SPRITES)
def test_a_pair_of_colours_never_has_the_terminals_own_in_front(columns: int) -> None:
    """The terminal's own front colour is that of its text."""
    for name in SPRITES[columns]:
        for text, styles in draw_tile(columns, (name,), is_floor=False):
            for character, style in zip(text, styles, strict=True):
                pair = colors_of(style)
                assert pair is not None
                assert character == " " or pair[0] != " "


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("palette", PALETTES.values(), ids=list(PALETTES))
@pytest.mark.parametrize("columns", SPRITES)
def test_squares_are_told_apart_by_all_eyes(columns: int, palette: Palette, eyes: str) -> None:
    """A quarter of the pixels differ clearly, between all that the player has to tell apart."""
    cells = {name: things_on(cell) for name, cell in (("wall", "#"), ("floor", " "), ("goal", "."), ("box", "$"))}
    cells |= {"home": (HOME,), "player": (PLAYER[Direction.DOWN],), "guilty": (GUILTY,), "picked": (BOX, PICKED)}
    cells |= {"hinted": (BOX, HINTED), "hinted home": (HOME, HINTED)}
    for (one, first), (other, second) in combinations(cells.items(), 2):
        pairs = zip("".join(pixels_of(columns, first)), "".join(pixels_of(columns, second)), strict=True)
        differing = 0
        for letters in pairs:
            mine, theirs = (seen(palette, letter, eyes) for letter in letters)
            differing += sum((a - b) ** 2 for a, b in zip(mine, theirs, strict=True)) > 60**2 / 2
        assert differing >= columns * columns / 5, (one, other)


@pytest.mark.parametrize("columns", SPRITES)
def test_marks_and_facings_differ_in_shape(columns: int) -> None:
    marks = [
        pixels_of(columns, (name,)) for name in (FINE, DEAD, FREEZES, ASKED, GOAL, BOX, HOME, WALL, HINTED, PICKED)
    ]
    shapes = {"\n".join(mark).translate(_ONE_COLOR) for mark in marks}
    assert len({tuple(mark) for mark in marks}) == len(marks)
    assert len(shapes) >= 5
    assert len({tuple(pixels_of(columns, (sprite,))) for sprite in PLAYER.values()}) == 4
    for direction in Direction:
        assert pixels_of(columns, things_on("+", direction)) != pixels_of(columns, things_on("@", direction))


@pytest.mark.parametrize("columns", [1, 2])
def test_small_squares_differ_without_colour(columns: int) -> None:
    theme, level = find_theme("modern"), Level.from_xsb("#####\n#@$.#\n#$*.#\n#   #\n#####")
    assert theme is not None
    canvas, area = Canvas(5, 5 * columns), Area(0, 0, 5, 5 * columns)
    place = place_board(level.board, level.start.player, area, SquareSize(columns, 1))
    draw_board(canvas, place, level, level.start, theme, 1 << level.board.square(2, 1))
    rows = [row.text for row in canvas.frame().rows]
    places = ((0, 0), (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 3))
    seen = [rows[row][column * columns :][:columns] for row, column in places]
    assert len({*seen, theme.glyph("+", columns)}) == 8
    assert {len(text) for text in seen} == {columns}


def test_squares_are_as_large_as_the_window_allows() -> None:
    tiles, modern = find_theme("tiles"), find_theme("modern")
    assert tiles is not None
    assert modern is not None
    board = Level.from_xsb("#" * 10 + "\n#@ $   . #\n" + "#" * 10).board

    def size(height: int, width: int, zoom: int = 0) -> SquareSize:
        return square_size(Appearance(tiles, zoom), board, height, width)

    assert size(12, 80) == (8, 4)
    assert size(11, 80) == (6, 3)
    assert size(12, 79) == (6, 3)
    assert size(6, 40) == (4, 2)
    assert size(5, 40) == (2, 1)
    assert size(2, 20) == (2, 1)  # text scrolls
    assert size(12, 19) == (1, 1)
    assert size(2, 10, zoom=8) == (8, 4)
    assert size(50, 200, zoom=4) == (4, 2)
    assert square_size(Appearance(modern, 0), board, 50, 200) == (2, 1)
    assert square_size(Appearance(modern, 8), board, 50, 200) == (2, 1)
