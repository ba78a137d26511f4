"""The moment of a win: boxes that flash, and a card with the figures of the level and what comes next."""

from collections.abc import Sequence

from sokoterm.app.keymap import Keymap
from sokoterm.app.level_figures import Win
from sokoterm.app.play import PlayModel
from sokoterm.engine.bits import Square, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.rules import boxes_home
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, BoardPlace, put_tile
from sokoterm.tui.widgets.card import Card, CardText, Line
from sokoterm.tui.widgets.frame import PLAIN, Canvas
from sokoterm.tui.widgets.sights import Sight, sight_of, text_of, tile_of
from sokoterm.tui.widgets.theme import Theme
from sokoterm.tui.widgets.tiles import HINTED, LIT, paint
from sokoterm.wording.columns import clipped
from sokoterm.wording.standing import FigureRow, WinWords

_LABELS, _MOVES, _PUSHES = 16, 7, 8  # the columns of the table of figures
_WIDEST = 36  # columns of the title of the next level on a card


def win_card(model: PlayModel, win: Win, keymap: Keymap, appearance: Appearance) -> Card:
    """Return the card of a win."""
    words = WinWords(model, win, keymap)
    lines = [_figure_line(FigureRow("", "moves", "pushes"), styles.QUIET)]
    lines += [_figure_line(row, PLAIN if number else styles.KEY) for number, row in enumerate(words.rows)]
    if words.time:
        lines.append(_figure_line(FigureRow("time", "", words.time)))
    if words.left:
        lines.append((CardText(words.left),))
    if words.following:
        lines.append((CardText(clipped(words.following, _WIDEST), styles.KEY),))
    return Card(words.title, lines, has_lines=appearance.theme.has_lines)


def draw_lit_boxes(canvas: Canvas, place: BoardPlace, level: Level, state: State, theme: Theme) -> None:
    """Draw the boxes at home as they flash, over a board that has been drawn."""
    for square in scan(boxes_home(level.board, state)):
        _draw_box(canvas, place, square, theme, sight_of(level, state, square), LIT, styles.CHOSEN)


def draw_hinted_box(canvas: Canvas, place: BoardPlace, level: Level, state: State, box: Square, theme: Theme) -> None:
    """Draw the box that a hint has pushed, over a board that has been drawn."""
    _draw_box(canvas, place, box, theme, sight_of(level, state, box), HINTED, styles.PICKED)


def _draw_box(
    canvas: Canvas, place: BoardPlace, box: Square, theme: Theme, sight: Sight, mark: str, style: str
) -> None:
    """Draw a box and what lies on it; ``style`` is for themes that are not painted."""
    corner = place.cell_of(box)
    if corner is None:
        return
    columns = place.size.columns
    if place.size.is_tile:
        put_tile(canvas, corner, tile_of(columns, sight, over=(mark,)))
    else:
        text, _ = text_of(sight, theme, columns)
        canvas.put(*corner, text, paint(mark, is_floor=True) if theme.is_painted else style)


def figure_lines(rows: Sequence[FigureRow]) -> list[Line]:
    """Return the table of figures below its heading."""
    return [_figure_line(FigureRow("", "moves", "pushes"), styles.QUIET), *map(_figure_line, rows)]


def _figure_line(row: FigureRow, style: str = PLAIN) -> Line:
    return (CardText(f"{row.label:{_LABELS}}{row.moves:>{_MOVES}}{row.pushes:>{_PUSHES}}", style),)
