"""A line on stderr that is written over, where stderr is a terminal."""

import sys
from types import TracebackType
from typing import Self

from sokoterm.commands.output import terminal_columns

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
