"""The moment of a win: boxes that flash, and a card with the figures of the level and what comes next."""

from collections.abc import Sequence

from sokoterm.app.keymap import Keymap
from sokoterm.app.level_figures import Win
from sokoterm.app.play import PlayModel
from sokoterm.engine.bits import Square, squares_of
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.rules import boxes_home
from sokoterm.language import pgettext
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, BoardPlace, put_tile
from sokoterm.tui.widgets.card import Card, CardText, Line
from sokoterm.tui.widgets.frame import PLAIN, Canvas
from sokoterm.tui.widgets.sights import Sights, text_of, tile_of
from sokoterm.tui.widgets.theme import Theme
from sokoterm.tui.widgets.tiles import HINTED, LIT, paint
from sokoterm.wording.columns import clipped, folded, padded, text_width
from sokoterm.wording.standing import FigureRow, WinWords

_LABELS, _MOVES, _PUSHES = 16, 7, 8  # least columns of the table of figures
_GAP = 2  # least columns between two of its columns
_WIDEST = 36  # columns of what comes next on a card; more is folded


def win_card(model: PlayModel, win: Win, keymap: Keymap, appearance: Appearance, width: int | None = None) -> Card:
    """Return the card of a win; its table of figures is made to fit a ``width``."""
    words = WinWords(model, win, keymap)
    rows = words.rows
    if words.time:
        rows.append(FigureRow(pgettext("label of the time played", "time"), "", words.time))
    lines = figure_lines(rows, styles.KEY, width)
    for text, style in ((words.left, PLAIN), (words.following, styles.KEY)):
        lines += [(CardText(line, style),) for line in folded(text, width or _WIDEST) if line]
    return Card(words.title, lines, has_lines=appearance.theme.has_lines)


def draw_lit_boxes(canvas: Canvas, place: BoardPlace, level: Level, state: State, theme: Theme) -> None:
    """Draw the boxes at home as they flash, over a board that has been drawn."""
    sights = Sights(level, state)
    for square in squares_of(boxes_home(level.board, state)):
        _draw_box(canvas, place, square, theme, sights, LIT, styles.CHOSEN)


def draw_hinted_box(canvas: Canvas, place: BoardPlace, level: Level, state: State, box: Square, theme: Theme) -> None:
    """Draw the box that a hint has pushed, over a board that has been drawn."""
    _draw_box(canvas, place, box, theme, Sights(level, state), HINTED, styles.PICKED)


def _draw_box(
    canvas: Canvas, place: BoardPlace, box: Square, theme: Theme, sights: Sights, mark: str, style: str
) -> None:
    """Draw a box and what lies on it; ``style`` is for themes that are not painted."""
    corner = place.cell_of(box)
    if corner is None:
        return
    columns, sight = place.size.columns, sights.at(box)
    if place.size.is_tile:
        put_tile(canvas, corner, tile_of(columns, sight, over=(mark,)))
    else:
        text = text_of(sight, theme, columns)[0]
        canvas.put(*corner, text, paint(mark, is_floor=True) if theme.is_painted else style)


def figure_lines(rows: Sequence[FigureRow], first_style: str = PLAIN, width: int | None = None) -> list[Line]:
    """Return the table of figures below its heading, the first row in a style.

    Labels are cut if the table is wider than ``width``, but no figure is.
    """
    heading = FigureRow("", pgettext("heading of a column", "moves"), pgettext("heading of a column", "pushes"))
    table = [heading, *rows]
    labels = max(_LABELS, *(text_width(row.label) + 1 for row in table))
    moves, pushes = (
        max(least, *(text_width(row[column]) + _GAP for row in table)) for column, least in ((1, _MOVES), (2, _PUSHES))
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
