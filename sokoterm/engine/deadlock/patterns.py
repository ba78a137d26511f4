"""Boxes that were proven to be dead, with where the player was: kept, and looked up in later positions."""

from collections import deque

from sokoterm.engine.bits import Bitboard, Square, scan


class Patterns:
    """A store of ``most`` patterns; the oldest are forgotten.

    A pattern is a set of boxes and an area: with these boxes, whatever others there are, and the player in the area,
    a position is dead.

    Two threads may use it at once, as the game and the proofs in its background do: at worst a pattern is lost then.
    """

    def __init__(self, most: int = 2_000) -> None:
        self._most = most
        # Each pattern is kept under two of its boxes, a single one standing for both; the second ones under each first.
        self._by_box: dict[Square, dict[Square, list[tuple[Bitboard, Bitboard]]]] = {}
        self._others: dict[Square, Bitboard] = {}
        self._places: deque[tuple[Square, Square]] = deque()
        # How many were ever learned: those that are forgotten count.
        self.learned = 0

    def __len__(self) -> int:
        return len(self._places)

    def add(self, boxes: Bitboard, area: Bitboard) -> None:
        """Learn a pattern; ``area`` is all of the player's region beside its boxes alone."""
        if self.find(boxes, area):
            return
        # Under the boxes with the fewest others there are the fewest to look at in vain.
        first, *rest = sorted(scan(boxes), key=lambda each: len(self._by_box.get(each, ())))
        second = rest[0] if rest else first
        if len(self._places) >= self._most:
            self._forget(*self._places.popleft())
        self.learned += 1
        # In this order, for the thread that looks something up meanwhile.
        self._others[first] = self._others.get(first, 0) | 1 << second
        self._by_box.setdefault(first, {}).setdefault(second, []).append((boxes, area))
        self._places.append((first, second))

    def _forget(self, first: Square, second: Square) -> None:
        """Forget the oldest pattern that is kept under two boxes."""
        patterns = self._by_box[first].get(second, [])
        del patterns[:1]
        if not patterns:
            self._by_box[first].pop(second, None)
            self._others[first] &= ~(1 << second)

    def find(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """The boxes of a pattern that a position contains, none if it is not known to contain one."""
        by_box, others = self._by_box, self._others
        for box in scan(boxes):
            if box in by_box:
                under = by_box[box]
                for other in scan(others[box] & boxes):
                    for pattern, area in under.get(other, ()):
                        if pattern & boxes == pattern and area & region:
                            return pattern
        return 0
