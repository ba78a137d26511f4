"""Copied texts: moves, a level as text, links to it, or a result."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sokoterm.app.keymap import Keymap
from sokoterm.app.session import Session
from sokoterm.engine.level import Level, Record
from sokoterm.engine.lurd import replay
from sokoterm.language import _, pgettext
from sokoterm.tui.screens.pages import PagesScreen
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, Frame, Hints, Size, StatusText
from sokoterm.tui.widgets.parts import plain_lines
from sokoterm.wording.columns import folded


class Copied(NamedTuple):
    """A text to copy; ``name`` says in a footer what it is."""

    name: str
    title: str
    text: str


def links_to(level: Level, lurd: str, session: Session) -> Iterator[Copied]:
    """Yield the link to a level and, if the moves solve it, the link with them."""
    yield Copied(pgettext("to be copied", "link"), _("Link to this level"), session.link_to(level))
    if replay(level, Record("", lurd)).solution is not None:
        title = _("Link to this level and solution")
        yield Copied(pgettext("to be copied", "link with solution"), title, session.link_to(level, lurd))


class CopiedScreen(PagesScreen):
    """A text that was sent to the clipboard, or that the player can select; the key that copies shows the next one."""

    def __init__(self, texts: Sequence[Copied], copy: Callable[[str], str], play: Keymap, browser: Keymap) -> None:
        """``copy`` sends a text to the clipboard, and returns the reason if that fails."""
        super().__init__("copied", browser)
        self.keymap = self.keymap.bound([*self.keymap.bindings, *play.only("copied", ("copy",)).bindings])
        self._copy = copy
        self._show(texts)

    def _show(self, texts: Sequence[Copied]) -> None:
        self._texts = texts
        problem = self._copy(texts[0].text)
        failed = _("{problem}: select it here", problem=problem) if problem else ""
        self._remark = failed or _("sent to the clipboard; if it is not there, select it here")

    def update(self, action: str | None, key: str) -> Reaction | None:
        if action != "copy" or len(self._texts) == 1:
            return super().update(action, key)
        self._show([*self._texts[1:], self._texts[0]])
        return None

    @property
    def hints(self) -> Hints:
        others = [(self.keymap.key_of("copy"), each.name) for each in self._texts[1:2]]
        return [*super().hints, *others]

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - text looks the same in every theme
        self._lines = plain_lines(_filled(self._texts[0].text, size.columns))
        self._first, self._page = 2, size.rows - 3
        self._turn(0)

    def view(self, size: Size, appearance: Appearance) -> Frame:  # noqa: ARG002 - text looks the same in every theme
        canvas = Canvas(*size)
        # No frame, so that the terminal selects only the text.
        self.draw_page(canvas, Area(0, 0, 1, size.columns), self._texts[0].title)
        canvas.draw_message(1, StatusText(self._remark, styles.QUIET))
        return canvas.frame((self._first, 0))


def _filled(text: str, columns: int) -> list[str]:
    """Fold a text between words; moves, perhaps a million, are split wherever a line is full."""
    if "\n" in text:
        return text.split("\n")
    if " " in text:
        return folded(text, columns)
    return [text[start : start + columns] for start in range(0, len(text), columns)]
