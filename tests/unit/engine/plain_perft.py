"""Reference implementation of perft on plain sets of squares; shares no code with the engine."""

Place = tuple[int, int]
Position = tuple[Place, frozenset[Place]]

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class PlainBoard:
    """Walls, boxes and player, read from XSB text."""

    def __init__(self, text: str) -> None:
        cells = {(row, col): cell for row, line in enumerate(text.split("\n")) for col, cell in enumerate(line)}
        self.walls = {place for place, cell in cells.items() if cell == "#"}
        boxes = frozenset(place for place, cell in cells.items() if cell in "$*")
        self.start: Position = (next(place for place, cell in cells.items() if cell in "@+"), boxes)

    def steps(self, position: Position, walks: bool = True) -> list[Position]:
        """Return the positions one step further, optionally only those after a push."""
        (row, col), boxes = position
        found = []
        for down, right in STEPS:
            ahead, beyond = (row + down, col + right), (row + 2 * down, col + 2 * right)
            if ahead in boxes and beyond not in self.walls | boxes:
                found.append((ahead, boxes - {ahead} | {beyond}))
            elif walks and ahead not in self.walls | boxes:
                found.append((ahead, boxes))
        return found

    def pushes(self, position: Position) -> list[Position]:
        """Return the positions one push further, whatever the walk before it."""
        area, waiting = {position[0]}, [position[0]]
        for row, col in waiting:
            new = {(row + down, col + right) for down, right in STEPS} - self.walls - position[1] - area
            area |= new
            waiting.extend(new)
        return [after for place in area for after in self.steps((place, position[1]), walks=False)]

    def perft(self, position: Position, depth: int) -> int:
        """Count the sequences of ``depth`` steps."""
        return sum(self.perft(after, depth - 1) for after in self.steps(position)) if depth else 1

    def perft_pushes(self, position: Position, depth: int) -> int:
        """Count the sequences of ``depth`` pushes."""
        return sum(self.perft_pushes(after, depth - 1) for after in self.pushes(position)) if depth else 1
