"""The status line on stderr, if that is a terminal: one line of text, a bar, the bar of generation."""

import os
import sys
from contextlib import suppress
from tempfile import TemporaryDirectory
from time import monotonic
from types import TracebackType
from typing import Self, TypeVar

from sokoterm.commands.support.output import complain, terminal_columns
from sokoterm.engine.slices import Steps
from sokoterm.engine.text import counted
from sokoterm.solver.common.dice import Dice

_Result = TypeVar("_Result")

_ECHO = len("^C")  # what the terminal itself puts behind the line when it is broken off


class StatusLine:
    """A line that is written over; it is gone when the ``with`` block ends, and never there without a terminal."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def write(self, line: str) -> None:
        """Put this line in the place of the one before, as much of it as fits."""
        if self.is_terminal:
            self._write(line[: max(0, self.columns - 1 - _ECHO)], self._width)

    def clear(self) -> None:
        """Take the line away, for other text to stand there."""
        if self._width:
            self._write("", self._width + _ECHO)

    @property
    def columns(self) -> int:
        """The width of the terminal."""
        return terminal_columns(sys.stderr)

    def _write(self, line: str, width: int) -> None:
        """Blanks and a carriage return clear the rest of ``width``: every terminal knows those."""
        blanks = " " * (width - len(line))
        self._width = max(width, len(line))  # Ctrl-C may come as soon as any of it stands there
        sys.stderr.write(f"\r{line}{blanks}" + (f"\r{line}" if blanks else ""))
        sys.stderr.flush()
        self._width = len(line)


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


class SharedCounter:
    """How often something was done in any process, from when the ``with`` block begins until it ends.

    It is the length of a file: each process adds a byte to its end, which needs no lock and no common memory.  The
    count is for a person to look at: where the file cannot be written, it stays behind.
    """

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self.path = ""
        with suppress(OSError):
            self._folder = TemporaryDirectory(prefix="sokoterm-", ignore_cleanup_errors=True)
            self.path = os.path.join(self._folder.name, "counter")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def count(self) -> int:
        """How often it was done by now."""
        with suppress(OSError):
            return os.path.getsize(self.path)
        return 0


def add_to(path: str) -> None:
    """Count one more in the counter at ``path``."""
    with suppress(OSError), open(path, "ab") as file:
        file.write(b"+")


class GenerationBar(ProgressBar):
    """How many levels of a total are made, how many attempts were begun, and the time passed; it changes no level.

    >>> with GenerationBar(1) as bar:
    ...     bar.finish(making(wish, partial(bar.dice, 7)))
    """

    def __init__(self, total: int) -> None:
        super().__init__(total, "levels")
        self._begun = monotonic()
        self._made = 0
        self._attempts = 0
        self._counter: SharedCounter | None = None

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

    def follow(self, counter: SharedCounter | None) -> None:
        """Count the attempts of other processes too, as long as they work."""
        self._counter = counter

    def add_level(self) -> None:
        self._made += 1
        self.look()

    def look(self) -> None:
        """Show how far it has come, if that was not shown just now."""
        self.show(self._made)

    def _text(self, done: int) -> str:
        from sokoterm.app.series.generated_pack import clock_time

        attempts = self._attempts + (self._counter.count if self._counter is not None else 0)
        parts = [super()._text(done), *([counted(attempts, "attempt")] if attempts else [])]
        return ", ".join([*parts, clock_time(monotonic() - self._begun)])
