"""The terminal as the event loop sees it."""

import os
import sys
from typing import Protocol

from sokoterm.engine.value import Value
from sokoterm.language import N_, _
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


class Terminal:
    """A screen that shows frames, and a keyboard; by default without styles, title, mouse and clipboard.

    ``shows_motion``: a frame replaces the previous one, so moves can be animated. ``shows_tiles``: the terminal has
    half blocks and 256 colours. ``may_picture``: it was asked whether it shows pictures, and has not said no.
    """

    shows_motion: bool
    shows_tiles: bool
    may_picture: bool

    def __init__(self, line: Line, keys: Keys) -> None:
        self._line = line
        self._keys = keys

    def start(self) -> None:
        self._keys.start()

    def stop(self) -> None:
        """Restore the terminal; may be called more than once."""
        self._keys.stop()

    def size(self) -> Size:
        return terminal_size()

    def wear(self, looks: Looks, palette: Palette) -> None:
        """Use these looks for the styles of frames, as closely as the terminal's colours allow."""

    def paint(self, frame: Frame) -> None:
        """Make the screen show a frame of its size, writing only the changes; does nothing while ``is_busy``."""

    def show_cursor(self, is_shown: bool) -> None:
        """Show or hide the cursor with the next frame, if the terminal can."""

    def name_window(self, title: str) -> None:
        """Set the window title with the next frame, if the terminal is known to have one."""

    def ring(self) -> None:
        self._line.send(b"\a")

    @property
    def is_busy(self) -> bool:
        """True while the last frame is being sent; ``read_keys`` returns when it is done."""
        return self._line.is_busy

    @property
    def sent(self) -> int:
        """The number of bytes sent to the terminal; 0 if they cannot be counted."""
        return self._line.sent

    def forget(self) -> None:
        """Redraw everything with the next ``paint``, whatever the screen shows."""

    @property
    def uses_mouse(self) -> bool:
        """True while the terminal reports the mouse."""
        return False

    def toggle_mouse(self) -> bool | None:
        """Turn mouse reports on or off (off: the terminal selects text); return the new state, None without a mouse."""
        return None

    def read_keys(self, timeout: float | None) -> list[Event]:
        """Return the events that have arrived, possibly none, waiting up to ``timeout`` seconds (None: no limit)."""
        events = self._keys.read(timeout)
        if "resume" in events:  # stopped by another process; the shell has changed the terminal mode
            self.stop()
            self.start()
        return events

    def wake(self) -> None:
        """Make ``read_keys`` return; may be called from another thread."""
        self._keys.wake()

    def copy(self, text: str) -> str:  # noqa: ARG002 - there is no clipboard
        """Send ASCII text to the clipboard (the terminal may silently refuse); return why that fails, else ""."""
        return _(NO_CLIPBOARD)

    def suspend(self) -> None:
        """Restore the terminal and stop the process, where possible; set the terminal up again when it resumes."""
        if sys.platform != "win32":
            self.stop()
            stop_process()
            self.start()
            self.forget()


class Display(Value):
    """A terminal and how to use it.

    ``animation``: moves per second for moves found by the program; 0 shows only the result. ``has_timer``: wide windows
    show the time played. ``keys_by_place``: outside text fields, Cyrillic letters act as the Latin ones on the same
    key. ``has_bell``: the bell rings at the end of a long search.
    """

    terminal: Terminal
    animation: int = 0
    has_timer: bool = False
    keys_by_place: bool = True
    has_bell: bool = False


def terminal_size() -> Size:
    """Return the size of the terminal on standard output, else LINES and COLUMNS, else 24x80; at most LARGEST."""
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
"""A terminal may claim 65535x65535, at 100 bytes per cell; in 8x16 pixels, an 8K screen has 270x960 (480x540) cells."""
