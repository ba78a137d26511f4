"""Walks: the shortest way of the player from one push to the next, with all pushes as they are."""

from collections.abc import Generator

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import parse_lurd, play
from sokoterm.engine.reach import find_walk
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress


def straighten(board: Board, start: State, lurd: str, last: int, meter: Meter) -> Generator[Progress, None, str]:
    """Return LURD letters with the shortest walks up to the position after move ``last``."""
    parts: list[str] = []
    before, walked = start, ""
    state = start
    for moves, (after, letter) in enumerate(play(board, start, parse_lurd(lurd[:last])), start=1):
        if letter.islower():
            walked += letter
        if letter.isupper() or moves == last:
            target = state.player if letter.isupper() else after.player
            walk = walked
            if _is_longer_than_needed(board, before.player, target, len(walked)):
                found = find_walk(board, before, target)
                if found is None:
                    raise AssertionError("a walk that was walked is blocked")
                walk = "".join(direction.letter for direction in found)
            parts += [walk, letter if letter.isupper() else ""]
            before, walked = after, ""
            if meter.is_due():
                yield meter.progress()
        state = after
    return "".join(parts) + lurd[last:]


def _is_longer_than_needed(board: Board, square: int, target: int, steps: int) -> bool:
    """True if a walk of so many steps has some that a board without walls would not need."""
    (row, column), (other_row, other_column) = board.row_column(square), board.row_column(target)
    return steps > abs(row - other_row) + abs(column - other_column)
