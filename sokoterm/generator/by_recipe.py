"""Make the level of a recipe; apart from the recipes, which are looked up where nothing has to be made."""

from collections.abc import Callable
from functools import partial
from itertools import count

from sokoterm.generator.dice import Dice
from sokoterm.generator.make import Made, making
from sokoterm.generator.series import Recipe
from sokoterm.generator.steps import Steps

# How far the difficulty of a level may be from what is aimed at.
_NEAR = 1


def made_by(recipe: Recipe, dice_of: Callable[..., Dice] = Dice.of) -> Steps[Made]:
    """The level of a recipe, titled: of some that are made the first near enough to its difficulty, else the nearest.

    It can be broken off at any time, and there always is a level in the end.  ``dice_of`` gives the dice of each
    attempt by its numbers, for who wants to count them.
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
