"""The widgets of all screens: a page with its title, message and keys, lines in styles, gauges, and framed cards.

What these look like is decided here, and nowhere else.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.value import Value
from sokoterm.language import _, pgettext
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Area, BoardPlace, Hints
from sokoterm.tui.widgets.frame import PLAIN, Canvas
from sokoterm.wording.columns import clipped, padded, text_width
from sokoterm.wording.standing import FigureRow

_LABELS, _MOVES, _PUSHES = 16, 7, 8  # least columns of a table of figures
_COLUMN_GAP = 2  # least columns between two of them
_MARGIN = 2  # columns between the frame and the text, the frame's own among them
_GAP = 2  # columns between a board and a card beside it


class CardText(NamedTuple):
    """A part of a line, in a style."""

    text: str
    style: str = PLAIN


Line = Sequence[CardText]


# Pages


def draw_title(canvas: Canvas, text: str, row: int = 0) -> None:
    """Draw the title of a screen."""
    canvas.put(row, 0, clipped(text, canvas.width), styles.TITLE)


def draw_page(canvas: Canvas, title: str, message: str, hints: Hints, style: str = PLAIN) -> None:
    """Draw the title of a screen, and on its last lines a message, in a style, and the keys."""
    draw_title(canvas, title)
    canvas.put(canvas.height - 2, 0, clipped(message, canvas.width), style)
    draw_keys(canvas, canvas.height - 1, hints)


def draw_keys(canvas: Canvas, row: int, hints: Hints, column: int = 0) -> None:
    """Draw a row of keys and what they do, from a column on, as many as fit whole.

    The help is the last to go, the way back the last but one.
    """
    kept = list(hints)
    if text_width("  ".join(map(" ".join, kept))) > canvas.width - column:
        kept = _most_needed(kept, canvas.width - column + 2)
    parts = [part for key, label in kept for part in (("  ", PLAIN), (key, styles.KEY), (f" {label}", PLAIN))]
    canvas.put_parts(row, column, parts[1:])


def _most_needed(hints: list[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """Return the keys of a footer that fit in a width, two columns behind each."""
    kept = set[tuple[str, str]]()
    last_to_go = (_("help"), "Esc", "R", "Enter")
    places = {part: place for place, part in enumerate(last_to_go)}
    for hint in sorted(hints, key=lambda hint: min(places.get(part, len(places)) for part in hint)):
        needed = text_width(" ".join(hint)) + 2
        if needed <= width:
            kept.add(hint)
            width -= needed
    return [hint for hint in hints if hint in kept]


def draw_line(canvas: Canvas, row: int, column: int, width: int, line: Line) -> None:
    """Draw the parts of a line in a width; what does not fit is cut."""
    end = column + width
    for part in line:
        column = canvas.put(row, column, clipped(part.text, max(0, end - column)), part.style)


# Columns


def figure_lines(rows: Sequence[FigureRow], first_style: str = PLAIN, width: int | None = None) -> list[Line]:
    """Return the table of figures below its heading, the first row in a style.

    Labels are cut if the table is wider than ``width``, but no figure is.
    """
    heading = FigureRow("", pgettext("heading of a column", "moves"), pgettext("heading of a column", "pushes"))
    table = [heading, *rows]
    labels = max(_LABELS, *(text_width(row.label) + 1 for row in table))
    moves, pushes = (
        max(least, *(text_width(row[column]) + _COLUMN_GAP for row in table))
        for column, least in ((1, _MOVES), (2, _PUSHES))
    )
    if width is not None:
        labels = max(0, min(labels, width - moves - pushes))
    row_styles = [styles.QUIET, first_style, *[PLAIN] * len(rows)]
    return [
        (
            CardText(
                padded(clipped(row.label, labels), labels)
                + _to_right(row.moves, moves)
                + _to_right(row.pushes, pushes),
                style,
            ),
        )
        for row, style in zip(table, row_styles, strict=False)
    ]


def _to_right(text: str, width: int) -> str:
    return " " * (width - text_width(text)) + text


# Gauges


def gauge(done: int, total: int, width: int) -> str:
    """``[=====>    ]`` in ``width`` columns."""
    inner = max(1, width - 2)
    filled = inner if total == 0 else done * inner // total
    return "[" + ("=" * filled)[: inner - 1] + (">" if filled < inner else "=") + " " * (inner - filled - 1) + "]"


def small_gauge(done: int, total: int, width: int, *, has_lines: bool) -> Line:
    """Return a bar of what is done, which is full or empty only if all or nothing is."""
    filled = done * width // total if total else 0
    filled = max(filled, 1) if done else 0
    full, rest = "━─" if has_lines else "=-"
    return (CardText(full * filled, styles.GOOD), CardText(rest * (width - filled), styles.QUIET))


# Cards


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
