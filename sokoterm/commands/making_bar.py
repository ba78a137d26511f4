"""The bar on stderr while levels are made: a single one may take long, and it is to be seen that something goes on."""

from time import monotonic
from typing import TypeVar

from sokoterm.app.series.generated_pack import clock_time, counted
from sokoterm.commands.progress_bar import ProgressBar
from sokoterm.commands.tally import Tally
from sokoterm.generator.dice import Dice
from sokoterm.generator.steps import Steps

_Result = TypeVar("_Result")


class MakingBar(ProgressBar):
    """How many levels of a total are made, how many attempts were begun, and the time passed; it changes no level.

    >>> with MakingBar(1) as bar:
    ...     bar.finish(making(wish, partial(bar.dice, 7)))
    """

    def __init__(self, total: int) -> None:
        super().__init__(total, "levels")
        self._begun = monotonic()
        self._made = 0
        self._attempts = 0
        self._tally: Tally | None = None

    def dice(self, *seeds: int) -> Dice:
        """The dice of one more attempt."""
        self.add_attempts(1)
        return Dice.of(*seeds)

    def finish(self, steps: Steps[_Result]) -> _Result:
        """The result of some work, while the bar goes on."""
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: _Result = end.value
                return result
            self.look()

    def add_attempts(self, number: int) -> None:
        self._attempts += number

    def follow(self, tally: Tally | None) -> None:
        """Count the attempts of other processes too, as long as they work."""
        self._tally = tally

    def add_level(self) -> None:
        self._made += 1
        self.look()

    def look(self) -> None:
        """Show how far it has come, if that was not shown just now."""
        self.show(self._made)

    def _text(self, done: int) -> str:
        attempts = self._attempts + (self._tally.count if self._tally is not None else 0)
        parts = [super()._text(done), *([counted(attempts, "attempt")] if attempts else [])]
        return ", ".join([*parts, clock_time(monotonic() - self._begun)])
