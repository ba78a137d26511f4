"""What a known solution would do next from a position that lies on it."""

from sokoterm.engine.bits import Direction, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import parse_lurd, play
from sokoterm.engine.reach import find_walk, reachable_area


class Guide:
    """A solution, looked up by position; positions that differ only by a walk are the same."""

    def __init__(self, board: Board, start: State, lurd: str) -> None:
        """Replays ``lurd`` from ``start``; raises LurdError where it does not fit."""
        self._board = board
        self._pushes: dict[tuple[int, int], tuple[State, Direction]] = {}
        before = start
        for direction, (after, _) in zip(steps := parse_lurd(lurd), play(board, start, steps), strict=True):
            if after.boxes != before.boxes:
                self._pushes[self._key(before)] = (before, direction)
            before = after

    def find_next_push(self, state: State) -> list[Direction] | None:
        """The walk to the solution's next push, and that push; None where the position is not on the solution."""
        known = self._pushes.get(self._key(state))
        if known is None:
            return None
        before, direction = known
        walk = find_walk(self._board, state, before.player)
        return None if walk is None else [*walk, direction]

    def _key(self, state: State) -> tuple[int, int]:
        return state.boxes, lowest(reachable_area(self._board, state))
