"""Tables: a heading, and rows that stay below it however wide their texts are."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from sokoterm.commands.support.output import print_row
from sokoterm.engine.text import printable
from sokoterm.language import _, packs_text
from sokoterm.wording.columns import is_simple, text_width

_GAP = "  "

Figures = TypeVar("Figures")


class Column(NamedTuple):
    """A column of a table: ``width`` is that of its widest cell, as far as that is known; texts stand to the left."""

    heading: str
    width: int = 0
    is_text: bool = False


class Table:
    """Lines of a table, for rows that come one by one; the last column may be as long as it likes.

    >>> table = Table(Column("level", width_of(range(9, 12))), Column("title", is_text=True))
    >>> print(table.heading, table.row(9, "Corner"), sep="\\n")
    level  title
        9  Corner
    """

    def __init__(self, *columns: Column) -> None:
        self._columns = [each._replace(width=max(each.width, text_width(each.heading))) for each in columns]

    @property
    def heading(self) -> str:
        """The first line."""
        return self.row(*(each.heading for each in self._columns))

    def row(self, *cells: object) -> str:
        """Return the line of a row; None is a cell without a value."""
        texts = ["" if cell is None else str(cell) for cell in cells]
        return _GAP.join(_padded(*each) for each in zip(texts, self._columns, strict=True)).rstrip()


class PackTables(Generic[Figures]):
    """Tables printed row by row: one for each pack, below its name, and totals where there is more than one row."""

    def __init__(self, table: Table, totals: Callable[[Sequence[Figures]], str], *, below: bool = False) -> None:
        """``totals`` returns the text below a table, and below all behind "3 packs", or ``below`` that."""
        self._table = table
        self._totals = totals
        self._below = below
        self._pack = ""
        self._packs: list[list[Figures]] = []

    def add(self, pack: str, figures: Figures, *cells: object) -> None:
        """Print the next row; ``figures`` goes into the totals."""
        if pack != self._pack:
            self._end_pack()
            self._pack = pack
            print(("\n" if self._packs else "") + printable(pack))
            print_row(self._table.heading)
            self._packs.append([])
        self._packs[-1].append(figures)
        print_row(self._table.row(*cells))

    def end(self) -> None:
        """Print the totals below the last row."""
        self._end_pack()
        if len(self._packs) > 1:
            totals = self._totals([each for pack in self._packs for each in pack])
            packs = packs_text(len(self._packs))
            text = f"{packs}\n{totals}" if self._below else _("{packs}: {totals}", packs=packs, totals=totals)
            print(f"\n{text}", flush=True)

    def _end_pack(self) -> None:
        if self._packs and len(self._packs[-1]) > 1:
            print(f"\n{self._totals(self._packs[-1])}", flush=True)


def width_of(cells: Iterable[object]) -> int:
    """Return the width of the widest cell."""
    return max((text_width(str(cell)) for cell in cells), default=0)


def table_of(columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a table all of whose rows are known."""
    cells = list(zip(*rows, strict=True)) or [()] * len(columns)
    patterns, texts = zip(*map(_formatted, columns, cells), strict=True)
    pattern = _GAP.join(patterns)
    for row in zip(*texts, strict=True):
        yield (pattern % row).rstrip()


def _formatted(column: Column, cells: Iterable[object]) -> tuple[str, list[str]]:
    """Return the heading of a column and its cells, and the pattern that aligns each of them."""
    texts = [column.heading, *("" if cell is None else str(cell) for cell in cells)]
    if not is_simple("".join(texts)):
        column = column._replace(width=width_of(texts))
        return "%s", [_padded(text, column) for text in texts]
    return f"%{'-' * column.is_text}{max(map(len, texts))}s", texts


def _padded(text: str, column: Column) -> str:
    blanks = " " * (column.width - text_width(text))
    return text + blanks if column.is_text else blanks + text
