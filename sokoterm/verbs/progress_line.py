"""The line on stderr that tells how far searches have come, where stderr is a terminal."""

import os
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from sokoterm.verbs.searches import Report


class ProgressLine:
    """A line that is written over; it is gone when the ``with`` block ends, and never there without a terminal."""

    def __init__(self, numbers: Sequence[int]) -> None:
        """``numbers`` are those of the levels that are searched, in their order."""
        self._numbers = numbers
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def show(self, report: Report) -> None:
        """Show how far the search of a level has come."""
        if not self._is_terminal:
            return
        search = report.progress
        line = (
            f"level {self._numbers[report.place]} ({report.place + 1} of {len(self._numbers)})  {search.strategy}  "
            f"nodes {search.nodes:,}  stored {search.stored:,}  depth {search.depth}  bound {search.lower_bound}  "
            f"{search.seconds:.1f} s"
        )
        self._write(line[: _columns() - 1])

    def clear(self) -> None:
        """Take the line away, for other text to stand there."""
        if self._width:
            self._write("")

    def _write(self, line: str) -> None:
        """Blanks and a carriage return clear the rest: every terminal knows those."""
        sys.stderr.write(f"\r{line:<{self._width}}" + ("" if line else "\r"))
        sys.stderr.flush()
        self._width = len(line)


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        return 80
