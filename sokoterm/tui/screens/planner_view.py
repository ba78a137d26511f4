"""The push planner: the picture.

A square that can be chosen shows its label.  In cells of two columns those are two letters, the first one a capital
where another follows; in one column it is the next letter to be typed, a capital on goals.  Squares that a box can come
to also tell what becomes of it: marks of the theme stand where it would be lost.  In two columns a mark, or a goal,
takes the place of the second letter; in one column a mark takes that of the letter until all letters are asked for.
"""

from sokoterm.app.landing_risk import LandingRisk
from sokoterm.engine.bits import Square
from sokoterm.tui.screens.planner_text import Planning, Stage, header, hints, status
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    BoardPlace,
    Size,
    cell_columns,
    draw_board,
    draw_keys,
    place_chrome,
    scroll_board,
    too_small,
)
from sokoterm.tui.widgets.frame import Canvas, Frame
from sokoterm.tui.widgets.theme import Marks, Theme, cell_style
from sokoterm.wording.columns import clipped

_ON_GOAL = ".*+"
_MARK_STYLES = {
    LandingRisk.FINE: styles.MARK_FINE,
    LandingRisk.DEAD: styles.MARK_DEAD,
    LandingRisk.FREEZES: styles.MARK_FREEZES,
}


def view_planner(planning: Planning, size: Size, appearance: Appearance) -> Frame:
    """The board as in play, labels and marks on it, with the header, the status line and the keys of the planner."""
    if notice := too_small(size):
        return notice
    canvas = Canvas(*size)
    level, state = planning.level, planning.state
    chrome = place_chrome(size, level.board.height, has_comment=bool(planning.comment))
    columns = cell_columns(appearance, level, size.columns)
    focus = planning.choices.cursor
    if focus is None:
        focus = state.player
    planning.origin = scroll_board(planning.origin, level, state._replace(player=focus), chrome.board, columns)
    draw_board(canvas, chrome.board, level, state, planning.origin, appearance)
    board = level.board
    place = BoardPlace(chrome.board, planning.origin, columns, board.stride, board.width, board.height)
    planning.place = place
    _draw_choices(canvas, planning, place, appearance.theme)
    canvas.put(chrome.header, 0, header(planning, columns, appearance.theme.marks, size.columns), styles.TITLE)
    if chrome.comment >= 0:
        canvas.put(chrome.comment, 0, clipped(planning.comment, size.columns), styles.QUIET)
    canvas.put(chrome.status, 0, *status(planning, size.columns))
    if chrome.footer >= 0:
        draw_keys(canvas, chrome.footer, hints(planning, columns))
    return canvas.frame(place.cell_of(focus))


def _draw_choices(canvas: Canvas, planning: Planning, place: BoardPlace, theme: Theme) -> None:
    board = planning.level.board
    lit = {*planning.choices.labels, *_found(planning), planning.box, planning.goal, planning.choices.cursor}
    for row in range(max(0, place.origin.row), min(board.height, place.origin.row + place.area.height)):
        cells = None
        for column in range(board.width):
            square = board.square(row, column)
            if square not in lit or (at := place.cell_of(square)) is None:
                continue
            cells = cells or planning.level.row_cells(planning.state, row)
            canvas.put(*at, *_drawn(planning, square, cells[column], place.columns, theme))


def _found(planning: Planning) -> tuple[Square, ...]:
    """The boxes that light up while others are still looked at, after which they get labels."""
    return planning.search.told.found if planning.search is not None and not planning.search.is_done else ()


def _drawn(planning: Planning, square: Square, cell: str, columns: int, theme: Theme) -> tuple[str, str]:
    """The text and style of a square that can be chosen or has been."""
    if planning.stage is Stage.SQUARES and square in planning.choices.labels:
        text, style = _target(planning, square, cell, columns, theme)
    else:
        text, style = _source(planning, square, cell, columns, theme)
    return text, styles.CHOSEN if square == planning.choices.cursor else style


def _source(planning: Planning, square: Square, cell: str, columns: int, theme: Theme) -> tuple[str, str]:
    """A box or a goal: its label over its own glyph."""
    glyph = theme.glyph(cell, columns)
    rest = planning.choices.rest(square)
    if not rest:
        if square == planning.goal:
            return theme.marks.asked.ljust(columns), styles.PICKED
        if square == planning.box or square in _found(planning):
            return theme.marks.picked[columns - 1], styles.PICKED
        return glyph, cell_style(cell)
    text = _letters(rest, columns, is_capital=columns == 1 and cell == "*")
    if len(text) < columns:
        text += glyph.strip()[-1]
    return text, styles.LABEL_ON_GOAL if cell in _ON_GOAL else styles.LABEL


def _mark(marks: Marks, risk: LandingRisk) -> str:
    return {LandingRisk.FINE: marks.fine, LandingRisk.DEAD: marks.dead, LandingRisk.FREEZES: marks.freezes}[risk]


def _target(planning: Planning, square: Square, cell: str, columns: int, theme: Theme) -> tuple[str, str]:
    """A square that the box can come to: its label and what becomes of the box there."""
    risk, rest = planning.risk(square), planning.choices.rest(square)
    is_fine, is_on_goal = risk is LandingRisk.FINE, cell in _ON_GOAL
    mark = _mark(theme.marks, risk)
    style = _MARK_STYLES[risk]
    if is_fine and rest:
        style = styles.LABEL_ON_GOAL if is_on_goal else styles.LABEL
    if columns == 1:
        shows_letter = rest and (is_fine or planning.shows_all_letters or planning.choices.typed)
        return _letters(rest, 1, is_capital=is_on_goal) if shows_letter else mark, style
    sign = theme.glyph(cell, 1).strip() if is_fine else mark
    if not rest:
        return f"{mark if is_fine else ' '}{sign or ' '}", style
    text = _letters(rest, 2)
    return text[0] + sign if sign else text.ljust(2), style


def _letters(rest: str, columns: int, *, is_capital: bool = False) -> str:
    """As much of a label as there is room for, so that a row of them can be told apart: ``AbAcAd``."""
    is_capital = is_capital or columns == 2 and len(rest) > 1
    return (rest[0].upper() if is_capital else rest[0]) + rest[1:columns]
