"""Replay of moves from a position."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from sokoterm.engine.bits import DIRECTIONS
from sokoterm.engine.board import State
from sokoterm.engine.guide import Stretch
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Stance, end_of, parse_directions, play_all, stance_after
from sokoterm.engine.rules import Replayer, slide, step, step_back

# Distance up to which single steps are faster than replaying.
_NEAR = 64


class Replay:
    """Replay of ``lurd`` after the moves ``before``; its first ``k`` moves are shown, of ``moves`` in total."""

    def __init__(self, level: Level, before: str, lurd: str) -> None:
        """Raises LurdError if the moves do not fit the level."""
        self.before = before
        self.k = 0
        self._board = level.board
        self._sliding: list[State] = []
        self._start = end_of(level.board, level.start, before)
        self._directions = parse_directions(lurd)
        self.letters = play_all(Replayer(level.board, self._start), self._directions)
        # The latest position, and the latest one reached by replaying, each with its number of moves.
        self._latest = 0, self._start
        self._played = 0, Replayer(level.board, self._start)
        # The number of moves up to each push.
        self._push_moves = [move for move, letter in enumerate(self.letters, start=1) if letter.isupper()]
        self.moves, self.pushes = len(self.letters), len(self._push_moves)

    @property
    def pushes_shown(self) -> int:
        return bisect_right(self._push_moves, self.k)

    @property
    def state(self) -> State:
        """The position shown, perhaps with a box in mid-slide."""
        return self._sliding[0] if self._sliding else self._state_after(self.k)

    def _state_after(self, k: int) -> State:
        """Return the position after ``k`` moves; positions are not cached, since each takes much memory."""
        at, state = self._latest
        if abs(k - at) > _NEAR:
            played, replayer = self._played if self._played[0] <= k else (0, Replayer(self._board, self._start))
            replayer.take(self._directions[played:k])
            self._played, at, state = (k, replayer), k, replayer.state
        for index in range(at, k):
            state = step(self._board, state, DIRECTIONS[self._directions[index]]) or state
        for index in reversed(range(k, at)):
            state = step_back(
                self._board, state, DIRECTIONS[self._directions[index]], pushed=self.letters[index].isupper()
            )
        self._latest = k, state
        return state

    @property
    def sliding(self) -> int:
        """The number of frames until a sliding box comes to rest."""
        return len(self._sliding)

    @property
    def lurd(self) -> str:
        """The moves from the level's start to the position shown."""
        return self.before + self.letters[: self.k]

    @property
    def stance(self) -> Stance:
        last = self.letters[self.k - 1 : self.k] if self.k else self.before[-1:]
        return stance_after(len(self.before) + self.k, last)

    def show(self, k: int) -> None:
        """Show the first ``k`` moves; ``k`` is limited to the valid range."""
        self.k = max(0, min(k, self.moves))
        self._sliding = []

    def glide(self, k: int) -> None:
        """Like ``show``, but a single step first shows any sliding box frame by frame."""
        before = self.k
        self.show(k)
        if abs(self.k - before) == 1:
            first, second = self._state_after(min(self.k, before)), self._state_after(max(self.k, before))
            self._sliding = [*slide(self._board, first, second)][:: 1 if before < self.k else -1]

    def glide_on(self) -> None:
        """Show the next frame of a slide."""
        del self._sliding[0]

    def film(self, per_second: int, most: int) -> Iterator[tuple[int, int, int]]:
        """Show the whole replay, ``per_second`` moves a second, in at most ``most`` frames a second.

        Yields for each frame the number of moves, the number of slide frames before it, and how many of them are left.
        """
        for k in (*range(0, self.moves, -(-per_second // most)), self.moves):
            self.glide(k)
            slides = min(self.sliding, most // per_second)
            while self.sliding > slides:
                self.glide_on()
            for left in range(slides, -1, -1):
                yield k, slides, left
                if left:
                    self.glide_on()

    def target(self, action: str) -> int | None:
        """Return the number of moves to show after an action; None if the action does not move the replay."""
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
        """Return the number of moves at the start of the next or previous stretch; None if there is none."""
        starts = [each.first - len(self.before) for each in stretches]
        if is_next:
            return next((start for start in starts if start > self.k), None)
        return next((start for start in reversed(starts) if 0 <= start < self.k), None)

    def find_stretch(self, stretches: Sequence[Stretch]) -> Stretch | None:
        """Return the stretch at the current position, if any."""
        k = len(self.before) + self.k
        return next((each for each in stretches if each.first <= k < max(each.last, each.first + 1)), None)
