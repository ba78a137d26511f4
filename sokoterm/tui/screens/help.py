"""The help overlay, made from the key table of the screen it was asked on."""

from sokoterm.app.keymap import HelpLine, Keymap, help_lines, shown
from sokoterm.app.request import Close
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.screens.still import StillScreen
from sokoterm.tui.terminal.pointer import Pointer
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, Size, draw_keys, too_small
from sokoterm.tui.widgets.frame import Canvas, Frame
from sokoterm.tui.widgets.lists import WHEEL_LINES
from sokoterm.tui.widgets.theme import cell_style
from sokoterm.wording.columns import clipped, text_width

_LEGEND = (("@", "you"), ("$", "box"), (".", "goal"), ("*", "box on goal"), ("+", "you on goal"), ("#", "wall"))


class HelpScreen(StillScreen):
    """The keys of a screen and then its legend, in pages where they do not fit."""

    keymap = Keymap("help", ())

    def __init__(self, subject: Keymap, turning: Keymap) -> None:
        """Pages are turned by the keys of ``turning``, those of the browser."""
        self._turning = turning
        self._all = help_lines(subject)
        if subject.legend:
            self._all += [HelpLine("", ""), *subject.legend]
        self._lines = self._all
        self._name = subject.name
        self._top = 0
        self._page = len(self._lines)

    @property
    def reads_text(self) -> bool:
        """Any key that does not turn a page closes the help, even q."""
        return True

    def tell(self, message: str, *, is_answer: bool = False) -> bool:  # noqa: ARG002 - this screen has no line for it
        return False

    def update(self, key: str) -> Reaction | None:
        last_top = max(0, len(self._lines) - self._page)
        match self._turning.find_action(key):
            case "down":
                top = self._top + 1
            case "up":
                top = self._top - 1
            case "page up":
                top = self._top - self._page
            case "page down" | "accept" if self._top < last_top:
                self._top += self._page  # the last page may be short: nothing is shown twice
                return None
            case _:
                return Close()
        self._top = max(0, min(top, last_top))
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """The wheel turns the lines, a click closes the help."""
        if pointer.button.startswith("wheel"):
            last_top = max(0, len(self._lines) - self._page)
            step = WHEEL_LINES if pointer.button == "wheel down" else -WHEEL_LINES
            self._top = max(0, min(self._top + step, max(self._top, last_top)))
            return None
        return Close() if pointer.is_press else None

    def view(self, size: Size, appearance: Appearance) -> Frame:
        if notice := too_small(size):
            return notice
        canvas = Canvas(*size)
        forms = (f"Keys: {self._name}. Push every box on to a goal; you cannot pull.", f"Keys: {self._name}")
        canvas.put(0, 0, clipped(forms[text_width(forms[0]) > size.columns], size.columns), styles.TITLE)
        self._draw_legend(canvas, appearance)
        self._page = size.rows - 3
        keys_width = min(max(len(line.keys) for line in self._all) + 2, size.columns // 2)
        self._lines = [part for line in self._all for part in _folded(line, keys_width - 1, size.columns - keys_width)]
        for row, line in enumerate(self._lines[self._top : self._top + self._page], start=2):
            canvas.put(row, 0, clipped(line.keys, keys_width - 1), styles.KEY)
            canvas.put(row, keys_width, clipped(line.text, size.columns - keys_width))
        more = self._top + self._page < len(self._lines)
        esc, turns = shown("esc"), self._turning.keys_of("accept")
        space = "space" if "space" in turns else turns[0]
        hints = [(shown(space), "more"), (esc, "back")] if more else [(esc, "or any other key: back")]
        draw_keys(canvas, size.rows - 1, hints)
        return canvas.frame()

    def _draw_legend(self, canvas: Canvas, appearance: Appearance) -> None:
        column = 0
        columns = appearance.cell or 2
        for cell, meaning in _LEGEND:
            if column + columns + 1 + len(meaning) > canvas.width:
                break
            column = canvas.put(1, column, appearance.theme.glyph(cell, columns), cell_style(cell))
            column = canvas.put(1, column + 1, meaning) + 2


def _folded(line: HelpLine, keys_width: int, width: int) -> list[HelpLine]:
    """A line in as many as it takes within some columns for the keys and some for what they do."""
    if len(line.keys) <= keys_width and len(line.text) <= width:
        return [line]
    from itertools import zip_longest
    from textwrap import wrap

    parts = zip_longest(wrap(line.keys, keys_width), wrap(line.text, width), fillvalue="")
    return [HelpLine(*part) for part in parts]
