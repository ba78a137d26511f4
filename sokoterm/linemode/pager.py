"""Lines that are said: no more at once than one can listen to, and as long as they can be written."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from sokoterm.engine.text import printable
from sokoterm.linemode.lines import Event, Lines

_LIST_LINES = 20  # lines of a list that are said at once


class NobodyListensError(Exception):
    """What is said can no longer be written; ``error`` is why."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


class Pager:
    """Says lines, and keeps what is left of a list for ``more``."""

    def __init__(self, lines: Lines, print_line: Callable[[str], None]) -> None:
        """``lines`` tell of Ctrl-C; ``print_line`` raises OSError where nothing can be written any more."""
        self._lines = lines
        self._print_line = print_line
        self._rest: Iterator[str] = iter(())

    def print(self, line: str) -> None:
        """Say one line; raises NobodyListensError."""
        try:
            self._print_line(line)
        except OSError as error:
            raise NobodyListensError(error) from None

    def say(self, lines: Iterable[str]) -> None:
        """Say lines until Ctrl-C stops them; raises NobodyListensError."""
        for number, line in enumerate(lines):
            if number and self._lines.pause(0) is not Event.NOTHING:
                self.print("stopped")
                return
            self.print(printable(line))

    def listed(self, lines: Iterable[str]) -> Iterator[str]:
        """The first lines of a list; the others wait for ``more``."""
        rest = iter(lines)
        yield from islice(rest, _LIST_LINES)
        following = next(rest, None)
        if following is not None:
            self._rest = chain([following], rest)
            yield "more goes on"

    def more(self) -> Iterator[str]:
        """What is left of the last list, as much as is said at once."""
        return self.listed(self._rest)
