"""Screens, and what they ask of the app after an event; the app alone acts on it."""

from typing import Protocol

from sokoterm.app.keymap import Keymap
from sokoterm.app.request import Request
from sokoterm.engine.value import Value
from sokoterm.tui.terminal.pointer import Pointer
from sokoterm.tui.widgets.board_view import Appearance, Size
from sokoterm.tui.widgets.frame import Frame


class Screen(Protocol):
    """One kind of picture with its keys: ``update`` takes a key's name, ``view`` gives the picture."""

    keymap: Keymap

    @property
    def reads_text(self) -> bool:
        """Whether letters are text or a name just now, and not commands."""

    def update(self, key: str) -> "Reaction | None":
        """Act on a key."""

    def point(self, pointer: Pointer) -> "Reaction | None":
        """Act on the mouse."""

    def paste(self, text: str) -> bool:
        """Take pasted text, printable and on one line, where text is asked for; False where none is."""

    def view(self, size: Size, appearance: Appearance) -> Frame:
        """The picture at a size."""

    def wake_after(self) -> float | None:
        """Seconds until ``tick`` wants to be called; None: never."""

    def tick(self) -> None:
        """Time has passed: a replay goes on."""

    def interrupt(self) -> bool:
        """Stop what goes on by itself; False where nothing does."""

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """Show a line, in place of another one if it is the answer to a key; False where there is no place for it."""


class Open(Value):
    """Show a screen on top of this one."""

    screen: Screen


Reaction = Open | Request
