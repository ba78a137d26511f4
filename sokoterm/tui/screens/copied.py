"""Moves to be copied: they stand here as plain text, for a terminal that keeps its clipboard to itself."""

from sokoterm.app.keymap import Keymap, shown
from sokoterm.app.request import Close
from sokoterm.engine.lurd import measure
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.screens.still import StillScreen
from sokoterm.tui.terminal.pointer import Pointer
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, Size, draw_keys, too_small
from sokoterm.tui.widgets.frame import Canvas, Frame
from sokoterm.tui.widgets.lists import WHEEL_LINES
from sokoterm.wording.columns import clipped, folded
from sokoterm.wording.figures import moves_and_pushes

_SENT = "sent to the clipboard; if the terminal refuses, select it here"


class CopiedScreen(StillScreen):
    """Text on as many lines as it takes, in pages if it does not fit; while it is shown the terminal has the mouse."""

    keymap = Keymap("copied", ())
    reads_text = True  # any key that does not turn a page goes back

    def __init__(self, text: str, title: str, outcome: str, turning: Keymap) -> None:
        """``outcome`` says whether the text was sent to the clipboard; the keys of ``turning`` turn the pages.

        Words stay whole; moves, which are one word, fill the lines.
        """
        self._turning = turning
        self._text = text
        self._title = title
        self._outcome = outcome
        self._top = 0
        self._page = self._length = 1

    def tell(self, message: str, *, is_answer: bool = False) -> bool:  # noqa: ARG002 - its line is taken
        return False

    def update(self, key: str) -> Reaction | None:
        match self._turning.find_action(key):
            case "down":
                self._turn(1)
            case "up":
                self._turn(-1)
            case "page down":
                self._turn(self._page)
            case "page up":
                self._turn(-self._page)
            case "accept" if self._top + self._page < self._length:
                self._turn(self._page)
            case _:
                return Close()
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """The wheel turns the lines, where the terminal reports it all the same."""
        if pointer.button.startswith("wheel"):
            self._turn(WHEEL_LINES if pointer.button == "wheel down" else -WHEEL_LINES)
        return None

    def _turn(self, lines: int) -> None:
        self._top = max(0, min(self._top + lines, self._length - self._page))

    def view(self, size: Size, appearance: Appearance) -> Frame:  # noqa: ARG002 - text looks the same in every theme
        if notice := too_small(size):
            return notice
        canvas = Canvas(*size)
        canvas.put(0, 0, clipped(self._title, size.columns), styles.TITLE)
        canvas.put(1, 0, clipped(self._outcome, size.columns))
        self._page = size.rows - 4
        lines = _lines(self._text, size.columns)
        self._length = len(lines)
        self._turn(0)
        for row, line in enumerate(lines[self._top : self._top + self._page], start=2):
            canvas.put(row, 0, line)
        hints = [(shown("esc"), "or any other key: back")]
        if self._length > self._page:
            part = f"lines {self._top + 1}-{min(self._top + self._page, self._length)} of {self._length}"
            canvas.put(size.rows - 2, 0, clipped(part, size.columns))
            hints = [(shown("space"), "more"), (shown("esc"), "back")]
        draw_keys(canvas, size.rows - 1, hints)
        return canvas.frame((2, 0))


def _lines(text: str, columns: int) -> list[str]:
    """Text cut between words; moves, maybe a million of them, wherever a line is full."""
    if " " in text:
        return folded(text, columns)
    return [text[start : start + columns] for start in range(0, len(text), columns)]


def copied_screen(label: str, lurd: str, problem: str, turning: Keymap) -> CopiedScreen:
    """The moves from the start of a level; ``problem`` says why they were not sent to the clipboard."""
    title = f"Moves of {label}: {moves_and_pushes(measure(lurd))}"
    outcome = f"{problem}: select them here" if problem else _SENT
    return CopiedScreen(lurd, title, outcome, turning)


def shared_screen(text: str, problem: str, turning: Keymap) -> CopiedScreen:
    """A result for others; ``problem`` says why it was not sent to the clipboard."""
    return CopiedScreen(text, "A result to share", f"{problem}: select it here" if problem else _SENT, turning)
