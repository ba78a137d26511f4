"""The level hash cell by cell, as its nine steps read: what the one of the engine is measured against."""

from collections.abc import Sequence
from hashlib import md5


def naive_hash(rows: Sequence[str]) -> str:
    """The level hash of a picture of ``# @+$*.`` and spaces."""
    width = max(map(len, rows))
    grid = [list(row.ljust(width)) for row in rows]
    start = next((row, column) for row in range(len(grid)) for column in range(width) if grid[row][column] in "@+")
    inside = _flood(grid, start, "#")
    for row in range(len(grid)):
        for column in range(width):
            if (row, column) not in inside:
                grid[row][column] = "#"
    top, bottom = min(row for row, _ in inside), max(row for row, _ in inside)
    left, right = min(column for _, column in inside), max(column for _, column in inside)
    grid[start[0]][start[1]] = "." if grid[start[0]][start[1]] == "+" else " "
    for row, column in _flood(grid, start, "#$*"):
        grid[row][column] = "+" if grid[row][column] == "." else "@"
    grid = [row[left - 1 : right + 2] for row in grid[top - 1 : bottom + 2]]
    digests = []
    for _ in range(4):
        grid = _turned(grid)
        digests += [_digest(grid), _digest([[row[-1 - i] for i in range(len(row))] for row in grid])]
    return max(digests)


def _flood(grid: list[list[str]], start: tuple[int, int], closed: str) -> set[tuple[int, int]]:
    """The places connected to ``start`` by cells that are not ``closed``."""
    found = {start}
    waiting = [start]
    while waiting:
        row, column = waiting.pop()
        for place in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if place not in found and grid[place[0]][place[1]] not in closed:
                found.add(place)
                waiting.append(place)
    return found


def _turned(grid: list[list[str]]) -> list[list[str]]:
    """A quarter turn."""
    return [[grid[row][column] for row in range(len(grid) - 1, -1, -1)] for column in range(len(grid[0]))]


def _digest(grid: list[list[str]]) -> str:
    text = ";".join("".join(row) for row in grid)
    return md5(text.encode("ascii"), usedforsecurity=False).hexdigest().upper()
