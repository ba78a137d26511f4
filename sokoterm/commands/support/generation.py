"""Generation under a bar, which shows levels made, attempts and time, and changes no level."""

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Self, TypeVar

from sokoterm.commands.support.output import ProgressBar
from sokoterm.engine.steps import Steps
from sokoterm.generator.make import Made, made_by
from sokoterm.generator.recipes import Recipe
from sokoterm.language import levels_done, listed, ngettext
from sokoterm.solver.common.dice import Dice
from sokoterm.store.packs import bundled_hashes
from sokoterm.wording.figures import clock_time

_Result = TypeVar("_Result")


def made_under_bar(recipe: Recipe) -> Made:
    """Generate the level of a recipe."""
    with GenerationBar(1) as bar:
        return bar.finish(made_by(recipe, bundled_hashes(), bar.dice))


class GenerationBar(ProgressBar):
    """Bar of a total of levels to make, in this process and others.

    >>> with GenerationBar(1) as bar:
    ...     bar.finish(made_by(recipe, dice_of=bar.dice))
    """

    def __init__(self, total: int) -> None:
        super().__init__(total, levels_done)
        self._begun = monotonic()
        self._made = 0
        self._attempts = 0
        self.dice: Callable[..., Dice] = partial(counted_dice, self.count_attempt)
        """Makes the dice of one more attempt in this process."""

    def __enter__(self) -> Self:
        self.look()
        return self

    def finish(self, steps: Steps[_Result]) -> _Result:
        """Do some work step by step, while the bar goes on; return its result."""
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: _Result = end.value
                return result
            self.look()

    def add_level(self) -> None:
        """Count one more level made."""
        self._made += 1
        self.look()

    def count_attempt(self, _seeds: object) -> None:
        """Count an attempt, of this process or of another one."""
        self._attempts += 1

    def look(self) -> None:
        """Show the state of the work, ten times a second at most."""
        self.show(self._made)

    def _text(self, done: int) -> str:
        tried = ngettext("{n} attempt", "{n} attempts", self._attempts) if self._attempts else ""
        return listed([super()._text(done), tried, clock_time(monotonic() - self._begun)])


def counted_dice(count: Callable[[object], object], *seeds: int) -> Dice:
    """Make the dice of an attempt, and count it."""
    count(seeds)
    return Dice.of(*seeds)
