"""Frames as values: a Frame is the whole screen, a Span the text that changed."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from sokoterm.engine.value import Value
from sokoterm.wording.columns import WIDE_FILLER

PLAIN = " "
"""The style of plain text. A style is one character; theme.py defines its look."""

PICTURE = "\uf6ff"
"""The style of blanks that show a picture."""
# Picture layers from the bottom; those below 0 are behind text but cover its background.
GROUND, TINT, COVERED_THING, COVERED_MARK, PLATE, THING, MARK = -5, -4, -3, -2, -1, 0, 1
_COVERED = {THING: COVERED_THING, MARK: COVERED_MARK}


class Plate(NamedTuple):
    """A picture in the background colour of a style, behind text written over pictures."""

    style: str


class Placement(NamedTuple):
    """A picture at a row and column, scaled to cells; ``image`` identifies it.

    ``thing`` names what may glide elsewhere. Of an image with ``parts`` stacked vertically, one is visible.
    """

    image: object
    row: int
    column: int
    rows: int
    columns: int
    layer: int = THING
    thing: str = ""
    part: int = 0
    parts: int = 1


def with_text(pictures: Sequence[Placement], styles: Sequence[Sequence[str]]) -> tuple[Placement, ...]:
    """Adapt pictures to a screen's styles: add plates behind text on a ground, move covered pictures behind text."""
    seen = list[Placement]()
    for picture in pictures:
        left, right = picture.column, picture.column + picture.columns
        lines = [line[left:right] for line in styles[picture.row : picture.row + picture.rows]]
        layer = picture.layer
        if any(line.count(PICTURE) < picture.columns for line in lines):
            layer = _COVERED.get(layer, layer)
            seen += _plates(lines, picture.row, left) if layer == GROUND else ()
        seen.append(picture._replace(layer=layer))
    return tuple(seen)


def _plates(lines: Sequence[Sequence[str]], top: int, left: int) -> list[Placement]:
    """Return the plates behind text: equal runs of a style in consecutive lines share one."""
    plates = dict[tuple[str, int, int], Placement]()
    done = list[Placement]()
    for row, line in enumerate(lines, start=top):
        open_, plates, column = plates, {}, left
        for style, run in groupby(line):
            columns = len([*run])
            if style != PICTURE:
                plate = open_.pop((style, column, columns), Placement(Plate(style), row, column, 0, columns, PLATE))
                plates[style, column, columns] = plate._replace(rows=plate.rows + 1)
            column += columns
        done += open_.values()
    return [*done, *plates.values()]


class Size(NamedTuple):
    """Rows and columns."""

    rows: int
    columns: int

    def above(self, lines: int) -> "Area":
        """Return the area above so many lines at the bottom."""
        return Area(0, 0, self.rows - lines, self.columns)


MARGIN = 2
"""Columns from the edge of a frame to the text inside, including the edge."""
_LEAST_FRAMED = (5, 24)  # rows and columns of the smallest framed pane


class Area(NamedTuple):
    """A rectangle of the screen."""

    top: int
    left: int
    height: int
    width: int

    @property
    def inside(self) -> "Area":
        """The area inside a pane: inside its frame, or below its title if it is too small for a frame."""
        if self.height < _LEAST_FRAMED[0] or self.width < _LEAST_FRAMED[1]:
            return Area(self.top + 1, self.left, self.height - 1, self.width)
        return Area(self.top + 1, self.left + MARGIN, self.height - 2, self.width - 2 * MARGIN)


Hints = Sequence[tuple[str, str]]
"""Keys and their labels."""


class CardText(NamedTuple):
    """Part of a line, in one style."""

    text: str
    style: str = PLAIN


Line = Sequence[CardText]


class StatusText(NamedTuple):
    """A message for the player; if it is cut, ``kept`` stays whole. ``is_brief``: the next key clears it."""

    text: str
    style: str = PLAIN
    kept: str = ""
    is_brief: bool = False


class Row(NamedTuple):
    """A line of the screen: its characters, and as many style characters."""

    text: str
    styles: str


class Frame(Value):
    """A whole screen; ``cursor`` is the (row, column) of the terminal's cursor, from 0."""

    rows: tuple[Row, ...]
    cursor: tuple[int, int]
    pictures: tuple[Placement, ...] = ()


class Span(NamedTuple):
    """Text in one style, to be written at a place."""

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
    """Yield runs of changed cells, split where the style changes."""
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
