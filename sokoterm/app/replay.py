"""Replay of moves from a position."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from sokoterm.engine.bits import Direction
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import direction_of, end_of, parse_lurd, play
from sokoterm.engine.rules import slide
from sokoterm.engine.stretches import Stretch


class Replay:
    """``lurd`` played from the position after the moves ``before``; the first ``k`` of its moves are shown."""

    def __init__(self, level: Level, before: str, lurd: str) -> None:
        """Raises LurdError if the moves do not fit the level."""
        self.before = before
        self.k = 0
        self._board = level.board
        self._sliding: list[State] = []
        self._states = [end_of(level.board, level.start, before)]
        letters = []
        for state, letter in play(level.board, self._states[0], parse_lurd(lurd)):
            self._states.append(state)
            letters.append(letter)
        self.letters = "".join(letters)
        # The number of moves up to each push.
        self._push_moves = [move for move, letter in enumerate(letters, start=1) if letter.isupper()]

    @property
    def moves(self) -> int:
        """The number of moves."""
        return len(self.letters)

    @property
    def pushes(self) -> int:
        """The number of pushes."""
        return len(self._push_moves)

    @property
    def pushes_shown(self) -> int:
        """The number of pushes among the moves shown."""
        return bisect_right(self._push_moves, self.k)

    @property
    def state(self) -> State:
        """The position shown, which may be one in which a box slides."""
        return self._sliding[0] if self._sliding else self._states[self.k]

    @property
    def sliding(self) -> int:
        """The number of positions that are shown before a box comes to rest."""
        return len(self._sliding)

    @property
    def lurd(self) -> str:
        """The moves from the level's start to the position shown."""
        return self.before + self.letters[: self.k]

    @property
    def facing(self) -> Direction:
        """The direction of the last move shown, down before the first."""
        letter = self.letters[self.k - 1 : self.k] if self.k else self.before[-1:]
        return direction_of(letter) if letter else Direction.DOWN

    def show(self, k: int) -> None:
        """Show a number of moves, or as many as there are."""
        self.k = max(0, min(k, self.moves))
        self._sliding = []

    def glide(self, k: int) -> None:
        """Show a number of moves, and if it is one more or less than before, a box that slides first."""
        before = self.k
        self.show(k)
        if abs(self.k - before) == 1:
            first, second = self._states[min(self.k, before)], self._states[max(self.k, before)]
            self._sliding = [*slide(self._board, first, second)][:: 1 if before < self.k else -1]

    def glide_on(self) -> None:
        """Show the next position in which a box slides, or that in which it comes to rest."""
        del self._sliding[0]

    def target(self, action: str) -> int | None:
        """Return the number of moves shown after a step, a push or at an end; None for another action."""
        match action:
            case "step":
                return self.k + 1
            case "step back":
                return self.k - 1
            case "push":
                index = self.pushes_shown
                return self._push_moves[index] if index < self.pushes else self.moves
            case "push back":
                index = bisect_left(self._push_moves, self.k) - 1
                return self._push_moves[index] if index >= 0 else 0
            case "first":
                return 0
            case "last":
                return self.moves
        return None

    def start_of_stretch(self, stretches: Sequence[Stretch], *, is_next: bool) -> int | None:
        """Return the number of moves shown where the next or previous stretch begins; None if there is none."""
        starts = [each.first - len(self.before) for each in stretches]
        if is_next:
            return next((start for start in starts if start > self.k), None)
        return next((start for start in reversed(starts) if 0 <= start < self.k), None)

    def find_stretch(self, stretches: Sequence[Stretch]) -> Stretch | None:
        """Return the stretch that is shown."""
        k = len(self.before) + self.k
        return next((each for each in stretches if each.first <= k < max(each.last, each.first + 1)), None)
