"""Levels with colours and ice on the screen: pictures, what tells squares apart, slides that are shown, whole games."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations, groupby, product
from pathlib import Path
from typing import NamedTuple

import pytest

from sokoterm.app.options import Look
from sokoterm.app.planning import LandingRisk
from sokoterm.engine.bits import Square, scan
from sokoterm.engine.level import Level, varied
from sokoterm.engine.lurd import direction_of
from sokoterm.engine.rules import step
from sokoterm.tui.screens.planner import PlannerScreen
from sokoterm.tui.widgets import tiles
from sokoterm.tui.widgets.sights import DEAD_LETTER, Sight, Sights, is_home_style, look_of, text_of, tile_of
from sokoterm.tui.widgets.theme import COLORS, HIGH_CONTRAST, THEMES, Theme
from sokoterm.tui.widgets.tiles import COLORED, INKS, PALETTES, Palette, Tile, colors_of
from sokoterm.wording.kinds import COLOR_NAMES, box_letter, color_name, free_letters, goal_letter, kind_text
from tests.present import present
from tests.unit.tui.fake_terminal import Session, play
from tests.unit.tui.kinds import SHOWN, SOLVED, level_of
from tests.unit.tui.planned import Play, typed
from tests.unit.tui.planned import text_of as planner_text
from tests.unit.tui.test_golden import check_golden
from tests.unit.tui.test_widgets import EYES, contrast, cube, seen

LOOKS = [("ascii", 1), ("letters", 1), ("unicode", 1), ("contrast", 1), ("modern", 1), ("modern", 2), ("ascii", 2),
         ("letters", 2), ("unicode", 2), ("contrast", 2), ("tiles", 4), ("tiles", 6), ("tiles", 8)]  # fmt: skip
STEPS = {"u": "k", "d": "j", "l": "h", "r": "l"}

# All that a player must tell apart in every theme and at every width.
SIGHTS = {
    "floor": Sight(" "), "wall": Sight("#"), "ice": Sight(" ", is_ice=True), "player": Sight("@"),
    "box": Sight("$"), "home": Sight("*"), "goal": Sight("."), "player on a goal": Sight("+", goal=0),
    "box A": Sight("$", 0), "box B": Sight("$", 1), "A home": Sight("*", 0, 0), "B home": Sight("*", 1),
    "goal a": Sight(".", goal=0), "goal b": Sight(".", goal=1),
}  # fmt: skip
# What has room for more in two columns and on tiles.
ROOMY = {
    "A on b": Sight("$", 0, 1), "A on c": Sight("$", 0, 2), "player on b": Sight("+", goal=1),
    "home on a": Sight("*", goal=0), "player on ice": Sight("@", is_ice=True), "goal on ice": Sight(".", is_ice=True),
    "a on ice": Sight(".", goal=0, is_ice=True),
}  # fmt: skip


def find(name: str) -> Theme:
    return next(theme for theme in THEMES if theme.name == name)


@pytest.mark.parametrize(
    ("kind", "name", "cell"), [("colours", *LOOKS[0]), ("sliding", *LOOKS[0]), *(("both", *look) for look in LOOKS)]
)
def test_picture(tmp_path: Path, kind: str, name: str, cell: int) -> None:
    keys = ["T"] * [theme.name for theme in THEMES].index(name)
    check_golden(f"kind-{kind}-{name}{cell}", play(tmp_path, SHOWN[kind], keys, size=(24, 90), cell=cell).last)


def test_ordinary_boards_are_drawn_without_any_of_this() -> None:
    code = (
        "import sys\n"
        "from sokoterm.engine.level import Level\n"
        "from sokoterm.tui.widgets.board_view import *\n"
        "from sokoterm.tui.widgets.theme import THEMES\n"
        "level = Level.from_xsb('#####\\n#@$.#\\n#####')\n"
        "place = place_board(level.board, 7, Area(0, 0, 3, 10), SquareSize(2, 1))\n"
        "draw_board(Canvas(3, 10), place, level, level.start, THEMES[0])\n"
        "print([name for name in sys.modules if 'sights' in name or 'kinds' in name])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# What tells squares apart


def without_color(text: str, cell_styles: str, theme: Theme) -> tuple[str, tuple[Look, ...]]:
    """Return the text as it is seen where there is no colour at all."""
    looks = [look_of(style, theme.looks.few, tiles.DARK) or theme.looks.few.get(style, Look()) for style in cell_styles]
    return text, tuple(look._replace(color=-1, background=-1) for look in looks)


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("theme", [each for each in THEMES if not each.is_painted], ids=lambda theme: str(theme.name))
def test_squares_are_told_apart_without_colour(theme: Theme, columns: int) -> None:
    """By characters, reverse and underline, as a vt100 has them."""
    shown = SIGHTS if columns == 1 else SIGHTS | ROOMY
    pictures = {without_color(*text_of(sight, theme, columns), theme) for sight in shown.values()}
    dead = {without_color(*text_of(SIGHTS[name], theme, columns, is_dead=True), theme) for name in ("box A", "A home")}
    assert len(pictures) == len(shown)
    assert not dead & pictures


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("name", ["modern", "tiles"])
def test_painted_squares_are_told_apart_by_more_than_a_hue(name: str, columns: int) -> None:
    """Two squares of one text differ in their underlines, or in the lightness of the floor."""
    shown = SIGHTS if columns == 1 else SIGHTS | ROOMY
    theme = find(name)
    for palette, (one, other) in product(PALETTES.values(), combinations(shown.values(), 2)):
        (text, styles), (other_text, other_styles) = (text_of(sight, theme, columns) for sight in (one, other))
        if text == other_text:
            first, second = (look_of(each[-1], COLORS.many, palette) for each in (styles, other_styles))
            if first is None and second is None:
                grounds = [palette.colors[(colors_of(each[-1]) or "ff")[1]][1] for each in (styles, other_styles)]
                assert contrast(*grounds) > 1.2, (one, other)
            else:
                assert first is None or second is None, (one, other)


@pytest.mark.parametrize("pixels", tiles.SIZES)
def test_tiles_are_told_apart_by_all_eyes(pixels: int) -> None:
    """By a letter, or by pixels that differ clearly."""
    shown = {name: tile_of(pixels, sight) for name, sight in (SIGHTS | ROOMY).items()}
    for name, over in (("box", tiles.GUILTY), ("box", tiles.FRAME), ("box", tiles.HINTED), ("home", tiles.HINTED)):
        shown[f"{name} {over}"] = tile_of(pixels, SIGHTS[name], over=(over,))
    for (one, first), (other, second) in combinations(shown.items(), 2):
        if letters(first) == letters(second):
            for palette, eyes in product(PALETTES, EYES):
                assert differing(first, second, palette, eyes) >= pixels * pixels / 8, (one, other, palette, eyes)


def letters(tile: Tile) -> list[str]:
    return [character for text, _ in tile for character in text if character.isalnum()]


def differing(one: Tile, other: Tile, palette: str, eyes: str) -> int:
    """The number of half blocks whose colour differs clearly."""
    count = 0
    for mine, theirs in zip(halves(one), halves(other), strict=True):
        a, b = (seen(palette, letter, eyes) for letter in (mine, theirs))
        count += sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) > 60**2 / 2
    return count


def halves(tile: Tile) -> Iterator[str]:
    """The upper and lower colours of each character; of a letter that of its ground."""
    for text, cell_styles in tile:
        for character, style in zip(text, cell_styles, strict=True):
            front, back = colors_of(style) or ("f", "f")
            yield from {"▀": (front, back), "▄": (back, front), "█": (front, front)}.get(character, (back, back))


def test_all_eyes_tell_the_twelve_colours_apart() -> None:
    assert len(COLORED) == len(INKS) == len(COLOR_NAMES) == 12
    for palette, eyes, (one, other) in product(PALETTES, EYES, combinations(COLORED, 2)):
        a, b = (seen(palette, letter, eyes) for letter in (one, other))
        assert sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) > 40**2, (palette, eyes, one, other)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=list(PALETTES))
def test_letters_can_be_read(palette: Palette) -> None:
    for color, ice, pixels in product(range(12), (False, True), tiles.SIZES):
        for sight in (Sight("$", color), Sight("*", color, color), Sight(".", goal=color)):
            for text, cell_styles in tile_of(pixels, sight._replace(is_ice=ice)):
                for style in (style for character, style in zip(text, cell_styles, strict=True) if character.isalpha()):
                    front, back = (palette.colors[each][1] for each in colors_of(style) or "")
                    assert contrast(front, back) >= (3.2 if ice and sight.box is None else 4.5), (sight, ice)


def test_colours_of_text_can_be_read_on_black_and_on_white_and_high_contrast_has_none() -> None:
    for color in range(12):
        for sight in (Sight("$", color), Sight("*", color), Sight(".", goal=color), Sight(" ", is_ice=True)):
            _, cell_styles = text_of(sight, THEMES[0], 1)
            look = present(look_of(cell_styles, COLORS.many, tiles.DARK))
            assert min(contrast(cube(look.color), ground) for ground in ((0, 0, 0), (255, 255, 255))) >= 2.9
    for style in "".join(text_of(sight, find("contrast"), 1)[1] for sight in SIGHTS.values()):
        contrasted = look_of(style, HIGH_CONTRAST.many, tiles.DARK)
        assert contrasted is None or (contrasted.color, contrasted.background) == (-1, -1)


def test_letters_begin_again_after_the_last_with_other_colours() -> None:
    assert (box_letter(0), goal_letter(0), box_letter(25), box_letter(26), goal_letter(27)) == ("A", "a", "Z", "A", "b")
    assert (color_name(0), color_name(12)) == ("orange", "orange 2")
    seen_pairs = {(box_letter(color), color % 12) for color in range(150)}
    assert len(seen_pairs) == 150
    again = [text_of(Sight("$", color), THEMES[0], 1) for color in (0, 26)]
    assert again[0][0] == again[1][0]
    assert again[0][1] != again[1][1]


@pytest.mark.parametrize("pixels", tiles.SIZES)
def test_a_board_of_all_colours_needs_no_more_pairs_than_a_terminal_has(pixels: int) -> None:
    """256 of them, with the pairs of what has no colour."""
    pairs = set[str]()
    for color, ice in product(range(12), (False, True)):
        for sight in (Sight("$", color), Sight("$", color, (color + 1) % 12), Sight("*", color, color),
                      Sight(".", goal=color), Sight("+", goal=color), Sight("*", goal=color)):  # fmt: skip
            for _, cell_styles in tile_of(pixels, sight._replace(is_ice=ice)):
                pairs |= {*cell_styles}
    for cell, ice in product("#@+$*. ", (False, True)):
        for player in tiles.PLAYER.values():
            pairs |= {style for _, styles in tile_of(pixels, Sight(cell, is_ice=ice), player) for style in styles}
    assert len(pairs) < 256


def test_what_is_seen_of_a_board() -> None:
    level = level_of(SHOWN["both"])
    sights = Sights(level, level.start)
    row, above = ([sights.at(level.board.square(y, x)) for x in range(level.board.width)] for y in (3, 2))
    assert [each.cell for each in row] == list("#  $*.      #")
    assert row[3:6] == [Sight("$", 2, 0), Sight("*", 1), Sight(".", None, 2, True)]
    assert above[1:3] == [Sight(" ", is_ice=True), Sight("+", goal=0)]
    assert kind_text(level.board) == "colours and sliding"


def test_the_boxes_that_light_up_at_a_win_and_those_of_a_deadlock_keep_their_letters() -> None:
    for over in (tiles.LIT, tiles.GUILTY, tiles.HINTED, tiles.FRAME):
        for pixels in tiles.SIZES:
            assert letters(tile_of(pixels, Sight("*", 0, 0), over=(over,))) == ["A"]
            assert tile_of(pixels, Sight("*", 0, 0), over=(over,)) != tile_of(pixels, Sight("*", 0, 0))
    assert text_of(Sight("$", 0), THEMES[0], 1, is_dead=True) == ("A", DEAD_LETTER)
    assert is_home_style(text_of(Sight("*", 0), THEMES[0], 1)[1])
    assert not is_home_style(text_of(Sight("$", 0), THEMES[0], 1)[1])


def test_the_browser_and_the_panel_name_the_kind(tmp_path: Path) -> None:
    assert play(tmp_path, SHOWN["both"], [], size=(35, 120)).shows("colours and sliding")
    assert play(tmp_path, SHOWN["both"], ["b"], size=(35, 120)).shows("│ colours and sliding")
    assert play(tmp_path, SHOWN["sliding"], ["b"]).shows("sliding")
    long = f"{SHOWN['both']}Author: {'a long name ' * 6}\n"  # which goes before the kind
    assert play(tmp_path, long, []).last.splitlines()[0].split("  ")[2] == "colours and sliding"


# Whole games


@pytest.mark.parametrize("kind", SOLVED)
@pytest.mark.parametrize("animation", [0, 60])
def test_a_level_is_played_to_its_end_by_keys(tmp_path: Path, kind: str, animation: int) -> None:
    pack, lurd = SOLVED[kind]
    keys = [STEPS[letter.lower()] for letter in lurd]
    session = play(tmp_path, pack, [*keys, *["wait"] * 60], animation=animation)
    assert session.saved().solution == lurd
    assert session.shows("level solved")


@pytest.mark.parametrize("kind", SOLVED)
def test_a_level_is_played_to_its_end_by_the_planner(tmp_path: Path, kind: str) -> None:
    pack, lurd = SOLVED[kind]
    level, keys = level_of(pack), list[str]()
    for each in pushes_in(level, lurd):
        planner = PlannerScreen(Play(level, each.before))
        box = planner.choices.labels[each.box]
        typed(planner, [*box])
        keys += ["tab", *box, *planner.choices.labels[each.square], "enter"]
    session = play(tmp_path, pack, keys)
    assert session.shows("level solved")
    assert session.saved().pushes == sum(map(str.isupper, lurd))


class Pushed(NamedTuple):
    """A push of a solution: the moves before its walk, and the squares of its box."""

    before: str
    box: Square
    square: Square


def pushes_in(level: Level, lurd: str) -> Iterator[Pushed]:
    before, state = "", level.start
    for number, letter in enumerate(lurd, start=1):
        after = present(step(level.board, state, direction_of(letter)))
        if letter.isupper():
            landing = after.boxes & ~state.boxes & level.board.floor
            yield Pushed(before, after.player, next(scan(landing)))
            before = lurd[:number]
        state = after


# The planner's picture


def test_the_planner_marks_the_goals_that_take_the_box() -> None:
    level = Level.from_xsb("########\n#      #\n#@$  . #\n#  .$  #\n########")
    square = level.board.square
    level = varied(level, {square(2, 2): 0, square(3, 4): 1}, {square(2, 5): 0, square(3, 3): 1})
    screen = PlannerScreen(Play(level))
    typed(screen, [screen.box_label(square(2, 2))])
    own, other = (screen.choices.labels[each] for each in (square(2, 5), square(3, 3)))
    wide = planner_text(screen)
    assert f"{own}a" in wide
    assert f"{other}!" in wide
    assert f"{other}b" not in wide
    assert "orange box" in wide
    narrow = [line.strip() for line in planner_text(screen, cell=1).splitlines() if line.strip().startswith("#")]
    letters_shown = {each for each in "".join(narrow) if each.isalpha()}
    labels = {label for each, label in screen.choices.labels.items() if screen.risk(each) is LandingRisk.FINE}
    assert letters_shown == labels - {own} | {own.upper()}


def test_only_boxes_that_a_goal_takes_are_offered_for_it() -> None:
    level = Level.from_xsb("########\n#      #\n#@$  . #\n#  $ . #\n#      #\n########")
    square = level.board.square
    level = varied(level, {square(2, 2): 0, square(3, 3): 1}, {square(2, 5): 0, square(3, 5): 1})
    screen = PlannerScreen(Play(level), goal=square(2, 5))
    assert list(screen.choices.squares) == [square(2, 2)]


def test_no_label_of_the_planner_is_the_letter_of_a_colour() -> None:
    """Label a on box B, or on a goal of b, would be read as the letter of a colour."""
    level = level_of(SHOWN["both"])
    chosen = PlannerScreen(Play(level))
    typed(chosen, [*next(iter(chosen.choices.labels.values()))])
    for screen in (PlannerScreen(Play(level)), PlannerScreen(Play(level), asks_goal=True), chosen):
        assert screen.choices.labels
        assert not {*"abcd"} & {*"".join(screen.choices.labels.values())}


@pytest.mark.parametrize(("colors", "first"), [(0, "a"), (1, "b"), (4, "e"), (13, "n"), (14, "a")])
def test_letters_of_colours_are_free_again_where_more_than_half_are_taken(colors: int, first: str) -> None:
    orders = " ".join(map(str, range(1, colors + 1)))
    boxes = f"#@{'$' * 14}{'.' * 14} #"
    level = level_of(f"{'#' * 31}\n{boxes}\n{'#' * 31}\nBoxorder: {orders}\nGoalorder: {orders}\n")
    free = free_letters(level.board)
    assert (free[0], free[-1]) == (first, "z")


@pytest.mark.parametrize(("kind", "signs"), [("colours", "AB"), ("sliding", "~"), ("both", "AB~")])
def test_the_help_says_what_letters_and_ice_are(tmp_path: Path, kind: str, signs: str) -> None:
    """On the first page at 80 by 24, of the play, of the planner and of a replay, in the first column."""
    meanings = {"A": "A B ...", "B": "a b ...", "~": "~"}
    pack, lurd = SOLVED["both"]
    for number, keys in enumerate((["?"], ["tab", "?"])):
        lines = play(tmp_path / str(number), SHOWN[kind], keys).last.splitlines()
        begun = [line.removeprefix("│ ").split("  ")[0] for line in lines]
        assert [each for each in begun if each in meanings.values()] == [meanings[sign] for sign in signs]
    replay = [*(STEPS[letter.lower()] for letter in lurd), "R", "?"]
    assert play(tmp_path / "replay", pack, replay).shows("a b ...")
    assert "ice" not in play(tmp_path / "plain", "#####\n#@$.#\n#####\n", ["?"]).last


# Motion


def boxes_seen(session: Session) -> list[int]:
    """The column of the only box in each picture."""
    rows = [line for screen in session.screens for line in screen.splitlines() if line.strip().startswith("#")]
    return [row.index("$") - row.index("#") for row in rows if "$" in row]


RINK = "##########\n#        #\n#@$      #\n#       .#\n##########\nVariant: sliding\n"


def test_a_slide_is_shown_square_by_square_and_so_is_its_undo(tmp_path: Path) -> None:
    waits = ["wait"] * 10
    pushed = boxes_seen(play(tmp_path, RINK, ["l", *waits], animation=60))
    assert list(dict.fromkeys(pushed)) == [2, 3, 4, 5, 6, 7, 8]
    undone = boxes_seen(play(tmp_path, RINK, ["u", *waits], animation=60))
    assert list(dict.fromkeys(undone)) == [8, 7, 6, 5, 4, 3, 2]


def test_a_key_ends_a_slide_and_without_motion_there_is_none(tmp_path: Path) -> None:
    assert boxes_seen(play(tmp_path / "a", RINK, ["l", "wait", "h"], animation=60))[-1] == 8
    assert [*dict.fromkeys(boxes_seen(play(tmp_path / "b", RINK, ["l", "wait", "wait"])))] == [2, 8]


def test_a_slide_of_a_replay_is_shown(tmp_path: Path) -> None:
    solved = [*"lkllllllj"]
    keys = [*solved, "R", "space", "home", *["wait"] * 10, "right", *["wait"] * 12, "left", *["wait"] * 12]
    columns = boxes_seen(play(tmp_path, RINK, keys, animation=60))
    assert [each for each, _ in groupby(columns)][-13:] == [2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2]
