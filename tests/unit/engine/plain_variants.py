"""Reference game of all kinds on plain sets of squares; shares no code with the engine."""

from typing import NamedTuple

Place = tuple[int, int]

STEPS = {"u": (-1, 0), "r": (0, 1), "d": (1, 0), "l": (0, -1)}


class PlainGame(NamedTuple):
    """A position: boxes and goals with their colours, None for no colour; ``pushed``: squares the last push went."""

    floor: frozenset[Place]
    ice: frozenset[Place]
    goals: dict[Place, int | None]
    boxes: dict[Place, int | None]
    player: Place
    pushed: int = 0

    def step(self, letter: str) -> "PlainGame | None":
        """Return the position after a step; None if it is blocked."""
        down, right = STEPS[letter]
        row, column = self.player
        target = (row + down, column + right)
        if target not in self.floor:
            return None
        if target not in self.boxes:
            return self._replace(player=target, pushed=0)
        boxes = dict(self.boxes)
        color = boxes.pop(target)
        landing, pushed = target, 0
        while True:
            beyond = (landing[0] + down, landing[1] + right)
            if beyond not in self.floor or beyond in boxes:
                break
            landing, pushed = beyond, pushed + 1
            if landing not in self.ice:
                break
        if not pushed:
            return None
        boxes[landing] = color
        return self._replace(boxes=boxes, player=target, pushed=pushed)

    @property
    def is_solved(self) -> bool:
        """Each box on a goal of its colour, or one of the two without a colour."""
        return all(
            place in self.goals and (color is None or self.goals[place] in (None, color))
            for place, color in self.boxes.items()
        )

    def perft(self, depth: int) -> int:
        """Count the sequences of ``depth`` steps."""
        if not depth:
            return 1
        return sum(after.perft(depth - 1) for letter in STEPS if (after := self.step(letter)) is not None)
