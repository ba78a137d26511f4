"""Screens and their reactions, which only the event loop carries out."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from sokoterm.app.keymap import Keymap, by_place, shown
from sokoterm.app.request import Request, Reread
from sokoterm.engine.bits import Square
from sokoterm.engine.board import Board
from sokoterm.engine.value import Value
from sokoterm.language import _
from sokoterm.terminal.events import Pointer
from sokoterm.tui.widgets.board_view import Appearance, BoardPlace, Chrome, fit_board, place_chrome
from sokoterm.tui.widgets.frame import Frame, Hints, Size

_ENDS = ("enter", "esc")  # keys that are not part of a text


def edited(text: str, key: str) -> str:
    """Return a text after a key typed into it."""
    if key == "backspace":
        return text[:-1]
    if key == "C-u":
        return ""
    return f"{text} " if key == "space" else text + key if len(key) == 1 else text


def is_yes(key: str) -> bool:
    return by_place(key) == "y"


class Prompt(NamedTuple):
    """A question at the bottom of a screen, answered by one key, or by a text and Enter.

    ``do`` receives the answer. ``typed`` is the text so far, None for a question that one key answers (if it ``takes``
    it); it has at most ``most`` characters, all in ``signs`` unless empty. ``label`` describes y or Enter and ``no``
    Esc; ``refused`` is shown after any other key.
    """

    asked: str
    do: Callable[[str], "Reaction | None"] = lambda __: None
    typed: str | None = None
    label: str = ""
    takes: Callable[[str], bool] = is_yes
    signs: Collection[str] = ()
    ends: Collection[str] = ("enter",)
    most: int = 2000
    no: str = ""
    refused: str = ""

    def take(self, key: str) -> "Prompt | None":
        """Return the question after a key that types; None after any other key."""
        if self.typed is None or not (key in self.signs or key == "backspace" if self.signs else key not in _ENDS):
            return None
        return self._replace(typed=edited(self.typed, key)[: self.most])

    def answer(self, key: str) -> str | None:
        """Return the answer that a key completes, None if it cancels the question."""
        if self.typed is None:
            return key if len(key) == 1 and self.takes(key) else None
        return self.typed if key in self.ends and (self.typed or not self.signs) else None

    def paste(self, text: str) -> "Prompt":
        is_text = self.typed is not None and (not self.signs or {*text} <= {*self.signs})
        return self._replace(typed=f"{self.typed}{text}"[: self.most]) if is_text else self

    @property
    def hints(self) -> Hints:
        label = [("y" if self.typed is None else shown("enter"), self.label)] if self.label else []
        return [*label, (shown("esc"), self.no or _("cancel"))]


class Screen:
    """A screen with its keys; subclasses provide ``keymap``, ``update`` and ``view``.

    ``message`` is shown until the next ``update``. If ``update`` or ``point`` raises PackError, it becomes the message.
    """

    keymap: Keymap
    message = ""
    question: Prompt | None = None
    follows_view = False
    """True if the board is shown in the player's view; directions are then those of the screen."""

    place: BoardPlace | None = None
    """The place of the board in the last frame."""

    @property
    def board(self) -> Board | None:
        """The board on this screen, None for none or several."""
        return None

    def square_under(self, pointer: Pointer) -> Square | None:
        """Return the square under the mouse, if any."""
        return self.place.square_at(pointer.row, pointer.column) if self.place is not None else None

    @property
    def reads_text(self) -> bool:
        """True while letters are text or a name rather than commands."""
        return self.question is not None

    def update(self, action: str | None, key: str) -> "Reaction | None":
        """React to a key; ``action`` is its meaning in ``keymap``, None while it is text."""
        raise NotImplementedError

    def view(self, size: Size, appearance: Appearance) -> Frame:
        """Return the frame, changing nothing; called after ``fit`` for the same window, which is not too small."""
        raise NotImplementedError

    def fit(self, size: Size, appearance: Appearance) -> None:
        """Scroll to what must be visible in a window."""

    def point(self, pointer: Pointer) -> "Reaction | None":  # noqa: ARG002 - nothing can be clicked
        return None

    def answer(self, question: Prompt, key: str) -> "Reaction | None":
        """Use a key as the answer to the question, or as part of it."""
        self.question = question.take(key)
        if self.question is not None:
            return None
        answer = question.answer(key)
        self.message = question.refused if answer is None else ""
        return question.do(answer) if answer is not None else None

    def paste(self, text: str) -> bool:
        """Insert pasted text, printable and on one line; False if no text is being typed."""
        if self.question is not None:
            self.question = self.question.paste(text)
        return self.reads_text

    def wake_after(self) -> float | None:
        """Return the seconds until ``tick``, None for never."""
        return None

    def tick(self) -> None:
        """Advance an animation."""

    def settle(self) -> None:
        """End an animation because a key was pressed."""

    def interrupt(self) -> bool:
        """Stop an animation or search; False if there is none."""
        return False

    def holds_back(self) -> bool:
        """True if the player must confirm leaving the program."""
        return False

    def rescue(self) -> str:
        """Keep unsaved work that will not be shown again; return a message that says so, if any."""
        return ""

    def reread(self, changed: Reread) -> None:
        """Reread a pack if it is shown."""

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """Show a message, replacing another one only as an answer to a key; False if there is no room."""
        if self.message and not is_answer:
            return False
        self.message = message
        return True


class BoardScreen(Screen):
    """A screen with a board and the lines or the panel around it."""

    follows_view = True
    _chrome: Chrome | None = None
    _asked: tuple[Size, Appearance, int] | None = None

    def lay_out(self, board: Board, seen: Square, size: Size, appearance: Appearance, *, comment_rows: int) -> Chrome:
        """Place the board so that the square ``seen`` is visible; return what is around it."""
        asked = size, appearance, comment_rows
        if self._chrome is None or asked != self._asked:
            self._asked, self._chrome = asked, place_chrome(size, board, appearance, comment_rows=comment_rows)
        self.place = fit_board(board, seen, self._chrome.board, appearance, self.place)
        return self._chrome

    @property
    def laid_out(self) -> tuple[BoardPlace, Chrome]:
        """The board's place and what is around it, from the last ``fit``."""
        assert self.place is not None and self._chrome is not None  # noqa: PT018
        return self.place, self._chrome


class Open(Value):
    """Show a screen above this one."""

    screen: Screen


Reaction = Open | Request
