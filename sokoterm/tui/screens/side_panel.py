"""The panel beside the board in a wide window: the level, its figures, and the keys that matter now."""

from collections.abc import Sequence

from sokoterm.app.level_figures import LevelFigures
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Area, Hints
from sokoterm.tui.widgets.frame import Canvas
from sokoterm.tui.widgets.parts import Card, CardText, Line, draw_line, figure_lines
from sokoterm.tui.widgets.theme import Theme
from sokoterm.wording.columns import clipped, folded, text_width
from sokoterm.wording.side_panel import PanelWords
from sokoterm.wording.standing import figure_rows

_EDGE = 3  # columns of the line on its left and of the room beside that
_MARGIN = 1  # columns left free on its right
_GAP = 2  # least columns between two keys


class SidePanel:
    """A panel in its area, drawn from the top, with the keys at the bottom; ``width`` is that of its lines."""

    def __init__(self, canvas: Canvas, area: Area, words: PanelWords, hints: Hints, theme: Theme) -> None:
        self._canvas = canvas
        self._left = area.left + _EDGE
        self._row = area.top
        self._words = words
        self.width = area.width - _EDGE - _MARGIN
        keys = _key_lines(hints, self.width)
        self._end = area.top + area.height - len(keys)
        edge = "│" if theme.has_lines else "|"
        for row in range(area.top, area.top + area.height):
            canvas.put(row, area.left, edge, styles.QUIET)
        for row, line in enumerate(keys, start=self._end):
            draw_line(canvas, row, self._left, self.width, line)
        self._put_title()

    def put_level(self, figures: LevelFigures) -> None:
        """Put the comment, as much as fits, the figures, the bookmarks and the time."""
        rows = figure_rows(figures, figures.best)
        table = figure_lines(rows, width=self.width) if rows else []
        more = [(CardText(text),) for text in (self._words.bookmarks, self._words.time) if text]
        self._put_comment(self._room - sum(len(part) + 1 for part in (table, more) if part))
        self._put(table)
        self._put(more)

    def put_win(self, card: Card) -> None:
        """Put the card of a win, and the comment below it."""
        self._put([*((CardText(line, styles.GOOD),) for line in folded(card.title, self.width)), *card.lines])
        self._put_comment(self._room)

    def put_question(self, text: str) -> None:
        """Put the choice that the player has to make."""
        self._put([(CardText(line, styles.TITLE),) for line in folded(text, self.width)])

    @property
    def _room(self) -> int:
        """The lines that are left, but for a blank one above the keys."""
        return max(0, self._end - 1 - self._row)

    def _put_title(self) -> None:
        """Put the level's number, title and author."""
        parts = (
            (self._words.heading, styles.TITLE),
            (self._words.title, styles.KEY),
            (self._words.author, styles.QUIET),
            (self._words.kind, styles.QUIET),
        )
        self._put([(CardText(line, style),) for text, style in parts if text for line in folded(text, self.width)])

    def _put_comment(self, room: int) -> None:
        lines = self._words.comment(self.width)
        if len(lines) > room - 1:
            lines = lines[: max(0, room - 1)]
            lines[-1:] = [clipped(f"{line} ..", self.width) for line in lines[-1:]]
        self._put([(CardText(line),) for line in lines])

    def _put(self, lines: Sequence[Line]) -> None:
        """Put lines and a blank one below them, as far as there is room."""
        for line in lines[: self._room]:
            draw_line(self._canvas, self._row, self._left, self.width, line)
            self._row += 1
        self._row += bool(lines)


def _key_lines(hints: Hints, width: int) -> list[Line]:
    """Return keys and what they do in two columns, in the order of reading; what is too wide for one has its line."""
    cells = [(CardText(key, styles.KEY), CardText(f" {label.strip()}")) for key, label in hints]
    widths = [sum(text_width(part.text) for part in cell) for cell in cells]
    column = max(width // 2, max(widths[::2], default=0) + _GAP)
    if column + max(widths[1::2], default=0) > width:
        column = width // 2
    lines = list[Line]()
    while cells:
        is_pair = len(cells) > 1 and widths[0] + _GAP <= column and column + widths[1] <= width
        gap = CardText(" " * (column - widths[0]))
        lines.append((*cells[0], gap, *cells[1]) if is_pair else cells[0])
        del cells[: 1 + is_pair], widths[: 1 + is_pair]
    return lines
