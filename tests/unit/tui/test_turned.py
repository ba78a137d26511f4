"""Boards turned and mirrored while they are played: keys, mouse, labels and pictures follow the view."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import DIRECTIONS, SYMMETRIES, Direction, Symmetry
from sokoterm.engine.level import Level
from sokoterm.store.progress import ChosenLooks
from sokoterm.store.settings import Settings
from sokoterm.terminal.events import Pointer
from sokoterm.tui.event_loop import AppearanceControl
from sokoterm.tui.widgets.board_view import Area, SquareSize, place_board
from sokoterm.tui.widgets.theme import THEMES
from tests.unit.tui.fake_terminal import Session, play
from tests.unit.tui.kinds import SHOWN

HALL = "#########\n#@  $  .#\n#   #   #\n#  $   .#\n#########\n"
LEVEL = Level.from_xsb(HALL)
# The keys that lead to each view from the one as written.
VIEWS = ((), ("t",), ("t", "t"), ("t", "t", "t"), ("x",), ("x", "t"), ("x", "t", "t"), ("x", "t", "t", "t"))
KEYS = ("up", "right", "down", "left")


def board_in(session: Session) -> list[str]:
    """The rows of the board in the last picture, without what is around them."""
    rows = [line for line in session.last.splitlines()[1:-2] if "#" in line]
    left = min(len(row) - len(row.lstrip()) for row in rows)
    return [row[left:].rstrip() for row in rows]


def view_of(keys: tuple[str, ...]) -> Symmetry:
    control = AppearanceControl(THEMES, Settings(), ChosenLooks(), shows_tiles=True, is_slow=False)
    for key in keys:
        control.turn_view(is_mirrored=key == "x")
    return control.now.view


def rows_of(view: Symmetry, rows: list[str]) -> list[str]:
    width = max(map(len, rows))
    return [row.rstrip() for row in view.rows([row.ljust(width) for row in rows])]


def test_every_view_is_there() -> None:
    assert {view_of(keys) for keys in VIEWS} == set(SYMMETRIES)


@given(st.sampled_from(SYMMETRIES), st.sampled_from(SYMMETRIES), st.sampled_from(DIRECTIONS))
def test_one_view_after_another_is_what_both_do(one: Symmetry, other: Symmetry, direction: Direction) -> None:
    picture = ["abc", "def"]
    assert other.rows(one.rows(picture)) == one.then(other).rows(picture)
    assert other.direction(one.direction(direction)) == one.then(other).direction(direction)


@pytest.mark.parametrize("keys", VIEWS)
def test_the_picture_is_turned_and_the_arrows_follow_it(tmp_path: Path, keys: tuple[str, ...]) -> None:
    view = view_of(keys)
    shown = play(tmp_path, HALL, keys)
    assert board_in(shown) == rows_of(view, HALL.splitlines())
    row, column = shown.frames[-1].cursor
    for key, (down, right) in zip(KEYS, ((-1, 0), (0, 1), (1, 0), (0, -1)), strict=True):
        after = play(tmp_path, HALL, [*keys, "r", key])
        at = after.frames[-1].cursor
        blocked = at == (row, column)
        assert at == (row + down, column + right) or blocked
        assert blocked == (shown.last.splitlines()[row + down][column + right] == "#")


@pytest.mark.parametrize("keys", VIEWS)
def test_a_click_means_the_square_that_is_seen_there(tmp_path: Path, keys: tuple[str, ...]) -> None:
    view, board = view_of(keys), LEVEL.board
    shown = play(tmp_path, HALL, keys)
    row, column = shown.frames[-1].cursor
    start = view.place(*board.row_column(LEVEL.start.player), board.height, board.width)
    there = view.place(3, 1, board.height, board.width)
    click = Pointer(row + there[0] - start[0], column + there[1] - start[1], "left", True)
    assert play(tmp_path, HALL, [*keys, click]).saved().lurd == "dd"


@pytest.mark.parametrize("keys", VIEWS)
@pytest.mark.parametrize("cell", [1, 2, 4])
def test_a_square_is_found_again_under_its_cell(keys: tuple[str, ...], cell: int) -> None:
    board, view = LEVEL.board, view_of(keys)
    for area in (Area(1, 2, 40, 80), Area(0, 0, 6, 9)):
        place = place_board(board, LEVEL.start.player, area, SquareSize(cell, max(1, cell // 2)), None, view)
        found = [place.cell_of(square) for square in range(board.size) if square % board.stride < board.width]
        shown = [each for each in found if each is not None]
        assert len(set(shown)) == len(shown)
        assert place.cell_of(LEVEL.start.player) in shown
        for square in range(board.size):
            if square % board.stride < board.width and (at := place.cell_of(square)) is not None:
                assert place.square_at(*at) == square


@pytest.mark.parametrize("kind", SHOWN)
@pytest.mark.parametrize("keys", VIEWS)
def test_colours_and_ice_are_turned_too(tmp_path: Path, kind: str, keys: tuple[str, ...]) -> None:
    upright = board_in(play(tmp_path, SHOWN[kind], ["r"], size=(40, 80)))
    turned = board_in(play(tmp_path, SHOWN[kind], [*keys, "r"], size=(40, 80)))
    assert turned == rows_of(view_of(keys), upright)


def test_planner_replay_and_reverse_play_are_turned_as_the_board_is(tmp_path: Path) -> None:
    pack = "#####\n#@$.#\n#####\n"
    for keys in (["t", "tab"], ["t", "B"], ["t", "down", "R"]):
        assert len(board_in(play(tmp_path, pack, keys))) == 5, keys
    assert play(tmp_path, pack, ["t", "r", "B", "down", "J", "K", "enter"]).shows("solved: b other packs")
    # Elsewhere boards are as written.
    assert play(tmp_path, pack, ["e"]).shows("#@$.#")
    assert play(tmp_path, pack, ["b", "right"]).shows("#@$.#")


def test_the_cursor_of_the_planner_goes_where_the_arrow_points(tmp_path: Path) -> None:
    for keys in VIEWS:
        for key, (down, right) in zip(KEYS, ((-1, 0), (0, 1), (1, 0), (0, -1)), strict=True):
            shown = play(tmp_path, HALL, [*keys, "tab", "enter", key])
            before, after = shown.frames[-2].cursor, shown.frames[-1].cursor
            moved = after[0] - before[0], after[1] - before[1]
            assert moved == (0, 0) or moved[0] * down + moved[1] * right > 0, (keys, key)


def test_the_view_is_named() -> None:
    control = AppearanceControl(THEMES, Settings(), ChosenLooks(view=99), shows_tiles=True, is_slow=False)
    assert control.now.view == SYMMETRIES[3], "a number of a later version is one of these"
    assert control.turn_view(is_mirrored=False) == "view: turned to the left"
    assert control.turn_view(is_mirrored=False) == "view: as written"
    told = [control.turn_view(is_mirrored=False) for _ in range(4)]
    assert told == [f"view: {name}" for name in
                    ("turned to the right", "turned by 180 degrees", "turned to the left", "as written")]  # fmt: skip
    assert control.turn_view(is_mirrored=True) == "view: mirrored left to right"
