"""Events of a terminal: names of keys (see key_decoder.py), mouse buttons, pastes, and what is learned of the terminal.

``resize`` comes when the size has changed, ``resume`` after a suspension, and ``hangup`` when the terminal is gone or
the process is told to end.
"""

from typing import NamedTuple

from sokoterm.engine.value import Value


class Pointer(NamedTuple):
    """A mouse button at a row and column of the screen, counted from 0; movements are not reported.

    ``button`` is "left", "middle", "right", "wheel up" or "wheel down"; a wheel is never released.
    """

    row: int
    column: int
    button: str
    is_press: bool


class Paste(Value):
    """Bytes pasted in one go; ``problem`` says why some are missing."""

    data: bytes
    problem: str = ""


DARK_BACKGROUND, LIGHT_BACKGROUND = "dark background", "light background"
"""The terminal's answers when asked for its background."""


class CellSize(NamedTuple):
    """Size of a screen cell in pixels, as reported by the terminal."""

    height: int
    width: int


PICTURES_SHOWN, NO_PICTURES = "pictures", "no pictures"
"""The terminal has answered that it shows pictures, or has not answered, which it may still do."""

SLOW_LINE = "slow line"
"""The line to the terminal was timed and is slow."""

Event = str | Pointer | Paste | CellSize
