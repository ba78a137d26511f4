"""What is shown over time: moves one by one, jumps of a replay, the flash and the card of a win."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.improvement import ShowReplay
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Start
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Stance
from sokoterm.store.known_levels import Source
from sokoterm.terminal.events import SLOW_LINE
from sokoterm.tui.screens.motion import LONGEST_SECONDS, PICTURE_SECONDS, ShownPosition, on_the_way
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.theme import THEMES
from tests.unit.tui.fake_terminal import TO_TILES, Session, play
from tests.unit.tui.kinds import SOLVED
from tests.unit.tui.test_golden import check_golden

CORRIDOR = "#" * 30 + "\n#@" + " " * 25 + "$.#\n" + "#" * 30 + "\n"


def moves_in(session: Session) -> list[int]:
    """The moves counted in each picture."""
    found = [re.search(r"moves? (\d+)", screen) for screen in session.screens]
    return [int(match[1]) for match in found if match]


@given(st.integers(1, 400), st.integers(1, 1000), st.booleans())
def test_an_animation_has_equal_steps_and_is_never_long(moves: int, per_second: int, is_backward: bool) -> None:
    level = Level.from_xsb("#" * 7 + "\n#@ $ .#\n" + "#" * 7)
    start = ShownPosition(level.start, 5, 2, Stance())
    lurd = ("rl" * moves)[:moves]
    shown, seconds = on_the_way(level.board, start, lurd, per_second, 0, is_backward=is_backward)
    pictures = [5 + moves if is_backward else 5, *(each.moves for each in reversed(shown))]
    assert len(pictures) * seconds <= LONGEST_SECONDS + 2 * seconds + 1e-9
    steps = {abs(after - before) for before, after in pairwise(pictures)}
    assert len(steps) <= 1
    end = 5 if is_backward else 5 + moves
    assert 0 < abs(end - pictures[-1]) <= max(steps, default=moves)
    assert seconds >= PICTURE_SECONDS - 1e-9


@pytest.mark.parametrize(("keys", "end"), [(["L", "u"], 0), (["L", "u", "y"], 25)])
def test_undo_and_redo_of_many_moves_are_shown(tmp_path: Path, keys: list[str], end: int) -> None:
    counted = moves_in(play(tmp_path, CORRIDOR, [*keys, *["wait"] * 30], animation=60))[len(keys) :]
    way = range(24, -1, -1) if keys[-1] == "u" else range(1, 26)
    assert counted[:25] == [*way]
    assert counted[-1] == end


def test_moves_with_no_picture_in_between_are_done_at_once(tmp_path: Path) -> None:
    """Undo of a few moves at a speed of hundreds a second ended the program."""
    board = "#########\n#@   $ .#\n#########\n"
    assert moves_in(play(tmp_path, board, ["L", "u", "wait", "wait"], animation=1000))[-1] == 0


def test_undo_of_few_moves_is_not_shown(tmp_path: Path) -> None:
    assert moves_in(play(tmp_path, CORRIDOR, ["l", "l", "u", "u", "y"], animation=60))[1:] == [1, 2, 1, 0, 1]


def test_pictures_that_would_be_late_are_skipped(tmp_path: Path) -> None:
    """A line that takes a tenth of a second for each picture shows every sixth move, and the end in time."""
    counted = moves_in(play(tmp_path, CORRIDOR, ["L", "u", *["wait 0.1"] * 5], animation=60))[2:]
    assert counted == [24, 18, 12, 6, 0, 0]


@pytest.mark.parametrize(("key", "moves"), [("l", 1), ("C-c", 0), ("y", 1)])
def test_any_key_ends_what_is_shown(tmp_path: Path, key: str, moves: int) -> None:
    assert moves_in(play(tmp_path, CORRIDOR, ["L", "u", "wait", key], animation=60))[-1] == moves


def test_there_are_no_more_than_60_pictures_a_second(tmp_path: Path) -> None:
    session = play(tmp_path, CORRIDOR, ["L", "u", *["wait"] * 30], animation=1000)
    assert moves_in(session)[2:5] == [25 - 17, 0, 0]


def test_without_animation_nothing_moves_by_itself(tmp_path: Path) -> None:
    assert moves_in(play(tmp_path, CORRIDOR, ["L", "u", "y"]))[1:] == [25, 0, 25]


def test_a_jump_of_a_replay_is_shown(tmp_path: Path) -> None:
    keys = ["S", "R", "space", "home", "]", *["wait"] * 30]
    counted = [int(found) for screen in play(tmp_path, CORRIDOR, keys, animation=60).screens
               for found in re.findall(r"move (\d+)/26", screen)]  # fmt: skip
    assert counted[-30:-3] == [*range(2, 27), 26, 26]


def test_a_key_ends_a_jump_of_a_replay_at_its_end(tmp_path: Path) -> None:
    assert play(tmp_path, CORRIDOR, ["S", "R", "space", "home", "]", "wait", "left"], animation=60).shows("move 25/26")
    assert play(tmp_path, CORRIDOR, ["S", "R", "space", "home", "]", "wait", "C-c"], animation=60).shows("move 26/26")


def test_a_replay_keeps_its_speed_where_pictures_are_late(tmp_path: Path) -> None:
    """Four moves a second, a picture a second."""
    session = play(tmp_path, CORRIDOR, ["S", "R", "wait 1", "wait 1"], animation=60)
    assert session.shows("move 8/26")


def test_a_line_that_turns_out_to_be_slow_while_a_box_slides_in_a_replay_ends_that(tmp_path: Path) -> None:
    """The speed of motion, none by then, was a divisor."""
    pack, lurd = SOLVED["sliding"]
    slides: list[str] = [*["wait"] * 8, SLOW_LINE, *["wait"] * 80]

    def replay(pack_session: PackSession) -> list[Reaction]:
        return [Start(pack_session, 1), ShowReplay("", lurd, Source.SOLVER)]

    assert play(tmp_path, pack, slides, first=replay, animation=60).shows(f"move {len(lurd)}/{len(lurd)}")


def test_nothing_wakes_the_program_once_all_is_shown(tmp_path: Path) -> None:
    session = play(tmp_path, CORRIDOR, ["L", "u", *["wait"] * 60], animation=60)
    assert session.limits[-1] is None


PACK = """\
Collection: Wins

######\n#    #\n#@$ .#\n######\nTitle: One box\nSolution: rdrR

######\n#.$@ #\n######\nTitle: Short

######\n#    #\n#@$ .#\n#    #\n######\nTitle: The third
"""
BIG = "\n".join(["#" * 18, *["#" + " " * 16 + "#"] * 15, "#@$." + " " * 13 + "#", "#" * 18])
TALL = "\n".join(["#" * 9, *["#       #"] * 15, "#.$@    #", "#" * 9])
FULL = "\n".join(["#" * 36, *["#" + "*   " * 8 + "  #"] * 18, "#@$." + " " * 31 + "#", "#" * 36])
SIZE = (24, 80)


@pytest.mark.parametrize(
    ("name", "pack", "keys", "size", "cell"),
    [
        ("win", PACK, ["l", "l"], SIZE, 0),
        ("win-new-best", PACK, ["k", "j", "l", "l", "r", "l", "l"], SIZE, 0),
        ("win-over-the-board", BIG, ["l"], SIZE, 0),
        ("win-beside-the-board", BIG, ["l"], (20, 100), 1),
        ("win-last-level", PACK, ["g", "3", "enter", "l", "l"], SIZE, 0),
        ("win-tiles", PACK, [*TO_TILES, "l", "l"], SIZE, 0),
        ("win-small", PACK, ["l", "l"], (8, 30), 0),
    ],
)
def test_picture(tmp_path: Path, name: str, pack: str, keys: list[str], size: tuple[int, int], cell: int) -> None:
    check_golden(name, play(tmp_path, pack, keys, size=size, cell=cell).last)


@pytest.mark.parametrize("size", [(24, 80), (30, 100), (35, 120), (50, 200), (8, 30)], ids=str)
@pytest.mark.parametrize("code", ["en", "ru"], indirect=True)
def test_picture_of_a_finished_pack(tmp_path: Path, code: str, size: tuple[int, int]) -> None:
    picture = play(tmp_path, PACK, ["l", "l", "enter", "h", "enter", "l", "l"], size=size, cell=0).last
    check_golden(f"win-pack-{code}-{size[1]}x{size[0]}", picture)


@pytest.mark.parametrize(
    ("key", "stays"), [("l", True), ("L", True), ("h", False), ("esc", False), ("m", False), ("u", False), ("x", False)]
)
def test_the_card_stays_while_moves_are_blocked_and_goes_with_any_other_key(
    tmp_path: Path, key: str, stays: bool
) -> None:
    session = play(tmp_path, PACK, ["l", "l", "?", "esc", key])
    assert ["this time" in screen for screen in session.screens[2:]] == [True, False, True, stays]


def test_the_card_comes_back_with_the_solution_and_not_in_another_session(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["l", "l", "u", "y", "l"])
    assert not session.screens[-3].count("this time")
    assert session.shows("this time")
    assert not any(styles.CHOSEN in row.styles for frame in session.frames for row in frame.rows)  # not animated
    later = play(tmp_path, PACK, [])
    assert later.shows("level solved")
    assert not later.shows("this time")


@pytest.mark.parametrize(
    ("key", "text"),
    [("n", "Wins 2/3"), ("enter", "Wins 2/3"), ("R", "Replay: Wins 1, your best"), ("u", "moves 1 "), ("Y", "RR\n")],
)
def test_every_key_does_what_it_does_without_the_card(tmp_path: Path, key: str, text: str) -> None:
    assert play(tmp_path, PACK, ["l", "l", key]).shows(text)


TWO_BOXES = """\
########
#.$@ $.#
########

########
#@$   .#
########
"""


def lit_in(session: Session, style: str) -> list[str]:
    """The glyphs of a style, picture by picture."""
    return ["".join(t for row in f.rows for t, s in zip(row.text, row.styles) if s == style) for f in session.frames]


def test_boxes_light_up_in_their_order_then_walls_and_then_the_card_comes(tmp_path: Path) -> None:
    session = play(tmp_path, TWO_BOXES, ["l", "l", "h", "h", "h", *["wait"] * 12], animation=40, size=(24, 40))
    boxes, walls = lit_in(session, styles.CHOSEN), lit_in(session, styles.ACCENT)
    assert boxes[5:13] == ["*", "**", *["**"] * 5, ""]
    order = [frame.rows[11].styles.index(styles.CHOSEN) for frame in session.frames[5:7]]
    assert order[0] > order[1]  # the box on the right came home first
    assert [bool(each) for each in walls[5:12]] == [False, False, *[True] * 5]
    assert sum(map(len, walls[7:12])) == 18  # all of them
    has_card = ["this time" in screen for screen in session.screens]
    assert has_card[5:14] == [False] * 7 + [True, True]
    gauges = [re.findall(r"(\d)/2 ", screen) for screen in session.screens[12:14]]
    assert gauges == [["0"], ["1"]]  # the progress of the pack moves
    waits = [limit for limit in session.limits[5:12] if limit is not None]
    assert sum(waits) <= 0.6


@pytest.mark.parametrize("key", ["h", "T", "?", "x", "C-c"])
def test_any_key_ends_the_lights(tmp_path: Path, key: str) -> None:
    session = play(tmp_path, PACK, ["l", "l", key, "esc"], animation=40)
    assert any(styles.CHOSEN in row.styles for row in session.frames[2].rows)
    assert not any(styles.CHOSEN in row.styles for frame in session.frames[3:] for row in frame.rows)


def test_nothing_lights_up_on_a_slow_line(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, [SLOW_LINE, "l", "l", "wait"], animation=40)
    assert not any(styles.CHOSEN in row.styles for frame in session.frames for row in frame.rows)
    assert ["this time" in screen for screen in session.screens[-2:]] == [True, True]


def test_boxes_of_every_theme_light_up(tmp_path: Path) -> None:
    for number, theme in enumerate(THEMES):
        folder = tmp_path / theme.name
        folder.mkdir()
        keys = [*["T"] * number, "l", "l", *["wait"] * 20]
        frames = play(folder, PACK, keys, animation=40, cell=0).frames
        assert len({frame.rows for frame in frames[number + 2 : number + 8]}) == 6, theme.name


@pytest.mark.parametrize("size", [(24, 80), (30, 100), (35, 120), (50, 200), (20, 80), (40, 50)])
def test_the_card_covers_no_box_and_no_player_where_there_is_room(tmp_path: Path, size: tuple[int, int]) -> None:
    """Nor where the board takes the whole height: then it is beside it or over walls, and in a panel at the worst."""
    for number, (pack, keys) in enumerate(((PACK, ["l", "l"]), (BIG, ["l"]), (TALL, ["h"]))):
        for cell in (1, 0):
            folder = tmp_path / f"{number}-{cell}"
            folder.mkdir()
            frames = play(folder, pack, [*keys, "esc"], size=size, cell=cell).frames[-2:]
            shown = ["".join(row.styles for row in frame.rows) for frame in frames]
            assert "this time" in str(frames[0].rows)
            for style in (styles.BOX_ON_GOAL, styles.PLAYER):
                assert shown[0].count(style) == shown[1].count(style) > 0


def test_the_card_is_in_the_panel_where_it_would_cover_a_box(tmp_path: Path) -> None:
    session = play(tmp_path, FULL, ["l"], size=(24, 112), cell=2)
    assert session.shows("│ this time 1 1")
    assert not session.shows("╭")
