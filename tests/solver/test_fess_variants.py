"""Which searches by features take turns, and for how long."""

from itertools import islice, pairwise

import pytest

from sokoterm.solver.fess import variants
from sokoterm.solver.fess.forward import Manner
from sokoterm.solver.fess.variants import FIRST, OTHERS, Variant, turns

MANY = 200


def test_the_search_backwards_begins_every_round_and_the_first_search_follows() -> None:
    in_turn = list(islice(turns(), MANY))
    backwards = [number for number, turn in enumerate(in_turn) if turn.variant is None]
    first, second, *later = backwards
    assert (first, second) == (1, 4 + variants._SOON)
    assert all(in_turn[number + 1].variant == FIRST for number in (first, *later))
    assert {after - before for before, after in pairwise(later)} == {variants._ROUND + 3}


def test_the_first_search_has_a_fifth_of_the_first_turns_forward_and_a_part_of_every_round() -> None:
    shares = []
    forward = (turn for turn in turns() if turn.variant is not None)
    for turns_of_round in (variants._ROUND + 5, variants._ROUND + 2, variants._ROUND + 2):
        in_turn = list(islice(forward, turns_of_round))
        own = sum(turn.expansions for turn in in_turn if turn.variant == FIRST)
        shares.append(own / sum(turn.expansions for turn in in_turn))
    assert shares[0] == pytest.approx(0.22, abs=0.02)
    assert 0 < shares[2] < shares[1] < shares[0]


def test_one_search_of_a_round_goes_for_an_imagined_board_and_no_number_comes_twice() -> None:
    in_turn = list(islice(turns(), MANY))
    numbers = [turn.variant.imagined for turn in in_turn if turn.variant and turn.variant.imagined is not None]
    assert numbers[:2] == [0, 0]
    assert len(numbers) == len(set(numbers)) + 1 > 10
    assert sum(turn.variant is None for turn in in_turn) - len(numbers) in {0, 1}


def others(number: int) -> list[Variant]:
    """Those that have turns beside the first search and the one backwards."""
    each = (turn.variant for turn in turns() if turn.variant is not None)
    return list(islice((variant for variant in each if variant._replace(imagined=None) != FIRST), number))


def drawn() -> list[Variant]:
    return others(len(OTHERS) + MANY)[len(OTHERS) :]


def test_each_of_the_table_has_one_turn_before_any_is_drawn() -> None:
    assert others(len(OTHERS)) == list(OTHERS)
    assert not set(OTHERS) & set(drawn())


def test_no_plan_is_shuffled_twice_in_the_same_way() -> None:
    known = {each.way_out.shuffle for each in (FIRST, *OTHERS)}
    shuffles = [each.way_out.shuffle for each in drawn()]
    assert len(shuffles) == len(set(shuffles)) == MANY
    assert not known & set(shuffles)


def test_the_same_variants_are_drawn_every_time() -> None:
    assert drawn() == drawn()


def test_every_manner_and_every_way_out_comes_up() -> None:
    for setting in Manner._fields:
        assert len({getattr(each.manner, setting) for each in drawn()}) > 1, setting
    assert {(each.way_out.pushes, each.way_out.anywhere) for each in drawn()} == {(1, True), (2, False), (6, False)}


def test_no_two_manners_that_are_drawn_are_the_same_search() -> None:
    """The fourth feature is that of rooms: where they are not looked at it is always 0."""
    assert all(each.manner.rooms or each.manner.features != 4 for each in drawn())
