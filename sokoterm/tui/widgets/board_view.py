"""The board on the screen, its viewport, and the lines around it."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, Symmetry, tester
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Stance
from sokoterm.engine.value import Value
from sokoterm.language import _
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, Frame, Hints, Size
from sokoterm.tui.widgets.theme import Theme
from sokoterm.tui.widgets.tiles import DARK, GUILTY, SIZES, Palette, Tile, draw_tile, paint, player_in, things_on
from sokoterm.wording.columns import cut_at_a_word, folded, text_width

SMALLEST = (6, 20)  # rows and columns of the smallest usable window
_WIDE = 110  # minimum columns of a window with a panel beside the board
_PANEL = 36  # minimum columns of the panel, which takes a quarter of the window
_WIDEST_PANEL = 48
_SURROUNDINGS = 3  # rows and columns visible at any size: the player and the squares around
EDGE = 3  # the viewport jumps when the player is closer to its edge, in squares


UPRIGHT = Symmetry(transposed=False, rows_flipped=False, columns_flipped=False)
"""The view of a board as it is written."""


class Appearance(Value):
    """A theme, columns per square (0: as many as fit), colours of painted themes, the player's view, and rulers."""

    theme: Theme
    zoom: int
    palette: Palette = DARK
    view: Symmetry = UPRIGHT
    has_rulers: bool = False


def extent(board: Board, view: Symmetry) -> tuple[int, int]:
    return (board.width, board.height) if view.transposed else (board.height, board.width)


def _rulers(appearance: Appearance, board: Board) -> tuple[int, int]:
    """Return the lines above a board and the columns to its left that rulers need."""
    return 1, len(str(extent(board, appearance.view)[0])) + 1


class Origin(NamedTuple):
    """Row and column of the view in the upper left corner of the area; negative if the board is centred."""

    row: int
    column: int


class SquareSize(NamedTuple):
    """Columns and rows of the screen per square; ``is_picture``: drawn as part of a picture."""

    columns: int
    rows: int
    is_picture: bool = False

    @property
    def is_tile(self) -> bool:
        """True if squares are large enough to be drawn in pixels."""
        return self.rows > 1


_TEXT_SIZES = (SquareSize(1, 1), SquareSize(2, 1))
_TILE_SIZES = tuple(SquareSize(pixels, pixels // 2) for pixels in SIZES)
_PICTURE_SIZES = tuple(SquareSize(columns, columns // 2, is_picture=True) for columns in (2, *SIZES))


class BoardPlace(Value):
    """The place of a board on the screen: an area, the origin shown there, and the size of a square.

    ``stride``, ``width`` and ``height`` are the board's, in squares. Rows and columns are in the ``view``. A board that
    fits is centred; rulers are outside the area.
    """

    area: Area
    origin: Origin
    size: SquareSize
    stride: int
    width: int
    height: int
    view: Symmetry = UPRIGHT
    has_rulers: bool = False

    @property
    def is_turned(self) -> bool:
        return self.view != UPRIGHT

    @property
    def extent(self) -> tuple[int, int]:
        return (self.width, self.height) if self.view.transposed else (self.height, self.width)

    @property
    def _slack(self) -> tuple[int, int]:
        """Rows and columns of the screen by which tiles are shifted to centre the board."""
        if not self.size.is_tile:
            return 0, 0
        rows = self.area.height - self.extent[0] * self.size.rows
        columns = self.area.width - self.extent[1] * self.size.columns
        return max(0, rows) // 2 % self.size.rows, max(0, columns) // 2 % self.size.columns

    @property
    def shown(self) -> tuple[range, range]:
        """The visible rows and columns of the view."""
        height, width = self.area.height // self.size.rows, self.area.width // self.size.columns
        rows, columns = self.extent
        return (
            range(max(0, self.origin.row), min(rows, self.origin.row + height)),
            range(max(0, self.origin.column), min(columns, self.origin.column + width)),
        )

    @property
    def is_whole(self) -> bool:
        return [len(part) for part in self.shown] == [*self.extent]

    def square_at(self, row: int, column: int) -> Square | None:
        """Return the visible square that covers a cell of the screen, None for none."""
        below, right = self._slack
        row = (row - self.area.top - below) // self.size.rows + self.origin.row
        column = (column - self.area.left - right) // self.size.columns + self.origin.column
        rows, columns = self.shown
        return self.square_in(row, column) if row in rows and column in columns else None

    def square_in(self, row: int, column: int) -> Square:
        """Return the square in a row and column of the view."""
        if self.is_turned:
            row, column = self.view.inverse.place(row, column, *self.extent)
        return row * self.stride + column

    def position_of(self, square: Square) -> tuple[int, int]:
        """Return a square's row and column in the view."""
        row, column = divmod(square, self.stride)
        return self.view.place(row, column, self.height, self.width) if self.is_turned else (row, column)

    def cell_of(self, square: Square) -> tuple[int, int] | None:
        """Return the upper left cell of a square on the screen; None if it is not visible."""
        row, column = self.position_of(square)
        rows, columns = self.shown
        return self.corner_of(row, column) if row in rows and column in columns else None

    def cursor_on(self, square: Square) -> tuple[int, int]:
        """Return the cursor's cell for a square: the first of its last line, in pictures its first."""
        top, left = self.corner_of(*self.position_of(square))
        return (top if self.size.is_picture else top + self.size.rows - 1), left

    def player_in(self, stance: Stance) -> str:
        """Return the player's sprite as seen in the view."""
        return player_in(stance._replace(facing=self.view.direction(stance.facing)))

    def corner_of(self, row: int, column: int) -> tuple[int, int]:
        """Return the upper left cell on the screen for a row and column of the view."""
        below, right = self._slack
        return (
            self.area.top + below + (row - self.origin.row) * self.size.rows,
            self.area.left + right + (column - self.origin.column) * self.size.columns,
        )


def too_small(size: Size) -> Frame | None:
    """Return a notice for a window that is too small, None if it is large enough."""
    rows, columns = SMALLEST
    if size.rows >= rows and size.columns >= columns:
        return None
    canvas = Canvas(max(1, size.rows), max(1, size.columns))
    needed, have = f"{columns}x{rows}", f"{size.columns}x{size.rows}"
    line = _("needs {needed}, have {size}", needed=needed, size=have)
    lines = [line]
    if text_width(line) > size.columns:
        # Translators: the size of a window that is too small, on two short lines.
        lines = [_("needs {needed},", needed=needed), _("have {size}", size=have)]
    for row, text in enumerate([*lines, _("{key} quits", key="q")]):
        canvas.put(row, 0, text)
    return canvas.frame()


def square_sizes(theme: Theme) -> tuple[SquareSize, ...]:
    """Return the square sizes of a theme, smallest first."""
    if theme.has_pictures:
        return _TEXT_SIZES[:1] + _PICTURE_SIZES
    return _TEXT_SIZES + _TILE_SIZES if theme.has_tiles else _TEXT_SIZES


def square_size(appearance: Appearance, board: Board, height: int, width: int) -> SquareSize:
    """Return the largest square size at which the board fits the height and width, in cells.

    With a zoom set: the largest up to it that shows the player's surroundings. Text may scroll vertically.
    """
    sizes = square_sizes(appearance.theme)
    rows, columns = extent(board, appearance.view)
    if appearance.has_rulers:
        above, left = _rulers(appearance, board)
        height, width = height - above, width - left
    if appearance.zoom:
        sizes = tuple(size for size in sizes if size.columns <= appearance.zoom)
        rows, columns = min(rows, _SURROUNDINGS), min(columns, _SURROUNDINGS)
    fitting = [one for one in sizes if columns * one.columns <= width and (one.rows == 1 or rows * one.rows <= height)]
    return max(fitting, default=sizes[0])


def scrolled(origin: int, focus: int, length: int, shown: int) -> int:
    """Return the origin of a viewport of ``shown`` squares on ``length`` squares, with ``focus`` well inside.

    It moves only when the focus comes within EDGE of an end, then by half the viewport. A board that fits is centred,
    with a negative origin.
    """
    if length <= shown:
        return -((shown - length) // 2)
    last = length - shown
    origin = max(0, min(origin, last))
    edge = min(EDGE, (shown + 1) // 4)
    if focus < origin + edge:
        origin -= shown // 2
    elif focus >= origin + shown - edge:
        origin += shown // 2
    if not origin + edge <= focus < origin + shown - edge:  # else the next frame would jump again
        origin = focus - shown // 2
    return max(0, min(origin, last))


def place_board(
    board: Board,
    focus: Square,
    area: Area,
    size: SquareSize,
    before: BoardPlace | None = None,
    appearance: Appearance | None = None,
) -> BoardPlace:
    """Return the place that shows ``focus``, scrolled as little as possible; ``appearance`` sets view and rulers."""
    view, has_rulers = UPRIGHT, False
    if appearance is not None:
        view, has_rulers = appearance.view, appearance.has_rulers
    if appearance is not None and has_rulers:
        above, left = _rulers(appearance, board)
        area = Area(area.top + above, area.left + left, max(1, area.height - above), max(1, area.width - left))
    origin = before.origin if before is not None and before.view == view else Origin(0, 0)
    place, wanted = before, (area, size, view, board.width, board.height)
    if place is None or (place.area, place.size, place.view, place.width, place.height) != wanted:
        place = BoardPlace(
            area, origin, size, board.stride, board.width, board.height, view=view, has_rulers=has_rulers
        )
    row, column = place.position_of(focus)
    rows, columns = place.extent
    scrolled_to = Origin(
        scrolled(origin.row, row, rows, area.height // size.rows),
        scrolled(origin.column, column, columns, area.width // size.columns),
    )
    return place if scrolled_to == origin else place._replace(origin=scrolled_to)


def fit_board(
    board: Board, focus: Square, area: Area, appearance: Appearance, before: BoardPlace | None = None
) -> BoardPlace:
    """Place a board as ``place_board`` does, with squares of the chosen size or as large as fit."""
    size = square_size(appearance, board, area.height, area.width)
    return place_board(board, focus, area, size, before, appearance)


def draw_board(
    canvas: Canvas,
    place: BoardPlace,
    level: Level,
    state: State,
    theme: Theme,
    dead: Bitboard = 0,
    stance: Stance = Stance(),  # noqa: B008 - a value
) -> tuple[int, int]:
    """Draw the visible part of a board; return the cell of the player. ``dead``: boxes that prove a deadlock."""
    if place.size.is_picture:
        from sokoterm.tui.widgets.pictures import put_board  # only if pictures are shown

        put_board(canvas, place, level, state, dead, stance)
    elif not level.board.is_ordinary or place.is_turned:
        _draw_sights(canvas, place, level, state, theme, dead, place.player_in(stance))
    else:
        _draw_ordinary(canvas, place, level, state, theme, dead, place.player_in(stance))
    is_seen = all(place.shown)
    if is_seen and not place.is_whole:
        _draw_edge_marks(canvas, place, level.board, state)
    if is_seen and place.has_rulers:
        _draw_rulers(canvas, place)
    return place.cursor_on(state.player)


def _draw_ordinary(
    canvas: Canvas, place: BoardPlace, level: Level, state: State, theme: Theme, dead: Bitboard, player: str
) -> None:
    """Draw the visible part of a board without colours and ice, in the view as written."""
    width, is_tile = place.size.columns, place.size.is_tile
    glyphs = theme.narrow if width == 1 else theme.wide
    rows, columns = place.shown
    top, left = place.corner_of(rows.start, columns.start)
    for row, whole in zip(rows, level.cells(state, rows), strict=True):
        cells = whole[columns.start : columns.stop]
        dead_row = dead >> row * level.board.stride + columns.start & (1 << len(columns)) - 1
        floor = level.board.floor >> row * level.board.stride + columns.start
        if is_tile:
            things = [things_on(cell, player, is_dead=bool(dead_row >> i & 1)) for i, cell in enumerate(cells)]
            drawn = [draw_tile(width, each, is_floor=bool(floor >> i & 1)) for i, each in enumerate(things)]
            _put_tiles(canvas, (top, left), drawn)
            top += place.size.rows
            continue
        if theme.is_painted:
            cells = [GUILTY if dead_row >> i & 1 else cell for i, cell in enumerate(cells)]
            cell_styles = [paint(cell, is_floor=bool(floor >> i & 1)) for i, cell in enumerate(cells)]
        else:
            cell_styles = [*map(styles.CELL_STYLES.__getitem__, cells)]
            if dead_row:
                cell_styles = [styles.DEAD if dead_row >> i & 1 else style for i, style in enumerate(cell_styles)]
        text = "".join([glyphs.get(cell, cell * width) for cell in cells])
        canvas.put_cells(top, left, text, "".join([style * width for style in cell_styles]))
        top += 1


def _draw_edge_marks(canvas: Canvas, place: BoardPlace, board: Board, state: State) -> None:
    """Mark the sides where the board continues, near the middle, on a wall where possible."""
    (rows, columns), (height, width), size = place.shown, place.extent, place.size
    things, mark = state.boxes | board.goals, (" ^ ", " v ", "< ", " >") if size.is_tile else "^v<>"
    across, middle, right = (size.columns - len(mark[0])) // 2, (size.rows - 1) // 2, size.columns - len(mark[3])

    def rank(square: Square) -> int:
        return 2 if things >> square & 1 else board.floor >> square & 1

    # The mark, does the board continue, the mark's cell in its square, the squares of the side.
    for sign, goes_on, cell, side in (
        (mark[0], rows.start > 0, (0, across), [(rows[0], column) for column in columns]),
        (mark[1], rows.stop < height, (size.rows - 1, across), [(rows[-1], column) for column in columns]),
        (mark[2], columns.start > 0, (middle, 0), [(row, columns[0]) for row in rows]),
        (mark[3], columns.stop < width, (middle, right), [(row, columns[-1]) for row in rows]),
    ):
        spots = sorted(side, key=lambda spot: abs(2 * (sum(spot) - sum(side[0])) + 1 - len(side)))
        free = [spot for spot in spots if place.square_in(*spot) != state.player]
        if goes_on and free:
            top, left = place.corner_of(*min(free, key=lambda spot: rank(place.square_in(*spot))))
            canvas.put(top + cell[0], left + cell[1], sign, styles.PICKED)


def _draw_rulers(canvas: Canvas, place: BoardPlace) -> None:
    (rows, columns), size = place.shown, place.size
    by_row, by_column = (1, 0) if place.view.transposed else (0, 1)
    for row in rows:
        number = str(divmod(place.square_in(row, columns.start), place.stride)[by_row] + 1)
        top, left = place.corner_of(row, columns.start)
        canvas.put(top + (size.rows - 1) // 2, left - 1 - len(number), number, styles.QUIET)
    numbers = [divmod(place.square_in(rows.start, column), place.stride)[by_column] + 1 for column in columns]
    longest = len(str(max(numbers)))
    step = next(step for step in (1, 2, 5, 10) if step * size.columns > longest)
    for column, counted in zip(columns, numbers, strict=True):
        if counted % step == 0:
            top, left = place.corner_of(rows.start, column)
            text = str(counted)
            off = (size.columns - len(text)) // 2 if size.is_tile else size.columns - len(text)
            canvas.put(top - 1, left + off, text, styles.QUIET)


def _draw_sights(
    canvas: Canvas, place: BoardPlace, level: Level, state: State, theme: Theme, dead: Bitboard, player: str
) -> None:
    from sokoterm.tui.widgets.sights import Sights, text_of, tile_of  # not for ordinary boards

    width, is_tile, (rows, columns) = place.size.columns, place.size.is_tile, place.shown
    sights, is_dead_at = Sights(level, state), tester(dead, level.board.size)
    for row in rows:
        drawn = list[Tile]()
        for column in columns:
            square = place.square_in(row, column)
            sight, is_floor, is_dead = sights.at(square), sights.is_floor(square), is_dead_at(square)
            if is_tile:
                drawn.append(tile_of(width, sight, player, (GUILTY,) * is_dead, is_floor=is_floor))
            else:
                drawn.append((text_of(sight, theme, width, is_floor=is_floor, is_dead=is_dead),))
        _put_tiles(canvas, place.corner_of(row, columns.start), drawn)


def _put_tiles(canvas: Canvas, corner: tuple[int, int], drawn: Iterable[Tile]) -> None:
    for row, line in enumerate(zip(*drawn, strict=True), start=corner[0]):
        texts, cell_styles = zip(*line, strict=True)
        canvas.put_cells(row, corner[1], "".join(texts), "".join(cell_styles))


def put_tile(canvas: Canvas, corner: tuple[int, int], tile: Tile) -> None:
    """Draw a tile with its upper left corner at a row and column."""
    for row, (text, cell_styles) in enumerate(tile, start=corner[0]):
        canvas.put_cells(row, corner[1], text, cell_styles)


def mark_squares(
    canvas: Canvas,
    place: BoardPlace,
    level: Level,
    state: State,
    squares: Iterable[Square],
    theme: Theme,
    style: str,
    *,
    text: str = "",
    over: tuple[str, ...] = (),
    label: str = "",
) -> None:
    """Redraw visible squares in a style, with a ``text`` if given; tiles get the sprites ``over`` them and a label."""
    from sokoterm.tui.widgets.sights import Sights, text_of, tile_of  # not for ordinary boards

    sights, columns = Sights(level, state), place.size.columns
    for square in squares:
        corner, sight = place.cell_of(square), sights.at(square)
        if corner is None:
            continue
        if not (place.size.is_tile or place.size.is_picture):
            shown = text or text_of(sight, theme, columns)[0]
            canvas.put(*corner, shown.ljust(columns)[:columns], style)
            continue
        if place.size.is_picture:
            from sokoterm.tui.widgets.pictures import put_mark  # only if pictures are shown

            for name in over:
                put_mark(canvas, corner, place.size, name, sight.box)
        else:
            put_tile(canvas, corner, tile_of(columns, sight, over=over, is_floor=sights.is_floor(square)))
        row, column = corner[0] + (place.size.rows - 1) // 2, corner[1] + (columns - len(label)) // 2
        canvas.put(row, column, label, styles.CHOSEN)


@lru_cache(maxsize=2)
def comment_lines(comment: str, columns: int) -> Sequence[str]:
    return folded(comment, columns) if comment else []


class Chrome(Value):
    """Rows of the lines around the board (-1: hidden) and its area; a ``panel`` replaces header, comment and footer."""

    header: int
    comment: int
    status: int
    footer: int
    board: Area
    panel: Area | None = None

    def draw(self, canvas: Canvas, title: str, comment: str, hints: Hints) -> None:
        """Draw the visible lines around a board: title, comment and keys."""
        if self.header >= 0:
            canvas.draw_title(title, self.header)
        if self.comment >= 0:
            lines, last = comment_lines(comment, canvas.width), self.board.top - self.comment - 1
            shown = [*lines[:last], cut_at_a_word(" ".join(lines[last : last + 2]), canvas.width)]
            for row, line in enumerate(shown, self.comment):
                canvas.put(row, 0, line, styles.QUIET)
        if self.footer >= 0:
            canvas.draw_keys(self.footer, hints)


def place_chrome(size: Size, board: Board, appearance: Appearance, *, comment_rows: int) -> Chrome:
    """Return the layout around a board: a panel beside it in a wide window, else lines above and below.

    Header and status are always shown, comment and footer if there is room. The comment is dropped first, since the
    keys help more, and it takes more than one of its ``comment_rows`` only from what the board leaves free.
    """
    panel = min(max(_PANEL, size.columns // 4), _WIDEST_PANEL)
    width = size.columns - panel - 1
    board_height, across = extent(board, appearance.view)
    above, left = _rulers(appearance, board) if appearance.has_rulers else (0, 0)
    alone = square_size(appearance, board, size.rows - 3 - bool(comment_rows), size.columns)
    if size.columns >= _WIDE and (
        not width < across * alone.columns + left <= size.columns
        or not appearance.zoom
        and square_size(appearance, board, size.rows - 2, width).is_tile
    ):
        height = size.rows - 2
        return Chrome(-1, -1, size.rows - 1, -1, Area(0, 0, height, width), Area(0, width + 1, height, panel - 1))
    board_height = board_height * alone.rows + above
    one = min(1, comment_rows)
    choices = [(comment_rows, 1), (one, 1), (0, 1), (one, 0), (0, 0)]
    fitting = (choice for choice in choices if size.rows - 2 - sum(choice) >= board_height)
    comment, footer = next(fitting, (0, size.rows > 7))
    top = 1 + comment
    height = size.rows - top - 1 - footer
    area = Area(top, 0, height, size.columns)
    return Chrome(0, 1 if comment else -1, top + height, size.rows - 1 if footer else -1, area)
