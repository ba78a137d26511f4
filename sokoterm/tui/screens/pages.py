"""Text in pages, closed by any key that does not turn them: help, text to be copied, statistics."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest

from sokoterm.app.keymap import CONTROL_ACTIONS, HelpLine, Keymap, help_lines, shown
from sokoterm.app.request import Close, Copy
from sokoterm.engine.board import Board
from sokoterm.engine.lurd import measure
from sokoterm.language import N_, _
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, Size
from sokoterm.tui.widgets.frame import Canvas, Frame
from sokoterm.tui.widgets.parts import WHEEL_LINES, draw_keys, draw_title
from sokoterm.tui.widgets.theme import CELL_STYLES
from sokoterm.tui.widgets.tiles import paint
from sokoterm.wording.columns import clipped, cut_at_a_word, folded, text_width
from sokoterm.wording.figures import moves_and_pushes
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
_SENT = N_("sent to the clipboard; if it is not there, select it here")


class _PagesScreen(Screen):
    """``_length`` lines, of which ``_page`` fit and ``_top`` is the first one shown."""

    def __init__(self, name: str, browser: Keymap) -> None:
        """The keys of the browser turn the pages."""
        self.keymap = browser.only(name, (*_TURNING, *CONTROL_ACTIONS))
        self._top = 0
        self._page = self._length = 1

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
                return Close()
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
        return max(0, self._length - self._page)

    def _turn(self, lines: int) -> None:
        last = max(self._top, self._last_top) if lines > 0 else self._last_top
        self._top = max(0, min(self._top + lines, last))


class HelpScreen(_PagesScreen):
    """The signs of colours and ice, the keys of a screen, and then its legend."""

    def __init__(self, subject: Keymap, browser: Keymap, board: Board | None = None) -> None:
        """``board`` is the one on the screen, if any."""
        super().__init__("help", browser)
        self._all = [HelpLine(*line) for line in sign_lines(board)] if board is not None else []
        self._all += [_translated(line, has_keys=line not in subject.mouse) for line in help_lines(subject)]
        if subject.legend:
            self._all += [HelpLine("", ""), *(_translated(line, has_keys=False) for line in subject.legend)]
        self._lines = self._all
        self._name = subject.name

    def next_page(self, action: str) -> Reaction | None:  # noqa: ARG002 - both do the same
        """Show the next lines; the last page may be short, so that nothing is shown twice."""
        if self._top >= self._last_top:
            return Close()
        self._top += self._page
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Scroll by the wheel, or close by a click."""
        is_click = pointer.is_press and not pointer.button.startswith("wheel")
        return Close() if is_click else super().point(pointer)

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - text looks the same in every theme
        keys_width = self._keys_width(size)
        self._lines = [part for line in self._all for part in _folded(line, keys_width - 1, size.columns - keys_width)]
        self._page, self._length = size.rows - 3, len(self._lines)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas = Canvas(*size)
        title = _("Keys: {screen}. Push every box onto a goal; you cannot pull.", screen=self._name)
        draw_title(canvas, cut_at_a_word(title, size.columns))
        self._draw_legend(canvas, appearance)
        keys_width = self._keys_width(size)
        for row, line in enumerate(self._lines[self._top : self._top + self._page], start=2):
            canvas.put(row, 0, clipped(line.keys, keys_width - 1), styles.KEY)
            canvas.put(row, keys_width, clipped(line.text, size.columns - keys_width))
        more = self._top + self._page < len(self._lines)
        esc, turns = shown("esc"), self.keymap.keys_of("accept")
        space = "space" if "space" in turns else turns[0]
        hints = [(shown(space), _("more")), (esc, _("back"))] if more else [(esc, _("or any other key: back"))]
        draw_keys(canvas, size.rows - 1, hints)
        return canvas.frame()

    def _keys_width(self, size: Size) -> int:
        return min(max(text_width(line.keys) for line in self._all) + 2, size.columns // 2)

    def _draw_legend(self, canvas: Canvas, appearance: Appearance) -> None:
        column = 0
        columns = min(2, appearance.zoom or 2)
        for cell, message in _LEGEND:
            meaning = _(message)
            if column + columns + 1 + text_width(meaning) > canvas.width:
                break
            style = paint(cell, is_floor=True) if appearance.theme.is_painted else CELL_STYLES[cell]
            column = canvas.put(1, column, appearance.theme.glyph(cell, columns), style)
            column = canvas.put(1, column + 1, meaning) + 2


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
        self._lines: Sequence[str] = ()

    def next_page(self, action: str) -> Reaction | None:
        """Show the next lines; on the last page "accept" closes."""
        if action == "accept" and self._top >= self._last_top:
            return Close()
        self._turn(self._page)
        return None

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - text looks the same in every theme
        self._lines = self._lines_in(size.columns)
        self._page, self._length = size.rows - 3 - bool(self._remark), len(self._lines)
        self._turn(0)

    def view(self, size: Size, appearance: Appearance) -> Frame:  # noqa: ARG002 - text looks the same in every theme
        canvas = Canvas(*size)
        draw_title(canvas, self._title)
        canvas.put(1, 0, clipped(self._remark, size.columns))
        first = 1 + bool(self._remark)
        for row, line in enumerate(self._lines[self._top : self._top + self._page], start=first):
            canvas.put(row, 0, clipped(line, size.columns))
        hints = [(shown("esc"), _("or any other key: back"))]
        if self._length > self._page:
            last = min(self._top + self._page, self._length)
            part = _("lines {first}-{last} of {total}", first=self._top + 1, last=last, total=self._length)
            canvas.put(size.rows - 2, 0, clipped(part, size.columns))
            hints = [(shown("space"), _("more")), (shown("esc"), _("back"))]
        draw_keys(canvas, size.rows - 1, hints)
        return canvas.frame((first, 0))


def copied_screen(label: str, copy: Copy, problem: str, browser: Keymap) -> TextScreen:
    """Show the moves from the start of a level; ``problem`` says why they were not sent to the clipboard."""
    figures = moves_and_pushes(measure(copy.lurd))
    title = (
        _("Your best solution of {level}: {figures}", level=label, figures=figures)
        if copy.is_best
        else _("Moves of {level}: {figures}", level=label, figures=figures)
    )
    remark = _("{problem}: select them here", problem=problem) if problem else _(_SENT)
    return TextScreen("copied", title, remark, partial(_filled, copy.lurd), browser)


def shared_screen(title: str, text: str, problem: str, browser: Keymap) -> TextScreen:
    """Show a text for others; ``problem`` says why it was not sent to the clipboard."""
    remark = _("{problem}: select it here", problem=problem) if problem else _(_SENT)
    return TextScreen("copied", title, remark, partial(_filled, text), browser)


def _folded(line: HelpLine, keys_width: int, width: int) -> list[HelpLine]:
    """Return a line in as many as it takes within some columns for the keys and some for what they do."""
    if text_width(line.keys) <= keys_width and text_width(line.text) <= width:
        return [line]
    parts = zip_longest(folded(line.keys, keys_width), folded(line.text, width), fillvalue="")
    return [HelpLine(*part) for part in parts]


def _translated(line: HelpLine, *, has_keys: bool) -> HelpLine:
    """Return a line of help in the player's language; what stands before the text may be names of keys."""
    return HelpLine(line.keys if has_keys else _(line.keys), _(line.text))


def _filled(text: str, columns: int) -> list[str]:
    """Return lines of a text, cut between words; moves, maybe a million of them, wherever a line is full."""
    if "\n" in text:
        return text.split("\n")
    if " " in text:
        return folded(text, columns)
    return [text[start : start + columns] for start in range(0, len(text), columns)]
