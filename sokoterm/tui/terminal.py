"""The terminal that shows frames, as the event loop sees it."""

import os
import sys
from typing import Protocol

from sokoterm.engine.value import Value
from sokoterm.language import N_
from sokoterm.terminal.events import Event
from sokoterm.terminal.output_line import Line
from sokoterm.terminal.posix_keys import stop_process
from sokoterm.tui.widgets.frame import Frame, Size
from sokoterm.tui.widgets.theme import Looks
from sokoterm.tui.widgets.tiles import Palette

NO_CLIPBOARD = N_("no clipboard support known for this terminal")


class Keys(Protocol):
    """The keyboard of a terminal."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def wake(self) -> None: ...

    def read(self, timeout: float | None) -> list[Event]: ...


class Terminal(Protocol):
    """A screen that shows frames, and a keyboard.

    ``shows_motion``: a picture takes the place of the one before, so that moves can be watched. ``shows_tiles``: it has
    half blocks and 256 colours. ``may_picture``: it is asked whether it shows pictures, and has not said no yet.
    """

    shows_motion: bool
    shows_tiles: bool
    may_picture: bool
    _line: Line
    _keys: Keys

    def __init__(self, line: Line, keys: Keys) -> None:
        self._line = line
        self._keys = keys

    def start(self) -> None:
        self._keys.start()

    def stop(self) -> None:
        """Give the terminal back as it was; may be called more than once."""
        self._keys.stop()

    def size(self) -> Size:
        return terminal_size()

    def wear(self, looks: Looks, palette: Palette) -> None:
        """Show the styles of frames in these looks, as far as the terminal has their colours."""

    def paint(self, frame: Frame) -> None:
        """Make the screen look like the frame, which has its size; writes only what differs from the last one.

        Nothing is painted while the terminal ``is_busy``.
        """

    def show_cursor(self, is_shown: bool) -> None:
        """Show the cursor, or hide it, from the next picture on, if the terminal can."""

    def name_window(self, title: str) -> None:
        """Call the window so from the next picture on, if the terminal is known to have a title."""

    def ring(self) -> None:
        self._line.send(b"\a")

    @property
    def is_busy(self) -> bool:
        """True while the last picture is on its way; ``read_keys`` returns when it is through."""
        return self._line.is_busy

    @property
    def sent(self) -> int:
        """The number of bytes sent to the terminal, as far as they can be counted."""
        return self._line.sent

    def forget(self) -> None:
        """Draw everything with the next ``paint``: the screen may hold anything."""

    @property
    def uses_mouse(self) -> bool:
        """True while the terminal reports the mouse."""

    def toggle_mouse(self) -> bool | None:
        """Have the mouse reported, or leave it to the terminal, which selects text by it.

        Return the new ``uses_mouse``; None without a mouse.
        """

    def read_keys(self, timeout: float | None) -> list[Event]:
        """Return the events that have come, after ``timeout`` seconds at most (None: no limit), maybe none."""
        events = self._keys.read(timeout)
        if "resume" in events:  # stopped by another process; the shell has changed the mode of the terminal
            self.stop()
            self.start()
        return events

    def wake(self) -> None:
        """Make a waiting ``read_keys`` return; may be called from another thread."""
        self._keys.wake()

    def copy(self, text: str) -> str:
        """Ask for ASCII text to be put on the clipboard; return why it cannot be, else "". A refusal is not seen."""

    def suspend(self) -> None:
        """Give the terminal back and stop the process, where that is possible; take it over again when it goes on."""
        if sys.platform != "win32":
            self.stop()
            stop_process()
            self.start()
            self.forget()


class Display(Value):
    """A terminal, and what is done with it.

    Moves found for the player are shown at ``animation`` moves a second; 0 shows their end at once. ``has_timer``: wide
    windows show the time played. ``keys_by_place``: a Cyrillic letter that is no text stands for the Latin one on its
    key. ``has_bell``: it rings at the end of a long search.
    """

    terminal: Terminal
    animation: int = 0
    has_timer: bool = False
    keys_by_place: bool = True
    has_bell: bool = False


def terminal_size() -> Size:
    """Rows and columns of the terminal on standard output, at most LARGEST.

    Where it does not say, as over serial lines, they are what LINES and COLUMNS say, else 24x80.
    """
    try:
        columns, rows = os.get_terminal_size(1)
    except OSError:
        columns, rows = 0, 0
    rows = rows or _size_said("LINES", LARGEST.rows, 24)
    columns = columns or _size_said("COLUMNS", LARGEST.columns, 80)
    return Size(min(rows, LARGEST.rows), min(columns, LARGEST.columns))


def _size_said(variable: str, largest: int, otherwise: int) -> int:
    text = os.environ.get(variable, "")
    is_number = text.isascii() and text.isdigit() and len(text) < 5
    return int(text) if is_number and 0 < int(text) <= largest else otherwise


LARGEST = Size(500, 1000)
"""A terminal may claim 65535x65535, and each cell would take over 100 bytes.

With the smallest letters in use, of 8x16 pixels, a screen of 8K has 270 rows and 960 columns, upright 480 and 540.
"""
