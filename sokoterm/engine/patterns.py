"""Boxes that were proven to be dead, with where the player was: kept, and looked up in later positions."""

from collections import deque

from sokoterm.engine.bits import Bitboard, Square, scan


class Patterns:
    """A store of ``most`` patterns; the oldest are forgotten.

    A pattern is a set of boxes and an area: with these boxes, whatever others there are, and the player in the area,
    a position is dead.
    """

    def __init__(self, most: int = 2_000) -> None:
        self._most = most
        # Each pattern is kept under one of its boxes.
        self._by_box: dict[Square, list[tuple[Bitboard, Bitboard]]] = {}
        self._boxes: deque[Square] = deque()
        # How many were ever learned: those that are forgotten count.
        self.learned = 0

    def __len__(self) -> int:
        return len(self._boxes)

    def add(self, boxes: Bitboard, area: Bitboard) -> None:
        """Learn a pattern; ``area`` is all of the player's region beside its boxes alone."""
        if self.find(boxes, area):
            return
        # Under the box with the fewest others there are the fewest to look at in vain.
        box = min(scan(boxes), key=lambda each: len(self._by_box.get(each, ())))
        if len(self._boxes) >= self._most:
            oldest = self._by_box[self._boxes.popleft()]
            del oldest[0]
        self.learned += 1
        self._by_box.setdefault(box, []).append((boxes, area))
        self._boxes.append(box)

    def find(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """The boxes of a pattern that a position contains, none if it is not known to contain one."""
        by_box = self._by_box
        for box in scan(boxes):
            if box in by_box:
                for pattern, area in by_box[box]:
                    if pattern & boxes == pattern and area & region:
                        return pattern
        return 0
