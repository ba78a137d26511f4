"""Pictures of the screen as values: a Canvas to draw on, the finished Frame, a Span to be written."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sokoterm.engine.value import Value
from sokoterm.wording.columns import WIDE_FILLER

PLAIN = " "
"""The style of plain text.  A style is one character; theme.py says what each looks like."""


class Size(NamedTuple):
    """Rows and columns of the terminal."""

    rows: int
    columns: int

    def above(self, lines: int) -> "Area":
        """Return the area above so many lines at the bottom."""
        return Area(0, 0, self.rows - lines, self.columns)


MARGIN = 2
"""Columns between a frame and the text inside, the frame's own among them."""
_LEAST_FRAMED = (5, 24)  # rows and columns of the smallest pane that has a frame


class Area(NamedTuple):
    """A rectangle of the screen."""

    top: int
    left: int
    height: int
    width: int

    @property
    def inside(self) -> "Area":
        """The area inside a pane: within its frame, or below its title where it is too small for one."""
        if self.height < _LEAST_FRAMED[0] or self.width < _LEAST_FRAMED[1]:
            return Area(self.top + 1, self.left, self.height - 1, self.width)
        return Area(self.top + 1, self.left + MARGIN, self.height - 2, self.width - 2 * MARGIN)


Hints = Sequence[tuple[str, str]]
"""Keys and what they do."""


class CardText(NamedTuple):
    """A part of a line, in a style."""

    text: str
    style: str = PLAIN


Line = Sequence[CardText]


class StatusText(NamedTuple):
    """A line for the player; ``kept`` is the key or figure in it that stays where it has to be cut.

    ``is_brief``: it goes with the next key.
    """

    text: str
    style: str = PLAIN
    kept: str = ""
    is_brief: bool = False


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
