"""Pictures of the screen as values: a Canvas to draw on, the finished Frame, a Span to be written."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from sokoterm.engine.value import Value
from sokoterm.wording.columns import WIDE_FILLER, columns_of, is_simple, text_width

PLAIN = " "
"""The style of plain text.  A style is one character; theme.py says what each looks like."""


class Row(NamedTuple):
    """One line of the screen: its characters and, in a string of the same length, their styles."""

    text: str
    styles: str


class Frame(Value):
    """A whole screen; ``cursor`` is (row, column) of the hardware cursor, counted from 0."""

    rows: tuple[Row, ...]
    cursor: tuple[int, int]


class Span(NamedTuple):
    """Text of one style to be written at a place."""

    row: int
    column: int
    text: str
    style: str


class Canvas:
    """A frame in the making; text outside of it is cut off."""

    def __init__(self, height: int, width: int) -> None:
        self.height = height
        self.width = width
        self._text = [[" "] * width for _ in range(height)]
        self._has_wide = False
        self._styles = [[PLAIN] * width for _ in range(height)]

    def put(self, row: int, column: int, text: str, style: str = PLAIN) -> int:
        """Write text and return the column after it."""
        cells = text
        if not is_simple(text):
            cells = _cells(text) if len(text) <= self.width else "".join(columns_of(text))
            self._has_wide = self._has_wide or WIDE_FILLER in cells
        return self.put_cells(row, column, cells, style * len(cells))

    def put_cells(self, row: int, column: int, cells: str, styles: str) -> int:
        """Write a character, none of them wide, and a style for each column; return the column after them."""
        if 0 <= row < self.height:
            first = max(0, -column)
            end = max(first, min(len(cells), self.width - column))
            self._text[row][column + first : column + end] = cells[first:end]
            self._styles[row][column + first : column + end] = styles[first:end]
        return column + len(cells)

    def put_parts(self, row: int, column: int, parts: Sequence[tuple[str, str]]) -> int:
        """Write texts, each in a style, one behind the other; return the column after them."""
        text = "".join([each for each, __ in parts])
        if is_simple(text):
            return self.put_cells(row, column, text, "".join([style * len(each) for each, style in parts]))
        for each, style in parts:
            column = self.put(row, column, each, style)
        return column

    def is_blank(self, row: int) -> bool:
        """True if nothing has been put on a line yet."""
        return all(each == " " for each in self._text[row])

    def frame(self, cursor: tuple[int, int] | None = None) -> Frame:
        """Return the finished picture, by default with the cursor in the lower right corner."""
        row, column = cursor or (self.height - 1, self.width - 1)
        place = (max(0, min(row, self.height - 1)), max(0, min(column, self.width - 1)))
        rows = [Row("".join(text), "".join(styles)) for text, styles in zip(self._text, self._styles, strict=True)]
        if self._has_wide:
            rows = [Row(_whole_characters(row.text), row.styles) for row in rows]
        return Frame(tuple(rows), place)


@lru_cache(maxsize=1024)
def _cells(text: str) -> str:
    """Return a character for each column of a text; frames and gauges are much the same from picture to picture."""
    return "".join(columns_of(text))


def diff(old: Frame | None, new: Frame) -> list[Span]:
    """Return the spans that turn ``old`` (None: a blank screen of the same size) into ``new``."""
    blank = Row(" " * len(new.rows[0].text), PLAIN * len(new.rows[0].text)) if new.rows else Row("", "")
    spans: list[Span] = []
    for number, row in enumerate(new.rows):
        before = blank if old is None else old.rows[number]
        if before != row:
            spans.extend(_row_spans(number, before, row))
    return spans


def _row_spans(number: int, before: Row, after: Row) -> Iterator[Span]:
    """Yield the runs of changed cells, cut where the style changes."""
    width = len(after.text)
    changed = [
        after.text[i] != before.text[i] or after.styles[i] != before.styles[i] or after.text[i] == WIDE_FILLER
        for i in range(width)
    ]
    start = 0
    while start < width:
        if not changed[start]:
            start += 1
            continue
        if after.text[start] == WIDE_FILLER and start:
            start -= 1
        end = start + 1
        style = after.styles[start]
        while end < width and (changed[end] or after.text[end] == WIDE_FILLER) and after.styles[end] == style:
            end += 1
        yield Span(number, start, after.text[start:end].replace(WIDE_FILLER, ""), style)
        start = end


def _whole_characters(cells: str) -> str:
    """Return a line with blanks for halves of wide characters, as cutting off and writing over leave them."""
    whole = ""
    for index, cell in enumerate(cells):
        is_wide = text_width(cell) == 2
        has_filler = cells[index + 1 : index + 2] == WIDE_FILLER
        follows_wide = index > 0 and text_width(cells[index - 1]) == 2
        halved = not follows_wide if cell == WIDE_FILLER else is_wide and not has_filler
        whole += " " if halved else cell
    return whole
