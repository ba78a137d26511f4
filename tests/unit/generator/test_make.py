"""Generated levels: solved, every box needed, no idle floor, and the same ones every time.

Orders for levels of a given difficulty.
"""

from functools import cache
from itertools import pairwise

import pytest

from sokoterm.engine.bits import scan
from sokoterm.engine.deadlock.check import dead_squares
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import verify
from sokoterm.engine.steps import finish
from sokoterm.generator.make import Made, making
from sokoterm.generator.puzzle import EVERY, is_direct, squares_used
from sokoterm.generator.recipes import BANDS, Band, LevelOrder, Wish, order_for
from sokoterm.generator.rooms import find_halls
from sokoterm.solver.common.dice import Dice
from sokoterm.solver.search import Limits, solve
from sokoterm.solver.strategies import bfs
from tests.present import present

WISH = Wish(width=8, height=7, boxes=3, nodes=6_000)


def made(number: int, wish: Wish = WISH, known: tuple[str, ...] = ()) -> Made:
    return present(finish(making(LevelOrder((wish,)), lambda attempt: Dice.of(1, number, attempt), known)))


@cache
def levels() -> list[Made]:
    """Levels that all tests look at, made once."""
    return [made(number) for number in range(6)]


@pytest.mark.parametrize("number", range(6))
def test_a_level_is_a_puzzle(number: int) -> None:
    each = levels()[number]
    level, board = each.level, each.level.board
    assert level.boxes == board.goals.bit_count() == WISH.boxes
    assert verify(board, level.start, each.solution.lurd) == each.solution
    assert each.solution.box_changes > level.boxes
    assert not level.start.boxes & dead_squares(board)
    assert not finish(is_direct(board, level.start))
    assert not find_halls(board.floor, board.stride)
    assert board.width <= WISH.width
    assert board.height <= WISH.height
    used = squares_used(board, level.start, each.solution.lurd)
    assert (each.floor, each.used) == (board.floor.bit_count(), used.bit_count())
    assert each.used >= 0.9 * each.floor


@pytest.mark.parametrize("number", range(6))
def test_every_box_has_to_move(number: int) -> None:
    """A box that starts on a goal cannot be replaced by a wall; the others have to move in any case."""
    each = levels()[number]
    board, start = each.level.board, each.level.start
    for box in scan(start.boxes & board.goals):
        rows = each.level.xsb().splitlines()
        row, column = board.row_column(box)
        rows[row] = rows[row][:column] + "#" + rows[row][column + 1 :]
        assert not _is_solvable("\n".join(rows))


def _is_solvable(picture: str) -> bool:
    try:
        level = Level.from_xsb(picture)
    except LevelError:
        return False
    return solve(level.board, level.start, bfs.search, Limits(1.0, 10**6, 10**6, lambda: 0.0))[0] is not None


def test_all_are_different() -> None:
    assert len({level_hash(each.level) for each in levels()}) == len(levels())


def test_a_known_level_is_not_made_again() -> None:
    first = level_hash(levels()[0].level)
    assert level_hash(made(0).level) == first
    assert level_hash(made(0, known=(first,)).level) != first


def test_generation_yields_often_and_can_be_abandoned() -> None:
    stops = sum(1 for _ in making(LevelOrder((WISH,)), lambda attempt: Dice.of(1, 0, attempt)))
    assert stops > WISH.nodes // EVERY
    broken_off = making(LevelOrder((WISH,)), lambda attempt: Dice.of(1, 0, attempt))
    next(broken_off)
    broken_off.close()
    assert next(broken_off, None) is None


def test_no_level_if_there_is_no_room() -> None:
    assert finish(making(LevelOrder((Wish(5, 5, 4, 2_000),)), Dice.of)) is None


def test_bands_follow_one_another() -> None:
    assert all(easier.most + 1 == harder.least for easier, harder in pairwise(BANDS.values()))


def test_a_harder_band_begins_with_more() -> None:
    firsts = [order.wishes[order.first] for order in map(order_for, BANDS.values())]
    assert all(before.boxes < after.boxes for before, after in pairwise(firsts))


def test_given_fields_are_kept_and_wishes_no_room_could_hold_are_left_out() -> None:
    order = order_for(Band(80, 99)).with_all({"width": 7, "height": 6})
    assert {(wish.width, wish.height) for wish in order.wishes} == {(7, 6)}
    assert max(wish.boxes for wish in order.wishes) == 5
    assert order.first < len(order.wishes)
    assert order.with_all({"boxes": 8}).wishes == ()


@pytest.mark.parametrize(("first", "band", "boxes"), [(0, Band(52, 99), 3), (1, Band(0, 30), 2)])
def test_a_level_too_easy_is_followed_by_a_harder_one_and_the_other_way_round(
    first: int, band: Band, boxes: int
) -> None:
    order = LevelOrder((Wish(6, 6, 2, 500), Wish(8, 7, 3, 6_000)), first, band)
    made = present(finish(making(order, lambda attempt: Dice.of(1, attempt))))
    assert band.least <= made.difficulty <= band.most
    assert made.level.boxes == boxes
