"""Lists: the chosen row, scrolling, and lines laid out in columns."""

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


def pack_line(mark: str, name: str, figures: str, width: int) -> str:
    """Return a line of the list of packs."""
    name_width = max(4, width - len(figures) - 4)
    return f"{mark or ' '} {_padded(name, name_width)} {figures}"[:width].ljust(width)


def level_line(mark: str, number: str, title: str, size: str, boxes: str, moves: str, pushes: str, width: int) -> str:
    """Return a line of the list of levels; a narrow one leaves out the size and then the boxes, never a date."""
    tail = f" {moves:>5} {pushes:>6}" if width < 36 else f" {moves:>6} {pushes:>6}"
    if width >= 36:
        tail = f" {boxes:>5}" + tail
    if width >= 44:
        tail = f" {size:>7}" + tail
    name_width = max(1, width - len(tail) - 7)
    return f"{mark}{number:>5} {_padded(title, name_width)}{tail}"[:width].ljust(width)


def _padded(text: str, width: int) -> str:
    cut = clipped(text, width)
    return cut + " " * (width - text_width(cut))
