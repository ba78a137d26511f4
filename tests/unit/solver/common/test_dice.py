"""Reproducible random choices."""

from collections import Counter

from sokoterm.solver.common.dice import Dice


def test_the_same_seeds_give_the_same_choices() -> None:
    rolls = [Dice.of(7, 1).below(1000) for _ in range(3)]
    assert rolls == [rolls[0]] * 3
    assert len({Dice.of(7, number).below(1 << 40) for number in range(200)}) == 200
    assert Dice.of(7, 1).below(1 << 40) != Dice.of(1, 7).below(1 << 40)


def test_every_choice_comes_up() -> None:
    dice = Dice.of(3)
    counts = Counter(dice.below(6) for _ in range(6_000))
    assert set(counts) == set(range(6))
    assert all(800 < count < 1_200 for count in counts.values())


def test_the_greatest_number_is_within_the_choices() -> None:
    assert Dice(iter([1.0])).below(6) == 5


def test_shuffled_keeps_all_items() -> None:
    items = list(range(20))
    mixed = Dice.of(5).shuffled(items)
    assert mixed != items == sorted(mixed)
