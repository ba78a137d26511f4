"""LURD text: parsing, replay by the rules, and the metrics of a solution.

Lower case walks, upper case pushes.  Files lie about the case, so the replay recomputes it.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice, repeat
from typing import NamedTuple

from sokoterm.engine.bits import Direction
from sokoterm.engine.board import Board, State
from sokoterm.engine.rules import boxes_away, is_solved, step
from sokoterm.engine.run_length import RunLengthError, expand
from sokoterm.engine.slices import STEPS_A_SLICE, Slices, finish

_DIRECTION_OF = {
    letter: direction for direction in Direction for letter in (direction.letter, direction.letter.upper())
}


class LurdError(ValueError):
    """Moves that cannot be read or played.

    ``step`` counts from 1 in the moves as played or, for a character that is no move, in the text.
    """

    def __init__(self, problem: str, step: int) -> None:
        super().__init__(problem)
        self.step = step


class Solution(NamedTuple):
    """Moves from a start to a solved position, with their metrics.

    ``box_lines``: runs of consecutive pushes in one direction.  ``box_changes``: pushes of another box than the push
    before, including the first push.  ``pushing_sessions``: runs of consecutive pushes.  ``player_lines``: runs of
    consecutive steps in one direction.
    """

    lurd: str
    moves: int
    pushes: int
    box_lines: int
    box_changes: int
    pushing_sessions: int
    player_lines: int


def parse_lurd(text: str) -> list[Direction]:
    """Parse LURD text in either case; white space is skipped, counts and groups repeat (see ``run_length``).

    Raises LurdError with the position in the text, from 1.

    >>> [direction.letter for direction in parse_lurd("2Rd")]
    ['r', 'r', 'd']
    """
    try:
        letters = expand("".join(text.split()), _MOST_STEPS)
    except RunLengthError as error:
        raise LurdError(error.problem, _place_in(text, error.place)) from None
    try:
        return [_DIRECTION_OF[letter] for letter in letters]
    except KeyError as error:
        found = str(error.args[0])
        problem = f"found {found!r}, expected one of l u r d L U R D or a count"
        raise LurdError(problem, text.index(found) + 1) from None


def _place_in(text: str, place: int) -> int:
    """Convert a position in the text without white space to one in the text, both from 1."""
    return [i for i, character in enumerate(text, start=1) if not character.isspace()][place - 1]


# The longest known solution has 612,529 moves; without a limit, a few repeat counts would exhaust memory and time.
_MOST_STEPS = 2_000_000


def run_lengths(lurd: str) -> str:
    """Return LURD text with repeat counts, each before its letter.

    >>> run_lengths("RRdddL")
    '2R3dL'
    """
    pieces: list[str] = []
    start = 0
    for end in range(1, len(lurd) + 1):
        if end == len(lurd) or lurd[end] != lurd[start]:
            pieces.append((str(end - start) if end - start > 1 else "") + lurd[start])
            start = end
    return "".join(pieces)


def letter(direction: Direction, pushed: bool) -> str:
    """Return the LURD letter of a step."""
    return "URDL"[direction] if pushed else "urdl"[direction]


def direction_of(lurd_letter: str) -> Direction:
    """Return the direction of a LURD letter in either case."""
    return _DIRECTION_OF[lurd_letter]


_ONE_SQUARE = repeat(1)


def play(board: Board, state: State, steps: Iterable[Direction]) -> Iterator[tuple[State, str]]:
    """Yield the state after each step and its letter in the right case; raise LurdError at a blocked step."""
    for number, direction in enumerate(steps, start=1):
        after = step(board, state, direction)
        if after is None:
            raise LurdError(f"step {number} ({direction.letter}) is blocked", number)
        yield after, letter(direction, after.boxes != state.boxes)
        state = after


def end_of(board: Board, start: State, lurd: str) -> State:
    """Return the state after the moves; raise LurdError at a blocked step."""
    state = start
    for state, _ in play(board, start, parse_lurd(lurd)):
        pass
    return state


def verify(board: Board, start: State, lurd: str) -> Solution:
    """Replay a solution by the rules and return it with its metrics.

    Raises LurdError if a step is blocked, the final position is not solved, or no box was pushed: a level that begins
    solved does not count as solved.
    """
    return finish(_verify(board, start, parse_lurd(lurd)))


def verify_in_slices(board: Board, start: State, lurd: str) -> Slices[Solution]:
    """Do the work of ``verify`` in slices, for letters without counts."""
    return _verify(board, start, steps_of(lurd))


def steps_of(lurd: str) -> Iterator[Direction]:
    """Yield the steps of letters without counts, parsed part by part; raise LurdError."""
    return chain.from_iterable(map(parse_lurd, _parts_of(lurd)))


def _parts_of(lurd: str) -> Iterator[str]:
    return (lurd[first : first + STEPS_A_SLICE] for first in range(0, len(lurd), STEPS_A_SLICE))


def _verify(board: Board, start: State, steps: Iterable[Direction]) -> Slices[Solution]:
    parts: list[str] = []
    meter = _Meter()
    state = before = start
    moves = play(board, start, steps)
    while some := list(islice(moves, STEPS_A_SLICE)):
        state = some[-1][0]
        parts.append("".join([step_letter for _, step_letter in some]))
        meter.take(parts[-1], _slides(board, before, some) if board.variant is not None else _ONE_SQUARE)
        before = state
        yield len(some)
    lurd = "".join(parts)
    if not is_solved(board, state):
        left, boxes = boxes_away(board, state).bit_count(), board.goals.bit_count()
        raise LurdError(f"{left} of {boxes} boxes not on a goal after {len(lurd)} moves", len(lurd))
    if not meter.pushes:
        raise LurdError("no box was pushed: the level begins solved, which does not count", len(lurd))
    return meter.solution(lurd)


def _slides(board: Board, before: State, steps: Iterable[tuple[State, str]]) -> Iterator[int]:
    """Yield how many squares a box moved at each push."""
    for after, letter in steps:
        if letter.isupper():
            yield pushed_squares(board, before, after, direction_of(letter))
        before = after


def pushed_squares(board: Board, before: State, after: State, direction: Direction) -> int:
    """Return how many squares a push in a direction moved its box: more than one on ice alone."""
    landing = (after.boxes & ~before.boxes & board.floor).bit_length() - 1
    return (landing - after.player) // board.offsets[direction]


def measure(lurd: str) -> Solution:
    """Return the metrics of moves whose case is right; on ice the box changes are those of a board without."""
    return finish(measure_in_slices(lurd))


def measure_in_slices(lurd: str, slides: Iterator[int] = _ONE_SQUARE) -> Slices[Solution]:
    """Do the work of ``measure`` in slices; ``slides``: how many squares each push moves its box."""
    meter = _Meter()
    for part in _parts_of(lurd):
        meter.take(part, slides)
        yield len(part)
    return meter.solution(lurd)


def count_pushes_in_slices(board: Board, start: State, lurd: str) -> Slices[int]:
    """Count the pushes of letters without counts, in slices; 0 if they are blocked or lead to a solved position."""
    pushes, state = 0, start
    moves = play(board, start, steps_of(lurd))
    try:
        while some := list(islice(moves, STEPS_A_SLICE)):
            state = some[-1][0]
            pushes += sum(letter.isupper() for _, letter in some)
            yield len(some)
    except LurdError:
        return 0
    return 0 if is_solved(board, state) else pushes


class _Meter:
    """Metrics of moves that come part by part."""

    def __init__(self) -> None:
        self.pushes = 0
        self._box_lines = self._box_changes = self._pushing_sessions = self._player_lines = 0
        self._previous = ""
        self._row = self._column = 0
        self._box: tuple[int, int] | None = None

    def take(self, lurd: str, slides: Iterator[int] = _ONE_SQUARE) -> None:
        """Add the next moves; ``slides``: how many squares each push moves its box."""
        box_lines = box_changes = pushing_sessions = player_lines = 0
        previous, row, column, box = self._previous, self._row, self._column, self._box
        last = _DIRECTION_OF.get(previous)
        for each in lurd:
            direction = _DIRECTION_OF[each]
            down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[direction]
            row, column = row + down, column + right
            player_lines += direction is not last
            if each.isupper():
                box_lines += each != previous
                pushing_sessions += not previous.isupper()
                box_changes += box != (row, column)
                squares = next(slides)
                box = (row + squares * down, column + squares * right)
            previous, last = each, direction
        self._previous, self._row, self._column, self._box = previous, row, column, box
        self._box_lines += box_lines
        self._box_changes += box_changes
        self._pushing_sessions += pushing_sessions
        self._player_lines += player_lines
        self.pushes += sum(map(str.isupper, lurd))

    def solution(self, lurd: str) -> Solution:
        """Return the metrics of all moves so far, which are ``lurd``."""
        runs = (self._box_lines, self._box_changes, self._pushing_sessions, self._player_lines)
        return Solution(lurd, len(lurd), self.pushes, *runs)
