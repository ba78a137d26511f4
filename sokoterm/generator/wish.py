"""Parameters for a level to generate."""

from typing import NamedTuple


class Wish(NamedTuple):
    """Parameters of a level: its size with walls, its boxes, and the positions each attempt may search."""

    width: int
    height: int
    boxes: int
    nodes: int
