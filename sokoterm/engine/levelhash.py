"""Level ids, and the canonical orientation in which solutions are stored.

The level hash does not depend on rotation, reflection, decoration, or the player's start within reach; Unique-Id and
Exact-Id are those of the library at sourcecode.se.  Solutions are stored in the orientation whose picture gives the
hash, so they fit every level with the same hash.

Colours and ice are hashed after the picture, so the hash differs from that of any ordinary level.  Colours are numbered
in order of appearance, so renaming them does not change the hash.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sokoterm.engine.bits import SYMMETRIES, Bitboard, Square, Symmetry, lowest, squares_of
from sokoterm.engine.board import Board, colors_of
from sokoterm.engine.level import Level, level_from_rows, varied
from sokoterm.engine.lurd import LurdError, Solution, letter, verify
from sokoterm.engine.reach import find_walk, reachable_area
from sokoterm.engine.value import Value

try:
    # The fallback of hashlib: loading OpenSSL takes longer than reading a pack.
    from _md5 import md5  # type: ignore[import-not-found]  # typeshed leaves it out
except ImportError:
    from functools import partial
    from hashlib import md5 as _openssl_md5

    md5 = partial(_openssl_md5, usedforsecurity=False)

# Contents of a square as a hex digit: floor 1, goal 2, box 4, player 8; 0 is out of reach.
_CELLS = bytes.maketrans(b"013579b", b"# .$*@+")
_UNMANNED = bytes.maketrans(b"@+", b" .")


class Ids(NamedTuple):
    """The three ids of a level, in upper-case hex digits."""

    level_hash: str
    unique_id: str
    exact_id: str


class Canonical(Value):
    """A level hash, the symmetry that gives it, and the top left corner and size of the normal form in the level."""

    hash: str
    symmetry: Symmetry
    top: int
    left: int
    height: int
    width: int

    def place(self, row: int, column: int) -> tuple[int, int]:
        """Map a row and column of the level as written to the picture that gives the hash."""
        return self.symmetry.place(row - self.top, column - self.left, self.height, self.width)


def normal_form(level: Level) -> tuple[str, ...]:
    """Return the rows to hash: cropped to the floor and one wall around it, everything off the floor as wall.

    Every square the player can walk to is ``@``, or ``+`` on a goal.  All rows have the same length.
    """
    return tuple(row.decode("ascii") for row in _normal_rows(level))


def level_hash(level: Level) -> str:
    """Return the level hash: 32 upper-case hex digits."""
    return _greatest_digest(_pictures(level, _normal_rows(level))).hex().upper()


def unique_id(level: Level) -> str:
    """Return the Unique-Id: 16 upper-case hex digits, equal whenever the level hash is."""
    return ids(level).unique_id


def exact_id(level: Level) -> str:
    """Return the Exact-Id: 16 upper-case hex digits of the floor and everything on it, in this orientation."""
    return _exact_id(level, _crop(level, 0))


def _exact_id(level: Level, rows: list[bytes]) -> str:
    board, square = level.board, level.start.player
    top, left, __, __ = _bounds(board.floor, board.stride)
    row, column = board.row_column(square)
    rows = [each.translate(_UNMANNED) for each in rows]
    here = rows[row - top]
    player = b"+" if board.goals >> square & 1 else b"@"
    rows[row - top] = here[: column - left] + player + here[column - left + 1 :]
    if not board.is_ordinary:
        rows.append(next(_kinds(level))[0])
    return _short_digest(b";".join(rows)).hex().upper()


def ids(level: Level) -> Ids:
    """Return all three ids, faster than one by one."""
    rows = _normal_rows(level)
    turns = _pictures(level, rows)
    exact = _exact_id(level, rows)
    return Ids(_greatest_digest(turns).hex().upper(), min(map(_short_digest, turns)).hex().upper(), exact)


def canonical(level: Level) -> Canonical:
    """Return the level hash with its symmetry, the first one if the level is symmetric and several give the hash."""
    return _canonical(level, _normal_rows(level))


def identified(level: Level) -> tuple[Canonical, str]:
    """Return ``canonical`` and the Exact-Id, faster than one by one."""
    rows = _normal_rows(level)
    return _canonical(level, rows), _exact_id(level, rows)


def _canonical(level: Level, rows: list[bytes]) -> Canonical:
    digests: list[bytes] = [md5(turn).digest() for turn in _pictures(level, rows)]
    greatest = max(digests)
    top, left, bottom, right = _bounds(level.board.floor, level.board.stride)
    symmetry = SYMMETRIES[digests.index(greatest)]
    return Canonical(greatest.hex().upper(), symmetry, top, left, bottom - top, right - left)


def canonical_level(level: Level) -> Level:
    """Return the level that represents a hash, without texts and with the player on the first square within reach."""
    frame = canonical(level)
    picture = "\n".join(frame.symmetry.rows(normal_form(level)))
    first = min(place for place in map(picture.find, "@+") if place >= 0)
    rest = picture[first + 1 :].replace("@", " ").replace("+", ".")
    plain = level_from_rows((picture[: first + 1] + rest).split("\n"))
    board = level.board
    if board.is_ordinary:
        return plain

    def turned(squares: Bitboard) -> Iterator[Square]:
        for square in squares_of(squares & board.floor):
            yield plain.board.square(*frame.place(*board.row_column(square)))

    colors = dict(zip(SYMMETRIES, _kinds(level)))[frame.symmetry][1]
    layers = [level.start.boxes >> (color + 1) * board.size for color in colors]
    boxes = {square: number for number, layer in enumerate(layers) for square in turned(layer)}
    goals = {square: number for number, color in enumerate(colors) for square in turned(board.colors[color])}
    return varied(plain, boxes, goals, sum(1 << square for square in turned(board.ice)))


def to_canonical(level: Level, lurd: str, frame: Canonical | None = None) -> tuple[tuple[int, int], str]:
    """Map the player's start (row and column from 0) and some moves to the canonical picture, without replaying them.

    ``frame``: ``canonical(level)``, if known.
    """
    frame = frame or canonical(level)
    return frame.place(*level.board.row_column(level.start.player)), frame.symmetry.moves(lurd)


def from_canonical(level: Level, start: tuple[int, int], lurd: str, frame: Canonical | None = None) -> str | None:
    """Map a start and moves in the canonical picture to moves that solve ``level``, the inverse of ``to_canonical``.

    The result begins with the walk from the level's player to that start.  None if it does not solve the level.
    """
    solution = solution_from_canonical(level, start, lurd, frame or canonical(level))
    return solution.lurd if solution is not None else None


def solution_from_canonical(level: Level, start: tuple[int, int], lurd: str, frame: Canonical) -> Solution | None:
    """Return the result of ``from_canonical`` with its metrics."""
    moves = moves_from_canonical(level, start, lurd, frame)
    if moves is None:
        return None
    try:
        return verify(level.board, level.start, moves)
    except LurdError:
        return None


def moves_from_canonical(level: Level, start: tuple[int, int], lurd: str, frame: Canonical) -> str | None:
    """Map as ``from_canonical`` does, without replaying the moves; None if no walk leads to the start."""
    back = frame.symmetry.inverse
    height, width = (frame.width, frame.height) if frame.symmetry.transposed else (frame.height, frame.width)
    if not (0 <= start[0] < height and 0 <= start[1] < width):
        return None
    row, column = back.place(*start, height, width)
    walk = find_walk(level.board, level.start, level.board.square(row + frame.top, column + frame.left))
    return None if walk is None else "".join(letter(direction, False) for direction in walk) + back.moves(lurd)


def _kinds(level: Level) -> Iterator[tuple[bytes, list[int]]]:
    """For each of SYMMETRIES, yield colours and ice as text, and the colours in their order in the text."""
    board = level.board
    boxes, goals = colors_of(board.boxes_by_layer(level.start.boxes)[1:]), colors_of(board.colors)
    digits = f"{board.ice:b}"[::-1].ljust(board.size, "0")
    # Each square is a character that stands for the colours of box and goal, and for ice.
    picture = [*digits.translate({ord("0"): _PLAIN, ord("1"): _ICE})]
    characters: dict[tuple[int | None, int | None, bool], str] = {(None, None, False): _PLAIN, (None, None, True): _ICE}
    for square in boxes.keys() | goals.keys():
        cell = boxes.get(square), goals.get(square), digits[square] == "1"
        picture[square] = characters.setdefault(cell, chr(ord(_PLAIN) + len(characters)))
    cells = {character: cell for cell, character in characters.items()}
    top, left, bottom, right = _bounds(level.board.floor, level.board.stride)
    rows = ["".join(picture[board.square(row, left) : board.square(row, right)]) for row in range(top, bottom)]
    for symmetry in SYMMETRIES:
        text = ";".join(symmetry.rows(rows))
        numbers: dict[int, int] = {}
        named = {}
        for character in dict.fromkeys(text):  # in order of appearance
            if character in cells:
                *colors, is_ice = cells[character]
                names = ["" if each is None else str(numbers.setdefault(each, len(numbers))) for each in colors]
                named[ord(character)] = f"{'/'.join(names)}{'~' * is_ice},"
        yield text.translate(named).encode("ascii"), list(numbers)


_PLAIN, _ICE = "\u0100", "\u0101"


def _normal_rows(level: Level) -> list[bytes]:
    return _crop(level, reachable_area(level.board, level.start))


def _pictures(level: Level, rows: list[bytes]) -> list[bytes]:
    """Return the bytes to hash: the normal form after each of SYMMETRIES in order."""
    turns = turns_of(rows)
    if level.board.is_ordinary:
        return turns
    return [b"%b|%b" % (turn, kinds) for turn, (kinds, _) in zip(turns, _kinds(level))]


def _crop(level: Level, players: Bitboard) -> list[bytes]:
    return cropped(level.board, level.board.floor, level.start.boxes & level.board.floor, players)


def cropped(board: Board, floor: Bitboard, boxes: Bitboard, players: Bitboard = 0) -> list[bytes]:
    """Return the rows around a floor, with everything off it as wall, and with a player on each of ``players``."""
    # Each bit as a hex digit.
    floors, goals, crates, here = (int(f"{each:b}", 16) for each in (floor, board.goals, boxes, players))
    # The digits of the number run from the last square to the first.
    picture = (b"%0*x" % (board.size, floors + 2 * goals + 4 * crates + 8 * here))[::-1].translate(_CELLS)
    top, left, bottom, right = _bounds(floor, board.stride)
    starts = range(board.square(top, left), board.square(bottom, left), board.stride)
    return [picture[start : start + right - left] for start in starts]


def _bounds(floor: Bitboard, stride: int) -> tuple[int, int, int, int]:
    """Return the first row and column of the wall around a floor, and the row and column past its end."""
    top, bottom = lowest(floor) // stride, floor.bit_length() // stride
    # Fold all rows onto the first, doubling the number at each step.
    columns, folded = floor >> top * stride, stride
    while columns >> folded:
        columns |= columns >> folded
        folded *= 2
    columns &= (1 << stride) - 1
    return top - 1, lowest(columns) - 1, bottom + 2, columns.bit_length() + 1


def turns_of(rows: Sequence[bytes]) -> list[bytes]:
    """Return the rows, joined by ``;``, after each of SYMMETRIES in order."""
    picture = b"".join(rows)
    width = len(rows[0])
    turns = []
    for lines in (rows, [picture[column::width] for column in range(width)]):
        text, flipped = b";".join(lines), b";".join(lines[::-1])
        turns += [text, flipped[::-1], flipped, text[::-1]]  # reversing a text flips rows and columns
    return turns


def _greatest_digest(turns: Sequence[bytes]) -> bytes:
    greatest: bytes = max([md5(turn).digest() for turn in turns])
    return greatest


def _short_digest(turn: bytes) -> bytes:
    """Return the digest of sourcecode.se: half an MD5 of the rows, each with a newline."""
    digest: bytes = md5(turn.replace(b";", b"\n") + b"\n").digest()
    return digest[:8]
