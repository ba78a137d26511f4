"""Tables: a heading, and rows that stay below it however wide their texts are."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sokoterm.wording.columns import text_width

_GAP = "  "


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


def width_of(cells: Iterable[object]) -> int:
    """Return the width of the widest cell."""
    return max((text_width(str(cell)) for cell in cells), default=0)


def table_of(columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a table all of whose rows are known."""
    widths = [width_of(cells) for cells in zip(*rows, strict=True)] or [0] * len(columns)
    table = Table(*(each._replace(width=width) for each, width in zip(columns, widths, strict=True)))
    yield table.heading
    yield from (table.row(*row) for row in rows)


def _padded(text: str, column: Column) -> str:
    blanks = " " * (column.width - text_width(text))
    return text + blanks if column.is_text else blanks + text
