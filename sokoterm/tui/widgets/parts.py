"""Lines shared by all screens: keys, tables, stars and gauges; and the cursor of a list."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import NamedTuple

from sokoterm.app.keymap import shown
from sokoterm.language import _, pgettext
from sokoterm.store.known_levels import MOST_STARS
from sokoterm.terminal.events import Pointer
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.frame import PLAIN, CardText, Frame, Line
from sokoterm.wording.columns import clipped, padded, text_width
from sokoterm.wording.standing import FigureRow

WHEEL_LINES = 3
"""Lines per notch of the mouse wheel."""


# Keys


@lru_cache(maxsize=32)
def key_row(hints: tuple[tuple[str, str], ...], room: int) -> Line:
    """Return the keys that fit, preferring the help, then the way back, then (in wide windows) the way out."""
    kept = list(hints)
    has_chips = sum(text_width("".join(hint)) + _CHIP for hint in hints) <= room
    if not has_chips and text_width("  ".join(map(" ".join, kept))) > room:
        way_out = [_("quit")] if room >= _WITH_WAY_OUT else []
        first = (_("help"), shown("esc"), *way_out, shown("enter"), "R", _("quit"))
        most_needed = sorted(hints, key=lambda hint: min(first.index(each) if each in first else 9 for each in hint))
        kept.clear()
        for hint in most_needed:
            width = text_width(" ".join(hint))
            if width <= room:
                kept.append(hint)
                room -= width + _KEY_GAP
        kept.sort(key=hints.index)
    gap = CardText(" " * _KEY_GAP)
    return [part for hint in kept for part in (gap, *_key_cell(hint, has_chips=has_chips))][1:]


def _key_cell(hint: tuple[str, str], *, has_chips: bool, keys: int = 0) -> Line:
    """Return a key and its label, as a chip or as short as possible; ``keys`` is the width of the key column."""
    key, label = hint
    chip = CardText(f" {key} ", styles.CHIP) if has_chips else CardText(key, styles.KEY)
    return chip, CardText(f"{' ' * (keys - text_width(key))} {label}")


@lru_cache(maxsize=8)
def key_lines(hints: tuple[tuple[str, str], ...], width: int) -> Sequence[Line]:
    """Return keys and labels in two columns, row by row; one that is too wide for a column gets a line."""
    sides = [max((text_width(key) for key, __ in hints[side::2]), default=0) for side in (0, 1)]
    lines = _paired_keys(hints, width, sides)
    has_pairs_only = len(lines) == (len(hints) + 1) // 2
    return lines if has_pairs_only else _paired_keys(hints, width, [max(sides)] * 2)


def _paired_keys(hints: tuple[tuple[str, str], ...], width: int, keys: Sequence[int]) -> Sequence[Line]:
    """Return keys in pairs; ``keys`` are the widths of the two key columns."""
    cells = [_key_cell((key, label.strip()), has_chips=True, keys=keys[i % 2]) for i, (key, label) in enumerate(hints)]
    widths = [*map(line_width, cells)]
    column = max(width // 2, max(widths[::2], default=0) + _KEY_GAP)
    if column + max(widths[1::2], default=0) > width:
        column = width // 2
    lines = list[Line]()
    while cells:
        is_pair = len(cells) > 1 and widths[0] + _KEY_GAP <= column and column + widths[1] <= width
        gap = CardText(" " * (column - widths[0]))
        lines.append((*cells[0], gap, *cells[1]) if is_pair else cells[0])
        del cells[: 1 + is_pair], widths[: 1 + is_pair]
    return lines


def key_at(frame: Frame, row: int, column: int) -> str:
    """Return the key at a place of a frame, also for its label, as shown to the player; "" for none."""
    text, drawn = frame.rows[row]
    is_last = row == len(frame.rows) - 1
    # Only the last row uses KEY just for keys.
    runs = groupby(range(len(drawn)), lambda at: drawn[at] == styles.CHIP or is_last and drawn[at] == styles.KEY)
    keys = [[*run] for is_key, run in runs if is_key]
    for key, after in zip(keys, [*(key[0] for key in keys[1:]), len(text)]):
        end = key[-1] + 1
        label = re.match(r" *\S+(?: \S+)*", text[end:after])
        if key[0] <= column < end + (label.end() if label is not None else 0):
            return text[key[0] : end].strip()
    return ""


_KEY_GAP = 2  # columns between two keys
_WITH_WAY_OUT = 40  # columns from which a row of keys keeps "quit"
_CHIP = _KEY_GAP + len("   ")  # columns of a chip besides its texts


# Lines


def plain_lines(texts: Iterable[str], style: str = PLAIN) -> list[Line]:
    return [(CardText(text, style),) for text in texts]


def at_both_ends(first: CardText, *rest: CardText, width: int) -> Line:
    """Return a line with one text at its left end and the others at its right end."""
    return (first, CardText(" " * (width - line_width((first, *rest)))), *rest)


def label_lines(rows: Iterable[tuple[str, str]], width: int) -> list[Line]:
    """Return a line with a label at the left and a figure at the right end for each row that has a figure."""
    return [at_both_ends(CardText(label, styles.QUIET), CardText(text), width=width) for label, text in rows if text]


def two_columns(left: str, right: str, column: int, style: str) -> Line:
    """Return a table line: a text in a style, and its description at a column."""
    left = clipped(left, column - 1)
    return (CardText(left, style), CardText(" " * (column - text_width(left)) + right))


def beside(columns: Sequence[Sequence[Line]], width: int) -> list[Line]:
    """Return columns of lines side by side, each ``width`` columns wide."""
    lines = list[Line]()
    for cells in zip_longest(*columns, fillvalue=()):
        line, used = list[CardText](), 0
        for at, cell in enumerate(cells):
            if cell:
                line += CardText(" " * (at * width - used)), *cell
                used = at * width + sum(text_width(part.text) for part in cell)
        lines.append(line)
    return lines


# Lists in columns


class Choice:
    """The chosen row of a list, and the ``first`` one on the screen; ``passed`` (or -1) is a row never chosen."""

    def __init__(self, index: int = 0) -> None:
        self.index = index
        self.first = 0
        self.passed = -1

    def move(self, action: str, length: int, page: int) -> None:
        steps = {
            "up": -1, "down": 1, "page up": -page, "page down": page, "first": -length, "last": length,
        }  # fmt: skip
        self._go(max(0, min(self.index + steps.get(action, 0), length - 1)))

    def page(self, length: int) -> slice:
        """Return the rows on a screen with room for ``length``."""
        return slice(self.first, self.first + length)

    def _go(self, index: int) -> None:
        self.index = index + (0 if index != self.passed else 1 if index >= self.index else -1)

    def point(self, pointer: Pointer, length: int, lines: range) -> int | None:
        """Scroll by the wheel, keeping the choice visible, or return the row clicked among ``lines`` of the screen."""
        page = len(lines)
        if pointer.button.startswith("wheel"):
            step = WHEEL_LINES if pointer.button == "wheel down" else -WHEEL_LINES
            self.first = first = max(0, min(self.first + step, length - page))
            self._go(max(first, min(self.index, first + page - 1, length - 1)))
            return None
        row = self.first + pointer.row - lines.start
        return row if pointer.row in lines and row < length and row != self.passed else None

    def scroll(self, length: int, page: int) -> None:
        """Scroll by half a page if the chosen row is off the screen."""
        self.index = max(0, min(self.index, length - 1))
        if not self.first <= self.index < self.first + page:
            self.first = self.index - page // 2
        self.first = max(0, min(self.first, length - page))


def star_line(count: int, gap: str = "") -> Line:
    """Return the stars of a level, with dots for those not yet earned, separated by ``gap``."""
    signs = [f"{gap if at else ''}{'*' if at < count else '.'}" for at in range(MOST_STARS)]
    return CardText("".join(signs[:count]), styles.ACCENT), CardText("".join(signs[count:]), styles.QUIET)


def to_right(text: str, width: int) -> str:
    """Right-align a text in a column."""
    return " " * (width - text_width(text)) + text


def fitted(text: str, width: int) -> str:
    """Clip or pad a text to a width."""
    return padded(clipped(text, width), width)


_LABELS, _MOVES, _PUSHES = 16, 7, 8  # minimum widths of columns in a table of figures
_COLUMN_GAP = 2  # least gap between two of them


def figure_lines(rows: Sequence[FigureRow], width: int, first_style: str = PLAIN, style: str = PLAIN) -> list[Line]:
    """Return the table of figures with its heading, nothing without rows; labels are clipped, figures never."""
    if not rows:
        return []
    heading = FigureRow("", pgettext("heading of a column", "moves"), pgettext("heading of a column", "pushes"))
    table = [heading, *rows]
    labels = max(_LABELS, *(text_width(row.label) + 1 for row in table))
    moves = max(_MOVES, *(text_width(row.moves) + _COLUMN_GAP for row in table))
    pushes = max(_PUSHES, *(text_width(row.pushes) + _COLUMN_GAP for row in table))
    labels = max(0, min(labels, width - moves - pushes))
    row_styles = [styles.QUIET, first_style, *[style] * len(rows)]
    return [
        (CardText(fitted(row.label, labels) + to_right(row.moves, moves) + to_right(row.pushes, pushes), style),)
        for row, style in zip(table, row_styles)
    ]


# Gauges


def gauge(done: float, total: float, width: int, marked: Iterable[range] = ()) -> Line:
    """Return a progress bar that is empty or full only if nothing or all is done; ``marked`` ranges are highlighted."""
    halves = int(2 * width * done / total) if total else 0
    halves = min(max(halves, 1), 2 * width - (done < total)) if done else 0
    style = styles.GOOD if done and done >= total else styles.ACCENT
    filled = "━" * (halves // 2) + "╸" * (halves % 2)
    cells = [(cell, style) for cell in filled] + [("─", styles.QUIET)] * (width - len(filled))
    for part in marked:
        first, last = int(part.start * width / total), int(part.stop * width / total)
        for at in range(max(0, first), min(width, max(last, first + 1))):
            cells[at] = "╋" if at < len(filled) else "┿", styles.GOOD
    return joined(cells)


def joined(cells: Iterable[tuple[str, str]]) -> Line:
    """Return a line of texts and styles, merging neighbours of one style."""
    return [CardText("".join(text for text, __ in run), style) for style, run in groupby(cells, itemgetter(1))]


def bars(values: Sequence[float], height: int, most: float = 0) -> list[str]:
    """Return the rows, top first, of one-column bars in eighths of a block, scaled to the maximum or ``most``."""
    most = max(most, *values, 1e-9) if values else 1
    eighths = [max(round(8 * height * value / most), 1 if value else 0) for value in values]
    return ["".join(_EIGHTHS[max(0, min(8, each - 8 * row))] for each in eighths) for row in reversed(range(height))]


_EIGHTHS = " ▁▂▃▄▅▆▇█"


class Card(NamedTuple):
    """Lines below a title, in a frame or in the panel."""

    title: str
    lines: Sequence[Line] = ()
    style: str = styles.TITLE


def line_width(line: Line) -> int:
    return sum(text_width(part.text) for part in line)


def centred(lines: Sequence[Line], width: int) -> list[Line]:
    return [(CardText(" " * ((width - line_width(line)) // 2)), *line) for line in lines]
