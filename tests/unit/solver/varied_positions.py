"""All positions of small boards with colours or ice, by the plain reference of the rules alone."""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from sokoterm.engine.bits import Square, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level, LevelError, varied
from tests.unit.engine.drawn import plain_of, spread
from tests.unit.engine.plain_variants import STEPS, Place, PlainGame
from tests.unit.solver.exhaustive import random_levels

# Boxes with their colours, and the first square that the player can walk to.
Key = tuple[frozenset[tuple[Place, int | None]], Place]


class Positions(NamedTuple):
    """Every reachable position of a level, with those that one push leads to, and the fewest pushes that solve it.

    Positions without a solution are not in ``pushes``; a solved one has 0.
    """

    level: Level
    first: Key
    after: dict[Key, list[Key]]
    pushes: dict[Key, int]

    @property
    def fewest(self) -> int | None:
        """The fewest pushes, at least one, that solve the level."""
        return min((1 + self.pushes[each] for each in self.after[self.first] if each in self.pushes), default=None)

    def state(self, key: Key) -> State:
        """Return a position in the words of the engine."""
        board = self.level.board
        boxes = 0
        for place, color in key[0]:
            square = board.square(*place)
            boxes |= 1 << square | (0 if color is None else 1 << (color + 1) * board.size + square)
        return State(boxes, self._square(key[1]))

    def _square(self, place: Place) -> Square:
        return self.level.board.square(*place)


def key_of(game: PlainGame) -> Key:
    """Return the position, whatever walks have been made since the last push."""
    area = spread(game.player, set(game.floor - game.boxes.keys()))
    return frozenset(game.boxes.items()), min(area)


def positions_of(level: Level, most: int) -> Positions | None:
    """Search all positions of a level by pushes; None if there are more than ``most``."""
    game = plain_of(level, level.start)
    first = key_of(game)
    after: dict[Key, list[Key]] = {}
    waiting = [first]
    solved = []
    while waiting:
        key = waiting.pop()
        if key in after:
            continue
        if len(after) >= most:
            return None
        here = game._replace(boxes=dict(key[0]), player=key[1])
        if here.is_solved:
            solved.append(key)
        area = spread(here.player, set(here.floor - here.boxes.keys()))
        stands = [here._replace(player=place) for place in sorted(area)]
        steps = [step for stand in stands for letter in STEPS if (step := stand.step(letter)) is not None]
        after[key] = [key_of(step) for step in steps if step.pushed]
        waiting += after[key]
    return Positions(level, first, after, _pushes(after, solved))


def _pushes(after: dict[Key, list[Key]], solved: list[Key]) -> dict[Key, int]:
    sources: dict[Key, list[Key]] = {key: [] for key in after}
    for key, those in after.items():
        for each in those:
            sources[each].append(key)
    pushes = dict.fromkeys(solved, 0)
    waiting = [*solved]
    for key in waiting:
        for source in sources[key]:
            if source not in pushes:
                pushes[source] = pushes[key] + 1
                waiting.append(source)
    return pushes


def fewest_moves(level: Level, most: int) -> tuple[int, int] | None:
    """Return the fewest moves that solve a level, with a push, and the fewest pushes among those; (0, 0) if none do.

    None if there are more than ``most`` positions of boxes and player.
    """
    layer = {(frozenset(game.boxes.items()), game.player): 0 for game in [plain_of(level, level.start)]}
    plain = plain_of(level, level.start)
    seen, moves = set(layer), 0
    while layer:
        moves += 1
        found: dict[Key, int] = {}
        solved = []
        for (boxes, player), pushes in layer.items():
            here = plain._replace(boxes=dict(boxes), player=player)
            for letter in STEPS:
                step = here.step(letter)
                if step is None:
                    continue
                count = pushes + (step.pushed > 0)
                if step.pushed and step.is_solved:
                    solved.append(count)
                key = frozenset(step.boxes.items()), step.player
                if key not in seen:
                    found[key] = min(count, found.get(key, count))
        if solved:
            return moves, min(solved)
        seen.update(found)
        if len(seen) > most:
            return None
        layer = found
    return 0, 0


def random_varied(seed: int, count: int, *, size: int = 7, boxes: int = 3) -> Iterator[Level]:
    """Make levels as ``random_levels`` does and give them colours, ice, or both, in turn."""
    rng = random.Random(seed)
    for number, level in enumerate(random_levels(seed, count, size=size, boxes=boxes)):
        squares, goals = list(scan(level.start.boxes)), list(scan(level.board.goals))
        of_boxes: dict[Square, int] = {}
        of_goals: dict[Square, int] = {}
        if number % 3 != 1:
            rng.shuffle(goals)
            for color, (box, goal) in enumerate(zip(squares, goals)):
                if rng.random() < 0.7:
                    of_boxes[box] = min(color, 1)
                if rng.random() < 0.7:
                    of_goals[goal] = min(color, 1)
        ice = rng.choice((level.board.floor, rng.getrandbits(level.board.size))) if number % 3 else 0
        with suppress(LevelError):
            varied_level = varied(level, of_boxes, of_goals, ice)
            if not varied_level.board.is_ordinary:
                yield varied_level
