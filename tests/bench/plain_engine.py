"""The rules on sets of (row, column), as short as they can be written: what the engine is measured against."""

from collections.abc import Iterable

_STEPS = {"u": (-1, 0), "r": (0, 1), "d": (1, 0), "l": (0, -1)}
_STEPS |= {letter.upper(): step for letter, step in _STEPS.items()}


class PlainPlay:
    """A level read from its rows, ordinary ones only."""

    def __init__(self, rows: Iterable[str]) -> None:
        self.player = (0, 0)
        self.walls, self.boxes, self.goals = set(), set(), set()
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                place = (row, column)
                if cell == "#":
                    self.walls.add(place)
                if cell in "$*":
                    self.boxes.add(place)
                if cell in ".*+":
                    self.goals.add(place)
                if cell in "@+":
                    self.player = place

    def count_pushes(self, lurd: str) -> int:
        """Play moves and return the number of pushes; -1 if a step is blocked or the end is not solved."""
        walls, boxes = self.walls, self.boxes
        row, column = self.player
        pushes = 0
        for letter in lurd:
            down, right = _STEPS[letter]
            row, column = row + down, column + right
            if (row, column) in walls:
                return -1
            if (row, column) in boxes:
                beyond = row + down, column + right
                if beyond in walls or beyond in boxes:
                    return -1
                boxes.remove((row, column))
                boxes.add(beyond)
                pushes += 1
        return pushes if boxes == self.goals else -1

    def perft(self, depth: int) -> int:
        """Count the sequences of so many steps, each played and taken back."""
        return self._perft(*self.player, depth)

    def _perft(self, row: int, column: int, depth: int) -> int:
        if not depth:
            return 1
        walls, boxes, count = self.walls, self.boxes, 0
        for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1)):
            ahead = row + down, column + right
            if ahead in walls:
                continue
            if ahead not in boxes:
                count += self._perft(*ahead, depth - 1)
                continue
            beyond = ahead[0] + down, ahead[1] + right
            if beyond not in walls and beyond not in boxes:
                boxes.remove(ahead)
                boxes.add(beyond)
                count += self._perft(*ahead, depth - 1)
                boxes.remove(beyond)
                boxes.add(ahead)
        return count
