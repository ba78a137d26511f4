"""The ids of a level, and the orientation they give it.

The level hash names a puzzle however it is turned, mirrored or decorated, and wherever the player begins within its
area; Unique-Id and Exact-Id are those of the library of sourcecode.se.  A solution is kept in the orientation whose
picture gives the hash, so it serves every level of equal hash.
"""

from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, SYMMETRIES, Bitboard, Symmetry, lowest
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, letter, verify
from sokoterm.engine.reach import find_walk, reachable_area

# What stands on a square, as one hex digit: floor 1, goal 2, box 4, player 8; 0 is all that cannot be reached.
_CELLS = str.maketrans("0", "#") | str.maketrans("13579b", " .$*@+")


class Canonical(NamedTuple):
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
    return tuple(_crop(level, reachable_area(level.board, level.start)))


def level_hash(level: Level) -> str:
    """The level hash: 32 upper-case hex digits."""
    return canonical(level).hash


def unique_id(level: Level) -> str:
    """The Unique-Id: 16 upper-case hex digits, equal where the level hash is."""
    rows = normal_form(level)
    return min(_md5("".join(row + "\n" for row in symmetry.rows(rows)))[:16] for symmetry in SYMMETRIES)


def exact_id(level: Level) -> str:
    """The Exact-Id: 16 upper-case hex digits, equal for the same picture in the same orientation.

    Only what the player could reach if boxes were air counts, and the player's square does.
    """
    return _md5("".join(row + "\n" for row in _crop(level, 1 << level.start.player)))[:16]


def canonical(level: Level) -> Canonical:
    """The level hash with the symmetry that leads to it; of several (a symmetric level) the first.

    Those give the same picture, so a solution fits whichever is taken.
    """
    rows = normal_form(level)
    digests = [_md5(";".join(symmetry.rows(rows))) for symmetry in SYMMETRIES]
    greatest = max(digests)
    top, left, _, _ = _bounds(level)
    return Canonical(greatest, SYMMETRIES[digests.index(greatest)], top, left, len(rows), len(rows[0]))


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
    frame = frame or canonical(level)
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
        return verify(level.board, level.start, prefix + _turned(lurd, back)).lurd
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


def _crop(level: Level, players: Bitboard) -> list[str]:
    """The rows around the floor, with everything else as wall and a player on each square of ``players``."""
    board = level.board
    digits = _spread(board.floor) + 2 * _spread(board.goals) + 4 * _spread(level.start.boxes) + 8 * _spread(players)
    picture = f"{digits:0{board.stride * board.height}x}"[::-1].translate(_CELLS)
    top, left, bottom, right = _bounds(level)
    return [picture[row * board.stride + left : row * board.stride + right] for row in range(top, bottom)]


def _spread(bitboard: Bitboard) -> int:
    """Each bit as a hex digit of its own."""
    return int(f"{bitboard:b}", 16)


def _bounds(level: Level) -> tuple[int, int, int, int]:
    """The rectangle of the floor with one wall around: its first row and column and those after its last."""
    board = level.board
    top, bottom = lowest(board.floor) // board.stride, board.floor.bit_length() // board.stride
    columns = 0
    for row in range(top, bottom + 1):
        columns |= board.floor >> row * board.stride & (1 << board.stride) - 1
    return top - 1, lowest(columns) - 1, bottom + 2, columns.bit_length() + 1


def _md5(text: str) -> str:
    try:
        # What hashlib would fall back to: loading OpenSSL for it takes longer than reading a pack.
        from _md5 import md5  # type: ignore[import-not-found]  # typeshed leaves it out
    except ImportError:
        from hashlib import md5
    digest: str = md5(text.encode("ascii"), usedforsecurity=False).hexdigest()
    return digest.upper()
