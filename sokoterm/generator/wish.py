"""What a level that is to be made should be like."""

from typing import NamedTuple


class Wish(NamedTuple):
    """What is asked for: the size with walls, the boxes, and how many positions each attempt may look at."""

    width: int
    height: int
    boxes: int
    nodes: int
