"""The least box lines of a level: every box to a goal of its own, with as few turns as if it were alone on the board.

As the lower bound of the pushes, with lines for pushes: a box pushed straight on, however far, is one line.
"""

from collections import deque
from collections.abc import Generator

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, scan
from sokoterm.engine.board import State
from sokoterm.solver.distances import UNREACHABLE, Distances, Place
from sokoterm.solver.lower_bound import LowerBound
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress


def least_lines(distances: Distances, start: State, meter: Meter) -> Generator[Progress, None, int]:
    """So many box lines each solution has at least; 0 where no box order can be found at all."""
    goals = list(scan(distances.board.goals))
    rows: dict[Place, list[int]] = {}
    for box in scan(start.boxes):
        lines = yield from _lines_from(distances, box, distances.place(box, start.player), meter)
        rows[box] = [lines.get(goal, UNREACHABLE) for goal in goals]
    matching = yield from LowerBound(rows).match(list(rows), meter)
    return 0 if matching is None else matching.cost


def _lines_from(
    distances: Distances, box: Square, place: Place, meter: Meter
) -> Generator[Progress, None, dict[Square, int]]:
    """The fewest lines that bring a lone box from a place to each square: pushing on in one direction costs nothing."""
    behind, floor, offsets = distances.behind, distances.board.floor, distances.board.offsets
    fewest = {box: 0}
    done: set[tuple[Square, Direction]] = set()
    waiting = deque((1, box, direction) for direction in DIRECTIONS if behind[direction][box] == place)
    while waiting:
        if meter.is_due():
            yield meter.progress()
        lines, square, direction = waiting.popleft()
        landing = square + offsets[direction]
        if (square, direction) in done or not floor >> landing & 1:
            continue
        done.add((square, direction))
        fewest.setdefault(landing, lines)
        after = behind[direction][landing]
        waiting.appendleft((lines, landing, direction))
        waiting.extend(
            (lines + 1, landing, turn) for turn in DIRECTIONS if turn != direction and behind[turn][landing] == after
        )
    return fewest
