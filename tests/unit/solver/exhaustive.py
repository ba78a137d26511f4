"""Small random levels, of every kind, and exhaustive searches of them by the rules alone, without pruning."""

import random
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Square, flood, lowest, regions, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level, LevelError, varied
from sokoterm.engine.lurd import Solution, letter, verify
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import is_solved, legal_pushes, push, step
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.search import Outcome, Status


def random_levels(seed: int, count: int, *, size: int = 8, boxes: int = 3) -> Iterator[Level]:
    """Make ``count`` levels of up to ``size`` x ``size`` squares, walls included, with up to ``boxes`` boxes.

    Many have no solution, and some begin solved.
    """
    rng = random.Random(seed)
    made = 0
    while made < count:
        level = _random_level(rng, size, boxes)
        if level is not None:
            made += 1
            yield level


def status_without_solution(level: Level) -> Status:
    """Return how a search ends that proves that no pushes lead to a solution."""
    return Status.BEGINS_SOLVED if is_solved(level.board, level.start) else Status.UNSOLVABLE


def check_answer(level: Level, solution: Solution | None, outcome: Outcome, fewest: int | None) -> None:
    """Compare the end of a search with that of an exhaustive one, which solves the level in the fewest pushes."""
    if solution is None:
        assert (outcome.status, fewest) == (status_without_solution(level), None), level.xsb()
        return
    assert outcome.status is Status.SOLVED
    assert verify(level.board, level.start, solution.lurd) == solution
    assert fewest is not None
    assert solution.pushes >= fewest
    if outcome.optimal == "pushes":
        assert solution.pushes == fewest, level.xsb()


def _random_level(rng: random.Random, size: int, most_boxes: int) -> Level | None:
    height, width = rng.randint(4, size), rng.randint(5, size)
    rows = [["#"] * width for _ in range(height)]
    density = rng.choice((0.0, 0.1, 0.2))
    inside = [(row, column) for row in range(1, height - 1) for column in range(1, width - 1)]
    for row, column in inside:
        rows[row][column] = "#" if rng.random() < density else " "
    floor = [place for place in inside if rows[place[0]][place[1]] == " "]
    boxes = rng.randint(1, most_boxes)
    if len(floor) < boxes + 2:
        return None
    *box_places, (row, column) = rng.sample(floor, boxes + 1)
    if any(_in_corner(rows, *place) for place in box_places):
        return None
    goal_places = rng.sample(floor, boxes)
    for each_row, each_column in goal_places:
        rows[each_row][each_column] = "."
    for each_row, each_column in box_places:
        rows[each_row][each_column] = "*" if rows[each_row][each_column] == "." else "$"
    rows[row][column] = "+" if rows[row][column] == "." else "@"
    try:
        return Level.from_xsb("\n".join("".join(each) for each in rows))
    except LevelError:
        return None


def _in_corner(rows: list[list[str]], row: int, column: int) -> bool:
    upright = "#" in (rows[row - 1][column], rows[row + 1][column])
    level = "#" in (rows[row][column - 1], rows[row][column + 1])
    return upright and level


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


class Positions(NamedTuple):
    """Every reachable normalized position of a level with those one push further, and the fewest pushes that solve it.

    Positions without a solution are not in ``pushes``; a solved one has 0.
    """

    level: Level
    successors: dict[State, list[State]]
    pushes: dict[State, int]

    @property
    def fewest(self) -> int | None:
        """The fewest pushes, at least one, that solve the level."""
        after = self.successors[self.level.start.normalized(self.level.board)]
        return min((1 + self.pushes[each] for each in after if each in self.pushes), default=None)


def positions_of(level: Level, most: int) -> Positions | None:
    """Search all positions of a level; None if there are more than ``most``."""
    try:
        successors = reachable(level.board, level.start, most)
    except OverflowError:
        return None
    return Positions(level, successors, pushes_to_solve(level.board, successors))


def reachable(board: Board, start: State, most: int = 1_000_000) -> dict[State, list[State]]:
    """Return every reachable normalized state, with its successors by one push; OverflowError for over ``most``."""
    first = start.normalized(board)
    successors: dict[State, list[State]] = {}
    waiting = [first]
    while waiting:
        state = waiting.pop()
        if state in successors:
            continue
        if len(successors) >= most:
            raise OverflowError
        after = [push(board, state, each) for each in legal_pushes(board, state)]
        successors[state] = [each.normalized(board) for each in after if each is not None]
        waiting.extend(successors[state])
    return successors


def pushes_to_solve(board: Board, successors: dict[State, list[State]]) -> dict[State, int]:
    """Return the fewest pushes to a solved state (0 if solved) for each state with a solution."""
    sources: dict[State, list[State]] = {state: [] for state in successors}
    for state, after in successors.items():
        for each in after:
            sources[each].append(state)
    waiting = [state for state in successors if is_solved(board, state)]
    pushes = dict.fromkeys(waiting, 0)
    for state in waiting:
        for source in sources[state]:
            if source not in pushes:
                pushes[source] = pushes[state] + 1
                waiting.append(source)
    return pushes


@cache
def fewest_pushes(board: Board, start: State) -> int | None:
    """Return the fewest pushes, at least one, that solve a state; None if it has no solution."""
    successors = reachable(board, start)
    pushes = pushes_to_solve(board, successors)
    return min((1 + pushes[each] for each in successors[start.normalized(board)] if each in pushes), default=None)


# A state, the letter of the push before it, and the square of the box that was pushed last.
_Context = tuple[State, str, int]


def _steps(board: Board, context: _Context) -> Iterator[tuple[_Context, tuple[int, int, int, int, int]]]:
    """Yield what each step leads to, and what it adds: moves, pushes, box lines, box changes, sessions."""
    state, previous, pushed = context
    for direction in DIRECTIONS:
        after = step(board, state, direction)
        if after is None:
            continue
        if after.boxes == state.boxes:
            yield (after, "", pushed), (1, 0, 0, 0, 0)
            continue
        box, landing = lowest(state.boxes & ~after.boxes), lowest(after.boxes & ~state.boxes)
        now = letter(direction, True)
        yield (after, now, landing), (1, 1, int(now != previous), int(box != pushed), int(not previous))


def least(level: Level, objective: Objective) -> tuple[int, int, int] | None:
    """Return the key of the best solution with a push, step by step; None if nothing solves the level."""
    counts_lines = objective not in (Objective.MOVES, Objective.PUSHES)
    place = list(Objective).index(objective)
    queue: list[tuple[tuple[int, int, int], int, _Context]] = [((0, 0, 0), 0, (level.start, "", -1))]
    done: set[_Context] = set()
    numbers = count(1)
    while queue:
        key, _, context = heappop(queue)
        if context in done:
            continue
        done.add(context)
        if key[2] and is_solved(level.board, context[0]):
            return key
        for following, added in _steps(level.board, context):
            after = following if counts_lines else (following[0], "", min(following[2], 0))
            if after not in done:
                total = key[0] + added[place], key[1] + added[0], key[2] + added[1]
                heappush(queue, (total, next(numbers), after))
    return None


def solvable(board: Board) -> Iterator[tuple[Bitboard, Bitboard]]:
    """Return the boxes and player's region of every solvable position, by pulls from all goals filled."""
    stride = board.stride
    seen = set()
    waiting = [(board.goals, region) for region in regions(board.floor & ~board.goals, stride)]
    for boxes, region in waiting:
        if (boxes, region) in seen:
            continue
        seen.add((boxes, region))
        yield boxes, region
        for offset in board.offsets:
            for box in scan(boxes & shift(region, -offset) & shift(region, -2 * offset)):
                pulled = boxes ^ 1 << box | 1 << box + offset
                waiting.append((pulled, flood(1 << box + 2 * offset, board.floor & ~pulled, stride)))


def can_be_solved(level: Level) -> bool:
    """Return whether a level has a solution, or begins solved."""
    return (level.start.boxes, reachable_area(level.board, level.start)) in solvable(level.board)
