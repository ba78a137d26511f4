"""Marks of the push planner: badges, grounds, signs, frames and the way of a box, at every size of squares."""

from itertools import product
from pathlib import Path

import pytest

from sokoterm.app.planning import LandingRisk
from sokoterm.engine.bits import Direction
from sokoterm.tui.screens.planner import PlannerScreen
from sokoterm.tui.widgets import tiles
from sokoterm.tui.widgets.board_view import Appearance, SquareSize
from sokoterm.tui.widgets.frame import Row, Size
from sokoterm.tui.widgets.marks import Mark, legend, marked
from sokoterm.tui.widgets.sights import Sight, text_of
from sokoterm.tui.widgets.theme import THEMES, Theme
from sokoterm.tui.widgets.tiles import PALETTES, SIZES, Palette, colors_of, style_of
from tests.present import present
from tests.unit.tui.fake_terminal import TILES, play
from tests.unit.tui.planned import PILLARS, Play, picture, typed
from tests.unit.tui.test_golden import PACK
from tests.unit.tui.test_widgets import contrast

FINE, DEAD, FREEZES = LandingRisk.FINE, LandingRisk.DEAD, LandingRisk.FREEZES


def drawn(sight: Sight, mark: Mark, columns: int, theme: Theme = TILES) -> tuple[Row, ...]:
    """Return the lines of a square with its mark."""
    return tuple(Row(*row) for row in marked(sight, mark, SquareSize(columns, max(1, columns // 2)), theme))


def pixels_of(lines: tuple[Row, ...]) -> list[str]:
    """Return rows of the colours of a tile, a label in its ground."""
    rows = list[str]()
    for line in lines:
        pairs = [present(colors_of(style)) for style in line.styles]
        shown = [
            {"▀": (front, back), "▄": (back, front), "█": (front, front)}.get(character, (back, back))
            for character, (front, back) in zip(line.text, pairs, strict=True)
        ]
        rows += ["".join(part) for part in zip(*shown, strict=True)]
    return rows


@pytest.mark.parametrize("columns", SIZES)
@pytest.mark.parametrize("label", ["a", "zb"])
def test_a_label_stands_in_a_badge_in_the_middle(columns: int, label: str) -> None:
    lines = drawn(Sight(" "), Mark(label, FINE), columns)
    line = lines[(len(lines) - 1) // 2]
    left = line.text.index(label)
    assert abs(2 * left + len(label) - columns) <= 2
    assert {*line.styles[left - 1 : left + len(label) + 1]} == {style_of("t", "z")}
    pixels = pixels_of(lines)
    assert {*"".join(pixels)} == {"m", "z"}
    assert sum("z" in row for row in pixels) == (6 if columns == 16 else 2)  # large ones are three lines high


@pytest.mark.parametrize("columns", SIZES)
def test_nothing_covers_the_players_face(columns: int) -> None:
    sprite = tiles.sprites_of(columns)[tiles.STANDING]
    for cell, risk in product("@+", LandingRisk):
        shown = pixels_of(drawn(Sight(cell), Mark("a", risk), columns))
        for letters, seen in [*zip(sprite, shown, strict=True)][: columns // 2]:
            assert all(letter in (".", pixel) for letter, pixel in zip(letters, seen, strict=True))


@pytest.mark.parametrize("columns", SIZES)
def test_squares_where_a_box_is_lost_differ_in_shape_from_others_and_from_each_other(columns: int) -> None:
    shapes = [
        ["".join("o" if pixel == "o" else "." for pixel in row) for row in pixels_of(drawn(Sight(" "), mark, columns))]
        for mark in (Mark("a", FINE), Mark("a", DEAD), Mark("a", FREEZES))
    ]
    counts = ["".join(shape).count("o") for shape in shapes]
    assert counts[0] == 0 < min(counts[1:])
    assert shapes[1] != shapes[2]


@pytest.mark.parametrize("theme", THEMES[:-1], ids=lambda theme: theme.name)
@pytest.mark.parametrize("columns", [1, 2])
def test_as_text_a_sign_tells_where_a_box_is_lost(theme: Theme, columns: int) -> None:
    """In one column it takes the place of the label, which is shown when it is asked for."""
    label = "a" if columns == 2 else ""
    signs = [drawn(Sight(" "), Mark(label, risk), columns, theme)[0].text[-1] for risk in (DEAD, FREEZES)]
    assert signs == [theme.marks.dead, theme.marks.freezes]
    assert drawn(Sight(" "), Mark("a", DEAD), columns, theme)[0].text[0] == "a"


@pytest.mark.parametrize("palette", PALETTES.values(), ids=list(PALETTES))
def test_badges_and_signs_can_be_read(palette: Palette) -> None:
    for sight, mark in (
        (Sight(" "), Mark("a", FINE)), (Sight("."), Mark("a", FINE, is_goal=True)), (Sight(" "), Mark("a", DEAD)),
        (Sight(" "), Mark("a", FINE, is_chosen=True)), (Sight("$"), Mark("a")), (Sight("*"), Mark("a")),
        (Sight(" "), Mark("a", FINE, way=(Direction.UP, Direction.LEFT))), (Sight(" "), Mark("", DEAD)),
    ):  # fmt: skip
        for columns in (1, 2, *SIZES):
            lines = drawn(sight, mark, columns)
            styles = [style for line in lines for text, style in zip(*line, strict=True) if text in "aA!:"]
            assert styles or columns > 2
            for style in styles:
                front, back = (palette.colors[letter][1] for letter in present(colors_of(style)))
                assert contrast(front, back) >= 4.5, (sight, mark, columns)
    for sign, ground in ("ox", "Ym", "Yf"):
        assert contrast(palette.colors[sign][1], palette.colors[ground][1]) >= 3
    assert contrast(palette.colors["m"][1], palette.colors["x"][1]) > 1


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_boxes_keep_their_colour_in_two_columns(theme: Theme) -> None:
    for sight in (Sight("$"), Sight("*"), Sight("$", 0), Sight("*", 1, 1)):
        for mark in (Mark("a"), Mark("a", is_chosen=True), Mark(is_held=True)):
            [line] = drawn(sight, mark, 2, theme)
            usual = text_of(sight, theme, 2)
            assert line.styles[1] == usual[1][1]
            assert line.text[1] == usual[0][1] or mark.is_held and sight.box is None
            assert line != usual


@pytest.mark.parametrize("columns", SIZES)
def test_what_is_chosen_or_held_has_a_frame(columns: int) -> None:
    for sight, mark in (
        (Sight(" "), Mark("a", FINE, is_chosen=True)), (Sight("$"), Mark(is_held=True)),
        (Sight("$", 0), Mark("a", is_chosen=True)), (Sight("."), Mark(is_held=True)),
    ):  # fmt: skip
        rows = pixels_of(drawn(sight, mark, columns))
        edges = [rows[-1], *(f"{row[-1]}" for row in rows[columns // 2 :])]
        assert {*"".join(edges)} == {"Y"}


def test_the_way_of_the_box_is_dotted(tmp_path: Path) -> None:
    for theme, columns in ((0, 2), (0, 1), (4, 2), (5, 4), (5, 8)):
        screens = [PlannerScreen(Play(PILLARS)) for _ in range(2)]
        for screen, keys in zip(screens, (["a"], ["a", "e"]), strict=True):
            typed(screen, keys)
        frames = [picture(screen, Size(40, 104), Appearance(THEMES[theme], columns)) for screen in screens]
        box, target = present(screens[1].box), present(screens[1].choices.cursor)
        place, way = present(screens[1].place), range(target + 1, box)
        changed = set()
        for number, rows in enumerate(zip(*(frame.rows for frame in frames), strict=True)):
            for column in range(place.area.left, place.area.left + place.area.width):
                cells = {(row.text[column], row.styles[column]) for row in rows}
                if len(cells) > 1 and (square := place.square_at(number, column)) is not None:
                    changed.add(square)
        assert changed == {target, *way}  # and no more of the board is drawn again
    assert play(tmp_path, PACK, ["tab", "a", "e"], cell=2).shows("b:a:{}")


@pytest.mark.parametrize("columns", [1, 2, 4, 6])
def test_the_legend_shows_the_marks_as_they_are_drawn(columns: int) -> None:
    lines = legend(SquareSize(columns, max(1, columns // 2)), TILES)
    texts = ["".join(part.text for part in line) for line in lines]
    for mark, cell, words in (
        (Mark("a", FINE), " ", "it can go on from there"), (Mark("b", FINE, is_goal=True), ".", "a goal for it"),
        (Mark("c", DEAD), " ", "dead end"), (Mark("d", FREEZES), " ", "freezes there"),
    ):  # fmt: skip
        shown = drawn(Sight(cell), mark, columns)
        at = next(number for number, text in enumerate(texts) if text.endswith(f"  {words}"))
        assert texts[at][:columns] == shown[(len(shown) - 1) // 2].text
        assert lines[at][0].style == shown[(len(shown) - 1) // 2].styles[0]


def test_the_panel_and_the_help_have_the_legend(tmp_path: Path) -> None:
    for keys, size in ((["tab", "a"], (35, 120)), (["tab", "?"], (24, 80))):
        assert play(tmp_path, PACK, keys, size=size, cell=2).shows("c!  dead end")
