"""Levels of a given difficulty: bands of difficulty, and the wishes that lead to them."""

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.slices import Steps
from sokoterm.generator.make import Made, making, making_once
from sokoterm.generator.recipes import Wish
from sokoterm.generator.refine import LEAST_FLOOR
from sokoterm.solver.common.dice import Dice

# Levels generated before the search for one in the band is given up.
ATTEMPTS = 40


class Band(NamedTuple):
    """A range of ``solver.difficulty``, both ends included."""

    least: int
    most: int

    def __str__(self) -> str:
        return f"{self.least}-{self.most}"


# From easy to hard; "microban" is about the middle half of the levels of Microban.
BANDS: Mapping[str, Band] = MappingProxyType(
    {"easy": Band(35, 49), "microban": Band(50, 64), "hard": Band(65, 79), "fiendish": Band(80, 119)}
)

# Wishes that lead to levels of about this difficulty, from easy to hard.
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
    """An order for a level: wishes from easy to hard, the index of the one to try first, and the band of difficulty.

    Without a ``band`` any difficulty will do.
    """

    wishes: tuple[Wish, ...]
    first: int = 0
    band: Band | None = None

    def with_all(self, fields: Mapping[str, int]) -> "LevelOrder":
        """Return the order with these fields in every wish, without wishes that no room could hold, maybe all."""
        wishes = tuple([Wish(**{**wish._asdict(), **fields}) for wish in self.wishes])
        roomy = tuple(filter(has_room, wishes))
        first = sum(map(has_room, wishes[: self.first]))
        return self._replace(wishes=roomy, first=max(0, min(first, len(roomy) - 1)))


def has_room(wish: Wish) -> bool:
    """True if a level of this size could hold that many boxes."""
    return max(0, wish.width - 2) * max(0, wish.height - 2) >= LEAST_FLOOR * wish.boxes


def order_for(band: Band) -> LevelOrder:
    """Return the order for a level in a band of difficulty."""
    middle = (band.least + band.most) // 2
    nearest = min(range(len(_RECIPES)), key=lambda place: abs(_RECIPES[place][0] - middle))
    return LevelOrder(tuple([wish for _, wish in _RECIPES]), nearest, band)


def making_ordered(
    order: LevelOrder, dice_of: Callable[[int], Dice], known: Collection[str] = ()
) -> Steps[Made | None]:
    """Generate a level for an order, whose hash is not in ``known``; None if no attempt made one.

    After a level that is too easy, the next wish is for a harder one, and vice versa.  ``dice_of`` returns the dice of
    each attempt, numbered from 0.
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
