"""The canvas of screens: only it and parts.py decide how titles, keys, lists, panes and frames look."""

from collections.abc import Sequence
from functools import lru_cache

from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.frame import (
    GROUND,
    MARGIN,
    PICTURE,
    PLAIN,
    Area,
    CardText,
    Frame,
    Hints,
    Line,
    Placement,
    Row,
    StatusText,
    with_text,
)
from sokoterm.tui.widgets.parts import beside, fitted, key_row
from sokoterm.wording.columns import WIDE_FILLER, clipped, columns_of, cut_at_a_word, is_simple, padded, text_width

_EDGES = 10  # columns of a frame besides its title and figures
_TILE_ROWS = 4  # of a framed figure


class Canvas:
    """A frame in the making, which clips text at its edges."""

    def __init__(self, height: int, width: int) -> None:
        self.height = height
        self.width = width
        self._text = [[" "] * width for _ in range(height)]
        self._has_wide = False
        self._styles = [[PLAIN] * width for _ in range(height)]
        self._pictures = list[Placement]()

    def put(self, row: int, column: int, text: str, style: str = PLAIN) -> int:
        """Write text and return the column after it."""
        cells = text
        if not is_simple(text):
            cells = _cells(text) if len(text) <= self.width else "".join(columns_of(text))
            self._has_wide = self._has_wide or WIDE_FILLER in cells
        return self.put_cells(row, column, cells, style * len(cells))

    def put_cells(self, row: int, column: int, cells: str, styles: str) -> int:
        """Write one narrow character and one style per column; return the column after them."""
        if 0 <= row < self.height:
            first = max(0, -column)
            end = max(first, min(len(cells), self.width - column))
            self._text[row][column + first : column + end] = cells[first:end]
            self._styles[row][column + first : column + end] = styles[first:end]
        return column + len(cells)

    def put_parts(self, row: int, column: int, parts: Sequence[tuple[str, str]]) -> int:
        """Write texts, each in its style, one after another; return the column after them."""
        text = "".join([each for each, __ in parts])
        if is_simple(text):
            return self.put_cells(row, column, text, "".join([style * len(each) for each, style in parts]))
        for each, style in parts:
            column = self.put(row, column, each, style)
        return column

    def put_picture(self, picture: Placement) -> None:
        """Place a picture; what is later written over a ground is drawn on top of everything there."""
        self._pictures.append(picture)
        if picture.layer == GROUND:
            for row in range(picture.row, picture.row + picture.rows):
                self.put_cells(row, picture.column, " " * picture.columns, PICTURE * picture.columns)

    def is_blank(self, row: int) -> bool:
        """True if nothing has been written on a line."""
        return all(each == " " for each in self._text[row])

    def frame(self, cursor: tuple[int, int] | None = None) -> Frame:
        """Return the finished frame, with the cursor in the lower right corner by default."""
        row, column = cursor or (self.height - 1, self.width - 1)
        place = (max(0, min(row, self.height - 1)), max(0, min(column, self.width - 1)))
        rows = [Row("".join(text), "".join(styles)) for text, styles in zip(self._text, self._styles, strict=True)]
        if self._has_wide:
            rows = [Row(_whole_characters(row.text), row.styles) for row in rows]
        return Frame(tuple(rows), place, with_text(self._pictures, self._styles) if self._pictures else ())

    def draw_title(self, text: str, row: int = 0, column: int = 0) -> None:
        self.put(row, column, clipped(text, self.width - column), styles.TITLE)

    def draw_message(self, row: int, message: StatusText, column: int = 0) -> int:
        """Draw a message from a column to the end of the row; return the column after it."""
        return self.put(row, column, cut_at_a_word(message.text, self.width - column, message.kept), message.style)

    def draw_page(self, message: StatusText, hints: Hints, title: str = "", more: str = "") -> int:
        """Draw a title with details, then a message and the keys at the bottom; return the column after the message."""
        self.draw_title(title)
        self.draw_message(0, StatusText(more, styles.QUIET), text_width(title) + 2)
        self.draw_keys(self.height - 1, hints)
        return self.draw_message(self.height - 2, message)

    def draw_keys(self, row: int, hints: Hints, column: int = 0) -> None:
        """Draw as many keys and their labels as fit whole, as chips if all fit."""
        self.put_parts(row, column, key_row(tuple(hints), self.width - column))

    def draw_list(self, area: Area, lines: Sequence[Line], chosen: int = -1, style: str = styles.CHOSEN) -> None:
        """Draw as many lines as fit, clipped to the area; the chosen one has a style across it."""
        for index, line in enumerate(lines[: max(0, area.height)]):
            if index == chosen:
                line = (CardText(padded("".join(part.text for part in line), area.width), style),)
            text = "".join([part.text for part in line])
            if len(text) <= area.width and is_simple(text):
                self.put_parts(area.top + index, area.left, line)
                continue
            column = area.left
            for part in line:
                text = clipped(part.text, max(0, area.left + area.width - column))
                column = self.put(area.top + index, column, text, part.style)

    def draw_rule(self, area: Area) -> None:
        for row in range(area.top, area.top + area.height):
            self.put_cells(row, area.left, "│", styles.QUIET)

    def draw_pane(self, area: Area, title: str, figures: str = "", *, has_focus: bool = False) -> Area:
        """Draw an empty pane with a title and, if they fit, figures in its upper edge; return the area inside."""
        inner, title_style = area.inside, styles.ACCENT if has_focus else styles.TITLE
        if inner.left != area.left:
            if text_width(title) + text_width(figures) + _EDGES > area.width:
                figures = ""
            self.draw_frame(area, title, title_style, figures and f" {figures} ")
            return inner
        column = area.left + area.width - text_width(figures)
        self.put(area.top, area.left, clipped(title, column - area.left - bool(figures)), title_style)
        self.put(area.top, column, figures, styles.QUIET)
        return inner

    def draw_frame(
        self, area: Area, title: str, title_style: str, figures: str = "", style: str = styles.QUIET
    ) -> None:
        """Draw an empty frame with a title and figures in its upper edge."""
        across, last = area.width - 2, area.top + area.height - 1
        self.put(area.top, area.left, f"╭{'─' * across}╮", style)
        for row in range(area.top + 1, last):
            self.put_parts(row, area.left, (("│", style), (" " * across, PLAIN), ("│", style)))
        self.put(last, area.left, f"╰{'─' * across}╯", style)
        if figures:
            self.put(area.top, area.left + area.width - text_width(figures) - 2, figures, styles.QUIET)
        if title:
            room = area.width - 2 * MARGIN - text_width(figures) - 2
            self.put(area.top, area.left + MARGIN, f" {clipped(title, room)} ", title_style)

    def draw_tiles(self, area: Area, tiles: Sequence[tuple[str, str, str]]) -> None:
        """Draw figures with labels and details: in frames side by side, in a low area as lines in two columns."""
        if area.height < _TILE_ROWS:
            labels, width = max(text_width(label) for label, *__ in tiles) + MARGIN, area.width // 2
            lines: list[Line] = [
                (
                    CardText(fitted(label, labels), styles.QUIET),
                    CardText(f"{figure}  ", styles.TITLE),
                    CardText(clipped(more, width - labels - text_width(figure) - MARGIN - (at + 1) % 2), styles.QUIET),
                )
                for at, (label, figure, more) in enumerate(tiles)
            ]
            self.draw_list(area, beside((lines[::2], lines[1::2]), width))
            return
        width = area.width // len(tiles)
        for place, (label, figure, more) in enumerate(tiles):
            tile = Area(area.top, area.left + place * width, _TILE_ROWS, width - 1)
            self.draw_frame(tile, label, styles.QUIET)
            lines = [(CardText(figure, styles.KEY),), (CardText(more, styles.QUIET),)]
            self.draw_list(Area(tile.top + 1, tile.left + MARGIN, 2, width - 1 - 2 * MARGIN), lines)


@lru_cache(maxsize=1024)
def _cells(text: str) -> str:
    """Return one character per column of a text, cached because frames and gauges rarely change."""
    return "".join(columns_of(text))


def _whole_characters(cells: str) -> str:
    """Return a line with blanks instead of halves of wide characters, left by clipping or overwriting."""
    whole = ""
    for index, cell in enumerate(cells):
        is_wide = text_width(cell) == 2
        has_filler = cells[index + 1 : index + 2] == WIDE_FILLER
        follows_wide = index > 0 and text_width(cells[index - 1]) == 2
        halved = not follows_wide if cell == WIDE_FILLER else is_wide and not has_filler
        whole += " " if halved else cell
    return whole
