"""Levels as hard as asked for: what to ask the dice for, and what falls within."""

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.engine.levelhash import level_hash
from sokoterm.generator.dice import Dice
from sokoterm.generator.make import Made, making, making_once
from sokoterm.generator.refine import LEAST_FLOOR
from sokoterm.generator.steps import Steps
from sokoterm.generator.wish import Wish

# Levels that are made, whatever they turn out to be, before one that is as hard as asked for is given up.
ATTEMPTS = 40


class Band(NamedTuple):
    """Numbers as ``solver.difficulty`` gives them, both ends included."""

    least: int
    most: int

    def __str__(self) -> str:
        return f"{self.least}-{self.most}"


# By name, from easy to hard; the middle half of the levels of Microban lies about "microban".
BANDS: Mapping[str, Band] = MappingProxyType(
    {"easy": Band(35, 49), "microban": Band(50, 64), "hard": Band(65, 79), "fiendish": Band(80, 119)}
)

# What gives levels of about this number, from easy to hard.
_RECIPES: tuple[tuple[int, Wish], ...] = (
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
    """What is asked for: wishes from easy to hard, which of them is tried first, and how hard the level is to be.

    Without a ``band`` it may be as hard as it happens to be.
    """

    wishes: tuple[Wish, ...]
    first: int = 0
    band: Band | None = None

    def with_all(self, fields: Mapping[str, int]) -> "LevelOrder":
        """The order with these fields in every wish, without wishes that no room could hold: maybe none are left."""
        wishes = tuple([wish._replace(**fields) for wish in self.wishes])
        roomy = tuple(filter(has_room, wishes))
        first = sum(map(has_room, wishes[: self.first]))
        return self._replace(wishes=roomy, first=max(0, min(first, len(roomy) - 1)))


def has_room(wish: Wish) -> bool:
    """Whether a level of this size could hold so many boxes."""
    return max(0, wish.width - 2) * max(0, wish.height - 2) >= LEAST_FLOOR * wish.boxes


def order_for(band: Band) -> LevelOrder:
    """The order of a level that is as hard as this."""
    middle = (band.least + band.most) // 2
    nearest = min(range(len(_RECIPES)), key=lambda place: abs(_RECIPES[place][0] - middle))
    return LevelOrder(tuple([wish for _, wish in _RECIPES]), nearest, band)


def making_ordered(
    order: LevelOrder, dice_of: Callable[[int], Dice], known: Collection[str] = ()
) -> Steps[Made | None]:
    """A level as ordered, whose hash is not among the ``known``; None where no attempt made one.

    Where a level is too easy, the next wish is for a harder one, and the other way round.  ``dice_of`` gives the dice
    of each attempt, counted from 0.
    """
    if order.band is None:
        return (yield from making(order.wishes[order.first], dice_of, known))
    place = order.first
    for attempt in range(ATTEMPTS):
        made = yield from making_once(order.wishes[place], dice_of(attempt))
        if made is None:
            continue
        if made.difficulty < order.band.least:
            place = min(place + 1, len(order.wishes) - 1)
        elif made.difficulty > order.band.most:
            place = max(place - 1, 0)
        elif level_hash(made.level) not in known:
            return made
    return None
