"""Reference game of all kinds on plain sets of squares; shares no code with the engine."""

from heapq import heappop, heappush
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


def plain_costs(game: PlainGame, box: Place, *, by_pushes: bool) -> dict[Place, tuple[int, int]]:
    """The fewest pushes and moves to each square of a box, or moves and pushes, a step of the player at a time."""
    best: dict[Place, tuple[int, int]] = {}
    waiting = [((0, 0), box, game.player, game)]
    done = set[tuple[Place, Place]]()
    while waiting:
        cost, place, player, now = heappop(waiting)
        if (place, player) in done:
            continue
        done.add((place, player))
        best.setdefault(place, cost)
        for letter in STEPS:
            after = now.step(letter)
            moved = after.boxes.keys() - now.boxes.keys() if after is not None else set()
            if after is None or moved and place in after.boxes:
                continue
            extra = (bool(moved), 1) if by_pushes else (1, bool(moved))
            landing = next(iter(moved), place)
            if (landing, after.player) not in done:
                heappush(waiting, ((cost[0] + extra[0], cost[1] + extra[1]), landing, after.player, after))
    return best
