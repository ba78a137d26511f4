"""What a known solution would do next from a position that lies on it."""

from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.bits import Direction, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import parse_lurd, play
from sokoterm.engine.reach import find_walk, reachable_area


class Advance(NamedTuple):
    """The walk to the next push with that push, and how much of the solution there is from here on, both included."""

    steps: Sequence[Direction]
    pushes: int
    moves: int


class _Place(NamedTuple):
    """Where a solution makes a push, and how many pushes and moves it has made before."""

    before: State
    direction: Direction
    pushes: int
    moves: int


class Guide:
    """A solution, looked up by position; positions that differ only by a walk are the same."""

    def __init__(self, board: Board, start: State, lurd: str) -> None:
        """Replays ``lurd`` from ``start``; raises LurdError where it does not fit."""
        self._board = board
        self._places: dict[tuple[int, int], _Place] = {}
        before, pushes = start, 0
        steps = parse_lurd(lurd)
        letters = []
        for moves, (direction, (after, letter)) in enumerate(zip(steps, play(board, start, steps), strict=True)):
            letters.append(letter)
            if after.boxes != before.boxes:
                self._places[self._key(before)] = _Place(before, direction, pushes, moves)
                pushes += 1
            before = after
        self._pushes, self._moves = pushes, len(steps)
        self._letters = "".join(letters)

    def find_next_push(self, state: State) -> Advance | None:
        """What the solution does next; None where the position does not lie on it, or is its end."""
        place = self._places.get(self._key(state))
        walk = find_walk(self._board, state, place.before.player) if place is not None else None
        if place is None or walk is None:
            return None
        steps = [*walk, place.direction]
        return Advance(steps, self._pushes - place.pushes, len(walk) + self._moves - place.moves)

    def find_rest(self, state: State) -> str | None:
        """The moves to the end; None where the position does not lie on the solution, or is its end."""
        advance = self.find_next_push(state)
        if advance is None:
            return None
        *walk, _ = advance.steps
        return "".join(step.letter for step in walk) + self._letters[len(walk) + self._moves - advance.moves :]

    def _key(self, state: State) -> tuple[int, int]:
        return state.boxes, lowest(reachable_area(self._board, state))
