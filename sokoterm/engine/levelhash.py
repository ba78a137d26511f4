"""Level ids, and the canonical orientation in which solutions are stored.

The level hash is the same however a level is rotated, mirrored or decorated, and wherever the player starts within
reach; Unique-Id and Exact-Id are those of the library at sourcecode.se.  Solutions are stored in the orientation whose
picture gives the hash, so they fit every level with an equal hash.

Colours and ice are hashed behind the picture, as no ordinary level has them: the colours by letters in the order in
which they come up, so that those named otherwise have the same hash.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sokoterm.engine.bits import SYMMETRIES, Bitboard, Square, Symmetry, lowest, squares_of
from sokoterm.engine.board import colors_of
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


class Ids(NamedTuple):
    """The three ids of a level, in upper-case hex digits."""

    level_hash: str
    unique_id: str
    exact_id: str


class Canonical(Value):
    """A level hash, with the symmetry that turns the normal form into the picture that gives the hash.

    The normal form is ``height`` x ``width``, with its corner at row ``top`` and column ``left`` of the level as
    written.
    """

    hash: str
    symmetry: Symmetry
    top: int
    left: int
    height: int
    width: int


def normal_form(level: Level) -> tuple[str, ...]:
    """Return the rows that are hashed: cropped to the floor and one wall around it, everything off the floor as wall.

    Every square the player can walk to is ``@``, or ``+`` on a goal.  All rows are of equal length.
    """
    return tuple(row.decode("ascii") for row in _normal_rows(level))


def level_hash(level: Level) -> str:
    """Return the level hash: 32 upper-case hex digits."""
    return _level_hash(_pictures(level))


def unique_id(level: Level) -> str:
    """Return the Unique-Id: 16 upper-case hex digits, equal whenever the level hash is."""
    return _unique_id(_pictures(level))


def exact_id(level: Level) -> str:
    """Return the Exact-Id: 16 upper-case hex digits, equal for the same picture in the same orientation.

    Only the floor and what stands on it count, including the player's exact square.
    """
    bounds = _bounds(level)
    rows = _crop(level, 1 << level.start.player, bounds)
    kinds = [] if level.board.is_ordinary else [_KindPicture.of(level, bounds).turned(SYMMETRIES[0]).text]
    return _short_digest(b";".join([*rows, *kinds])).hex().upper()


def ids(level: Level) -> Ids:
    """Return all three ids, in less time than one by one."""
    turns = _pictures(level)
    return Ids(_level_hash(turns), _unique_id(turns), exact_id(level))


def canonical(level: Level) -> Canonical:
    """Return the level hash with its symmetry: the first, if the level is symmetric and several give the hash.

    All of those give the same picture, so a solution fits any of them.
    """
    bounds = _bounds(level)
    rows = _crop(level, reachable_area(level.board, level.start), bounds)
    digests: list[bytes] = [md5(turn).digest() for turn in _with_kinds(_turns(rows), level)]
    greatest = max(digests)
    symmetry = SYMMETRIES[digests.index(greatest)]
    return Canonical(greatest.hex().upper(), symmetry, bounds.top, bounds.left, len(rows), len(rows[0]))


def canonical_level(level: Level) -> Level:
    """Return the canonical level of a hash, the same for every level with that hash.

    It has the orientation of the picture that gives the hash, the player on the first square within reach, and no
    texts.
    """
    frame = canonical(level)
    rows = frame.symmetry.rows(normal_form(level))
    picture = "\n".join(rows)
    first = min(place for place in map(picture.find, "@+") if place >= 0)
    rest = picture[first + 1 :].replace("@", " ").replace("+", ".")
    plain = level_from_rows((picture[: first + 1] + rest).split("\n"))
    board = level.board
    if board.is_ordinary:
        return plain

    def turned(squares: Bitboard) -> Iterator[Square]:
        """Yield the squares of the canonical level for those of the level."""
        for square in squares_of(squares & board.floor):
            row, column = board.row_column(square)
            place = frame.symmetry.place(row - frame.top, column - frame.left, frame.height, frame.width)
            yield plain.board.square(*place)

    colors = _KindPicture.of(level, _bounds(level)).turned(frame.symmetry).colors
    layers = [level.start.boxes >> (color + 1) * board.size for color in colors]
    boxes = {square: number for number, layer in enumerate(layers) for square in turned(layer)}
    goals = {square: number for number, color in enumerate(colors) for square in turned(board.colors[color])}
    return varied(plain, boxes, goals, sum(1 << square for square in turned(board.ice)))


def to_canonical(level: Level, lurd: str, frame: Canonical | None = None) -> tuple[tuple[int, int], str]:
    """Map the player's start (row and column from 0) and the moves ``lurd`` to the canonical picture.

    The moves are not replayed: pass only what ``verify`` accepted.  ``frame`` is ``canonical(level)``, if known.
    """
    frame = frame or canonical(level)
    row, column = level.board.row_column(level.start.player)
    place = frame.symmetry.place(row - frame.top, column - frame.left, frame.height, frame.width)
    return place, frame.symmetry.moves(lurd)


def from_canonical(level: Level, start: tuple[int, int], lurd: str, frame: Canonical | None = None) -> str | None:
    """Map a start and moves in the canonical picture to moves that solve ``level``, the inverse of ``to_canonical``.

    The result begins with the walk from the level's player to that start.  It is replayed by the rules; None if it does
    not solve this level, for whatever reason.  ``frame`` is as for ``to_canonical``.
    """
    solution = solution_from_canonical(level, start, lurd, frame or canonical(level))
    return solution.lurd if solution is not None else None


def solution_from_canonical(level: Level, start: tuple[int, int], lurd: str, frame: Canonical) -> Solution | None:
    """Return the solution of ``level`` that ``from_canonical`` finds, with its metrics."""
    moves = moves_from_canonical(level, start, lurd, frame)
    if moves is None:
        return None
    try:
        return verify(level.board, level.start, moves)
    except LurdError:
        return None


def moves_from_canonical(level: Level, start: tuple[int, int], lurd: str, frame: Canonical) -> str | None:
    """Map a start and moves in the canonical picture to moves of ``level``, with the walk to that start before them.

    They are not replayed; None if no walk leads there.
    """
    back = frame.symmetry.inverse
    height, width = (frame.width, frame.height) if frame.symmetry.transposed else (frame.height, frame.width)
    if not (0 <= start[0] < height and 0 <= start[1] < width):
        return None
    row, column = back.place(*start, height, width)
    walk = find_walk(level.board, level.start, level.board.square(row + frame.top, column + frame.left))
    return None if walk is None else "".join(letter(direction, False) for direction in walk) + back.moves(lurd)


class _Bounds(NamedTuple):
    """A rectangle: its first row and column, and those one past its last."""

    top: int
    left: int
    bottom: int
    right: int


# The colours of the box and the goal on a square, and whether it is ice.
_Cell = tuple[int | None, int | None, bool]
_PLAIN, _ICE = "\u0100", "\u0101"


class _KindPicture(NamedTuple):
    """Colours and ice of a level: a character for each square, and what the characters stand for."""

    rows: list[str]
    cells: dict[str, _Cell]

    @classmethod
    def of(cls, level: Level, bounds: _Bounds) -> "_KindPicture":
        board = level.board
        boxes, goals = colors_of(board.boxes_by_layer(level.start.boxes)[1:]), colors_of(board.colors)
        digits = f"{board.ice:b}"[::-1].ljust(board.size, "0")
        picture = [*digits.translate({ord("0"): _PLAIN, ord("1"): _ICE})]
        characters: dict[_Cell, str] = {(None, None, False): _PLAIN, (None, None, True): _ICE}
        for square in boxes.keys() | goals.keys():
            cell = boxes.get(square), goals.get(square), digits[square] == "1"
            picture[square] = characters.setdefault(cell, chr(ord(_PLAIN) + len(characters)))
        width = bounds.right - bounds.left
        starts = range(board.square(bounds.top, bounds.left), board.square(bounds.bottom, bounds.left), board.stride)
        rows = ["".join(picture[start : start + width]) for start in starts]
        return cls(rows, {character: cell for cell, character in characters.items()})

    def turned(self, symmetry: Symmetry) -> "_Kinds":
        """Return the text of a turned level."""
        text = ";".join(symmetry.rows(self.rows))
        numbers: dict[int, int] = {}
        named = {}
        for character in dict.fromkeys(text):  # in the order in which they come up
            if character in self.cells:
                *colors, is_ice = self.cells[character]
                names = ["" if each is None else str(numbers.setdefault(each, len(numbers))) for each in colors]
                named[ord(character)] = f"{'/'.join(names)}{'~' * is_ice},"
        return _Kinds(text.translate(named).encode("ascii"), list(numbers))


class _Kinds(NamedTuple):
    """Colours and ice of a turned level as text, in which the ``colors`` are named by their places here."""

    text: bytes
    colors: list[int]


def _pictures(level: Level) -> list[bytes]:
    """Return what is hashed, after each of SYMMETRIES in order."""
    return _with_kinds(_turns(_normal_rows(level)), level)


def _with_kinds(turns: list[bytes], level: Level) -> list[bytes]:
    """Return turns with their colours and ice behind them."""
    if level.board.is_ordinary:
        return turns
    picture = _KindPicture.of(level, _bounds(level))
    return [b"%b|%b" % (turn, picture.turned(each).text) for turn, each in zip(turns, SYMMETRIES)]


def _normal_rows(level: Level) -> list[bytes]:
    return _crop(level, reachable_area(level.board, level.start), _bounds(level))


def _crop(level: Level, players: Bitboard, bounds: _Bounds) -> list[bytes]:
    """Return the rows within the bounds, everything off the floor as wall, with a player on each of ``players``."""
    board = level.board
    boxes = level.start.boxes & board.floor
    digits = _spread(board.floor) + 2 * _spread(board.goals) + 4 * _spread(boxes) + 8 * _spread(players)
    # The digits of the number run from the last square to the first.
    picture = (b"%0*x" % (board.stride * board.height, digits))[::-1].translate(_CELLS)
    top, left, bottom, right = bounds
    width, stride = right - left, board.stride
    return [picture[first : first + width] for first in range(top * stride + left, bottom * stride, stride)]


def _spread(bitboard: Bitboard) -> int:
    """Spread each bit to a hex digit of its own."""
    return int(f"{bitboard:b}", 16)


def _bounds(level: Level) -> _Bounds:
    """Return the bounding rectangle of the floor, with one wall around it."""
    floor, stride = level.board.floor, level.board.stride
    top, bottom = lowest(floor) // stride, floor.bit_length() // stride
    # Fold all rows onto the first, doubling the number at each step.
    columns, folded = floor >> top * stride, stride
    while columns >> folded:
        columns |= columns >> folded
        folded *= 2
    columns &= (1 << stride) - 1
    return _Bounds(top - 1, lowest(columns) - 1, bottom + 2, columns.bit_length() + 1)


def _turns(rows: Sequence[bytes]) -> list[bytes]:
    """Return the rows, joined by ``;``, after each of SYMMETRIES in order.

    Reversing the whole text flips rows and columns at once.
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
    """Return the digest that sourcecode.se uses: half an MD5 of the rows, each ended by a newline."""
    digest: bytes = md5(turn.replace(b";", b"\n") + b"\n").digest()
    return digest[:8]
