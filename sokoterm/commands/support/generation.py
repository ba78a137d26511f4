"""Generation under a bar, which shows levels made, attempts and time, and changes no level."""

import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from tempfile import TemporaryDirectory
from time import monotonic
from types import TracebackType
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
        self._attempts = SharedCounter() if self.is_terminal else None
        self.dice: Callable[..., Dice] = partial(_counted_dice, self._attempts.path if self._attempts else "")
        """Makes the dice of one more attempt, in any process."""

    def __enter__(self) -> Self:
        self.look()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        if self._attempts:
            self._attempts.remove()

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

    def look(self) -> None:
        """Show the state of the work, ten times a second at most."""
        self.show(self._made)

    def _text(self, done: int) -> str:
        attempts = self._attempts.count if self._attempts else 0
        tried = ngettext("{n} attempt", "{n} attempts", attempts) if attempts else ""
        return listed([super()._text(done), tried, clock_time(monotonic() - self._begun)])


def _counted_dice(path: str, *seeds: int) -> Dice:
    """Make dice, and count that in the counter at ``path``."""
    add_to(path)
    return Dice.of(*seeds)


class SharedCounter:
    """A count that any process can add to: the length of a file, to which each adds bytes without a lock.

    The count is for people to look at: it stays 0 if there can be no file.
    """

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self.path = ""
        with suppress(OSError):
            self._folder = TemporaryDirectory(prefix="sokoterm-", ignore_cleanup_errors=True)
            self.path = os.path.join(self._folder.name, "counter")

    @property
    def count(self) -> int:
        """The count so far."""
        with suppress(OSError):
            return os.path.getsize(self.path)
        return 0

    def remove(self) -> None:
        """Remove the file."""
        if self._folder is not None:
            self._folder.cleanup()


def add_to(path: str) -> None:
    """Add one to the counter at ``path``."""
    with suppress(OSError), open(path, "ab") as file:
        file.write(b"+")
