"""What a replay looks like, in the player and in a recording: title, board, and how far it has come."""

from sokoterm.app.replay import Replay
from sokoterm.engine.level import Level
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    Area,
    Origin,
    cell_columns,
    draw_board,
    progress_bar,
    scroll_board,
)
from sokoterm.tui.widgets.frame import Canvas
from sokoterm.wording.columns import clipped

_ROOMY = 60  # columns from which there is room for a bar


def draw_replay(
    canvas: Canvas, rows: int, level: Level, playback: Replay, origin: Origin, appearance: Appearance, title: str
) -> tuple[Origin, tuple[int, int]]:
    """Draw title and board in so many rows from the top; the new origin of the board, and where the player stands."""
    area = Area(1, 0, rows - 1, canvas.width)
    columns = cell_columns(appearance, level, canvas.width)
    origin = scroll_board(origin, level, playback.state, area, columns)
    cursor = draw_board(canvas, area, level, playback.state, origin, appearance)
    canvas.put(0, 0, clipped(title, canvas.width), styles.TITLE)
    return origin, cursor


def draw_place(canvas: Canvas, row: int, playback: Replay, *, has_bar: bool = True) -> int:
    """Draw ``move 3/12 push 1/4``, with a bar where it is wanted and has room; gives the column after it."""
    shown = playback
    place = f"move {shown.k}/{shown.moves} push {shown.pushes_shown}/{shown.pushes}"
    if len(place) > canvas.width:
        place = f"{shown.k}/{shown.moves} {shown.pushes_shown}/{shown.pushes}"
    column = canvas.put(row, 0, place) + 1
    if has_bar and canvas.width >= _ROOMY:
        width = len(f"move {shown.moves}/{shown.moves} push {shown.moves}/{shown.moves}")
        column = canvas.put(row, width + 1, progress_bar(shown.k, shown.moves, 20)) + 1
    return column
