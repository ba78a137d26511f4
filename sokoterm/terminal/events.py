"""Events of a terminal: names of keys (see key_decoder.py), mouse buttons and pastes.

Besides, ``resize`` comes when the size has changed, ``resume`` after a suspension and ``hangup`` when the terminal is
gone or the process is told to end, and what is learned of the terminal (DARK_BACKGROUND and so on).
"""

from typing import NamedTuple

from sokoterm.engine.value import Value


class Pointer(NamedTuple):
    """A mouse button at a row and column of the screen, counted from 0; movements are not asked for.

    ``button`` is "left", "middle", "right", "wheel up" or "wheel down"; a wheel is only ever pressed.
    """

    row: int
    column: int
    button: str
    is_press: bool


class Paste(Value):
    """Bytes that were pasted at once; ``problem`` says why they are not all of them."""

    data: bytes
    problem: str = ""


DARK_BACKGROUND, LIGHT_BACKGROUND = "dark background", "light background"
"""Answers of the terminal to the question for its background."""


class CellSize(NamedTuple):
    """Pixels of a cell of the screen, as the terminal has answered."""

    height: int
    width: int


PICTURES_SHOWN, NO_PICTURES = "pictures", "no pictures"
"""Whether the terminal has answered that it shows pictures; it may yet answer after it has not."""

SLOW_LINE = "slow line"
"""The line to the terminal has been timed, and is slow."""

Event = str | Pointer | Paste | CellSize
"""An event of the terminal: a key by its name, a mouse button, a paste, or the size of its cells."""
