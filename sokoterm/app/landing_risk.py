"""What the push planner tells before anything is pushed: which boxes can be, and what becomes of a box elsewhere."""

from collections.abc import Iterable
from enum import StrEnum

from sokoterm.engine.bits import Bitboard, Square, flood, scan, shift, squares_of
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import DeadlockCheck

# Every second square of a board, in both directions: no two of a class stand side by side.
_CLASSES = ((0, 0), (0, 1), (1, 0), (1, 1))


class LandingRisk(StrEnum):
    """What becomes of a box on a square, as far as it is known to be lost there."""

    FINE = "fine"
    DEAD = "dead"
    FREEZES = "freezes"


def boxes_at_hand(board: Board, state: State) -> list[Square]:
    """The boxes that can be pushed at all, the one the player walks to first in front; equals from the top left.

    Breadth-first until all are met: linear in the board at most.
    """
    free = board.floor & ~state.boxes
    area = flood(1 << state.player, free, board.stride)
    boxes_of: dict[Square, list[Square]] = {}
    for offset in board.offsets:
        for box in squares_of(state.boxes & shift(area, offset) & shift(free, -offset)):
            boxes_of.setdefault(box - offset, []).append(box)
    missing = {box for boxes in boxes_of.values() for box in boxes}
    order: list[Square] = []
    reached, seen = [state.player], _bytes(board, ~free)
    seen[state.player] = 1
    while missing:
        met = sorted({box for square in reached for box in boxes_of.get(square, ())} & missing)
        order += met
        missing.difference_update(met)
        reached = _next_layer(reached, seen, board.offsets)
    return order


def _next_layer(reached: Iterable[Square], seen: bytearray, offsets: tuple[int, int, int, int]) -> list[Square]:
    up, right, down, left = offsets
    after = []
    for square in reached:
        for neighbour in (square + up, square + right, square + down, square + left):
            if not seen[neighbour]:
                seen[neighbour] = 1
                after.append(neighbour)
    return after


def _bytes(board: Board, squares: Bitboard) -> bytearray:
    """A byte for each square, 1 for those of ``squares``."""
    size = board.stride * board.height
    digits = f"{squares & (1 << size) - 1:0{size}b}".encode("ascii")[::-1]
    return bytearray(digits.translate(bytes.maketrans(b"01", b"\0\1")))


def bitboard(board: Board, squares: Iterable[Square]) -> Bitboard:
    """Many squares as a bitboard."""
    digits = bytearray(b"0" * board.stride * board.height)
    for square in squares:
        digits[~square] = 49  # the digit 1; numbers are written from the highest square down
    return int(digits, 2)


class LandingRisks:
    """What becomes of one box on the squares that it can be pushed to, the other boxes where they are.

    A square is DEAD where ``dead_squares`` has it, and FREEZES where the box there is among frozen boxes of which one
    is not on a goal: for the box, and not for others that are lost already.
    """

    def __init__(self, check: DeadlockCheck, boxes: Bitboard, box: Square, squares: Iterable[Square]) -> None:
        """``boxes`` are all of the position, ``squares`` those that are asked for."""
        self._check = check
        self._others = boxes & ~(1 << box)
        asked = bitboard(check.board, squares)
        self._dead = asked & check.dead_squares
        self._freezing = 0
        for square in scan(self._suspects(asked & ~self._dead)):
            if self._freezes(square):
                self._freezing |= 1 << square

    def of(self, square: Square) -> LandingRisk:
        """What becomes of the box there."""
        if self._dead >> square & 1:
            return LandingRisk.DEAD
        return LandingRisk.FREEZES if self._freezing >> square & 1 else LandingRisk.FINE

    def _suspects(self, squares: Bitboard) -> Bitboard:
        """Those of ``squares`` where the box might freeze, seen with boxes on many of them at once.

        More boxes freeze no fewer: what is not frozen among many is not frozen alone.
        """
        board = self._check.board
        suspects = 0
        for row, column in _CLASSES:
            some = squares & _lattice(board, row, column)
            suspects |= some & self._check.frozen(self._others | some)
        return suspects

    def _freezes(self, square: Square) -> bool:
        board = self._check.board
        frozen = self._check.frozen(self._others | 1 << square)
        return bool(flood(1 << square, frozen, board.stride) & ~board.goals)


def _lattice(board: Board, row: int, column: int) -> Bitboard:
    """Every second square of every second row, from ``row`` and ``column``."""
    line = int("01" * (board.stride // 2 + 1), 2) << column & (1 << board.stride) - 1
    return sum(line << each * board.stride for each in range(row, board.height, 2))
