"""Twins: levels too much alike in their rooms or in their solutions."""

from collections.abc import Generator, Sequence
from difflib import SequenceMatcher
from functools import cache

from sokoterm.engine.bits import SYMMETRIES, scan
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.engine.steps import finish
from sokoterm.generator.puzzle import LIMITS, solve_by_nodes
from sokoterm.solver.optimizer.shorten import shorten
from sokoterm.solver.search import Meter

_NODES = 200_000
_SHORTENING_NODES = 10_000

# Least number of equal pushes of twins.
_FEW_PUSHES = 6

# A room in one of its orientations, pushed into the corner.
Room = frozenset[tuple[int, int]]

# Pushes in one of their orientations: the step from the box pushed before to this one, and the step of the push.
Pushes = tuple[tuple[tuple[int, int], tuple[int, int]], ...]


@cache
def best_solution(level: Level) -> Solution:
    """Return a solution with fewest pushes, shortened to fewer moves: the same on every machine."""
    board, start = level.board, level.start
    solved = finish(solve_by_nodes(board, start, _NODES))
    if solved is None:
        raise AssertionError("a level that was solved when it was made")
    meter = Meter("shorten", board, LIMITS._replace(nodes=_NODES, states=20 * _NODES), bytes_per_state=250)
    return _end_of(shorten(board, start, solved.solution, meter, _SHORTENING_NODES))


def _end_of(steps: Generator[object, None, Solution]) -> Solution:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Solution = end.value
            return found


def is_twin(one: Level, other: Level) -> bool:
    """True if the rooms are equal except for a few squares, or most of the pushes are, in some orientation."""
    return _are_rooms_alike(one, other) or _are_pushes_alike(one, other)


def _are_rooms_alike(one: Level, other: Level) -> bool:
    mine, others = _rooms(one)[0], _rooms(other)
    few = min(len(mine), len(others[0])) // 6
    return any(len(mine ^ room) <= few for room in others)


def _are_pushes_alike(one: Level, other: Level) -> bool:
    """True if the other solution has three in four pushes of the shorter one in a row."""
    mine, others = _pushes(one)[0], _pushes(other)
    enough = max(_FEW_PUSHES, 3 * (1 + min(len(mine), len(others[0]))) / 4)
    return any(1 + _longest_run(mine, pushes) >= enough for pushes in others)


def _longest_run(one: Pushes, other: Pushes) -> int:
    """Return the length of the longest run of equal steps; the run of pushes is longer by one."""
    return SequenceMatcher(None, one, other, autojunk=False).find_longest_match().size


@cache
def _rooms(level: Level) -> tuple[Room, ...]:
    board = level.board
    places = [board.row_column(square) for square in scan(board.floor)]
    return tuple(frozenset(_in_the_corner(turned)) for turned in _orientations(places, level))


def _in_the_corner(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    top, left = min(row for row, _ in places), min(column for _, column in places)
    return [(row - top, column - left) for row, column in places]


@cache
def _pushes(level: Level) -> tuple[Pushes, ...]:
    """Return the pushes of the best solution in all orientations."""
    board = level.board
    before = level.start
    squares = []
    for state, _ in play(board, level.start, parse_lurd(best_solution(level).lurd)):
        if state.boxes != before.boxes:
            squares += [before.boxes & ~state.boxes, state.boxes & ~before.boxes]
        before = state
    places = [board.row_column(next(scan(square))) for square in squares]
    return tuple(_steps(turned) for turned in _orientations(places, level))


def _steps(places: Sequence[tuple[int, int]]) -> Pushes:
    origins, landings = places[::2], places[1::2]
    ways = [_from_to(origin, landing) for origin, landing in zip(origins, landings)]
    return tuple(zip(map(_from_to, origins, origins[1:]), ways[1:]))


def _from_to(place: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return other[0] - place[0], other[1] - place[1]


def _orientations(places: Sequence[tuple[int, int]], level: Level) -> list[list[tuple[int, int]]]:
    """Return places of a level in all orientations."""
    board = level.board
    return [[turn.place(row, column, board.height, board.width) for row, column in places] for turn in SYMMETRIES]
