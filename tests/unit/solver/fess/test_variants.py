"""The variants of FESS and their turns."""

from itertools import chain, islice

from sokoterm.solver.fess.search import (
    FIRST,
    KEPT,
    OPENING,
    OTHERS,
    THIRD,
    SearchSettings,
    SearchVariant,
    Turn,
    rounds,
    turns,
)

MANY = 200


def first_rounds() -> list[tuple[Turn, ...]]:
    return list(islice(rounds(), MANY))


def test_the_turns_are_those_of_the_opening_and_of_each_round() -> None:
    expected = [*OPENING, *chain(*first_rounds())]
    assert list(islice(turns(), len(expected))) == expected


def test_the_first_variant_and_the_backward_search_have_turns_in_the_opening_and_every_round() -> None:
    for each in (OPENING, *first_rounds()):
        assert {FIRST, None} <= {turn.variant for turn in each}
    assert OPENING[0].variant == FIRST


def test_kept_variants_have_the_same_share_of_every_round_after_the_first() -> None:
    for variant in KEPT:
        shares = {sum(turn.expansions for turn in each if turn.variant == variant) for each in first_rounds()[1:]}
        assert len(shares) == 1
        assert min(shares) > 0


def test_the_third_variant_has_one_long_turn_and_then_shorter_ones() -> None:
    first, *later = [turn.expansions for each in first_rounds() for turn in each if turn.variant == THIRD]
    assert len(later) == MANY - 1
    assert first > 5 * max(later)
    assert THIRD not in {turn.variant for turn in OPENING}


def test_one_turn_of_each_round_targets_an_imagined_board_and_no_number_repeats() -> None:
    opening, *later = (
        [turn.variant.imagined for turn in each if turn.variant and turn.variant.imagined is not None]
        for each in (OPENING, *first_rounds())
    )
    assert opening == [0, 0]
    assert {len(numbers) for numbers in later} == {1}
    assert len({0, *(numbers[0] for numbers in later)}) == MANY + 1


def test_the_backward_search_comes_before_imagined_boards() -> None:
    variants_before: set[SearchVariant | None] = set()
    for variant, _ in OPENING:
        assert None in variants_before or variant is None or variant.imagined is None
        variants_before.add(variant)


def drawn() -> list[SearchVariant]:
    """Return the variants with one turn each."""
    each = (turn.variant for turn in chain.from_iterable(rounds()))
    shuffled = (variant for variant in each if variant and variant not in KEPT and variant.imagined is None)
    return list(islice(shuffled, MANY))


def test_each_variant_of_the_table_has_one_turn_before_any_is_drawn() -> None:
    opening = [turn.variant for turn in OPENING]
    assert [variant for variant in opening if variant in OTHERS] == list(OTHERS)
    assert not {*KEPT, *OTHERS} & {*drawn()}


def test_no_plan_is_shuffled_twice_in_the_same_way() -> None:
    known = {each.exit_rule.shuffle for each in (*KEPT, *OTHERS)}
    shuffles = [each.exit_rule.shuffle for each in drawn()]
    assert len(shuffles) == len(set(shuffles)) == MANY
    assert not known & set(shuffles)


def test_the_same_variants_are_drawn_every_time() -> None:
    assert drawn() == drawn()


def test_every_manner_and_way_out_is_drawn() -> None:
    for setting in SearchSettings._fields:
        assert len({getattr(each.settings, setting) for each in drawn()}) > 1, setting
    assert {(each.exit_rule.pushes, each.exit_rule.anywhere) for each in drawn()} == {(1, True), (2, False), (6, False)}


def test_no_two_drawn_manners_are_equivalent() -> None:
    """The fourth feature is room connectivity, always 0 in a search without rooms."""
    assert all(each.settings.rooms or each.settings.features != 4 for each in drawn())
