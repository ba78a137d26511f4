"""Boards that a bench makes for itself, the same every time."""

from collections.abc import Sequence
from functools import cache
from random import Random

from sokoterm.engine.level import Level

# The way from a room of the maze to the next: rooms are three squares wide, so that a box can be turned in them.
_PITCH = 4


def open_board(size: int) -> Level:
    """An empty square hall with one box in the middle."""
    return _level(_hall(size), [(size // 2, size // 2)], [(1, 2)])


@cache
def crowded_board(size: int) -> Level:
    """A square hall with a box on every other square of every other row, the goals between them."""
    places = range(3, size - 3, 2)
    boxes = [(row, column) for row in places for column in places]
    return _level(_hall(size), boxes, [(row + 1, column) for row, column in boxes])


def maze(size: int) -> Level:
    """A maze without loops, of rooms in which a box can be turned, with one box and the goal in the last room."""
    random = Random(size)
    rows = [["#"] * size for _ in range(size)]
    rooms = (size - 2) // _PITCH
    _clear(rows, (0, 0), (0, 0))
    trail, seen = [(0, 0)], {(0, 0)}
    while trail:
        row, column = trail[-1]
        ways = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        ways = [way for way in ways if way not in seen and min(way) >= 0 and max(way) < rooms]
        if ways:
            room = random.choice(ways)
            _clear(rows, min(room, trail[-1]), max(room, trail[-1]))
            seen.add(room)
            trail.append(room)
        else:
            trail.pop()
    last = 2 + _PITCH * (rooms - 1)
    return _level(rows, [(2, 2)], [(last, last)])


def _hall(size: int) -> list[list[str]]:
    return [["#" if {row, column} & {0, size - 1} else " " for column in range(size)] for row in range(size)]


def _clear(rows: list[list[str]], first: tuple[int, int], last: tuple[int, int]) -> None:
    """Make floor of two rooms side by side and what is between them."""
    for row in range(first[0] * _PITCH, last[0] * _PITCH + _PITCH - 1):
        for column in range(first[1] * _PITCH, last[1] * _PITCH + _PITCH - 1):
            rows[row + 1][column + 1] = " "


def _level(rows: list[list[str]], boxes: Sequence[tuple[int, int]], goals: Sequence[tuple[int, int]]) -> Level:
    """The level with boxes and goals on these squares and the player in the upper left corner."""
    for row, column in boxes:
        rows[row][column] = "$"
    for row, column in goals:
        rows[row][column] = "."
    rows[1][1] = "@"
    return Level.from_xsb("\n".join("".join(row) for row in rows))
