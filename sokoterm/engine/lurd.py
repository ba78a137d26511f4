"""LURD text: parsing, replay by the rules, the metrics of a solution, and a check of the records of a level.

Lower case walks, upper case pushes.  Some files get the case wrong, so the replay recomputes it.

Moves and boards may be run-length text: ``2(3(dr)R)`` is ``drdrdrRdrdrdrR``, ``3#4-p.#`` is ``###----p.#``.  A count
precedes the character or group it repeats (SOK file format 0.19 of Sokoban YASC).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress
from operator import add, ne
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Direction, Square
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import cannot_be_played
from sokoterm.engine.level import Level, Record
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import Replayer, boxes_away, step
from sokoterm.engine.value import SokotermError
from sokoterm.language import _, moves_text, ngettext

_LONGEST_COUNT = 9
# Real files nest at most a few groups; a million would exhaust memory.
_MOST_OPEN = 1000


class RunLengthError(ValueError):
    """Run-length text that cannot be expanded; ``place`` is the position in it, from 1."""

    def __init__(self, problem: str, place: int, character: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = place
        self.character = character


def expand(text: str, limit: int) -> str:
    """Expand counts and groups, in time linear in the text and the result.

    Raises RunLengthError if the result is longer than ``limit``, a count is 0 or repeats nothing, or a bracket is
    unmatched.

    >>> expand("2(3(dr)R)", 100)
    'drdrdrRdrdrdrR'
    """
    if text.isascii() and not any(character in text for character in "()0123456789"):
        _check_length(len(text), limit, 1)
        return text
    pieces: list[str] = []
    length = 0
    # For each open group: the pieces and the length before it, its count and its position.
    outer: list[tuple[list[str], int, int, int]] = []
    for place, character, count in _counted(text):
        if character == "(":
            if len(outer) == _MOST_OPEN:
                problem = _("more than {most:,} groups are nested in each other", most=_MOST_OPEN)
                raise RunLengthError(problem, place, character)
            outer.append((pieces, length, count, place))
            pieces, length = [], 0
            continue
        group = character
        if character == ")":
            if not outer:
                raise RunLengthError(_("found ')' without '(' before it"), place, character)
            if count > 1:
                raise RunLengthError(_("found a count before ')', expected it before a character"), place, character)
            group = "".join(pieces)
            pieces, length, count, __ = outer.pop()
        length += len(group) * count
        _check_length(length, limit, place)
        pieces.append(group * count)
    if outer:
        raise RunLengthError(_("found '(' without ')' after it"), outer[-1][3], "(")
    return "".join(pieces)


def _counted(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield each non-digit as (position, character, count before it); raises RunLengthError."""
    digits = ""
    for place, character in enumerate(text, start=1):
        if "0" <= character <= "9":
            digits = (digits + character).lstrip("0") or "0"
            if len(digits) > _LONGEST_COUNT:
                most = 10**_LONGEST_COUNT - 1
                raise RunLengthError(_("found a count over {most:,}, which is too large", most=most), place)
            continue
        if digits == "0":
            raise RunLengthError(_("found a count of 0, expected 1 or more"), place - 1, "0")
        yield place, character, int(digits or "1")
        digits = ""
    if digits:
        raise RunLengthError(_("nothing follows the count {count}", count=digits), len(text))


def _check_length(length: int, limit: int, place: int) -> None:
    if length > limit:
        problem = _("found a count that makes {length:,}, expected at most {limit:,}", length=length, limit=limit)
        raise RunLengthError(problem, place)


_DIRECTION_OF = {
    letter: direction for direction in DIRECTIONS for letter in (direction.letter, direction.letter.upper())
}
_LURD = b"urdlURDL"
_CODES = bytes.maketrans(_LURD, bytes([*DIRECTIONS, *DIRECTIONS]))


class LurdError(SokotermError, ValueError):
    """Moves that cannot be read or played; ``step``: the number of the move or the unreadable character, from 1."""

    def __init__(self, problem: str, step: int) -> None:
        super().__init__(problem)
        self.step = step


class PlainSolution(NamedTuple):
    """Moves from a start to a solved position, with their metrics.

    ``box_lines``: runs of consecutive pushes in one direction.  ``box_changes``: pushes of a different box than the
    push before, including the first push.  ``pushing_sessions``: runs of consecutive pushes.  ``player_lines``: runs of
    consecutive steps in one direction.
    """

    lurd: str
    moves: int
    pushes: int
    box_lines: int
    box_changes: int
    pushing_sessions: int
    player_lines: int


Solution = PlainSolution
"""The name used internally; for the library, ``position`` defines a Solution with its level and pictures."""


def parse_lurd(text: str) -> list[Direction]:
    """Parse LURD text in either case, with counts and groups (see ``expand``), skipping white space.

    Raises LurdError with the position in the text, from 1.

    >>> [direction.letter for direction in parse_lurd("2Rd")]
    ['r', 'r', 'd']
    """
    return [DIRECTIONS[direction] for direction in parse_directions(text)]


def parse_directions(text: str) -> bytes:
    """Return the directions of ``parse_lurd`` as bytes."""
    try:
        letters = expand("".join(text.split()), MOST_STEPS)
    except RunLengthError as error:
        # Positions of the text without white space, in the text itself.
        places = [place for place, character in enumerate(text, start=1) if not character.isspace()]
        raise LurdError(error.problem, places[error.place - 1]) from None
    return _directions(letters, text, may_count=True)


def _directions(letters: str, text: str, *, may_count: bool = False) -> bytes:
    """Return the directions of letters; raise LurdError with the position in ``text`` of any other character."""
    codes = letters.encode("ascii", "replace")
    if codes.translate(None, _LURD):
        found = next(character for character in letters if character not in _DIRECTION_OF)
        if may_count:
            problem = _("found {found!r}, expected one of l u r d L U R D or a count", found=found)
        else:
            problem = _("found {found!r}, expected one of l u r d L U R D", found=found)
        raise LurdError(problem, text.index(found) + 1)
    return codes.translate(_CODES)


# The longest known solution has 612,529 moves; without a limit, a few repeat counts would exhaust memory and time.
MOST_STEPS = 2_000_000


def run_lengths(lurd: str) -> str:
    """Return text with a repeat count before each letter.

    >>> run_lengths("RRdddL")
    '2R3dL'
    """
    return re.sub(r"(.)\1+", lambda run: f"{len(run[0])}{run[1]}", lurd)


def letter(direction: Direction, pushed: bool) -> str:
    return "URDL"[direction] if pushed else "urdl"[direction]


def direction_of(lurd_letter: str) -> Direction:
    return _DIRECTION_OF[lurd_letter]


class Stance(NamedTuple):
    """Pose of the player after a move; every other move is a stride."""

    facing: Direction = Direction.DOWN
    is_pushing: bool = False
    is_striding: bool = False


def stance_after(moves: int, last: str) -> Stance:
    """Return the player's stance after some moves and the letter of the last one (empty before the first)."""
    return Stance(direction_of(last), last.isupper(), moves % 2 == 1) if last else Stance()


def play(board: Board, state: State, steps: Iterable[Direction]) -> Iterator[tuple[State, str]]:
    """Yield the state after each step and its letter in the right case; raise LurdError at a blocked step."""
    for number, direction in enumerate(steps, start=1):
        after = step(board, state, direction)
        if after is None:
            raise blocked(number - 1, direction)
        yield after, letter(direction, after.boxes != state.boxes)
        state = after


def blocked(played: int, direction: int) -> LurdError:
    """Return the error for a step that was blocked after ``played`` others."""
    letter = DIRECTIONS[direction].letter
    return LurdError(_("step {number} ({letter}) is blocked", number=played + 1, letter=letter), played + 1)


def end_of(board: Board, start: State, lurd: str) -> State:
    """Return the state after the moves; raise LurdError at a blocked step."""
    replayer = Replayer(board, start)
    play_all(replayer, parse_directions(lurd))
    return replayer.state


def verify(board: Board, start: State, lurd: str) -> Solution:
    """Replay a solution and return it with its metrics; raise LurdError if it is blocked, fails or has no push."""
    replayer = Replayer(board, start)
    solution = measure_played(play_all(replayer, parse_directions(lurd)), replayer.pushed, replayer.landings)
    if not (replayer.is_solved and solution.pushes) and cannot_be_played(board, start):
        raise LurdError(begins_solved(), solution.moves)
    if not replayer.is_solved:
        left, boxes = boxes_away(board, replayer.state).bit_count(), board.goals.bit_count()
        raise LurdError(not_home(left, boxes, solution.moves), solution.moves)
    if not solution.pushes:
        raise LurdError(_("no box was pushed: the level begins solved, which does not count"), solution.moves)
    return solution


def begins_solved() -> str:
    return _("the level begins solved and cannot be played")


def not_home(left: int, boxes: int, moves: int) -> str:
    """Return the problem of moves that leave boxes off the goals.

    >>> not_home(1, 3, 40)
    '1 of 3 boxes not on a goal after 40 moves'
    >>> not_home(1, 1, 40)
    '1 of 1 box not on a goal after 40 moves'
    """
    return ngettext(
        "{left} of {n} box not on a goal after {moves}",
        "{left} of {n} boxes not on a goal after {moves}",
        boxes,
        left=left,
        moves=moves_text(moves),
    )


def measure(lurd: str) -> Solution:
    """Return the metrics of letters whose case is right, ignoring ice; raise LurdError for any other character."""
    directions = _directions(lurd, lurd)
    offsets = [_IMAGINED[direction] for direction in directions]
    places = [*accumulate(offsets)]
    is_push = [*map(str.isupper, lurd)]
    return measure_played(lurd, [*compress(places, is_push)], [*compress(map(add, places, offsets), is_push)])


def until_last_push(solution: Solution) -> Solution:
    lurd = solution.lurd.rstrip("lurd")
    return solution._replace(lurd=lurd, moves=len(lurd), player_lines=measure(lurd).player_lines)


# Steps on an imagined board, wide enough for any moves.
_IMAGINED = (-1 << 32, 1, 1 << 32, -1)


def count_pushes(board: Board, start: State, lurd: str) -> int:
    """Count the pushes of some moves; 0 if they are blocked or solve the level."""
    replayer = Replayer(board, start)
    try:
        play_all(replayer, parse_directions(lurd))
    except LurdError:
        return 0
    return 0 if replayer.is_solved else len(replayer.pushed)


def play_all(replayer: Replayer, directions: bytes) -> str:
    """Play all steps and return their letters in the right case; raise LurdError at a blocked step."""
    letters = replayer.take(directions)
    if len(letters) < len(directions):
        raise blocked(len(letters), directions[len(letters)])
    return letters


def measure_played(lurd: str, pushed: Sequence[Square], landings: Sequence[Square]) -> Solution:
    """Return moves with their metrics, given the squares from which boxes were pushed and on which they stopped."""
    letters = b" " + lurd.encode("ascii")
    is_push = letters.translate(_IS_PUSH)
    begun_or_ended = _changes(is_push)
    ended = (begun_or_ended - is_push[-1]) // 2
    return Solution(
        lurd,
        len(lurd),
        len(pushed),
        box_lines=_changes(letters.translate(_PUSHES)) - ended,
        box_changes=sum(map(ne, pushed, [None, *landings[:-1]])),
        pushing_sessions=begun_or_ended - ended,
        player_lines=_changes(letters.lower()),
    )


# Translate walks to blanks, and letters to 1 for a push and 0 for a walk.
_PUSHES = bytes.maketrans(b"urdl", b"    ")
_IS_PUSH = bytes.maketrans(b" urdlURDL", b"\0\0\0\0\0\1\1\1\1")


def _changes(letters: bytes) -> int:
    size = len(letters) - 1
    differences = int.from_bytes(letters[1:], "big") ^ int.from_bytes(letters[:-1], "big")
    return len(differences.to_bytes(size, "big").translate(None, b"\0"))


# An element of a ksokoban solution: optionally the column and row to walk to, then letters with their counts.
_ELEMENT = r"(?:([0-9]{1,6})-([0-9]{1,6}))?((?:[lurdLURD][0-9]{1,6})*)"
_LETTER_AND_COUNT = r"([lurdLURD])([0-9]+)"
# Each walk is searched on the whole floor, which takes half a microsecond per square.
_MOST_SQUARES = 10_000_000


class ReplayedRecord(NamedTuple):
    """The playable moves of a record, and its solution up to the first solved position, or the problem."""

    lurd: str
    solution: Solution | None
    problem: str


def replay(level: Level, record: Record) -> ReplayedRecord:
    """Play a record from the start of its level: LURD, or the walks and counts of ksokoban.

    ``*``, which marks the last position on screen, is ignored.  Moves in reverse mode (jumps in brackets) and with
    several players (changes in braces) are not played.
    """
    directions, unread = _directions_of_record(level.board, level.start, record.moves)
    replayer = Replayer(level.board, level.start)
    lurd = replayer.take(directions, to_solution=True)
    if replayer.is_solved and replayer.pushed:
        return ReplayedRecord(lurd, measure_played(lurd, replayer.pushed, replayer.landings), "")
    error = blocked(len(lurd), directions[len(lurd)]) if len(lurd) < len(directions) else unread
    return ReplayedRecord(lurd, None, str(error) if error is not None else _unsolved(level, replayer.state, len(lurd)))


def _unsolved(level: Level, end: State, moves: int) -> str:
    left = boxes_away(level.board, end).bit_count()
    if not left:
        return _("no box was pushed")
    if level.board.colors:
        return ngettext(
            "{left} of {n} box not on a goal of its colour after {moves}",
            "{left} of {n} boxes not on a goal of their colour after {moves}",
            level.boxes,
            left=left,
            moves=moves_text(moves),
        )
    return not_home(left, level.boxes, moves)


def steps_of(board: Board, start: State, moves: str) -> list[Direction]:
    """Return the steps of a record up to a blocked one; raise LurdError for text that cannot be read."""
    directions, error = _directions_of_record(board, start, moves)
    if error is not None:
        raise error
    return [DIRECTIONS[direction] for direction in directions]


def _directions_of_record(board: Board, start: State, moves: str) -> tuple[bytes, LurdError | None]:
    """Return the directions of the moves of a record up to the first error, and that error."""
    directions = bytearray()
    try:
        if not set("[]{}").isdisjoint(moves):
            raise LurdError(_("moves in reverse mode or with several players are kept but not played"), 1)
        moves = moves.replace("*", "")
        # ksokoban puts counts after the letters, LURD before them.
        if "-" in moves or "," in moves or moves[-1:].isdecimal() and not moves[0].isdecimal():
            for direction in _walks_and_counts(board, start, moves):
                directions.append(direction)
        else:
            directions += parse_directions(moves)
    except LurdError as error:
        return bytes(directions), error
    return bytes(directions), None


def _walks_and_counts(board: Board, state: State, moves: str) -> Iterator[Direction]:
    most = _MOST_SQUARES // board.floor.bit_count()
    for number, element in enumerate(moves.split(","), start=1):
        if number > most:
            problem = ngettext(
                "more than {n:,} walk: too many for a board of this size",
                "more than {n:,} walks: too many for a board of this size",
                most,
            )
            raise LurdError(problem, number)
        match = re.fullmatch(_ELEMENT, element)
        if match is None:
            problem = _("found {found!r}, expected walks and counts such as 4-2l2 between commas", found=element[:20])
            raise LurdError(problem, number)
        column, row, letters = match.groups()
        if column is not None:
            goal = board.square(int(row), int(column)) if int(column) < board.width else -1
            walk = find_walk(board, state, goal)
            if walk is None:
                problem = _("no walk leads to column {column}, row {row} (from 0)", column=column, row=row)
                raise LurdError(problem, number)
            yield from walk
            state = state._replace(player=goal)
        for each, count in re.findall(_LETTER_AND_COUNT, letters):
            for __ in range(int(count)):
                yield direction_of(each)
                after = step(board, state, direction_of(each))
                if after is None:
                    return
                state = after
