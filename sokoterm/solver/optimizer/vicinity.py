"""Vicinity search (S. Gouezel): the positions that differ from some position of the spine by a few boxes.

Instead of listing the positions, the search asks for each one it comes to how far it is from the spine.  With a few
boxes lifted, a position of the spine is a *core*; a position is near the spine if, with as many boxes lifted, it is a
core too.  The boxes lifted are *displaced*.  How far they may stand is measured by what counts: the cost at which a
position is reached may exceed the cost of the spine there by a *slack*, which is the smaller the more boxes are
displaced.  A box that the spine does not move for a long time, before and after, may be displaced only to squares on
its own path: such positions arise where its pushes come earlier or later than in the spine.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations

from sokoterm.engine.bits import Bitboard, scan, squares_of
from sokoterm.engine.board import Board
from sokoterm.solver.common.distances import pulled_layers
from sokoterm.solver.optimizer.layered_search import NOT_ADMITTED
from sokoterm.solver.optimizer.spine import Spine

EVERYWHERE: Bitboard = -1


class LonePushes:
    """Fewest pushes of a lone box from one square to another, wherever the player is.

    ``size``: the squares of the board.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self.size = board.stride * board.height
        self.to = lru_cache(maxsize=None)(self._to)

    def _to(self, square: Bitboard) -> dict[Bitboard, int]:
        """Return the pushes to a square from every other one that leads there; squares are Bitboards."""
        layers = enumerate(pulled_layers(self._board, square))
        return {1 << each: pushes for pushes, layer in layers for each in squares_of(layer)}


class Vicinity:
    """The positions within reach of a spine between two of its positions.

    ``slacks[k]``: what may be lost with *k* boxes displaced, in units of the objective.  ``width``: a box that moves
    within so many pushes may be displaced to any square; None: every box may.  ``kept``: the boxes never displaced, by
    number.  More spines than one may be given, which begin at the same position: their positions are crossed.
    """

    def __init__(
        self,
        spines: Sequence[Spine],
        first: int,
        last: int,
        slacks: Sequence[int],
        width: int | None,
        pushes: LonePushes,
        kept: frozenset[int] = frozenset(),
    ) -> None:
        unit = spines[0].unit
        self._slacks = [slack * unit for slack in slacks]
        self._pushes = pushes
        self._on_spine: dict[Bitboard, int] = {}
        # Cores with one box lifted, and with more: the largest cost, and for each lifted box the squares where it may
        # stand instead, and its own.
        self._single: dict[Bitboard, tuple[int, Bitboard, Bitboard]] = {}
        self._several: list[dict[Bitboard, tuple[int, tuple[Lifted, ...]]]] = [{} for _ in slacks]
        for spine in reversed(spines[1:]):
            self._lift(spine, 0, spine.last, width, kept)
        self._lift(spines[0], first, last, width, kept)

    def _lift(self, spine: Spine, first: int, last: int, width: int | None, kept: frozenset[int]) -> None:
        """Find the cores of the positions of a spine."""
        paths = _Paths(spine, width)
        most = len(self._slacks) - 1
        for j, places in enumerate(spine.places(first, last), start=first):
            boxes, cost = spine.boxes[j], spine.costs[j]
            self._on_spine[boxes] = cost + self._slacks[0]
            lifted = [(1 << square, paths.squares(box, j)) for square, box in places if box not in kept]
            if most:
                latest = cost + self._slacks[1]
                for square, squares in lifted:
                    self._single[boxes ^ square] = (latest, squares, square)
            for count in range(2, most + 1):
                latest, cores = cost + self._slacks[count], self._several[count]
                for those in combinations(lifted, count):
                    core = boxes
                    for square, _ in those:
                        core ^= square
                    cores[core] = (latest, those)

    def first(self) -> Bitboard:
        """No box is displaced."""
        return 0

    def admit(self, boxes: Bitboard, box: Bitboard, landing: Bitboard, hint: Bitboard) -> tuple[int, Bitboard]:
        """Admit a position near the spine; the hint is all boxes that are displaced, measured by one core or other."""
        latest, displaced = self._on_spine.get(boxes, NOT_ADMITTED), 0
        single = self._single.get
        rest = boxes
        while rest:
            each = rest & -rest
            rest ^= each
            core = single(boxes ^ each)
            if core is not None and core[1] & each:
                displaced |= each
                latest = max(latest, core[0])
        if len(self._slacks) > 2:
            candidates = hint ^ box ^ landing if hint & box else hint | landing
            for count in range(2, len(self._slacks)):
                cores = self._several[count].get
                for those in combinations([1 << square for square in scan(candidates)], count):
                    core_boxes = boxes
                    for each in those:
                        core_boxes ^= each
                    several = cores(core_boxes)
                    if several is not None and self._can_return(those, several[1]):
                        displaced |= boxes & ~core_boxes
                        latest = max(latest, several[0])
        return latest, displaced

    def _can_return(self, displaced: Sequence[Bitboard], lifted: Sequence["Lifted"]) -> bool:
        """True if displaced boxes stand where they may, and could still be pushed to the squares they were lifted from.

        Where several boxes are displaced, those positions that cannot get back are many, and rarely of use.
        """
        pushes = self._pushes.to
        for order in permutations(lifted):
            if all(squares & box and box in pushes(square) for box, (square, squares) in zip(displaced, order)):
                return True
        return False


# The square of a lifted box, and the squares where it may stand instead.
Lifted = tuple[Bitboard, Bitboard]


class _Paths:
    """Where each box of a spine may be displaced to."""

    def __init__(self, spine: Spine, width: int | None) -> None:
        self._width = width
        self._moves: dict[int, list[int]] = {}
        self._path: dict[int, Bitboard] = {box: 1 << square for square, box in spine.places(0, 0)[0]}
        for j, box in enumerate(spine.movers, start=1):
            self._moves.setdefault(box, []).append(j)
            self._path[box] |= spine.boxes[j] & ~spine.boxes[j - 1]

    def squares(self, box: int, j: int) -> Bitboard:
        """Return where a box may stand at a position of the spine: anywhere if it moves soon or has just moved."""
        if self._width is None:
            return EVERYWHERE
        moves = self._moves.get(box, [])
        soon = bisect_left(moves, j - self._width)
        return EVERYWHERE if soon < len(moves) and moves[soon] <= j + self._width else self._path[box]
