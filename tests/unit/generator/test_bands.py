"""Orders for levels of a given difficulty."""

from itertools import pairwise

from sokoterm.engine.slices import finish
from sokoterm.generator.bands import BANDS, Band, LevelOrder, making_ordered, order_for
from sokoterm.generator.recipes import Wish
from sokoterm.solver.common.dice import Dice


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


def test_a_level_too_easy_is_followed_by_a_harder_one() -> None:
    easy, hard = Wish(6, 6, 2, 500), Wish(8, 7, 3, 6_000)
    made = finish(making_ordered(LevelOrder((easy, hard), 0, Band(52, 99)), lambda attempt: Dice.of(1, attempt)))
    assert made is not None
    assert made.difficulty >= 52
    assert made.level.boxes == 3


def test_a_level_too_hard_is_followed_by_an_easier_one() -> None:
    easy, hard = Wish(6, 6, 2, 500), Wish(8, 7, 3, 6_000)
    made = finish(making_ordered(LevelOrder((easy, hard), 1, Band(0, 42)), lambda attempt: Dice.of(1, attempt)))
    assert made is not None
    assert made.difficulty <= 42
    assert made.level.boxes == 2
