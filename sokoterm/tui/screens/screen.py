"""Screens and their reactions; the event loop alone acts on a reaction."""

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

_ENDS = ("enter", "esc")  # keys that are no part of a text


def edited(text: str, key: str) -> str:
    """Return text as a key changes it while it is typed."""
    if key == "backspace":
        return text[:-1]
    if key == "C-u":
        return ""
    return f"{text} " if key == "space" else text + key if len(key) == 1 else text


def is_yes(key: str) -> bool:
    return by_place(key) == "y"


class Prompt(NamedTuple):
    """A question at the bottom of a screen, which the next keys answer: one key, or a text and Enter.

    ``do`` takes the answer. ``typed`` is the text so far, at most ``most`` characters, all of them ``signs`` if there
    are any; None where one letter or digit answers, which ``takes`` knows. ``label`` is that of y or Enter, ``no``
    that of Esc; ``refused`` is said after any other key.
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
        """Return the answer that a key completes, None if it takes the question back."""
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
    """One kind of picture, with its keys.

    A screen has ``keymap``, ``update`` and ``view``; the rest here is that of a screen which waits for keys alone.
    ``message`` is its line until the next ``update``; where that or ``point`` raises PackError, it is the error.
    """

    keymap: Keymap
    message = ""
    question: Prompt | None = None
    follows_view = False
    """True if the board is turned and mirrored as the player likes it; its directions are those of the picture."""

    place: BoardPlace | None = None
    """The place of the board in the latest picture."""

    @property
    def board(self) -> Board | None:
        """The board on this screen; None if there is none, or several."""
        return None

    def square_under(self, pointer: Pointer) -> Square | None:
        """Return the square of the board under the mouse, if there is one."""
        return self.place.square_at(pointer.row, pointer.column) if self.place is not None else None

    @property
    def reads_text(self) -> bool:
        """True while letters are text or a name, and not commands."""
        return self.question is not None

    def update(self, action: str | None, key: str) -> "Reaction | None":
        """Act on a key; ``action`` is what ``keymap`` says of it, None while the key is text."""
        raise NotImplementedError

    def view(self, size: Size, appearance: Appearance) -> Frame:
        """Return the picture; changes nothing. Follows a ``fit`` to the same window, which is not too small."""
        raise NotImplementedError

    def fit(self, size: Size, appearance: Appearance) -> None:
        """Scroll to what must be seen in a window."""

    def point(self, pointer: Pointer) -> "Reaction | None":  # noqa: ARG002 - nothing can be clicked
        """Act on the mouse."""
        return None

    def answer(self, question: Prompt, key: str) -> "Reaction | None":
        """Take a key as the answer to the question, or as a part of it."""
        self.question = question.take(key)
        if self.question is not None:
            return None
        answer = question.answer(key)
        self.message = question.refused if answer is None else ""
        return question.do(answer) if answer is not None else None

    def paste(self, text: str) -> bool:
        """Take pasted text, printable and on one line; False where no text is asked for."""
        if self.question is not None:
            self.question = self.question.paste(text)
        return self.reads_text

    def wake_after(self) -> float | None:
        """Return the seconds until ``tick``; None: never."""
        return None

    def tick(self) -> None:
        """Advance what is animated."""

    def settle(self) -> None:
        """End at once what moves for show alone: a key was pressed."""

    def interrupt(self) -> bool:
        """Stop the animation; False if there is none."""
        return False

    def holds_back(self) -> bool:
        """True if the player is asked before the program ends."""
        return False

    def rescue(self) -> str:
        """Keep what the player has not saved and will not see again; return a line that says where, if any."""
        return ""

    def reread(self, changed: Reread) -> None:
        """Read a pack again if it is shown."""

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """Show a line, over another one if it is the answer to a key; False where there is no room for it."""
        if self.message and not is_answer:
            return False
        self.message = message
        return True


class BoardScreen(Screen):
    """A screen with a board and, around it, the lines or the panel of a play."""

    follows_view = True
    _chrome: Chrome | None = None
    _asked: tuple[Size, Appearance, bool] | None = None

    def lay_out(self, board: Board, seen: Square, size: Size, appearance: Appearance, *, has_comment: bool) -> Chrome:
        """Place the board, scrolled so that a square is ``seen``; return what is around it."""
        asked = size, appearance, has_comment
        if self._chrome is None or asked != self._asked:
            self._asked, self._chrome = asked, place_chrome(size, board, appearance, has_comment=has_comment)
        self.place = fit_board(board, seen, self._chrome.board, appearance, self.place)
        return self._chrome

    @property
    def laid_out(self) -> tuple[BoardPlace, Chrome]:
        """The place of the board and what is around it, as the latest ``fit`` has left them."""
        assert self.place is not None and self._chrome is not None  # noqa: PT018
        return self.place, self._chrome


class Open(Value):
    """Show a screen on top of this one."""

    screen: Screen


Reaction = Open | Request
