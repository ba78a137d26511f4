"""The preview beside the lists of the browser: the board of a level, its figures, and the note of its pack."""

from collections.abc import Iterator

from sokoterm.app.level_figures import stored_figures
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.level import Level
from sokoterm.store.library import LevelRow
from sokoterm.tui.screens.highlights import figure_lines
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, Area, draw_board, place_board, square_size
from sokoterm.tui.widgets.card import CardText, Line, draw_line
from sokoterm.tui.widgets.frame import Canvas
from sokoterm.wording.lists import note_lines, preview_text
from sokoterm.wording.standing import figure_rows

_MOST_NOTE_LINES = 12


def draw_preview(
    canvas: Canvas,
    area: Area,
    pack_session: PackSession,
    level: Level,
    row: LevelRow | None,
    appearance: Appearance,
) -> None:
    """Draw the start of a level as large as fits, the figures below it and, where there is room, the pack's note.

    ``row`` is the level's row in the index, if it is there.
    """
    lines = list(_figure_lines(pack_session, level, row, area.width))
    height = max(area.height - len(lines) - 1, area.height // 2)
    appearance = appearance._replace(zoom=0)
    size = square_size(appearance, level.board, height, area.width)
    height = min(height, level.board.height * size.rows)
    board = Area(area.top, area.left, height, area.width)
    place = place_board(level.board, level.start.player, board, size)
    draw_board(canvas, place.in_corner(), level, level.start, appearance.theme)
    top, bottom = area.top + height + 1, area.top + area.height
    note = [(CardText(text, styles.QUIET),) for text in note_lines(pack_session, area.width, _MOST_NOTE_LINES)]
    if note:
        lines += [(), *note]
    for place_of_line, line in enumerate(lines[: max(0, bottom - top)], start=top):
        draw_line(canvas, place_of_line, area.left, area.width, line)


def _figure_lines(pack_session: PackSession, level: Level, row: LevelRow | None, width: int) -> Iterator[Line]:
    text = preview_text(pack_session, level, row)
    yield (CardText(text.title, styles.TITLE),)
    if text.author:
        yield (CardText(text.author),)
    if text.kind:
        yield (CardText(text.kind),)
    yield (CardText(text.summary),)
    figures = stored_figures(pack_session, level)
    if rows := figure_rows(figures, figures.best):
        yield from figure_lines(rows, width=width)
    if text.played:
        yield (CardText(text.played),)
