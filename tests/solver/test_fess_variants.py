"""Which searches by features take turns, and for how long."""

from itertools import islice

from sokoterm.solver.fess import variants
from sokoterm.solver.fess.forward import Manner
from sokoterm.solver.fess.variants import FIRST, KEPT, OTHERS, THIRD, Turn, Variant, turns

MANY = 200


def rounds(number: int) -> list[list[Turn]]:
    """The turns of the first rounds after the opening."""
    after = islice(turns(), len(variants._OPENING), None)
    size = len(variants._ROUND_BEGINS) + 1 + variants._DRAWS + 1
    return [list(islice(after, size)) for _ in range(number)]


def test_the_first_search_and_the_one_backwards_have_a_part_of_the_opening_and_of_every_round() -> None:
    for each in (variants._OPENING, *rounds(MANY)):
        assert {FIRST, None} <= {turn.variant for turn in each}
    assert variants._OPENING[0].variant == FIRST


def test_searches_that_are_kept_have_a_part_of_every_round_that_stays_the_same_after_the_first() -> None:
    for variant in KEPT:
        shares = {sum(turn.expansions for turn in each if turn.variant == variant) for each in rounds(MANY)[1:]}
        assert len(shares) == 1
        assert min(shares) > 0


def test_the_third_search_has_one_long_turn_and_then_shorter_ones() -> None:
    first, *later = [turn.expansions for each in rounds(MANY) for turn in each if turn.variant == THIRD]
    assert len(later) == MANY - 1
    assert first > 5 * max(later)
    assert THIRD not in {turn.variant for turn in variants._OPENING}


def test_one_search_of_a_round_goes_for_an_imagined_board_and_no_number_comes_twice_then() -> None:
    opening, *later = (
        [turn.variant.imagined for turn in each if turn.variant and turn.variant.imagined is not None]
        for each in (variants._OPENING, *rounds(MANY))
    )
    assert opening == [0, 0]
    assert {len(numbers) for numbers in later} == {1}
    assert len({0, *(numbers[0] for numbers in later)}) == MANY + 1


def test_the_search_backwards_comes_before_what_is_imagined() -> None:
    variants_before: set[Variant | None] = set()
    for variant, _ in variants._OPENING:
        assert None in variants_before or variant is None or variant.imagined is None
        variants_before.add(variant)


def drawn() -> list[Variant]:
    """Those that have one turn each after the opening."""
    each = (turn.variant for turn in turns())
    shuffled = (variant for variant in each if variant and variant.way_out.shuffle >= variants._NEXT_SHUFFLE)
    return list(islice(shuffled, MANY))


def test_each_of_the_table_has_one_turn_before_any_is_drawn() -> None:
    opening = [turn.variant for turn in variants._OPENING]
    assert [variant for variant in opening if variant in OTHERS] == list(OTHERS)
    assert not {*KEPT, *OTHERS} & {*drawn()}


def test_no_plan_is_shuffled_twice_in_the_same_way() -> None:
    known = {each.way_out.shuffle for each in (*KEPT, *OTHERS)}
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
