"""The ids of a level, and the orientation they give it.

The level hash names a puzzle however it is turned, mirrored or decorated, and wherever the player begins within its
area; Unique-Id and Exact-Id are those of the library of sourcecode.se.  A solution is kept in the orientation whose
picture gives the hash, so it serves every level of equal hash.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, SYMMETRIES, Bitboard, Symmetry, lowest
from sokoterm.engine.level import Level, level_from_rows
from sokoterm.engine.lurd import LurdError, Solution, letter, verify_slowly
from sokoterm.engine.reach import find_walk, reachable_area
from sokoterm.engine.slices import Slices, finish
from sokoterm.engine.value import Value

try:
    # What hashlib would fall back to: loading OpenSSL for it takes longer than reading a pack.
    from _md5 import md5  # type: ignore[import-not-found]  # typeshed leaves it out
except ImportError:
    from functools import partial
    from hashlib import md5 as _openssl_md5

    md5 = partial(_openssl_md5, usedforsecurity=False)

# What stands on a square, as one hex digit: floor 1, goal 2, box 4, player 8; 0 is all that cannot be reached.
_CELLS = bytes.maketrans(b"013579b", b"# .$*@+")


class Ids(NamedTuple):
    """The three ids of a level, in upper-case hex digits."""

    level_hash: str
    unique_id: str
    exact_id: str


class Canonical(Value):
    """A level hash and where it comes from: ``symmetry`` turns the normal form into the picture that gives it.

    ``top`` and ``left`` say where the normal form, ``height`` x ``width``, lies in the level as written.
    """

    hash: str
    symmetry: Symmetry
    top: int
    left: int
    height: int
    width: int


def normal_form(level: Level) -> tuple[str, ...]:
    """The rows that are hashed: what the player cannot reach is wall, one wall around, ``@`` wherever it can walk.

    A goal there is ``+``; no blanks are cut off, all rows are of equal length.
    """
    return tuple(row.decode("ascii") for row in _normal_rows(level))


def level_hash(level: Level) -> str:
    """The level hash: 32 upper-case hex digits."""
    return _level_hash(_turns(_normal_rows(level)))


def unique_id(level: Level) -> str:
    """The Unique-Id: 16 upper-case hex digits, equal where the level hash is."""
    return _unique_id(_turns(_normal_rows(level)))


def exact_id(level: Level) -> str:
    """The Exact-Id: 16 upper-case hex digits, equal for the same picture in the same orientation.

    Only what the player could reach if boxes were air counts, and the player's square does.
    """
    rows = _crop(level, 1 << level.start.player, _bounds(level))
    return _short_digest(b";".join(rows)).hex().upper()


def ids(level: Level) -> Ids:
    """All three ids, for less than each by itself."""
    turns = _turns(_normal_rows(level))
    return Ids(_level_hash(turns), _unique_id(turns), exact_id(level))


def canonical(level: Level) -> Canonical:
    """The level hash with the symmetry that leads to it; of several (a symmetric level) the first.

    Those give the same picture, so a solution fits whichever is taken.
    """
    bounds = _bounds(level)
    rows = _crop(level, reachable_area(level.board, level.start), bounds)
    digests: list[bytes] = [md5(turn).digest() for turn in _turns(rows)]
    greatest = max(digests)
    symmetry = SYMMETRIES[digests.index(greatest)]
    return Canonical(greatest.hex().upper(), symmetry, bounds.top, bounds.left, len(rows), len(rows[0]))


def canonical_level(level: Level) -> Level:
    """The bare level that all of an equal hash turn into: what holds of it holds of the hash.

    In the orientation of the picture that gives the hash, the player on the first square it can walk to.
    """
    rows = canonical(level).symmetry.rows(normal_form(level))
    picture = "\n".join(rows)
    first = min(place for place in map(picture.find, "@+") if place >= 0)
    rest = picture[first + 1 :].replace("@", " ").replace("+", ".")
    return level_from_rows((picture[: first + 1] + rest).split("\n"))


def to_canonical(level: Level, lurd: str, frame: Canonical | None = None) -> tuple[tuple[int, int], str]:
    """The player's place (row and column from 0) and the moves ``lurd``, both turned to the canonical picture.

    The moves are not played here: only what ``verify`` has passed belongs in a store.  ``frame`` is what
    ``canonical`` gives for the level, for those who have it.
    """
    frame = frame or canonical(level)
    row, column = level.board.row_column(level.start.player)
    place = frame.symmetry.place(row - frame.top, column - frame.left, frame.height, frame.width)
    return place, _turned(lurd, frame.symmetry)


def from_canonical(level: Level, start: tuple[int, int], lurd: str, frame: Canonical | None = None) -> str | None:
    """The moves that solve ``level``, from a place and moves in its canonical picture.

    The walk from the level's own player to the place comes first.  Everything is replayed by the rules; None where
    it does not solve this level, whatever the reason.  ``frame`` is as for ``to_canonical``.
    """
    solution = finish(from_canonical_slowly(level, start, lurd, frame or canonical(level)))
    return solution.lurd if solution is not None else None


def from_canonical_slowly(level: Level, start: tuple[int, int], lurd: str, frame: Canonical) -> Slices[Solution | None]:
    """The solution that ``from_canonical`` gives the moves of, in slices."""
    back = frame.symmetry.inverse
    height, width = (frame.width, frame.height) if frame.symmetry.transposed else (frame.height, frame.width)
    if not (0 <= start[0] < height and 0 <= start[1] < width):
        return None
    row, column = back.place(*start, height, width)
    walk = find_walk(level.board, level.start, level.board.square(row + frame.top, column + frame.left))
    if walk is None:
        return None
    prefix = "".join(letter(direction, False) for direction in walk)
    try:
        return (yield from verify_slowly(level.board, level.start, prefix + _turned(lurd, back)))
    except LurdError:
        return None


def _turned(lurd: str, symmetry: Symmetry) -> str:
    """Moves after a symmetry, without repeat counts and in the case they came in."""
    table = {
        ord(letter(direction, pushed)): letter(symmetry.direction(direction), pushed)
        for direction in DIRECTIONS
        for pushed in (False, True)
    }
    return lurd.translate(table)


class _Bounds(NamedTuple):
    """A rectangle: its first row and column and those after its last."""

    top: int
    left: int
    bottom: int
    right: int


def _normal_rows(level: Level) -> list[bytes]:
    return _crop(level, reachable_area(level.board, level.start), _bounds(level))


def _crop(level: Level, players: Bitboard, bounds: _Bounds) -> list[bytes]:
    """The rows within the bounds, with all but the floor as wall and a player on each square of ``players``."""
    board = level.board
    digits = _spread(board.floor) + 2 * _spread(board.goals) + 4 * _spread(level.start.boxes) + 8 * _spread(players)
    # The digits of a number run from the last square to the first.
    picture = (b"%0*x" % (board.stride * board.height, digits))[::-1].translate(_CELLS)
    top, left, bottom, right = bounds
    width, stride = right - left, board.stride
    return [picture[first : first + width] for first in range(top * stride + left, bottom * stride, stride)]


def _spread(bitboard: Bitboard) -> int:
    """Each bit as a hex digit of its own."""
    return int(f"{bitboard:b}", 16)


def _bounds(level: Level) -> _Bounds:
    """The rectangle of the floor with one wall around."""
    floor, stride = level.board.floor, level.board.stride
    top, bottom = lowest(floor) // stride, floor.bit_length() // stride
    # All rows on top of each other, in the first: twice as many at each step.
    columns, folded = floor >> top * stride, stride
    while columns >> folded:
        columns |= columns >> folded
        folded *= 2
    columns &= (1 << stride) - 1
    return _Bounds(top - 1, lowest(columns) - 1, bottom + 2, columns.bit_length() + 1)


def _turns(rows: Sequence[bytes]) -> list[bytes]:
    """The rows joined by ``;`` after each of the symmetries, in their order.

    A whole text read backwards has rows and columns flipped.
    """
    picture = b"".join(rows)
    width = len(rows[0])
    turns = []
    for lines in (rows, [picture[column::width] for column in range(width)]):
        text, flipped = b";".join(lines), b";".join(lines[::-1])
        turns += [text, flipped[::-1], flipped, text[::-1]]
    return turns


def _level_hash(turns: Sequence[bytes]) -> str:
    greatest: bytes = max([md5(turn).digest() for turn in turns])
    return greatest.hex().upper()


def _unique_id(turns: Sequence[bytes]) -> str:
    return min(map(_short_digest, turns)).hex().upper()


def _short_digest(turn: bytes) -> bytes:
    """What sourcecode.se makes an id of: every row ended, half a digest."""
    digest: bytes = md5(turn.replace(b";", b"\n") + b"\n").digest()
    return digest[:8]
