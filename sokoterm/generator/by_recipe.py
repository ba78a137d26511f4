"""Generation of the level of a recipe; apart from ``series``, since most uses of a recipe generate nothing."""

from collections.abc import Callable
from functools import partial
from itertools import count

from sokoterm.generator.dice import Dice
from sokoterm.generator.make import Made, making
from sokoterm.generator.series import Recipe
from sokoterm.generator.steps import Steps

# Largest distance from the target difficulty that is near enough.
_NEAR = 1


def made_by(recipe: Recipe, dice_of: Callable[..., Dice] = Dice.of) -> Steps[Made]:
    """Generate the level of a recipe, with its title: the first near enough to the target difficulty, else the nearest.

    May be abandoned at any step; run to the end, it always returns a level.  ``dice_of`` returns the dice of each
    attempt by its numbers, for callers that count attempts.
    """
    best: Made | None = None
    nearest = 0
    for batch in count():
        made = yield from making(recipe.wish, partial(dice_of, *recipe.dice, batch))
        if made is not None:
            distance = abs(made.difficulty - recipe.difficulty)
            if best is None or distance < nearest:
                best, nearest = made, distance
        if best is not None and (nearest <= _NEAR or batch + 1 >= recipe.tries):
            break
    assert best is not None
    return best._replace(level=best.level._replace(title=recipe.title))
