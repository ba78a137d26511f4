"""Pictures of the screen as values: a Canvas to draw on, the finished Frame, a Span to be written."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from sokoterm.engine.value import Value
from sokoterm.wording.columns import WIDE_FILLER

PLAIN = " "
"""The style of plain text.  A style is one character; theme.py says what each looks like."""

PICTURE = "\uf6ff"
"""The style of blanks through which a picture is seen."""
# The layers of pictures, from below: those below 0 hide the background of text and show the text.
GROUND, TINT, COVERED_THING, COVERED_MARK, PLATE, THING, MARK = -5, -4, -3, -2, -1, 0, 1
_COVERED = {THING: COVERED_THING, MARK: COVERED_MARK}


class Plate(NamedTuple):
    """A picture in the background colour of a style, below text that is written over pictures."""

    style: str


class Placement(NamedTuple):
    """A picture at a row and column of the screen, stretched over cells; ``image`` says what it shows.

    ``thing`` names what may glide to another place.  Of an image with several ``parts`` below one another, one is seen.
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
    """Return pictures on a screen of these styles: plates below text on a ground, and what lies below text too."""
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
    """Return the plates below text in lines of styles: one for equal runs of a style below one another."""
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
    pictures: tuple[Placement, ...] = ()


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
