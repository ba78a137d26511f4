"""The levels that everybody gets alike: the one of a day, and the floors of a descent by its seed."""

from typing import NamedTuple

from sokoterm.generator.wish import Wish

RECIPE = 1
"""Goes up with every change of what is made here, so that a level made before is not taken for the same one."""

# Kinds of dice, so that a day and a floor of the same numbers have nothing in common.
_DAYS, _FLOORS = 1, 2

# How many levels are made at most to come near the difficulty that is aimed at.
_TRIES = 8
_FEW_TRIES = 4

# By day of the week from Monday on: harder from day to day, and the hardest ones when there is time.
_WEEK = (
    (46, Wish(7, 7, 3, 10_000)),
    (51, Wish(7, 7, 3, 15_000)),
    (56, Wish(8, 7, 3, 20_000)),
    (60, Wish(8, 7, 3, 30_000)),
    (64, Wish(8, 8, 4, 30_000)),
    (68, Wish(8, 8, 4, 40_000)),
    (72, Wish(9, 8, 4, 50_000)),
)

# What is asked for up to a difficulty: more boxes alone make no level harder, more positions looked at do.
_WISHES = (
    (34, Wish(6, 6, 2, 1_500)),
    (45, Wish(7, 6, 2, 6_000)),
    (51, Wish(7, 7, 3, 6_000)),
    (58, Wish(7, 7, 3, 15_000)),
    (64, Wish(8, 7, 3, 30_000)),
    (70, Wish(8, 8, 4, 40_000)),
    (74, Wish(10, 8, 5, 150_000)),
    (78, Wish(10, 9, 6, 250_000)),
    (82, Wish(11, 9, 6, 400_000)),
)
_HARDEST = Wish(12, 9, 7, 600_000)

# The difficulty of the first floor, and how much each adds: less from where a floor takes a person long.
_FIRST_FLOOR = 29
_STEP = 3
_LATER_FROM = 13
_LATER_STEP = 2


class Recipe(NamedTuple):
    """What makes one level: what is wished for, the numbers that its dice begin with, the difficulty to come near."""

    wish: Wish
    dice: tuple[int, ...]
    title: str
    difficulty: int
    tries: int


def day_recipe(number: int, weekday: int, date: str) -> Recipe:
    """The level of a day, which is the ``number``-th since days were counted; ``weekday`` is 0 on Mondays."""
    aim, wish = _WEEK[weekday]
    return Recipe(wish, (_DAYS, number), f"Daily {date}", aim, _FEW_TRIES)


def floor_recipe(seed: int, number: int) -> Recipe:
    """A floor of a descent, counted from 1."""
    aim = difficulty_of_floor(number)
    wish = next((wish for most, wish in _WISHES if aim <= most), _HARDEST)
    tries = _TRIES if wish.boxes < 4 else _FEW_TRIES
    return Recipe(wish, (_FLOORS, seed, number), f"Descent {seed}, floor {number}", aim, tries)


def difficulty_of_floor(number: int) -> int:
    """How hard a floor is to be: each a little harder than the one before."""
    later = max(0, number - _LATER_FROM)
    return _FIRST_FLOOR + _STEP * (number - 1 - later) + _LATER_STEP * later
