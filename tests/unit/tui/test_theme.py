"""Themes: what can be read, and told apart, without colours, on black and on white, and by the colour-blind."""

from itertools import combinations
from pathlib import Path

import pytest

from sokoterm.app.options import Look
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.theme import COLORS, HIGH_CONTRAST, STYLE_NAMES, THEMES, Theme, themes_for
from tests.unit.tui.fake_terminal import play

Rgb = tuple[int, int, int]

# The eight basic colours of xterm and of the Linux console.
XTERM: list[Rgb] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
]  # fmt: skip
LINUX: list[Rgb] = [
    (0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170), (170, 170, 170),
]  # fmt: skip
# What is left of the linear colours to those who lack one kind of cone (Vienot, Brettel and Mollon 1999).
PROTANOPE = ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0))
DEUTERANOPE = ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0))


def cube(number: int) -> Rgb:
    """A colour of the cube or a grey among the 256 colours of xterm, which is the same everywhere."""
    assert number >= 16
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    levels = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(number - 16, 36)
    return levels[red], levels[rest // 6], levels[rest % 6]


def linear(color: Rgb) -> tuple[float, ...]:
    return tuple(c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color)


def contrast(one: Rgb, other: Rgb) -> float:
    """Of luminances, by the Web Content Accessibility Guidelines."""
    least, most = sorted(
        sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(each), strict=True)) for each in (one, other)
    )
    return (most + 0.05) / (least + 0.05)


def rgb(number: int) -> Rgb:
    """One of the 256 colours; a basic one as on xterm."""
    return XTERM[number] if number < 8 else cube(number)


COLORED = [
    *(pytest.param(rgb(look.color), id=f"many {name}") for name, style in STYLE_NAMES.items()
      if (look := COLORS.many[style]).color >= 0),
    *(pytest.param(palette[look.color], id=f"few {name} {len(str(palette))}") for name, style in STYLE_NAMES.items()
      for palette in (XTERM, LINUX) if (look := COLORS.few[style]).color >= 0),
]  # fmt: skip


@pytest.mark.parametrize("color", COLORED)
def test_every_colour_can_be_read_on_black_and_on_white(color: Rgb) -> None:
    assert contrast(color, (0, 0, 0)) >= 3
    assert contrast(color, (255, 255, 255)) >= 3


@pytest.mark.parametrize("matrix", [PROTANOPE, DEUTERANOPE])
def test_the_colour_blind_tell_the_colours_apart(matrix: tuple[tuple[float, ...], ...]) -> None:
    seen = [
        [sum(w * c for w, c in zip(row, linear(rgb(color)), strict=True)) for row in matrix]
        for color in sorted(
            {look.color for style, look in COLORS.many.items() if look.color >= 0 and style != styles.WALL}
        )
    ]
    assert len(seen) == 3
    for one, other in combinations(seen, 2):
        assert max(abs(a - b) for a, b in zip(one, other, strict=True)) > 0.3
    # With few colours there is but one beside the terminal's own.
    assert len({look.color for look in COLORS.few.values()}) == 2


def test_no_theme_paints_a_background() -> None:
    for theme in THEMES:
        for looks in (theme.looks.many, theme.looks.few):
            assert set(looks) == set(STYLE_NAMES.values())
            assert {look.background for look in looks.values()} == {-1}


def test_high_contrast_needs_no_colour() -> None:
    assert {look.color for looks in (HIGH_CONTRAST.many, HIGH_CONTRAST.few) for look in looks.values()} == {-1}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: str(theme.name))
def test_glyphs_tell_squares_apart_without_looks(theme: Theme) -> None:
    for columns, glyphs in ((1, theme.narrow), (2, theme.wide)):
        assert len(set(glyphs.values())) == len(glyphs) == 7
        assert {len(glyph) for glyph in glyphs.values()} == {columns}
        assert theme.marks.picked[columns - 1] not in glyphs.values()
    marks = theme.marks
    assert not {marks.fine, marks.dead, marks.freezes, marks.asked} & set(theme.narrow.values())


def test_frames_are_box_drawing_wherever_that_can_be_shown() -> None:
    assert all(theme.has_lines for theme in themes_for(utf8=True, many_colors=False))
    assert not any(theme.has_lines for theme in themes_for(utf8=False, many_colors=False))


def test_other_looks_hold_in_every_number_of_colours() -> None:
    look = Look(4, bold=True)
    dressed = THEMES[0].dressed({styles.BOX: look})
    assert [looks[styles.BOX] for looks in (dressed.looks.many, dressed.looks.few)] == [look, look]
    assert dressed.looks.many[styles.GOAL] == COLORS.many[styles.GOAL]
    assert (dressed.name, dressed.wide) == (THEMES[0].name, THEMES[0].wide)


def test_the_terminal_is_told_the_looks_of_another_theme(tmp_path: Path) -> None:
    turns = [theme.name for theme in THEMES].index("contrast")
    session = play(tmp_path, "#####\n#@$.#\n#####\n", ["T"] * turns)
    assert session.shows("theme contrast")
    assert session.looks == HIGH_CONTRAST
    assert play(tmp_path, "#####\n#@$.#\n#####\n", []).looks == COLORS


def test_the_documents_name_every_theme_and_style() -> None:
    page = (Path(__file__).parents[3] / "docs" / "playing.md").read_text(encoding="utf-8")
    assert [name for name in STYLE_NAMES if f"`{name}`" not in page] == []
    assert [theme.name for theme in THEMES if f"\n| `{theme.name}` | " not in page] == []
