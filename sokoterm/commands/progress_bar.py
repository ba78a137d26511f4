"""The bar on stderr that tells how much of some work is done, where stderr is a terminal."""

from time import monotonic

from sokoterm.commands.output import complain
from sokoterm.commands.status_line import StatusLine

# Seconds from one drawing to the next: ten a second look like motion and cost nothing.
_INTERVAL = 0.1
_WIDTH = 30


class ProgressBar(StatusLine):
    """How many of ``total`` things are done; where the total is not known (0) the number done alone.

    >>> with ProgressBar(1000, "levels") as bar:
    ...     bar.show(420)
    """

    def __init__(self, total: int, noun: str) -> None:
        """``noun`` says of what, in the plural."""
        super().__init__()
        self._total = total
        self._noun = noun
        self._next = 0.0

    def show(self, done: int) -> None:
        """Show how many are done, if that was not shown just now."""
        if self.is_terminal and monotonic() >= self._next:
            self._next = monotonic() + _INTERVAL
            self.write(self._text(done))

    def _text(self, done: int) -> str:
        return bar_text(done, self._total, self._noun)

    def complain(self, problem: str) -> None:
        """A complaint on a line of its own; the bar comes back below it."""
        self.clear()
        complain(problem)


def bar_text(done: int, total: int, noun: str) -> str:
    """The line for so many of a total, 0 for one that is not known.

    >>> bar_text(1500, 3000, "levels")
    '[###############               ]  1,500 of 3,000 levels'
    >>> bar_text(1500, 0, "levels")
    '1,500 levels'
    """
    if not total:
        return f"{done:,} {noun}"
    filled = _WIDTH * min(done, total) // total
    return f"[{'#' * filled:<{_WIDTH}}]  {done:,} of {total:,} {noun}"
