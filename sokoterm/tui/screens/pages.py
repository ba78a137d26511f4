"""Text in pages, closed by any key that does not turn them: help, text to be copied, statistics."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest

from sokoterm.app.keymap import CONTROL_ACTIONS, PLANNER, HelpLine, Keymap, help_lines, shown
from sokoterm.app.request import Ask
from sokoterm.engine.board import Board
from sokoterm.language import N_, _
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, Area, Hints, Size, SquareSize
from sokoterm.tui.widgets.frame import Canvas, Frame
from sokoterm.tui.widgets.marks import legend
from sokoterm.tui.widgets.parts import (
    WHEEL_LINES,
    Line,
    StatusText,
    draw_keys,
    draw_list,
    draw_message,
    draw_title,
    plain_lines,
    two_columns,
)
from sokoterm.tui.widgets.theme import CELL_STYLES
from sokoterm.tui.widgets.tiles import paint
from sokoterm.wording.columns import cut_at_a_word, folded, text_width
from sokoterm.wording.kinds import sign_lines

_TURNING = ("down", "up", "page down", "page up", "accept")
_LEGEND = (
    # Translators: the signs of the board, on one line above the help; you are the player.
    ("@", N_("you")),
    ("$", N_("box")),
    (".", N_("goal")),
    ("*", N_("box on goal")),
    ("+", N_("you on goal")),
    ("#", N_("wall")),
)


class _PagesScreen(Screen):
    """Lines below a title, of which ``_page`` fit from the row ``_first``; ``_top`` is the first one shown."""

    def __init__(self, name: str, browser: Keymap) -> None:
        """The keys of the browser turn the pages."""
        self.keymap = browser.only(name, (*_TURNING, *CONTROL_ACTIONS))
        self._lines: Sequence[Line] = ()
        self._top = 0
        self._first = self._page = 1

    def next_page(self, action: str) -> Reaction | None:
        """Turn the page for "page down" or "accept"."""
        raise NotImplementedError

    def update(self, action: str | None, key: str) -> Reaction | None:  # noqa: ARG002 - no text is asked for
        match action:
            case "down":
                self._turn(1)
            case "up":
                self._turn(-1)
            case "page up":
                self._turn(-self._page)
            case "page down" | "accept":
                return self.next_page(action)
            case _:
                return Ask.CLOSE
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Scroll by the wheel."""
        if pointer.button.startswith("wheel"):
            self._turn(WHEEL_LINES if pointer.button == "wheel down" else -WHEEL_LINES)
        return None

    def tell(self, message: str, *, is_answer: bool = False) -> bool:  # noqa: ARG002 - there is no line for it
        return False

    @property
    def _last_top(self) -> int:
        return max(0, len(self._lines) - self._page)

    def _turn(self, lines: int) -> None:
        last = max(self._top, self._last_top) if lines > 0 else self._last_top
        self._top = max(0, min(self._top + lines, last))

    def _draw_page(self, canvas: Canvas, title: str, hints: Hints) -> None:
        draw_title(canvas, title)
        area = Area(self._first, 0, self._page, canvas.width)
        draw_list(canvas, area, self._lines[self._top : self._top + self._page])
        draw_keys(canvas, canvas.height - 1, hints)


class HelpScreen(_PagesScreen):
    """The signs of colours and ice, the keys of a screen, and then its legend."""

    def __init__(self, subject: Keymap, browser: Keymap, board: Board | None = None) -> None:
        """``board`` is the one on the screen, if any."""
        super().__init__("help", browser)
        self._all = [HelpLine(*line) for line in sign_lines(board)] if board is not None else []
        for line in help_lines(subject):  # of the mouse what stands before the text is no key
            self._all.append(HelpLine(_(line.keys) if line in subject.mouse else line.keys, _(line.text)))
        if subject.legend:
            self._all += [HelpLine("", ""), *(HelpLine(_(line.keys), _(line.text)) for line in subject.legend)]
        self._name = subject.name

    def next_page(self, action: str) -> Reaction | None:  # noqa: ARG002 - both do the same
        """Show the next lines; the last page may be short, so that nothing is shown twice."""
        if self._top >= self._last_top:
            return Ask.CLOSE
        self._top += self._page
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Scroll by the wheel, or close by a click."""
        is_click = pointer.is_press and not pointer.button.startswith("wheel")
        return Ask.CLOSE if is_click else super().point(pointer)

    def fit(self, size: Size, appearance: Appearance) -> None:
        column = min(max(text_width(line.keys) for line in self._all) + 2, size.columns // 2)
        lines = list[Line]()
        for line in self._all:
            parts = folded(line.keys, column - 1), folded(line.text, size.columns - column)
            for keys, text in zip_longest(*parts, fillvalue=""):
                lines.append(two_columns(keys, text, column, styles.KEY))
        if self._name == PLANNER.name:
            columns = 4 if appearance.theme.has_tiles else min(2, appearance.zoom or 2)
            lines += [(), *legend(SquareSize(columns, max(1, columns // 2)), appearance.theme)]
        self._lines = lines
        self._first, self._page = 2, size.rows - 3

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas = Canvas(*size)
        esc, turns = shown("esc"), self.keymap.keys_of("accept")
        hints = [(esc, _("or any other key: back"))]
        if self._top + self._page < len(self._lines):
            hints = [(shown("space" if "space" in turns else turns[0]), _("more")), (esc, _("back"))]
        title = _("Keys: {screen}. Push every box onto a goal; you cannot pull.", screen=self._name)
        self._draw_page(canvas, cut_at_a_word(title, size.columns), hints)
        column, columns = 0, min(2, appearance.zoom or 2)
        for cell, message in _LEGEND:
            meaning = _(message)
            if column + columns + 1 + text_width(meaning) > canvas.width:
                break
            style = paint(cell, is_floor=True) if appearance.theme.is_painted else CELL_STYLES[cell]
            column = canvas.put(1, column, appearance.theme.glyph(cell, columns), style)
            column = canvas.put(1, column + 1, meaning) + 2
        return canvas.frame()


class TextScreen(_PagesScreen):
    """Lines below a title and, if there is one, a remark."""

    def __init__(
        self, name: str, title: str, remark: str, lines_in: Callable[[int], Sequence[str]], browser: Keymap
    ) -> None:
        """``lines_in`` returns the lines for a number of columns."""
        super().__init__(name, browser)
        self._title = title
        self._remark = remark
        self._lines_in = lines_in

    def next_page(self, action: str) -> Reaction | None:
        """Show the next lines; on the last page "accept" closes."""
        if action == "accept" and self._top >= self._last_top:
            return Ask.CLOSE
        self._turn(self._page)
        return None

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - text looks the same in every theme
        self._lines = plain_lines(self._lines_in(size.columns))
        self._first = 1 + bool(self._remark)
        self._page = size.rows - 2 - self._first
        self._turn(0)

    def view(self, size: Size, appearance: Appearance) -> Frame:  # noqa: ARG002 - text looks the same in every theme
        canvas, total = Canvas(*size), len(self._lines)
        hints = [(shown("esc"), _("or any other key: back"))]
        draw_message(canvas, 1, StatusText(self._remark))
        if total > self._page:
            last = min(self._top + self._page, total)
            part = _("lines {first}-{last} of {total}", first=self._top + 1, last=last, total=total)
            draw_message(canvas, size.rows - 2, StatusText(part))
            hints = [(shown("space"), _("more")), (shown("esc"), _("back"))]
        self._draw_page(canvas, self._title, hints)
        return canvas.frame((self._first, 0))


def copied_screen(title: str, text: str, why_not_sent: str, browser: Keymap) -> TextScreen:
    """Show a text that was sent to the clipboard, or is to be selected here."""
    remark = why_not_sent or _("sent to the clipboard; if it is not there, select it here")
    return TextScreen("copied", title, remark, partial(_filled, text), browser)


def _filled(text: str, columns: int) -> list[str]:
    """Return lines of a text, cut between words; moves, maybe a million of them, wherever a line is full."""
    if "\n" in text:
        return text.split("\n")
    if " " in text:
        return folded(text, columns)
    return [text[start : start + columns] for start in range(0, len(text), columns)]
