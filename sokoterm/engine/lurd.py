"""LURD text: parsing, replay by the rules, and the metrics of a solution.

Lower case walks, upper case pushes.  Files lie about the case, so the replay recomputes it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress
from operator import add, ne
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Direction, Square
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import cannot_be_played
from sokoterm.engine.rules import Replayer, boxes_away, step
from sokoterm.engine.run_length import RunLengthError, expand
from sokoterm.engine.slices import STEPS_A_SLICE, Slices, finish
from sokoterm.language import _, ngettext
from sokoterm.language.counts import moves_text

_DIRECTION_OF = {
    letter: direction for direction in DIRECTIONS for letter in (direction.letter, direction.letter.upper())
}
_LURD = b"urdlURDL"
_CODES = bytes.maketrans(_LURD, bytes([*DIRECTIONS, *DIRECTIONS]))


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
    return [DIRECTIONS[direction] for direction in _parsed(text)]


def _parsed(text: str) -> bytes:
    """Return the directions of ``parse_lurd`` as bytes."""
    try:
        letters = expand("".join(text.split()), MOST_STEPS)
    except RunLengthError as error:
        raise LurdError(error.problem, _place_in(text, error.place)) from None
    return _directions(letters, text, may_count=True)


def _directions(letters: str, text: str, *, may_count: bool = False) -> bytes:
    """Return the directions of letters; raise LurdError with the position in ``text`` of one that is none."""
    codes = letters.encode("ascii", "replace")
    if codes.translate(None, _LURD):
        found = next(character for character in letters if character not in _DIRECTION_OF)
        if may_count:
            problem = _("found {found!r}, expected one of l u r d L U R D or a count", found=found)
        else:
            problem = _("found {found!r}, expected one of l u r d L U R D", found=found)
        raise LurdError(problem, text.index(found) + 1)
    return codes.translate(_CODES)


def _place_in(text: str, place: int) -> int:
    """Convert a position in the text without white space to one in the text, both from 1."""
    return [i for i, character in enumerate(text, start=1) if not character.isspace()][place - 1]


# The longest known solution has 612,529 moves; without a limit, a few repeat counts would exhaust memory and time.
MOST_STEPS = 2_000_000


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


def play(board: Board, state: State, steps: Iterable[Direction]) -> Iterator[tuple[State, str]]:
    """Yield the state after each step and its letter in the right case; raise LurdError at a blocked step."""
    for number, direction in enumerate(steps, start=1):
        after = step(board, state, direction)
        if after is None:
            raise LurdError(_blocked(number, direction), number)
        yield after, letter(direction, after.boxes != state.boxes)
        state = after


def _blocked(number: int, direction: Direction) -> str:
    return _("step {number} ({letter}) is blocked", number=number, letter=direction.letter)


def end_of(board: Board, start: State, lurd: str) -> State:
    """Return the state after the moves; raise LurdError at a blocked step."""
    replay = MeasuredReplay(board, start)
    replay.play(_parsed(lurd))
    return replay.state


def verify(board: Board, start: State, lurd: str) -> Solution:
    """Replay a solution by the rules and return it with its metrics.

    Raises LurdError if a step is blocked, the final position is not solved, or no box was pushed: a level that begins
    solved does not count as solved.
    """
    return finish(_verify(board, start, [_parsed(lurd)]))


def verify_in_slices(board: Board, start: State, lurd: str) -> Slices[Solution]:
    """Do the work of ``verify`` in slices, for letters without counts."""
    return _verify(board, start, parts_of(lurd))


def parts_of(lurd: str) -> Iterator[bytes]:
    """Yield the directions of letters without counts, parsed slice by slice; raise LurdError."""
    for first in range(0, len(lurd), STEPS_A_SLICE):
        yield _parsed(lurd[first : first + STEPS_A_SLICE])


def _verify(board: Board, start: State, parts: Iterable[bytes]) -> Slices[Solution]:
    replay = MeasuredReplay(board, start)
    for part in parts:
        replay.play(part)
        yield len(part)
    solution = replay.measured
    if not (replay.is_solved and solution.pushes) and cannot_be_played(board, start):
        raise LurdError(begins_solved(), replay.moves)
    if not replay.is_solved:
        left, boxes = boxes_away(board, replay.state).bit_count(), board.goals.bit_count()
        raise LurdError(not_home(left, boxes, replay.moves), replay.moves)
    if not solution.pushes:
        raise LurdError(_("no box was pushed: the level begins solved, which does not count"), solution.moves)
    return solution


def begins_solved() -> str:
    """Return what there is to say of a level that begins solved and cannot be played."""
    return _("the level begins solved and cannot be played")


def not_home(left: int, boxes: int, moves: int) -> str:
    """Return the problem of moves that leave boxes away from the goals.

    >>> not_home(1, 3, 40)
    '1 of 3 boxes not on a goal after 40 moves'
    """
    return ngettext(
        "{left} of {n} boxes not on a goal after {moves}",
        "{left} of {n} boxes not on a goal after {moves}",
        boxes,
        left=left,
        moves=moves_text(moves),
    )


def measure(lurd: str) -> Solution:
    """Return the metrics of moves whose case is right; on ice the box changes are those of a board without.

    Takes letters without counts; raises LurdError for any other character.
    """
    meter = _Meter()
    directions = _directions(lurd, lurd)
    offsets = [_IMAGINED[direction] for direction in directions]
    places = [*accumulate(offsets)]
    is_push = [*map(str.isupper, lurd)]
    meter.take(lurd, [*compress(places, is_push)], [*compress(map(add, places, offsets), is_push)])
    return meter.solution(lurd)


# Steps on an imagined board, wide enough for any moves.
_IMAGINED = (-1 << 32, 1, 1 << 32, -1)


def count_pushes_in_slices(board: Board, start: State, lurd: str) -> Slices[int]:
    """Count the pushes of letters without counts, in slices; 0 if they are blocked or lead to a solved position."""
    replay = MeasuredReplay(board, start)
    try:
        for part in parts_of(lurd):
            replay.play(part)
            yield len(part)
    except LurdError:
        return 0
    return 0 if replay.is_solved else replay.measured.pushes


class MeasuredReplay:
    """Moves played from a start by the rules, with their metrics."""

    def __init__(self, board: Board, start: State) -> None:
        self._replayer = Replayer(board, start)
        self._meter = _Meter()
        self._parts: list[str] = []
        self.moves = 0

    @property
    def is_solved(self) -> bool:
        return self._replayer.is_solved

    @property
    def state(self) -> State:
        """The position after the moves."""
        return self._replayer.state

    @property
    def lurd(self) -> str:
        """The moves so far, in the right case."""
        return "".join(self._parts)

    @property
    def measured(self) -> Solution:
        """The moves so far with their metrics, whether they solve the level or not."""
        return self._meter.solution(self.lurd)

    def play(self, directions: bytes, *, to_solution: bool = False) -> bool:
        """Play steps, with ``to_solution`` up to the first push that solves; return True if that came.

        Raises LurdError at a blocked step, after those before it.
        """
        letters = self._replayer.take(directions, to_solution=to_solution)
        self._parts.append(letters)
        self.moves += len(letters)
        self._meter.take(letters, self._replayer.pushed, self._replayer.landings)
        if to_solution and self.is_solved and self._replayer.pushed:
            return True
        if len(letters) < len(directions):
            number, blocked = self.moves + 1, DIRECTIONS[directions[len(letters)]]
            raise LurdError(_blocked(number, blocked), number)
        return False


class _Meter:
    """Metrics of moves that come part by part."""

    def __init__(self) -> None:
        self.pushes = 0
        self._box_lines = self._box_changes = self._pushing_sessions = self._player_lines = 0
        self._previous = " "
        self._box: Square | None = None

    def take(self, lurd: str, pushed: Sequence[Square], landings: Sequence[Square]) -> None:
        """Add the next moves; ``pushed`` and ``landings``: where boxes are pushed from and where they come to."""
        letters = (self._previous + lurd).encode("ascii")
        is_push = letters.translate(_IS_PUSH)
        begun_or_ended = _changes(is_push)
        ended = (begun_or_ended + is_push[0] - is_push[-1]) // 2
        self._pushing_sessions += begun_or_ended - ended
        self._box_lines += _changes(letters.translate(_PUSHES)) - ended
        self._player_lines += _changes(letters.lower())
        if pushed:
            self._box_changes += sum(map(ne, pushed, [self._box, *landings[:-1]]))
            self._box = landings[-1]
        self.pushes += len(pushed)
        self._previous = lurd[-1:] or self._previous

    def solution(self, lurd: str) -> Solution:
        """Return the metrics of all moves so far, which are ``lurd``."""
        runs = (self._box_lines, self._box_changes, self._pushing_sessions, self._player_lines)
        return Solution(lurd, len(lurd), self.pushes, *runs)


# Translate walks to blanks, and letters to 1 for a push and 0 for a walk.
_PUSHES = bytes.maketrans(b"urdl", b"    ")
_IS_PUSH = bytes.maketrans(b" urdlURDL", b"\0\0\0\0\0\1\1\1\1")


def _changes(letters: bytes) -> int:
    """Return how many letters differ from the one before them."""
    size = len(letters) - 1
    differences = int.from_bytes(letters[1:], "big") ^ int.from_bytes(letters[:-1], "big")
    return len(differences.to_bytes(size, "big").translate(None, b"\0"))
