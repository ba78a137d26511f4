"""Learned deadlock patterns, looked up in later positions."""

from collections import deque

from sokoterm.engine.bits import Bitboard, Square, scan


class Patterns:
    """Store of at most ``most`` deadlock patterns; the oldest are dropped.

    A pattern is a set of boxes and an area: a position that contains these boxes, with the player in the area, is dead
    whatever other boxes there are.

    Two threads may share a store, as the game and its background prover do; at worst a pattern is lost.
    """

    def __init__(self, most: int = 2_000) -> None:
        self._most = most
        # Each pattern is indexed by two of its boxes (or its only one, twice); ``_others``: the second for each first.
        self._by_box: dict[Square, dict[Square, list[tuple[Bitboard, Bitboard]]]] = {}
        self._others: dict[Square, Bitboard] = {}
        self._places: deque[tuple[Square, Square]] = deque()
        # Patterns ever learned, including those dropped since.
        self.learned = 0

    def __len__(self) -> int:
        return len(self._places)

    def add(self, boxes: Bitboard, area: Bitboard) -> None:
        """Add a pattern; ``area`` is the player's full region with only its boxes on the board."""
        if self.find(boxes, area):
            return
        # Index by the boxes with the fewest patterns, to keep lookups short.
        first, *rest = sorted(scan(boxes), key=lambda each: len(self._by_box.get(each, ())))
        second = rest[0] if rest else first
        if len(self._places) >= self._most:
            self._forget(*self._places.popleft())
        self.learned += 1
        # The order matters to a thread in ``find`` at the same time.
        self._others[first] = self._others.get(first, 0) | 1 << second
        self._by_box.setdefault(first, {}).setdefault(second, []).append((boxes, area))
        self._places.append((first, second))

    def _forget(self, first: Square, second: Square) -> None:
        """Drop the oldest pattern indexed by these two boxes."""
        patterns = self._by_box[first].get(second, [])
        del patterns[:1]
        if not patterns:
            self._by_box[first].pop(second, None)
            self._others[first] &= ~(1 << second)

    def find(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """Return the boxes of a pattern that the position contains, or 0 if it contains none."""
        by_box, others = self._by_box, self._others
        # A large board of many colours takes seconds to scan.
        for box in scan(boxes) if by_box else ():
            if box in by_box:
                under = by_box[box]
                for other in scan(others[box] & boxes):
                    for pattern, area in under.get(other, ()):
                        if pattern & boxes == pattern and area & region:
                            return pattern
        return 0
