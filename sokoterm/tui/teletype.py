"""A terminal that cannot move its cursor (TERM=dumb): prints each changed frame below the last one."""

from sokoterm.terminal.encoding import speaks_utf8
from sokoterm.terminal.output_line import Line
from sokoterm.terminal.posix_keys import PosixKeys
from sokoterm.tui.terminal import Terminal, terminal_size
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import SMALLEST
from sokoterm.tui.widgets.frame import Frame, Row, Size
from sokoterm.tui.widgets.sights import DEAD_LETTER, is_home_style

_BELOW = 2  # a blank line and the cursor's line


class PlainTerminal(Terminal):
    """Prints whole frames without their blank lines, with characters instead of styles."""

    shows_motion = False
    shows_tiles = may_picture = False

    def __init__(self) -> None:
        line = Line()
        super().__init__(line, PosixKeys(line))
        self._shown: Frame | None = None

    def size(self) -> Size:
        """Return the window's size without the lines below a frame, unless that makes it too small."""
        rows, columns = terminal_size()
        return Size(max(rows - _BELOW, min(rows, SMALLEST[0])), columns)

    def paint(self, frame: Frame) -> None:
        if self._line.is_busy or self._shown is not None and self._shown.rows == frame.rows:
            return
        self._shown = frame
        lines = [_plain_line(row) for row in frame.rows]
        text = "\n".join(line for line in lines if line) + "\n\n"
        encoding = "utf-8" if speaks_utf8() else "ascii"
        self._line.send_picture(text.encode(encoding, "replace"))

    def forget(self) -> None:
        self._shown = None


def _plain_line(row: Row) -> str:
    """Return a line as plain text: ``>`` before the choice, ``!`` for a dead box, ``*`` for a lettered box at home."""
    at = row.styles.find(styles.CHOSEN)
    if row.text[max(0, at - 2) : max(0, at)] == "│ ":  # the edge of a pane
        return f"{row.text[: at - 1]}>{row.text[at:]}".replace("\0", "").rstrip()
    text = row.text.replace("\0", "")
    if styles.DEAD in row.styles and "\0" not in row.text:
        cells = zip(row.text, row.styles, strict=True)
        text = "".join("!" if style == styles.DEAD else character for character, style in cells)
    if not all(map(str.isascii, row.styles)):  # styles of coloured boxes
        text = _marked_letters(text, row.styles)
    if styles.CHOSEN in row.styles:
        mark, rest = text[:1].strip(), text[1:]
        text = f">{mark}{rest.replace('  ', ' ', 1) if mark else rest}"  # no wider than the window
    return text.rstrip()


def _marked_letters(text: str, row_styles: str) -> str:
    marked = ""
    for index, (character, style) in enumerate(zip(text, row_styles, strict=True)):
        has_sign = index > 0 and not text[index - 1].isalnum() and row_styles[index - 1] == style
        is_home = is_home_style(style) and character.isupper() and not has_sign
        marked += "!" if style == DEAD_LETTER else "*" if is_home else character
    return marked
