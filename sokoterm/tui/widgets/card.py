"""Cards: a few framed lines beside, below or over the board."""

from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.value import Value
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Area, BoardPlace
from sokoterm.tui.widgets.frame import PLAIN, Canvas
from sokoterm.wording.columns import clipped, text_width

_MARGIN = 2  # columns between the frame and the text, the frame's own among them
_GAP = 2  # columns between a board and a card beside it


class CardText(NamedTuple):
    """A part of a line, in a style."""

    text: str
    style: str = PLAIN


Line = Sequence[CardText]


class Card(Value):
    """Lines in a frame of ``+--+``, or of box drawing where ``has_lines``, with a title in its upper edge."""

    title: str
    lines: Sequence[Line]
    has_lines: bool

    @property
    def height(self) -> int:
        """Its rows, frame included."""
        return len(self.lines) + 2

    @property
    def width(self) -> int:
        """The columns that it needs, frame included."""
        inner = max(sum(text_width(part.text) for part in line) for line in self.lines)
        return max(inner, text_width(self.title) + 2) + 2 * _MARGIN

    def draw(self, canvas: Canvas, area: Area) -> None:
        """Draw it over an area; what is too wide is cut."""
        top, under, down = ("┌─┐", "└─┘", "│") if self.has_lines else ("+-+", "+-+", "|")
        bottom = area.top + area.height - 1
        for row, edge in ((area.top, top), (bottom, under)):
            canvas.put(row, area.left, f"{edge[0]}{edge[1] * (area.width - 2)}{edge[2]}", styles.QUIET)
        canvas.put(area.top, area.left + _MARGIN, f" {self.title} ", styles.GOOD)
        inner = area.width - 2 * _MARGIN
        for row in range(area.top + 1, bottom):
            canvas.put(row, area.left, down, styles.QUIET)
            canvas.put(row, area.left + 1, " " * (area.width - 2))
            canvas.put(row, area.left + area.width - 1, down, styles.QUIET)
        for row, line in enumerate(self.lines, start=area.top + 1):
            draw_line(canvas, row, area.left + _MARGIN, inner, line)


def draw_line(canvas: Canvas, row: int, column: int, width: int, line: Line) -> None:
    """Draw the parts of a line in a width; what does not fit is cut."""
    end = column + width
    for part in line:
        column = canvas.put(row, column, clipped(part.text, max(0, end - column)), part.style)


def place_card(card: Card, within: Area, place: BoardPlace) -> Area | None:
    """Return the area of a card: below the board, beside it, or over its middle; None if there is no room at all."""
    height, width = card.height, card.width
    if height > within.height or width > within.width:
        return None
    rows, columns = place.shown
    top, left = place.corner_of(rows.start, columns.start)
    bottom, right = place.corner_of(rows.stop, columns.stop)
    centre = left + (right - left - width) // 2
    centre = max(within.left, min(centre, within.left + within.width - width))
    if (below := within.top + within.height - bottom) >= height:
        return Area(bottom + min(1, below - height), centre, height, width)
    middle = max(within.top, min((top + bottom - height) // 2, within.top + within.height - height))
    if within.left + within.width - right >= width + 2 * _GAP:
        return Area(middle, right + _GAP, height, width)
    return Area(middle, centre, height, width)
