"""What a mouse does: buttons pressed and let go on cells of the screen; where it moves meanwhile is not asked for."""

from typing import NamedTuple


class Pointer(NamedTuple):
    """A button at a row and column of the screen, counted from 0.

    ``button`` is "left", "middle", "right", "wheel up" or "wheel down"; a wheel is only ever pressed.
    """

    row: int
    column: int
    button: str
    is_press: bool


Event = str | Pointer
"""What comes from a terminal: the name of a key (see ``keys``), or what the mouse did."""
