"""Frames, labels, themes and tiles: what can be read and told apart, without colours and by the colour-blind too."""

import re
from functools import cache
from itertools import combinations, product
from pathlib import Path
from string import ascii_letters

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.options import Look
from sokoterm.engine.bits import SYMMETRIES, Direction, Symmetry
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.store.progress import ChosenLooks
from sokoterm.store.settings import Entry, Settings
from sokoterm.tui.event_loop import AppearanceControl
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    BoardPlace,
    SquareSize,
    draw_board,
    place_board,
    place_chrome,
    scrolled,
    square_size,
)
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, Frame, Size, diff
from sokoterm.tui.widgets.lettering import large
from sokoterm.tui.widgets.marks import Choices, make_labels
from sokoterm.tui.widgets.parts import bars, gauge, key_lines
from sokoterm.tui.widgets.theme import (
    ASKED,
    COLORS,
    HIGH_CONTRAST,
    STYLE_NAMES,
    THEMES,
    Theme,
    find_theme,
    read_looks,
    themes_for,
)
from sokoterm.tui.widgets.tiles import (
    BOX,
    DEAD,
    FINE,
    FRAME,
    FREEZES,
    GOAL,
    GOAL_BELOW,
    GROUNDS,
    GUILTY,
    HINTED,
    HOME,
    LIT,
    PALETTES,
    PLAYER,
    SIZES,
    WALL,
    Palette,
    Sprite,
    colors_of,
    draw_tile,
    paint,
    player_in,
    sprites_of,
    things_on,
)
from sokoterm.wording.columns import ascii_text, console_text, text_width
from tests.present import present
from tests.unit.tui.fake_terminal import TILES, play

_PUTS = st.lists(
    st.tuples(st.integers(-2, 6), st.integers(-3, 14), st.text("ab 日é", max_size=6), st.sampled_from(" #$")),
    max_size=12,
)


def _frame(puts: list[tuple[int, int, str, str]]) -> Frame:
    canvas = Canvas(5, 12)
    for put in puts:
        canvas.put(*put)
    return canvas.frame()


def _paint(cells: dict[tuple[int, int], tuple[str, str]], old: Frame | None, new: Frame) -> None:
    for span in diff(old, new):
        column = span.column
        for character in span.text:
            cells[span.row, column] = (character, span.style)
            column += text_width(character)
            if text_width(character) == 2:
                cells[span.row, column - 1] = ("\0", span.style)


@given(_PUTS, _PUTS)
def test_painting_the_difference_gives_the_new_picture(
    before: list[tuple[int, int, str, str]], after: list[tuple[int, int, str, str]]
) -> None:
    old, new = _frame(before), _frame(after)
    cells = {(row, column): (" ", " ") for row in range(5) for column in range(12)}
    _paint(cells, None, old)
    _paint(cells, old, new)
    painted = ["".join(cells[row, column][0] for column in range(12)) for row in range(5)]
    assert painted == [row.text for row in new.rows]


def test_what_falls_outside_is_cut_off_and_control_characters_never_reach_the_picture() -> None:
    canvas = Canvas(1, 3)
    assert canvas.put(0, 1, "abcdef") == 7
    assert canvas.frame().rows[0].text == " ab"
    assert diff(canvas.frame(), canvas.frame()) == []
    canvas = Canvas(1, 9)
    canvas.put(0, 0, "a\x1b[1m\x9bb")
    assert canvas.frame().rows[0].text == "a[1mb    "


@given(st.one_of(st.integers(0, 800), st.integers(0, 11_048)))
def test_no_label_is_another_or_begins_another(count: int) -> None:
    labels = make_labels(count)
    assert len(set(labels)) == len(labels) == count
    beginnings = {label[:length] for label in labels for length in range(1, len(label))}
    assert not beginnings & set(labels)


@given(st.integers(1, 11_048))
def test_labels_are_as_short_as_they_can_be_and_the_shortest_come_first(count: int) -> None:
    lengths = list(map(len, make_labels(count)))
    assert lengths == sorted(lengths)
    assert lengths[-1] == 1 if count <= 26 else 26 ** (lengths[-1] - 1) < count <= 26 ** lengths[-1]


def test_up_to_26_labels_are_letters_and_few_more_leave_most_of_them() -> None:
    assert make_labels(26) == list("abcdefghijklmnopqrstuvwxyz")
    assert make_labels(28) == [*"abcdefghijklmnopqrstuvwxy", "za", "zb", "zc"]


@given(st.integers(1, 2000), st.data())
def test_typing_a_label_goes_to_its_square_and_to_no_other_on_the_way(count: int, data: st.DataObject) -> None:
    choices = Choices(range(1000, 1000 + count))
    square = data.draw(st.sampled_from(choices.squares))
    label = choices.labels[square]
    for letter in label[:-1]:
        assert choices.rest(square)[0] == letter
        assert choices.type(letter) is None
    assert choices.type(label[-1]) == choices.cursor == square
    assert choices.typed == ""


def test_arrows_go_to_the_nearest_square_that_way_along_the_line_rather_than_aside() -> None:
    stride = 10
    choices = Choices([14, 18, 25, 54], cursor=11)
    assert choices.move(Direction.RIGHT, stride)
    assert choices.cursor == 14
    choices.move(Direction.DOWN, stride)
    assert choices.cursor == 25  # one down and one aside, and not four down
    choices.move(Direction.DOWN, stride)
    assert choices.cursor == 54
    assert not choices.move(Direction.DOWN, stride)
    choices.move(Direction.UP, stride)
    assert choices.cursor == 14
    choices.move(Direction.RIGHT, stride)
    choices.move(Direction.RIGHT, stride)
    assert choices.cursor == 18
    for squares, nearest in (([14, 22], 22), ([52, 17], 17), ([52], 52)):
        choices = Choices(squares, cursor=11)
        assert choices.move(Direction.RIGHT, stride)
        assert choices.cursor == nearest


def test_tab_goes_round_and_a_letter_that_leads_nowhere_is_forgotten() -> None:
    choices = Choices([5, 9, 7])
    seen = []
    for step in (1, 1, 1, 1, -1, -1):
        choices.cycle(step)
        seen.append(choices.cursor)
    assert seen == [5, 9, 7, 5, 7, 9]
    choices = Choices(range(27))
    assert choices.type("z") is choices.type("q") is None
    assert (choices.typed, choices.rest(0), choices.rest(26)) == ("z", "", "b")
    assert choices.type("b") == 26
    choices = Choices([])
    choices.cycle(1)
    choices.jump(to_last=True)
    assert not choices.move(Direction.UP, 10)
    assert choices.type("a") is choices.cursor is None


Rgb = tuple[int, int, int]

# The eight basic colours of xterm and of the Linux console.
XTERM: list[Rgb] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
]  # fmt: skip
LINUX: list[Rgb] = [
    (0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170), (170, 170, 170),
]  # fmt: skip


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
    *((name, rgb(look.color)) for name, style in STYLE_NAMES.items() if (look := COLORS.many[style]).color >= 0),
    *((name, palette[look.color]) for name, style in STYLE_NAMES.items() for palette in (XTERM, LINUX)
      if (look := COLORS.few[style]).color >= 0),
]  # fmt: skip


def test_every_colour_can_be_read_on_black_and_on_white() -> None:
    for name, color in COLORED:
        assert min(contrast(color, (0, 0, 0)), contrast(color, (255, 255, 255))) >= 3, name


@pytest.mark.parametrize("eyes", ["protanopia", "deuteranopia"])
def test_the_colour_blind_tell_the_colours_apart(eyes: str) -> None:
    colors = {look.color for style, look in COLORS.many.items() if style not in (styles.WALL, styles.QUIET)} - {-1}
    seen = [
        [sum(w * c for w, c in zip(row, linear(rgb(color)), strict=True)) for row in EYES[eyes]] for color in colors
    ]
    assert len(seen) == 3
    for one, other in combinations(seen, 2):
        assert max(abs(a - b) for a, b in zip(one, other, strict=True)) > 0.3
    # With few colours there is but one beside the terminal's own.
    assert len({look.color for look in COLORS.few.values()}) == 2


def test_no_theme_paints_a_background_and_high_contrast_needs_no_colour() -> None:
    for theme in THEMES:
        for looks in (theme.looks.many, theme.looks.few):
            assert set(looks) == set(STYLE_NAMES.values())
            assert {look.background for look in looks.values()} == {-1}
    assert {look.color for looks in (HIGH_CONTRAST.many, HIGH_CONTRAST.few) for look in looks.values()} == {-1}
    for looks in (COLORS.many, COLORS.few):
        assert len({looks[style] for style in (styles.MARK_DEAD, styles.MARK_FREEZES, styles.CHOSEN)}) == 3


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: str(theme.name))
def test_glyphs_tell_squares_apart_without_looks(theme: Theme) -> None:
    for columns, glyphs in ((1, theme.narrow), (2, theme.wide)):
        assert len(set(glyphs.values())) == len(glyphs) == 7
        assert {len(glyph) for glyph in glyphs.values()} == {columns}
        assert theme.marks.picked[columns - 1] not in glyphs.values()
    marks = theme.marks
    assert len({marks.fine, marks.dead, marks.freezes, ASKED, *marks.picked}) == 6
    assert not {*marks.characters, ASKED} & {*theme.narrow.values(), *"".join(theme.wide.values()), *ascii_letters}


def test_lines_and_blocks_have_signs_of_the_same_width_in_ascii_and_on_the_linux_console() -> None:
    drawn = "╭─╮│╰╯┌┐└┘├┤┬┴┼━╸┿╋▁▂▃▄▅▆▇█▀▌▐░▒▓·"
    text = ascii_text(drawn)
    assert len(text) == len(drawn)
    assert text.isascii()
    assert "?" not in text
    in_every_font = console_text(drawn).encode("cp437").decode("cp437")
    assert len(in_every_font) == len(drawn)


def test_a_gauge_is_full_or_empty_only_for_all_or_nothing_and_bars_are_eighths_of_blocks() -> None:
    texts = ["".join(part.text for part in gauge(done, 1000, 4)) for done in (0, 1, 500, 999, 1000)]
    assert texts == ["────", "╸───", "━━──", "━━━╸", "━━━━"]
    assert "".join(part.text for part in gauge(2, 8, 8, [range(1, 3), range(6, 7)])) == "━╋┿───┿─"
    assert bars([0, 1, 8, 16], 2) == ["   █", " ▁██"]
    assert bars([1, 2], 1, most=8) == ["▁▂"]


def test_large_letters_are_three_rows_of_one_width_or_none() -> None:
    rows = large("PAR 27!")
    assert len(rows) == 3
    assert len({len(row) for row in rows}) == 1
    assert large("解决") == large("GÅ") == []


def test_a_pane_has_a_frame_where_there_is_room_for_one() -> None:
    canvas = Canvas(8, 30)
    assert canvas.draw_pane(Area(0, 0, 5, 30), "Packs", "12 of 360") == Area(1, 2, 3, 26)
    assert canvas.draw_pane(Area(5, 0, 3, 30), "A title too long for its row", "5/40") == Area(6, 0, 2, 30)
    rows = [row.text for row in canvas.frame().rows]
    assert rows[0] == "╭─ Packs ──────── 12 of 360 ─╮"
    assert rows[5] == "A title too long for it.. 5/40"


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


# The colours that the settings give to styles


def entry(name: str, value: object) -> Entry:
    return Entry("", name, value, "config.toml:3")


def test_a_style_gets_its_look() -> None:
    for value, look in (
        ("red", Look(1)), ("Bright-Blue", Look(12)), ("default", Look()), ("bold", Look(bold=True)),
        ("bold underline magenta", Look(5, bold=True, underline=True)), (0, Look(0)), ("208", Look(208)),
        ("white dim reverse", Look(7, dim=True, reverse=True)), (255, Look(255)),
        ("black on cyan", Look(0, background=6)), ("bold on 17", Look(bold=True, background=17)),
    ):  # fmt: skip
        assert read_looks([entry("box-on-goal", value)]) == ({styles.BOX_ON_GOAL: look}, [])


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("boxes", "red", "found 'boxes', expected one of wall player box box-on-goal goal dead title"),
        ("box", "purple", "found box = 'purple', expected a colour (black red green yellow blue magenta cyan white"),
        ("box", "red blue", "found box = 'red blue', expected a colour"),
        ("box", "", "found box = '', expected a colour"),
        ("box", "on red", "found box = 'on red', expected a colour"),
        ("box", "red on", "found box = 'red on', expected a colour"),
        ("box", "red on blue on red", "found box = 'red on blue on red', expected a colour"),
        ("box", 256, "found box = 256, expected a colour"),
        ("box", -1, "found box = -1, expected a colour"),
        ("box", True, "found box = True, expected a colour"),
        ("box", ["red"], "found box = ['red'], expected a colour"),
        ("box", "\x1b[31m", r"found box = '\x1b[31m', expected a colour"),
        ("box", "bright-default", "found box = 'bright-default', expected a colour"),
    ],
)
def test_what_is_no_look_is_told_and_the_others_hold(name: str, value: object, found: str) -> None:
    looks, problems = read_looks([entry("goal", "bold"), entry(name, value), entry("wall", 240)])
    assert looks == {styles.GOAL: Look(bold=True), styles.WALL: Look(240)}
    assert [problem.startswith(f"config.toml:3: {found}") and problem.isprintable() for problem in problems] == [True]


def test_a_number_that_cannot_be_written_out_is_no_look() -> None:
    looks, (problem,) = read_looks([entry("box", 16**5000)])
    assert looks == {}
    assert problem.startswith("config.toml:3: found box = a number with thousands of digits, expected a colour")


# What settings, earlier choices, keys and the terminal say, in this order

NO_SETTINGS, NO_CHOICE = Settings(), ChosenLooks()


def control(settings: Settings = NO_SETTINGS, choice: ChosenLooks = NO_CHOICE) -> AppearanceControl:
    return AppearanceControl(THEMES, settings, choice, shows_tiles=True)


def looks(appearance: AppearanceControl) -> tuple[str, int, str]:
    now = appearance.now
    return now.theme.name, now.zoom, now.palette.name


@pytest.mark.parametrize(
    ("settings", "choice", "expected"),
    [
        (NO_SETTINGS, NO_CHOICE, ("tiles", 0, "unknown")),
        (NO_SETTINGS, ChosenLooks("modern", 1, "light"), ("modern", 1, "light")),
        (Settings(theme="letters", cell=2, palette="light"), ChosenLooks("modern", 1, "dark"), ("letters", 2, "light")),
        (NO_SETTINGS, ChosenLooks("no such theme"), ("tiles", 0, "unknown")),
    ],
    ids=["256 colours", "chosen last", "settings first", "a theme that the terminal lacks"],
)
def test_settings_come_before_what_was_chosen_last_and_that_before_what_is_usual(
    settings: Settings, choice: ChosenLooks, expected: tuple[str, int, str]
) -> None:
    assert looks(control(settings, choice)) == expected


@pytest.mark.parametrize(
    ("utf8", "settings", "choice"),
    [(True, NO_SETTINGS, NO_CHOICE), (False, Settings(theme="tiles"), ChosenLooks("modern"))],
    ids=["as usual", "in place of themes that the terminal lacks"],
)
def test_terminals_of_few_colours_have_ascii(settings: Settings, choice: ChosenLooks, *, utf8: bool) -> None:
    few = themes_for(utf8=utf8, many_colors=False)
    plain = AppearanceControl(few, settings, choice, shows_tiles=False)
    assert looks(plain) == ("ascii", 0, "unknown")


def test_a_slow_line_has_one_character_a_square() -> None:
    assert looks(control(Settings(slow_link=True))) == ("ascii", 1, "unknown")


def test_keys_change_the_looks_and_are_remembered() -> None:
    appearance = control(Settings(theme="modern"))
    appearance.act("theme")
    appearance.act("zoom in", 4)
    assert looks(appearance)[:2] == ("tiles", 6)
    assert appearance.choice == ChosenLooks("tiles", 6)
    as_large_as_fits = control()
    as_large_as_fits.act("zoom in", 16)  # the size after the largest
    assert as_large_as_fits.now.zoom == 0


def test_squares_get_smaller_than_those_shown_where_a_larger_size_is_set() -> None:
    appearance = control(Settings(theme="tiles", cell=16))
    appearance.act("zoom out", 8)  # the window has no room for more
    assert appearance.now.zoom == 6
    assert appearance.act("zoom in", 6, 8) == "zoom: 8 columns per square"
    assert appearance.act("zoom in", 8, 8) == "zoom: fit to window"  # no size that is not drawn is named


@pytest.mark.parametrize(("settings", "palette"), [(NO_SETTINGS, "light"), (Settings(palette="dark"), "dark")])
def test_the_background_chooses_the_palette_but_does_not_overrule_the_settings(
    settings: Settings, palette: str
) -> None:
    appearance = control(settings)
    appearance.set_background("light")
    assert looks(appearance)[2] == palette
    assert appearance.choice.palette == "light" or palette == "dark"


@pytest.mark.parametrize(
    ("settings", "expected"), [(NO_SETTINGS, ("ascii", 1)), (Settings(theme="tiles", cell=4), ("tiles", 4))]
)
def test_a_line_found_to_be_slow_gets_small_boards_but_that_is_no_choice_and_overrules_no_settings(
    settings: Settings, expected: tuple[str, int]
) -> None:
    appearance = control(settings, ChosenLooks("tiles", 8))
    appearance.save_bytes()
    assert looks(appearance)[:2] == expected
    assert appearance.choice == ChosenLooks("tiles", 8)


# Tiles: sprites that can be told apart, drawn as half blocks that show the same pixels

# Machado, Oliveira and Fernandes 2009, severity 1.0: linear RGB as people without one kind of cones see it.
EYES = {
    "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}

_ONE_COLOR = {ord(letter): "x" for letter in PALETTES["dark"].colors if letter not in "fmx"}


def pixels_of(columns: int, things: tuple[str, ...], *, is_floor: bool = True) -> list[str]:
    """Return the pixel rows of a tile as letters, read from its characters and styles."""
    rows = []
    for text, cell_styles in draw_tile(columns, things, is_floor=is_floor):
        pairs = [colors_of(style) for style in cell_styles]
        shown = []
        for character, pair in zip(text, pairs, strict=True):
            assert pair is not None
            front, back = pair
            shown.append({"▀": (front, back), "▄": (back, front), "█": (front, front), " ": (back, back)}[character])
        rows += ["".join(part) for part in zip(*shown, strict=True)]
    return rows


@cache
def seen(palette: str, letter: str, eyes: str) -> tuple[float, ...]:
    linear = [(value / 255) ** 2.2 for value in PALETTES[palette].colors[letter][1]]
    mixed = (sum(part * value for part, value in zip(row, linear, strict=True)) for row in EYES[eyes])
    return tuple(255 * max(0.0, value) ** (1 / 2.2) for value in mixed)


def without_colors(columns: int) -> dict[str, Sprite]:
    """The sprites that have colours of their own, not those of a box."""
    return {name: sprite for name, sprite in sprites_of(columns).items() if not name.endswith("-colored")}


@pytest.mark.parametrize("columns", SIZES)
def test_every_sprite_is_square_and_has_colours_in_both_palettes(columns: int) -> None:
    for name, sprite in without_colors(columns).items():
        assert [len(row) for row in sprite] == [columns] * columns, name
        for palette in PALETTES.values():
            assert {*"".join(sprite)} - {"."} <= palette.colors.keys(), name


@pytest.mark.parametrize("columns", SIZES)
@pytest.mark.parametrize("is_floor", [True, False])
def test_half_blocks_show_the_pixels(columns: int, is_floor: bool) -> None:
    floor = "f" if is_floor else " "
    for name, sprite in without_colors(columns).items():
        ground = GROUNDS.get(name, floor) if is_floor else floor
        assert pixels_of(columns, (name,), is_floor=is_floor) == [row.replace(".", ground) for row in sprite]
    plain = [floor * columns] * columns
    assert pixels_of(columns, (), is_floor=is_floor) == plain


@pytest.mark.parametrize("columns", SIZES)
def test_a_pair_of_colours_never_has_the_terminals_own_in_front(columns: int) -> None:
    """The terminal's own front colour is that of its text."""
    for name in without_colors(columns):
        for text, cell_styles in draw_tile(columns, (name,), is_floor=False):
            for character, style in zip(text, cell_styles, strict=True):
                pair = present(colors_of(style))
                assert character == " " or pair[0] != " "


@pytest.mark.parametrize("columns", SIZES)
def test_marks_and_facings_differ_in_shape(columns: int) -> None:
    marks = [pixels_of(columns, (name,)) for name in (FINE, DEAD, FREEZES, FRAME, GOAL, BOX, HOME, WALL, HINTED)]
    shapes = {"\n".join(mark).translate(_ONE_COLOR) for mark in marks}
    assert len({tuple(mark) for mark in marks}) == len(marks)
    assert len(shapes) >= (4 if columns == 4 else 5)
    assert len({tuple(pixels_of(columns, (sprite,))) for sprite in PLAYER.values()}) == 4
    for direction in Direction:
        assert pixels_of(columns, things_on("+", PLAYER[direction])) != pixels_of(
            columns, things_on("@", PLAYER[direction])
        )


@pytest.mark.parametrize("columns", SIZES)
def test_what_has_no_direction_is_symmetric_and_in_the_middle(columns: int) -> None:
    """The light comes from above; in 4 pixels from the upper left."""
    names = [GOAL, GOAL_BELOW, GUILTY, HINTED, DEAD, FREEZES, FRAME, ".-colored", "*-colored"]
    names += [] if columns == 4 else [BOX, "$-colored", "down", "up", "down-push", "up-push"]
    for name in names:
        assert all(row == row[::-1] for row in sprites_of(columns)[name]), name
    for name in (GOAL, GOAL_BELOW, GUILTY, HINTED, FRAME, ".-colored"):
        assert sprites_of(columns)[name] == sprites_of(columns)[name][::-1], name
    crate = [row.translate(_ONE_COLOR) for row in sprites_of(columns)[BOX]]
    assert crate == crate[::-1] == [row[::-1] for row in crate]


def test_the_player_strides_every_other_step_and_pushes_with_his_arms_out() -> None:
    level = Level.from_xsb("########\n#@  $ .#\n########")
    game = Game(level)
    assert player_in(game.stance) == "down"
    seen = []
    for _ in range(4):
        game.play([Direction.RIGHT])
        seen.append(player_in(game.stance))
    assert seen == ["right-step", "right", "right-push", "right-push"]
    game.undo()
    game.undo()
    assert player_in(game.stance) == "right"  # as when he came there
    for columns in SIZES:
        poses = {sprites_of(columns)[f"{way}{pose}"] for way in PLAYER.values() for pose in ("", "-step", "-push")}
        assert len(poses) == (12 if columns > 4 else 4)
        left, right = (sprites_of(columns)[f"{way}-push"] for way in ("left", "right"))
        assert left == tuple(row[::-1] for row in right)


# Contrast, by WCAG 2 (1.4.3 and 1.4.11)

OUTSIDES: dict[str, tuple[Rgb, ...]] = {
    "dark": ((0, 0, 0), (0x1E, 0x1E, 0x1E)),
    "light": ((255, 255, 255), (0xFB, 0xFA, 0xF7)),
}


def both_ways(palette: Palette, letter: str) -> tuple[Rgb, Rgb]:
    """A colour where there are 24 bits for it, and where there is its number."""
    number, color = palette.colors[letter]
    return color, cube(number) if number >= 16 else color


@pytest.mark.parametrize("palette", PALETTES.values(), ids=list(PALETTES))
def test_walls_stand_out_and_floor_is_seen(palette: Palette) -> None:
    """Brick at 3:1 from the floor and from any outside; floor that is as far from the outside as that leaves room for.

    Floor at 3:1 from black would need walls at 9:1, brighter than boxes and goals.
    """
    for way in range(2):
        brick, edge, floor = (both_ways(palette, letter)[way] for letter in "wuf")
        for outside in OUTSIDES[palette.name]:
            assert min(contrast(brick, outside), contrast(edge, outside)) >= 3
            assert contrast(floor, outside) >= 1.2
        assert min(contrast(brick, floor), contrast(edge, floor)) >= 3
        for letter in "Gkb" if palette.name == "light" else "GbBHrco":
            assert contrast(both_ways(palette, letter)[way], floor) >= (2 if letter == "b" else 2.6), letter


@pytest.mark.parametrize("palette", PALETTES.values(), ids=list(PALETTES))
def test_text_on_painted_squares_can_be_read(palette: Palette) -> None:
    for cell in ("$", "*", "@", "+", GUILTY, LIT, HINTED):
        front, back = colors_of(paint(cell, is_floor=True)) or "  "
        for way in range(2):
            assert contrast(both_ways(palette, front)[way], both_ways(palette, back)[way]) >= 4.5, cell


@pytest.mark.parametrize(
    ("background", "outsides", "least"),
    [("dark", OUTSIDES["dark"], 4.5), ("light", OUTSIDES["light"], 4.5), ("unknown", sum(OUTSIDES.values(), ()), 3.4)],
)
def test_coloured_text_can_be_read(background: str, outsides: tuple[Rgb, ...], least: float) -> None:
    """Where the background is not known, no colour has more than 4.1:1 on both of its kinds."""
    for style, look in COLORS.on(background, many_colors=True).items():
        if look.color >= 16:
            grounds = outsides if look.background < 0 else (cube(look.background),)
            assert all(contrast(cube(look.color), ground) >= least for ground in grounds), style


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


HALL = Level.from_xsb("\n".join(["#" * 40, *["#" + " " * 38 + "#"] * 28, "#@$." + " " * 35 + "#", "#" * 40]))


def drawn_hall(square: int, size: SquareSize, appearance: Appearance) -> tuple[list[str], BoardPlace]:
    """Return the picture of the hall with the player on a square, and its place."""
    state = HALL.start._replace(player=square)
    canvas, area = Canvas(20, 60), Area(0, 0, 20, 60)
    place = place_board(HALL.board, square, area, size, None, appearance)
    draw_board(canvas, place, HALL, state, appearance.theme)
    return [row.text for row in canvas.frame().rows], place


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: str(theme.name))
@pytest.mark.parametrize("columns", [1, 2, 4, 8])
def test_marks_at_the_edges_tell_where_the_board_goes_on(columns: int, theme: Theme) -> None:
    for spot, view in product(((1, 1), (29, 38), (14, 20)), SYMMETRIES[::3]):
        appearance = Appearance(theme, columns, view=view)
        square = HALL.board.square(*spot)
        size = square_size(appearance, HALL.board, 20, 60)
        shown, place = drawn_hall(square, size, appearance)
        rows, columns_shown = place.shown
        height, width = place.extent
        goes_on = (rows.start > 0, rows.stop < height, columns_shown.start > 0, columns_shown.stop < width)
        text = "\n".join(shown).replace("<>", "").replace("@>", "")
        assert tuple(sign in text for sign in "^v<>") == goes_on
        row, column = place.cursor_on(square)
        if not (size.is_tile or size.is_picture):
            assert shown[row][column] == theme.glyph("@", size.columns)[0]


@pytest.mark.parametrize("view", SYMMETRIES[::3])
@pytest.mark.parametrize("columns", [1, 2, 4, 6, 8, 16])
def test_rulers_number_rows_and_columns_as_the_level_is_written(columns: int, view: Symmetry) -> None:
    """On a turned board the numbers of rows stand above."""
    appearance = Appearance(TILES, columns, view=view, has_rulers=True)
    square = HALL.board.square(14, 20)
    shown, place = drawn_hall(square, square_size(appearance, HALL.board, 20, 60), appearance)
    rows, across = place.shown
    top, left = place.corner_of(rows.start, across.start)
    for row in rows:
        number, column = divmod(place.square_in(row, across.start), HALL.board.stride)
        line = place.corner_of(row, across.start)[0] + (place.size.rows - 1) // 2
        assert shown[line][:left].strip() == str((column if view.transposed else number) + 1)
    above = shown[top - 1]
    for found in re.finditer(r"\d+", above):
        at = place.square_at(top, found.end() - 1)
        assert at is not None
        assert int(found[0]) == divmod(at, HALL.board.stride)[0 if view.transposed else 1] + 1
    assert len(re.findall(r"\d+", above)) >= len(across) // 5
    assert place.square_at(top - 1, left) is None  # a click there is none on the board


def test_a_board_is_drawn_in_tiles_without_a_panel_rather_than_in_text_beside_one() -> None:
    """Of 22 columns it had two for a square at 120x35, where there is room for five."""
    tiles = present(find_theme("tiles"))
    for columns, has_panel in ((20, True), (22, False), (40, True)):
        board = Level.from_xsb("#" * columns + f"\n#@ $ {' ' * (columns - 8)}. #\n" + "#" * columns).board
        chrome = place_chrome(Size(35, 120), board, Appearance(tiles, 0), comment_rows=0)
        assert (chrome.panel is not None) == has_panel


def test_squares_are_as_large_as_the_window_allows() -> None:
    tiles, modern = present(find_theme("tiles")), present(find_theme("modern"))
    board = Level.from_xsb("#" * 10 + "\n#@ $   . #\n" + "#" * 10).board
    for height, width, zoom, size in (
        (24, 160, 0, (16, 8)), (23, 160, 0, (12, 6)), (17, 160, 0, (10, 5)), (14, 99, 0, (8, 4)), (12, 80, 0, (8, 4)),
        (11, 80, 0, (6, 3)), (12, 79, 0, (6, 3)), (6, 40, 0, (4, 2)), (5, 40, 0, (2, 1)), (2, 20, 0, (2, 1)),
        (12, 19, 0, (1, 1)), (12, 24, 8, (8, 4)), (5, 30, 8, (2, 1)), (50, 200, 4, (4, 2)),
    ):  # fmt: skip
        # Text scrolls; zoomed, the player and the squares beside him stay in sight.
        assert square_size(Appearance(tiles, zoom), board, height, width)[:2] == size
    for zoom in (0, 8):
        assert square_size(Appearance(modern, zoom), board, 50, 200) == SquareSize(2, 1)


def test_a_viewport_that_has_jumped_stays() -> None:
    """Six rows jumped up and down with every picture, while a search told of itself."""
    for shown, origin, focus in product([1, 2, 3, 4, 5, 6, 7, 10, 11], range(20), range(20)):
        once = scrolled(origin, focus, 20, shown)
        assert once <= focus < once + shown
        assert scrolled(once, focus, 20, shown) == once


def test_what_keys_do_is_aligned_where_some_have_a_line_of_their_own() -> None:
    hints = (("Space", "play"), ("Left Right", "go one step"), ("n p", "compare with another"), ("Esc", "back"))
    lines = ["".join(part.text for part in line) for line in key_lines(hints, 32)]
    assert [line.split()[0] for line in lines] == ["Space", "Left", "n", "Esc"]
    assert {line.index(label) for line, (__, label) in zip(lines, hints, strict=True)} == {13}
