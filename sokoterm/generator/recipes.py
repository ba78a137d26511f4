"""Recipes: descriptions from which ``make`` generates the same level on every machine.

They cover days, floors of a descent, and orders for levels of a given difficulty.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.engine.value import Value

RECIPE = 1
"""Raise this with every change to the levels made here, so that older levels are not mistaken for the same ones."""

# First number of the dice: keeps days and floors with equal numbers apart.
_DAYS, _FLOORS = 1, 2

# Most levels generated to get near the target difficulty.
_TRIES = 8
_FEW_TRIES = 4


# Floor squares per box: fewer leave no room to pass, more only add walking.
LEAST_FLOOR = 4


class Wish(NamedTuple):
    """Parameters of a level: size with walls, boxes, nodes per attempt, kinds (``colors``, ``sliding`` or both)."""

    width: int
    height: int
    boxes: int
    nodes: int
    kinds: tuple[str, ...] = ()


# Target difficulty and wish by weekday, from Monday: harder each day, hardest at the weekend.
_WEEK = (
    (46, Wish(7, 7, 3, 10_000)),
    (51, Wish(7, 7, 3, 15_000)),
    (56, Wish(8, 7, 3, 20_000)),
    (60, Wish(8, 7, 3, 30_000)),
    (64, Wish(8, 8, 4, 30_000)),
    (68, Wish(8, 8, 4, 40_000)),
    (72, Wish(9, 8, 4, 50_000)),
)

# Wishes by the highest difficulty they serve: positions searched make a level harder, more boxes do not by themselves.
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

# Difficulty of the first floor, and the increase per floor, which is less from the floor on where people take long.
_FIRST_FLOOR = 29
_STEP = 3
_LATER_FROM = 13
_LATER_STEP = 2


class Recipe(Value):
    """Origin of a level: its wish, the numbers that seed its dice, its title, target difficulty and most tries."""

    wish: Wish
    dice: tuple[int, ...]
    title: str
    difficulty: int
    tries: int


def day_recipe(number: int, weekday: int, date: str) -> Recipe:
    """Return the recipe of a day; ``number`` counts days, ``weekday`` is 0 on Mondays."""
    aim, wish = _WEEK[weekday]
    return Recipe(wish, (_DAYS, number), f"Daily {date}", aim, _FEW_TRIES)


def floor_recipe(seed: int, number: int) -> Recipe:
    later = max(0, number - _LATER_FROM)
    aim = _FIRST_FLOOR + _STEP * (number - 1 - later) + _LATER_STEP * later
    wish = next((wish for most, wish in _WISHES if aim <= most), _HARDEST)
    tries = _TRIES if wish.boxes < 4 else _FEW_TRIES
    return Recipe(wish, (_FLOORS, seed, number), f"Descent {seed}, floor {number}", aim, tries)


# Levels of a given difficulty


class Band(NamedTuple):
    """Range of difficulty (``solver.difficulty``), both ends included."""

    least: int
    most: int

    def __str__(self) -> str:
        return f"{self.least}-{self.most}"


# From easy to hard; "microban" covers about the middle half of the Microban levels.
BANDS: Mapping[str, Band] = MappingProxyType(
    {"easy": Band(35, 49), "microban": Band(50, 64), "hard": Band(65, 79), "fiendish": Band(80, 119)}
)

# Wishes that lead to levels of about this difficulty, from easy to hard.
_ORDERS: tuple[tuple[int, Wish], ...] = (
    (35, Wish(7, 6, 2, 4_000)),
    (40, Wish(8, 7, 2, 20_000)),
    (45, Wish(7, 7, 3, 2_000)),
    (50, Wish(8, 7, 3, 12_000)),
    (53, Wish(9, 7, 3, 50_000)),
    (56, Wish(9, 8, 3, 120_000)),
    (60, Wish(9, 8, 4, 40_000)),
    (64, Wish(9, 8, 4, 100_000)),
    (68, Wish(10, 8, 5, 100_000)),
    (73, Wish(10, 8, 5, 300_000)),
    (77, Wish(10, 9, 6, 300_000)),
    (81, Wish(11, 9, 6, 600_000)),
    (85, Wish(12, 9, 7, 900_000)),
)


class LevelOrder(NamedTuple):
    """Wishes from easy to hard, the index of the one to try first, and the band of difficulty (None: any)."""

    wishes: tuple[Wish, ...]
    first: int = 0
    band: Band | None = None

    def with_all(self, fields: Mapping[str, int]) -> "LevelOrder":
        """Return the order with these fields in every wish, minus the wishes (possibly all) that no room could hold."""
        wishes = tuple([Wish(**{**wish._asdict(), **fields}) for wish in self.wishes])
        roomy = tuple(filter(has_room, wishes))
        first = sum(map(has_room, wishes[: self.first]))
        return self._replace(wishes=roomy, first=max(0, min(first, len(roomy) - 1)))


def has_room(wish: Wish) -> bool:
    return max(0, wish.width - 2) * max(0, wish.height - 2) >= LEAST_FLOOR * wish.boxes


def order_for(band: Band) -> LevelOrder:
    middle = (band.least + band.most) // 2
    nearest = min(range(len(_ORDERS)), key=lambda place: abs(_ORDERS[place][0] - middle))
    return LevelOrder(tuple([wish for _, wish in _ORDERS]), nearest, band)
