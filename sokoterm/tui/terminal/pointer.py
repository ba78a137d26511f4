"""What comes from a terminal besides keys: what the mouse does, but where it moves is not asked for, and pastes."""

from typing import NamedTuple

from sokoterm.engine.value import Value


class Pointer(NamedTuple):
    """A button at a row and column of the screen, counted from 0.

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


Event = str | Pointer | Paste
"""What comes from a terminal: the name of a key (see ``keys``), what the mouse did, or what was pasted."""
