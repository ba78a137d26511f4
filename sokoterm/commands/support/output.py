"""Output of verbs: complaints and a status line on stderr, tables and JSON on stdout."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import ENOENT
from time import monotonic
from typing import Generic, Self, TextIO, TypeVar

from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.language import _, packs_text
from sokoterm.wording.columns import is_simple, padded, start_of, text_width

_Thing = TypeVar("_Thing")

_ECHO = len("^C")  # printed by the terminal itself at Ctrl-C
# Seconds between redraws: ten per second look smooth and cost nothing.
_INTERVAL = 0.1
_WIDTH = 30
# Of a text by another program.
_LONGEST_LINE = 200


class InputError(ValueError):
    """Unusable input; the message is one line that tells the user what to do."""


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Turn an OSError into an InputError that says why the file cannot be written."""
    try:
        yield
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = isinstance(error, OSError) and error.strerror or str(error)
        raise InputError(_("{path}: cannot be written: {reason}", path=path, reason=reason)) from None


def check_folder(path: str) -> None:
    """Raise InputError if the folder of a file to write does not exist."""
    with writing(path):
        if not os.path.isdir(os.path.dirname(path) or "."):
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT))


def without_number(size: int) -> str:
    """Return the problem of a missing -l for a pack of several levels."""
    return _("the pack has {n:,} levels: choose one with -l N", n=size)


def complain(problem: str) -> None:
    """Print one line on stderr, if open, after flushing stdout to keep the order."""
    if sys.stdout is not None:
        with suppress(OSError):
            sys.stdout.flush()
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"sokoterm: {printable(problem)}", file=sys.stderr)


def is_yes(question: str, unasked: str) -> bool:
    """Ask on stderr, accepting yes on any keyboard layout; without a terminal, raise InputError with ``unasked``."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise InputError(_("{problem}: there is no terminal to ask on; use --yes", problem=unasked))
    from sokoterm.app.keymap import by_place  # questions only

    sys.stdout.flush()
    # Translators: only y and yes are accepted as answers.
    print(_("{question} [y/N]", question=question), end=" ", file=sys.stderr, flush=True)
    answer = sys.stdin.readline().strip().lower()
    return answer == "yes" or by_place(answer) == "y"


def json_line(fields: Mapping[str, object] | Sequence[object] | None) -> str:
    """Return JSON on one line, in ASCII, so that nothing in it can affect a terminal."""
    import json  # takes 2 ms, for --json only

    return json.dumps(fields)


def object_of(text: str) -> dict[str, object]:
    """Parse a JSON object; raises ValueError for any other text."""
    import json  # takes 2 ms, for --json only

    try:
        fields = json.loads(text)
    except RecursionError:
        fields = None
    if not isinstance(fields, dict):
        raise ValueError(f"{text!r:.80}")
    return fields


def first_line(error: Exception | str) -> str:
    """Return the first line of an error's text, with the type of error if the text may be too short."""
    line = next(iter(str(error).splitlines()), "")[:_LONGEST_LINE]
    says_enough = line and isinstance(error, (str, OSError, ValueError, Warning))
    return line if says_enough else f"{type(error).__name__} {line}".rstrip()


def print_rows(rows: Iterable[str]) -> None:
    """Print rows of a table, cut to the width of a terminal."""
    if sys.stdout.isatty():
        columns = terminal_columns(sys.stdout)
        rows = [_clipped(row, columns) for row in rows]
    sys.stdout.write("".join([f"{row}\n" for row in rows]))


def print_data(data: bytes) -> None:
    """Print UTF-8 text unchanged, but on a terminal without control characters."""
    if sys.stdout.isatty() or not hasattr(sys.stdout, "buffer"):
        for line in data.decode("utf-8").removesuffix("\n").split("\n"):
            print(printable(line))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def terminal_columns(stream: TextIO) -> int:
    """Return the width of a stream's terminal, or 80 if unknown."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _clipped(row: str, columns: int) -> str:
    """Cut a row at the end of a word: half a number would be a different number."""
    if text_width(row) <= columns:
        return row
    words = start_of(row, columns + 1).rpartition(" ")[0]
    return words if words.strip() else start_of(row, columns)


class StatusLine:
    """A line on stderr, shown only on a terminal, which is overwritten, and cleared when the ``with`` block ends."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def write(self, line: str) -> None:
        """Replace the line, cut to the width of the terminal."""
        if self.is_terminal:
            columns = terminal_columns(sys.stderr) - 1 - _ECHO
            self._write(start_of(line, max(0, columns)), self._width)

    def clear(self) -> None:
        if self._width:
            self._write("", self._width + _ECHO)

    def _write(self, line: str, width: int) -> None:
        """Write the line with blanks up to ``width`` and a carriage return, which every terminal supports."""
        taken = text_width(line)
        self._width = max(width, taken)  # Ctrl-C may come as soon as a part is written
        sys.stderr.write(f"\r{padded(line, width)}" + (f"\r{line}" if width > taken else ""))
        sys.stderr.flush()
        self._width = taken


class ProgressBar(StatusLine):
    """Progress bar; if ``total`` is unknown (0), a count of things done.

    >>> from sokoterm.language import levels_done
    >>> with ProgressBar(1000, levels_done) as bar:
    ...     bar.show(420)
    """

    def __init__(self, total: int, figures: Callable[[int, int], str]) -> None:
        """``figures`` formats the number of things done and the total (or 0)."""
        super().__init__()
        self._total = total
        self._figures = figures
        self._next = 0.0

    def show(self, done: int) -> None:
        """Show the number of things done, at most ten times per second."""
        if self.is_terminal and monotonic() >= self._next:
            self._next = monotonic() + _INTERVAL
            self.write(bar_text(done, self._total, self._figures))

    def clear(self) -> None:
        super().clear()
        self._next = 0.0

    def over(self, things: Iterable[_Thing]) -> Iterator[_Thing]:
        for done, thing in enumerate(things):
            self.show(done)
            yield thing

    def complain(self, problem: str) -> None:
        """Print a complaint on a separate line; the bar reappears below it."""
        self.clear()
        complain(problem)


def bar_text(done: int, total: int, figures: Callable[[int, int], str]) -> str:
    """Return the bar with its figures, or only the figures if ``total`` is unknown (0).

    >>> from sokoterm.language import levels_done
    >>> bar_text(1500, 3000, levels_done)
    '[###############               ]  1,500 of 3,000 levels'
    >>> bar_text(1500, 0, levels_done)
    '1,500 levels'
    """
    text = figures(done, total)
    return f"[{'#' * (_WIDTH * min(done, total) // total):<{_WIDTH}}]  {text}" if total else text


_GAP = "  "

Figures = TypeVar("Figures")


class Column(Value):
    """A column of a table; ``width`` is the width of its widest cell, if known, and texts are left-aligned."""

    heading: str
    width: int = 0
    is_text: bool = False


class Table:
    """Lines of a table whose rows come one by one; the last column may exceed its width.

    >>> table = Table(Column("level", width_of(range(9, 12))), Column("title", is_text=True))
    >>> print(table.heading, table.row(9, "Corner"), sep="\\n")
    level  title
        9  Corner
    """

    def __init__(self, *columns: Column) -> None:
        self._columns = [each._replace(width=max(each.width, text_width(each.heading))) for each in columns]

    @property
    def heading(self) -> str:
        return self.row(*(each.heading for each in self._columns))

    def row(self, *cells: object) -> str:
        texts = ["" if cell is None else str(cell) for cell in cells]
        return _GAP.join(_padded(*each) for each in zip(texts, self._columns, strict=True)).rstrip()


class PackTables(Generic[Figures]):
    """Tables printed row by row, one per pack below its name, with totals if there are several rows."""

    def __init__(self, table: Table, totals: Callable[[Sequence[Figures]], object]) -> None:
        """``totals`` is shown as text below each table and, after the number of packs, below all tables."""
        self._table = table
        self._totals = totals
        self._pack = ""
        self._packs: list[list[Figures]] = []

    def add(self, pack: str, figures: Figures, *cells: object) -> None:
        """Print the next row, and add ``figures`` to the totals."""
        if pack != self._pack:
            self._end_pack()
            self._pack = pack
            print(("\n" if self._packs else "") + printable(pack))
            print_rows([self._table.heading])
            self._packs.append([])
        self._packs[-1].append(figures)
        print_rows([self._table.row(*cells)])

    def end(self) -> None:
        self._end_pack()
        if len(self._packs) > 1:
            totals = str(self._totals([each for pack in self._packs for each in pack]))
            packs = packs_text(len(self._packs))
            text = f"{packs}\n{totals}" if "\n" in totals else _("{packs}: {totals}", packs=packs, totals=totals)
            print(f"\n{text}", flush=True)

    def _end_pack(self) -> None:
        if self._packs and len(self._packs[-1]) > 1:
            print(f"\n{self._totals(self._packs[-1])}", flush=True)


def width_of(cells: Iterable[object]) -> int:
    return max((text_width(str(cell)) for cell in cells), default=0)


def table_of(columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a table whose rows are all known."""
    cells = list(zip(*rows, strict=True)) or [()] * len(columns)
    patterns, texts = zip(*map(_formatted, columns, cells), strict=True)
    pattern = _GAP.join(patterns)
    for row in zip(*texts, strict=True):
        yield (pattern % row).rstrip()


def _formatted(column: Column, cells: Iterable[object]) -> tuple[str, list[str]]:
    texts = [column.heading, *("" if cell is None else str(cell) for cell in cells)]
    if not is_simple("".join(texts)):
        column = column._replace(width=width_of(texts))
        return "%s", [_padded(text, column) for text in texts]
    return f"%{'-' * column.is_text}{max(map(len, texts))}s", texts


def _padded(text: str, column: Column) -> str:
    blanks = " " * (column.width - text_width(text))
    return text + blanks if column.is_text else blanks + text
