"""Lists: the chosen row, scrolling, and lines laid out in columns."""

from collections.abc import Mapping

from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.card import CardText, Line
from sokoterm.tui.widgets.frame import PLAIN
from sokoterm.wording.columns import clipped, text_width

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

    def row_at(self, line: int, length: int, page: int) -> int | None:
        """Return the row on a line of the list as it was shown last, if there is one."""
        row = self.first + line
        return row if 0 <= line < page and row < length else None

    def scroll(self, length: int, page: int) -> None:
        """Scroll by half a page if the chosen row has left the screen."""
        self.index = max(0, min(self.index, length - 1))
        if not self.first <= self.index < self.first + page:
            self.first = self.index - page // 2
        self.first = max(0, min(self.first, length - page))


COLUMN_WIDTHS = {"size": 7, "boxes": 5, "hard": 5, "moves": 6, "pushes": 6}
"""The columns of a list of levels behind the title, by their heads."""

_BAR = 6  # columns of a bar


def pack_line(mark: str, name: str, figures: str, width: int, bar: Line = ()) -> Line:
    """Return a line of the list of packs: its mark, its name, a bar if there is one, and figures."""
    name_width = max(4, width - len(figures) - 4 - (_BAR + 1 if bar else 0))
    gap = (CardText(" "), *bar) if bar else ()
    return marked(mark, CardText(f" {_padded(name, name_width)}"), *gap, CardText(f" {figures}"))


def level_line(mark: str, number: str, title: str, figures: Mapping[str, str], width: int) -> Line:
    """Return a line of the list of levels; ``figures`` are those of COLUMN_WIDTHS that are shown.

    A narrow one has less room for the moves, but never cuts a date.
    """
    tail = "".join(
        f" {text:>{COLUMN_WIDTHS[name] - (name == 'moves' and width < 36)}}" for name, text in figures.items()
    )
    name_width = max(1, width - len(tail) - 7)
    return marked(mark, CardText(f"{number:>5} {_padded(title, name_width)}{tail}"[: width - 1]))


def marked(mark: str, *parts: CardText) -> Line:
    """Return a line that begins with a mark, in its colour."""
    return (CardText(mark or " ", _MARK_STYLES.get(mark, PLAIN)), *parts)


def bar_line(done: int, total: int, *, has_lines: bool) -> Line:
    """Return a bar of what is done, which is full or empty only if all or nothing is."""
    filled = done * _BAR // total if total else 0
    filled = max(filled, 1) if done else 0
    full, rest = "━─" if has_lines else "=-"
    return (CardText(full * filled, styles.GOOD), CardText(rest * (_BAR - filled), styles.QUIET))


_MARK_STYLES = {"*": styles.GOOD, "+": styles.KEY, "~": styles.WARNING, "!": styles.MARK_DEAD}


def _padded(text: str, width: int) -> str:
    cut = clipped(text, width)
    return cut + " " * (width - text_width(cut))
