"""The theme ``pictures`` on a terminal that keeps images and placements: what is seen there is the board."""

import random
import re
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path

import pyte
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from sokoterm.engine.bits import DIRECTIONS, Symmetry, around, squares_of
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import direction_of, letter, parse_lurd, play
from sokoterm.engine.rules import step
from sokoterm.pictures.draw import Thing, board_picture, sprite
from sokoterm.pictures.png import png
from sokoterm.pictures.skins import named, read
from sokoterm.terminal.output_line import QUESTION as STATUS_QUESTION
from sokoterm.tui.widgets.frame import COVERED_THING, GROUND, PLATE, THING
from tests.slow import others_slow, slow
from tests.system.terminal.pictures import OK, QUERY, PictureScreen
from tests.system.terminal.screen import KEYS, PYTHON, ROOT, write_settings

HALL = Level.from_xsb(
    """\
####################
#                  #
# $  $   $   $  .  #
#   .  #   .     $ #
#  $   @   $   .   #
#      #      .    #
#  .  $  .  $  .  .#
#    .  $    .  $  #
#                  #
####################"""
)
TWO = """\
#######
#@ $ .#
#######
Title: First

#########
#  $  . #
# @$  . #
#########
Title: Second
"""
LIGHT = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\"


@cache
def drawn(dark: bool = True) -> dict[bytes, str]:
    """The names of what stands on squares, by the pixels of the skin."""
    skin = named("dungeon", dark=dark)
    poses = [f"player-{facing}{pose}" for facing in ("up", "down", "left", "right") for pose in ("", "-push")]
    return {
        pixels(png(sprite(skin, Thing(name)))): name for name in ("home", "box", "dead", "lit", "hint", "goal", *poses)
    }


def pixels(file: bytes) -> bytes:
    return Image.open(BytesIO(file)).convert("RGBA").tobytes()


def shown_board(screen: PictureScreen, board: Board) -> State:
    """The boxes and the player where the placements are; fails for anything that is too much on a square."""
    [ground] = screen.in_layer(GROUND)
    assert screen.pixels(ground) == pixels(png(board_picture(board, named("dungeon"))))
    rows, columns = ground.rows // board.height, ground.columns // board.width
    boxes, players = 0, []
    for each in screen.placements.values():
        if (each.rows, each.columns) != (rows, columns) or each is ground or each.layer not in (THING, COVERED_THING):
            continue
        down, right = each.row - ground.row, each.column - ground.column
        assert down % rows == right % columns == 0
        square = board.square(down // rows, right // columns)
        name = drawn()[screen.pixels(each)]
        if name.startswith("player"):
            players.append(square)
        else:
            assert not boxes >> square & 1
            assert (name == "home") == bool(board.goals >> square & 1) or name in ("dead", "lit")
            boxes |= 1 << square
    [player] = players
    return State(boxes, player)


def playing(folder: Path, text: str, *arguments: str, **options: object) -> PictureScreen:
    """The player with a pack, in kitty as it names itself or in another terminal."""
    folder.mkdir(exist_ok=True)
    pack = folder / "pack.txt"
    pack.write_text(text)
    if not (folder / "XDG_CONFIG_HOME").exists():
        write_settings(folder, "# nothing\n")
    environ = {"TERM": "xterm-256color", **options.pop("environ", {})}  # type: ignore[dict-item]
    command = [PYTHON, "-m", "sokoterm", *arguments, str(pack)]
    screen = PictureScreen(command, folder, environ=environ, **options)  # type: ignore[arg-type]
    screen.wait_for("moves 0")
    screen.settle()
    return screen


def wandering(level: Level, pushes: int) -> str:
    """Moves at random with so many pushes, none of them to a wall."""
    board, chance, state, moves = level.board, random.Random(1), level.start, ""
    while sum(map(str.isupper, moves)) < pushes:
        direction = chance.choice([*DIRECTIONS, *map(direction_of, moves[-1:] * 2)])
        next_ = step(board, state, direction)
        if next_ is None:
            continue
        pushed = next_.boxes & ~state.boxes
        if not pushed or not around(pushed, board.stride) & board.walls:
            moves += letter(direction, bool(pushed))
            state = next_
    return moves


def after(level: Level, moves: str) -> State:
    """The state that moves lead to."""
    return [level.start, *(state for state, __ in play(level.board, level.start, parse_lurd(moves)))][-1]


@pytest.mark.parametrize("speed", ["60", slow("0")])
def test_after_200_pushes_every_picture_is_where_the_board_has_it_and_none_is_left_over(
    tmp_path: Path, speed: str
) -> None:
    moves = wandering(HALL, 200)
    with playing(tmp_path, HALL.xsb(), "--theme", "pictures", "--animation", speed) as screen:
        for at in range(0, len(moves), 150):
            done = min(at + 150, len(moves))
            screen.type(moves[at:done].translate(KEYS), f"moves {done} ")
            screen.settle()
            assert shown_board(screen, HALL.board) == after(HALL, moves[:done])
        assert len(screen.placements) == HALL.boxes + 2
        assert screen.uploads == len(screen.images) <= 5
        for _ in range(20):
            screen.type("u")
        screen.settle()
        assert shown_board(screen, HALL.board) == after(HALL, moves[:-20])
        screen.type("r", "moves 0")
        screen.settle()
        assert shown_board(screen, HALL.board) == HALL.start
        screen.leave()
        screen.look()
        assert (screen.images, screen.placements) == ({}, {})


def test_other_screens_levels_wins_and_windows_leave_no_ghost(tmp_path: Path) -> None:
    first, second = (Level.from_xsb("\n".join(rows)) for rows in (TWO.split("\n")[:3], TWO.split("\n")[5:9]))
    with playing(tmp_path, TWO, "--theme", "pictures") as screen:
        assert shown_board(screen, first.board) == first.start
        for key, words, boards in (("?", "Keys", 0), ("b", "search", 1)):  # the list shows the board of a level
            screen.type(key, words)
            screen.settle()
            assert len(screen.in_layer(GROUND)) == boards
            assert boards or screen.placements == {}
            screen.type("\x1b", "moves 0")
            screen.settle()
            assert shown_board(screen, first.board) == first.start
        screen.type("\t", "Push planner")
        screen.settle()
        labels = len(screen.in_layer(PLATE))
        assert labels > 0
        screen.type("\r", "where?")
        screen.settle()
        assert len(screen.in_layer(PLATE)) > labels
        screen.type("\x1b\x1b", "moves 0")
        screen.settle()
        assert shown_board(screen, first.board) == first.start
        screen.write(b"\x0c")
        screen.settle()
        assert shown_board(screen, first.board) == first.start
        for size in (30, 100), (12, 40), (50, 200), (8, 30), (24, 80):
            screen.resize(*size)
            screen.settle(0.3)
            assert shown_board(screen, first.board) == first.start
        screen.type("lll")
        screen.wait_for("next")
        screen.settle(0.6)
        won = shown_board(screen, first.board)
        assert [*squares_of(won.boxes)] == [*squares_of(first.board.goals)]
        screen.type("\r", "moves 0")
        screen.settle()
        assert shown_board(screen, second.board) == second.start
        assert screen.most_images < 40
        screen.leave()
        screen.look()
        assert screen.images == {}


def test_zoom_scrolls_and_turned_boards(tmp_path: Path) -> None:
    with playing(tmp_path, HALL.xsb(), "--theme", "pictures", "--zoom", "8") as screen:
        [ground] = screen.in_layer(GROUND)
        assert ground.columns < HALL.board.width * 8
        screen.type("l" * 9, "moves 9")
        screen.settle()
        [scrolled] = screen.in_layer(GROUND)
        assert screen.images[scrolled.image].size == (scrolled.columns * 2, scrolled.rows * 4)
        screen.type("---")
        screen.settle()
        assert shown_board(screen, HALL.board) == after(HALL, "r" * 9)
        screen.type("t", "view")
        screen.settle()
        turn = Symmetry(transposed=True, rows_flipped=False, columns_flipped=True)
        turned = HALL.turned(turn)
        assert shown_board(screen, turned.board) == after(turned, turn.moves("r" * 9))


def test_decoration_off_the_floor_is_shown(tmp_path: Path) -> None:
    with playing(tmp_path, "#########\n#@ $.##*#\n#########\n *$ .", "--theme", "pictures", "--zoom", "4") as screen:
        [ground] = screen.in_layer(GROUND)
        things = [each for each in screen.in_layer(THING) if screen.pixels(each) in drawn()]
        seen = {((each.row - ground.row) // 2, (each.column - ground.column) // 4): each for each in things}
        assert {place: drawn()[screen.pixels(each)] for place, each in seen.items()} == {
            (1, 1): "player-down", (1, 3): "box", (1, 7): "home", (3, 1): "home", (3, 2): "box", (3, 4): "goal",
        }  # fmt: skip


def test_suspended_it_takes_all_back_and_draws_all_again(tmp_path: Path) -> None:
    write_settings(tmp_path, "# nothing\n")
    pack = tmp_path / "pack.txt"
    pack.write_text(HALL.xsb())
    job = str(ROOT / "tests" / "system" / "terminal" / "job.py")
    command = [PYTHON, job, PYTHON, "-m", "sokoterm", "--theme", "pictures", str(pack)]
    with PictureScreen(command, tmp_path) as screen:
        screen.wait_for("moves 0")
        screen.settle()
        assert shown_board(screen, HALL.board) == HALL.start
        uploads = screen.uploads
        screen.write(b"\x1a")
        screen.settle(0.4)
        assert shown_board(screen, HALL.board) == HALL.start
        assert screen.uploads == 2 * uploads
        screen.leave()
        screen.look()
        assert screen.images == {}


# What a terminal answers

HOSTILE = [
    b"", b"\x1b[?62;c", b"\x1b_Gi=31;ENOTSUPPORTED\x1b\\\x1b[?1;2c", b"\x1b_Gi=32;OK\x1b\\", b"\x1b_Gi=31;OK",
    b"\x1b_Gi=31;OK\x07", b"\x1bPGi=31;OK\x1b\\", b"\x1b_G" + b"9" * 5000 + b"\x1b\\", b"\x1b_Gi=31;OKOK\x1b\\",
    QUERY,
]  # fmt: skip


@pytest.mark.parametrize("answer", [HOSTILE[0], HOSTILE[2], *map(slow, HOSTILE[1:2] + HOSTILE[3:])])
@pytest.mark.parametrize("arguments", [(), ("--theme", "pictures")], ids=["by itself", "asked for"])
def test_without_the_answer_nothing_of_the_protocol_is_sent_and_half_blocks_are_shown(
    tmp_path: Path, answer: bytes, arguments: tuple[str, ...]
) -> None:
    with playing(tmp_path, TWO, *arguments, answer=lambda: answer) as screen:
        screen.wait_for("▀")
        assert screen.output.count(b"\x1b_G") == screen.output.count(QUERY) == 1
        if arguments:
            screen.wait_for("theme pictures needs a terminal that shows pictures")
            if not answer:
                screen.write(OK)
                screen.settle()
                screen.look()
                assert screen.placements
                assert "needs" not in screen.text
                screen.leave()
                return
        screen.leave("qq" if answer == b"_Gi=31;OK" else "q")
        assert screen.output.count(b"\x1b_G") == 1


def test_a_terminal_that_prints_the_question_shows_an_empty_line(tmp_path: Path) -> None:
    with playing(tmp_path, TWO, answer=lambda: b"") as screen:
        screen.leave()
    emulated = pyte.Screen(80, 24)  # prints it, as PuTTY does
    stream = pyte.ByteStream(emulated)
    before, question, after = screen.output.partition(QUERY)
    stream.feed(bytes(before + question))
    assert "Gi=31" in emulated.display[0]
    stream.feed(bytes(after[: after.index(STATUS_QUESTION)]))
    assert not "".join(emulated.display).strip()


def test_a_late_answer_brings_pictures_and_they_are_remembered(tmp_path: Path) -> None:
    with playing(tmp_path, TWO, answer=lambda: b"") as screen:
        screen.wait_for("▀")
        screen.write(OK)
        screen.settle()
        screen.look()
        assert screen.placements
        assert "▀" not in screen.text
        screen.leave()
    with playing(tmp_path, TWO) as screen:
        assert "▀".encode() not in screen.output
        screen.look()
        assert screen.placements
        screen.type("T", "theme ascii")
        screen.settle()
        assert screen.placements == {}
        screen.leave()
    with playing(tmp_path, TWO) as screen:
        assert b"a=t" not in screen.output
        screen.leave()


@pytest.mark.parametrize(
    "environ",
    others_slow(
        [{"TERM": "tmux-256color"}, {"TMUX": "/t"}, {"NO_COLOR": "1"}, {"STY": "1.pts"}, {"TERM": "screen"}], 3
    ),
    ids=str,
)
def test_inside_a_multiplexer_and_without_colours_nothing_is_asked(tmp_path: Path, environ: dict[str, str]) -> None:
    with playing(tmp_path, TWO, "--theme", "pictures", environ=environ) as screen:
        screen.leave()
        assert b"\x1b_" not in screen.output


def test_a_slow_line_has_pictures_only_if_they_are_asked_for(tmp_path: Path) -> None:
    with playing(tmp_path, TWO, "--slow-link") as screen:
        screen.leave()
        assert b"a=t" not in screen.output
    with playing(tmp_path, TWO, "--slow-link", "--theme", "pictures", "--zoom", "4") as screen:
        screen.settle(0.5)
        assert b"a=t" in screen.output
        screen.leave()


def test_the_skin_is_that_of_the_flag_or_else_of_the_settings(tmp_path: Path) -> None:
    write_settings(tmp_path, 'skin = "mine"\n')
    mine = tmp_path / "XDG_CONFIG_HOME" / "sokoterm" / "skins" / "mine.toml"
    mine.parent.mkdir()
    [example] = re.findall(r"(?s)```toml\n(.*?)```", (ROOT / "docs" / "skins.md").read_text("utf-8"))
    mine.write_text(example, "utf-8")
    board = Level.from_xsb("\n".join(TWO.split("\n")[:3])).board
    for arguments, skin in ((), read(example, "mine.toml")), (("--skin", "paper"), named("paper")):
        with playing(tmp_path, TWO, "--theme", "pictures", *arguments) as screen:
            [ground] = screen.in_layer(GROUND)
            assert screen.pixels(ground) == pixels(png(board_picture(board, skin)))
            assert pixels(png(sprite(skin, Thing("box")))) in map(screen.pixels, screen.placements.values())


def test_a_light_terminal_gets_the_light_colours(tmp_path: Path) -> None:
    with playing(tmp_path, TWO, "--theme", "pictures", answer=lambda: OK) as screen:
        screen.write(LIGHT)
        screen.settle()
        names = {drawn(dark=False).get(screen.pixels(each)) for each in screen.in_layer(THING)}
        assert {"box", "player-down"} <= names
        screen.leave()


@pytest.fixture
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bytes], PictureScreen]:
    def play(reply: bytes) -> PictureScreen:
        return playing(tmp_path_factory.mktemp("fuzz"), TWO, answer=lambda: reply)

    return play


@pytest.mark.slow
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.sampled_from([b"i=31", b";", b"OK", b"=1", b",", b"\x07", b"9" * 3000])))
def test_replies_of_any_kind_change_nothing_but_the_theme(
    fuzzed: Callable[[bytes], PictureScreen], reply: list[bytes]
) -> None:
    joined = b"\x1b_G" + b"".join(reply) + b"\x1b\\"
    with fuzzed(joined) as screen:
        screen.settle(0.3)
        assert "First" in screen.text
        assert (b"a=t" in screen.output) <= (OK in joined)
        screen.end(15)
