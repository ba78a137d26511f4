"""Cut vertices: the sides of a box between which the player can walk, for every square of the box together.

A box separates two of its free sides if and only if its square is a cut vertex (articulation point) of the free squares
and the sides belong to different blocks (biconnected components).  The push planner of sokoban.ws finds the blocks by
depth-first search with low points.

This module works on the obstacles instead.  Free squares are connected by edges, obstacles also by corners, so two
sides are separated if and only if both ways around the box from one to the other meet the same connected component of
obstacles (the duality of 4- and 8-connectedness: A. Rosenfeld, "Digital Topology", American Mathematical Monthly 86,
1979).  There are few components, and a few operations on whole-board integers handle one for all squares.
"""

from collections.abc import Iterator

from sokoterm.engine.bits import Bitboard, Square, flood_by_runs, lowest
from sokoterm.engine.board import Board

# A set of sides of a box, as a mask with the bit ``1 << direction`` for each.
Sides = int

ALL_SIDES: Sides = 15

# For each pair of sides, the squares where a box separates (or joins) them.
Cuts = tuple[Bitboard, Bitboard, Bitboard, Bitboard, Bitboard, Bitboard]
_NO_CUTS: Cuts = (0, 0, 0, 0, 0, 0)

# Rows searched first for a component; most are smaller.
_WINDOW_ROWS = 8
# Rounds of filling a component; a longer one is followed by runs, in time linear in the board.
_ROUNDS = 128
# Components for which the cuts of all others are cached: a large board may have thousands.
_MOST_KEPT = 100

# Pairs of sides, in the order of the bits of ``joined_pairs`` and of Cuts.
PAIRS = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3))


def _joined(side: int, pairs: int) -> Sides:
    sides = 1 << side
    for bit, pair in enumerate(PAIRS):
        if pairs >> bit & 1 and side in pair:
            sides |= 1 << pair[0] | 1 << pair[1]
    return sides


# JOINED_SIDES[side][pairs]: the sides the player can walk to from ``side``, itself included.
JOINED_SIDES = tuple(bytes(_joined(side, pairs) for pairs in range(1 << len(PAIRS))) for side in range(4))


class CutVertices:
    """The cut vertices of one position, computed once for all its boxes."""

    def __init__(self, board: Board, boxes: Bitboard, window_rows: int = _WINDOW_ROWS, rounds: int = _ROUNDS) -> None:
        """``window_rows`` and ``rounds`` only change the cost: see the constants."""
        self._board = board
        self._window_rows = window_rows
        self._rounds = rounds
        self._boxes = boxes = boxes & board.floor  # without the layers of colours
        obstacles = (1 << board.size) - 1 & ~board.floor | boxes
        row, column = (1 << board.stride) - 1, ((1 << board.size) - 1) // ((1 << board.stride) - 1)
        # Always obstacles: the first component.
        self._edge = row | row << board.size - board.stride | column | column << board.stride - 1
        self._pieces = [*self._find_pieces(obstacles)]
        self._cuts = [_cut_pairs(board, piece << board.stride) for _, piece in self._pieces]
        # The cuts of all components but one, by the index of that one (-1: all).
        self._cuts_of_others: dict[int, Cuts] = {}

    def joined_pairs(self, box: Square) -> bytes:
        """Return for each square the pairs of sides joined around the box, as an index into ``JOINED_SIDES[side]``."""
        size = self._board.size
        # Subtract the ASCII code of "0" from the digits.
        numbers = -((1 << len(PAIRS)) - 1) * _bytes_of(0, size)
        for pair, joined in enumerate(self.joined(box)):
            numbers += _bytes_of(joined, size) << pair
        return numbers.to_bytes(size, "little")

    def joined(self, box: Square) -> Cuts:
        """Return for each pair of sides the squares where they are joined around the box from ``box``.

        Takes time linear in the board for each component of obstacles.
        """
        board, bit = self._board, 1 << box
        free = board.floor & ~self._boxes | bit
        home = self._home(box)
        cuts = self._others(home)
        if home >= 0:
            base, piece = self._pieces[home]
            for start, part in self._find_pieces(piece << base ^ bit):
                cuts = _united(cuts, _placed(_cut_pairs(board, part << board.stride), start - board.stride))
        up, right, down, left = _beside(board, free)
        a, b, c, d, e, f = cuts
        return (
            up & right & free & ~a,
            right & down & free & ~b,
            down & left & free & ~c,
            left & up & free & ~d,
            up & down & free & ~e,
            right & left & free & ~f,
        )

    def _find_pieces(self, obstacles: Bitboard) -> Iterator[tuple[Square, Bitboard]]:
        """Yield the connected components of obstacles, except single squares, which separate nothing.

        Each is the first square of its first row, and its bits from there on.  Most components are small, so only a few
        rows are searched first.
        """
        stride = self._board.stride
        window = (1 << self._window_rows * stride) - 1
        last_row = window ^ window >> stride
        piece = self._connected(obstacles & self._edge, obstacles)
        if piece & (piece - 1):
            yield 0, piece
        obstacles ^= piece
        while obstacles:
            base = lowest(obstacles) // stride * stride
            near = obstacles >> base & window
            # All components that begin in this row.
            while seed := near & -near & (1 << stride) - 1:
                piece = self._connected(seed, near)
                if piece & last_row:
                    piece = self._connected(seed, obstacles >> base)
                if piece & (piece - 1):
                    yield base, piece
                obstacles ^= piece << base
                near &= ~piece

    def _connected(self, seed: Bitboard, obstacles: Bitboard) -> Bitboard:
        stride, piece = self._board.stride, seed
        for _ in range(self._rounds):
            grown = piece | piece << 1 | piece >> 1
            grown = (grown | grown << stride | grown >> stride) & obstacles
            if grown == piece:
                return piece
            piece = grown
        return flood_by_runs(piece, obstacles, stride, corner=1)

    def _home(self, box: Square) -> int:
        for index, (base, piece) in enumerate(self._pieces):
            if base <= box and piece >> (box - base) & 1:
                return index
        return -1

    def _others(self, home: int) -> Cuts:
        if home not in self._cuts_of_others:
            if len(self._cuts_of_others) >= _MOST_KEPT:
                self._cuts_of_others.clear()
            # First unite components that begin in the same row, while the numbers are short.
            rows: dict[Square, Cuts] = {}
            for index, (base, _) in enumerate(self._pieces):
                if index != home:
                    rows[base] = _united(rows.get(base, _NO_CUTS), self._cuts[index])
            cuts = _NO_CUTS
            for base, row in rows.items():
                cuts = _united(cuts, _placed(row, base - self._board.stride))
            self._cuts_of_others[home] = cuts
        return self._cuts_of_others[home]


def _cut_pairs(board: Board, piece: Bitboard) -> Cuts:
    up, right, down, left = _beside(board, piece)
    up_right, down_right, down_left, up_left = up >> 1, down >> 1, down << 1, up << 1
    above, below = up_left | up | up_right, down_left | down | down_right
    before, after = up_left | left | down_left, up_right | right | down_right
    return (
        up_right & (before | below),
        down_right & (before | above),
        down_left & (above | after),
        up_left & (below | after),
        before & after,
        above & below,
    )


def _united(cuts: Cuts, more: Cuts) -> Cuts:
    a, b, c, d, e, f = cuts
    u, v, w, x, y, z = more
    return a | u, b | v, c | w, d | x, e | y, f | z


def _beside(board: Board, squares: Bitboard) -> tuple[Bitboard, Bitboard, Bitboard, Bitboard]:
    """Return the squares with one of ``squares`` above them, to the right, below, and to the left."""
    return squares << board.stride, squares >> 1, squares >> board.stride, squares << 1


def _placed(cuts: Cuts, offset: int) -> Cuts:
    a, b, c, d, e, f = cuts
    if offset < 0:
        return a >> -offset, b >> -offset, c >> -offset, d >> -offset, e >> -offset, f >> -offset
    return a << offset, b << offset, c << offset, d << offset, e << offset, f << offset


def _bytes_of(squares: Bitboard, size: int) -> int:
    """Spread each square to one byte with the value of ASCII "0" or "1"."""
    return int.from_bytes(f"{squares:0{size}b}".encode("ascii"), "big")
