"""Between which sides of a box the player can walk, for a box on any square, told for the whole board at once.

A box cuts two of its free sides off from each other exactly when its square is a cut vertex (articulation point) of
the free squares and the sides lie in different blocks (biconnected components); that a push planner needs no more than
this is shown by the one of sokoban.ws, which finds the blocks by a depth-first search with low points.  Here it is told
from the other side.  Free squares touch by their edges, obstacles by their corners too; so two sides are cut off
exactly when one connected piece of obstacles is met on both ways round the box from the one to the other (the duality
of 4- and 8-connectedness: A. Rosenfeld, "Digital Topology", American Mathematical Monthly 86, 1979).  Pieces of
obstacles are few, and each is dealt with for all squares at once in a few operations on whole-board integers, where a
depth-first search goes from square to square.
"""

from collections.abc import Iterator

from sokoterm.engine.bits import Bitboard, Square
from sokoterm.engine.board import Board

# Sides of a box are the Directions in which they lie; several are a mask with the bit ``1 << direction`` of each.
Sides = int

ALL_SIDES: Sides = 15

# For each pair of sides, the squares where it is cut.
Cuts = tuple[Bitboard, Bitboard, Bitboard, Bitboard, Bitboard, Bitboard]
_NO_CUTS: Cuts = (0, 0, 0, 0, 0, 0)

# The pairs of sides in the order of the bits of ``joined_pairs`` and of Cuts.
_PAIRS = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3))


def _joined(side: int, pairs: int) -> Sides:
    sides = 1 << side
    for bit, pair in enumerate(_PAIRS):
        if pairs >> bit & 1 and side in pair:
            sides |= 1 << pair[0] | 1 << pair[1]
    return sides


# JOINED_SIDES[side][pairs]: the sides that the player can walk to from ``side``, itself included.
JOINED_SIDES = tuple(bytes(_joined(side, pairs) for pairs in range(1 << len(_PAIRS))) for side in range(4))


class Blocks:
    """The blocks of one position, computed once and shared by all its boxes."""

    def __init__(self, board: Board, boxes: Bitboard) -> None:
        self._board = board
        self._boxes = boxes
        obstacles = (1 << board.stride * board.height) - 1 & ~board.floor | boxes
        self._pieces = list(_pieces(obstacles, _edge(board), board.stride))
        self._cuts = [_cut_pairs(board, piece) for piece in self._pieces]
        # By the piece that is left out, -1 for none: what the others cut.
        self._cuts_of_others: dict[int, Cuts] = {}

    def joined_pairs(self, box: Square) -> bytes:
        """For each square the pairs of its sides that stay connected when the box on ``box`` stands there.

        To be looked up in ``JOINED_SIDES``.  Takes time linear in the board for each piece of obstacles.
        """
        board, bit = self._board, 1 << box
        free = board.floor & ~self._boxes | bit
        home = next((index for index, piece in enumerate(self._pieces) if piece & bit), -1)
        cuts = self._others(home)
        if home >= 0:
            for part in _pieces(self._pieces[home] ^ bit, _edge(board), board.stride):
                cuts = _united(cuts, _cut_pairs(board, part))
        up, right, down, left = _beside(board, free)
        sides = (up & right, right & down, down & left, left & up, up & down, right & left)
        size = board.stride * board.height
        # The digits come as ASCII.
        numbers = -((1 << len(_PAIRS)) - 1) * _bytes_of(0, size)
        for pair, (joined, cut) in enumerate(zip(sides, cuts)):
            numbers += _bytes_of(joined & free & ~cut, size) << pair
        return numbers.to_bytes(size, "little")

    def _others(self, home: int) -> Cuts:
        if home not in self._cuts_of_others:
            cuts = _NO_CUTS
            for index, each in enumerate(self._cuts):
                if index != home:
                    cuts = _united(cuts, each)
            self._cuts_of_others[home] = cuts
        return self._cuts_of_others[home]


def _cut_pairs(board: Board, piece: Bitboard) -> Cuts:
    """The squares where a piece of obstacles is met on both ways round from the one side of a pair to the other."""
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
    """The squares that have one of ``squares`` above them, to the right, below, to the left."""
    return squares << board.stride, squares >> 1, squares >> board.stride, squares << 1


def _pieces(obstacles: Bitboard, edge: Bitboard, stride: int) -> Iterator[Bitboard]:
    """The obstacles in connected pieces, but for single squares, which cut nothing off."""
    seed = obstacles & edge or obstacles & -obstacles
    while obstacles:
        piece = seed
        while True:
            grown = piece | piece << 1 | piece >> 1
            grown = (grown | grown << stride | grown >> stride) & obstacles
            if grown == piece:
                break
            piece = grown
        if piece & (piece - 1):
            yield piece
        obstacles ^= piece
        seed = obstacles & -obstacles


def _edge(board: Board) -> Bitboard:
    """The squares along the edge of the board, which no level leaves open: one piece to begin with."""
    row = (1 << board.stride) - 1
    edge = row | row << board.stride * (board.height - 1)
    column = sum(1 << number * board.stride for number in range(board.height))
    return edge | column | column << board.stride - 1


def _bytes_of(squares: Bitboard, size: int) -> int:
    """Each square as a byte of its own, its value the digit 0 or 1 in ASCII."""
    return int.from_bytes(f"{squares:0{size}b}".encode("ascii"), "big")
