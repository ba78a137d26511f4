"""A line on stderr that is written over, where stderr is a terminal."""

import sys
from types import TracebackType
from typing import Self

from sokoterm.verbs.output import terminal_columns


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
            self._write(line[: self.columns - 1])

    def clear(self) -> None:
        """Take the line away, for other text to stand there."""
        if self._width:
            self._write("")

    @property
    def columns(self) -> int:
        """The width of the terminal."""
        return terminal_columns(sys.stderr)

    def _write(self, line: str) -> None:
        """Blanks and a carriage return clear the rest: every terminal knows those."""
        sys.stderr.write(f"\r{line:<{self._width}}" + ("" if line else "\r"))
        sys.stderr.flush()
        self._width = len(line)
