"""Lists: the chosen row, scrolling, and lines laid out in columns."""

from collections.abc import Mapping
from types import MappingProxyType

from sokoterm.language import N_, _
from sokoterm.terminal.events import Pointer
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.frame import PLAIN
from sokoterm.tui.widgets.parts import CardText, Line
from sokoterm.wording.columns import clipped, padded, text_width

WHEEL_LINES = 3
"""Lines of one notch of a mouse wheel."""


class Choice:
    """The row of a list that is chosen, and the ``first`` one on the screen."""

    def __init__(self, index: int = 0) -> None:
        self.index = index
        self.first = 0

    def move(self, action: str, length: int, page: int) -> None:
        steps = {
            "up": -1, "down": 1, "page up": -page, "page down": page, "first": -length, "last": length,
        }  # fmt: skip
        self.index = max(0, min(self.index + steps.get(action, 0), length - 1))

    def turn(self, step: int, length: int, page: int) -> None:
        """Scroll by some lines; the chosen row is then the nearest one that is still on the screen."""
        first = max(0, min(self.first + step, length - page))
        self.index = max(first, min(self.index, first + page - 1, length - 1))
        self.first = first

    def point(self, pointer: Pointer, length: int, page: int) -> int | None:
        """Scroll by the wheel; return the row below another button, if there is one: rows begin on the third line."""
        if pointer.button.startswith("wheel"):
            self.turn(WHEEL_LINES if pointer.button == "wheel down" else -WHEEL_LINES, length, page)
            return None
        row = self.first + pointer.row - 2
        return row if 2 <= pointer.row < page + 2 and row < length else None

    def scroll(self, length: int, page: int) -> None:
        """Scroll by half a page if the chosen row has left the screen."""
        self.index = max(0, min(self.index, length - 1))
        if not self.first <= self.index < self.first + page:
            self.first = self.index - page // 2
        self.first = max(0, min(self.first, length - page))


# The columns of a list of levels behind the title: the head of each, and its least width.
_COLUMNS = {
    # Translators: heads of narrow columns, better at most 6 wide: the size of the board, its boxes, its difficulty, the
    # player's fewest moves and pushes.
    "size": (N_("size"), 7),
    "boxes": (N_("boxes"), 5),
    "hard": (N_("hard"), 5),
    "moves": (N_("moves"), 6),
    "pushes": (N_("pushes"), 6),
}
COLUMN_HEADS: Mapping[str, str] = MappingProxyType({name: head for name, (head, least) in _COLUMNS.items()})
"""The heads of the columns of a list of levels, to be translated."""

_WIDEST_HEAD = 9
_NARROW = 36  # columns of a list below which there is less room for the moves
BAR = 6  # columns of a bar


def pack_line(mark: str, name: str, figures: str, width: int, bar: Line = ()) -> Line:
    """Return a line of the list of packs: its mark, its name, a bar if there is one, and figures."""
    name_width = max(4, width - text_width(figures) - 4 - (BAR + 1 if bar else 0))
    gap = (CardText(" "), *bar) if bar else ()
    return marked(mark, CardText(f" {_padded(name, name_width)}"), *gap, CardText(f" {figures}"))


def level_line(mark: str, number: str, title: str, figures: Mapping[str, str], width: int) -> Line:
    """Return a line of the list of levels; ``figures`` are those of COLUMN_HEADS that are shown.

    A narrow one has less room for the moves, but never cuts a date.
    """
    tail = "".join(f" {to_right(text, _column_width(name, width))}" for name, text in figures.items())
    name_width = max(1, width - text_width(tail) - 7)
    return marked(mark, CardText(f"{number:>5} {_padded(title, name_width)}{tail}"[: width - 1]))


def _column_width(name: str, width: int) -> int:
    """Return the width of a column in a list of levels: there is room for its head, unless that is very long."""
    head, least = _COLUMNS[name]
    least -= name == "moves" and width < _NARROW
    return max(least, min(text_width(_(head)), _WIDEST_HEAD))


def to_right(text: str, width: int) -> str:
    """Return a text at the right end of a column; a longer one is cut."""
    cut = clipped(text, width)
    return " " * (width - text_width(cut)) + cut


def marked(mark: str, *parts: CardText) -> Line:
    """Return a line that begins with a mark, in its colour."""
    return (CardText(mark or " ", _MARK_STYLES.get(mark, PLAIN)), *parts)


_MARK_STYLES = {"*": styles.GOOD, "+": styles.KEY, "~": styles.WARNING, "!": styles.MARK_DEAD}


def _padded(text: str, width: int) -> str:
    return padded(clipped(text, width), width)
