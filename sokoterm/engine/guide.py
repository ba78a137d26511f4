"""Next push of a known solution from a position that occurs in it."""

from collections.abc import Sequence

from sokoterm.engine.bits import Direction, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import parse_lurd, play
from sokoterm.engine.reach import find_walk, reachable_area
from sokoterm.engine.value import Value


class Advance(Value):
    """The walk to the next push and that push; ``pushes`` and ``moves`` count from here to the end of the solution."""

    steps: Sequence[Direction]
    pushes: int
    moves: int


class _GuidePoint(Value):
    """The state before a push of the solution, that push, and the pushes and moves made until then."""

    before: State
    direction: Direction
    pushes: int
    moves: int


class Guide:
    """A solution indexed by position; positions that differ only by a walk are equal."""

    def __init__(self, board: Board, start: State, lurd: str) -> None:
        """Replay ``lurd`` from ``start``; raise LurdError if a step is blocked."""
        self._board = board
        self._points: dict[tuple[int, int], _GuidePoint] = {}
        before, pushes = start, 0
        steps = parse_lurd(lurd)
        letters = []
        for moves, (direction, (after, letter)) in enumerate(zip(steps, play(board, start, steps), strict=True)):
            letters.append(letter)
            if after.boxes != before.boxes:
                self._points[self._key(before)] = _GuidePoint(before, direction, pushes, moves)
                pushes += 1
            before = after
        self._pushes, self._moves = pushes, len(steps)
        self._letters = "".join(letters)

    def find_next_push(self, state: State) -> Advance | None:
        """Return the next push of the solution; None if the position is not on it or is its end."""
        point = self._points.get(self._key(state))
        walk = find_walk(self._board, state, point.before.player) if point is not None else None
        if point is None or walk is None:
            return None
        steps = [*walk, point.direction]
        return Advance(steps, self._pushes - point.pushes, len(walk) + self._moves - point.moves)

    def find_rest(self, state: State) -> str | None:
        """Return the moves to the end; None if the position is not on the solution or is its end."""
        advance = self.find_next_push(state)
        if advance is None:
            return None
        *walk, _ = advance.steps
        return "".join(step.letter for step in walk) + self._letters[len(walk) + self._moves - advance.moves :]

    def _key(self, state: State) -> tuple[int, int]:
        return state.boxes, lowest(reachable_area(self._board, state))
